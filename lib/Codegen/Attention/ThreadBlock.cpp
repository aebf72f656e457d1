//===- ThreadBlock.cpp - Attention as the task of a block of threads ------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attention of GPUs: a block holds some query rows of one head and walks over
// the keys with an online softmax, so that its memory does not grow with them.
// Scores leave the product through a strip of scratch, where teams of threads
// finish a row each: scale, mask, maximum, exponentials, sum. The factors by
// which older parts shrink go through scratch too, one per row.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Elements that rows of scratch lie apart beyond their length: 4 neighbouring rows
/// of 8 elements, and 2 rows of 16 two apart, are in different banks.
static constexpr int64_t kStripPadding = 8;

static int64_t paddedExtent(const Loop &loop) {
  return llvm::PowerOf2Ceil(std::max<int64_t>(*loop.extent.getConstant(), 8));
}

void AttentionEmitter::planThreads() {
  depthLanes = paddedExtent(program.depth);
  columnLanes = paddedExtent(program.column);
  rowTasks = program.row.extent.ceilDiv(threads.getRows());
  tasks = rowTasks;
  for (const Loop *loop : {&program.batch, &program.keyHead, &program.headInGroup})
    tasks *= loop->extent;
  if (program.fitsTensorCores())
    return planTensor();
  stripStride = std::max(threads.getKeys(), columnLanes) + kStripPadding;
  auto area = [&](SymbolicExpr &offset, int64_t elements) {
    offset = scratchBytes;
    scratchBytes += SymbolicExpr(int64_t(llvm::alignTo(elements * bytes(), 64)));
  };
  area(stripOffset, threads.getRows() * stripStride);
  area(maximumOffset, threads.getRows());
  area(sumOffset, threads.getRows());
  area(factorOffset, threads.getRows());
  if (!program.mask || !program.hasOneMaskRow())
    return;
  maskRows = 1;
  area(maskOffset, threads.getKeys());
}

/// Keys past the length of a sequence are not read.
OpFoldResult AttentionEmitter::extentOf(const Loop &loop) {
  if (program.lengths && loop.var == program.key.var)
    return keyEnd;
  return fold(loop.extent);
}

/// The two dims that `rows` and `columns` count in an operand, from their start. TMA
/// wants one view for all tasks.
AttentionEmitter::Matrix AttentionEmitter::openMatrix(Node *node, const Loop &rows,
                                                      const Loop &columns) {
  Value buffer = emitter.memories[node->argument].buffer;
  if (groups) {
    TensorOperand tensor = *headTensor(program, node->index, rows, columns);
    SmallVector<Value> at = tensor.indices(b, loc, emitter, index(0), index(0));
    return {tensor.open(b, loc, emitter, buffer),
            SmallVector<Value>(ArrayRef(at).drop_back(2))};
  }
  NodeEmitter::Scope scope(emitter);
  emitter.bind(rows.var, index(0));
  emitter.bind(columns.var, index(0));
  const SymbolicExpr &address = node->index;
  return {view(buffer, emitter.index(address), {extentOf(rows), extentOf(columns)},
               {fold(*coefficientOf(address, rows.var)),
                fold(*coefficientOf(address, columns.var))}),
          {}};
}

Value AttentionEmitter::stageMasked(const Matrix &from, ValueRange indices, int64_t rows,
                                    const Loop &rowLoop, int64_t columns,
                                    const Loop &columnLoop) {
  Type element = cast<tile::ViewType>(from.view.getType()).getElementType();
  auto isWhole = [&](const Loop &loop, int64_t of) {
    if (!groups && program.lengths && loop.var == program.key.var)
      return false;
    auto constant = loop.extent.getConstant();
    return constant && *constant % of == 0;
  };
  SmallVector<int64_t> masked;
  if (!isWhole(rowLoop, rows))
    masked.push_back(0);
  if (!isWhole(columnLoop, columns))
    masked.push_back(1);
  auto type = tile::StagedType::get(b.getContext(), {rows, columns}, element);
  SmallVector<Value> all(from.outer);
  llvm::append_range(all, indices);
  return tile::StageOp::create(b, loc, type, from.view, all, ValueRange(), masked);
}

SmallVector<Value> AttentionEmitter::stageKeys(const Matrix &keyMatrix,
                                               const Matrix &valueMatrix, Value first,
                                               int64_t count) {
  return {stageMasked(keyMatrix, {index(0), first}, depthLanes, program.depth, count,
                      program.key),
          stageMasked(valueMatrix, {first, index(0)}, count, program.key, columnLanes,
                      program.column)};
}

/// Independent iterations, shared by teams that hold `lanes` elements in fours. A
/// quarter of a warp accesses two rows of 16 at a time: `apart` makes these two rows
/// apart, for a count that is a multiple of four.
void AttentionEmitter::shareRows(Value count, int64_t lanes,
                                 function_ref<void(Value)> body, bool apart) {
  auto permuted = [&](Value i) -> Value { // 0, 2, 1, 3, 4, 6, ...
    Value low = b.createOrFold<arith::RemUIOp>(loc, i, index(2));
    Value half = b.createOrFold<arith::DivUIOp>(loc, i, index(2));
    Value high = b.createOrFold<arith::RemUIOp>(loc, half, index(2));
    return add(sub(i, high), low);
  };
  auto build = [&](OpBuilder &, Location, Value i, ValueRange) {
    NodeEmitter::Scope scope(emitter);
    body(apart && lanes == 16 ? permuted(i) : i);
    scf::YieldOp::create(b, loc);
  };
  auto loop = scf::ForOp::create(b, loc, index(0), count, index(1), ValueRange(), build);
  int64_t team = std::clamp<int64_t>(lanes / 4, 1, 32);
  loop->setAttr(tile::kTeamAttr, b.getI64IntegerAttr(team));
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// The lowest finite number times a factor stays finite: queries for which all keys have
/// it see them all alike.
Value AttentionEmitter::scaleMask(Value mask, double factor) {
  Value scale = number(factor), lowest = number(-std::numeric_limits<float>::max());
  Value removed = number(-std::numeric_limits<double>::infinity());
  auto element = cast<RankedTensorType>(program.op.getMask().getType()).getElementType();
  return mapOf(cast<tile::FragType>(mask.getType()), {mask},
               [&](OpBuilder &b, ValueRange x) -> Value {
                 Value product = arith::MulFOp::create(b, loc, x[0], scale);
                 if (element.isF16()) // far from the limits of f32
                   return product;
                 Value finite = arith::MaximumFOp::create(b, loc, product, lowest);
                 Value isRemoved = arith::CmpFOp::create(
                     b, loc, arith::CmpFPredicate::OEQ, x[0], removed);
                 return arith::SelectOp::create(b, loc, isRemoved, removed, finite);
               });
}

/// Keys [first, first + keys) of a row of the mask, times a factor, into scratch.
void AttentionEmitter::storeMask(Value to, ValueRange at, Value row, Value first,
                                 Value valid, double factor) {
  int64_t keys = threads.getKeys();
  emitter.bind(program.row.var, row);
  emitter.bind(program.key.var, first);
  emitter.setLanes({program.key.var, first, keys, valid});
  Value mask = emitter.fragment(program.mask);
  if (factor != 1)
    mask = scaleMask(mask, factor);
  tile::StoreOp::create(b, loc, mask, to, at);
}

/// Scores [first, first + keys) of one row, scaled and masked.
Value AttentionEmitter::loadScores(Value stripRow, Value row, Value first, Value valid) {
  int64_t keys = threads.getKeys();
  auto type = tile::FragType::get(b.getContext(), {keys}, program.accumulator);
  emitter.bind(program.row.var, row);
  emitter.bind(program.key.var, first);
  emitter.setLanes({program.key.var, first, keys, valid});
  Value scores =
      tile::LoadOp::create(b, loc, type, strip, ValueRange{stripRow, index(0)});
  SmallVector<Value> inputs{scores};
  if (maskLine)
    inputs.push_back(tile::LoadOp::create(b, loc, type, maskLine, ValueRange{index(0)}));
  else if (program.mask)
    inputs.push_back(emitter.fragment(program.mask));
  scores = mapOf(type, inputs, [&](OpBuilder &b, ValueRange x) -> Value {
    Value scaled = scaleScore(b, x[0]);
    return x.size() == 1 ? scaled
                         : arith::AddFOp::create(b, loc, scaled, x[1]).getResult();
  });
  Value lowest = number(-std::numeric_limits<double>::infinity());
  return atEdge(scores, [&](Value scores) -> Value {
    Value end = keyEnd;
    if (program.op.getCausal())
      end = b.createOrFold<arith::MinSIOp>(loc, end, lastKeyOf(row));
    return tile::SelectRangeOp::create(b, loc, type, scores, index(0), sub(end, first),
                                       lowest, uint64_t(0));
  });
}

Value AttentionEmitter::mapOf(tile::FragType type, ArrayRef<Value> inputs,
                              function_ref<Value(OpBuilder &, ValueRange)> body) {
  auto map = tile::MapOp::create(
      b, loc, TypeRange{type}, inputs,
      [&](OpBuilder &inner, Location, ValueRange arguments) -> SmallVector<Value> {
        return {body(inner, arguments)};
      });
  return map.getResult(0);
}

/// One row of one tile of keys: its exponentials replace the scores.
void AttentionEmitter::emitOnlineRow(Value stripRow, Value row, Value first,
                                     Value valid) {
  Value scores = loadScores(stripRow, row, first, valid);
  auto type = cast<tile::FragType>(scores.getType());
  Type element = program.accumulator;
  Value before = tile::LoadOp::create(b, loc, element, maxima, ValueRange{stripRow});
  Value highest =
      tile::ReduceOp::create(b, loc, element, tile::ReduceKind::max, scores, 0);
  Value maximum = arith::MaximumFOp::create(b, loc, before, highest);
  Value shift = finiteShift(maximum); // nothing but masked keys so far
  Value exponentials = mapOf(type, {scores}, [&](OpBuilder &b, ValueRange x) -> Value {
    return math::ExpOp::create(b, loc, arith::SubFOp::create(b, loc, x[0], shift));
  });
  Value factor =
      math::ExpOp::create(b, loc, arith::SubFOp::create(b, loc, before, shift));
  Value part =
      tile::ReduceOp::create(b, loc, element, tile::ReduceKind::sum, exponentials, 0);
  Value sum = tile::LoadOp::create(b, loc, element, sums, ValueRange{stripRow});
  sum = math::FmaOp::create(b, loc, sum, factor, part);
  tile::StoreOp::create(b, loc, exponentials, strip, ValueRange{stripRow, index(0)});
  tile::StoreOp::create(b, loc, maximum, maxima, ValueRange{stripRow});
  tile::StoreOp::create(b, loc, sum, sums, ValueRange{stripRow});
  tile::StoreOp::create(b, loc, factor, factors, ValueRange{stripRow});
}

void AttentionEmitter::emitOnlineRows(Value rowBegin, Value rowCount, Value first) {
  Value valid = hasWholeTiles() ? Value() : sub(keyEnd, first);
  if (maskLine)
    shareRows(index(1), threads.getKeys(),
              [&](Value) { storeMask(maskLine, {index(0)}, rowBegin, first, valid, 1); });
  // Rows past the end, which are computed and dropped, have the last one's mask.
  Value last = sub(rowCount, index(1));
  shareRows(
      index(threads.getRows()), threads.getKeys(),
      [&](Value row) {
        Value own = b.createOrFold<arith::MinSIOp>(loc, row, last);
        emitOnlineRow(row, add(rowBegin, own), first, valid);
      },
      /*apart=*/true);
}

//===----------------------------------------------------------------------===//
// The walk over the keys
//===----------------------------------------------------------------------===//

/// A row's number repeated along it, as a fragment like the result.
Value AttentionEmitter::loadPerRow(Value perRow) {
  auto type = tile::FragType::get(b.getContext(), {threads.getRows(), columnLanes},
                                  program.accumulator);
  Value repeated = view(perRow, index(0),
                        {b.getIndexAttr(threads.getRows()), b.getIndexAttr(columnLanes)},
                        {b.getIndexAttr(1), b.getIndexAttr(0)});
  return tile::LoadOp::create(b, loc, type, repeated, ValueRange{index(0), index(0)});
}

Value AttentionEmitter::walkKeys(Value rowBegin, Value rowCount, Value queries) {
  int64_t rows = threads.getRows(), keyTile = threads.getKeys();
  MLIRContext *context = b.getContext();
  Matrix keyMatrix = openMatrix(program.keys, program.depth, program.key);
  Matrix valueMatrix = openMatrix(program.values, program.key, program.column);
  auto scoreType = tile::FragType::get(context, {rows, keyTile}, program.accumulator);
  auto resultType =
      tile::FragType::get(context, {rows, columnLanes}, program.accumulator);
  Value none = tile::FillOp::create(b, loc, scoreType, number(0.0));
  Value init = tile::FillOp::create(b, loc, resultType, number(0.0));
  Value shared = lastSharedKey(rowBegin);
  auto load = [&](OpBuilder &, Location, Value at) -> SmallVector<Value> {
    return stageKeys(keyMatrix, valueMatrix, at, keyTile);
  };
  auto compute = [&](OpBuilder &, Location, Value at, ValueRange staged,
                     ValueRange carried) -> SmallVector<Value> {
    NodeEmitter::Scope scope(emitter);
    enterTile(at, shared);
    Value scores = tile::MmaOp::create(b, loc, scoreType, queries, staged[0], none);
    tile::StoreOp::create(b, loc, scores, strip, ValueRange{index(0), index(0)});
    emitOnlineRows(rowBegin, rowCount, at);
    Value factor = loadPerRow(scratch(factorOffset));
    Value older =
        mapOf(resultType, {carried[0], factor}, [&](OpBuilder &b, ValueRange x) -> Value {
          return arith::MulFOp::create(b, loc, x[0], x[1]);
        });
    auto type = tile::StagedType::get(context, {rows, keyTile}, program.accumulator);
    Value weights = tile::StageOp::create(b, loc, type, strip,
                                          ValueRange{index(0), index(0)}, ValueRange());
    return {tile::MmaOp::create(b, loc, resultType, weights, staged[1], older)};
  };
  auto pipeline = tile::PipelineOp::create(b, loc, index(0), lastKey(rowBegin, rowCount),
                                           index(keyTile), init, load, compute);
  pipeline.setStages(2);
  return pipeline.getResult(0);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Fragments are along `loop`, padded.
void AttentionEmitter::openLanes(const Loop &loop, int64_t lanes, int64_t rows) {
  int64_t extent = *loop.extent.getConstant();
  emitter.bind(loop.var, index(0));
  emitter.setLanes(
      {loop.var, index(0), lanes, extent == lanes ? Value() : index(extent), rows});
}

/// The product, divided by the sums of scratch if they are there, and what follows.
void AttentionEmitter::emitResults(Value rowBegin, Value rowCount, Value product) {
  if (stored) { // from the registers of the product, which has been divided
    const Output &output = program.outputs.front();
    const NodeEmitter::Memory &memory = results[output.result];
    openLanes(program.column, columnLanes, threads.getRows());
    emitter.bind(program.product, product);
    auto element = cast<tile::BufferType>(memory.buffer.getType()).getElementType();
    Value tile = emitter.convert(emitter.fragment(output.value), element);
    SmallVector<int64_t> masked;
    if (auto rows = program.row.extent.getConstant(); !rows || *rows % threads.getRows())
      masked.push_back(0);
    if (!program.column.extent.isConstant(columnLanes))
      masked.push_back(1);
    tile::StoreOp::create(b, loc, tile, stored->open(b, loc, emitter, memory.buffer),
                          stored->indices(b, loc, emitter, rowBegin, index(0)), masked);
    return;
  }
  tile::StoreOp::create(b, loc, product, strip, ValueRange{index(0), index(0)});
  auto type = tile::FragType::get(b.getContext(), {columnLanes}, program.accumulator);
  shareRows(rowCount, columnLanes, [&](Value row) {
    emitter.bind(program.row.var, add(rowBegin, row));
    openLanes(program.column, columnLanes);
    Value tile = tile::LoadOp::create(b, loc, type, strip, ValueRange{row, index(0)});
    if (sums) {
      Value sum =
          tile::LoadOp::create(b, loc, program.accumulator, sums, ValueRange{row});
      Value inverse = invert(b, sum);
      tile = mapOf(type, {tile}, [&](OpBuilder &b, ValueRange x) -> Value {
        return normalize(b, x[0], inverse);
      });
    }
    // TMA brings what lies behind a sequence's length, too.
    if (program.op.getCausal() || program.op.getNanZero() || (groups && program.lengths))
      tile = unlessFinite(tile, [&] { return attendSeen(add(rowBegin, row)); });
    emitter.bind(program.product, tile);
    SmallVector<Value> fragments = emitter.fragments(outputNodes());
    for (auto [fragment, output] : llvm::zip(fragments, program.outputs))
      emitter.store(fragment, results[output.result], output.address);
  });
}

void AttentionEmitter::emitThreadTask(Value task) {
  auto digit = [&](const SymbolicExpr &radix) -> Value {
    if (radix.isConstant(1))
      return index(0);
    Value extent = emitter.index(radix);
    Value low = b.createOrFold<arith::RemUIOp>(loc, task, extent);
    task = b.createOrFold<arith::DivUIOp>(loc, task, extent);
    return low;
  };
  int64_t rows = threads.getRows();
  Value rowBegin = mul(digit(rowTasks), index(rows));
  for (const Loop *loop : {&program.headInGroup, &program.keyHead, &program.batch})
    emitter.bind(loop->var, digit(loop->extent));
  keyEnd = countKeys();
  Value rowCount = b.createOrFold<arith::MinSIOp>(
      loc, index(rows), sub(emitter.index(program.row.extent), rowBegin));
  OpFoldResult height = b.getIndexAttr(rows), one = b.getIndexAttr(1);
  OpFoldResult stride = b.getIndexAttr(stripStride);
  if (!stored)
    strip = view(scratch(stripOffset), index(0), {height, stride}, {stride, one});
  auto stageQueries = [&] {
    Matrix query = openMatrix(program.query, program.row, program.depth);
    return stageMasked(query, {rowBegin, index(0)}, rows, program.row, depthLanes,
                       program.depth);
  };
  if (program.fitsTensorCores())
    return emitResults(rowBegin, rowCount,
                       walkKeysOnTensorCores(rowBegin, rowCount, stageQueries()));
  maxima = view(scratch(maximumOffset), index(0), {height}, {one});
  sums = view(scratch(sumOffset), index(0), {height}, {one});
  factors = view(scratch(factorOffset), index(0), {height}, {one});
  if (maskRows)
    maskLine =
        view(scratch(maskOffset), index(0), {b.getIndexAttr(threads.getKeys())}, {one});
  auto perRow = tile::FragType::get(b.getContext(), {rows}, program.accumulator);
  auto clear = [&](Value of, double value) {
    Value fill = tile::FillOp::create(b, loc, perRow, number(value));
    tile::StoreOp::create(b, loc, fill, of, ValueRange{index(0)});
  };
  clear(maxima, -std::numeric_limits<double>::infinity());
  clear(sums, 0.0);
  clear(factors, 0.0);
  emitResults(rowBegin, rowCount, walkKeys(rowBegin, rowCount, stageQueries()));
}

tile::KernelOp AttentionEmitter::emitForThreads(tile::BlockAttentionConfigAttr chosen) {
  threads = chosen;
  planThreads();
  tile::KernelOp shell = createShell(b, kernel, tasks, scratchBytes, threads);
  shell.setThreads(threads.getThreads());
  return fill(shell, [&](Value task) { emitThreadTask(task); });
}

tile::KernelOp
AttentionEmitter::emitForWarpgroups(tile::WarpgroupAttentionConfigAttr chosen) {
  groups = chosen;
  stored = storedHeads(program);
  int64_t rows = chosen.getRows();
  threads = tile::BlockAttentionConfigAttr::get(b.getContext(), rows, chosen.getKeys(),
                                                rows * 2); // 128 per 64 rows
  planThreads();
  tile::KernelOp shell = createShell(b, kernel, tasks, scratchBytes, chosen);
  shell.setThreads(threads.getThreads());
  return fill(shell, [&](Value task) { emitThreadTask(task); });
}
