//===- Images.h - Machine code of all targets -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_IMAGES_H
#define KILN_PIPELINE_IMAGES_H

#include "kiln/Package/SerializePlan.h"
#include "kiln/Pipeline/Compile.h"
#include "kiln/Target/Host.h"
#include "kiln/Target/NVPTX.h"

namespace kiln {

/// The code of a package: one image per target, and the offset of each kernel.
struct Images {
  std::vector<package::TargetImage> targets;
  std::vector<std::string> hostImages; ///< of all host targets, in order
  std::vector<std::string> unwindTables; ///< one per host image
  std::vector<std::string> ptx;        ///< of all GPU targets, in order
  std::vector<std::string> cubins;     ///< of all GPU targets; empty unless requested
  llvm::StringMap<package::KernelImage> kernels;
  std::vector<CompileReport::KernelTime> times; ///< of all kernels on all targets
};

/// Compiles the nested module of every target. `dumpFolder`: gets a folder per target,
/// with the texts of its kernels (KernelTextSink) by name; empty: none is written.
/// `cubin`: see NVPTXOptions; `cache`: see HostOptions.
llvm::Expected<Images> compileImages(mlir::ModuleOp module, const std::string &dumpFolder,
                                     bool cubin, ByteCache *cache = nullptr);

} // namespace kiln

#endif // KILN_PIPELINE_IMAGES_H
