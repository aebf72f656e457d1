//===- Perplexity.h - How well a decoder predicts a text --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_PERPLEXITY_H
#define KILN_EXECUTION_PERPLEXITY_H

#include "kiln/Execution/Generator.h"

namespace kiln::execution {

struct Perplexity {
  uint64_t tokens = 0; ///< predicted
  double bits = 0;     ///< the mean of -log2 p over these
  double perplexity() const;
};

/// Cuts the tokens into windows of the decoder's capacity and one more that overlap by
/// one; each begins without a past, and all its tokens but the first are predicted. What
/// fills no window is left out, unless there is just one. Errors: KILN-E0001 for fewer
/// than two tokens, E0617 for a logit that is no number. progress: gets the first token
/// of each window before it runs.
llvm::Expected<Perplexity>
measurePerplexity(Decoder &decoder, llvm::ArrayRef<int64_t> tokens,
                  llvm::function_ref<void(size_t token)> progress = nullptr);

} // namespace kiln::execution

#endif // KILN_EXECUTION_PERPLEXITY_H
