//===- PrecisionReport.h - Chosen precisions --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries that precision passes write, one for each matmul, norm, reduction and cache.
// The file includes no dialect, so that commands that print the report do not depend on
// ops.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_PRECISIONREPORT_H
#define KILN_TRANSFORMS_GRAPH_PRECISIONREPORT_H

#include "kiln/Transforms/Graph/PrecisionPolicy.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiln {

/// Storage of a matmul's weight, and type of the activations that it is multiplied with.
struct StoredWeight {
  std::string weight = {};      ///< "int4", "E2M1", "bf16"; empty: unchanged
  std::string activations = {}; ///< "int8", "fp8", "f32", "tf32", "bf16"
  std::string scales = {};      ///< "bf16", "E8M0", "E4M3", "f32"; empty: no scales
  int64_t bits = 0;             ///< bits per element of the weight
  int64_t block = 0;            ///< block size along K; 0: no blocks
  bool hasZeroPoints = false;

  /// Visits the fields for dialects/Graph/Record.h.
  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    visitor("weight", self.weight);
    visitor("activations", self.activations);
    visitor("scales", self.scales);
    visitor("bits", self.bits);
    visitor("block", self.block);
    visitor("zero_points", self.hasZeroPoints);
  }
};

/// Predicted speedup of matmuls on a target (kiln/Target/ProductModel.h) for one row, as
/// in a decode step, and for 512 rows.
struct PredictedSpeed {
  std::string target;
  double decode = 1, prefill = 1;
};

/// Precision of one matmul, norm, reduction or cache, before and after, with the reason.
struct PrecisionEntry {
  static constexpr llvm::StringLiteral kCache = "cache";
  std::string op;          ///< "matmul", or kCache
  std::string node;        ///< the original ONNX node
  std::string was, became; ///< "f32", "bf16"; equal if unchanged
  std::string why;
  /// Bytes of the weight with its scales and zero points; 0: unchanged.
  uint64_t bytesBefore = 0, bytesAfter = 0;
  int64_t k = 0, columns = 0; ///< extents of the weight; 0 if there is none or it is not
                              ///< a matrix
  StoredWeight stored = {};
  std::optional<ActivationRange> range = {}; ///< of activations with a static scale
  /// Matmul under whose name the error of the quantized weight is measured, if it is not
  /// `node`: the first that reads this weight. Empty if the model quantizes it or it is
  /// not quantized.
  std::string measuredAs = {};
  /// MatMulNBits: the minimum accuracy level of activations that the model requests.
  std::optional<int64_t> accuracyLevel = {};
  /// MatMulNBits with a dequantized weight: the storage that accuracy level 4 would
  /// allow, and its bytes.
  StoredWeight atLevel4 = {};
  uint64_t bytesAtLevel4 = 0;
  std::vector<PredictedSpeed> predicted = {}; ///< set when the targets are known
  std::vector<PredictedSpeed> predictedAtLevel4 = {};

  /// Visits the fields for dialects/Graph/Record.h.
  template <typename Self, typename Visitor>
  static void visit(Self &self, Visitor &visitor) {
    visitor("op", self.op);
    visitor("node", self.node);
    visitor("was", self.was);
    visitor("became", self.became);
    visitor("why", self.why);
    visitor("bytes_before", self.bytesBefore);
    visitor("bytes_after", self.bytesAfter);
    visitor("k", self.k);
    visitor("columns", self.columns);
    visitor("stored", self.stored);
    visitor("range", self.range);
    visitor("measured_as", self.measuredAs);
    visitor("accuracy_level", self.accuracyLevel);
    visitor("at_level_4", self.atLevel4);
    visitor("bytes_at_level_4", self.bytesAtLevel4);
  }
};
using PrecisionReport = std::vector<PrecisionEntry>;

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_PRECISIONREPORT_H
