//===- StreamKPlan.cpp - Stream-K split of the last wave ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StreamKPlan.h"

using namespace kiln::codegen;

std::optional<StreamKPlan> StreamKPlan::make(int64_t tiles, int64_t wave, int64_t steps,
                                             int64_t units) {
  int64_t tail = wave > 0 ? tiles % wave : 0;
  if (tail == 0 || units <= tail || units > wave || tail * steps < units)
    return std::nullopt;
  return StreamKPlan{tiles, tail, steps, units};
}

int64_t StreamKPlan::maxSplits() const {
  int64_t max = 1;
  for (int64_t tile = 0; tile < tailTiles; ++tile)
    max = std::max(max, unitOf((tile + 1) * steps - 1) - unitOf(tile * steps) + 1);
  return max;
}
