//===- Turned.cpp - Operands that lie across the result -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Turned.h"
#include "Problem.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

SmallVector<Node *> kiln::codegen::unconditionalLoads(ArrayRef<Node *> roots) {
  llvm::SetVector<Node *> seen;
  auto visit = [&](auto &self, Node *node) -> void {
    if (!seen.insert(node) || node->kind == Node::Kind::Choose)
      return;
    for (Node *operand : node->operands)
      self(self, operand);
  };
  for (Node *root : roots)
    visit(visit, root);
  return llvm::filter_to_vector(
      seen.getArrayRef(), [](Node *node) { return node->kind == Node::Kind::Load; });
}

bool kiln::codegen::followsData(const Program &program, const Node *load) {
  return llvm::any_of(load->index.getSymbols(), [&](StringAttr name) {
    return program.body.dataNode(name) != nullptr;
  });
}

int64_t kiln::codegen::bytesOf(ArrayRef<Node *> loads) {
  int64_t sum = 0;
  for (const Node *load : loads)
    sum += tile::elementBytes(load->storage);
  return sum;
}

/// Forwards, and by more than one element as far as is known.
static bool isApart(const SymbolicExpr &stride) {
  return llvm::none_of(stride.getSymbols(), isVariable) && !stride.isConstant(0) &&
         !stride.isConstant(1) && stride.dominates(SymbolicExpr(0));
}

SymbolicExpr Turned::lineStride(const Node *load, const Loop &columns) {
  return *coefficientOf(load->index, columns.var);
}

/// The parallel loop that neighbours lie along of a load that is turned against
/// `columns`; null for any other load.
static const Loop *loopOfNeighbours(const Program &program, const Loop &columns,
                                    const Node *load) {
  auto stride = coefficientOf(load->index, columns.var);
  if (!stride || !isApart(*stride) || followsData(program, load))
    return nullptr;
  for (const Loop &loop : program.parallel) {
    auto step = coefficientOf(load->index, loop.var);
    if (step && step->isConstant(1))
      return &loop;
  }
  return nullptr;
}

void kiln::codegen::reduceAlongNeighbours(Program &program) {
  if (!program.vectorIsReduced || program.outputsWholeRows || program.parallel.empty())
    return;
  const Loop &columns = program.reduced.back();
  const Loop *common = nullptr;
  for (Node *load : unconditionalLoads(program.source)) {
    if (!mentions(load->index, columns.var))
      continue;
    const Loop *loop = loopOfNeighbours(program, columns, load);
    if (!loop || (common && common != loop))
      return;
    common = loop;
  }
  if (!common)
    return;
  auto place = program.parallel.begin() + (common - program.parallel.data());
  std::rotate(place, place + 1, program.parallel.end());
  program.vectorIsReduced = false;
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
  for (Node *load : unconditionalLoads(program.roots()))
    if (const Loop *rows = loopOfNeighbours(program, *columns, load)) {
      found[rows].rows = rows;
      found[rows].loads.push_back(load);
    }
  return llvm::to_vector(llvm::make_second_range(found));
}

/// Those along the loop that has most bytes of them.
static Turned mostTurned(const Program &program) {
  Turned best;
  for (const Turned &turned : turnedByLoop(program))
    if (bytesOf(turned.loads) > bytesOf(best.loads))
      best = turned;
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

std::optional<unsigned> kiln::codegen::turnedOtherwise(const Program &program) {
  const Loop *rows = mostTurned(program).rows;
  for (const Turned &turned : turnedByLoop(program))
    for (Node *load : turned.loads)
      if (turned.rows != rows && !isSmall(program, load))
        return load->argument;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The problem
//===----------------------------------------------------------------------===//

int64_t kiln::codegen::divisorOf(const SymbolicExpr &expr) {
  int64_t divisor = int64_t(1) << 30;
  for (const SymbolicExpr::Term &term : expr.getTerms())
    divisor = std::min(divisor, term.coefficient & -term.coefficient);
  return divisor;
}

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
    if (node->kind != Node::Kind::Load || llvm::is_contained(turned.loads, node))
      return;
    auto step = coefficientOf(node->index, columns.var);
    if (step && step->isConstant(1))
      direct.push_back(
          {tile::elementBytes(node->storage), divisorAlong(node->index, columns)});
  });
  return direct;
}

/// Widths of accesses along the rows, of what is turned.
static SmallVector<NeighbourAccess> turnedAccesses(const Turned &turned) {
  return llvm::map_to_vector(turned.loads, [&](Node *load) {
    return NeighbourAccess{tile::elementBytes(load->storage),
                           divisorAlong(load->index, *turned.rows)};
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
