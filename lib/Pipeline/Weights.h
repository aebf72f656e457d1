//===- Weights.h - The bytes of a package's weights -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_WEIGHTS_H
#define KILN_PIPELINE_WEIGHTS_H

#include "dialects/Graph/SymbolBounds.h"
#include "dialects/Plan/Plan.h"
#include "kiln/Import/Import.h"
#include "kiln/Package/PackageWriter.h"
#include "kiln/Reference/Weights.h"

namespace kiln {

/// Where a compile finds weight bytes: the model's files, and the blob of
/// weights that were decoded from text.
std::unique_ptr<reference::WeightSource> makeWeightSource(import::ImportedModel &model);

/// The smallest and the largest number of a weight of integers; nullopt for others, for
/// large ones, and where it cannot be read, which is found when it is written.
std::optional<graph::Bounds> findWeightBounds(import::ImportedModel &model,
                                              graph::GetWeightOp weight);

/// The weights of a plan in the order of their offsets. Each is computed (bake)
/// or mapped when the writer asks for it and forgotten afterwards.
std::vector<package::Weight> listWeights(mlir::ModuleOp module, plan::ProgramOp program,
                                         reference::WeightSource &source);

} // namespace kiln

#endif // KILN_PIPELINE_WEIGHTS_H
