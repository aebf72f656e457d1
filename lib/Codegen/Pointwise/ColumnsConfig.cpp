//===- ColumnsConfig.cpp - Configs of split reductions --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reduction is split over thread groups for three reasons: there are too few columns to
// keep a GPU busy; columns are so few that only adjacent positions together fill sectors;
// or an operand of several passes stays in shared memory, which has room for narrow
// column tiles only.
//
//===----------------------------------------------------------------------===//

#include "../Expression/Contiguity.h"
#include "Columns.h"
#include "StagingLayout.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Bytes per row of a column tile that does not have all columns: the size of a DRAM
/// access.
static constexpr int64_t kStripBytes = 64;
static constexpr int64_t kFewThreads = 128, kMostColumnThreads = 512;
/// Minimum number of positions for which a reduction is split.
static constexpr int64_t kFewPositions = 8;
/// Minimum number of positions per thread group before a block gets more threads.
static constexpr int64_t kTeamPositions = 4;
/// Assumed number of positions where it is known at run time only.
static constexpr int64_t kTypicalDepth = 128;
/// Shared memory of a block besides the kernel's scratch.
static constexpr int64_t kReservedBytes = 1024;

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

std::optional<ColumnProblem> kiln::codegen::columnProblemOf(const Program &program) {
  if (program.passes.empty() || program.vectorIsReduced || program.parallel.empty() ||
      program.reduced.empty())
    return std::nullopt;
  const Loop &columns = program.parallel.back();
  ColumnProblem problem;
  auto add = [&](Type element, const SymbolicExpr &index) {
    auto step = coefficientOf(index, columns.var);
    if (step && step->isConstant(1))
      problem.accesses.push_back(
          {tile::elementBytes(element),
           divisorOf(replace(index, columns.var, SymbolicExpr(0)))});
  };
  program.body.walk(program.roots(), [&](Node *node) {
    if (node->kind == Node::Kind::Load)
      add(node->storage, node->index);
  });
  for (const Output &output : program.outputs)
    add(output.value->type, output.address);
  problem.rows = extentOf(ArrayRef(program.parallel).drop_back()).getConstant();
  problem.depth = extentOf(program.reduced).getConstant();
  problem.mostDepth = program.mostDepth;
  for (const Pass &pass : program.passes)
    problem.sumBytes =
        std::max(problem.sumBytes, tile::elementBytes(pass.reduction.term->type));
  problem.stageBytes = tile::elementBytes(stagedType(program));
  return problem;
}

//===----------------------------------------------------------------------===//
// Selection of the config
//===----------------------------------------------------------------------===//

namespace {
/// Shape of a column tile, before its reduction is split over thread groups.
struct Strips {
  int64_t run;       ///< columns per thread
  int64_t narrowest; ///< minimum bytes of an element in memory
  bool isWhole;      ///< rows of column tiles are aligned to sectors
  int64_t lanes = 1;
  int64_t team(const GpuInfo &gpu) const {
    return std::clamp<int64_t>(lanes / run, 1, gpu.warpThreads);
  }
};
} // namespace

static Strips stripsOf(const PointwiseProblem &problem, const GpuInfo &gpu) {
  Strips strips{gpu.accessBytes / std::max<int64_t>(problem.widestBytes, 4),
                problem.widestBytes, true};
  for (const NeighbourAccess &access : problem.columns->accesses) {
    strips.run = std::min(strips.run, access.divisor);
    strips.narrowest = std::min(strips.narrowest, access.bytes);
    strips.isWhole &= access.divisor * access.bytes >= kSectorBytes;
  }
  int64_t most = gpu.warpThreads * strips.run;
  strips.lanes = strips.isWhole ? kStripBytes / strips.narrowest : most;
  if (problem.inner)
    strips.lanes = std::min<int64_t>(strips.lanes, llvm::PowerOf2Ceil(*problem.inner));
  strips.lanes = std::clamp(strips.lanes, strips.run, most);
  return strips;
}

namespace {
/// Selects the config for one problem.
class Sharing {
public:
  Sharing(const PointwiseProblem &problem, const GpuInfo &gpu)
      : problem(problem), columns(*problem.columns), gpu(gpu),
        strips(stripsOf(problem, gpu)),
        depth(columns.depth.value_or(
            std::min(columns.mostDepth.value_or(kTypicalDepth), kTypicalDepth))) {}

  tile::PointwiseConfigAttr choose(MLIRContext *context);

private:
  int64_t items() const {
    int64_t inner = problem.inner.value_or(strips.lanes);
    return columns.rows.value_or(1) * llvm::divideCeil(inner, strips.lanes);
  }
  /// Returns true if a split by this factor gives the GPU enough threads.
  bool areBusy(int64_t share) const {
    return items() * strips.team(gpu) * share >=
           gpu.model.multiprocessors * gpu.model.busyThreads();
  }
  int64_t mostShare(int64_t threads) const {
    return std::min<int64_t>(threads / strips.team(gpu), llvm::PowerOf2Ceil(depth));
  }
  bool fitsShared(int64_t threads) const;
  int64_t chooseThreads() const;
  /// Returns the minimum split that keeps the GPU busy; 1 if it is busy without a split.
  int64_t chooseShare(int64_t threads) const;

  const PointwiseProblem &problem;
  const ColumnProblem &columns;
  const GpuInfo &gpu;
  Strips strips;
  int64_t depth;
};
} // namespace

/// Returns true if shared memory has room for partial results, results of passes, and the
/// operand that is kept between passes, for the maximum extents.
bool Sharing::fitsShared(int64_t threads) const {
  if (!columns.mostDepth)
    return false;
  int64_t teams = threads / strips.team(gpu), groups = teams / mostShare(threads);
  int64_t bytes = (teams + groups * problem.walks) * strips.lanes * columns.sumBytes;
  bytes += groups * *columns.mostDepth * strips.lanes * columns.stageBytes;
  return bytes + kReservedBytes <= gpu.maxSharedBytes;
}

int64_t Sharing::chooseThreads() const {
  int64_t threads = kFewThreads;
  while (threads < kMostColumnThreads && items() <= gpu.model.multiprocessors &&
         depth > kTeamPositions * mostShare(threads))
    threads *= 2;
  return threads;
}

int64_t Sharing::chooseShare(int64_t threads) const {
  int64_t most = mostShare(threads), share = 1;
  bool isOneStrip = problem.inner && *problem.inner <= strips.lanes;
  if (!strips.isWhole && isOneStrip) // adjacent positions are contiguous in memory
    share = std::min(most, gpu.warpThreads / strips.team(gpu));
  else if (depth < kFewPositions)
    return 1;
  while (share < most && !areBusy(share))
    share *= 2;
  return share;
}

tile::PointwiseConfigAttr Sharing::choose(MLIRContext *context) {
  auto get = [&](int64_t threads, int64_t share, bool stage) {
    return tile::PointwiseConfigAttr::get(context, strips.lanes, threads * strips.run,
                                          stage, threads, strips.team(gpu), share,
                                          /*positions=*/1);
  };
  if (depth < 2)
    return {};
  int64_t widest = strips.lanes, threads = chooseThreads();
  if (problem.walks > 1) {
    // Tries narrower column tiles until one fits.
    for (; strips.lanes * strips.narrowest >= kSectorBytes || strips.lanes == widest;
         strips.lanes /= 2) {
      threads = chooseThreads();
      if (fitsShared(threads))
        return get(threads, mostShare(threads), /*stage=*/true);
    }
    strips.lanes = widest;
    threads = chooseThreads();
  }
  int64_t share = chooseShare(threads);
  return share > 1 ? get(threads, share, /*stage=*/false) : tile::PointwiseConfigAttr();
}

SmallVector<tile::PointwiseConfigAttr>
kiln::codegen::rankSharedColumns(MLIRContext *context, const PointwiseProblem &problem,
                                 const GpuInfo &gpu) {
  SmallVector<tile::PointwiseConfigAttr> configs;
  if (!problem.columns)
    return configs;
  if (tile::PointwiseConfigAttr config = Sharing(problem, gpu).choose(context))
    configs.push_back(config);
  return configs;
}
