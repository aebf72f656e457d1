//===- PrecisionRecord.h - Report on precision ------------------*- C++ -*-===//
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

/// Sets the predicted speedup of each matmul on the targets, and returns that of all
/// matmuls together.
std::vector<PredictedSpeed> predictSpeeds(PrecisionReport &report,
                                          llvm::ArrayRef<std::string> targets);

/// Makes the report for a package's provenance. `errors`: measured errors of quantized
/// weights; null: not measured yet, and the text has about the same length.
llvm::json::Array precisionJson(const PrecisionReport &report,
                                const reference::QuantizationErrors *errors);
llvm::json::Array predictedJson(llvm::ArrayRef<PredictedSpeed> speeds);

} // namespace kiln

#endif // KILN_LIB_PIPELINE_PRECISIONRECORD_H
