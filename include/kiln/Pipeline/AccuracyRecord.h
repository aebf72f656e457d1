//===- AccuracyRecord.h - What an accuracy budget led to --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_ACCURACYRECORD_H
#define KILN_PIPELINE_ACCURACYRECORD_H

#include "llvm/Support/JSON.h"
#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

/// How `kiln compile --accuracy` judged a model, for the provenance of its package. All
/// numbers are in the metric's unit: the relative increase of the perplexity, the mean
/// cosine, nats, or the largest relative error.
struct AccuracyRecord {
  /// A product, or several that were judged together.
  struct Blame {
    std::vector<std::string> nodes;
    double blame = 0;   ///< the loss that keeping just these in f32 takes away
    uint64_t bytes = 0; ///< that keeping them in f32 adds to the weights
    bool kept = false;  ///< in f32
  };

  std::string budget;   ///< "ppl<=1%"
  std::string metric;   ///< "ppl", "cosine", "kl", "max"
  std::string samples;  ///< "32512 tokens of a text"
  double quantized = 0; ///< with all products quantized
  double measured = 0;  ///< of the package
  /// Metric of the package as predicted from the blames of single products, as if they
  /// added up.
  double predicted = 0;
  /// By blame per byte, the most first; empty if the budget held without repair.
  std::vector<Blame> blames;

  llvm::json::Object toJson() const;
};

} // namespace kiln

#endif // KILN_PIPELINE_ACCURACYRECORD_H
