//===- AccuracyBudget.cpp - Accuracy budgets of compiles ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Quantization/AccuracyBudget.h"
#include "kiln/Support/UsageError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::quantization;
using namespace llvm;

namespace {
struct MetricRow {
  AccuracyMetric metric;
  StringLiteral name, comparison;
  bool isPercent;
  double min, max; ///< range of the limit
  StringLiteral limits, example;
};
} // namespace

static constexpr MetricRow kMetrics[] = {
    {AccuracyMetric::Perplexity, "ppl", "<=", true, 0, 100, "0% to 10000%", "ppl<=1%"},
    {AccuracyMetric::Cosine, "cosine", ">=", false, 0, 1, "0 to 1", "cosine>=0.999"},
    {AccuracyMetric::KLDivergence, "kl", "<=", false, 0, 1e6, "0 to 1e6", "kl<=0.01"},
    {AccuracyMetric::MaxError, "max", "<=", false, 0, 1e6, "0 to 1e6", "max<=1e-2"},
};

static const MetricRow &rowOf(AccuracyMetric metric) {
  return *find_if(kMetrics, [&](const MetricRow &row) { return row.metric == metric; });
}

static Error budgetError(const Twine &what, const Twine &expected, StringRef found,
                         StringRef example) {
  return usageError("kiln compile: --accuracy", what, expected, "'" + found + "'",
                    "write for example '" + example + "'");
}

/// Parses a number, with a percent sign if the metric requires one.
static Error parseLimit(const MetricRow &row, StringRef text, double &limit) {
  StringRef number = text;
  bool hasSign = number.consume_back("%");
  bool isNumber = !number.trim().getAsDouble(limit) && std::isfinite(limit);
  if (isNumber && hasSign)
    limit /= 100;
  if (isNumber && hasSign == row.isPercent && limit >= row.min && limit <= row.max)
    return Error::success();
  return budgetError("the limit of " + row.name + " is none", row.limits, text,
                     row.example);
}

Expected<AccuracyBudget> AccuracyBudget::parse(StringRef text) {
  AccuracyBudget budget;
  auto [condition, samples] = text.split(':');
  condition = condition.trim();
  StringRef name = condition.take_while([](char c) { return c != '<' && c != '>'; });
  StringRef rest = condition.drop_front(name.size());
  const auto *row =
      find_if(kMetrics, [&](const MetricRow &row) { return row.name == name.trim(); });
  if (row == std::end(kMetrics))
    return budgetError("no metric has this name", "ppl, cosine, kl or max", name.trim(),
                       kMetrics[0].example);
  if (!rest.consume_front(row->comparison))
    return budgetError("is not a condition of " + row->name,
                       row->name + row->comparison + " and a limit", condition,
                       row->example);
  if (Error error = parseLimit(*row, rest.trim(), budget.limit))
    return std::move(error);
  if (text.contains(':') && samples.empty())
    return budgetError("the samples have no name", "a file or a folder behind the colon",
                       text, (row->example + ":samples").str());
  budget.metric = row->metric;
  budget.condition = (row->name + row->comparison + rest.trim()).str();
  budget.samples = samples.str();
  return budget;
}

StringRef AccuracyBudget::metricName() const { return rowOf(metric).name; }

double AccuracyBudget::allowedLoss() const {
  return metric == AccuracyMetric::Cosine ? 1 - limit : limit;
}

double AccuracyBudget::valueOf(double loss) const {
  return metric == AccuracyMetric::Cosine ? 1 - loss : loss;
}

template <typename... Values>
static std::string formatted(const char *how, Values... values) {
  std::string text;
  raw_string_ostream(text) << format(how, values...);
  return text;
}

std::string AccuracyBudget::describe(double loss) const {
  switch (metric) {
  case AccuracyMetric::Perplexity:
    return formatted("perplexity %+.3f %%", loss * 100);
  case AccuracyMetric::Cosine:
    return formatted("mean cosine %.6f", 1 - loss);
  case AccuracyMetric::KLDivergence:
    return formatted("KL divergence %.4g nats", loss);
  case AccuracyMetric::MaxError:
    break;
  }
  return formatted("largest relative error %.3g", loss);
}

std::string AccuracyBudget::describeBlame(double loss) const {
  return metric == AccuracyMetric::Perplexity ? formatted("%.4f %%", loss * 100)
                                              : formatted("%.3g", loss);
}
