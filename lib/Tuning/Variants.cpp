//===- Variants.cpp - Kernel variants and their coverage ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Tuning/Variants.h"
#include "kiln/Execution/Status.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <limits>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::tuning;
using namespace llvm;

static std::optional<size_t> targetNumber(kiln_model *model, StringRef target) {
  for (size_t t = 0; t < kiln_model_target_count(model); ++t)
    if (target == kiln_model_target(model, t)->name)
      return t;
  return std::nullopt;
}

std::string tuning::boundsText(const kiln_variant_info &variant) {
  return join(map_range(ArrayRef(variant.when, variant.bound_count),
                        [](const kiln_bound_info &bound) {
                          return bound.value + (" <= " + std::to_string(bound.max));
                        }),
              " and ");
}

/// Returns the condition under which no variant runs.
static std::string otherwise(ArrayRef<KernelVariant> variants) {
  std::string value = variants.front().when.front().value;
  int64_t max = 0;
  for (const KernelVariant &variant : variants) {
    if (variant.when.size() != 1 || variant.when.front().value != value)
      return "otherwise";
    max = std::max(max, variant.when.front().max);
  }
  return value + " > " + std::to_string(max);
}

/// Returns the suffix of a variant's name: "rows8" for "matmul_0_rows8" of "matmul_0".
static std::string suffixOf(StringRef name, StringRef kernel) {
  name.consume_front(kernel);
  name.consume_front("_");
  return name.str();
}

std::vector<KernelVariant> tuning::variantsOf(kiln_model *model, StringRef target) {
  std::vector<KernelVariant> codes;
  std::optional<size_t> number = targetNumber(model, target);
  for (size_t k = 0; number && k < kiln_model_kernel_count(model); ++k) {
    size_t first = codes.size();
    for (size_t i = 0; i < kiln_model_variant_count(model, k); ++i) {
      const kiln_variant_info &info = *kiln_model_variant(model, k, i);
      if (info.target == *number)
        codes.push_back({k,
                         info.name,
                         {info.when, info.when + info.bound_count},
                         i,
                         boundsText(info),
                         suffixOf(info.name, kiln_model_kernel_name(model, k))});
    }
    if (codes.size() > first)
      codes.push_back({k,
                       kiln_model_kernel_name(model, k),
                       {},
                       0,
                       otherwise(ArrayRef(codes).drop_front(first)),
                       ""});
  }
  return codes;
}

const char *tuning::ptxOf(kiln_model *model, StringRef code, StringRef target) {
  std::optional<size_t> number = targetNumber(model, target);
  for (size_t k = 0; number && k < kiln_model_kernel_count(model); ++k) {
    if (code == kiln_model_kernel_name(model, k))
      return kiln_model_kernel_ptx(model, k, *number);
    for (size_t i = 0; i < kiln_model_variant_count(model, k); ++i)
      if (const kiln_variant_info &info = *kiln_model_variant(model, k, i);
          info.target == *number && code == info.name)
        return kiln_model_variant_ptx(model, k, i);
  }
  return nullptr;
}

const char *tuning::configOf(kiln_model *model, StringRef code, StringRef target) {
  std::optional<size_t> number = targetNumber(model, target);
  for (size_t k = 0; number && k < kiln_model_kernel_count(model); ++k) {
    if (code == kiln_model_kernel_name(model, k))
      return kiln_model_kernel_config(model, k, *number);
    for (size_t i = 0; i < kiln_model_variant_count(model, k); ++i)
      if (const kiln_variant_info &info = *kiln_model_variant(model, k, i);
          info.target == *number && code == info.name)
        return info.config;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Coverage
//===----------------------------------------------------------------------===//

VariantCoverage::VariantCoverage(kiln_model *model, StringRef target)
    : model(model), codes(variantsOf(model, target)) {}

/// Returns the maximum of value - bound over all bounds at these dims; at most 0 if all
/// bounds hold.
Expected<int64_t> VariantCoverage::excess(const KernelVariant &code,
                                          const Values &values) const {
  std::vector<int64_t> found(code.when.size());
  if (Error error = toError(kiln_model_variant_bounds(model, code.kernel, code.index,
                                                      values.data(), found.data())))
    return std::move(error);
  int64_t largest = std::numeric_limits<int64_t>::min();
  for (auto [value, bound] : zip(found, code.when))
    largest = std::max(largest, value - bound.max);
  return largest;
}

/// Returns the index in `codes` of the code that a kernel runs at these dims.
Expected<size_t> VariantCoverage::chosen(size_t kernel, const Values &values) const {
  for (size_t c = 0;; ++c) {
    if (codes[c].kernel != kernel)
      continue;
    if (codes[c].isOwn())
      return c;
    Expected<int64_t> over = excess(codes[c], values);
    if (!over)
      return over.takeError();
    if (*over <= 0)
      return c;
  }
}

Error VariantCoverage::run(const SymbolValues &symbols) {
  Values values;
  for (size_t s = 0; s < kiln_model_symbol_count(model); ++s)
    values.push_back(symbols.at(kiln_model_symbol(model, s)->name));
  for (const KernelVariant &code : codes) {
    if (!code.isOwn())
      continue; // visit each kernel once
    Expected<size_t> index = chosen(code.kernel, values);
    if (!index)
      return index.takeError();
    taken.insert(*index);
  }
  return Error::success();
}

VariantCoverage::Values VariantCoverage::corner(bool upper) const {
  Values values;
  for (size_t s = 0; s < kiln_model_symbol_count(model); ++s)
    values.push_back(upper ? kiln_model_symbol(model, s)->max
                           : kiln_model_symbol(model, s)->min);
  return values;
}

/// Sets a symbol to the maximum value for which the bounds hold, by bisection, since
/// bounded values do not decrease as a symbol grows. Leaves it unchanged if the bounds do
/// not hold already.
Error VariantCoverage::raise(const KernelVariant &code, size_t symbol,
                             Values &values) const {
  int64_t good = values[symbol], bad = kiln_model_symbol(model, symbol)->max + 1;
  while (bad - good > 1) {
    values[symbol] = good + (bad - good) / 2;
    Expected<int64_t> over = excess(code, values);
    if (!over)
      return over.takeError();
    (*over <= 0 ? good : bad) = values[symbol];
  }
  values[symbol] = good;
  return Error::success();
}

/// Returns dims at the bounds of a variant, and dims with one symbol one step beyond.
/// Each symbol is raised first once, because a bound may be reached in one order only: if
/// a batch is at most 4, then 8 rows of batch*seq require a single sequence of 8.
Expected<std::vector<VariantCoverage::Values>>
VariantCoverage::edgesOf(const KernelVariant &code) const {
  std::vector<Values> edges;
  size_t count = kiln_model_symbol_count(model);
  for (size_t first = 0; first < count; ++first) {
    Values values = corner(/*upper=*/false);
    for (size_t i = 0; i < count; ++i) {
      size_t symbol = (first + i) % count;
      if (Error error = raise(code, symbol, values))
        return std::move(error);
      if (values[symbol] == kiln_model_symbol(model, symbol)->max)
        continue;
      edges.push_back(values);
      ++edges.back()[symbol];
    }
    edges.push_back(values);
  }
  return edges;
}

/// Returns the distance of dims that run a code from its edge: from the variant's bounds,
/// or, for a kernel's own code, from the bounds of all its variants.
Expected<int64_t> VariantCoverage::distance(size_t code, const Values &values) const {
  if (!codes[code].isOwn()) {
    Expected<int64_t> over = excess(codes[code], values);
    if (!over)
      return over.takeError();
    return -*over;
  }
  int64_t sum = 0;
  for (const KernelVariant &other : codes) {
    if (other.kernel != codes[code].kernel || other.isOwn())
      continue;
    Expected<int64_t> over = excess(other, values);
    if (!over)
      return over.takeError();
    sum += *over;
  }
  return sum;
}

/// Returns the dims that run the code closest to its edge, among the edges of all the
/// kernel's variants and the corners of the ranges; nullopt if none does.
Expected<std::optional<VariantCoverage::Values>>
VariantCoverage::closest(size_t code) const {
  std::vector<Values> candidates{corner(false), corner(true)};
  for (const KernelVariant &other : codes) {
    if (other.kernel != codes[code].kernel || other.isOwn())
      continue;
    Expected<std::vector<Values>> edges = edgesOf(other);
    if (!edges)
      return edges.takeError();
    append_range(candidates, *edges);
  }
  std::optional<Values> best;
  int64_t bestDistance = std::numeric_limits<int64_t>::max();
  for (Values &values : candidates) {
    Expected<size_t> index = chosen(codes[code].kernel, values);
    if (!index)
      return index.takeError();
    if (*index != code)
      continue;
    Expected<int64_t> far = distance(code, values);
    if (!far)
      return far.takeError();
    if (!best || *far < bestDistance) {
      best = std::move(values);
      bestDistance = *far;
    }
  }
  return best;
}

Expected<std::optional<SymbolValues>> VariantCoverage::next() {
  for (size_t c = 0; c < codes.size(); ++c) {
    if (taken.count(c))
      continue;
    Expected<std::optional<Values>> values = closest(c);
    if (!values)
      return values.takeError();
    if (!*values) {
      taken.insert(c);
      excluded.push_back(codes[c].code + " (" + codes[c].text + ")");
      continue;
    }
    SymbolValues symbols;
    for (size_t s = 0; s < (*values)->size(); ++s)
      symbols[kiln_model_symbol(model, s)->name] = (**values)[s];
    return symbols;
  }
  return std::nullopt;
}
