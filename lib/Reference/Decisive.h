//===- Decisive.h - Floats that become integers -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If a float is truncated or rounded to an integer, its last bit decides between two
// results. T5 computes its position buckets as int(log(x / 8) / log(16) * 8), which is 2
// for x = 16 if every op rounds to f32, and 1 if none does. Operands of such ops are
// therefore computed in the model's types even by the reference, which computes
// everything else in f64. Rounding to a float of 8 bits or fewer is treated in the same
// way.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_REFERENCE_DECISIVE_H
#define KILN_LIB_REFERENCE_DECISIVE_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseSet.h"

namespace kiln::reference {

/// Returns the ops of `block`, and of kernels in it, that are elementwise or move
/// elements and whose results lead to a cast to integers or narrow floats, a floor, a
/// ceil or a round.
llvm::DenseSet<mlir::Operation *> decisiveOps(mlir::Block &block);

} // namespace kiln::reference

#endif // KILN_LIB_REFERENCE_DECISIVE_H
