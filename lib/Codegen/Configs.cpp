//===- Configs.cpp - The config of a kernel, chosen or given --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Configs.h"
#include "ConfigCheck.h"
#include "kiln/Codegen/Attention.h"
#include "kiln/Codegen/Gemm.h"
#include "kiln/Codegen/Pointwise.h"
#include "kiln/Codegen/Scatter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string kiln::codegen::fingerprint(graph::KernelOp kernel) {
  std::string text;
  llvm::raw_string_ostream os(text);
  DenseMap<Value, unsigned> numbers;
  auto define = [&](Value value) {
    numbers.try_emplace(value, numbers.size());
    os << value.getType() << ';';
  };
  os << kernel.getHero() << '(';
  for (BlockArgument argument : kernel.getBlock().getArguments())
    define(argument);
  os << ')';
  for (Operation &op : kernel.getBlock()) {
    os << op.getName() << op.getAttrDictionary();
    for (Value operand : op.getOperands())
      os << ' ' << numbers.lookup(operand);
    os << ':';
    for (Value result : op.getResults())
      define(result);
  }
  return text;
}

std::string kiln::codegen::problemKey(graph::KernelOp kernel) {
  constexpr size_t kHashBytes = 8;
  std::string text = fingerprint(kernel);
  std::array<uint8_t, 32> hash = llvm::SHA256::hash(
      ArrayRef(reinterpret_cast<const uint8_t *>(text.data()), text.size()));
  return (kernel.getHero() + "-" +
          llvm::toHex(ArrayRef(hash).take_front(kHashBytes), /*LowerCase=*/true))
      .str();
}

static constexpr StringLiteral kVariantPrefix = "/rows<=";

std::string kiln::codegen::variantSuffix(std::optional<int64_t> maxRows) {
  return maxRows ? kVariantPrefix.str() + std::to_string(*maxRows) : "";
}

std::string kiln::codegen::configTarget(const TargetInfo &target) {
  if (target.name != "native")
    return target.name;
  return target.has("avx512f") ? "x86-64-v4" : "x86-64-v3";
}

/// In the order of the documentation.
static constexpr StringLiteral kFamilies[] = {
    "gemm",      "block_gemm",      "warpgroup_gemm",      "gemv",
    "attention", "block_attention", "warpgroup_attention", "pointwise",
    "scatter"};

ArrayRef<StringLiteral> kiln::codegen::configFamilies() { return kFamilies; }

/// "#tile.gemm_config<mr = 6>" in two.
static std::pair<std::string, std::string> splitConfig(Attribute config) {
  std::string text;
  llvm::raw_string_ostream(text) << config;
  StringRef rest = text;
  rest.consume_front("#tile.");
  auto [family, parameters] = rest.split('<');
  family.consume_back("_config");
  parameters.consume_back(">");
  return {family.str(), parameters.str()};
}

std::string kiln::codegen::configFamily(Attribute config) {
  return splitConfig(config).first;
}

std::string kiln::codegen::configText(Attribute config) {
  return splitConfig(config).second;
}

//===----------------------------------------------------------------------===//
// On the kernel
//===----------------------------------------------------------------------===//

Attribute kiln::codegen::configOn(graph::KernelOp kernel, StringRef target) {
  auto entries = kernel->getAttrOfType<DictionaryAttr>(kConfigsAttr);
  return entries ? entries.get(target) : Attribute();
}

SmallVector<std::pair<int64_t, Attribute>>
kiln::codegen::variantsOn(graph::KernelOp kernel, StringRef target) {
  SmallVector<std::pair<int64_t, Attribute>> variants;
  auto entries = kernel->getAttrOfType<DictionaryAttr>(kConfigsAttr);
  for (NamedAttribute entry : entries ? entries.getValue() : ArrayRef<NamedAttribute>()) {
    StringRef name = entry.getName();
    int64_t bound = 0;
    if (name.consume_front(target) && name.consume_front(kVariantPrefix) &&
        !name.getAsInteger(10, bound))
      variants.push_back({bound, entry.getValue()});
  }
  llvm::sort(variants, llvm::less_first());
  return variants;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

template <typename OpTy> static bool holds(graph::KernelOp kernel) {
  return !kernel.getBlock().getOps<OpTy>().empty();
}

template <typename Configs> static Attribute firstOf(const Configs &configs) {
  return configs.empty() ? Attribute() : Attribute(configs.front());
}

Attribute kiln::codegen::chooseConfig(graph::KernelOp kernel, const TargetInfo &target,
                                      std::optional<int64_t> maxRows) {
  MLIRContext *context = kernel.getContext();
  if (holds<graph::AttentionOp>(kernel))
    return firstOf(attentionConfigs(kernel, target));
  if (holds<graph::MatmulOp>(kernel)) {
    GemmProblem problem = gemmProblem(kernel, target, maxRows);
    return target.gpu ? chooseGpuConfig(context, problem, target)
                      : firstOf(rankGemmConfigs(context, problem, target));
  }
  if (holds<graph::ScatterOp>(kernel))
    return firstOf(rankScatterConfigs(context, scatterProblem(kernel), target));
  return firstOf(pointwiseConfigs(kernel, target));
}

std::optional<Diagnosis>
kiln::codegen::checkConfig(graph::KernelOp kernel, const TargetInfo &target,
                           std::optional<int64_t> maxRows, Attribute config) {
  if (holds<graph::AttentionOp>(kernel))
    return checkAttentionConfig(kernel, target, config);
  if (holds<graph::MatmulOp>(kernel))
    return checkGemmConfig(gemmProblem(kernel, target, maxRows), target, config);
  if (holds<graph::ScatterOp>(kernel))
    return checkScatterConfig(kernel, target, config);
  return checkPointwiseConfig(kernel, target, config);
}
