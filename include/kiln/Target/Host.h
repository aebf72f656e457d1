//===- Host.h - Tile programs to machine code -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host target as one call: a module of tile.kernel ops becomes one flat
// position-independent image of functions that obey kiln/abi.h.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TARGET_HOST_H
#define KILN_TARGET_HOST_H

#include "kiln/Support/ByteCache.h"
#include "kiln/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir {
class OpPassManager;
}

namespace kiln {

/// Text and read-only data without relocations: mapped anywhere, it runs.
struct HostImage {
  struct Entry {
    std::string name;
    uint64_t offset = 0;
    double seconds = 0; ///< CPU time of compiling it
  };
  std::vector<uint8_t> bytes;
  /// How to unwind the stack from each function: records of .eh_frame, in which a
  /// function begins at its offset in `bytes`.
  std::vector<uint8_t> unwindTable;
  std::vector<Entry> entries;        ///< in the order of the module
  std::vector<std::string> features; ///< what a machine must have to run it

  const Entry *find(llvm::StringRef name) const;
};

struct HostOptions {
  /// Folder for <kernel>.ll and <kernel>.s; empty: none are written.
  std::string dumpFolder;
  /// Objects of earlier compiles; null: none.
  ByteCache *cache = nullptr;
};

/// Compiles every tile.kernel of the module, several at a time if the context
/// has threads. The module is not changed and the bytes do not depend on the
/// number of threads. What a kernel cannot be lowered for is reported where it
/// stands; the error names the kernel.
llvm::Error compileToHostImage(mlir::ModuleOp module, const TargetInfo &target,
                               HostImage &image, const HostOptions &options = {});

/// tile to the LLVM dialect: the passes compileToHostImage runs, for a target with these
/// features (TargetInfo).
void buildHostPipeline(mlir::OpPassManager &pm, llvm::ArrayRef<std::string> features);

} // namespace kiln

#endif // KILN_TARGET_HOST_H
