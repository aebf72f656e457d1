//===- PrintPlan.h - A memory plan at given dims ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PLANNING_PRINTPLAN_H
#define KILN_PLANNING_PRINTPLAN_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace kiln {

/// Prints the buffers of each plan.program of a module with their byte offsets, sizes and
/// live steps where symbols have the values in `dims` ("n=4,sequence=16"). Symbols that
/// `dims` leaves out have their largest value. Reports KILN-E0001 for an unknown symbol, a
/// text that is no number, or a value outside of the symbol's range.
mlir::LogicalResult printPlans(mlir::ModuleOp module, llvm::StringRef dims,
                               llvm::raw_ostream &os);

} // namespace kiln

#endif // KILN_PLANNING_PRINTPLAN_H
