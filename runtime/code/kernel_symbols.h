//===- kernel_symbols.h - Names of generated code ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODE_KERNEL_SYMBOLS_H
#define KILN_CODE_KERNEL_SYMBOLS_H

#include "runtime/code/code_image.h"
#include "runtime/package/plan.h"

namespace kiln::rt {

/// The function of one kernel, or of several that have the same code.
struct KernelSymbol {
  uint64_t offset, size; ///< range in the image
  std::string kernel;    ///< "matmul_3", the first kernel that has this code
  std::string name;      ///< "kiln:matmul_3[/layer.0/query/MatMul,/layer.0/query/Add]"
  CodeFunction function; ///< size 0 if the image has no unwind table
};

/// Returns the kernels of all programs of a package in a target's image, sorted by
/// offset. Their sizes are those of the unwind table; without one, a kernel ends where
/// the next begins.
std::vector<KernelSymbol> kernelSymbols(const CodeImage &image,
                                        std::span<const Plan *const> programs,
                                        size_t target);

} // namespace kiln::rt

#endif // KILN_CODE_KERNEL_SYMBOLS_H
