//===- Perplexity.cpp - Perplexity of a decoder on a text -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/Perplexity.h"
#include "kiln/ErrorCodes/Inputs.h"
#include "kiln/Execution/OutputDistance.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/UsageError.h"
#include <algorithm>
#include <cmath>

using namespace kiln;
using namespace kiln::execution;
using namespace llvm;

double Perplexity::perplexity() const { return std::exp2(bits); }

/// Returns -log2 of the probability of a token.
static double bitsOf(ArrayRef<float> logits, int64_t token) {
  return (logSum(logits) - double(logits[size_t(token)])) / std::log(2.0);
}

static Error checkTokens(ArrayRef<int64_t> tokens, uint64_t vocabulary) {
  if (tokens.size() < 2)
    return usageError("kiln generate: --perplexity", "the text is too short",
                      "at least two tokens", std::to_string(tokens.size()),
                      "give a longer text");
  for (int64_t token : tokens)
    if (uint64_t(token) >= vocabulary)
      return makeError({ErrorCode::IndexOutOfRange, "kiln generate: --perplexity",
                        "a token is none of the model's",
                        "0 to " + std::to_string(vocabulary - 1), std::to_string(token),
                        "give a text of the model's tokens"});
  return Error::success();
}

Expected<Perplexity> execution::measurePerplexity(Decoder &decoder,
                                                  ArrayRef<int64_t> tokens,
                                                  function_ref<void(size_t)> progress) {
  if (Error error = checkTokens(tokens, decoder.vocabulary()))
    return std::move(error);
  size_t window = std::min<size_t>(decoder.capacity(), tokens.size() - 1);
  Perplexity result;
  for (size_t begin = 0; begin + window < tokens.size(); begin += window) {
    if (progress)
      progress(begin);
    ArrayRef<int64_t> targets = tokens.drop_front(begin + 1);
    auto add = [&](size_t position, ArrayRef<float> logits) {
      result.bits += bitsOf(logits, targets[position]);
      ++result.tokens;
    };
    if (Error error = decoder.reset())
      return std::move(error);
    if (Error error = decoder.appendEach(tokens.slice(begin, window), add))
      return std::move(error);
  }
  result.bits /= double(result.tokens);
  if (!std::isfinite(result.bits))
    return makeError({ErrorCode::DecoderInput, "kiln generate: --perplexity",
                      "the model gives logits that are no numbers", "finite logits",
                      "NaN or an infinity", "verify the package with kiln verify"});
  return result;
}
