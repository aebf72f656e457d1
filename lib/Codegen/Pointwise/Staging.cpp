//===- Staging.cpp - Operands staged through shared memory ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds loads that are contiguous along a single loop other than the result's, and the
// ranges in which concatenations select them. StagingRuns.cpp finds those that are
// contiguous along several short loops.
//
//===----------------------------------------------------------------------===//

#include "Staging.h"
#include "Problem.h"
#include "llvm/ADT/MapVector.h"

#include <set>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

int64_t Selection::low() const {
  int64_t max = 0;
  for (const SymbolicExpr &low : lows)
    max = std::max(max, low.getConstant().value_or(0));
  return max;
}

//===----------------------------------------------------------------------===//
// Ranges of selects
//===----------------------------------------------------------------------===//

namespace {
/// The selects above a load, and the operand of each that it belongs to.
using Path = std::vector<std::pair<Node *, size_t>>;
/// nullopt: the load is read under several different paths.
using Paths = llvm::MapVector<Node *, std::optional<Path>>;
} // namespace

static Paths pathsTo(ArrayRef<Node *> roots) {
  Paths paths;
  std::set<std::pair<Node *, Path>> seen;
  auto visit = [&](auto &self, Node *node, const Path &path) -> void {
    if (!seen.insert({node, path}).second)
      return;
    if (node->kind == Node::Kind::Load) {
      auto [it, isNew] = paths.insert({node, path});
      bool isAlways = path.empty() || (it->second && it->second->empty());
      if (isAlways)
        it->second = Path();
      else if (!isNew && it->second != path)
        it->second = std::nullopt;
    }
    for (auto [i, operand] : llvm::enumerate(node->operands)) {
      Path next = path;
      if (node->kind == Node::Kind::Choose)
        next.push_back({node, i});
      self(self, operand, next);
    }
  };
  for (Node *root : roots)
    visit(visit, root, {});
  return paths;
}

/// Adds the range in which a select selects its operand; false if the select does not
/// move along the loop with stride 1.
static bool addSelection(const Node *choice, size_t operand, const Loop &loop,
                         Selection &selection) {
  auto step = coefficientOf(choice->index, loop.var);
  SymbolicExpr fixed = replace(choice->index, loop.var, SymbolicExpr(0));
  if (!step || !step->isConstant(1) || llvm::any_of(fixed.getSymbols(), isVariable))
    return false;
  if (operand > 0)
    selection.lows.push_back(choice->bounds[operand] - fixed);
  if (operand + 1 < choice->operands.size())
    selection.highs.push_back(choice->bounds[operand + 1] - fixed);
  return true;
}

/// Returns a load and the ranges in which it is selected; nullopt if these are not ranges
/// of the tile's loops.
static std::optional<StagedLoad> selected(Node *load, const Path &path,
                                          ArrayRef<const Loop *> loops) {
  StagedLoad result{load, std::vector<Selection>(loops.size()), {}};
  for (auto [choice, operand] : path) {
    bool isAlong = false;
    for (auto [loop, selection] : llvm::zip(loops, result.selections))
      isAlong = isAlong || addSelection(choice, operand, *loop, selection);
    if (isAlong)
      continue;
    if (llvm::any_of(loops, [choice = choice](const Loop *loop) {
          return mentions(choice->index, loop->var);
        }))
      return std::nullopt;
    OuterSelection outer{choice->index, {}, {}};
    if (operand > 0)
      outer.low = choice->bounds[operand];
    if (operand + 1 < choice->operands.size())
      outer.high = choice->bounds[operand + 1];
    result.outer.push_back(outer);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Staging along one loop
//===----------------------------------------------------------------------===//

static constexpr size_t kColumns = 0, kRows = 1; // indices of the loops of such a tile

/// Makes tiles begin where all operands begin, if they agree.
static void findBegins(Staging &staging) {
  const StagedLoad &first = staging.loads.front();
  int64_t rows = first.selections[kRows].low();
  bool agree = llvm::all_of(staging.loads, [&](const StagedLoad &load) {
    return load.selections[kRows].low() == rows;
  });
  // The result is stored from the same position, with accesses that are as wide.
  constexpr int64_t kAccessBytes = 16;
  const Selection &columns = first.selections[kColumns];
  int64_t begin = columns.low();
  if (!begin && !columns.highs.empty())
    begin = columns.highs.front().getConstant().value_or(0);
  bool isAligned =
      divisorOf(begin) * tile::elementBytes(first.load->storage) % kAccessBytes == 0;
  staging.begins = {begin > 0 && isAligned ? begin : 0, agree ? rows : 0};
}

/// Returns the innermost loop of the result, if loads that are strided along it can be
/// staged, in a pointwise program or one of rows.
static const Loop *columnsOf(const Program &program) {
  if (program.vectorIsReduced)
    return program.reduced.size() == 1 ? &program.reduced.front() : nullptr;
  bool isPointwise = program.reduced.empty() && program.passes.empty();
  return isPointwise && program.parallel.size() > 1 ? &program.parallel.back() : nullptr;
}

/// Returns the loads that a tile can stage, grouped by the loop along which they are
/// contiguous.
static std::vector<Staging> stagingsByLoop(const Program &program) {
  const Loop *columns = columnsOf(program);
  if (!columns)
    return {};
  llvm::MapVector<const Loop *, Staging> found;
  for (auto &[load, path] : pathsTo(program.roots())) {
    const Loop *rows =
        path ? contiguousLoop(program, program.parallel, *columns, load) : nullptr;
    if (!rows)
      continue;
    if (auto staged = selected(load, *path, {columns, rows})) {
      Staging &staging = found[rows];
      staging.loops = {columns, rows};
      staging.line = {kRows};
      staging.row = {kColumns};
      staging.hasWholeRows = program.vectorIsReduced;
      staging.loads.push_back(*staged);
    }
  }
  auto all = llvm::make_second_range(found);
  return {all.begin(), all.end()};
}

/// Returns the group with the most bytes; without loads if there is none.
static Staging largestByLoop(const Program &program) {
  auto bytes = [](const Staging &staging) {
    int64_t sum = 0;
    for (const StagedLoad &load : staging.loads)
      sum += tile::elementBytes(load.load->storage);
    return sum;
  };
  Staging best;
  for (const Staging &staging : stagingsByLoop(program))
    if (bytes(staging) > bytes(best))
      best = staging;
  if (!best.loads.empty())
    findBegins(best);
  return best;
}

std::vector<Staging> kiln::codegen::findStagings(graph::KernelOp kernel,
                                                 const Program &program) {
  if (llvm::any_of(program.outputs, [](const Output &o) { return o.isOfRow; }))
    return {};
  std::vector<Staging> found{findRunStaging(kernel, program), largestByLoop(program)};
  llvm::erase_if(found, [](const Staging &staging) { return staging.loads.empty(); });
  return found;
}

//===----------------------------------------------------------------------===//
// Operands that are not staged
//===----------------------------------------------------------------------===//

/// Minimum size of an operand worth a copy; rereading a smaller one from L1 costs less
/// than a kernel launch.
static constexpr int64_t kSmallBytes = 1 << 15;

/// Returns true for a load of few elements, which is broadcast along the other loops.
static bool isSmall(const Program &program, const Node *load) {
  SymbolicExpr bytes = tile::elementBytes(load->storage);
  for (ArrayRef<Loop> loops : {ArrayRef(program.parallel), ArrayRef(program.reduced)})
    for (const Loop &loop : loops)
      if (mentions(load->index, loop.var))
        bytes *= loop.extent;
  return bytes.getConstant().value_or(kSmallBytes) < kSmallBytes;
}

static std::optional<unsigned> largeOperand(const Program &program,
                                            const Staging &staging) {
  for (const StagedLoad &load : staging.loads)
    if (!isSmall(program, load.load))
      return load.load->argument;
  return std::nullopt;
}

/// Returns true if a load is strided along the vectors and contiguous along another loop.
static bool isTransposed(const Program &program, const Loop &vector, const Node *load) {
  for (ArrayRef<Loop> loops : {ArrayRef(program.parallel), ArrayRef(program.reduced)})
    if (const Loop *loop = contiguousLoop(program, loops, vector, load);
        loop && !loop->extent.isConstant(1))
      return true;
  return false;
}

std::optional<unsigned> kiln::codegen::operandToTranspose(
    const Program &program, function_ref<bool(const Staging &)> isStaged, bool hasGpu) {
  Staging best = largestByLoop(program);
  std::vector<Staging> all = stagingsByLoop(program);
  for (const Staging &staging : all)
    if (staging.loops[kRows] != best.loops[kRows])
      if (auto number = largeOperand(program, staging))
        return number;
  if (program.vectorIsReduced && !best.loads.empty() && !isStaged(best))
    return largeOperand(program, best);
  const Loop *vector = program.vectorLoop();
  if (!hasGpu || !vector)
    return std::nullopt;
  for (auto &[load, path] : pathsTo(program.roots())) {
    bool isTiled = llvm::any_of(
        all, [&load = load](const Staging &staging) { return staging.contains(load); });
    if (!isTiled && isTransposed(program, *vector, load) && !isSmall(program, load))
      return load->argument;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

/// Returns the largest power of two that divides the address at which a tile's accesses
/// along the merged loops `run` begin, if it divides the tile's begin.
static int64_t divisorAlong(SymbolicExpr index, const Staging &staging,
                            ArrayRef<int64_t> run) {
  for (int64_t loop : run)
    index = replace(index, staging.loops[loop]->var, SymbolicExpr(0));
  return divisorOf(index);
}

/// Returns the accesses along the rows: stores of results, and loads that are not staged.
static SmallVector<NeighbourAccess>
directAccesses(graph::KernelOp kernel, const Program &program, const Staging &staging) {
  SmallVector<NeighbourAccess> direct;
  const Loop &columns = *staging.loops[kColumns];
  for (const Output &output : program.outputs) {
    if (!mentions(output.address, columns.var))
      continue; // one element per row
    Type element = getElementTypeOrSelf(kernel.getYielded()[output.result].getType());
    direct.push_back({tile::elementBytes(storageType(element)),
                      divisorAlong(output.address, staging, staging.row)});
  }
  if (staging.row.size() > 1) // only some of whose loops other loads may be contiguous
                              // along
    return direct;
  program.body.walk(program.roots(), [&](Node *node) {
    if (node->kind != Node::Kind::Load || staging.contains(node))
      return;
    auto step = coefficientOf(node->index, columns.var);
    if (step && step->isConstant(1))
      direct.push_back({tile::elementBytes(node->storage),
                        divisorAlong(node->index, staging, staging.row)});
  });
  for (NeighbourAccess &access : direct)
    access.divisor = std::min(access.divisor, divisorOf(staging.begins[kColumns]));
  return direct;
}

/// Returns the access along the lines of an operand, with the alignment at which it
/// begins relative to tiles.
static NeighbourAccess stagedAccess(const Staging &staging, const StagedLoad &load) {
  SymbolicExpr index = load.load->index;
  int64_t divisor = divisorOf(SymbolicExpr(0));
  for (int64_t loop : staging.line) {
    const Selection &selection = load.selections[loop];
    SymbolicExpr low = selection.low();
    index = replace(index, staging.loops[loop]->var, low);
    divisor = std::min(divisor, divisorOf(low - SymbolicExpr(staging.begins[loop])));
    for (const SymbolicExpr &bound : selection.lows)
      if (!bound.isConstant())
        divisor = 1;
  }
  return {tile::elementBytes(load.load->storage), std::min(divisor, divisorOf(index))};
}

StagingProblem kiln::codegen::stagingProblemOf(graph::KernelOp kernel,
                                               const Program &program,
                                               const Staging &staging) {
  StagingProblem problem;
  for (const StagedLoad &load : staging.loads)
    problem.staged.push_back(stagedAccess(staging, load));
  problem.direct = directAccesses(kernel, program, staging);
  for (const Loop *loop : staging.loops)
    problem.extents.push_back(loop->extent.getConstant());
  problem.line = staging.line;
  problem.row = staging.row;
  const Loop *next = &program.parallel.back() - !staging.hasWholeRows;
  bool isOneLoop = staging.line.size() == 1 && staging.row.size() == 1;
  problem.rowsAreNext = isOneLoop && staging.loops[kRows] == next;
  if (staging.hasWholeRows)
    problem.compute = problemOf(program);
  return problem;
}
