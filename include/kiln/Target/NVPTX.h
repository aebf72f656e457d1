//===- NVPTX.h - Tile programs to PTX ---------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU targets as one call: every tile.kernel of a module becomes a PTX text
// whose one entry obeys kiln/abi.h.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TARGET_NVPTX_H
#define KILN_TARGET_NVPTX_H

#include "dialects/Tile/Tile.h"
#include "kiln/Target/TargetInfo.h"

namespace mlir {
class OpPassManager;
}

namespace kiln {

struct PtxKernel {
  std::string name; ///< of the tile.kernel and of the entry
  std::string text;
  std::string cubin;       ///< machine code for exactly the target, if asked for
  double seconds = 0;      ///< CPU time of compiling it, without the cubin
  int64_t threads = 0;     ///< of a block
  int64_t sharedBytes = 0; ///< of shared memory, without the kernel's scratch
  /// TMA tensor maps that the entry takes as parameters after the words of kiln/abi.h.
  /// With maps the entry loops over the tasks by itself (a persistent kernel), so that
  /// any number of blocks will do.
  std::vector<tile::TensorMapAttr> maps;
  /// It waits for earlier kernels by itself, so that it may be launched before they end.
  bool waits = false;
};

struct NVPTXOptions {
  /// Folder for <kernel>.ll and <kernel>.ptx; empty: none are written.
  std::string dumpFolder;
  /// Whether to assemble each text to a cubin as well; needs ptxas of the CUDA toolkit in
  /// the PATH.
  bool cubin = false;
};

/// On a lowered kernel: the shared memory it reserves.
inline constexpr llvm::StringLiteral kSharedBytesAttr = "tile.shared_bytes";
/// On a lowered kernel: the tensor maps that it takes, if any.
inline constexpr llvm::StringLiteral kTensorMapsAttr = "tile.tensor_maps";

/// Compiles every tile.kernel of the module, several at a time if the context
/// has threads, in the order of the module. The module is not changed and the
/// bytes do not depend on the number of threads. What a kernel cannot be
/// lowered for is reported where it stands; the error names the kernel.
llvm::Error compileToPtx(mlir::ModuleOp module, const TargetInfo &target,
                         std::vector<PtxKernel> &kernels, const NVPTXOptions &options = {});

/// tile to the LLVM and NVVM dialects: the passes compileToPtx runs.
void buildNVPTXPipeline(mlir::OpPassManager &pm, llvm::StringRef target);

} // namespace kiln

#endif // KILN_TARGET_NVPTX_H
