//===- StageWeights.h - Replicated weights of pipelines ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule for small weights by which kiln-assign-stages cuts pipelines and estimates
// predict the cuts.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_STAGEWEIGHTS_H
#define KILN_SUPPORT_STAGEWEIGHTS_H

#include "llvm/ADT/ArrayRef.h"

namespace kiln {

/// Returns the size up to which all ranks have a weight: 1/64 of a stage's part of all
/// weights, or less if the small weights together would exceed 1/16 of it, as in models
/// of many layers. weights: bytes of each.
int64_t maxReplicatedWeight(llvm::ArrayRef<int64_t> weights, int64_t stages);

} // namespace kiln

#endif // KILN_SUPPORT_STAGEWEIGHTS_H
