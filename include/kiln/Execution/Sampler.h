//===- Sampler.h - The next token from logits -------------------*- C++ -*-===//
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
  double temperature = 0; ///< 0: the most likely token
  uint64_t topK = 0;      ///< so many of the most likely ones; 0: all
  double topP = 1;        ///< of these, the fewest that have this much of the probability
  double minP = 0;        ///< none with less than this part of the most likely one's
  double repetitionPenalty = 1;
  uint64_t seed = 0;
};

/// Chooses tokens. The same options, logits and number of tokens before give the same
/// token anywhere: all arithmetic is in double precision, sums are in one order, and of
/// two equal logits the lower token comes first. With logits of plus infinity these
/// tokens alone are left.
class Sampler {
public:
  explicit Sampler(const SamplingOptions &options)
      : options(options), state(options.seed) {}

  /// history: the tokens so far, for the penalty (Keskar et al., CTRL, 2019). Fails on
  /// logits that are NaN.
  llvm::Expected<int64_t> next(llvm::ArrayRef<float> logits,
                               llvm::ArrayRef<int64_t> history);

private:
  double uniform();

  SamplingOptions options;
  uint64_t state;
};

} // namespace kiln::execution

#endif // KILN_EXECUTION_SAMPLER_H
