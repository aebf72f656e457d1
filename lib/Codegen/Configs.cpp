//===- Configs.cpp - Selected and given configs of kernels ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Configs.h"
#include "dialects/Graph/KernelText.h"
#include "dialects/Tile/TileHints.h"
#include "kiln/Codegen/KernelFamily.h"
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
  return graph::kernelText(kernel);
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

std::string kiln::codegen::variantSuffix(const std::optional<Variant> &variant) {
  return variant ? "/" + variant->text() : "";
}

SmallVector<StringRef> kiln::codegen::configFamilies() {
  SmallVector<StringRef> names;
  for (const KernelFamily *family : kernelFamilies())
    for (StringRef name : family->configs)
      if (!llvm::is_contained(names, name))
        names.push_back(name);
  return names;
}

/// Splits "#tile.gemm_config<mr = 6>" into name and parameters.
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
// Attributes of the kernel
//===----------------------------------------------------------------------===//

Attribute kiln::codegen::configOn(graph::KernelOp kernel, StringRef target) {
  auto entries = kernel->getAttrOfType<DictionaryAttr>(tile::kConfigsAttr);
  return entries ? entries.get(target) : Attribute();
}

SmallVector<std::pair<Variant, Attribute>>
kiln::codegen::variantsOn(graph::KernelOp kernel, StringRef target) {
  SmallVector<std::pair<Variant, Attribute>> variants;
  auto entries = kernel->getAttrOfType<DictionaryAttr>(tile::kConfigsAttr);
  for (NamedAttribute entry : entries ? entries.getValue() : ArrayRef<NamedAttribute>()) {
    StringRef name = entry.getName();
    if (name.consume_front(target) && name.consume_front("/"))
      if (std::optional<Variant> variant = Variant::ofText(name))
        variants.push_back({std::move(*variant), entry.getValue()});
  }
  llvm::sort(variants, llvm::less_first());
  return variants;
}
