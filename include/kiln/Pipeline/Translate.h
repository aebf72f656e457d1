//===- Translate.h - Kernels of a module as text ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_TRANSLATE_H
#define KILN_PIPELINE_TRANSLATE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace kiln {

/// Texts that translateKernels writes, as --save-temps names them.
enum class KernelTextKind {
  LLVMIR,   ///< behind LLVM's optimizations, for CPUs and GPUs
  Assembly, ///< for CPUs
  PTX,      ///< for GPUs
};

struct TranslateOptions {
  KernelTextKind kind = KernelTextKind::LLVMIR;
  std::string kernel; ///< only the kernels of this name; empty: all
  /// Only the kernels for this target; also the target of kernels whose module names
  /// none. Empty: those of all targets.
  std::string target;
};

/// Writes the texts of kernels, which may stand in any module within `module`: with the
/// passes and the order of `kiln compile`. In front of each, if there are several, stands
/// a comment with its name and its target. A dump from before the code phase is brought
/// there first, which changes the module. Errors: KILN-E0001 where options name nothing
/// and KILN-E0301 for a module without kernels, beside those of code generation.
llvm::Error translateKernels(mlir::ModuleOp module, const TranslateOptions &options,
                             llvm::raw_ostream &os);

/// Writes the package that a compile makes which goes on from the dump at `path`. Errors
/// are those of takeDump and of a compile.
llvm::Error translatePackage(const std::string &path, llvm::raw_ostream &os);

} // namespace kiln

#endif // KILN_PIPELINE_TRANSLATE_H
