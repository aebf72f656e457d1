//===- Sampler.cpp - Token sampling from logits ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/Sampler.h"
#include "kiln/ErrorCodes/Inputs.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <vector>

using namespace kiln;
using namespace kiln::execution;
using namespace llvm;

/// Returns a random number in [0, 1), by splitmix64.
double Sampler::uniform() {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return static_cast<double>(z >> 11) * 0x1p-53;
}

static Error checkNumbers(ArrayRef<float> logits) {
  for (auto [token, logit] : enumerate(logits))
    if (std::isnan(logit))
      return makeError({ErrorCode::DecoderInput, "kiln generate",
                        "the model gives no number for a token", "logits",
                        "NaN for token " + std::to_string(token),
                        "check the model with kiln verify"});
  return Error::success();
}

/// Applies the repetition penalty: divides positive logits of tokens in the history, and
/// multiplies negative ones.
static void penalize(std::vector<double> &scores, ArrayRef<int64_t> history,
                     double penalty) {
  std::vector<bool> seen(scores.size());
  for (int64_t token : history)
    if (uint64_t(token) < seen.size() && !seen[token]) {
      seen[token] = true;
      double &score = scores[size_t(token)];
      score = score > 0 ? score / penalty : score * penalty;
    }
}

namespace {
/// A candidate token, and its probability relative to that of the most likely token.
struct Candidate {
  uint32_t token;
  double score, weight;

  bool isBefore(const Candidate &other) const {
    return score != other.score ? score > other.score : token < other.token;
  }
};

/// Sorts candidates by falling probability, lazily: a vocabulary has a hundred thousand
/// tokens, and the drawn one is mostly among the first.
class Descending {
public:
  explicit Descending(std::vector<Candidate> &all) : all(all) {}

  const Candidate &operator[](size_t i) {
    if (i >= sorted) {
      size_t end = std::min(all.size(), std::max<size_t>(64, 4 * sorted));
      auto from = all.begin() + int64_t(sorted), to = all.begin() + int64_t(end);
      std::partial_sort(from, to, all.end(),
                        [](auto &a, auto &b) { return a.isBefore(b); });
      sorted = end;
    }
    return all[i];
  }

private:
  std::vector<Candidate> &all;
  size_t sorted = 0;
};
} // namespace

/// Returns the tokens that pass top-k and min-p, in the order of their ids.
static std::vector<Candidate> candidatesOf(ArrayRef<double> scores,
                                           const SamplingOptions &options) {
  std::vector<Candidate> all;
  all.reserve(scores.size());
  for (auto [token, score] : enumerate(scores))
    all.push_back({uint32_t(token), score, 0});
  if (options.topK && options.topK < all.size()) {
    auto end = all.begin() + int64_t(options.topK);
    std::nth_element(all.begin(), end, all.end(),
                     [](auto &a, auto &b) { return a.isBefore(b); });
    all.erase(end, all.end());
    llvm::sort(all, [](auto &a, auto &b) { return a.token < b.token; });
  }
  double highest = *std::max_element(scores.begin(), scores.end());
  llvm::erase_if(all, [&](Candidate &candidate) {
    bool isHighest = candidate.score == highest; // avoids inf - inf
    candidate.weight =
        isHighest ? 1 : std::exp((candidate.score - highest) / options.temperature);
    return candidate.weight < options.minP;
  });
  return all;
}

Expected<int64_t> Sampler::next(ArrayRef<float> logits, ArrayRef<int64_t> history) {
  if (Error error = checkNumbers(logits))
    return std::move(error);
  std::vector<double> scores(logits.begin(), logits.end());
  if (options.repetitionPenalty != 1)
    penalize(scores, history, options.repetitionPenalty);
  if (options.temperature == 0)
    return std::max_element(scores.begin(), scores.end()) - scores.begin();
  std::vector<Candidate> candidates = candidatesOf(scores, options);
  double total = 0;
  for (const Candidate &candidate : candidates)
    total += candidate.weight;
  Descending descending(candidates);
  // Top-p: keeps the minimum number of the most likely candidates that have at least the
  // requested fraction of the total probability; all of them for 1.
  double kept = total;
  size_t count = candidates.size();
  if (options.topP < 1)
    for (kept = 0, count = 0;
         count < candidates.size() && (count == 0 || kept < options.topP * total);)
      kept += descending[count++].weight;
  double rest = uniform() * kept;
  for (size_t i = 0; i < count; ++i)
    if ((rest -= descending[i].weight) < 0)
      return descending[i].token;
  return descending[count - 1].token;
}
