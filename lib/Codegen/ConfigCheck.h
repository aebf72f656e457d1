//===- ConfigCheck.h - Errors of invalid configs ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Error messages of the kernel families' checks. Internal to lib/Codegen.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_CODEGEN_CONFIGCHECK_H
#define KILN_LIB_CODEGEN_CONFIGCHECK_H

#include "kiln/Codegen/KernelAnalysis.h"

namespace kiln::codegen {

/// Returns the error that the config belongs to another family.
ConfigProblem wrongFamily(mlir::Attribute config, llvm::StringRef expected);
/// Returns the error that a parameter has an unsupported value.
ConfigProblem wrongValue(mlir::Attribute config, llvm::StringRef what,
                         const llvm::Twine &expected, int64_t found);
/// Returns the error that a config needs more of a target's resource than there is.
ConfigProblem exceeds(mlir::Attribute config, llvm::StringRef resource,
                      const llvm::Twine &limit, const llvm::Twine &needed);

/// Resources of a multiprocessor that a block of threads takes.
struct BlockResources {
  int64_t threads = 0, sharedBytes = 0, registers = 0; ///< registers per thread
};
ConfigProblem checkBlock(mlir::Attribute config, const BlockResources &needed,
                         const GpuInfo &gpu);

} // namespace kiln::codegen

#endif // KILN_LIB_CODEGEN_CONFIGCHECK_H
