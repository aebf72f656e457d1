//===- jit_dump.h - Kernels for perf inject --jit ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format is that of perf's jitdump-specification.txt, version 1.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODE_JIT_DUMP_H
#define KILN_CODE_JIT_DUMP_H

#include "runtime/code/kernel_symbols.h"
#include "runtime/code/profile_file.h"

namespace kiln::rt {

/// The dump of this process: the bytes of each kernel, its name, and how to unwind it.
class JitDump {
public:
  /// Begins the file, which lasts as long as the process.
  Status open();
  /// Writes the kernels of an image.
  Status add(const CodeImage &image, std::span<const KernelSymbol> symbols);

private:
  std::string unwindRecord(const CodeImage &image, const KernelSymbol &symbol) const;

  ProfileFile file;
  Mapping marker; ///< by which perf record learns of the file
  uint64_t count = 0;
};

} // namespace kiln::rt

#endif // KILN_CODE_JIT_DUMP_H
