//===- PrecisionReport.h - Precisions that were chosen ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entries that the passes of precision write, one for each matmul, norm,
// reduction and cache. No header of a dialect: commands that print the report
// do not depend on ops.
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

/// Storage of a matmul's weight, and the type of the activations it is multiplied by.
struct StoredWeight {
  std::string weight = {};      ///< "int4", "E2M1", "bf16"; empty: as it was
  std::string activations = {}; ///< "int8", "fp8", "f32", "tf32", "bf16"
  std::string scales = {};      ///< "bf16", "E8M0", "E4M3", "f32"; empty: there are none
  int64_t bits = 0;             ///< of a weight without scales
  int64_t block = 0;            ///< steps of K that have a scale; 0: all
  bool hasZeroPoints = false;

  /// The fields, as dialects/Graph/Record.h reads and writes them.
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

/// Factor by which the cost model says that matmuls become faster on a target
/// (kiln/Target/ProductModel.h): one row, as in a decode step, and 512.
struct PredictedSpeed {
  std::string target;
  double decode = 1, prefill = 1;
};

/// Precision of one matmul, norm, reduction or cache, before and after, and why.
struct PrecisionEntry {
  static constexpr llvm::StringLiteral kCache = "cache";
  std::string op;          ///< "matmul", or kCache
  std::string node;        ///< the ONNX node it is from
  std::string was, became; ///< "f32", "bf16"; equal: it was left
  std::string why;
  /// Bytes of the weight with its scales and zero points; 0: it is as it was.
  uint64_t bytesBefore = 0, bytesAfter = 0;
  int64_t k = 0, columns = 0; ///< of the weight; 0: it has none, or no matrix
  StoredWeight stored = {};
  std::optional<ActivationRange> range = {}; ///< of activations with a static scale
  /// The matmul under whose name the error of the quantized weight is measured, if it is
  /// not `node`: the first that reads this weight. Empty: the model has it quantized, or
  /// it is not.
  std::string measuredAs = {};
  /// MatMulNBits: the minimum accuracy of activations that the model asks for.
  std::optional<int64_t> accuracyLevel = {};
  /// MatMulNBits with an expanded weight: how level 4 would store it, and its bytes.
  StoredWeight atLevel4 = {};
  uint64_t bytesAtLevel4 = 0;
  std::vector<PredictedSpeed> predicted = {}; ///< filled when targets are known
  std::vector<PredictedSpeed> predictedAtLevel4 = {};

  /// The fields, as dialects/Graph/Record.h reads and writes them.
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
