//===- Host.h - Tile programs to machine code -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host target as one call: compiles a module of tile.kernel ops to one flat
// position-independent image of functions with the ABI of kiln/abi.h.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TARGET_HOST_H
#define KILN_TARGET_HOST_H

#include "kiln/Support/ByteCache.h"
#include "kiln/Target/KernelText.h"
#include "kiln/Target/TargetInfo.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir {
class OpPassManager;
}

namespace kiln {

/// Code and read-only data without relocations, which run at any address.
struct HostImage {
  struct Entry {
    std::string name;
    uint64_t offset = 0;
    double seconds = 0; ///< CPU time of compiling the kernel
  };
  std::vector<uint8_t> bytes;
  /// Records of .eh_frame to unwind the stack from each function; a function's address in
  /// them is its offset in `bytes`.
  std::vector<uint8_t> unwindTable;
  std::vector<Entry> entries;        ///< in the order of the module
  std::vector<std::string> features; ///< CPU features that the code needs

  const Entry *find(llvm::StringRef name) const;
};

struct HostOptions {
  /// Gets "ll" and "s" of each kernel; null: nobody does.
  KernelTextSink texts;
  /// Objects of earlier compiles; null: none.
  ByteCache *cache = nullptr;
};

/// Compiles kernels (isKernel), which may be lowered in part, several at a time if the
/// context has threads. They are not changed and the bytes do not depend on the number of
/// threads. What a kernel cannot be lowered for is reported where it stands; the error
/// names the kernel.
llvm::Error compileToHostImage(llvm::ArrayRef<mlir::Operation *> kernels,
                               const TargetInfo &target, HostImage &image,
                               const HostOptions &options = {});
/// Compiles every tile.kernel of the module.
llvm::Error compileToHostImage(mlir::ModuleOp module, const TargetInfo &target,
                               HostImage &image, const HostOptions &options = {});

/// Builds the passes of compileToHostImage, from tile to the LLVM dialect, for a target
/// with these features (TargetInfo).
void buildHostPipeline(mlir::OpPassManager &pm, llvm::ArrayRef<std::string> features);

} // namespace kiln

#endif // KILN_TARGET_HOST_H
