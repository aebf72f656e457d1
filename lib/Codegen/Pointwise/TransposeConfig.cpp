//===- TransposeConfig.cpp - Tiles of transposes --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile is as wide as makes lines of whole sectors on both sides. What is chosen
// beyond that is how its lines lie in shared memory: so that neither threads that
// write along lines nor threads that read across them meet in a bank. The choice
// looks at a warp as the lowering lays it out (Layout::stream, Layout::row). A host
// transposes squares in registers.
//
//===----------------------------------------------------------------------===//

#include "Banks.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Sides of a tile, unless the problem has one that is shorter.
static constexpr int64_t kLeastSide = 16, kMostRows = 128, kMostColumns = 64;
static constexpr int64_t kMostLength = 256;
/// Bytes of a tile that each thread moves: two of the widest accesses under way.
static constexpr int64_t kThreadBytes = 32;
static constexpr int64_t kMostThreads = 256;
/// Shared memory that leaves room for several blocks on a multiprocessor.
static constexpr int64_t kMostScratch = 48 << 10;
/// The smallest square that is transposed in registers of a host.
static constexpr int64_t kLeastHostSide = 4;

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

/// A side along which all of these have lines of whole sectors.
static int64_t sideOf(ArrayRef<NeighbourAccess> accesses, int64_t most) {
  return std::clamp(kLineBytes / narrowest(accesses), kLeastSide, most);
}

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

namespace {
/// A tile and who moves it.
struct Tile {
  int64_t rows, columns, threads, team;
  int64_t lineRun, rowRun; ///< elements of an access along lines, along rows
};
} // namespace

/// Threads write what they have read of lines: neighbours, then the next thread's.
static void addWrites(const Tile &tile, int64_t bytes, const GpuInfo &gpu,
                      Spacing &pitch) {
  int64_t run = std::min(tile.lineRun, tile.rows);
  int64_t width = std::min(run, pitch.elements & -pitch.elements);
  for (int64_t part = 0; part < run; part += width) {
    SmallVector<int64_t> addresses;
    for (int64_t thread = 0; thread < gpu.warpThreads; ++thread) {
      int64_t element = thread * run + part;
      addresses.push_back((element / tile.rows * pitch.elements + element % tile.rows) *
                          bytes);
    }
    pitch.conflicts += conflictsOf(addresses, width * bytes, gpu);
  }
  pitch.accesses += run / width;
}

/// Teams read across lines, a row each, every thread its neighbours of the result.
static void addReads(const Tile &tile, int64_t bytes, const GpuInfo &gpu,
                     Spacing &pitch) {
  int64_t run = std::min(tile.rowRun, std::max<int64_t>(tile.columns / tile.team, 1));
  for (int64_t part = 0; part < run; ++part) {
    SmallVector<int64_t> addresses;
    for (int64_t thread = 0; thread < gpu.warpThreads; ++thread) {
      int64_t row = thread / tile.team % tile.rows;
      int64_t column = thread % tile.team * run + part;
      addresses.push_back((column % tile.columns * pitch.elements + row) * bytes);
    }
    pitch.conflicts += conflictsOf(addresses, bytes, gpu);
  }
}

static Spacing choosePitch(const Tile &tile, int64_t bytes, const GpuInfo &gpu) {
  std::optional<Spacing> best;
  // Further apart lines lie in the same banks again.
  for (int64_t more = 0; more * bytes < kLineBytes; ++more) {
    Spacing pitch{tile.rows + more};
    addWrites(tile, bytes, gpu, pitch);
    addReads(tile, bytes, gpu, pitch);
    if (!best || pitch < *best)
      best = pitch;
  }
  return *best;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Rows and columns: the side of either, unless there are fewer; then more of the other.
static std::pair<int64_t, int64_t> extentsOf(const TransposeProblem &problem) {
  int64_t rowSide = sideOf(problem.turned, kMostRows);
  int64_t columnSide = sideOf(problem.direct, kMostColumns);
  auto most = [](std::optional<int64_t> extent) -> int64_t {
    return extent ? std::min<int64_t>(llvm::PowerOf2Ceil(std::max<int64_t>(*extent, 1)),
                                      kMostLength)
                  : kMostLength;
  };
  int64_t area = rowSide * columnSide;
  int64_t rows = std::min(rowSide, most(problem.rows));
  int64_t columns = std::min(columnSide, most(problem.columns));
  if (rows < rowSide)
    columns = std::min(area / rows, most(problem.columns));
  if (columns < columnSide)
    rows = std::min(area / columns, most(problem.rows));
  return {rows, columns};
}

/// A thread has whole rows of the result, and its neighbours the next ones: then they
/// read neighbours without a tile.
static bool fitsThread(const TransposeProblem &problem, int64_t rowRun) {
  return problem.rowsAreNext && problem.columns && *problem.columns <= rowRun;
}

/// A square of as many registers as one has elements: each is loaded and stored whole.
/// Elements of less than four bytes make shorter lines, wider ones fewer lanes.
static SmallVector<tile::TransposeConfigAttr> rankForHost(MLIRContext *context,
                                                          const TransposeProblem &problem,
                                                          const TargetInfo &target) {
  int64_t bytes = 4;
  for (const NeighbourAccess &access : problem.turned)
    bytes = std::max(bytes, access.bytes);
  int64_t side = target.lanes(bytes);
  for (std::optional<int64_t> extent : {problem.rows, problem.columns})
    if (extent)
      side = std::min<int64_t>(side,
                               llvm::bit_floor(uint64_t(std::max<int64_t>(*extent, 1))));
  // Short rows and columns: single elements cost no more.
  if (side < kLeastHostSide)
    return {};
  SmallVector<int64_t> pitches(problem.turned.size(), side);
  return {tile::TransposeConfigAttr::get(context, side, side,
                                         DenseI64ArrayAttr::get(context, pitches),
                                         /*threads=*/0, /*team=*/0)};
}

SmallVector<tile::TransposeConfigAttr>
kiln::codegen::rankTransposeConfigs(MLIRContext *context, const TransposeProblem &problem,
                                    const TargetInfo &target) {
  if (problem.turned.empty())
    return {};
  if (!target.gpu)
    return rankForHost(context, problem, target);
  const GpuInfo &gpu = *target.gpu;
  Tile tile;
  tile.lineRun = commonRun(problem.turned, gpu);
  tile.rowRun = commonRun(problem.direct, gpu);
  if (fitsThread(problem, tile.rowRun))
    return {};
  std::tie(tile.rows, tile.columns) = extentsOf(problem);
  // No two threads of a warp have the same.
  tile.columns = std::max(tile.columns, gpu.warpThreads * tile.lineRun / tile.rows);
  int64_t lineBytes = 0;
  for (const NeighbourAccess &access : problem.turned)
    lineBytes = std::max(lineBytes, access.bytes * tile.rows);
  tile.threads =
      std::clamp(int64_t(llvm::PowerOf2Ceil(lineBytes * tile.columns / kThreadBytes)),
                 gpu.warpThreads, kMostThreads);
  tile.threads = std::min(tile.threads, tile.rows * tile.columns / tile.lineRun);

  std::vector<std::pair<int64_t, tile::TransposeConfigAttr>> found;
  int64_t widest = std::clamp<int64_t>(tile.columns / tile.rowRun, 1, gpu.warpThreads);
  // What a team accesses at once is a sector at least.
  int64_t least = kSectorBytes / (tile.rowRun * narrowest(problem.direct));
  least = std::clamp<int64_t>(least, 1, widest);
  for (tile.team = widest; tile.team >= least; tile.team /= 2) {
    SmallVector<int64_t> pitches;
    int64_t conflicts = 0, scratch = 0;
    for (const NeighbourAccess &access : problem.turned) {
      Spacing pitch = choosePitch(tile, access.bytes, gpu);
      pitches.push_back(pitch.elements);
      conflicts += pitch.conflicts;
      scratch += llvm::alignTo(pitch.elements * tile.columns * access.bytes, 64);
    }
    if (scratch <= kMostScratch)
      found.push_back({conflicts, tile::TransposeConfigAttr::get(
                                      context, tile.rows, tile.columns,
                                      DenseI64ArrayAttr::get(context, pitches),
                                      tile.threads, tile.team)});
  }
  // Wider teams come first.
  llvm::stable_sort(found,
                    [](const auto &a, const auto &b) { return a.first < b.first; });
  return llvm::map_to_vector(found, [](const auto &entry) { return entry.second; });
}
