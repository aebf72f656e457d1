//===- Contiguity.cpp - Loops along which operands are contiguous ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contiguity.h"
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

/// Returns true for a positive stride that is not known to be 1.
static bool isStrided(const SymbolicExpr &stride) {
  return llvm::none_of(stride.getSymbols(), isVariable) && !stride.isConstant(0) &&
         !stride.isConstant(1) && stride.dominates(SymbolicExpr(0));
}

const Loop *kiln::codegen::contiguousLoop(const Program &program, ArrayRef<Loop> loops,
                                          const Loop &vector, const Node *load) {
  auto stride = coefficientOf(load->index, vector.var);
  if (!stride || !isStrided(*stride) || followsData(program, load))
    return nullptr;
  for (const Loop &loop : loops) {
    auto step = coefficientOf(load->index, loop.var);
    if (step && step->isConstant(1))
      return &loop;
  }
  return nullptr;
}

void kiln::codegen::vectorizeContiguousLoop(Program &program) {
  if (!program.vectorIsReduced || program.outputsWholeRows || program.parallel.empty())
    return;
  const Loop &columns = program.reduced.back();
  const Loop *common = nullptr;
  for (Node *load : unconditionalLoads(program.source)) {
    if (!mentions(load->index, columns.var))
      continue;
    const Loop *loop = contiguousLoop(program, program.parallel, columns, load);
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

int64_t kiln::codegen::divisorOf(const SymbolicExpr &expr) {
  int64_t divisor = int64_t(1) << 30;
  for (const SymbolicExpr::Term &term : expr.getTerms())
    divisor = std::min(divisor, term.coefficient & -term.coefficient);
  return divisor;
}
