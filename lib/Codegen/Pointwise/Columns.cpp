//===- Columns.cpp - Reductions split over thread groups ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every loop over thread groups is at the top level of the block, so that all threads
// reach the barrier before it: what groups store to scratch in one loop, the next may
// read. The last loop stores the results, after all groups have read their operands.
//
//===----------------------------------------------------------------------===//

#include "Columns.h"
#include "StagingLayout.h"
#include "Tasks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

Type kiln::codegen::stagedType(const Program &program) {
  const Node *source = program.source;
  return source->kind == Node::Kind::Load ? source->storage : source->type;
}

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

ColumnEmitter::ColumnEmitter(OpBuilder &builder, graph::KernelOp kernel, Program &program,
                             tile::PointwiseConfigAttr config)
    : ShellEmitter(builder, kernel, program.body), program(program), config(config),
      columns(program.parallel.back()), rowLoops(program.parallel),
      depth(extentOf(program.reduced)), share(config.getReduceSplit()),
      groups(config.getThreads() / config.getGroupThreads() / share) {
  rowLoops.pop_back();
  strips = columns.extent.ceilDiv(SymbolicExpr(config.getLanes()));
  items = extentOf(rowLoops) * strips;
  planScratch();
}

/// Plans the scratch. Partial results of a pass overwrite those of the previous pass.
void ColumnEmitter::planScratch() {
  int64_t offset = 0, lane = config.getLanes();
  for (const Pass &pass : program.passes) {
    Type element = pass.reduction.term->type;
    parts.push_back({element, 0, {}});
    offset = std::max(offset, groups * share * lane * tile::elementBytes(element));
  }
  auto reserve = [&](int64_t bytes) {
    int64_t begin = llvm::alignTo(offset, kScratchAlignment);
    offset = begin + bytes;
    return begin;
  };
  for (auto [i, pass] : llvm::enumerate(program.passes))
    if (!isLast(i)) {
      Type element = pass.reduction.term->type;
      found.push_back(
          {element, reserve(groups * lane * tile::elementBytes(element)), {}});
    }
  scratchBytes = llvm::alignTo(offset, kScratchAlignment);
  if (!config.getStage())
    return;
  stageOffset = reserve(0);
  emitter.laneVar = program.body.vars.addLoop(SymbolicExpr(lane));
  stagedPosition = program.body.vars.addLoop(depth * SymbolicExpr(groups));
  SymbolicExpr address = SymbolicExpr::symbol(stagedPosition) * SymbolicExpr(lane) +
                         SymbolicExpr::symbol(emitter.laneVar);
  staged = program.body.load(stagedType(program), kernel.getBlock().getNumArguments(),
                             address);
  stagedElements = depth * SymbolicExpr(groups * lane);
  int64_t bytes = tile::elementBytes(staged->storage);
  scratchBytes += (stagedElements * SymbolicExpr(bytes)).alignTo(kScratchAlignment);
}

void ColumnEmitter::openScratch() {
  auto open = [&](Type element, int64_t offset) -> Value {
    Type type = tile::BufferType::get(b.getContext(), element);
    return tile::ScratchOp::create(b, loc, type, index(offset));
  };
  for (Lines &lines : parts)
    lines.buffer = open(lines.element, lines.offset);
  for (Lines &lines : found)
    lines.buffer = open(lines.element, lines.offset);
  if (staged)
    emitter.memories.push_back({open(staged->storage, stageOffset), stagedElements});
}

Value ColumnEmitter::viewLines(const Lines &lines, Value first, int64_t count) {
  int64_t lanes = config.getLanes();
  SmallVector<OpFoldResult> sizes{b.getIndexAttr(lanes)}, strides{b.getIndexAttr(1)};
  if (count > 1) {
    sizes.insert(sizes.begin(), b.getIndexAttr(count));
    strides.insert(strides.begin(), b.getIndexAttr(lanes));
  }
  return tile::ViewOp::create(b, loc, lines.buffer, mul(first, index(lanes)), sizes,
                              strides);
}

void ColumnEmitter::storeLine(const Lines &lines, Value number, Value fragment) {
  tile::StoreOp::create(b, loc, fragment, viewLines(lines, number, 1),
                        ValueRange{index(0)});
}

Value ColumnEmitter::loadLine(const Lines &lines, Value number) {
  auto type = tile::FragType::get(b.getContext(), {config.getLanes()}, lines.element);
  return tile::LoadOp::create(b, loc, type, viewLines(lines, number, 1),
                              ValueRange{index(0)});
}

//===----------------------------------------------------------------------===//
// Distribution over thread groups
//===----------------------------------------------------------------------===//

tile::KernelOp ColumnEmitter::emit() {
  SymbolicExpr tasks = items.ceilDiv(SymbolicExpr(groups));
  tile::KernelOp shell = createShell(b, kernel, tasks, scratchBytes, config);
  shell.setThreads(config.getThreads());
  return fill(shell, [&](Value task) {
    openScratch();
    firstItem = mul(task, index(groups));
    count = index(groups);
    auto all = items.getConstant();
    if (groups > 1 && !(all && *all % groups == 0))
      count = minimum(sub(emitter.index(items), firstItem), count);
    for (size_t pass = 0; pass < program.passes.size(); ++pass) {
      accumulate(pass);
      combineParts(pass);
    }
    if (program.outputsWholeRows)
      storeRows();
  });
}

/// Binds a column tile; tiles are numbered along a row first, then from row to row.
void ColumnEmitter::openStrip(Value group) {
  Value item = add(firstItem, group), perRow = emitter.index(strips);
  Value width = index(config.getLanes());
  Value begin = mul(remainder(item, perRow), width), valid;
  bindLoops(b, loc, emitter, rowLoops, divide(item, perRow));
  auto extent = columns.extent.getConstant();
  if (extent && *extent < config.getLanes())
    valid = index(*extent);
  else if (!extent || *extent % config.getLanes())
    valid = minimum(sub(emitter.index(columns.extent), begin), width);
  emitter.bind(columns.var, begin);
  emitter.setLanes({columns.var, begin, config.getLanes(), valid});
}

void ColumnEmitter::bindPosition(Value position, Value group) {
  if (staged)
    emitter.bind(stagedPosition, add(mul(group, emitter.index(depth)), position));
  bindLoops(b, loc, emitter, program.reduced, position);
}

/// Calls `step` for the positions of thread group t of P: t, t + P, t + 2P ...
Value ColumnEmitter::forPositions(Value team, Value group, Value carried, Step step) {
  SmallVector<Value> inits;
  if (carried)
    inits.push_back(carried);
  // If all groups have equally many positions, the loop's trip count is a constant, and
  // the target can have several loads in flight.
  auto fixed = depth.getConstant();
  bool isEven = fixed && *fixed % share == 0;
  auto body = [&](OpBuilder &, Location, Value number, ValueRange values) {
    NodeEmitter::Scope scope(emitter);
    bindPosition(isEven ? add(mul(number, index(share)), team) : number, group);
    Value next = step(values.empty() ? Value() : values.front());
    scf::YieldOp::create(b, loc, next ? ValueRange(next) : ValueRange());
  };
  Value begin = isEven ? index(0) : team;
  Value end = isEven ? index(*fixed / share) : emitter.index(depth);
  auto loop =
      scf::ForOp::create(b, loc, begin, end, index(isEven ? 1 : share), inits, body);
  return carried ? loop.getResult(0) : Value();
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

void ColumnEmitter::accumulate(size_t number) {
  const Pass &pass = program.passes[number];
  const Reduction &reduction = pass.reduction;
  Type type = reduction.term->type;
  Node *sum = program.body.bound(type);
  Node *next = codegen::accumulate(program.body, reduction, sum, /*fuses=*/true);
  SmallVector<Node *> nodes{next};
  if (staged && number == 0)
    nodes.push_back(program.source);
  forTeams(mul(count, index(share)), config.getGroupThreads(), [&](Value team) {
    Value group = divide(team, index(share));
    openStrip(group);
    bindFound(number, group);
    Value initial = emitter.fragment(program.body.constant(neutralOf(reduction)));
    emitter.hoist({reduction.term});
    auto step = [&](Value carried) {
      emitter.bind(sum, carried);
      SmallVector<Value> values = emitter.fragments(nodes);
      if (nodes.size() > 1)
        emitter.store(values[1], emitter.memories[staged->argument], staged->index);
      return values[0];
    };
    Value part = forPositions(remainder(team, index(share)), group, initial, step);
    storeLine(parts[number], team, part);
  });
  // Later passes read the operand from scratch, where this pass stored it.
  if (staged && number == 0)
    emitter.redirect(program.source, staged);
}

/// Returns the threads of a group that combines the partial results: more than a column
/// tile has lanes, so that each thread has few of them. The number differs from
/// that of the groups that reduce, whose fragments are distributed differently.
static int64_t combiningTeam(tile::PointwiseConfigAttr config) {
  constexpr int64_t kWarp = 32;
  return config.getGroupThreads() == kWarp ? kWarp / 2 : kWarp;
}

void ColumnEmitter::combineParts(size_t number) {
  const Pass &pass = program.passes[number];
  forTeams(count, combiningTeam(config), [&](Value group) {
    openStrip(group);
    const Lines &lines = parts[number];
    auto type =
        tile::FragType::get(b.getContext(), {share, config.getLanes()}, lines.element);
    Value view = viewLines(lines, mul(group, index(share)), share);
    Value all = tile::LoadOp::create(b, loc, type, view, ValueRange{index(0), index(0)});
    auto line = tile::FragType::get(b.getContext(), {config.getLanes()}, lines.element);
    auto kind = tile::ReduceKindAttr::get(b.getContext(), kindOfParts(pass.reduction));
    Value total = tile::ReduceOp::create(b, loc, line, kind, all, b.getI64IntegerAttr(0));
    if (!isLast(number))
      return storeLine(found[number], group, total);
    bindFound(number, group);
    emitter.bind(pass.reduction.result, total);
    bindFinals(pass);
    storeOutputs(program.outputs);
  });
}

void ColumnEmitter::bindFound(size_t end, Value group) {
  for (size_t i = 0; i < end; ++i) {
    emitter.bind(program.passes[i].reduction.result, loadLine(found[i], group));
    bindFinals(program.passes[i]);
  }
}

void ColumnEmitter::bindFinals(const Pass &pass) {
  for (auto [bound, value] : pass.finals)
    emitter.bind(bound, emitter.fragment(value));
}

SmallVector<Node *> ColumnEmitter::outputNodes() const {
  return llvm::map_to_vector(program.outputs,
                             [](const Output &output) { return output.value; });
}

/// Stores outputs with one element per position. Each group visits the same positions as
/// in the passes, so that no group overwrites elements that another one still reads, even
/// if the result is in place of an operand.
void ColumnEmitter::storeRows() {
  forTeams(mul(count, index(share)), config.getGroupThreads(), [&](Value team) {
    Value group = divide(team, index(share));
    openStrip(group);
    bindFound(program.passes.size(), group);
    emitter.hoist(outputNodes());
    forPositions(remainder(team, index(share)), group, {}, [&](Value) {
      storeOutputs(program.outputs);
      return Value();
    });
  });
}
