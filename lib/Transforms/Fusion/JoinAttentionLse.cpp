//===- JoinAttentionLse.cpp - Fuses attention and its log-sum-exp ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over the keys computes both, as results of one kernel.
//
//===----------------------------------------------------------------------===//

#include "Grouping.h"
#include "dialects/Graph/PartialAttention.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Returns the log-sum-exp of an attention if it can be moved directly behind it.
static AttentionLseOp joinable(AttentionOp attention) {
  AttentionLseOp lse = lseOf(attention);
  bool isReadBefore = lse && llvm::any_of(lse->getUsers(), [&](Operation *user) {
                        return user->isBeforeInBlock(attention);
                      });
  return isReadBefore ? AttentionLseOp() : lse;
}

void kiln::joinAttentionLse(SmallVector<Group> &groups) {
  llvm::DenseMap<Operation *, unsigned> places;
  for (auto [i, group] : llvm::enumerate(groups))
    places[group.tail()] = i;
  for (Group &group : groups) {
    auto attention =
        dyn_cast_or_null<AttentionOp>(group.ops.empty() ? nullptr : group.tail());
    AttentionLseOp lse = attention ? joinable(attention) : AttentionLseOp();
    if (!lse)
      continue;
    lse->moveAfter(attention);
    Group &other = groups[places.at(lse)];
    group.parts = {group, other};
    group.ops.push_back(lse);
    other.ops.clear();
  }
  llvm::erase_if(groups, [](const Group &group) { return group.ops.empty(); });
}
