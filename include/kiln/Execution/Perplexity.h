//===- Perplexity.h - Perplexity of a decoder on a text ---------*- C++ -*-===//
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
  uint64_t tokens = 0; ///< number of predicted tokens
  double bits = 0;     ///< mean of -log2 p over these tokens
  double perplexity() const;
};

/// Measures the perplexity. The tokens are cut into windows of the decoder's capacity
/// plus one that overlap by one token; each window begins without a past, and all of its
/// tokens but the first are predicted. An incomplete last window is dropped unless it is
/// the only one. Errors: KILN-E0001 for fewer than two tokens, E0617 for a NaN logit.
/// progress: receives the first token of each window before the window runs.
llvm::Expected<Perplexity>
measurePerplexity(Decoder &decoder, llvm::ArrayRef<int64_t> tokens,
                  llvm::function_ref<void(size_t token)> progress = nullptr);

} // namespace kiln::execution

#endif // KILN_EXECUTION_PERPLEXITY_H
