//===- StagingConfig.cpp - Tiles of staged operands -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile is large enough for full sectors in the order of the operand and of the result;
// a tile of a row kernel has entire rows. Padding between lines in shared memory
// minimizes bank conflicts. A host transposes squares in registers.
//
//===----------------------------------------------------------------------===//

#include "StagingLayout.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;
using tile::PointwiseConfigAttr;
using tile::StagingConfigAttr;
using Order = StagingLayout::Order;
using Accesses = ArrayRef<NeighbourAccess>;

/// Bytes of a tile: the minimum for a block, and the maximum to which a tile grows for
/// longer rows.
static constexpr int64_t kMinTileBytes = 4 << 10, kMaxTileBytes = 8 << 10;
/// Maximum positions of one loop in a tile, and maximum lines that are loaded
/// successively.
static constexpr int64_t kMaxLength = 256, kMaxSteps = 16;
/// Bytes of a tile per thread: two accesses of maximum width in flight.
static constexpr int64_t kThreadBytes = 32;
/// Elements of a tile of rows that each thread has in flight, in a register each.
static constexpr int64_t kThreadElements = 16;
static constexpr int64_t kMinRowThreads = 128, kMaxThreads = 256;
/// Maximum shared memory, so that several blocks fit a multiprocessor.
static constexpr int64_t kMaxScratch = 48 << 10;
/// Shared memory for the partial results of reductions, besides rows.
static constexpr int64_t kStagingExchangeBytes = 1024;
static constexpr int64_t kUnitBytes = StagingConfigAttr::kUnitBytes;
/// Minimum side of a square that a host transposes in registers, and squares per task,
/// which amortize the divisions of a task's index.
static constexpr int64_t kMinHostSide = 4, kHostTiles = 32;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Returns the maximum vector width that all accesses support, in elements.
static int64_t commonVector(Accesses accesses, const GpuInfo &gpu) {
  int64_t vector = gpu.accessBytes;
  for (const NeighbourAccess &access : accesses)
    vector = std::min({vector, gpu.accessBytes / access.bytes, access.divisor});
  return vector;
}

/// Returns the bytes of the smallest element; at most those of a line.
static int64_t narrowest(Accesses accesses) {
  int64_t bytes = kLineBytes;
  for (const NeighbourAccess &access : accesses)
    bytes = std::min(bytes, access.bytes);
  return bytes;
}

/// Returns the config by which a block computes the rows of a tile.
static PointwiseConfigAttr rowsBy(MLIRContext *context, int64_t lanes, int64_t grain,
                                  int64_t threads, int64_t group) {
  return PointwiseConfigAttr::get(context, lanes, grain, /*stage=*/false, threads, group,
                                  /*share=*/1, /*positions=*/1);
}

static StagingConfigAttr configOf(PointwiseConfigAttr compute, ArrayRef<int64_t> tile,
                                  ArrayRef<int64_t> pads) {
  MLIRContext *context = compute.getContext();
  return StagingConfigAttr::get(context, DenseI64ArrayAttr::get(context, tile),
                                DenseI64ArrayAttr::get(context, pads), compute);
}

//===----------------------------------------------------------------------===//
// Tiles of pointwise kernels
//===----------------------------------------------------------------------===//

namespace {
/// Builder of a tile's shape.
class Shape {
public:
  explicit Shape(const StagingProblem &problem)
      : lengths(problem.extents.size(), 1), problem(problem) {
    for (ArrayRef<int64_t> run : {ArrayRef(problem.line), ArrayRef(problem.row)})
      for (int64_t loop : run.drop_back()) {
        lengths[loop] = *problem.extents[loop];
        whole.insert(loop);
      }
    bytes = narrowest(problem.staged);
    makeSectors(problem.line, narrowest(problem.staged), INT64_MAX);
    makeSectors(problem.row, narrowest(problem.direct), kMaxTileBytes);
    for (int64_t loop : {problem.row.back(), problem.line.back()})
      while (elements() * bytes < kMinTileBytes && lengthen(loop)) {
      }
  }

  int64_t elements() const {
    int64_t product = 1;
    for (int64_t length : lengths)
      product *= length;
    return product;
  }
  /// Doubles the last loop of rows, unless the tile has all of it already.
  bool lengthenRow() {
    if (whole.contains(problem.row.back()))
      return false;
    lengths[problem.row.back()] *= 2;
    return true;
  }

  SmallVector<int64_t> lengths;

private:
  bool lengthen(int64_t loop) {
    int64_t extent = std::max<int64_t>(problem.extents[loop].value_or(kMaxLength), 1);
    int64_t max = std::min<int64_t>(kMaxLength, llvm::PowerOf2Ceil(extent));
    if (whole.contains(loop) || lengths[loop] >= max)
      return false;
    lengths[loop] *= 2;
    return true;
  }
  /// Lengthens the last loop of a run until its lines are full sectors.
  void makeSectors(ArrayRef<int64_t> run, int64_t elementBytes, int64_t maxTileBytes) {
    auto lineBytes = [&] {
      int64_t product = elementBytes;
      for (int64_t loop : run)
        product *= lengths[loop];
      return product;
    };
    while ((lineBytes() < kLineBytes || lineBytes() % kSectorBytes != 0) &&
           elements() * bytes < maxTileBytes && lengthen(run.back())) {
    }
  }

  const StagingProblem &problem;
  llvm::SmallDenseSet<int64_t> whole;
  int64_t bytes;
};
} // namespace

/// Returns true if a row fits one thread and the next thread has the next row; they then
/// read contiguous elements without a tile.
static bool fitsThread(const StagingProblem &problem, int64_t rowVector) {
  return problem.rowsAreNext && problem.extents[problem.row[0]] &&
         *problem.extents[problem.row[0]] <= rowVector;
}

/// Returns configs for all widths of thread groups, the one with the fewest bank
/// conflicts first, then the widest.
static SmallVector<StagingConfigAttr>
rankTiles(MLIRContext *context, const StagingProblem &problem, const GpuInfo &gpu) {
  int64_t lineVector = commonVector(problem.staged, gpu);
  int64_t rowVector = commonVector(problem.direct, gpu);
  if (fitsThread(problem, rowVector))
    return {};
  Shape shape(problem);
  // Every thread of a warp must have elements of its own.
  while (shape.elements() < gpu.warpThreads * lineVector && shape.lengthenRow()) {
  }
  StagingLayout layout(shape.lengths, problem.line, problem.row, Order::Operand);
  int64_t lines = layout.lines();
  if (auto loop = layout.fragmentLoop(); loop && lines / shape.lengths[*loop] > kMaxSteps)
    return {};
  int64_t bytes = 0;
  for (const NeighbourAccess &access : problem.staged)
    bytes = std::max(bytes, access.bytes * shape.elements());
  // At most as many threads as have elements of their own, but at least a warp.
  int64_t own = std::max<int64_t>(shape.elements() / lineVector, 1);
  int64_t threads =
      std::clamp<int64_t>(std::min<int64_t>(llvm::PowerOf2Ceil(bytes / kThreadBytes),
                                            llvm::bit_floor(uint64_t(own))),
                          gpu.warpThreads, kMaxThreads);

  rowVector = std::min(rowVector, layout.rowLength & -layout.rowLength);
  int64_t widest = llvm::PowerOf2Ceil(llvm::divideCeil(layout.rowLength, rowVector));
  widest = std::min(widest, gpu.warpThreads);
  // A thread group must access at least a sector.
  int64_t narrow = kSectorBytes / (rowVector * narrowest(problem.direct));
  narrow = std::clamp<int64_t>(narrow, 1, widest);
  std::vector<std::pair<int64_t, StagingConfigAttr>> found;
  for (int64_t group = widest; group >= narrow; group /= 2) {
    SmallVector<int64_t> pads;
    int64_t conflicts = 0, scratch = 0;
    for (const NeighbourAccess &access : problem.staged) {
      WarpAccesses warp{std::min(lineVector, layout.lineLength & -layout.lineLength),
                        rowVector, group};
      PitchCost cost = choosePad(layout, layout.lineLength, warp, access.bytes, gpu);
      pads.push_back(cost.pad);
      conflicts += cost.conflicts;
      scratch += llvm::alignTo((layout.lineLength + cost.pad) * lines * access.bytes,
                               kScratchAlignment);
    }
    // If there is a single row, the entire block computes it.
    int64_t team = layout.acrossRows.empty() ? threads : group;
    auto compute = rowsBy(context, llvm::PowerOf2Ceil(layout.rowLength), shape.elements(),
                          threads, std::min(team, threads));
    if (scratch <= kMaxScratch)
      found.push_back({conflicts, configOf(compute, shape.lengths, pads)});
  }
  llvm::stable_sort(found,
                    [](const auto &a, const auto &b) { return a.first < b.first; });
  auto configs =
      llvm::map_to_vector(found, [](const auto &entry) { return entry.second; });
  configs.erase(llvm::unique(configs), configs.end());
  return configs;
}

/// Returns a tile of n registers of n lanes, which are loaded and stored entirely.
/// Elements of less than four bytes do not fill them; wider ones reduce n.
static SmallVector<StagingConfigAttr> rankForHost(MLIRContext *context,
                                                  const StagingProblem &problem,
                                                  const TargetInfo &target) {
  if (problem.compute || problem.line.size() > 1 || problem.row.size() > 1)
    return {};
  int64_t bytes = 4;
  for (const NeighbourAccess &access : problem.staged)
    bytes = std::max(bytes, access.bytes);
  int64_t side = target.lanes(bytes);
  for (std::optional<int64_t> extent : problem.extents)
    if (extent)
      side = std::min<int64_t>(side,
                               llvm::bit_floor(uint64_t(std::max<int64_t>(*extent, 1))));
  // For short rows or columns, scalar accesses cost no more.
  if (side < kMinHostSide)
    return {};
  auto compute = rowsBy(context, side, kHostTiles * side * side, 0, 0);
  return {
      configOf(compute, {side, side}, SmallVector<int64_t>(problem.staged.size(), 0))};
}

//===----------------------------------------------------------------------===//
// Tiles of entire rows
//===----------------------------------------------------------------------===//

/// Returns the minimum number of rows for which lines are full sectors, if there are that
/// many, and the maximum that is useful.
static std::pair<int64_t, int64_t> rowsOf(const StagingProblem &problem, int64_t length) {
  int64_t bytes = narrowest(problem.staged), rowBytes = 0;
  for (const NeighbourAccess &access : problem.staged)
    rowBytes += access.bytes * length;
  int64_t all = int64_t(1) << 20;
  if (auto rows = problem.extents[problem.line[0]])
    all = llvm::PowerOf2Ceil(std::max<int64_t>(*rows, 1));
  int64_t min = std::min(kSectorBytes / bytes, all), max = min;
  while (max * 2 <= all && max * 2 * bytes <= kLineBytes &&
         max * 2 * rowBytes <= kMaxTileBytes)
    max *= 2;
  return {min, max};
}

/// Returns the config of a row with the number of threads that this many rows need.
static PointwiseConfigAttr forRows(PointwiseConfigAttr row, int64_t rows,
                                   const GpuInfo &gpu) {
  int64_t group = row.getGroupThreads();
  if (group > gpu.warpThreads)
    return row;
  int64_t threads = std::clamp(rows * group, kMinRowThreads, kMaxThreads);
  return PointwiseConfigAttr::get(row.getContext(), row.getLanes(), row.getGrain(),
                                  row.getStage(), threads, group, row.getReduceSplit(),
                                  row.getPositions());
}

/// Returns the columns to copy at a time, enough to keep `threads` busy with elements of
/// their own.
static int64_t columnsOf(const StagingProblem &problem, int64_t length, int64_t rows,
                         int64_t lineVector, int64_t threads) {
  int64_t perThread =
      kThreadElements / int64_t(llvm::PowerOf2Ceil(problem.staged.size()));
  int64_t busy = std::max<int64_t>(threads * std::max<int64_t>(perThread, 1) / rows, 1);
  int64_t columns = std::min<int64_t>(busy, llvm::PowerOf2Ceil(length));
  if (int64_t divides = length & -length; divides * 2 >= columns)
    columns = std::min(columns, divides); // avoids a masked remainder
  return std::max(columns, threads * std::min(lineVector, rows) / rows);
}

/// Returns true if a thread has an entire row and the next thread the next row.
static bool readsContiguously(const StagingProblem &problem,
                              ArrayRef<PointwiseConfigAttr> ways) {
  return ways.front().getGroupThreads() == 1 && problem.rowsAreNext;
}

/// Returns nullopt if the rows do not fit shared memory.
static std::optional<StagingConfigAttr> tileOfRows(const StagingProblem &problem,
                                                   PointwiseConfigAttr row, int64_t rows,
                                                   int64_t length, const GpuInfo &gpu) {
  PointwiseConfigAttr compute = forRows(row, rows, gpu);
  int64_t perThread =
      std::max<int64_t>(compute.getLanes() / compute.getGroupThreads(), 1);
  int64_t lineVector = std::min(commonVector(problem.staged, gpu), rows);
  WarpAccesses warp{lineVector, std::min(commonVector(problem.direct, gpu), perThread),
                    std::min(compute.getGroupThreads(), gpu.warpThreads)};
  // With a row whose end no warp accesses, the bank conflicts do not depend on the
  // length.
  constexpr int64_t kLongRow = 1 << 10;
  StagingLayout layout({kLongRow, rows}, problem.line, problem.row, Order::Result);
  SmallVector<int64_t> pads;
  int64_t bytes = kStagingExchangeBytes;
  for (const NeighbourAccess &access : problem.staged) {
    int64_t unit = kUnitBytes / access.bytes;
    pads.push_back(choosePad(layout, unit, warp, access.bytes, gpu).pad);
    bytes +=
        llvm::alignTo(rows * (llvm::alignTo(length, unit) + pads.back()) * access.bytes,
                      kScratchAlignment);
  }
  if (bytes > gpu.maxSharedBytes)
    return std::nullopt;
  int64_t columns = columnsOf(problem, length, rows, lineVector, compute.getThreads());
  return configOf(compute, {columns, rows}, pads);
}

static SmallVector<StagingConfigAttr>
rankRows(MLIRContext *context, const StagingProblem &problem, const TargetInfo &target) {
  SmallVector<StagingConfigAttr> found;
  if (!problem.compute->mostInner)
    return found;
  int64_t length = std::max<int64_t>(*problem.compute->mostInner, 1);
  auto [min, max] = rowsOf(problem, length);
  auto ways = rankPointwiseConfigs(context, *problem.compute, target);
  if (readsContiguously(problem, ways))
    return found;
  for (PointwiseConfigAttr row : ways) {
    if (row.getStage()) // requires a register-resident row
      continue;
    for (int64_t rows = max; rows >= min; rows /= 2)
      if (auto config = tileOfRows(problem, row, rows, length, *target.gpu))
        found.push_back(*config);
  }
  return found;
}

bool kiln::codegen::holdsStaging(MLIRContext *context, const StagingProblem &problem,
                                 const TargetInfo &target) {
  if (!target.gpu || !problem.compute ||
      readsContiguously(problem, rankPointwiseConfigs(context, *problem.compute, target)))
    return true;
  return !rankRows(context, problem, target).empty();
}

SmallVector<StagingConfigAttr>
kiln::codegen::rankStagingConfigs(MLIRContext *context, const StagingProblem &problem,
                                  const TargetInfo &target) {
  if (!target.gpu)
    return rankForHost(context, problem, target);
  return problem.compute ? rankRows(context, problem, target)
                         : rankTiles(context, problem, *target.gpu);
}
