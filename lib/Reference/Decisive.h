//===- Decisive.h - Floats that become whole numbers ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a float is truncated or rounded to a whole number, a last bit decides between
// two results. T5 counts its buckets of positions as int(log(x / 8) / log(16) * 8), which
// is 2 for x = 16 if every op rounds to f32, and 1 if none does. What leads to such a
// place is therefore computed as the model's types say, even by the reference, which
// computes everything else in f64. Rounding to a float of 8 bits and fewer is such a
// place too.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_REFERENCE_DECISIVE_H
#define KILN_LIB_REFERENCE_DECISIVE_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseSet.h"

namespace kiln::reference {

/// The ops of `block`, and of kernels in it, that work on elements one by one or move
/// them, and whose results end in a cast to integers or to narrow floats, a floor, a
/// ceiling or a rounding.
llvm::DenseSet<mlir::Operation *> decisiveOps(mlir::Block &block);

} // namespace kiln::reference

#endif // KILN_LIB_REFERENCE_DECISIVE_H
