//===- VerifyStates.h - Prove the order of a state's values -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PLANNING_VERIFYSTATES_H
#define KILN_LIB_PLANNING_VERIFYSTATES_H

#include "dialects/Plan/Plan.h"

namespace kiln {

/// Nobody reads a value of a state that another step has overwritten, and each new value
/// is made from the last one. The loader proves the same (runtime/package/validate.cpp).
/// Errors: KILN-E0303.
mlir::LogicalResult verifyStates(plan::ProgramOp program);

} // namespace kiln

#endif // KILN_LIB_PLANNING_VERIFYSTATES_H
