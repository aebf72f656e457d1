//===- RowTileConfig.cpp - Tiles of rows of transposes --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// So many rows at a time that what lies across them is read in whole sectors. All of
// these rows are in shared memory, row after row, so that teams read them as they
// read rows of global memory; how far apart they begin is chosen so that threads that
// write across them seldom meet in a bank.
//
//===----------------------------------------------------------------------===//

#include "Banks.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Bytes of a tile from which on more rows are no gain: enough are under way.
static constexpr int64_t kEnoughBytes = 8 << 10;
/// Elements of a tile that each thread has under way, in a register each.
static constexpr int64_t kThreadElements = 16;
/// Threads of blocks whose teams are smaller.
static constexpr int64_t kLeastThreads = 128, kMostThreads = 256;
/// Shared memory beside the rows: what reductions exchange.
static constexpr int64_t kExchangeBytes = 1024;
static constexpr int64_t kUnitBytes = tile::RowTileConfigAttr::kUnitBytes;

namespace {
/// A tile and who moves it.
struct Tile {
  int64_t rows, team;
  int64_t lineRun, rowRun; ///< elements of an access along lines, along rows
};
} // namespace

//===----------------------------------------------------------------------===//
// Banks
//===----------------------------------------------------------------------===//

/// Threads write what they have read of lines, an element into each row: neighbours,
/// then the next thread's.
static void addWrites(const Tile &tile, int64_t bytes, const GpuInfo &gpu, Spacing &pad) {
  int64_t pitch = kUnitBytes / bytes + pad.elements;
  int64_t run = std::min(tile.lineRun, tile.rows);
  for (int64_t part = 0; part < run; ++part) {
    SmallVector<int64_t> addresses;
    for (int64_t thread = 0; thread < gpu.warpThreads; ++thread) {
      int64_t element = thread * run + part;
      addresses.push_back((element % tile.rows * pitch + element / tile.rows) * bytes);
    }
    pad.conflicts += conflictsOf(addresses, bytes, gpu);
  }
}

/// Teams read along rows, every thread its neighbours of the result.
static void addReads(const Tile &tile, int64_t bytes, const GpuInfo &gpu, Spacing &pad) {
  int64_t pitch = kUnitBytes / bytes + pad.elements;
  int64_t width = std::min({tile.rowRun, gpu.accessBytes / bytes, pitch & -pitch});
  for (int64_t part = 0; part < tile.rowRun; part += width) {
    SmallVector<int64_t> addresses;
    for (int64_t thread = 0; thread < gpu.warpThreads; ++thread) {
      int64_t row = thread / tile.team % tile.rows;
      int64_t column = thread % tile.team * tile.rowRun + part;
      addresses.push_back((row * pitch + column) * bytes);
    }
    pad.conflicts += conflictsOf(addresses, width * bytes, gpu);
  }
  pad.accesses += tile.rowRun / width;
}

static int64_t choosePad(const Tile &tile, int64_t bytes, const GpuInfo &gpu) {
  std::optional<Spacing> best;
  for (int64_t elements = 0; elements * bytes < kUnitBytes; ++elements) {
    Spacing pad{elements};
    addWrites(tile, bytes, gpu, pad);
    addReads(tile, bytes, gpu, pad);
    if (!best || pad < *best)
      best = pad;
  }
  return best->elements;
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// The fewest rows whose lines are whole sectors, if there are so many, and the most
/// that are of use.
static std::pair<int64_t, int64_t> rowsOf(const RowTileProblem &problem, int64_t length) {
  int64_t bytes = narrowest(problem.turned), rowBytes = 0;
  for (const NeighbourAccess &access : problem.turned)
    rowBytes += access.bytes * length;
  int64_t all = int64_t(1) << 20;
  if (problem.rows)
    all = llvm::PowerOf2Ceil(std::max<int64_t>(*problem.rows, 1));
  int64_t least = std::min(kSectorBytes / bytes, all);
  int64_t most = least;
  while (most * 2 <= all && most * 2 * bytes <= kLineBytes &&
         most * 2 * rowBytes <= kEnoughBytes)
    most *= 2;
  return {least, most};
}

/// The way to compute a row, by as many threads as there are for so many.
static tile::PointwiseConfigAttr forRows(tile::PointwiseConfigAttr row, int64_t rows,
                                         const GpuInfo &gpu) {
  int64_t team = row.getTeam();
  if (team > gpu.warpThreads)
    return row;
  int64_t threads = std::clamp(rows * team, kLeastThreads, kMostThreads);
  return tile::PointwiseConfigAttr::get(row.getContext(), row.getLanes(), row.getGrain(),
                                        row.getStage(), threads, team, row.getShare(),
                                        row.getPositions());
}

/// As many columns at a time as keep `threads` busy, none of them with what another has.
static int64_t columnsOf(const RowTileProblem &problem, int64_t length, int64_t rows,
                         int64_t lineRun, int64_t threads) {
  int64_t perThread =
      kThreadElements / int64_t(llvm::PowerOf2Ceil(problem.turned.size()));
  int64_t busy = std::max<int64_t>(threads * std::max<int64_t>(perThread, 1) / rows, 1);
  int64_t columns = std::min<int64_t>(busy, llvm::PowerOf2Ceil(length));
  if (int64_t divides = length & -length; divides * 2 >= columns)
    columns = std::min(columns, divides); // and none are masked
  return std::max(columns, threads * std::min(lineRun, rows) / rows);
}

static int64_t sharedBytes(const RowTileProblem &problem, int64_t length, int64_t rows,
                           ArrayRef<int64_t> pads) {
  int64_t bytes = kExchangeBytes;
  for (auto [access, pad] : llvm::zip(problem.turned, pads)) {
    int64_t pitch = llvm::alignTo(length, kUnitBytes / access.bytes) + pad;
    bytes += llvm::alignTo(rows * pitch * access.bytes, 64);
  }
  return bytes;
}

/// A thread has a whole row and the next one the next.
static bool readsNeighbours(const RowTileProblem &problem,
                            ArrayRef<tile::PointwiseConfigAttr> ways) {
  return ways.front().getTeam() == 1 && problem.rowsAreNext;
}

bool kiln::codegen::holdsRowTile(MLIRContext *context, const RowTileProblem &problem,
                                 const TargetInfo &target) {
  if (!target.gpu || problem.turned.empty() ||
      readsNeighbours(problem, rankPointwiseConfigs(context, problem.row, target)))
    return true;
  return !rankRowTileConfigs(context, problem, target).empty();
}

SmallVector<tile::RowTileConfigAttr>
kiln::codegen::rankRowTileConfigs(MLIRContext *context, const RowTileProblem &problem,
                                  const TargetInfo &target) {
  SmallVector<tile::RowTileConfigAttr> found;
  if (!target.gpu || problem.turned.empty() || !problem.row.mostInner)
    return found;
  const GpuInfo &gpu = *target.gpu;
  int64_t length = std::max<int64_t>(*problem.row.mostInner, 1);
  auto [least, most] = rowsOf(problem, length);
  auto ways = rankPointwiseConfigs(context, problem.row, target);
  if (readsNeighbours(problem, ways))
    return found;
  for (tile::PointwiseConfigAttr row : ways) {
    if (row.getStage()) // what is not held in registers
      continue;
    for (int64_t rows = most; rows >= least; rows /= 2) {
      tile::PointwiseConfigAttr share = forRows(row, rows, gpu);
      int64_t team = std::min(share.getTeam(), gpu.warpThreads);
      int64_t perThread = std::max<int64_t>(share.getLanes() / share.getTeam(), 1);
      Tile tile{rows, team, commonRun(problem.turned, gpu),
                std::min(commonRun(problem.direct, gpu), perThread)};
      SmallVector<int64_t> pads;
      for (const NeighbourAccess &access : problem.turned)
        pads.push_back(choosePad(tile, access.bytes, gpu));
      if (sharedBytes(problem, length, rows, pads) > gpu.maxSharedBytes)
        continue;
      int64_t columns =
          columnsOf(problem, length, rows, tile.lineRun, share.getThreads());
      found.push_back(tile::RowTileConfigAttr::get(
          context, rows, columns, DenseI64ArrayAttr::get(context, pads), share));
    }
  }
  return found;
}
