//===- Compare.h - How far two tensors are apart ----------------*- C++ -*-===//
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

/// The distance of values from expected ones, as a part of the expected: for
/// each element |y - r| / max(|r|, rms), rms the root mean square of all
/// expected elements but masks, so that elements near zero do not ask for more digits
/// than their neighbours have. Equal infinities and NaN in the same place agree.
struct Distance {
  double worst = 0; ///< infinity where one is finite and the other not
  uint64_t worstIndex = 0;
  double found = 0, expected = 0; ///< at worstIndex
};

using Element = llvm::function_ref<double(uint64_t)>;
/// `dtype`: what the elements found are stored as. Next to zero its numbers are a fixed
/// step apart, and half of it is no distance. `slack` (null: none) is what is none of
/// each element beside that.
Distance compareElements(kiln_dtype dtype, uint64_t count, Element found,
                         Element expected, Element slack = nullptr);

/// The root mean square of the differences as a part of that of the expected elements:
/// the distance of outputs of a whole model, whose elements share the errors of all its
/// kernels. Half of the step between numbers next to zero is no difference. Infinity
/// where one of two elements is finite and the other not.
double relativeRms(kiln_dtype dtype, uint64_t count, Element found, Element expected);

/// Tolerance for the rounding of a type: f32 1e-4, f16 5e-3, bf16 4e-2, f64
/// 1e-10, integers and bools 0.
double defaultTolerance(kiln_dtype dtype);
/// Tolerance where products were computed in these precisions ("bf16"): a limit for the
/// errors of a whole model. docs/rationale/precision.md has what it rests on.
double defaultTolerance(kiln_dtype dtype, llvm::ArrayRef<std::string> precisions);

} // namespace kiln::execution

#endif // KILN_EXECUTION_COMPARE_H
