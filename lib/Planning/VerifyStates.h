//===- VerifyStates.h - Verification of the order of states -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PLANNING_VERIFYSTATES_H
#define KILN_LIB_PLANNING_VERIFYSTATES_H

#include "dialects/Plan/Plan.h"

namespace kiln {

/// Verifies that no step reads a state after another step has overwritten it, and that
/// each new value is computed from the current one. The loader verifies the same
/// (runtime/package/validate.cpp). Errors: KILN-E0303.
mlir::LogicalResult verifyStates(plan::ProgramOp program);

} // namespace kiln

#endif // KILN_LIB_PLANNING_VERIFYSTATES_H
