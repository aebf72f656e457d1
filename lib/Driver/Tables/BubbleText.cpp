//===- BubbleText.cpp - Text about pipeline bubbles -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BubbleText.h"
#include <cmath>

using namespace llvm;

std::string kiln::driver::bubbleText(const Twine &program, int64_t microBatches,
                                     double bubble) {
  return (program + " in " + Twine(microBatches) +
          (microBatches == 1 ? " micro-batch" : " micro-batches") +
          ": a stage waits for " + Twine(std::lround(100 * bubble)) +
          " % of it (the bubble)")
      .str();
}
