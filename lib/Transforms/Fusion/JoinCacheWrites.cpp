//===- JoinCacheWrites.cpp - Fuses writes of rows to caches ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A decode step computes few elements per layer, so the number of launches matters: the
// rotated query and the new rows of key and value are small and independent.
//
//===----------------------------------------------------------------------===//

#include "Grouping.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static KvWriteOp writeOf(const Group &group) { return dyn_cast<KvWriteOp>(group.tail()); }

static RopeOp ropeOf(const Group &group) {
  for (Operation *op : group.ops)
    if (auto rope = dyn_cast<RopeOp>(op))
      return rope;
  return {};
}

/// Whether the group writes rows of a cache, or rotates with elementwise ops only.
static bool isCandidate(const Group &group) {
  return writeOf(group) || (group.hero->isPlain() && ropeOf(group));
}

/// Whether both use the positions of the same new rows.
static bool areAlike(const Group &lhs, const Group &rhs) {
  if (KvWriteOp a = writeOf(lhs), b = writeOf(rhs);
      a && b && (a.getStarts() != b.getStarts() || a.getCounts() != b.getCounts()))
    return false;
  RopeOp a = ropeOf(lhs), b = ropeOf(rhs);
  return !a || !b || a.getCosine() == b.getCosine();
}

/// Whether all ops that use the value come after `op`.
static bool isReadBehind(Value value, Operation *op) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (isCopiedIntoUsers(user))
      return isReadBehind(user->getResult(0), op);
    return op->isBeforeInBlock(user);
  });
}

static bool mayJoin(ArrayRef<unsigned> set, unsigned candidate, ArrayRef<Group> groups) {
  const Group &own = groups[candidate];
  return llvm::all_of(set, [&](unsigned member) {
    return areAlike(groups[member], own) &&
           isReadBehind(groups[member].tail()->getResult(0), own.tail());
  });
}

static Group join(ArrayRef<unsigned> set, ArrayRef<Group> groups) {
  Group joined;
  for (unsigned member : set) {
    if (writeOf(groups[member]))
      joined.hero = groups[member].hero;
    llvm::append_range(joined.ops, groups[member].ops);
    joined.parts.push_back(groups[member]);
  }
  llvm::sort(joined.ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return joined;
}

void kiln::joinCacheWrites(SmallVector<Group> &groups) {
  SmallVector<unsigned> set;
  auto close = [&] {
    bool hasWrite =
        llvm::any_of(set, [&](unsigned i) { return bool(writeOf(groups[i])); });
    if (set.size() > 1 && hasWrite) {
      Group joined = join(set, groups);
      for (unsigned member : set)
        groups[member].ops.clear();
      groups[set.back()] = std::move(joined);
    }
    set.clear();
  };
  for (unsigned i = 0; i < groups.size(); ++i) {
    if (!isCandidate(groups[i]))
      continue;
    if (!mayJoin(set, i, groups))
      close();
    set.push_back(i);
  }
  close();
  llvm::erase_if(groups, [](const Group &group) { return group.ops.empty(); });
}
