//===- Weights.h - Weight bytes of packages ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_WEIGHTS_H
#define KILN_PIPELINE_WEIGHTS_H

#include "dialects/Plan/Plan.h"
#include "kiln/Import/Import.h"
#include "kiln/Package/PackageWriter.h"
#include "kiln/Reference/QuantizationErrors.h"
#include "kiln/Reference/Weights.h"
#include "kiln/Support/ByteCache.h"
#include "kiln/Transforms/Graph/PrecisionPolicy.h"

namespace kiln {

/// Makes the source of weights in the model's files and in the blob of weights decoded
/// from text.
std::unique_ptr<reference::WeightSource> makeWeightSource(import::ImportedModel &model);

/// Sources of weights, one per rank of the module, including the matrices and scales of a
/// policy's calibration.
using WeightSources = std::vector<std::unique_ptr<reference::WeightSource>>;
/// errors: accumulates quantization errors.
WeightSources makeWeightSources(import::ImportedModel &model,
                                const PrecisionPolicy &policy,
                                reference::QuantizationErrors *errors);

/// Sets kBoundsAttr, the smallest and the largest element, on integer weights such as
/// buffers of positions. Skips large weights and those that cannot be read, which is
/// reported when they are needed.
void writeWeightBounds(import::ImportedModel &model);

/// Returns the weights of all plans in the order of their offsets, with one entry per
/// part of weights that ranks divide. When the writer asks for a weight, it is mapped or
/// computed blockwise (bake) by the context's threads. `cache` (null: none) keeps
/// quantized weights of one rank with their errors. `errors` accumulates quantization
/// errors.
std::vector<package::Weight> listWeights(mlir::ModuleOp module,
                                         const WeightSources &sources,
                                         reference::QuantizationErrors &errors,
                                         ByteCache *cache = nullptr);

} // namespace kiln

#endif // KILN_PIPELINE_WEIGHTS_H
