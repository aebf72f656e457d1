//===- PrecisionPolicy.h - What products are computed in --------*- C++ -*-===//
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

/// How scales of a weight are written.
enum class WeightScales : uint8_t {
  BF16,      ///< one per block, beside a zero point
  E4M3,      ///< one of f8E4M3FN per block, times a number of f32 per weight
  E8M0,      ///< one of f8E8M0FNU per block: a power of two
  PerTensor, ///< one of f32 for the whole weight
};

/// A row of the table of formats that weights are quantized to: the name that
/// --precision has for one, its numbers and its scales.
struct WeightFormat {
  llvm::StringLiteral name;
  int64_t bits;              ///< in memory, of one number
  const FloatFormat *number; ///< null: an integer with a zero point
  WeightScales scales;
  int64_t block; ///< steps of K that have a scale, if they divide K; 0: PerTensor
  llvm::StringLiteral text; ///< how a report says it
  /// Where `block` does not divide K, its half is tried, down to these; 0: only `block`.
  int64_t minBlock = 0;

  /// Whether codes are integers with a zero point.
  bool hasZeros() const { return !number; }
  /// Whether weights are bytes of f8E4M3FN: no codes are looked up, and activations of
  /// f32 or f8E4M3FN are multiplied by the numbers themselves. f6E3M2FN is stored as
  /// those numbers of f8E4M3FN that it has.
  bool isStoredAsFloat8() const;
  /// Returns the size of the blocks of a weight with `k` steps of K; 0 if none divides K.
  int64_t blockFor(int64_t k) const;
  /// Returns the format of a weight in blocks of `block` steps of K; `block` is ignored
  /// where the format has none.
  graph::FormatAttr get(mlir::MLIRContext *context, int64_t block) const;
};
/// All rows, in the order of their precision.
llvm::ArrayRef<WeightFormat> getWeightFormats();
/// Null if no format has this name.
const WeightFormat *findWeightFormat(llvm::StringRef name);

/// Precision of the matmuls of some nodes.
struct PrecisionRule {
  std::string nodes; ///< a glob over names of ONNX nodes
  std::string precision;
};

/// Precision of each matmul: that of the first rule whose nodes it is from, else
/// `precision`. Names are those of `kiln compile --precision`.
struct PrecisionPolicy {
  std::string precision = "f32";
  std::vector<PrecisionRule> rules = {};
  /// Format of caches that attention reads: "int8" or "fp8"; empty: the precision of
  /// matmuls.
  std::string cache = {};
  /// How weights become codes: "rtn" (to nearest), "mse" (to nearest, ranges with the
  /// smallest squared error), "gptq", "awq" or "smoothquant"; these three have a
  /// calibration.
  std::string algorithm = "rtn";
  std::shared_ptr<const Calibration> calibration = {};
  /// Type of the activations that quantized weights are multiplied with.
  ///   "bf16", "f16": also the type of matmuls whose weights are not quantized.
  ///   "fp8": for weights stored as f8E4M3FN and of mxfp4; "fp8-fast": with accumulators
  ///   that
  ///     stay in tensor cores.
  ///   "nvfp4", "mxfp4": for weights of that format; f4E2M1FN in blocks as the weight's.
  ///   empty: f32 for weights stored as f8E4M3FN, codes of 8 bits for all others.
  std::string activations = {};
  /// Activations that become codes of 8 bits or f8E4M3FN have one scale, a constant that
  /// follows from samples by this RangeMethod; empty: scales are found in every run.
  std::string range = {};
  std::shared_ptr<const ActivationRanges> ranges = {}; ///< what was found; null: nothing
  /// Calibration: the inputs of matmuls are computed, too, and no precision is lowered.
  std::optional<Observation> observation = {};

  /// The options of a pass, rules as "glob=precision".
  static PrecisionPolicy fromOptions(llvm::StringRef precision,
                                     llvm::ArrayRef<std::string> rules);
  std::vector<std::string> ruleOptions() const;
  /// "f32, tf32, bf16, f16, int8, ...", for good: descriptions of options point to it.
  static const std::string &names();
  /// True if weights of some products get a WeightFormat.
  bool quantizes() const;
  bool hasFourBits() const;
  /// True if activations are rounded to f8E4M3FN, and if their sums stay in tensor cores.
  bool hasFloat8Activations() const;
  bool hasFastSums() const { return activations == "fp8-fast"; }
  /// True if activations are rounded to f4E2M1FN.
  bool hasFloat4Activations() const;
  /// True if the algorithm looks at samples.
  bool calibrates() const;
  /// True if an algorithm chooses codes of some weights; else they are rounded to
  /// nearest.
  bool choosesCodes() const;
  /// Checks that activations are quantized if there is a static range, and that the
  /// algorithm does not change the activations whose range is found. Errors: KILN-E0001.
  llvm::Error checkRange() const;
  /// The type of floats beside f32 that some products get: "tf32", "bf16", "f16"; else
  /// empty.
  llvm::StringRef floatType() const;
  /// Returns the policy of matmuls whose weights are not quantized where `activations`
  /// names the type they multiply: f32 stays, everything else becomes that type.
  PrecisionPolicy ofOthers() const;
  /// From JSON, {"precision": "int4", "cache": "int8", "activations": "bf16", "range":
  /// "mse",
  /// "rules": [{"nodes": "/head/*", "precision": "f32"}]}.
  static llvm::Expected<PrecisionPolicy> parse(llvm::StringRef path,
                                               llvm::StringRef json);
  /// An unknown name or algorithm, a glob that is none, or formats that cannot stand side
  /// by side.
  llvm::Error check() const;

private:
  /// True if activations have a type of 16 bits.
  bool hasHalfActivations() const;
  llvm::Error checkActivations() const;
};

/// The ONNX nodes that a location names.
std::vector<std::string> nodeNames(mlir::Location loc);

/// Applies a policy to products, and remembers which rules named one.
class PolicyReader {
public:
  explicit PolicyReader(const PrecisionPolicy &policy);
  /// By the names in a location. A product that was merged from several nodes gets the
  /// precision of the most bits among theirs.
  llvm::StringRef precisionOf(mlir::Location loc);
  /// Reports the first rule that named nothing; `loc` is the function's.
  mlir::LogicalResult checkUsed(mlir::Location loc) const;

private:
  llvm::StringRef precisionOf(llvm::StringRef node);

  const PrecisionPolicy &policy;
  std::vector<bool> used;
  std::vector<std::string> seen; ///< names of products
};

} // namespace kiln

#endif // KILN_TRANSFORMS_GRAPH_PRECISIONPOLICY_H
