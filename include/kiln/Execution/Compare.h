//===- Compare.h - Distance between tensors ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_COMPARE_H
#define KILN_EXECUTION_COMPARE_H

#include "kiln/runtime.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace kiln::execution {

/// Relative distance of values from expected ones: the maximum over elements of |y - r| /
/// max(|r|, rms), where rms is the root mean square of all expected elements except
/// masks, so that elements near zero need no more digits than the others. Equal
/// infinities and NaN at the same index agree.
struct Distance {
  double worst = 0; ///< infinity if one is finite and the other is not
  uint64_t worstIndex = 0;
  double found = 0, expected = 0; ///< at worstIndex
};

using Element = llvm::function_ref<double(uint64_t)>;
/// Compares elements that are stored as `dtype`. A difference of at most half of the
/// spacing of the type's denormals counts as none, and so does one of at most `slack`
/// (null: 0 for all elements) more.
Distance compareElements(kiln_dtype dtype, uint64_t count, Element found,
                         Element expected, Element slack = nullptr);

/// Root mean square of the differences relative to that of the expected elements: the
/// distance of outputs of an entire model, whose elements have the accumulated error of
/// all kernels. A difference of half of the spacing of denormals counts as none. Infinity
/// if one of two elements is finite and the other is not.
double relativeRms(kiln_dtype dtype, uint64_t count, Element found, Element expected);

/// Tolerance for the rounding of a type: f32 1e-4, f16 5e-3, bf16 4e-2, f64
/// 1e-10, integers and bools 0.
double defaultTolerance(kiln_dtype dtype);
/// Tolerance for matmuls computed in these precisions ("bf16"): a limit for the errors of
/// an entire model. docs/rationale/precision.md explains it.
double defaultTolerance(kiln_dtype dtype, llvm::ArrayRef<std::string> precisions);

} // namespace kiln::execution

#endif // KILN_EXECUTION_COMPARE_H
