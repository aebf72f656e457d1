//===- Weights.h - The bytes of a package's weights -------------*- C++ -*-===//
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

/// Where a compile finds weight bytes: the model's files and the blob of weights that
/// were decoded from text.
std::unique_ptr<reference::WeightSource> makeWeightSource(import::ImportedModel &model);

/// Sources of weights, one per rank of the module, which also have the matrices and
/// scales that calibration gave `policy`.
using WeightSources = std::vector<std::unique_ptr<reference::WeightSource>>;
/// `errors` gets what codes of weights are off by.
WeightSources makeWeightSources(import::ImportedModel &model,
                                const PrecisionPolicy &policy,
                                reference::QuantizationErrors *errors);

/// Writes beside each weight of integers what its smallest and its largest number are
/// (kBoundsAttr), as of buffers of positions. Not beside large ones, nor where it cannot
/// be read, which is reported when it is needed.
void writeWeightBounds(import::ImportedModel &model);

/// The weights of all plans in the order of their offsets. Each is computed (bake) by the
/// context's threads or mapped when the writer asks for it, block by block. Of weights
/// that ranks divide there is an entry for each part. `cache` (null: none) keeps those
/// that are quantized, for one rank, and what their codes are off by, which goes to
/// `errors`.
std::vector<package::Weight> listWeights(mlir::ModuleOp module,
                                         const WeightSources &sources,
                                         reference::QuantizationErrors &errors,
                                         ByteCache *cache = nullptr);

} // namespace kiln

#endif // KILN_PIPELINE_WEIGHTS_H
