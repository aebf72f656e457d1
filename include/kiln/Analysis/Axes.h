//===- Axes.h - Which axis of an operand is one of the result ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ANALYSIS_AXES_H
#define KILN_ANALYSIS_AXES_H

#include "dialects/Graph/Graph.h"

#include <optional>

namespace kiln::graph {

/// The axis of the input that is axis `axis` of the result, where a reshape adds and
/// drops dims of 1 only; nullopt for any other reshape, and where the result has one
/// element along the axis.
std::optional<int64_t> axisBefore(ReshapeOp op, int64_t axis);

/// The axis of a broadcasting operand that is axis `axis` of the result; negative if the
/// operand is the same all along it.
int64_t operandAxis(mlir::Value operand, mlir::Value result, int64_t axis);

/// False if all elements along the axis are known to be equal.
bool variesAlong(mlir::Value value, int64_t axis);

} // namespace kiln::graph

#endif // KILN_ANALYSIS_AXES_H
