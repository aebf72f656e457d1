//===- Variant.cpp - Variants for launches with small extents -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Variant.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <tuple>

using namespace kiln::codegen;
using namespace mlir;

static std::string join(const Variant &variant, StringRef relation, StringRef separator) {
  return llvm::join(
      map_range(variant.bounds,
                [&](const Bound &bound) {
                  return (bound.quantity + relation + Twine(bound.max)).str();
                }),
      separator);
}

static std::optional<Variant> split(StringRef text, StringRef relation, char separator) {
  Variant variant;
  SmallVector<StringRef> parts;
  text.split(parts, separator);
  for (StringRef part : parts) {
    StringRef quantity = part.take_while(llvm::isAlpha);
    Bound bound{quantity.str(), 0};
    part = part.drop_front(quantity.size());
    if (quantity.empty() || !part.consume_front(relation) ||
        part.getAsInteger(10, bound.max))
      return std::nullopt;
    variant.bounds.push_back(std::move(bound));
  }
  return variant;
}

std::string Variant::text() const { return join(*this, "<=", ","); }
std::optional<Variant> Variant::ofText(StringRef text) { return split(text, "<=", ','); }

std::string Variant::suffix() const { return join(*this, "", "_"); }
std::optional<Variant> Variant::ofSuffix(StringRef suffix) {
  return split(suffix, "", '_');
}

std::optional<int64_t> Variant::maxOf(StringRef quantity) const {
  for (const Bound &bound : bounds)
    if (bound.quantity == quantity)
      return bound.max;
  return std::nullopt;
}

bool Variant::operator<(const Variant &other) const {
  return std::lexicographical_compare(
      bounds.begin(), bounds.end(), other.bounds.begin(), other.bounds.end(),
      [](const Bound &x, const Bound &y) {
        return std::tie(x.max, x.quantity) < std::tie(y.max, y.quantity);
      });
}

std::optional<int64_t> kiln::codegen::maxOf(const std::optional<Variant> &variant,
                                            StringRef quantity) {
  return variant ? variant->maxOf(quantity) : std::nullopt;
}
