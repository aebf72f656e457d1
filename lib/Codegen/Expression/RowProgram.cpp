//===- RowProgram.cpp - Programs of row ops -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several row ops that reduce the same dims run in one kernel, for example a norm, the
// maximum magnitude of its result, and the sum of its quantized values.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

using namespace kiln::codegen;
using namespace kiln::graph;
using namespace kiln;
using namespace mlir;

namespace {
/// The dims that row ops run over. Dims of one element are ignored, since ops may differ
/// in them.
class RowSpace {
public:
  void add(const SymbolicExpr &dim, const SymbolicExpr &index, bool isReduced) {
    if (!dim.isConstant(1))
      dims.push_back({dim, index, isReduced});
  }
  /// Returns the space's indices for the dims `own`, which must be those of the space.
  std::optional<Indices> ofElement(ArrayRef<SymbolicExpr> own) const {
    return match(own, /*reduced=*/true);
  }
  /// Returns the space's indices for the dims `own`, which must be those of the space
  /// without the reduced ones (one element per row); nullopt otherwise.
  std::optional<Indices> ofRow(ArrayRef<SymbolicExpr> own) const {
    return match(own, /*reduced=*/false);
  }
  /// Returns the space's indices for the dims of a result. One of these may join several
  /// of the space's dims; for example, quantized rows and the sums of their blocks.
  std::optional<Indices> ofResult(ArrayRef<SymbolicExpr> own) const {
    return match(own, /*reduced=*/true, /*joins=*/true);
  }
  /// Returns true if an op of these dims reduces the dims that the space's rows run
  /// along.
  bool reduces(ArrayRef<SymbolicExpr> own, ArrayRef<bool> flags) const {
    size_t next = 0;
    for (auto [dim, flag] : llvm::zip(own, flags))
      if (!dim.isConstant(1) && flag != dims[next++].isReduced)
        return false;
    return true;
  }

private:
  struct Dim {
    SymbolicExpr extent, index;
    bool isReduced;
  };
  std::optional<Indices> match(ArrayRef<SymbolicExpr> own, bool reduced,
                               bool joins = false) const {
    std::vector<Dim> seen;
    llvm::copy_if(dims, std::back_inserter(seen),
                  [&](const Dim &dim) { return reduced || !dim.isReduced; });
    Indices indices;
    size_t next = 0;
    for (const SymbolicExpr &dim : own) {
      if (dim.isConstant(1)) {
        indices.push_back(SymbolicExpr(0));
        continue;
      }
      if (next == seen.size())
        return std::nullopt;
      auto [extent, index, _] = seen[next++];
      for (; joins && extent != dim && next < seen.size(); ++next) {
        extent *= seen[next].extent;
        index = index * seen[next].extent + seen[next].index;
      }
      if (extent != dim)
        return std::nullopt;
      indices.push_back(index);
    }
    return next == seen.size() ? std::optional(indices) : std::nullopt;
  }

  std::vector<Dim> dims;
};

/// Adds the passes of row ops to a program that has its loops already.
class RowChain {
public:
  RowChain(const RowSpace &space, Program &program) : space(space), program(program) {}

  bool add(Operation *hero);
  /// Makes values with one element per row, up to the next row op, be computed once per
  /// row.
  bool addScalars(Operation *hero);
  bool addOutput(Value value, unsigned result);

private:
  bool fail(const Twine &why) {
    if (program.body.why.empty())
      program.body.why = why.str();
    return false;
  }

  const RowSpace &space;
  Program &program;
};
} // namespace

bool RowChain::add(Operation *hero) {
  Dims dims = getDims(hero->getOperand(0));
  std::optional<Indices> indices = space.ofElement(dims);
  RowShape shape;
  shape.reduced = reducedDims(hero);
  if (!indices || !space.reduces(dims, shape.reduced))
    return fail("reductions of one kernel run along different dims");
  shape.indices = *indices;
  shape.count = 1;
  for (auto [dim, isReduced] : llvm::zip(dims, shape.reduced))
    if (isReduced)
      shape.count *= dim;
  Node *result = buildRowOp(hero, shape, program.body, program.passes);
  if (!result)
    return false;
  Dims own = getDims(hero->getResult(0));
  auto place = isa<ReduceOp>(hero) ? space.ofRow(own) : space.ofElement(own);
  program.body.define(hero->getResult(0), *place, result);
  return true;
}

bool RowChain::addScalars(Operation *hero) {
  for (Operation *op = hero->getNextNode(); op && reducedDims(op).empty();
       op = op->getNextNode()) {
    if (!op->hasTrait<graph::Elementwise>())
      continue;
    auto indices = space.ofRow(getDims(op->getResult(0)));
    if (!indices)
      continue;
    Node *value = program.body.pull(op->getResult(0), *indices);
    if (!value)
      return false;
    Node *bound = program.body.bound(value->type);
    program.passes.back().finals.push_back({bound, value});
    program.body.define(op->getResult(0), *indices, bound);
  }
  return true;
}

bool RowChain::addOutput(Value value, unsigned result) {
  Dims dims = getDims(value);
  std::optional<Indices> indices = space.ofResult(dims);
  bool isOfRow = !indices;
  if (isOfRow)
    indices = space.ofRow(dims);
  if (!indices)
    return fail("result " + Twine(result) + " has dims " + printDims(dims) +
                ", which are neither the rows' nor one element per row");
  Node *node = program.body.pull(value, *indices);
  if (!node)
    return false;
  program.outputs.push_back(
      {node, result, IndexVars::linearize(*indices, dims), nullptr, isOfRow});
  program.outputsWholeRows |= !isOfRow;
  return true;
}

bool Program::buildRows(ValueRange values, ArrayRef<Operation *> heroes) {
  RowSpace space;
  Operation *first = heroes.front();
  Dims dims = getDims(first->getOperand(0));
  Indices indices;
  for (auto [dim, isReduced] : llvm::zip(dims, reducedDims(first))) {
    indices.push_back(addLoop(isReduced ? reduced : parallel, dim));
    space.add(dim, indices.back(), isReduced);
    // Vectors cannot run along a dim of one element.
    if (!dim.isConstant(1))
      vectorIsReduced = isReduced;
  }
  source = body.pull(first->getOperand(0), indices);
  if (!source)
    return false;
  RowChain chain(space, *this);
  bool isAlone = heroes.size() == 1 && values.size() == 1;
  if (!isAlone && !vectorIsReduced) {
    body.why = "the kernel has several reductions or results, and its rows do not run "
               "along the last dim";
    return false;
  }
  for (Operation *hero : heroes)
    if (!chain.add(hero) || (!isAlone && !chain.addScalars(hero)))
      return false;
  for (auto [i, value] : llvm::enumerate(values))
    if (!chain.addOutput(value, i))
      return false;
  for (Output &output : outputs)
    output.isOfRow &= outputsWholeRows;
  return true;
}
