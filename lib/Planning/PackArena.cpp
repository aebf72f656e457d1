//===- PackArena.cpp - Offsets that hold for all dims ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers are packed greedily by size at the largest dims, as in Pisarchyk and
// Lee, "Efficient Memory Management for Deep Neural Net Inference" (2020). What
// is kept of that packing is the order: buffer b lies above every buffer a that
// is live with it and was packed below. Offsets are then longest paths, valid
// for any dims, and at the largest dims never worse than the packing.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "llvm/ADT/BitVector.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
struct Placed {
  unsigned buffer;
  int64_t offset, end;
};
} // namespace

static bool liveTogether(const Buffer &a, const Buffer &b) {
  return a.first <= b.last && b.first <= a.last;
}

/// The lowest offset at which `size` bytes fit between the placed buffers that
/// are live with `buffer`.
static int64_t firstFit(const Program &program, unsigned buffer, int64_t size,
                        ArrayRef<Placed> placed) {
  SmallVector<Placed> conflicts;
  for (const Placed &other : placed)
    if (liveTogether(program.buffers[buffer], program.buffers[other.buffer]))
      conflicts.push_back(other);
  llvm::sort(conflicts,
             [](const Placed &a, const Placed &b) { return a.offset < b.offset; });
  int64_t offset = 0;
  for (const Placed &other : conflicts) {
    if (offset + size <= other.offset)
      break;
    offset = std::max(offset, other.end);
  }
  return offset;
}

/// Conflicting buffers below, without those that another one already lies above.
static void recordOrder(Program &program, ArrayRef<Placed> placed) {
  SmallVector<Placed> sorted(placed);
  llvm::stable_sort(sorted,
                    [](const Placed &a, const Placed &b) { return a.offset < b.offset; });
  SmallVector<llvm::BitVector> below(sorted.size(), llvm::BitVector(sorted.size()));
  for (size_t i = 0; i < sorted.size(); ++i) {
    Buffer &buffer = program.buffers[sorted[i].buffer];
    for (size_t j = i; j-- > 0;) {
      if (!liveTogether(buffer, program.buffers[sorted[j].buffer]) || below[i].test(j))
        continue;
      buffer.above.push_back(sorted[j].buffer);
      below[i].set(j);
      below[i] |= below[j];
    }
  }
}

void kiln::packArena(Program &program, plan::ArenaKind arena,
                     const SymbolRanges &ranges) {
  auto bytes = [&](unsigned i) {
    return int64_t(llvm::alignTo(ranges.mostOf(program.buffers[i].size).value_or(0), 64));
  };
  SmallVector<unsigned> order;
  for (unsigned i = 0; i < program.buffers.size(); ++i)
    if (program.buffers[i].arena == arena && program.buffers[i].alias < 0)
      order.push_back(i);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return bytes(a) > bytes(b); });
  SmallVector<Placed> placed;
  for (unsigned i : order) {
    int64_t offset = firstFit(program, i, bytes(i), placed);
    placed.push_back({i, offset, offset + bytes(i)});
  }
  recordOrder(program, placed);
}

//===----------------------------------------------------------------------===//
// Size
//===----------------------------------------------------------------------===//

void kiln::addMaximum(SmallVectorImpl<SymbolicExpr> &maxima,
                      const SymbolicExpr &candidate) {
  for (const SymbolicExpr &other : maxima)
    if (other.dominates(candidate))
      return;
  llvm::erase_if(maxima,
                 [&](const SymbolicExpr &other) { return candidate.dominates(other); });
  maxima.push_back(candidate);
}

SmallVector<SymbolicExpr> kiln::arenaSize(const Program &program, plan::ArenaKind arena) {
  // Buffers come in any order of `above`; ends are computed on demand.
  DenseMap<unsigned, SmallVector<SymbolicExpr>> ends;
  std::function<const SmallVector<SymbolicExpr> &(unsigned)> endOf =
      [&](unsigned i) -> const SmallVector<SymbolicExpr> & {
    auto it = ends.find(i);
    if (it != ends.end())
      return it->second;
    SmallVector<SymbolicExpr> offsets, result;
    for (unsigned below : program.buffers[i].above)
      for (const SymbolicExpr &end : endOf(below))
        addMaximum(offsets, end);
    if (offsets.empty())
      offsets.push_back(0);
    for (const SymbolicExpr &offset : offsets)
      addMaximum(result, offset + program.buffers[i].size.alignTo(64));
    return ends[i] = std::move(result);
  };
  SmallVector<SymbolicExpr> maxima;
  for (unsigned i = 0; i < program.buffers.size(); ++i) {
    const Buffer &buffer = program.buffers[i];
    if (buffer.arena != arena || buffer.alias >= 0)
      continue;
    SmallVector<SymbolicExpr> own = endOf(i);
    for (const SymbolicExpr &end : own)
      addMaximum(maxima, end);
  }
  return maxima;
}
