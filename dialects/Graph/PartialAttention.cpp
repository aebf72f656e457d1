//===- PartialAttention.cpp - Attention over parts of the keys ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/PartialAttention.h"

using namespace mlir;
using namespace kiln::graph;

bool kiln::graph::isOfScores(AttentionLseOp lse, AttentionOp attention) {
  if (attention.getMask() || attention.getSinks() || attention.getNanZero())
    return false;
  return lse.getQuery() == attention.getQuery() && lse.getKey() == attention.getKey() &&
         lse.getLengths() == attention.getLengths() &&
         lse.getKeyScales() == attention.getKeyScales() &&
         lse.getScaleAttr() == attention.getScaleAttr() &&
         lse.getCausal() == attention.getCausal() &&
         lse.getFromLength() == attention.getFromLength() &&
         lse.getSoftcapAttr() == attention.getSoftcapAttr() &&
         lse.getWindowAttr() == attention.getWindowAttr();
}

AttentionLseOp kiln::graph::lseOf(AttentionOp attention) {
  for (Operation *user : attention.getQuery().getUsers())
    if (auto lse = dyn_cast<AttentionLseOp>(user);
        lse && lse->getBlock() == attention->getBlock() && isOfScores(lse, attention))
      return lse;
  return {};
}
