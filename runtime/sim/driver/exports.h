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
  bool known = false; ///< the name exists, if only in newer versions
};

/// The newest form of a function that a version of CUDA has, by its name without a
/// suffix; or exactly one, by the full name that is exported.
ExportLookup findExport(const char *name, int cudaVersion, bool perThread);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_EXPORTS_H
