//===- PrecisionRecord.h - The report on precision --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Pipeline.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_PIPELINE_PRECISIONRECORD_H
#define KILN_LIB_PIPELINE_PRECISIONRECORD_H

#include "kiln/Reference/QuantizationErrors.h"
#include "kiln/Transforms/Graph/PrecisionReport.h"
#include "llvm/Support/JSON.h"

namespace kiln {

/// Fills in by how much each product becomes faster on the targets, and returns the same
/// of all products together.
std::vector<PredictedSpeed> predictSpeeds(PrecisionReport &report,
                                          llvm::ArrayRef<std::string> targets);

/// The report for a package's provenance. `errors` says what codes are off by; null: they
/// have not been computed yet, and the text takes about as much space.
llvm::json::Array precisionJson(const PrecisionReport &report,
                                const reference::QuantizationErrors *errors);
llvm::json::Array predictedJson(llvm::ArrayRef<PredictedSpeed> speeds);

} // namespace kiln

#endif // KILN_LIB_PIPELINE_PRECISIONRECORD_H
