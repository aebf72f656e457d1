//===- jit_dump.h - Kernels for perf inject --jit ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements perf's jitdump-specification.txt, version 1.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODE_JIT_DUMP_H
#define KILN_CODE_JIT_DUMP_H

#include "runtime/code/kernel_symbols.h"
#include "runtime/code/profile_file.h"

namespace kiln::rt {

/// The jitdump file of this process: code, name and unwind table of each kernel.
class JitDump {
public:
  /// Creates the file, which is open until the process ends.
  Status open();
  /// Appends the kernels of an image.
  Status add(const CodeImage &image, std::span<const KernelSymbol> symbols);

private:
  std::string unwindRecord(const CodeImage &image, const KernelSymbol &symbol) const;

  ProfileFile file;
  Mapping marker; ///< the executable mapping by which perf record finds the file
  uint64_t count = 0;
};

} // namespace kiln::rt

#endif // KILN_CODE_JIT_DUMP_H
