//===- AccuracyRecord.h - Result of an accuracy budget ----------*- C++ -*-===//
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

/// Result of `kiln compile --accuracy`, for the provenance of the package. All numbers
/// are in the metric's unit: the relative increase of the perplexity, the mean cosine,
/// nats, or the largest relative error.
struct AccuracyRecord {
  /// A matmul, or several that were measured together.
  struct Blame {
    std::vector<std::string> nodes;
    double blame = 0;   ///< the loss that keeping just these in f32 takes away
    uint64_t bytes = 0; ///< that keeping them in f32 adds to the weights
    bool kept = false;  ///< in f32

    /// The fields, as dialects/Graph/Record.h reads and writes them.
    template <typename Self, typename Visitor>
    static void visit(Self &self, Visitor &visitor) {
      visitor("nodes", self.nodes);
      visitor("blame", self.blame);
      visitor("bytes", self.bytes);
      visitor("kept", self.kept);
    }
  };

  std::string budget;   ///< "ppl<=1%"
  std::string metric;   ///< "ppl", "cosine", "kl", "max"
  std::string samples;  ///< "32512 tokens of a text"
  double quantized = 0; ///< with all matmuls quantized
  double measured = 0;  ///< for the package
  /// Metric that is predicted for the package by adding up the blames of single matmuls.
  double predicted = 0;
  /// In descending order of blame per byte; empty if the budget held without repair.
  std::vector<Blame> blames;

  llvm::json::Object toJson() const;

  /// The fields, as dialects/Graph/Record.h reads and writes them.
  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    visitor("budget", self.budget);
    visitor("metric", self.metric);
    visitor("samples", self.samples);
    visitor("quantized", self.quantized);
    visitor("measured", self.measured);
    visitor("predicted", self.predicted);
    visitor("blames", self.blames);
  }
};

} // namespace kiln

#endif // KILN_PIPELINE_ACCURACYRECORD_H
