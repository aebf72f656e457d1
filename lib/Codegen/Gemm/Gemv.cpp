//===- Gemv.cpp - GEMV kernels as tile IR ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is staged: each element of the right operand is read once, by the one thread
// that uses it. Warps that split K interleave tile by tile, so that the block reads
// contiguous memory at any time.
//
//===----------------------------------------------------------------------===//

#include "Gemv.h"
#include "lib/Codegen/Gemm/Program/Rows.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <algorithm>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// GEMV problem
//===----------------------------------------------------------------------===//

void kiln::codegen::describeGemv(const GemmProgram &program, GemmProblem &problem) {
  constexpr int64_t kAccessBytes = 16;
  auto isNarrowFloat = [](Type type) {
    return type.isF32() || type.isF16() || type.isBF16();
  };
  problem.sumsInF32 = program.accumulator.isF32() &&
                      isNarrowFloat(program.lhs->storage) &&
                      (isNarrowFloat(program.rhs->storage) || program.rhsBytes);
  problem.isLhsAlongDepth =
      coefficientOf(program.lhs->index, program.k.var)->isConstant(1);
  const SymbolicExpr &address = program.rhs->index;
  for (StringAttr along : {program.k.var, program.lane.var})
    if (coefficientOf(address, along)->isConstant(1)) {
      problem.rhsVector = alignedRun(address, along, kAccessBytes / problem.rhsBytes);
      problem.isAlongDepth = along == program.k.var;
    }
}

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

GemvEmitter::GemvEmitter(OpBuilder &builder, graph::KernelOp kernel, GemmProgram &program,
                         tile::GemvConfigAttr config)
    : ShellEmitter(builder, kernel, program.body), program(program), config(config),
      rows(*knownRows(program)),
      phases(config.getAlongK() ? config.getVector() : config.getUnroll()),
      tiles(config.getAlongK() ? config.getUnroll() : 1),
      columnTasks(program.columnsInner.ceilDiv(config.getBlockColumns())) {}

bool GemvEmitter::hasPartialColumns() const {
  auto columns = program.columnsInner.getConstant();
  return !columns || *columns % config.getBlockColumns() != 0;
}

tile::FragType GemvEmitter::tileType(Type element) const {
  int64_t depth = config.getKLanes(), columns = config.getColumns();
  auto shape = config.getAlongK() ? SmallVector<int64_t>{columns, depth}
                                  : SmallVector<int64_t>{depth, columns};
  return tile::FragType::get(b.getContext(), shape, element);
}

GemvEmitter::Values GemvEmitter::place(Value k) {
  if (blockPart)
    return {blockPart, k, index(0)};
  return depthDim() ? Values{index(0), k} : Values{k, index(0)};
}

GemvEmitter::Values GemvEmitter::forSteps(Value begin, Value end, Value step,
                                          ValueRange inits,
                                          function_ref<Values(Value, ValueRange)> body) {
  auto build = [&](OpBuilder &, Location, Value at, ValueRange sums) {
    NodeEmitter::Scope scope(emitter);
    scf::YieldOp::create(b, loc, body(at, sums));
  };
  auto loop = scf::ForOp::create(b, loc, begin, end, step, inits, build);
  return Values(loop.getResults());
}

void GemvEmitter::ifElse(Value condition, function_ref<void()> onTrue,
                         function_ref<void()> onFalse) {
  auto branch = [&](function_ref<void()> body) {
    return [this, body](OpBuilder &, Location) {
      NodeEmitter::Scope scope(emitter);
      body();
      scf::YieldOp::create(b, loc);
    };
  };
  scf::IfOp::create(b, loc, condition, branch(onTrue), branch(onFalse));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Returns a view of every `phases`-th step of an operand's K, from `phase` on, by its
/// columns. If blocks of K have scales, a row of the view is one block.
Value GemvEmitter::openView(const Node *operand, int64_t phase, OpFoldResult columns,
                            const SymbolicExpr &columnStride) {
  SymbolicExpr step = *coefficientOf(operand->index, program.k.var);
  Value offset = emitter.index(operand->index + step * SymbolicExpr(phase));
  int64_t each = rowSteps();
  SymbolicExpr steps = (program.k.extent + SymbolicExpr(each - 1 - phase)).floorDiv(each);
  SmallVector<OpFoldResult> sizes(2), strides(2);
  unsigned depth = depthDim();
  sizes[depth] = fold(steps);
  strides[depth] = fold(step * SymbolicExpr(each));
  sizes[1 - depth] = columns;
  strides[1 - depth] = fold(columnStride);
  if (program.rhsScales) {
    sizes.insert(sizes.begin(), b.getIndexAttr(each / phases));
    strides.insert(strides.begin(), fold(step * SymbolicExpr(phases)));
  }
  return tile::ViewOp::create(b, loc, emitter.memories[operand->argument].buffer, offset,
                              sizes, strides);
}

/// Clamps a row to the last one that exists. Results of the rows beyond are not stored.
Value GemvEmitter::existingRow(int64_t row) {
  if (row == 0 || program.row.extent.isConstant())
    return index(row);
  Value last = sub(emitter.index(program.row.extent), index(1));
  return b.createOrFold<arith::MinSIOp>(loc, index(row), last);
}

/// Opens a warp's views. Its columns begin at `lane` of the bound panel, and `valid` of
/// them exist (null: all).
GemvEmitter::Views GemvEmitter::openViews(Value lane, Value valid) {
  Views views;
  NodeEmitter::Scope scope(emitter);
  emitter.bind(program.k.var, index(0));
  emitter.bind(program.lane.var, lane);
  OpFoldResult all = b.getIndexAttr(config.getColumns());
  SymbolicExpr stride = *coefficientOf(program.rhs->index, program.lane.var);
  for (int64_t phase = 0; phase < phases; ++phase)
    views.right.push_back(
        openView(program.rhs, phase, valid ? OpFoldResult(valid) : all, stride));
  if (program.rhsScales)
    views.scales = openScales();
  for (int64_t row = 0; row < rows; ++row) {
    NodeEmitter::Scope rowScope(emitter);
    emitter.bind(program.row.var, existingRow(row));
    Values &left = views.left.emplace_back();
    for (int64_t phase = 0; phase < phases; ++phase)
      left.push_back(openView(program.lhs, phase, all, /*columnStride=*/0));
  }
  return views;
}

/// Loads a tile and converts it to the accumulators' type; masked elements are zero.
/// `bytes` is the type that bytes encode, if elements are bytes.
Value GemvEmitter::load(Value view, Value at, ArrayRef<int64_t> masked, Type bytes) {
  Type element = cast<tile::ViewType>(view.getType()).getElementType();
  Value pad, loaded;
  if (!masked.empty())
    pad = arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(element)));
  Type numbers = bytes ? bytes : element;
  loaded = tile::LoadOp::create(b, loc, tileType(numbers), view, place(at), pad, masked);
  if (numbers == program.accumulator)
    return loaded;
  return tile::ConvertOp::create(b, loc, tileType(program.accumulator), loaded);
}

//===----------------------------------------------------------------------===//
// Accumulation
//===----------------------------------------------------------------------===//

/// Multiplies `count` tiles per phase from step `at` on, and adds them to `sums`.
GemvEmitter::Values GemvEmitter::multiply(const Views &views, Value at, int64_t count,
                                          const Masks &masks, ValueRange sums) {
  SmallVector<int64_t> leftMask;
  if (masks.left)
    leftMask.push_back(depthDim());
  Values next(sums);
  // All loads of the right operand come first, so that they are in flight together.
  Values right;
  for (int64_t tile = 0; tile < count; ++tile)
    for (Value view : views.right)
      right.push_back(load(view, add(at, index(tile * config.getKLanes())), masks.right,
                           program.rhsBytes));
  if (blockScales)
    for (Value &numbers : right)
      numbers = times(numbers, blockScales);
  for (int64_t tile = 0; tile < count; ++tile)
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t phase = 0; phase < phases; ++phase) {
        Value left = load(views.left[row][phase],
                          add(at, index(tile * config.getKLanes())), leftMask);
        auto fused = tile::MapOp::create(
            b, loc, TypeRange{next[row].getType()},
            ValueRange{left, right[tile * phases + phase], next[row]},
            [&](OpBuilder &inner, Location where, ValueRange x) -> SmallVector<Value> {
              return {math::FmaOp::create(inner, where, x[0], x[1], x[2])};
            });
        next[row] = fused.getResult(0);
      }
  return next;
}

/// Returns the accumulators of one warp: first all full groups of tiles, then the
/// remainder of K.
GemvEmitter::Values GemvEmitter::sumSteps(const Views &views, Value part, bool masked) {
  Value zero = arith::ConstantOp::create(
      b, loc, cast<TypedAttr>(b.getZeroAttr(program.accumulator)));
  Values sums(rows, tile::FillOp::create(b, loc, tileType(program.accumulator), zero));
  int64_t lanes = config.getKLanes(), step = lanes * tiles;
  SmallVector<int64_t> columnMask, bothMask{0, 1};
  if (masked)
    columnMask.push_back(1 - depthDim());
  else
    bothMask = {int64_t(depthDim())};
  SymbolicExpr depth = program.k.extent;
  Value wholeEnd = emitter.index(depth.floorDiv(rowSteps() * step) * SymbolicExpr(step));
  auto share = [&](Value begin, Value end, int64_t count, const Masks &masks) {
    if (getConstantIntValue(begin) &&
        getConstantIntValue(begin) == getConstantIntValue(end))
      return;
    Value first = add(begin, mul(part, index(count * lanes)));
    sums = forSteps(first, end, index(count * lanes * config.getSplit()), sums,
                    [&](Value at, ValueRange carried) {
                      return program.rhsScales
                                 ? multiplyBlocks(views, at, masks, carried)
                                 : multiply(views, at, count, masks, carried);
                    });
  };
  share(index(0), wholeEnd, tiles, {columnMask, false});
  auto constant = depth.getConstant();
  if (!constant || *constant % (rowSteps() * step) != 0)
    share(wholeEnd, emitter.index(depth.ceilDiv(rowSteps())), 1, {bothMask, true});
  return sums;
}

/// Adds up a warp's accumulators along K with shuffles, and stores one row of partial
/// sums per row of the GEMV.
void GemvEmitter::emitWarp(const Columns &columns, Value across, Value part,
                           bool masked) {
  Value first = mul(across, index(config.getColumns())), valid;
  if (masked) // later warps of the block may have no valid column
    valid = b.createOrFold<arith::MaxSIOp>(loc, sub(columns.valid, first), index(0));
  Values sums = sumSteps(openViews(add(columns.lane, first), valid), part, masked);
  auto rowType =
      tile::FragType::get(b.getContext(), {config.getColumns()}, program.accumulator);
  Value begin = mul(part, index(rows));
  for (int64_t row = 0; row < rows; ++row) {
    Value sum = tile::ReduceOp::create(b, loc, rowType, tile::ReduceKind::sum, sums[row],
                                       depthDim());
    tile::StoreOp::create(b, loc, sum, partials,
                          ValueRange{add(begin, index(row)), first});
  }
}

void GemvEmitter::emitWarps(const Columns &columns, bool masked) {
  int64_t split = config.getSplit();
  forTeams(index(config.getAcross() * split), tile::GemvConfigAttr::kLanes,
           [&](Value warp) {
             emitWarp(columns, divide(warp, index(split)), remainder(warp, index(split)),
                      masked);
           });
}

//===----------------------------------------------------------------------===//
// Epilogue
//===----------------------------------------------------------------------===//

/// Returns the sums of the warps that split K, added in their order, for `count` columns
/// from `column` on.
Value GemvEmitter::sumSplits(Value row, int64_t column, int64_t count) {
  auto type = tile::FragType::get(b.getContext(), {count}, program.accumulator);
  Value product;
  for (int64_t part = 0; part < config.getSplit(); ++part) {
    Value sum = tile::LoadOp::create(
        b, loc, type, partials, ValueRange{add(row, index(part * rows)), index(column)});
    if (product) {
      auto both = tile::MapOp::create(
          b, loc, TypeRange{type}, ValueRange{product, sum},
          [&](OpBuilder &inner, Location where, ValueRange x) -> SmallVector<Value> {
            return {arith::AddFOp::create(inner, where, x[0], x[1])};
          });
      sum = both.getResult(0);
    }
    product = sum;
  }
  return product;
}

/// Adds up a row's partial sums and computes its epilogue. If the panel has two halves,
/// the block has an entire panel.
void GemvEmitter::finishRow(Value row, const Columns &columns, Value valid) {
  int64_t count = config.getBlockColumns() / (program.second ? 2 : 1);
  emitter.setLanes({program.resultLane.var, columns.lane, count, valid});
  emitter.bind(program.row.var, row);
  emitter.bind(program.product, sumSplits(row, 0, count));
  if (program.second)
    emitter.bind(program.second, sumSplits(row, count, count));
  SmallVector<Node *> nodes =
      llvm::map_to_vector(program.outputs, [](const Output &o) { return o.value; });
  for (auto [fragment, output] : llvm::zip(emitter.fragments(nodes), program.outputs))
    emitter.store(fragment, results[output.result], output.address);
}

void GemvEmitter::emitEpilogue(const Columns &columns) {
  emitter.bind(program.resultLane.var, columns.lane);
  forTeams(emitter.index(program.row.extent), config.getRowThreads(), [&](Value row) {
    if (!hasPartialColumns())
      return finishRow(row, columns, {});
    Value whole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, columns.valid,
                                        index(config.getBlockColumns()));
    ifElse(
        whole, [&] { finishRow(row, columns, {}); },
        [&] { finishRow(row, columns, columns.valid); });
  });
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

/// Binds the panel of the block with this number along the columns.
GemvEmitter::Columns GemvEmitter::openColumns(Value number) {
  Value rest = number;
  auto digit = [&](const SymbolicExpr &radix) -> Value {
    Value extent = emitter.index(radix), low = remainder(rest, extent);
    rest = divide(rest, extent);
    return low;
  };
  Value inner = program.columnOuter.empty() ? number : digit(columnTasks);
  for (const Loop &loop : llvm::reverse(program.columnOuter))
    emitter.bind(loop.var, digit(loop.extent));
  Value perPanel = index(program.width / config.getBlockColumns());
  emitter.bind(program.panel.var, divide(inner, perPanel));
  Columns columns;
  columns.lane = mul(remainder(inner, perPanel), index(config.getBlockColumns()));
  if (hasPartialColumns())
    columns.valid =
        sub(emitter.index(program.columnsInner - SymbolicExpr::symbol(program.panel.var) *
                                                     SymbolicExpr(program.width)),
            columns.lane);
  return columns;
}

/// Prefetches the first steps of the bound panel, as many bytes as all blocks of a large
/// GPU need in flight.
void GemvEmitter::prefetchPanel() {
  constexpr int64_t kBytes = 32768;
  NodeEmitter::Scope scope(emitter);
  emitter.bind(program.lane.var, index(0));
  emitter.bind(program.k.var, index(0));
  int64_t stepBytes = program.width * tile::elementBytes(program.rhs->storage);
  Value steps = b.createOrFold<arith::MinSIOp>(loc, index(kBytes / stepBytes),
                                               emitter.index(program.k.extent));
  prefetchStretch(emitter.memories[program.rhs->argument],
                  emitter.index(program.rhs->index), mul(steps, index(program.width)));
}

void GemvEmitter::emitTask(Value task) {
  SymbolicExpr blocks = columnTasks;
  for (const Loop &loop : program.columnOuter)
    blocks *= loop.extent;
  Value number = task;
  if (!program.batch.empty()) {
    Value extent = emitter.index(blocks), rest = divide(task, extent);
    number = remainder(task, extent);
    for (const Loop &loop : llvm::reverse(program.batch)) {
      Value own = emitter.index(loop.extent);
      emitter.bind(loop.var, remainder(rest, own));
      rest = divide(rest, own);
    }
  }
  Columns columns = openColumns(number);
  if (prefetchesWeights)
    prefetchPanel();
  Value scratch = tile::ScratchOp::create(
      b, loc, tile::BufferType::get(b.getContext(), program.accumulator), index(0));
  OpFoldResult stride = b.getIndexAttr(config.getBlockColumns()), one = b.getIndexAttr(1);
  partials = tile::ViewOp::create(
      b, loc, scratch, index(0),
      ArrayRef<OpFoldResult>{b.getIndexAttr(config.getSplit() * rows), stride},
      ArrayRef<OpFoldResult>{stride, one});
  // Packed columns are padded to full panels.
  if (program.isPacked || !hasPartialColumns()) {
    emitWarps(columns, /*masked=*/false);
  } else {
    Value whole = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, columns.valid,
                                        index(config.getBlockColumns()));
    ifElse(whole, [&] { emitWarps(columns, false); }, [&] { emitWarps(columns, true); });
  }
  emitEpilogue(columns);
}

tile::KernelOp GemvEmitter::emit() {
  SymbolicExpr tasks = columnTasks;
  for (ArrayRef<Loop> loops :
       {ArrayRef<Loop>(program.columnOuter), ArrayRef<Loop>(program.batch)})
    for (const Loop &loop : loops)
      tasks *= loop.extent;
  SymbolicExpr scratchBytes = config.getSplit() * rows * config.getBlockColumns() *
                              tile::elementBytes(program.accumulator);
  tile::KernelOp shell = createShell(b, kernel, tasks, scratchBytes, config);
  shell.setThreads(config.getThreads());
  return fill(shell, [&](Value task) { emitTask(task); });
}
