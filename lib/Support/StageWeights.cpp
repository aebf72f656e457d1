//===- StageWeights.cpp - Weights that stages divide ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Support/StageWeights.h"

int64_t kiln::maxReplicatedWeight(llvm::ArrayRef<int64_t> weights, int64_t stages) {
  auto sumUpTo = [&](int64_t limit) {
    int64_t sum = 0;
    for (int64_t bytes : weights)
      sum += bytes <= limit ? bytes : 0;
    return sum;
  };
  int64_t total = sumUpTo(INT64_MAX), limit = total / (64 * stages);
  while (limit > 0 && sumUpTo(limit) > total / (16 * stages))
    limit /= 2;
  return limit;
}
