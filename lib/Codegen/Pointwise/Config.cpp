//===- Config.cpp - Configs of row and pointwise kernels ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Columns.h"
#include "Problem.h"
#include "../Expression/Contiguity.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Maximum cost of a row op's operand, in instructions per element, for which each pass
/// recomputes it instead of reading it from scratch.
static constexpr int64_t kCheapPrologue = 8;
/// Minimum cost of a heavy body.
static constexpr int64_t kHeavyBody = 24;
/// Registers per fragment: enough independent work to hide latencies, and few enough for
/// the temporaries of a polynomial.
static constexpr int64_t kRegisters = 4;
/// Elements of windows that a task reduces; each typically is a single multiply-add.
static constexpr int64_t kWindowGrain = 1 << 17;

/// Returns the largest power of two that divides the positions of all concatenation
/// boundaries along the vector loop; 0 if there are none.
static int64_t seamsOf(const Program &program) {
  const Loop *loop = program.vectorLoop();
  std::optional<int64_t> seams;
  program.body.walk(program.roots(), [&](Node *node) {
    if (!loop || node->kind != Node::Kind::Choose || !mentions(node->index, loop->var))
      return;
    SymbolicExpr fixed = replace(node->index, loop->var, SymbolicExpr(0));
    for (const SymbolicExpr &bound : ArrayRef(node->bounds).drop_front())
      seams = std::min(seams.value_or(int64_t(1) << 30), divisorOf(bound - fixed));
  });
  return seams.value_or(0);
}

PointwiseProblem kiln::codegen::problemOf(const Program &program) {
  PointwiseProblem problem;
  problem.walks = program.passes.size() + program.outputsWholeRows;
  problem.widestBytes = 1;
  // Nodes that are the same for all lanes cost next to nothing.
  llvm::DenseSet<Node *> varying = program.perElement();
  for (Node *node : varying) {
    problem.cost += node->cost;
    problem.widestBytes = std::max(problem.widestBytes, tile::elementBytes(node->type));
  }
  if (Node *source = program.source)
    program.body.walk(source, [&](Node *node) {
      if (!varying.contains(node))
        return;
      // A select costs about as much as a division.
      bool indirect = node->kind == Node::Kind::Choose;
      problem.prologueCost += node->cost + (indirect ? 5 : 0);
    });
  if (const Loop *loop = program.vectorLoop())
    problem.inner = loop->extent.getConstant();
  else
    problem.inner = 1;
  problem.mostInner = program.mostInner;
  problem.reducesInner = program.vectorIsReduced;
  problem.seams = seamsOf(program);
  problem.columns = columnProblemOf(program);
  if (const Loop *loop = positionLoop(program)) {
    problem.hasPositions = true;
    problem.positions = loop->extent.getConstant();
    problem.sharesOperands = !commonLoads(program, *loop).empty();
  }
  return problem;
}

/// Returns the maximum lanes, up to `limit`, that divide the loop, if they fill a
/// register; for a loop shorter than `limit`, the minimum that holds all of it.
static int64_t fitLanes(int64_t limit, int64_t registerLanes,
                        std::optional<int64_t> inner) {
  if (!inner)
    return limit;
  int64_t extent = std::max<int64_t>(*inner, 1);
  if (extent <= limit)
    return llvm::PowerOf2Ceil(extent);
  int64_t divides = std::min<int64_t>(limit, extent & -extent);
  return divides >= registerLanes ? divides : limit;
}

/// Threads per block: few enough for one block per multiprocessor at least, enough warps
/// per block to hide latencies.
static constexpr int64_t kBlockThreads = 128;
/// Minimum row length for which an entire block of twice the threads computes a row.
static constexpr int64_t kLongRow = 2048;
/// Fragments that a thread group computes successively.
static constexpr int64_t kTeamFragments = 4;
/// Maximum bytes of a row per thread that stay in registers between passes. A row of more
/// than half as many gets a block of more threads.
static constexpr int64_t kHeldBytes = 128;
static constexpr int64_t kMostThreads = 512;
/// Shared memory for the partial results of reductions, besides a row.
static constexpr int64_t kExchangeBytes = 1024;

namespace {
/// Threads that compute a row, and where it is kept between passes.
struct RowShare {
  int64_t threads, team, lanes;
  bool stage = false;
};
} // namespace

/// Selects where a row is kept between passes: in the registers of a warp or of a block,
/// in shared memory, or nowhere, so that it is read again.
static RowShare shareRow(const PointwiseProblem &problem, const GpuInfo &gpu,
                         int64_t length, int64_t bytes, int64_t width) {
  int64_t whole = llvm::PowerOf2Ceil(length);
  bool isWalkedAgain = problem.walks > 1;
  if (length < kLongRow &&
      (!isWalkedAgain || whole * bytes <= gpu.warpThreads * kHeldBytes)) {
    int64_t lanes = isWalkedAgain ? whole : std::min(gpu.warpThreads * width, whole);
    return {kBlockThreads, std::clamp<int64_t>(lanes / width, 1, gpu.warpThreads), lanes};
  }
  int64_t threads = kBlockThreads * 2;
  if (!isWalkedAgain || whole * bytes > kMostThreads * kHeldBytes) {
    bool fits = length * bytes + kExchangeBytes <= gpu.maxSharedBytes;
    return {threads, threads, threads * width, isWalkedAgain && fits};
  }
  while (threads < kMostThreads && whole * bytes > threads * kHeldBytes / 2)
    threads *= 2;
  return {threads, threads, whole};
}

/// Ranks configs for GPUs. A fragment belongs to a warp, or to fewer threads if it is
/// short; each thread has as many contiguous elements as one access.
static SmallVector<tile::PointwiseConfigAttr>
rankForGpu(MLIRContext *context, const PointwiseProblem &problem, const GpuInfo &gpu) {
  int64_t bytes = std::max<int64_t>(problem.widestBytes, 4);
  SmallVector<tile::PointwiseConfigAttr> configs =
      rankSharedColumns(context, problem, gpu);
  for (int64_t width : {gpu.accessBytes / bytes, int64_t(1)}) {
    RowShare share;
    // A row that is read several times must fit for any extent in the symbols' ranges.
    std::optional<int64_t> row = problem.walks > 1 ? problem.mostInner : problem.inner;
    if (problem.reducesInner && row) {
      share = shareRow(problem, gpu, std::max<int64_t>(*row, 1), bytes, width);
    } else {
      int64_t lanes = fitLanes(gpu.warpThreads * width, width, problem.inner);
      // A fragment that reads only one operand of a concatenation can use full accesses.
      if (problem.seams >= width)
        lanes = std::min(lanes, problem.seams);
      share = {kBlockThreads, std::clamp<int64_t>(lanes / width, 1, gpu.warpThreads),
               lanes};
    }
    int64_t grain = share.threads * width * kTeamFragments;
    auto config = tile::PointwiseConfigAttr::get(context, share.lanes, grain, share.stage,
                                                 share.threads, share.team, /*share=*/1,
                                                 /*positions=*/1);
    if (!llvm::is_contained(configs, config))
      configs.push_back(config);
  }
  return configs;
}

/// Returns the number of positions whose accumulators take half of the registers; fewer
/// if a smaller count divides all positions.
static int64_t positionsOf(const PointwiseProblem &problem, const TargetInfo &target,
                           int64_t fragmentRegisters) {
  if (!problem.hasPositions)
    return 1;
  int64_t most = target.vectorRegisters / 2 / std::max<int64_t>(fragmentRegisters, 1);
  most = std::min(most, std::max<int64_t>(problem.positions.value_or(most), 1));
  for (int64_t count = most; count > most / 2 && problem.positions; --count)
    if (*problem.positions % count == 0)
      return count;
  return std::max<int64_t>(most, 1);
}

SmallVector<tile::PointwiseConfigAttr>
kiln::codegen::rankPointwiseConfigs(MLIRContext *context, const PointwiseProblem &problem,
                                    const TargetInfo &target) {
  if (target.gpu)
    return rankForGpu(context, problem, *target.gpu);
  // Types wider than two bytes need twice the registers after conversion.
  int64_t registerLanes = target.lanes(std::max<int64_t>(problem.widestBytes, 2));
  bool stage = problem.walks > 1 && problem.prologueCost > kCheapPrologue;
  // Elements per task: enough to hide the cost of scheduling a task, few enough to
  // balance.
  int64_t grain = problem.cost > kHeavyBody ? 4096 : 16384;
  SmallVector<tile::PointwiseConfigAttr> configs;
  // Each pass over a row of unknown length ends with a masked fragment, which costs as
  // much as a full one. Shorter fragments of more positions reuse operands more often.
  bool masksOften = problem.reducesInner && !problem.inner && problem.walks > 1;
  int64_t first = masksOften || problem.sharesOperands ? kRegisters / 2 : kRegisters;
  for (int64_t registers :
       {first, kRegisters, kRegisters / 2, kRegisters / 4, kRegisters * 2}) {
    int64_t lanes = fitLanes(registerLanes * registers, registerLanes, problem.inner);
    int64_t positions =
        positionsOf(problem, target, llvm::divideCeil(lanes, registerLanes));
    auto config = tile::PointwiseConfigAttr::get(
        context, lanes, positions > 1 ? kWindowGrain : grain, stage,
        /*threads=*/0, /*team=*/0, /*share=*/1, positions);
    if (!llvm::is_contained(configs, config))
      configs.push_back(config);
  }
  return configs;
}
