//===- Turned.cpp - Operands that lie across the result -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Turned.h"
#include "Problem.h"
#include "llvm/ADT/MapVector.h"

#include <set>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

SymbolicExpr Turned::lineStride(const Node *load, const Loop &columns) {
  return *coefficientOf(load->index, columns.var);
}

int64_t Selection::low() const {
  int64_t most = 0;
  for (const SymbolicExpr &low : lows)
    most = std::max(most, low.getConstant().value_or(0));
  return most;
}

namespace {
/// The choices above a load, and which operand of each it belongs to.
using Path = std::vector<std::pair<Node *, size_t>>;
/// No path: a load is read in several ways.
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

/// Adds where a choice selects its operand; false if it does not go along the loop, one
/// by one.
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

/// The same for one that stays within a tile of the two loops.
static bool addOutside(const Node *choice, size_t operand, const Loop &rows,
                       const Loop &columns, TurnedLoad &load) {
  if (mentions(choice->index, rows.var) || mentions(choice->index, columns.var))
    return false;
  Chosen chosen{choice->index, {}, {}};
  if (operand > 0)
    chosen.low = choice->bounds[operand];
  if (operand + 1 < choice->operands.size())
    chosen.high = choice->bounds[operand + 1];
  load.outside.push_back(chosen);
  return true;
}

/// A load and where it is selected; nullopt if that is no rectangle of the two loops.
static std::optional<TurnedLoad> selected(Node *load, const Path &path, const Loop &rows,
                                          const Loop &columns) {
  TurnedLoad result;
  result.load = load;
  for (auto [choice, operand] : path)
    if (!addSelection(choice, operand, rows, result.rows) &&
        !addSelection(choice, operand, columns, result.columns) &&
        !addOutside(choice, operand, rows, columns, result))
      return std::nullopt;
  return result;
}

/// Tiles begin where all operands do, if they agree.
static void findSeams(Turned &turned) {
  turned.rowSeam = turned.loads.front().rows.low();
  for (const TurnedLoad &load : turned.loads)
    if (load.rows.low() != turned.rowSeam)
      turned.rowSeam = 0;
  // The result is stored from there on, too: in accesses that are as wide.
  constexpr int64_t kAccessBytes = 16;
  const TurnedLoad &first = turned.loads.front();
  int64_t seam = first.columns.low();
  if (!seam && !first.columns.highs.empty())
    seam = first.columns.highs.front().getConstant().value_or(0);
  int64_t bytes = tile::elementBytes(first.load->storage);
  if (seam > 0 && divisorOf(seam) * bytes % kAccessBytes == 0)
    turned.columnSeam = seam;
}

/// The loop across which a pointwise program, or one of rows, has turned loads, if it
/// can have any.
static const Loop *columnsOf(const Program &program) {
  if (program.vectorIsReduced)
    return program.reduced.size() == 1 ? &program.reduced.front() : nullptr;
  bool isPointwise = program.reduced.empty() && program.passes.empty();
  return isPointwise && program.parallel.size() > 1 ? &program.parallel.back() : nullptr;
}

/// The turned loads of a program, by the loop they lie along.
static SmallVector<Turned> turnedByLoop(const Program &program) {
  const Loop *columns = columnsOf(program);
  if (!columns)
    return {};
  llvm::MapVector<const Loop *, Turned> found;
  for (auto &[load, path] : pathsTo(program.roots())) {
    const Loop *rows =
        path ? contiguousLoop(program, program.parallel, *columns, load) : nullptr;
    if (!rows)
      continue;
    if (auto turned = selected(load, *path, *rows, *columns)) {
      found[rows].rows = rows;
      found[rows].loads.push_back(*turned);
    }
  }
  return llvm::to_vector(llvm::make_second_range(found));
}

/// Those along the loop that has most bytes of them.
static Turned mostTurned(const Program &program) {
  auto bytes = [](const Turned &turned) {
    int64_t sum = 0;
    for (const TurnedLoad &load : turned.loads)
      sum += tile::elementBytes(load.load->storage);
    return sum;
  };
  Turned best;
  for (const Turned &turned : turnedByLoop(program))
    if (bytes(turned) > bytes(best))
      best = turned;
  if (!best.loads.empty())
    findSeams(best);
  return best;
}

Turned kiln::codegen::findTurned(const Program &program) {
  return program.vectorIsReduced ? Turned() : mostTurned(program);
}

Turned kiln::codegen::findTurnedRows(const Program &program) {
  return program.vectorIsReduced ? mostTurned(program) : Turned();
}

/// What is read again and again from L1 costs less than the launch of a copy.
static constexpr int64_t kSmallBytes = 1 << 15;

/// A load of few elements, broadcast along the other loops.
static bool isSmall(const Program &program, const Node *load) {
  SymbolicExpr bytes = tile::elementBytes(load->storage);
  for (ArrayRef<Loop> loops : {ArrayRef(program.parallel), ArrayRef(program.reduced)})
    for (const Loop &loop : loops)
      if (mentions(load->index, loop.var))
        bytes *= loop.extent;
  return bytes.getConstant().value_or(kSmallBytes) < kSmallBytes;
}

std::optional<unsigned> kiln::codegen::largeOperand(const Program &program,
                                                    const Turned &turned) {
  for (const TurnedLoad &load : turned.loads)
    if (!isSmall(program, load.load))
      return load.load->argument;
  return std::nullopt;
}

std::optional<unsigned> kiln::codegen::turnedOtherwise(const Program &program) {
  const Loop *rows = mostTurned(program).rows;
  for (const Turned &turned : turnedByLoop(program))
    if (turned.rows != rows)
      if (auto number = largeOperand(program, turned))
        return number;
  return std::nullopt;
}

/// Neighbours are apart along the vectors, and lie along another loop.
static bool liesAcross(const Program &program, const Loop &vector, const Node *load) {
  for (ArrayRef<Loop> loops : {ArrayRef(program.parallel), ArrayRef(program.reduced)})
    if (const Loop *loop = contiguousLoop(program, loops, vector, load);
        loop && !loop->extent.isConstant(1))
      return true;
  return false;
}

std::optional<unsigned> kiln::codegen::turnedWithoutTile(const Program &program) {
  const Loop *vector = program.vectorLoop();
  if (!vector)
    return std::nullopt;
  SmallVector<Turned> tiled = turnedByLoop(program);
  for (auto &[load, path] : pathsTo(program.roots())) {
    bool isTiled = llvm::any_of(
        tiled, [&load = load](const Turned &turned) { return turned.contains(load); });
    if (!isTiled && liesAcross(program, *vector, load) && !isSmall(program, load))
      return load->argument;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

/// That of where a load or store of neighbours along `loop` begins, if tiles do.
static int64_t divisorAlong(const SymbolicExpr &index, const Loop &loop) {
  return divisorOf(replace(index, loop.var, SymbolicExpr(0)));
}

/// Widths of accesses along the columns: what is written, and what is read as it lies.
static SmallVector<NeighbourAccess> directAccesses(graph::KernelOp kernel,
                                                   const Program &program,
                                                   const Loop &columns,
                                                   const Turned &turned) {
  SmallVector<NeighbourAccess> direct;
  for (const Output &output : program.outputs) {
    if (!mentions(output.address, columns.var))
      continue; // one per row
    Type element = getElementTypeOrSelf(kernel.getYielded()[output.result].getType());
    direct.push_back({tile::elementBytes(storageType(element)),
                      divisorAlong(output.address, columns)});
  }
  program.body.walk(program.roots(), [&](Node *node) {
    if (node->kind != Node::Kind::Load || turned.contains(node))
      return;
    auto step = coefficientOf(node->index, columns.var);
    if (step && step->isConstant(1))
      direct.push_back(
          {tile::elementBytes(node->storage), divisorAlong(node->index, columns)});
  });
  for (NeighbourAccess &access : direct)
    access.divisor = std::min(access.divisor, divisorOf(turned.columnSeam));
  return direct;
}

/// Widths of accesses along the rows, of what is turned: tiles begin at a seam or do not.
static SmallVector<NeighbourAccess> turnedAccesses(const Turned &turned) {
  return llvm::map_to_vector(turned.loads, [&](const TurnedLoad &load) {
    SymbolicExpr low = load.rows.low();
    int64_t divisor = divisorOf(replace(load.load->index, turned.rows->var, low));
    divisor = std::min(divisor, divisorOf(low - SymbolicExpr(turned.rowSeam)));
    for (const SymbolicExpr &bound : load.rows.lows)
      if (!bound.isConstant())
        divisor = 1;
    return NeighbourAccess{tile::elementBytes(load.load->storage), divisor};
  });
}

TransposeProblem kiln::codegen::transposeProblemOf(graph::KernelOp kernel,
                                                   const Program &program,
                                                   const Turned &turned) {
  TransposeProblem problem;
  if (turned.loads.empty())
    return problem;
  const Loop &columns = program.parallel.back();
  problem.turned = turnedAccesses(turned);
  problem.direct = directAccesses(kernel, program, columns, turned);
  problem.rows = turned.rows->extent.getConstant();
  problem.columns = columns.extent.getConstant();
  problem.rowsAreNext = turned.rows == &program.parallel[program.parallel.size() - 2];
  return problem;
}

RowTileProblem kiln::codegen::rowTileProblemOf(graph::KernelOp kernel,
                                               const Program &program,
                                               const Turned &turned) {
  RowTileProblem problem;
  if (turned.loads.empty())
    return problem;
  problem.turned = turnedAccesses(turned);
  problem.direct = directAccesses(kernel, program, program.reduced.front(), turned);
  problem.rows = turned.rows->extent.getConstant();
  problem.rowsAreNext = turned.rows == &program.parallel.back();
  problem.row = problemOf(program);
  return problem;
}
