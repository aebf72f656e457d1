//===- Perplexity.h - How well a decoder predicts a text --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_PERPLEXITY_H
#define KILN_LIB_DRIVER_PERPLEXITY_H

#include "Generator.h"

namespace kiln::driver {

struct Perplexity {
  uint64_t tokens = 0; ///< predicted
  double bits = 0;     ///< the mean of -log2 p over these
  double perplexity() const;
};

/// Cuts the tokens into windows of the generator's capacity and one more that overlap by
/// one; each begins without a past, and all its tokens but the first are predicted. What
/// fills no window is left out, unless there is just one. Errors: KILN-E0001 for fewer
/// than two tokens, E0617 for a logit that is no number.
llvm::Expected<Perplexity> measurePerplexity(Generator &generator,
                                             llvm::ArrayRef<int64_t> tokens);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_PERPLEXITY_H
