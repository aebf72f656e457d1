//===- PackArena.cpp - Offsets that are valid for all dims ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers are packed greedily by size at the maximum dims, as in Pisarchyk and Lee,
// "Efficient Memory Management for Deep Neural Net Inference" (2020). Only the order of
// that packing is kept: buffer b lies above every buffer a that is live at the same time
// and was packed below it. Offsets are the longest paths in that order, which are valid
// for any dims and, at the maximum dims, never above the packed ones.
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "llvm/ADT/BitVector.h"

#include <limits>

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
struct Placed {
  unsigned buffer;
  int64_t offset, end;
};
} // namespace

/// Returns true if a rank has both at the same time. States of different pipeline stages
/// are on different ranks.
static bool liveTogether(const Buffer &a, const Buffer &b) {
  bool isOneRank = a.stage == b.stage || a.stage == kAllStages || b.stage == kAllStages;
  return isOneRank && a.first <= b.last && b.first <= a.last;
}

/// Returns the lowest offset at which `size` bytes fit between the placed buffers that
/// are live at the same time as `buffer`. `placed` is sorted by offset.
static int64_t firstFit(const Program &program, unsigned buffer, int64_t size,
                        ArrayRef<Placed> placed) {
  int64_t offset = 0;
  for (const Placed &other : placed) {
    if (offset + size <= other.offset)
      break;
    if (liveTogether(program.buffers[buffer], program.buffers[other.buffer]))
      offset = std::max(offset, other.end);
  }
  return offset;
}

/// Records, per buffer, the conflicting buffers below it, without those implied by
/// transitivity.
static void recordOrder(Program &program, ArrayRef<Placed> sorted) {
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
    return int64_t(llvm::alignTo(ranges.maxOf(program.buffers[i].size).value_or(0), 64));
  };
  SmallVector<unsigned> order;
  for (unsigned i = 0; i < program.buffers.size(); ++i)
    if (program.buffers[i].arena == arena && program.buffers[i].alias < 0)
      order.push_back(i);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    bool isStateA = isState(program.buffers[a]), isStateB = isState(program.buffers[b]);
    return isStateA != isStateB ? isStateA : bytes(a) > bytes(b);
  });
  SmallVector<Placed> placed; // sorted by offset
  for (unsigned i : order) {
    int64_t offset = firstFit(program, i, bytes(i), placed);
    // At equal offsets, earlier placed buffers come first.
    auto *at = llvm::upper_bound(
        placed, offset, [](int64_t value, const Placed &p) { return value < p.offset; });
    placed.insert(at, {i, offset, offset + bytes(i)});
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

namespace {
/// Computes the ends of the buffers of an arena.
class ArenaEnds {
public:
  ArenaEnds(const Program &program, plan::ArenaKind arena, const SymbolRanges &ranges)
      : program(program), arena(arena), ranges(ranges) {}

  /// Returns the exact maximum; nullopt if an end is a maximum of too many polynomials: n
  /// buffers of incomparable sizes have 2^n sums.
  std::optional<SmallVector<SymbolicExpr>> exact() { return maximum(/*bounded=*/false); }
  /// Returns an upper bound that is a few bytes larger: adds 63 bytes to each size
  /// instead of rounding up, so that polynomials have few terms, and merges two
  /// polynomials into their coefficient-wise maximum if there are still too many.
  SmallVector<SymbolicExpr> bound() { return *maximum(/*bounded=*/true); }

private:
  std::optional<SmallVector<SymbolicExpr>> maximum(bool bounded);
  bool add(SmallVectorImpl<SymbolicExpr> &maxima, const SymbolicExpr &end, bool bounded);
  bool dominates(const SymbolicExpr &a, const SymbolicExpr &b) const;
  SymbolicExpr join(const SymbolicExpr &a, const SymbolicExpr &b) const;

  static constexpr size_t kMaxPolynomials = 16;
  const Program &program;
  plan::ArenaKind arena;
  const SymbolRanges &ranges;
};
} // namespace

bool ArenaEnds::dominates(const SymbolicExpr &a, const SymbolicExpr &b) const {
  if (a.dominates(b))
    return true;
  std::optional<Bounds> difference = ranges.boundsOf(a - b);
  return difference && difference->min >= 0;
}

/// Returns an upper bound of both for any values of the symbols.
SymbolicExpr ArenaEnds::join(const SymbolicExpr &a, const SymbolicExpr &b) const {
  // Since max(a, b) = b + max(a - b, 0), it suffices to add the positive terms of a - b.
  SymbolicExpr result = b, difference = a - b;
  for (const SymbolicExpr::Term &term : difference.getTerms()) {
    SymbolicExpr product = SymbolicExpr::fromTerm(term);
    std::optional<Bounds> bounds = ranges.boundsOf(product);
    if (!bounds)
      return std::numeric_limits<int64_t>::max() / 2;
    if (bounds->min >= 0)
      result += product;
    else if (bounds->max > 0)
      result += bounds->max;
  }
  return result;
}

bool ArenaEnds::add(SmallVectorImpl<SymbolicExpr> &maxima, const SymbolicExpr &end,
                    bool bounded) {
  if (bounded && llvm::any_of(maxima, [&](auto &other) { return dominates(other, end); }))
    return true;
  addMaximum(maxima, end);
  if (maxima.size() <= kMaxPolynomials)
    return true;
  if (!bounded)
    return false;
  SymbolicExpr last = maxima.pop_back_val(), both = join(last, maxima.pop_back_val());
  addMaximum(maxima, both);
  return true;
}

std::optional<SmallVector<SymbolicExpr>> ArenaEnds::maximum(bool bounded) {
  std::vector<SmallVector<SymbolicExpr, 1>> ends(program.buffers.size());
  SmallVector<SymbolicExpr> maxima;
  for (unsigned i : program.inOrder()) {
    const Buffer &buffer = program.buffers[i];
    if (buffer.arena != arena || buffer.alias >= 0)
      continue;
    SmallVector<SymbolicExpr> offsets;
    for (unsigned below : buffer.above)
      for (const SymbolicExpr &end : ends[below])
        if (!add(offsets, end, bounded))
          return std::nullopt;
    if (offsets.empty())
      offsets.push_back(0);
    SymbolicExpr size = buffer.size.alignTo(64);
    if (bounded && !size.isConstant())
      size = buffer.size + SymbolicExpr(63);
    for (const SymbolicExpr &offset : offsets)
      if (!add(ends[i], offset + size, bounded) ||
          !add(maxima, offset + size, bounded))
        return std::nullopt;
  }
  return maxima;
}

SmallVector<SymbolicExpr> kiln::arenaSize(const Program &program, plan::ArenaKind arena,
                                          const SymbolRanges &ranges) {
  ArenaEnds ends(program, arena, ranges);
  std::optional<SmallVector<SymbolicExpr>> exact = ends.exact();
  return exact ? *exact : ends.bound();
}

SmallVector<unsigned> Program::inOrder() const {
  // Depth-first with an explicit stack, because chains can be as long as the program.
  SmallVector<unsigned> order, stack;
  std::vector<uint8_t> visited(buffers.size(), 0);
  for (unsigned root = 0; root < buffers.size(); ++root) {
    stack.push_back(root);
    while (!stack.empty()) {
      unsigned i = stack.back();
      if (visited[i]) {
        stack.pop_back();
        if (visited[i] == 1)
          order.push_back(i);
        visited[i] = 2;
        continue;
      }
      visited[i] = 1;
      if (buffers[i].alias >= 0 && !visited[buffers[i].alias])
        stack.push_back(buffers[i].alias);
      for (unsigned below : llvm::reverse(buffers[i].above))
        if (!visited[below])
          stack.push_back(below);
    }
  }
  return order;
}
