//===- PrecisionRecord.cpp - Report on precision --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrecisionRecord.h"
#include "kiln/Target/ProductModel.h"
#include "kiln/Target/TargetInfo.h"

#include <cmath>
#include <map>
#include <optional>

using namespace kiln;

static constexpr int64_t kDecodeRows = 1, kPrefillRows = 512;

//===----------------------------------------------------------------------===//
// Predictions
//===----------------------------------------------------------------------===//

static bool isHalf(const std::string &type) { return type == "f16" || type == "bf16"; }

/// Whether activations are multiplied as 8-bit integers; E2M1 is stored as twice its
/// value.
static bool isCode(const std::string &activations) {
  return activations == "int8" || activations == "nvfp4" || activations == "mxfp4";
}

/// Whether the weight is quantized in blocks.
static bool hasCodes(const StoredWeight &stored) {
  return isCode(stored.activations) ||
         (isHalf(stored.activations) && !stored.scales.empty());
}

/// Returns the GEMM without lowering: in f32, with the weight as the model stores it.
static WeightProduct before(const PrecisionEntry &entry) {
  WeightProduct product{ProductKind::f32, entry.k, entry.columns, 0};
  product.weightBytes = 4 * uint64_t(entry.k) * entry.columns;
  // A weight that the model quantizes would be dequantized to f32.
  bool isGiven = hasCodes(entry.stored) && entry.measuredAs.empty();
  if (!isGiven && entry.bytesBefore)
    product.weightBytes = std::min(product.weightBytes, entry.bytesBefore);
  if (2 * product.weightBytes == 4 * uint64_t(entry.k) * entry.columns)
    product.kind = ProductKind::half;
  return product;
}

static ProductKind kindOf(const StoredWeight &stored) {
  if (isCode(stored.activations))
    return ProductKind::codes;
  if (stored.activations == "fp8")
    return ProductKind::float8Both;
  if (hasCodes(stored))
    return ProductKind::halfCodes;
  if (stored.bits == 8)
    return ProductKind::float8;
  return stored.bits == 16 ? ProductKind::half : ProductKind::tf32;
}

static WeightProduct after(const PrecisionEntry &entry, const StoredWeight &stored,
                           uint64_t bytes) {
  if (stored.weight.empty())
    return before(entry);
  return {kindOf(stored), entry.k, entry.columns, bytes, stored.bits, stored.block};
}

namespace {
/// Cycles of one matmul, or of all, for 1 and for 512 rows.
struct Cycles {
  double decode = 0, prefill = 0;
  static Cycles of(const TargetInfo &target, const WeightProduct &product) {
    return {predictCycles(target, product, kDecodeRows),
            predictCycles(target, product, kPrefillRows)};
  }
  Cycles &operator+=(const Cycles &other) {
    decode += other.decode;
    prefill += other.prefill;
    return *this;
  }
};
} // namespace

static PredictedSpeed speedOf(const std::string &target, const Cycles &was,
                              const Cycles &is) {
  // Rounds to three digits, beyond the accuracy of a roofline.
  auto quotient = [](double was, double is) {
    return is > 0 ? std::round(was / is * 1000) / 1000 : 1;
  };
  return {target, quotient(was.decode, is.decode), quotient(was.prefill, is.prefill)};
}

std::vector<PredictedSpeed> kiln::predictSpeeds(PrecisionReport &report,
                                                llvm::ArrayRef<std::string> targets) {
  std::vector<PredictedSpeed> all;
  for (const std::string &name : targets) {
    std::optional<TargetInfo> target = TargetInfo::find(name);
    if (!target)
      continue;
    Cycles was, is;
    for (PrecisionEntry &entry : report) {
      if (entry.k == 0 || entry.columns == 0)
        continue;
      Cycles own = Cycles::of(*target, before(entry));
      Cycles lowered = Cycles::of(*target, after(entry, entry.stored, entry.bytesAfter));
      was += own;
      is += lowered;
      if (!entry.stored.weight.empty())
        entry.predicted.push_back(speedOf(name, own, lowered));
      if (entry.bytesAtLevel4)
        entry.predictedAtLevel4.push_back(speedOf(
            name, own,
            Cycles::of(*target, after(entry, entry.atLevel4, entry.bytesAtLevel4))));
    }
    if (was.decode > 0)
      all.push_back(speedOf(name, was, is));
  }
  return all;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

llvm::json::Array kiln::predictedJson(llvm::ArrayRef<PredictedSpeed> speeds) {
  llvm::json::Array array;
  for (const PredictedSpeed &speed : speeds)
    array.push_back(llvm::json::Object{
        {"target", speed.target}, {"decode", speed.decode}, {"prefill", speed.prefill}});
  return array;
}

static llvm::json::Object storedJson(const StoredWeight &stored) {
  llvm::json::Object object{{"weight", stored.weight},
                            {"activations", stored.activations}};
  if (stored.scales.empty())
    return object;
  object["scales"] = stored.scales;
  object["block"] = stored.block;
  object["zero_points"] = stored.hasZeroPoints;
  return object;
}

/// Returns the error rounded to seven decimals, so that the text has about the same
/// length as without a measurement.
static std::optional<double>
measuredError(const PrecisionEntry &entry,
              const std::map<std::string, reference::SquaredError> &errors) {
  auto found = errors.find(entry.node);
  if (found == errors.end())
    found = errors.find(entry.measuredAs);
  if (found == errors.end())
    return std::nullopt;
  return std::round(found->second.relative() * 1e7) / 1e7;
}

llvm::json::Array kiln::precisionJson(const PrecisionReport &report,
                                      const reference::QuantizationErrors *errors) {
  std::map<std::string, reference::SquaredError> measured;
  if (errors)
    measured = errors->byProduct();
  llvm::json::Array array;
  for (const PrecisionEntry &entry : report) {
    llvm::json::Object object{{"op", entry.op},
                              {"node", entry.node},
                              {"was", entry.was},
                              {"became", entry.became},
                              {"why", entry.why},
                              {"weight_bytes_before", entry.bytesBefore},
                              {"weight_bytes_after", entry.bytesAfter}};
    if (!entry.stored.weight.empty())
      object["stored"] = storedJson(entry.stored);
    if (entry.range)
      object["activation_range"] =
          llvm::json::Object{{"limit", entry.range->limit},
                             {"values", entry.range->values},
                             {"saturated", entry.range->saturated}};
    if (!entry.predicted.empty())
      object["predicted_speedup"] = predictedJson(entry.predicted);
    if (entry.accuracyLevel)
      object["accuracy_level"] = *entry.accuracyLevel;
    if (entry.accuracyLevel && entry.stored.weight.empty())
      object["weight_bytes_expanded"] = 4 * uint64_t(entry.k) * entry.columns;
    if (entry.bytesAtLevel4) {
      object["weight_bytes_at_level_4"] = entry.bytesAtLevel4;
      object["predicted_speedup_at_level_4"] = predictedJson(entry.predictedAtLevel4);
    }
    if (!entry.measuredAs.empty())
      if (auto error = errors ? measuredError(entry, measured) : std::optional(1.0))
        object["weight_error"] = *error;
    array.push_back(std::move(object));
  }
  return array;
}
