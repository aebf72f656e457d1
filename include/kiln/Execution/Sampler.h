//===- Sampler.h - Sampling of tokens from logits ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_SAMPLER_H
#define KILN_EXECUTION_SAMPLER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace kiln::execution {

struct SamplingOptions {
  double temperature = 0; ///< 0: greedy, the most likely token
  uint64_t topK = 0;      ///< keeps this many of the most likely tokens; 0: all
  double topP = 1;        ///< of these, keeps the smallest set with at least this total
                          ///< probability
  double minP = 0;        ///< drops tokens with less than this fraction of the highest
                          ///< probability
  double repetitionPenalty = 1;
  uint64_t seed = 0;
};

/// Samples tokens. Equal options, logits and numbers of previous tokens give the same
/// token on every machine: all arithmetic is in double precision, sums have a fixed
/// order, and of two equal logits the lower token comes first. If logits are plus
/// infinity, only their tokens remain.
class Sampler {
public:
  explicit Sampler(const SamplingOptions &options)
      : options(options), state(options.seed) {}

  /// Returns the next token. history: the tokens so far, for the repetition penalty
  /// (Keskar et al., CTRL, 2019). Fails on logits that are NaN.
  llvm::Expected<int64_t> next(llvm::ArrayRef<float> logits,
                               llvm::ArrayRef<int64_t> history);

private:
  double uniform();

  SamplingOptions options;
  uint64_t state;
};

} // namespace kiln::execution

#endif // KILN_EXECUTION_SAMPLER_H
