//===- Split.cpp - Tasks that share the steps of K ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every part stores its sums in the workspace. The last part of a tile to do so adds
// those of all parts, its own too, in the order of K, and goes on with the epilogue:
// bits depend on the number of parts and never on which one came last.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "SplitModel.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

void GemmEmitter::planSplit() {
  // Of the largest launch that this code is for, whatever the dims of the others.
  tickets =
      panelTasks *
      (program.maxRows ? SymbolicExpr(llvm::divideCeil(*program.maxRows, block.getRows()))
                       : rowTasks);
  for (const Loop &loop : program.batch)
    tickets *= loop.extent;
  tasks = tasks * SymbolicExpr(block.getSplit());
  int64_t panels = groups ? groups.getPanels() : block.getPanels();
  int64_t sums = block.getSplit() * block.getRows() * panels * program.width;
  workspaceBytes = tickets * SymbolicExpr(sums * tile::elementBytes(program.accumulator));
}

void GemmEmitter::openPart(Value &task) {
  Value depth = emitter.index(program.depth.extent);
  if (block.getSplit() == 1) {
    part = {task, Value(), index(0), depth};
    return;
  }
  Value parts = index(block.getSplit());
  part.number = b.createOrFold<arith::RemUIOp>(loc, task, parts);
  part.tile = task = divide(task, parts);
  // Whole steps of the pipeline each; the last has what is left.
  int64_t round = block.getDepth() * block.getSplit();
  SymbolicExpr share =
      program.depth.extent.ceilDiv(round) * SymbolicExpr(block.getDepth());
  Value length = emitter.index(share);
  part.begin = mul(part.number, length);
  part.end = add(part.begin, length);
  if (share * SymbolicExpr(block.getSplit()) != program.depth.extent)
    part.end = minimum(part.end, depth);
}

/// Of some panels from `first` on. Those of several parts are under way at a time, and
/// added in order when they are there.
GemmEmitter::Values GemmEmitter::sumParts(Value partials, TypeRange types,
                                          int64_t first) {
  auto load = [&](Value number) {
    Values sums;
    for (auto [i, type] : llvm::enumerate(types))
      sums.push_back(tile::LoadOp::create(
          b, loc, type, partials,
          ValueRange{number, index(0), index((first + int64_t(i)) * program.width)}));
    return sums;
  };
  auto addOne = [&](OpBuilder &, Location, ValueRange elements) -> Values {
    if (isa<FloatType>(program.accumulator))
      return {arith::AddFOp::create(b, loc, elements[0], elements[1])};
    return {arith::AddIOp::create(b, loc, elements[0], elements[1])};
  };
  // Parts [begin, begin + count), behind `sums` of those before; none before the first.
  auto addSome = [&](Values sums, Value begin, int64_t count) {
    SmallVector<Values> parts;
    for (int64_t i = 0; i < count; ++i)
      parts.push_back(load(add(begin, index(i))));
    for (const Values &part : parts) {
      if (sums.empty()) {
        sums = part;
        continue;
      }
      for (auto [sum, more] : llvm::zip(sums, part))
        sum = tile::MapOp::create(b, loc, TypeRange{sum.getType()}, ValueRange{sum, more},
                                  addOne)
                  .getResult(0);
    }
    return sums;
  };
  int64_t split = block.getSplit(), columns = int64_t(types.size()) * program.width;
  int64_t registers = block.getRows() * columns / block.getThreads();
  int64_t group =
      std::clamp<int64_t>(kFetchRegisters / std::max<int64_t>(registers, 1), 1, split);
  int64_t whole = split / group * group;
  Values sums = addSome({}, index(0), group);
  if (whole > group) {
    auto body = [&](OpBuilder &, Location, Value begin, ValueRange carried) {
      NodeEmitter::Scope scope(emitter);
      scf::YieldOp::create(b, loc, addSome(Values(carried), begin, group));
    };
    auto loop =
        scf::ForOp::create(b, loc, index(group), index(whole), index(group), sums, body);
    sums = Values(loop.getResults());
  }
  return addSome(sums, index(whole), split - whole);
}

void GemmEmitter::combineParts(ValueRange products,
                               function_ref<void(AccumulatorsOf)> finish) {
  if (block.getSplit() == 1)
    return finish([&](int64_t first, int64_t count) {
      return Values(products.slice(first, count));
    });
  int64_t columns = int64_t(products.size()) * program.width;
  int64_t sums = block.getRows() * columns;
  Value workspace = tile::WorkspaceOp::create(
      b, loc, tile::BufferType::get(b.getContext(), program.accumulator));
  auto fixed = [&](int64_t value) -> OpFoldResult { return b.getIndexAttr(value); };
  Value partials = tile::ViewOp::create(
      b, loc, workspace, mul(part.tile, index(block.getSplit() * sums)),
      ArrayRef<OpFoldResult>{fixed(block.getSplit()), fixed(block.getRows()),
                             fixed(columns)},
      ArrayRef<OpFoldResult>{fixed(sums), fixed(columns), fixed(1)});
  for (auto [i, product] : llvm::enumerate(products))
    tile::StoreOp::create(
        b, loc, product, partials,
        ValueRange{part.number, index(0), index(int64_t(i) * program.width)});
  Value last = tile::TicketOp::create(b, loc, b.getI1Type(), part.tile,
                                      /*actual=*/Value(), uint64_t(block.getSplit()));
  scf::IfOp::create(b, loc, last, [&](OpBuilder &, Location) {
    NodeEmitter::Scope scope(emitter);
    finish([&](int64_t first, int64_t count) {
      return sumParts(partials, products.slice(first, count).getTypes(), first);
    });
    scf::YieldOp::create(b, loc);
  });
}
