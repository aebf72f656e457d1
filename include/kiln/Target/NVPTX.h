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
#include "kiln/Target/KernelText.h"
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
  /// Gets "ll" and "ptx" of each kernel; null: nobody does.
  KernelTextSink texts;
  /// Whether to assemble each text to a cubin as well; needs ptxas of the CUDA toolkit in
  /// PATH.
  bool cubin = false;
};

/// Compiles kernels (isKernel), which may be lowered in part, several at a time if the
/// context has threads. They are not changed and the bytes do not depend on the number of
/// threads. What a kernel cannot be lowered for is reported where it stands; the error
/// names the kernel.
llvm::Error compileToPtx(llvm::ArrayRef<mlir::Operation *> kernels,
                         const TargetInfo &target, std::vector<PtxKernel> &compiled,
                         const NVPTXOptions &options = {});
/// Compiles every tile.kernel of the module, in the order of the module.
llvm::Error compileToPtx(mlir::ModuleOp module, const TargetInfo &target,
                         std::vector<PtxKernel> &kernels, const NVPTXOptions &options = {});

/// Passes of a GPU target that a kernel is behind, as those of a file may be.
struct NVPTXProgress {
  bool isPartitioned = false, hasLayouts = false, hasOffsets = false;

  /// Returns how far lowering has come: by what the passes leave in the kernel.
  static NVPTXProgress of(mlir::Operation *kernel);
};

/// tile to the LLVM and NVVM dialects: the passes compileToPtx runs, without those that
/// the kernel is behind.
void buildNVPTXPipeline(mlir::OpPassManager &pm, llvm::StringRef target,
                        NVPTXProgress progress = {});

} // namespace kiln

#endif // KILN_TARGET_NVPTX_H
