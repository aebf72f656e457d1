//===- ProvePlan.h - Memory of a plan at all dims ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Planning.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PLANNING_PROVEPLAN_H
#define KILN_PLANNING_PROVEPLAN_H

#include "dialects/Plan/Plan.h"

namespace kiln {

/// Proves that a plan that is right at the corners of the envelope is right at all dims
/// in it. Reports KILN-E0303, with dims, where it is wrong; where neither can be shown
/// within some thousand steps, a remark says of which arena, "checked at corners".
mlir::LogicalResult provePlan(plan::ProgramOp program);

} // namespace kiln

#endif // KILN_PLANNING_PROVEPLAN_H
