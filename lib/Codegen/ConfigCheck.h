//===- ConfigCheck.h - What makes a config impossible -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the checks of the kernel families say. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_CONFIGCHECK_H
#define KILN_LIB_CODEGEN_CONFIGCHECK_H

#include "kiln/Codegen/KernelAnalysis.h"

namespace kiln::codegen {

/// A config of a family that the kernel cannot have.
ConfigProblem wrongFamily(mlir::Attribute config, llvm::StringRef expected);
/// A parameter whose value no code can be generated for.
ConfigProblem wrongValue(mlir::Attribute config, llvm::StringRef what,
                         const llvm::Twine &expected, int64_t found);
/// A resource of the target that a config needs too much of.
ConfigProblem exceeds(mlir::Attribute config, llvm::StringRef resource,
                      const llvm::Twine &limit, const llvm::Twine &needed);

/// Resources that a block of threads takes of a multiprocessor.
struct BlockResources {
  int64_t threads = 0, sharedBytes = 0, registers = 0; ///< registers: of a thread
};
ConfigProblem checkBlock(mlir::Attribute config, const BlockResources &needed,
                         const GpuInfo &gpu);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_CONFIGCHECK_H
