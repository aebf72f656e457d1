//===- EmitPasses.cpp - Reductions and results as tile IR -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

const KernelEmitter::Stage *KernelEmitter::stageOf(Node *node) const {
  auto it = llvm::find_if(stages, [&](const Stage &stage) { return stage.node == node; });
  return it == stages.end() ? nullptr : &*it;
}

KernelEmitter::Values KernelEmitter::reduceStep(const Pass &pass, Node *accumulator,
                                                Node *combined, ValueRange carried) {
  emitter.bind(accumulator, carried.front());
  // Lanes past the end of a reduced loop must not contribute.
  bool masks = program.vectorIsReduced && emitter.getLanes().valid;
  SmallVector<Node *> nodes{masks ? pass.reduction.term : combined};
  if (pass.stage)
    nodes.push_back(pass.stage);
  Values fragments = emitter.fragments(nodes);
  if (const Stage *stage = stageOf(pass.stage))
    emitter.store(fragments[1], emitter.memories[stage->load->argument], stage->address);
  if (!masks)
    return {fragments[0]};
  NodeEmitter::Scope scope(emitter);
  emitter.bind(pass.reduction.term,
               emitter.maskWith(fragments[0], neutralOf(pass.reduction)));
  return {emitter.fragment(combined)};
}

void KernelEmitter::emitPass(const Pass &pass) {
  const Reduction &reduction = pass.reduction;
  Type type = reduction.term->type;
  Node *accumulator = program.body.bound(type);
  Node *combined = accumulate(program.body, reduction, accumulator,
                              /*fuses=*/!program.vectorIsReduced);
  SmallVector<Node *> nodes{reduction.term};
  if (pass.stage)
    nodes.push_back(pass.stage);
  Value initial = emitter.fragment(program.body.constant(neutralOf(reduction)));
  Value total = reducedLoops(0, initial, nodes, [&](ValueRange carried) {
                  return reduceStep(pass, accumulator, combined, carried);
                }).front();
  if (program.vectorIsReduced)
    total = tile::ReduceOp::create(
        b, loc, type, tile::ReduceKindAttr::get(b.getContext(), kindOfParts(reduction)),
        total, b.getI64IntegerAttr(0));
  emitter.bind(reduction.result, total);
  if (const Stage *stage = stageOf(pass.stage))
    emitter.redirect(stage->node, stage->load);
  for (auto [bound, value] : pass.finals) {
    bool perRow = program.vectorIsReduced || !program.vectorLoop();
    emitter.bind(bound, perRow ? emitter.scalar(value) : emitter.fragment(value));
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static SmallVector<Node *> valuesOf(ArrayRef<Output> outputs) {
  return llvm::map_to_vector(outputs, [](const Output &output) { return output.value; });
}

void KernelEmitter::storeOutputs(ArrayRef<Output> outputs) {
  SmallVector<Node *> nodes = valuesOf(outputs);
  size_t firstResult = emitter.memories.size() - kernel.getYielded().size();
  auto store = [&] {
    Values fragments = emitter.fragments(nodes);
    for (auto [output, fragment] : llvm::zip(outputs, fragments))
      emitter.store(fragment, emitter.memories[firstResult + output.result],
                    output.address);
  };
  Node *condition = outputs.front().condition;
  if (!condition)
    return store();
  Value holds = emitter.scalar(condition);
  scf::IfOp::create(b, loc, holds, [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    store();
    scf::YieldOp::create(b, loc);
  });
}

bool KernelEmitter::holdsRow() const {
  if (!config.getThreads() || !program.vectorIsReduced || program.reduced.size() != 1)
    return false;
  size_t walks = program.passes.size() + program.outputsWholeRows;
  return walks > 1 && program.mostInner && *program.mostInner <= config.getLanes();
}

void KernelEmitter::openRow() {
  NodeEmitter::Lanes lanes = emitter.getLanes();
  const Loop &loop = program.reduced.front();
  Value first = emitter.constantIndex(0), valid;
  if (!loop.extent.isConstant(lanes.count))
    valid = emitter.index(loop.extent);
  emitter.bind(loop.var, first);
  emitter.setLanes({loop.var, first, lanes.count, valid});
}

void KernelEmitter::holdRow() {
  NodeEmitter::Lanes lanes = emitter.getLanes();
  openRow();
  emitter.fragment(program.source); // cached for the passes in this scope
  emitter.setLanes(lanes);
}

//===----------------------------------------------------------------------===//
// Positions reduced together
//===----------------------------------------------------------------------===//

void KernelEmitter::emitPositions() {
  int64_t count = config.getPositions();
  auto blocks = [&](Value begin, Value end, int64_t count) {
    loop(begin, end, count, {}, [&](Value first, ValueRange) -> Values {
      emitBlock(first, count);
      return {};
    });
  };
  if (divides(SymbolicExpr(count), tasks.positions))
    return blocks(positions.begin, positions.end, count);
  Value width = emitter.constantIndex(count);
  Value length = b.createOrFold<arith::SubIOp>(loc, positions.end, positions.begin);
  Value full = b.createOrFold<arith::DivUIOp>(loc, length, width);
  full = b.createOrFold<arith::MulIOp>(loc, full, width);
  full = b.createOrFold<arith::AddIOp>(loc, positions.begin, full);
  blocks(positions.begin, full, count);
  // The remainder of the last task is one block if its size is known.
  auto all = tasks.positions.getConstant();
  blocks(full, positions.end, all ? *all % count : 1);
}

void KernelEmitter::emitBlock(Value first, int64_t count) {
  const Pass &pass = program.passes.front();
  const Reduction &reduction = pass.reduction;
  StringAttr var = tasks.positionLoop->var;
  Node *accumulator = program.body.bound(reduction.term->type);
  Node *next = accumulate(program.body, reduction, accumulator, /*fuses=*/true);
  // Loads that are the same at all positions, such as those of weights, are emitted once.
  SmallVector<Node *> common = commonLoads(program, *tasks.positionLoop);
  auto bindPosition = [&](int64_t i) {
    emitter.bind(var,
                 b.createOrFold<arith::AddIOp>(loc, first, emitter.constantIndex(i)));
  };
  Values initial(count, emitter.fragment(program.body.constant(neutralOf(reduction))));
  auto step = [&](ValueRange carried) {
    if (!common.empty())
      emitter.fragments(common);
    Values results;
    for (int64_t i = 0; i < count; ++i) {
      NodeEmitter::Scope scope(emitter);
      bindPosition(i);
      emitter.bind(accumulator, carried[i]);
      results.push_back(emitter.fragment(next));
    }
    return results;
  };
  Values totals = reducedLoops(0, initial, {reduction.term}, step);
  for (int64_t i = 0; i < count; ++i) {
    NodeEmitter::Scope scope(emitter);
    bindPosition(i);
    emitter.bind(reduction.result, totals[i]);
    for (auto [bound, value] : pass.finals)
      emitter.bind(bound, emitter.fragment(value));
    storeOutputs(program.outputs);
  }
}

void KernelEmitter::emitPosition() {
  if (tasks.positionLoop)
    return emitPositions();
  emitter.clearRedirections(); // nothing is staged for this position yet
  if (tile)
    tile->redirect();
  if (holdsRow())
    holdRow();
  for (const Pass &pass : program.passes)
    emitPass(pass);
  std::vector<Output> ofRows, ofElements;
  for (const Output &output : program.outputs)
    (program.outputsWholeRows && !output.isOfRow ? ofElements : ofRows).push_back(output);
  if (!ofElements.empty()) {
    SmallVector<Node *> nodes = valuesOf(ofElements);
    emitter.hoist(nodes);
    reducedLoops(0, {}, nodes, [&](ValueRange) -> Values {
      storeOutputs(ofElements);
      return {};
    });
  }
  if (ofRows.empty())
    return;
  NodeEmitter::Lanes lanes = emitter.getLanes();
  if (program.vectorIsReduced)
    emitter.setLanes({});
  storeOutputs(ofRows);
  emitter.setLanes(lanes);
}
