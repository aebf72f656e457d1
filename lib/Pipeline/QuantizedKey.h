//===- QuantizedKey.h - Cache keys of quantized weights ---------*- C++ -*-===//
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

/// Returns the ops of @bake that quantize a weight, in order.
std::vector<mlir::Operation *> quantizersOf(mlir::ModuleOp module,
                                            graph::WeightOp weight);

/// Returns a hash of the ops of @bake that a weight needs and of the bytes that they
/// read, independent of names. Empty for a weight that is not quantized: copying such a
/// weight is faster than caching it.
std::string quantizedKey(mlir::ModuleOp module, graph::WeightOp weight);

} // namespace kiln

#endif // KILN_LIB_PIPELINE_QUANTIZEDKEY_H
