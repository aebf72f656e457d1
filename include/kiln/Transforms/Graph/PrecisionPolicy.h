//===- PrecisionPolicy.h - Precision of matmuls -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_PRECISIONPOLICY_H
#define KILN_TRANSFORMS_GRAPH_PRECISIONPOLICY_H

#include "kiln/Transforms/Graph/Calibration.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace kiln {

struct FloatFormat;
namespace graph {
class FormatAttr;
}

/// Type and granularity of a weight's scales.
enum class WeightScales : uint8_t {
  BF16,      ///< one per block, with a zero point
  E4M3,      ///< f8E4M3FN per block, times one f32 factor per weight
  E8M0,      ///< f8E8M0FNU per block: a power of two
  PerTensor, ///< one f32 scale for the entire weight
};

/// A row of the table of formats of quantized weights: the name in --precision, the
/// element type and the scales.
struct WeightFormat {
  llvm::StringLiteral name;
  int64_t bits;              ///< stored bits per element
  const FloatFormat *number; ///< null: integers with a zero point
  WeightScales scales;
  int64_t block; ///< block size along K, if it divides K; 0: PerTensor
  llvm::StringLiteral text; ///< name in reports
  /// If `block` does not divide K, halves of it down to this one are tried; 0: only
  /// `block`.
  int64_t minBlock = 0;

  /// Whether elements are integers with a zero point.
  bool hasZeros() const { return !number; }
  /// Whether weights are stored as f8E4M3FN: no lookup is needed, and activations of f32
  /// or f8E4M3FN are multiplied by the elements themselves. f6E3M2FN is stored as the
  /// equal values of f8E4M3FN.
  bool isStoredAsFloat8() const;
  /// Returns the block size of a weight with extent `k`; 0 if none divides K.
  int64_t blockFor(int64_t k) const;
  /// Returns the format of a weight with blocks of `block` steps of K; `block` is ignored
  /// if the format has no blocks.
  graph::FormatAttr get(mlir::MLIRContext *context, int64_t block) const;
};
/// Returns all rows, ordered by precision.
llvm::ArrayRef<WeightFormat> getWeightFormats();
/// Returns the format with this name; null if there is none.
const WeightFormat *findWeightFormat(llvm::StringRef name);

/// Precision of the matmuls of some nodes.
struct PrecisionRule {
  std::string nodes; ///< a glob over names of ONNX nodes
  std::string precision;
};

/// Precision of matmuls: a matmul has that of the first rule that matches its node, else
/// `precision`. Names are those of `kiln compile --precision`.
struct PrecisionPolicy {
  std::string precision = "f32";
  std::vector<PrecisionRule> rules = {};
  /// Format of the caches that attention reads: "int8" or "fp8"; empty: precision of
  /// matmuls.
  std::string cache = {};
  /// Algorithm that quantizes weights: "rtn" (round to nearest), "mse" (round to nearest,
  /// ranges with the smallest squared error), "gptq", "awq" or "smoothquant"; the last
  /// three need a calibration.
  std::string algorithm = "rtn";
  std::shared_ptr<const Calibration> calibration = {};
  /// Type of the activations that quantized weights are multiplied with.
  ///   "bf16", "f16": also the type of matmuls whose weights are not quantized.
  ///   "fp8": for weights stored as f8E4M3FN and mxfp4; "fp8-fast": the same, accumulated
  ///   entirely in tensor cores.
  ///   "nvfp4", "mxfp4": for weights of that format; f4E2M1FN with blocks like the
  ///   weight's.
  ///   empty: f32 for weights stored as f8E4M3FN, 8-bit integers for all others.
  std::string activations = {};
  /// RangeMethod by which samples determine one constant scale of activations in 8-bit
  /// integers or f8E4M3FN; empty: scales are computed in every run.
  std::string range = {};
  std::shared_ptr<const ActivationRanges> ranges = {}; ///< ranges found with samples;
                                                       ///< null: none
  /// Calibration: the inputs of matmuls become outputs, and no precision is lowered.
  std::optional<Observation> observation = {};

  /// Makes a policy from a pass's options, with rules as "glob=precision".
  static PrecisionPolicy fromOptions(llvm::StringRef precision,
                                     llvm::ArrayRef<std::string> rules);
  std::vector<std::string> ruleOptions() const;
  /// Returns "f32, tf32, bf16, f16, int8, ...", a string with static lifetime:
  /// descriptions of options refer to it.
  static const std::string &names();
  /// True if some weights of matmuls are quantized to a WeightFormat.
  bool quantizes() const;
  bool hasFourBits() const;
  /// True if activations are rounded to f8E4M3FN, and if tensor cores accumulate them.
  bool hasFloat8Activations() const;
  bool hasFastSums() const { return activations == "fp8-fast"; }
  /// True if activations are rounded to f4E2M1FN.
  bool hasFloat4Activations() const;
  /// True if the algorithm needs samples.
  bool calibrates() const;
  /// True if an algorithm other than rounding to nearest quantizes some weights.
  bool choosesCodes() const;
  /// Checks that activations are quantized if there is a static range, and that the
  /// algorithm does not change activations that have a static range. Errors: KILN-E0001.
  llvm::Error checkRange() const;
  /// Returns the float type other than f32 that some matmuls get: "tf32", "bf16", "f16";
  /// else empty.
  llvm::StringRef floatType() const;
  /// Returns the policy of matmuls with unquantized weights if `activations` names a
  /// type: f32 stays, everything else becomes that type.
  PrecisionPolicy ofOthers() const;
  /// Parses JSON such as {"precision": "int4", "cache": "int8", "activations": "bf16",
  /// "range": "mse", "rules": [{"nodes": "/head/*", "precision": "f32"}]}.
  static llvm::Expected<PrecisionPolicy> parse(llvm::StringRef path,
                                               llvm::StringRef json);
  /// Reports unknown names or algorithms, invalid globs, and incompatible formats.
  llvm::Error check() const;

private:
  /// True if activations have a 16-bit type.
  bool hasHalfActivations() const;
  llvm::Error checkActivations() const;
};

/// Returns the ONNX nodes that a location names.
std::vector<std::string> nodeNames(mlir::Location loc);

/// Applies a policy to matmuls, and tracks which rules matched one.
class PolicyReader {
public:
  explicit PolicyReader(const PrecisionPolicy &policy);
  /// Returns the precision for the nodes in a location. A matmul that was merged from
  /// several nodes gets their highest precision.
  llvm::StringRef precisionOf(mlir::Location loc);
  /// Reports the first rule that matched nothing; `loc` is the function's location.
  mlir::LogicalResult checkUsed(mlir::Location loc) const;

private:
  llvm::StringRef precisionOf(llvm::StringRef node);

  const PrecisionPolicy &policy;
  std::vector<bool> used;
  std::vector<std::string> seen; ///< names of matmuls
};

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_PRECISIONPOLICY_H
