//===- exports.h - The exported names ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#ifndef KILN_SIM_DRIVER_EXPORTS_H
#define KILN_SIM_DRIVER_EXPORTS_H

namespace kiln::sim::driver {

struct ExportLookup {
  void *address = nullptr;
  bool known = false; ///< the name exists, but maybe only in newer versions
};

/// Finds the newest form of a function in a CUDA version by the name without suffix, or
/// exactly one form by the full exported name.
ExportLookup findExport(const char *name, int cudaVersion, bool perThread);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_EXPORTS_H
