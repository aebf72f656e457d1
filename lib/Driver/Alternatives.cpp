//===- Alternatives.cpp - Code of kernels for few rows --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Alternatives.h"
#include "Report.h"
#include <algorithm>
#include <limits>

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

static constexpr int64_t kNoBound = std::numeric_limits<int64_t>::max();

static std::optional<size_t> targetNumber(kiln_model *model, StringRef target) {
  for (size_t t = 0; t < kiln_model_target_count(model); ++t)
    if (target == kiln_model_target(model, t)->name)
      return t;
  return std::nullopt;
}

std::vector<KernelWay> driver::waysOf(kiln_model *model, StringRef target) {
  std::vector<KernelWay> ways;
  std::optional<size_t> number = targetNumber(model, target);
  for (size_t k = 0; number && k < kiln_model_kernel_count(model); ++k) {
    KernelWay own{k, kiln_model_kernel_name(model, k), "", 0, kNoBound};
    for (size_t i = 0; i < kiln_model_alternative_count(model, k); ++i) {
      const kiln_alternative_info &info = *kiln_model_alternative(model, k, i);
      if (info.target != *number)
        continue;
      own.rows = info.rows;
      ways.push_back({k, info.name, info.rows, own.least, info.most});
      own.least = info.most + 1;
    }
    if (own.least)
      ways.push_back(own);
  }
  return ways;
}

const char *driver::ptxOf(kiln_model *model, StringRef code, StringRef target) {
  std::optional<size_t> number = targetNumber(model, target);
  for (size_t k = 0; number && k < kiln_model_kernel_count(model); ++k) {
    if (code == kiln_model_kernel_name(model, k))
      return kiln_model_kernel_ptx(model, k, *number);
    for (size_t i = 0; i < kiln_model_alternative_count(model, k); ++i)
      if (const kiln_alternative_info &info = *kiln_model_alternative(model, k, i);
          info.target == *number && code == info.name)
        return kiln_model_alternative_ptx(model, k, i);
  }
  return nullptr;
}

const char *driver::configOf(kiln_model *model, StringRef code, StringRef target) {
  std::optional<size_t> number = targetNumber(model, target);
  for (size_t k = 0; number && k < kiln_model_kernel_count(model); ++k)
    for (size_t i = 0; i < kiln_model_alternative_count(model, k); ++i)
      if (const kiln_alternative_info &info = *kiln_model_alternative(model, k, i);
          info.target == *number && code == info.name)
        return info.config;
  for (size_t i = 0; i < kiln_model_step_count(model); ++i)
    if (const kiln_step_info &step = *kiln_model_step(model, i); code == step.kernel)
      return step.config;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Coverage
//===----------------------------------------------------------------------===//

WayCoverage::WayCoverage(kiln_model *model, StringRef target)
    : model(model), ways(waysOf(model, target)) {}

Expected<int64_t> WayCoverage::rowsAt(size_t kernel, const Values &values) const {
  int64_t rows = 0;
  if (Error error = toError(kiln_model_kernel_rows(model, kernel, values.data(), &rows)))
    return std::move(error);
  return rows;
}

Error WayCoverage::run(const SymbolValues &symbols) {
  Values values;
  for (size_t s = 0; s < kiln_model_symbol_count(model); ++s)
    values.push_back(symbols.at(kiln_model_symbol(model, s)->name));
  for (size_t w = 0; w < ways.size(); ++w) {
    Expected<int64_t> rows = rowsAt(ways[w].kernel, values);
    if (!rows)
      return rows.takeError();
    if (ways[w].least <= *rows && *rows <= ways[w].most)
      taken.insert(w);
  }
  return Error::success();
}

WayCoverage::Values WayCoverage::corner(bool upper) const {
  Values values;
  for (size_t s = 0; s < kiln_model_symbol_count(model); ++s)
    values.push_back(upper ? kiln_model_symbol(model, s)->max
                           : kiln_model_symbol(model, s)->min);
  return values;
}

/// Sets a symbol to the largest value that keeps the rows within `most`. More of a symbol
/// is not fewer rows.
Error WayCoverage::raise(size_t kernel, size_t symbol, int64_t most,
                         Values &values) const {
  int64_t good = values[symbol], bad = kiln_model_symbol(model, symbol)->max + 1;
  while (bad - good > 1) {
    values[symbol] = good + (bad - good) / 2;
    Expected<int64_t> rows = rowsAt(kernel, values);
    if (!rows)
      return rows.takeError();
    (*rows <= most ? good : bad) = values[symbol];
  }
  values[symbol] = good;
  return Error::success();
}

/// The most rows of a bounded way. Each symbol once first, as only one order may fill the
/// bound: 8 rows of batch*seq are one sequence of 8 where a batch is at most 4.
Expected<std::optional<WayCoverage::Values>>
WayCoverage::largest(const KernelWay &way) const {
  std::optional<Values> best;
  int64_t bestRows = way.least - 1;
  size_t count = kiln_model_symbol_count(model);
  for (size_t first = 0; first < count; ++first) {
    Values values = corner(/*upper=*/false);
    for (size_t i = 0; i < count; ++i)
      if (Error error = raise(way.kernel, (first + i) % count, way.most, values))
        return std::move(error);
    Expected<int64_t> rows = rowsAt(way.kernel, values);
    if (!rows)
      return rows.takeError();
    if (*rows > bestRows && *rows <= way.most) {
      bestRows = *rows;
      best = std::move(values);
    }
  }
  return best;
}

/// The fewest rows of the way without a bound: one step of a symbol behind the most of
/// the one before.
Expected<std::optional<WayCoverage::Values>>
WayCoverage::smallest(const KernelWay &way) const {
  std::optional<Values> best;
  int64_t bestRows = kNoBound;
  size_t count = kiln_model_symbol_count(model);
  for (size_t first = 0; first < count; ++first) {
    Values values = corner(/*upper=*/false);
    for (size_t i = 0; i < count; ++i) {
      size_t symbol = (first + i) % count;
      if (Error error = raise(way.kernel, symbol, way.least - 1, values))
        return std::move(error);
      if (values[symbol] == kiln_model_symbol(model, symbol)->max)
        continue;
      Values more = values;
      ++more[symbol];
      Expected<int64_t> rows = rowsAt(way.kernel, more);
      if (!rows)
        return rows.takeError();
      if (*rows >= way.least && *rows < bestRows) {
        bestRows = *rows;
        best = std::move(more);
      }
    }
  }
  return best;
}

Expected<std::optional<SymbolValues>> WayCoverage::next() {
  for (size_t w = 0; w < ways.size(); ++w) {
    if (taken.count(w))
      continue;
    const KernelWay &way = ways[w];
    Expected<std::optional<Values>> values =
        way.most == kNoBound ? smallest(way) : largest(way);
    if (!values)
      return values.takeError();
    if (!*values) {
      taken.insert(w);
      excluded.push_back(way.code + " (" + way.rows +
                         (way.most == kNoBound ? " > " + std::to_string(way.least - 1)
                                               : " <= " + std::to_string(way.most)) +
                         ")");
      continue;
    }
    SymbolValues symbols;
    for (size_t s = 0; s < (*values)->size(); ++s)
      symbols[kiln_model_symbol(model, s)->name] = (**values)[s];
    return symbols;
  }
  return std::nullopt;
}
