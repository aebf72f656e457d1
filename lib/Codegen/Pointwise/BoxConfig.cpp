//===- BoxConfig.cpp - Boxes of short dims --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All but the last loop of either run are in a box as a whole; of the last ones there
// are as many positions as make runs of 128 bytes and whole sectors. What is chosen
// beyond that is how far apart lines lie in shared memory.
//
//===----------------------------------------------------------------------===//

#include "Banks.h"
#include "Box.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Lines that are loaded one after the other, and positions of one loop, at most.
static constexpr int64_t kMostSteps = 16, kMostLength = 256;
/// Bytes of a box that each thread moves.
static constexpr int64_t kThreadBytes = 32;
static constexpr int64_t kMostThreads = 256;
/// Shared memory that leaves room for several blocks on a multiprocessor.
static constexpr int64_t kMostScratch = 48 << 10;

/// Less than this, and there is too little to do for a block.
static constexpr int64_t kLeastBytes = 4096;

/// Of a loop with boxes.
static int64_t mostLength(const BoxProblem &problem, int64_t loop) {
  auto extent = problem.extents[loop];
  int64_t whole = llvm::PowerOf2Ceil(std::max<int64_t>(extent.value_or(kMostLength), 1));
  return std::min(kMostLength, whole);
}

/// Makes the last loop of a run long enough, whatever it was before.
static void lengthen(const BoxProblem &problem, ArrayRef<int64_t> run, int64_t bytes,
                     SmallVectorImpl<int64_t> &lengths) {
  int64_t whole = bytes;
  for (int64_t loop : run.drop_back())
    whole *= lengths[loop];
  int64_t &length = lengths[run.back()];
  while (length < mostLength(problem, run.back()) &&
         (length * whole < kLineBytes || length * whole % kSectorBytes != 0))
    length *= 2;
}

/// Positions of each loop in a box.
static SmallVector<int64_t> lengthsOf(const BoxProblem &problem) {
  SmallVector<int64_t> lengths(problem.extents.size(), 1);
  llvm::SmallDenseSet<int64_t> whole;
  for (ArrayRef<int64_t> run : {ArrayRef(problem.line), ArrayRef(problem.row)})
    for (int64_t loop : run.drop_back()) {
      lengths[loop] = *problem.extents[loop];
      whole.insert(loop);
    }
  if (!whole.contains(problem.line.back()))
    lengthen(problem, problem.line, narrowest(problem.boxed), lengths);
  if (!whole.contains(problem.row.back()))
    lengthen(problem, problem.row, narrowest(problem.direct), lengths);
  int64_t bytes = narrowest(problem.boxed);
  for (int64_t length : lengths)
    bytes *= length;
  for (int64_t loop : {problem.row.back(), problem.line.back()})
    for (; !whole.contains(loop) && bytes < kLeastBytes &&
           lengths[loop] < mostLength(problem, loop);
         bytes *= 2)
      lengths[loop] *= 2;
  return lengths;
}

/// What it costs teams to read the rows of a box: every thread its neighbours.
static Spacing costOf(const BoxProblem &problem, ArrayRef<int64_t> lengths, int64_t pitch,
                      int64_t bytes, int64_t run, int64_t team, const GpuInfo &gpu) {
  BoxLayout layout(lengths, problem.line, problem.row, pitch);
  Spacing cost{pitch};
  int64_t rows = layout.count(layout.acrossRows);
  for (int64_t part = 0; part < run; ++part) {
    SmallVector<int64_t> addresses;
    for (int64_t thread = 0; thread < gpu.warpThreads; ++thread) {
      int64_t column = (thread % team * run + part) % layout.rowLength;
      addresses.push_back((layout.address(problem.row, column) +
                           layout.address(layout.acrossRows, thread / team % rows)) *
                          bytes);
    }
    cost.conflicts += conflictsOf(addresses, bytes, gpu);
  }
  return cost;
}

SmallVector<tile::BoxConfigAttr>
kiln::codegen::rankBoxConfigs(MLIRContext *context, const BoxProblem &problem,
                              const TargetInfo &target) {
  if (!target.gpu || problem.boxed.empty())
    return {};
  const GpuInfo &gpu = *target.gpu;
  SmallVector<int64_t> lengths = lengthsOf(problem);
  BoxLayout layout(lengths, problem.line, problem.row, /*pitch=*/1);
  int64_t lines = layout.count(layout.acrossLines);
  if (auto loop = layout.fragmentLoop(); loop && lines / lengths[*loop] > kMostSteps)
    return {};

  int64_t run = std::min(commonRun(problem.direct, gpu), layout.rowLength & -layout.rowLength);
  int64_t bytes = 0;
  for (const NeighbourAccess &access : problem.boxed)
    bytes = std::max(bytes, access.bytes * layout.lineLength * lines);
  int64_t threads = std::clamp(int64_t(llvm::PowerOf2Ceil(bytes / kThreadBytes)),
                               gpu.warpThreads, kMostThreads);
  int64_t team = llvm::PowerOf2Ceil(llvm::divideCeil(layout.rowLength, run));
  // One row is everybody's.
  bool isOneRow = layout.acrossRows.empty();
  team = isOneRow ? threads : std::min(team, gpu.warpThreads);

  SmallVector<int64_t> pitches;
  int64_t scratch = 0;
  for (const NeighbourAccess &access : problem.boxed) {
    std::optional<Spacing> best;
    for (int64_t more = 0; more * access.bytes < kLineBytes; ++more) {
      Spacing cost = costOf(problem, lengths, layout.lineLength + more, access.bytes, run,
                            std::min(team, gpu.warpThreads), gpu);
      if (!best || cost < *best)
        best = cost;
    }
    pitches.push_back(best->elements);
    scratch += llvm::alignTo(best->elements * lines * access.bytes, kScratchAlignment);
  }
  if (scratch > kMostScratch)
    return {};
  return {tile::BoxConfigAttr::get(context, DenseI64ArrayAttr::get(context, lengths),
                                   DenseI64ArrayAttr::get(context, pitches), threads,
                                   team)};
}
