//===- NVPTX.h - Tile programs to PTX ---------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU targets as one call: compiles every tile.kernel of a module to PTX text whose
// only entry has the ABI of kiln/abi.h.
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
  std::string name; ///< name of the tile.kernel and of the entry
  std::string text;
  std::string cubin;       ///< machine code for exactly this target, if requested
  double seconds = 0;      ///< CPU time of compiling the kernel, without ptxas
  int64_t threads = 0;     ///< per block
  int64_t sharedBytes = 0; ///< bytes of shared memory, without the kernel's scratch
  /// TMA tensor maps that the entry takes as parameters after the words of kiln/abi.h.
  /// With maps the kernel is persistent: it loops over the tasks and runs with any number
  /// of blocks.
  std::vector<tile::TensorMapAttr> maps;
  /// Whether the kernel itself waits for preceding kernels (griddepcontrol), so that it
  /// may be launched before they end.
  bool waits = false;
};

struct NVPTXOptions {
  /// Folder for <kernel>.ll and <kernel>.ptx; empty: they are not written.
  std::string dumpFolder;
  /// Whether to assemble each text to a cubin as well; needs ptxas of the CUDA toolkit in
  /// PATH.
  bool cubin = false;
};

/// Attribute of a lowered kernel: the bytes of shared memory that it reserves.
inline constexpr llvm::StringLiteral kSharedBytesAttr = "tile.shared_bytes";
/// Attribute of a lowered kernel: the tensor maps that it takes, if any.
inline constexpr llvm::StringLiteral kTensorMapsAttr = "tile.tensor_maps";

/// Compiles every tile.kernel of the module, several at a time if the context has
/// threads, in the order of the module. The module is not changed and the bytes do not
/// depend on the number of threads. Ops that cannot be lowered are reported at their
/// location; the error names the kernel.
llvm::Error compileToPtx(mlir::ModuleOp module, const TargetInfo &target,
                         std::vector<PtxKernel> &kernels, const NVPTXOptions &options = {});

/// Builds the passes of compileToPtx, from tile to the LLVM and NVVM dialects.
void buildNVPTXPipeline(mlir::OpPassManager &pm, llvm::StringRef target);

} // namespace kiln

#endif // KILN_TARGET_NVPTX_H
