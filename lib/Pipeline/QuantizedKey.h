//===- QuantizedKey.h - What a quantized weight follows from ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PIPELINE_QUANTIZEDKEY_H
#define KILN_LIB_PIPELINE_QUANTIZEDKEY_H

#include "dialects/Graph/Graph.h"
#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace kiln {

/// The ops of @bake that make the codes of a weight, in their order.
std::vector<mlir::Operation *> quantizersOf(mlir::ModuleOp module,
                                            graph::WeightOp weight);

/// A hash of the ops of @bake that a weight needs and of the bytes that they read,
/// whatever these are called. Empty for a weight that is not quantized: others are copied
/// in less time than it takes to keep them.
std::string quantizedKey(mlir::ModuleOp module, graph::WeightOp weight);

} // namespace kiln

#endif // KILN_LIB_PIPELINE_QUANTIZEDKEY_H
