//===- PrecisionPolicy.cpp - Precision of matmuls -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Transforms/Graph/PrecisionPolicy.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Types/FloatFormat.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/NameList.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/JSON.h"

using namespace kiln;
using namespace mlir;

static constexpr StringLiteral kPlace = "--precision";
/// Precisions that are not weight formats, from the highest to the lowest.
static constexpr StringLiteral kTypes[] = {"f32", "tf32", "bf16", "f16"};

/// Algorithms that need samples.
static constexpr StringLiteral kCalibrated[] = {"gptq", "awq", "smoothquant"};

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

static constexpr double kDefaultPercentile = 99.99;

llvm::Expected<RangeMethod> RangeMethod::parse(StringRef text) {
  auto [name, number] = text.split(':');
  bool hasNumber = text.contains(':');
  if (name == "percentile") {
    RangeMethod method{Percentile, kDefaultPercentile};
    if (hasNumber && (number.getAsDouble(method.percentile) || method.percentile < 50 ||
                      method.percentile > 100))
      return makeError({ErrorCode::BadUsage, "--range", "is not a percentile",
                        "a number from 50 to 100", "'" + number.str() + "'",
                        "write for example percentile:99.9"});
    return method;
  }
  if (!hasNumber)
    for (auto [known, kind] : {std::pair("max", Max), {"mse", Mse}, {"entropy", Entropy}})
      if (name == known)
        return RangeMethod{kind};
  return makeError({ErrorCode::BadUsage, "--range", "no range has this name",
                    "max, percentile, percentile:P, mse or entropy", text.str(),
                    "choose one of these, or leave --range out: scales are found in "
                    "every run"});
}

//===----------------------------------------------------------------------===//
// Weight formats
//===----------------------------------------------------------------------===//

/// From the highest precision to the lowest: a matmul with several formats gets the
/// first.
static constexpr WeightFormat kFormats[] = {
    {"int8", 8, nullptr, WeightScales::BF16, 128,
     "integers of 8 bits in blocks of up to 128, scales of bf16", 32},
    {"mxfp8", 8, &kF8E4M3FN, WeightScales::E8M0, 32,
     "E4M3 in blocks of 32, scales of E8M0"},
    {"fp8", 8, &kF8E4M3FN, WeightScales::PerTensor, 0, "E4M3 with a scale per weight"},
    {"mxfp6", 8, &kF6E2M3FN, WeightScales::E8M0, 32,
     "E2M3 in blocks of 32, scales of E8M0"},
    {"mxfp6_e3m2", 8, &kF6E3M2FN, WeightScales::E8M0, 32,
     "E3M2 in blocks of 32, scales of E8M0"},
    {"int4", 4, nullptr, WeightScales::BF16, 32,
     "integers of 4 bits in blocks of 32, scales of bf16"},
    {"nvfp4", 4, &kF4E2M1FN, WeightScales::E4M3, 16,
     "E2M1 in blocks of 16, scales of E4M3"},
    {"mxfp4", 4, &kF4E2M1FN, WeightScales::E8M0, 32,
     "E2M1 in blocks of 32, scales of E8M0"},
};

bool WeightFormat::isStoredAsFloat8() const {
  return number == &kF8E4M3FN || number == &kF6E3M2FN;
}

graph::FormatAttr WeightFormat::get(MLIRContext *context, int64_t block) const {
  Type element = number ? floatTypeOf(*number, context)
                        : Type(IntegerType::get(context, bits, IntegerType::Unsigned));
  Type f32 = Float32Type::get(context);
  switch (scales) {
  case WeightScales::PerTensor:
    return graph::FormatAttr::get(context, element).withPerTensor(f32);
  case WeightScales::BF16:
    return graph::FormatAttr::get(context, element, block, BFloat16Type::get(context),
                                  hasZeros());
  case WeightScales::E8M0:
    return graph::FormatAttr::get(context, element, block,
                                  Float8E8M0FNUType::get(context));
  case WeightScales::E4M3:
    return graph::FormatAttr::get(context, element, block, Float8E4M3FNType::get(context))
        .withPerTensor(f32);
  }
  llvm_unreachable("a format of weights has scales");
}

ArrayRef<WeightFormat> kiln::getWeightFormats() { return kFormats; }

int64_t WeightFormat::blockFor(int64_t k) const {
  int64_t smallest = minBlock > 0 ? minBlock : block;
  for (int64_t own = block; k > 0 && own > 0 && own >= smallest; own /= 2)
    if (k % own == 0)
      return own;
  return 0;
}

const WeightFormat *kiln::findWeightFormat(StringRef name) {
  const auto *format = llvm::find_if(
      kFormats, [&](const WeightFormat &format) { return format.name == name; });
  return format == std::end(kFormats) ? nullptr : format;
}

//===----------------------------------------------------------------------===//
// The policy
//===----------------------------------------------------------------------===//

static std::string joinNames() {
  SmallVector<StringRef> all(std::begin(kTypes), std::end(kTypes));
  for (const WeightFormat &format : kFormats)
    all.push_back(format.name);
  std::string last = all.pop_back_val().str();
  return llvm::join(all, ", ") + " or " + last;
}

const std::string &PrecisionPolicy::names() {
  static const std::string names = joinNames();
  return names;
}

PrecisionPolicy PrecisionPolicy::fromOptions(StringRef precision,
                                             ArrayRef<std::string> rules) {
  PrecisionPolicy policy{precision.str()};
  for (StringRef rule : rules) {
    auto [nodes, own] = rule.rsplit('=');
    policy.rules.push_back({nodes.str(), own.str()});
  }
  return policy;
}

std::vector<std::string> PrecisionPolicy::ruleOptions() const {
  std::vector<std::string> options;
  for (const PrecisionRule &rule : rules)
    options.push_back(rule.nodes + '=' + rule.precision);
  return options;
}

static bool isName(StringRef precision) {
  return llvm::is_contained(kTypes, precision) || findWeightFormat(precision);
}

bool PrecisionPolicy::quantizes() const {
  return findWeightFormat(precision) ||
         llvm::any_of(rules, [](const PrecisionRule &rule) {
           return findWeightFormat(rule.precision);
         });
}

bool PrecisionPolicy::hasFourBits() const {
  auto isOf4 = [](StringRef name) {
    const WeightFormat *format = findWeightFormat(name);
    return format && format->bits == 4;
  };
  return isOf4(precision) || llvm::any_of(rules, [&](const PrecisionRule &rule) {
           return isOf4(rule.precision);
         });
}

bool PrecisionPolicy::hasFloat8Activations() const {
  return activations == "fp8" || hasFastSums();
}

bool PrecisionPolicy::hasFloat4Activations() const {
  const WeightFormat *format = findWeightFormat(activations);
  return format && format->number == &kF4E2M1FN;
}

bool PrecisionPolicy::hasHalfActivations() const {
  return !activations.empty() && !hasFloat8Activations() && !hasFloat4Activations();
}

bool PrecisionPolicy::calibrates() const {
  return llvm::is_contained(kCalibrated, StringRef(algorithm));
}

/// Whether an algorithm may choose quantized elements; E4M3 and E3M2 are rounded to
/// nearest.
static bool hasCodes(StringRef name) {
  const WeightFormat *format = findWeightFormat(name);
  return format && !format->isStoredAsFloat8();
}

/// Whether the format is E2M1 with power-of-two scales, which kernels also multiply with
/// E4M3.
static bool isMultipliedByFloat8(StringRef name) {
  const WeightFormat *format = findWeightFormat(name);
  return format && format->number == &kF4E2M1FN && format->scales == WeightScales::E8M0;
}

static bool isFloatType(StringRef name) {
  return name != "f32" && !findWeightFormat(name);
}

PrecisionPolicy PrecisionPolicy::ofOthers() const {
  auto type = [&](const std::string &name) { return name == "f32" ? name : activations; };
  PrecisionPolicy others{type(precision)};
  for (const PrecisionRule &rule : rules)
    others.rules.push_back({rule.nodes, type(rule.precision)});
  return others;
}

StringRef PrecisionPolicy::floatType() const {
  if (hasHalfActivations())
    return activations;
  if (isFloatType(precision))
    return precision;
  for (const PrecisionRule &rule : rules)
    if (isFloatType(rule.precision))
      return rule.precision;
  return {};
}

llvm::Error PrecisionPolicy::checkActivations() const {
  if (!llvm::is_contained({"", "bf16", "f16", "fp8", "fp8-fast", "nvfp4", "mxfp4"},
                          StringRef(activations)))
    return makeError(
        {ErrorCode::BadUsage, "--activations",
         "weights of few bits are not multiplied with this type",
         "bf16, f16, fp8, fp8-fast, nvfp4 or mxfp4", activations,
         "choose one of these, or leave --activations out: codes of 8 bits"});
  SmallVector<StringRef> all{precision};
  for (const PrecisionRule &rule : rules)
    all.push_back(rule.precision);
  for (StringRef name : all)
    if (hasFloat4Activations() && findWeightFormat(name) && name != activations)
      return makeError({ErrorCode::BadUsage, "--activations",
                        "activations of 4 bits are multiplied with weights of their own "
                        "format",
                        activations + ", and f32", name.str(),
                        "choose --precision " + activations + ", or other activations"});
    else if (hasFloat8Activations() && hasCodes(name) && !isMultipliedByFloat8(name))
      return makeError({ErrorCode::BadUsage, "--activations",
                        "activations in fp8 are not multiplied with this format",
                        "fp8, mxfp8, mxfp6_e3m2 or mxfp4, and f32", name.str(),
                        "choose one of these formats, or other activations"});
    else if (hasHalfActivations() && findWeightFormat(name) && !hasCodes(name))
      return makeError({ErrorCode::BadUsage, "--activations",
                        "activations of 16 bits are not multiplied with this format",
                        "int8, mxfp6, int4, nvfp4 or mxfp4, and f32",
                        name.str() + " with " + activations,
                        "choose one of these formats, or --activations fp8"});
  return llvm::Error::success();
}

bool PrecisionPolicy::choosesCodes() const {
  return hasCodes(precision) || llvm::any_of(rules, [](const PrecisionRule &rule) {
           return hasCodes(rule.precision);
         });
}

llvm::Error PrecisionPolicy::checkRange() const {
  if (range.empty())
    return llvm::Error::success();
  auto refuse = [](const char *what, const char *expected, const std::string &found,
                   const char *fix) {
    return makeError({ErrorCode::BadUsage, "--range", what, expected, found, fix});
  };
  if (!quantizes())
    return refuse("nothing is quantized",
                  "--precision with a format of quantized weights", precision,
                  "add --precision int8, or leave --range out");
  if (hasHalfActivations() || hasFloat4Activations())
    return refuse("static ranges are of activations in 8 bits", "int8 or fp8",
                  activations, "leave --activations or --range out");
  if (!choosesCodes() && !hasFloat8Activations())
    return refuse("activations beside these weights are not quantized",
                  "--activations fp8, or a format that is multiplied as integers",
                  precision, "add --activations fp8");
  if (calibrates() && algorithm != "gptq")
    return refuse("this algorithm changes the activations whose range is found",
                  "rtn, mse or gptq", algorithm, "choose another --algorithm");
  return llvm::Error::success();
}

llvm::Error PrecisionPolicy::check() const {
  if (!range.empty())
    if (llvm::Error error = RangeMethod::parse(range).takeError())
      return error;
  if (!calibrates() && !llvm::is_contained({"rtn", "mse"}, StringRef(algorithm)))
    return makeError({ErrorCode::BadUsage, "--algorithm", "no algorithm has this name",
                      "rtn, mse, gptq, awq or smoothquant", algorithm,
                      "choose one of these"});
  if (!llvm::is_contained({"", "int8", "fp8"}, StringRef(cache)))
    return makeError({ErrorCode::BadUsage, "--kv", "caches have no such format",
                      "int8 or fp8", cache, "choose one of these, or leave --kv out"});
  if (llvm::Error error = checkActivations())
    return error;
  SmallVector<StringRef> all{precision};
  for (const PrecisionRule &rule : rules) {
    all.push_back(rule.precision);
    if (auto glob = llvm::GlobPattern::create(rule.nodes); !glob)
      return makeError({ErrorCode::BadUsage, kPlace.str(), "a rule's nodes are no glob",
                        "a name, perhaps with *, ? and [a-z]", rule.nodes,
                        llvm::toString(glob.takeError())});
  }
  for (StringRef name : all)
    if (!isName(name))
      return makeError({ErrorCode::BadUsage, kPlace.str(), "no precision has this name",
                        names(), name.str(),
                        "choose one of these, or give a policy file that ends in .json"});
  if (algorithm != "rtn" && quantizes() && !choosesCodes())
    return makeError(
        {ErrorCode::BadUsage, "--algorithm",
         "fp8, mxfp8 and mxfp6_e3m2 are rounded to nearest and have no algorithm", "rtn",
         algorithm, "leave --algorithm and --calib out, or choose another format"});
  // 16-bit matmuls round their activations, but quantized ones read f32.
  auto other = llvm::find_if(all, isFloatType);
  auto format = llvm::find_if(all, [](StringRef name) { return findWeightFormat(name); });
  if (other != all.end() && format != all.end())
    return makeError(
        {ErrorCode::BadUsage, kPlace.str(),
         "a policy has formats that cannot stand side by side",
         "f32 and formats of quantized weights, or f32 and one of tf32, bf16 "
         "and f16",
         format->str() + " and " + other->str(), "leave one of them out"});
  auto second = llvm::find_if(
      all, [&](StringRef name) { return isFloatType(name) && name != *other; });
  if (second != all.end())
    return makeError({ErrorCode::BadUsage, kPlace.str(),
                      "a policy has two types of floats beside f32",
                      "one of tf32, bf16 and f16", other->str() + " and " + second->str(),
                      "leave one of them out"});
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Reading a policy
//===----------------------------------------------------------------------===//

static llvm::Error policyError(StringRef path, std::string what, std::string expected,
                               std::string found) {
  return makeError({ErrorCode::BadUsage, path.str(), std::move(what), std::move(expected),
                    std::move(found), "docs/guides/quantization.md describes the file"});
}

static std::string printed(const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// Returns a string member that is required.
static llvm::Expected<std::string>
stringOf(StringRef path, const llvm::json::Object &object, StringRef key) {
  if (auto text = object.getString(key))
    return text->str();
  return policyError(path, "a policy lacks \"" + key.str() + "\"", "a string",
                     printed(llvm::json::Value(llvm::json::Object(object))));
}

static llvm::Error checkKeys(StringRef path, const llvm::json::Object &object,
                             ArrayRef<StringRef> keys) {
  for (const auto &member : object)
    if (!llvm::is_contained(keys, StringRef(member.first)))
      return policyError(path, "a policy has a key that means nothing",
                         llvm::join(keys, ", "), member.first.str());
  return llvm::Error::success();
}

llvm::Expected<PrecisionPolicy> PrecisionPolicy::parse(StringRef path, StringRef json) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(json);
  if (!value)
    return policyError(path, "a policy is no JSON", "an object",
                       llvm::toString(value.takeError()));
  const llvm::json::Object *object = value->getAsObject();
  if (!object)
    return policyError(path, "a policy is no object", "{\"precision\": ...}",
                       printed(*value));
  if (llvm::Error error = checkKeys(
          path, *object, {"precision", "cache", "activations", "range", "rules"}))
    return std::move(error);
  PrecisionPolicy policy;
  llvm::Expected<std::string> precision = stringOf(path, *object, "precision");
  if (!precision)
    return precision.takeError();
  policy.precision = *precision;
  for (auto [key, into] :
       {std::pair("cache", &policy.cache), std::pair("activations", &policy.activations),
        std::pair("range", &policy.range)}) {
    if (!object->get(key))
      continue;
    llvm::Expected<std::string> text = stringOf(path, *object, key);
    if (!text)
      return text.takeError();
    *into = *text;
  }
  const llvm::json::Value *rules = object->get("rules");
  if (rules && !rules->getAsArray())
    return policyError(path, "\"rules\" is no list",
                       "[{\"nodes\": ..., \"precision\": ...}]", printed(*rules));
  for (const llvm::json::Value &entry :
       rules ? *rules->getAsArray() : llvm::json::Array()) {
    const llvm::json::Object *rule = entry.getAsObject();
    if (!rule)
      return policyError(path, "a rule is no object",
                         "{\"nodes\": ..., \"precision\": ...}", printed(entry));
    if (llvm::Error error = checkKeys(path, *rule, {"nodes", "precision"}))
      return std::move(error);
    auto nodes = stringOf(path, *rule, "nodes"), own = stringOf(path, *rule, "precision");
    if (llvm::Error error = llvm::joinErrors(nodes.takeError(), own.takeError()))
      return std::move(error);
    policy.rules.push_back({*nodes, *own});
  }
  if (llvm::Error error = policy.check())
    return std::move(error);
  return policy;
}

//===----------------------------------------------------------------------===//
// Applying a policy
//===----------------------------------------------------------------------===//

PolicyReader::PolicyReader(const PrecisionPolicy &policy)
    : policy(policy), used(policy.rules.size()) {}

StringRef PolicyReader::precisionOf(StringRef node) {
  StringRef precision = policy.precision;
  bool decided = false;
  for (auto [i, rule] : llvm::enumerate(policy.rules))
    if (llvm::cantFail(llvm::GlobPattern::create(rule.nodes)).match(node)) {
      used[i] = true;
      if (!decided)
        precision = rule.precision;
      decided = true;
    }
  return precision;
}

/// Returns the rank of a precision; a higher rank has fewer bits.
static size_t rankOf(StringRef precision) {
  if (const WeightFormat *format = findWeightFormat(precision))
    return std::size(kTypes) + (format - kFormats);
  return llvm::find(kTypes, precision) - kTypes;
}

/// Returns the node's name; locations of imported ops are "node '/head/MatMul' (MatMul,
/// opset 17)".
static StringRef nodeOf(StringRef name) {
  if (!name.consume_front("node '"))
    return name;
  return name.rsplit('\'').first;
}

std::vector<std::string> kiln::nodeNames(Location loc) {
  std::vector<std::string> names;
  loc->walk([&](Location part) {
    if (auto name = dyn_cast<NameLoc>(part))
      names.push_back(nodeOf(name.getName()).str());
    return WalkResult::advance();
  });
  return names;
}

StringRef PolicyReader::precisionOf(Location loc) {
  std::vector<std::string> names = nodeNames(loc);
  for (const std::string &name : names)
    if (!llvm::is_contained(seen, name))
      seen.push_back(name);
  if (names.empty())
    return policy.precision;
  StringRef best;
  for (StringRef name : names)
    if (StringRef own = precisionOf(name); best.empty() || rankOf(own) < rankOf(best))
      best = own;
  return best;
}

LogicalResult PolicyReader::checkUsed(Location loc) const {
  for (auto [rule, isUsed] : llvm::zip(policy.rules, used)) {
    if (isUsed)
      continue;
    constexpr size_t kShown = 8;
    kiln::emitError(loc, {ErrorCode::BadUsage, kPlace.str(),
                          "a rule of the policy names no product",
                          shortened(seen, kShown), rule.nodes,
                          "correct or remove the rule; kiln inspect --precision lists "
                          "the products of a package"});
    return failure();
  }
  return success();
}
