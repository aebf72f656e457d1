//===- HostMainloop.cpp - Main loop of a host's GEMM ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a block of rows processes steps [k, k + step) of a panel, it prefetches two of
// the cache lines that hold the same steps of the next panels, so that all blocks
// together prefetch each line once. A single block prefetches its own panels further
// ahead.
//
//===----------------------------------------------------------------------===//

#include "HostMainloop.h"
#include "dialects/Types/FloatFormat.h"
#include "lib/Codegen/Blocks.h"
#include "lib/Codegen/Expression/Scalar.h"
#include "lib/Codegen/PackPanel.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static constexpr int64_t kLinesPerStep = 2;
/// Prefetch distance in a weight that is read as one stream, and steps between
/// prefetches. The hardware prefetcher keeps few lines of a single stream in flight and
/// stops at page boundaries; with several streams it keeps enough (but see
/// HostCpu::streamBytes).
static constexpr int64_t kBytesAhead = 8192, kStepsAhead = 4;

FloatMainloop::FloatMainloop(const GemmBuilder &gemm, tile::GemmConfigAttr config,
                             const TargetInfo &target, const SymbolicExpr &begin)
    : HostMainloop(gemm), config(config), streamBytes(target.streamBytes),
      dot(program.dotProduct(target)),
      operand(dot ? program.lhs->storage : program.accumulator),
      packOffset(begin.alignTo(64)) {
  int64_t bytes = tile::elementBytes(operand);
  SymbolicExpr packBytes;
  if (!program.loadsRhsDirectly())
    packBytes =
        program.k.extent *
        SymbolicExpr(bytes * program.width * std::max(config.getGroup(), kAccumulators));
  end = packOffset + packBytes;
  if (!convertsLhs())
    return;
  lhsOffset = end.alignTo(64);
  end = lhsOffset + convertedStride() * SymbolicExpr(config.getMc() * bytes);
}

//===----------------------------------------------------------------------===//
// The left operand
//===----------------------------------------------------------------------===//

/// Returns true if the left operand is f16 or bf16, whose broadcast elements would
/// otherwise be converted once per panel, or if steps of K that a dot product takes are
/// not contiguous.
bool FloatMainloop::convertsLhs() const {
  Type storage = program.lhs->storage;
  if (dot)
    return !coefficientOf(program.lhs->index, program.k.var)->isConstant(1);
  return isa<FloatType>(storage) && storage != program.accumulator;
}

/// Returns the elements between rows of the converted operand, padded by `width`: rows at
/// a multiple of the page size would map to the same cache sets.
SymbolicExpr FloatMainloop::convertedStride() const {
  return program.k.extent.alignTo(program.width) + SymbolicExpr(program.width);
}

/// Converts the left operand's rows of the task to scratch.
void FloatMainloop::convertLhs(RowRange rows) {
  const SymbolicExpr &address = program.lhs->index;
  OpFoldResult width = b.getIndexAttr(program.width), one = b.getIndexAttr(1);
  OpFoldResult count = rows.count, stride = fold(convertedStride());
  auto type = tile::BufferType::get(b.getContext(), operand);
  Value scratch = tile::ScratchOp::create(b, loc, type, emitter.index(lhsOffset));
  Value k = emitter.index(program.k.extent);
  bool isWhole = program.k.extent.exactDiv(program.width).has_value();
  emitLoop(b, loc, emitter, index(0), k, index(program.width), [&](Value at) {
    emitter.bind(program.row.var, rows.begin);
    emitter.bind(program.k.var, at);
    Value panel =
        tile::ViewOp::create(b, loc, scratch, at, ArrayRef<OpFoldResult>{count, width},
                             ArrayRef<OpFoldResult>{stride, one});
    PanelSource source{emitter.memories[program.lhs->argument].buffer,
                       emitter.index(address),
                       fold(*coefficientOf(address, program.row.var)),
                       fold(*coefficientOf(address, program.k.var)),
                       count,
                       isWhole ? Value() : sub(k, at)};
    emitPackPanel(b, loc, source, panel);
  });
  lhs = tile::ViewOp::create(b, loc, scratch, index(0),
                             ArrayRef<OpFoldResult>{count, fold(program.k.extent)},
                             ArrayRef<OpFoldResult>{stride, one});
  lhsBegin = rows.begin;
}

void FloatMainloop::openTask(RowRange rows) {
  lhs = openLhs();
  if (convertsLhs())
    convertLhs(rows);
}

//===----------------------------------------------------------------------===//
// Panels
//===----------------------------------------------------------------------===//

/// Copies the bound panel to scratch.
Value FloatMainloop::packPanel(int64_t place) {
  const SymbolicExpr &address = program.rhs->index;
  OpFoldResult k = fold(program.k.extent), width = b.getIndexAttr(program.width);
  SymbolicExpr bytes = program.width * tile::elementBytes(operand);
  SymbolicExpr at = packOffset + program.k.extent * bytes * SymbolicExpr(place);
  Value panel = openScratch(operand, emitter.index(at), k, width, width);
  PanelSource source{emitter.memories[program.rhs->argument].buffer,
                     emitter.index(address),
                     fold(*coefficientOf(address, program.k.var)),
                     fold(*coefficientOf(address, program.lane.var)),
                     k,
                     program.hasPartialPanel() ? validColumns() : Value(),
                     program.rhsBytes};
  emitPackPanel(b, loc, source, panel);
  return panel;
}

HostPanel FloatMainloop::openPanel(Value number, int64_t place) {
  NodeEmitter::Scope scope(emitter);
  bindPanel(number);
  emitter.bind(program.lane.var, index(0));
  emitter.bind(program.k.var, index(0));
  HostPanel panel{number, {}, {}, {}};
  if (!program.loadsRhsDirectly()) {
    panel.rhs = packPanel(place);
    return panel;
  }
  const SymbolicExpr &address = program.rhs->index;
  SymbolicExpr stride = *coefficientOf(address, program.k.var);
  OpFoldResult one = b.getIndexAttr(1);
  OpFoldResult k = fold(program.k.extent), width = b.getIndexAttr(program.width);
  Value buffer = emitter.memories[program.rhs->argument].buffer;
  Value offset = emitter.index(address);
  panel.rhs =
      tile::ViewOp::create(b, loc, buffer, offset, ArrayRef<OpFoldResult>{k, width},
                           ArrayRef<OpFoldResult>{fold(stride), one});
  if (program.rhsScales)
    panel.scales = openBlockScales();
  if (program.isPacked && stride.isConstant(packWidth()))
    panel.packed = tile::ViewOp::create(b, loc, buffer, offset,
                                        ArrayRef<OpFoldResult>{b.getIndexAttr(INT32_MAX)},
                                        ArrayRef<OpFoldResult>{one});
  return panel;
}

//===----------------------------------------------------------------------===//
// Prefetches
//===----------------------------------------------------------------------===//

int64_t FloatMainloop::packWidth() const { return program.width * program.panelsPerPack; }

/// Returns the elements from panel `number` to panel number + count.
Value FloatMainloop::distance(Value number, size_t count) {
  Value k = emitter.index(program.k.extent), width = index(program.width);
  if (program.panelsPerPack == 1)
    return mul(mul(k, width), index(count));
  Value side = index(program.panelsPerPack);
  auto begin = [&](Value panel) {
    return add(mul(mul(divide(panel, side), k), index(packWidth())),
               mul(remainder(panel, side), width));
  };
  return sub(begin(add(number, index(count))), begin(number));
}

/// Returns the offset in the packed operand of the next elements to be read: the next
/// steps of the panel, or the next group of panels.
Value FloatMainloop::nextRead(ArrayRef<HostPanel> panels, KSteps steps) {
  Value nextGroup = distance(panels.front().number, panels.size());
  if (steps.isFirst)
    return nextGroup;
  Value isLast = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, steps.end,
                                       emitter.index(program.k.extent));
  return arith::SelectOp::create(b, loc, isLast, nextGroup,
                                 mul(steps.end, index(packWidth())));
}

void FloatMainloop::prefetch(ArrayRef<HostPanel> panels, const RowBlock &block,
                             KSteps steps, Value at) {
  int64_t line = kCacheLineBytes / tile::elementBytes(program.rhs->storage);
  // Distance of two prefetches: a cache line, or a step of K if that is longer.
  int64_t next = std::max(line, packWidth());
  Value own = mul(block.number, index(kLinesPerStep * next));
  Value position = add(mul(sub(at, steps.begin), index(packWidth())), own);
  position = add(position, nextRead(panels, steps));
  size_t perLine = std::max<int64_t>(line / program.width, 1);
  bool shared = program.panelsPerPack > 1;
  for (size_t p = 0; p < panels.size(); p += shared ? perLine : 1)
    for (int64_t i = 0; i < kLinesPerStep; ++i)
      tile::PrefetchOp::create(b, loc, panels[p].packed,
                               ValueRange{add(position, index(i * next))});
}

/// Returns how to prefetch panels that are sequential streams of memory; nullopt: not at
/// all.
std::optional<FloatMainloop::StreamPrefetch>
FloatMainloop::streamPrefetch(ArrayRef<HostPanel> panels) const {
  int64_t count = panels.size(),
          line = kCacheLineBytes / tile::elementBytes(program.rhs->storage);
  if (!llvm::all_of(panels, [](const HostPanel &panel) { return panel.packed; }))
    return std::nullopt;
  if (program.panelsPerPack > 1 && count == program.panelsPerPack)
    return StreamPrefetch{1, kBytesAhead, /*locality=*/2};
  if (program.panelsPerPack == 1 && packWidth() % line == 0 && streamBytes)
    return StreamPrefetch{count, streamBytes / count, /*locality=*/0};
  return std::nullopt;
}

/// Prefetches, in each stream, the lines of kStepsAhead steps at a distance of
/// bytesAhead.
void FloatMainloop::prefetchStreams(ArrayRef<HostPanel> panels, StreamPrefetch prefetch,
                                    Value at) {
  int64_t bytes = tile::elementBytes(program.rhs->storage),
          line = kCacheLineBytes / bytes;
  Value position = add(mul(at, index(packWidth())), index(prefetch.bytesAhead / bytes));
  for (const HostPanel &panel : panels.take_front(prefetch.streams))
    for (int64_t i = 0; i < kStepsAhead * packWidth() / line; ++i)
      tile::PrefetchOp::create(b, loc, panel.packed,
                               ValueRange{add(position, index(i * line))},
                               prefetch.locality);
}

Value FloatMainloop::prefetchStride(Value blocks) {
  int64_t lineSteps =
      kCacheLineBytes / (tile::elementBytes(program.rhs->storage) * packWidth());
  int64_t perBlock = kLinesPerStep * std::max<int64_t>(lineSteps, 1);
  return b.createOrFold<arith::MaxSIOp>(loc, mul(blocks, index(perBlock)),
                                        index(config.getKu()));
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

Value HostMainloop::stage(Value view, ValueRange indices, int64_t rows, int64_t columns,
                          Value steps, Type bytes) {
  Type element = bytes ? bytes : cast<tile::ViewType>(view.getType()).getElementType();
  auto type = tile::StagedType::get(b.getContext(), {rows, columns}, element);
  return tile::StageOp::create(b, loc, type, view, indices,
                               steps ? ValueRange(steps) : ValueRange());
}

Value FloatMainloop::lhsRow(const RowBlock &block) {
  return lhsBegin ? sub(block.rows.begin, lhsBegin) : block.rows.begin;
}

/// Returns the scales of a block of K as a row of f32.
Value FloatMainloop::blockScales(const HostPanel &panel, Value step) {
  auto view = cast<tile::ViewType>(panel.scales.getType());
  auto bytes =
      tile::FragType::get(b.getContext(), {program.width}, view.getElementType());
  Value loaded =
      tile::LoadOp::create(b, loc, bytes, panel.scales, ValueRange{step, index(0)});
  return fragmentCast(b, loc, loaded, powerOfTwoType(b.getContext()),
                      program.accumulator);
}

/// Multiplies with scales per block of K. Each block has accumulators of its own, which
/// the FMA that adds them to the totals multiplies by the scales. Scaling the weights
/// instead would take one more instruction per vector. Scales are powers of two, so both
/// are exact.
HostMainloop::Values FloatMainloop::multiplyBlocks(ArrayRef<HostPanel> panels,
                                                   const RowBlock &block, int64_t height,
                                                   KSteps steps, ValueRange inits) {
  int64_t length = program.rhsScales->block;
  auto load = [&](OpBuilder &, Location, Value at) {
    NodeEmitter::Scope scope(emitter);
    Values staged{stage(lhs, {lhsRow(block), at}, height, length)};
    for (const HostPanel &panel : panels)
      staged.push_back(
          stage(panel.rhs, {at, index(0)}, length, program.width, {}, program.rhsBytes));
    return staged;
  };
  auto compute = [&](OpBuilder &, Location, Value at, ValueRange staged,
                     ValueRange carried) {
    NodeEmitter::Scope scope(emitter);
    Value none = tile::FillOp::create(b, loc, tileType(height), zero());
    Values blocks = multiplyStaged(staged, Values(panels.size(), none)), next;
    for (auto [panel, dot, own] : llvm::zip(panels, blocks, carried)) {
      Value scales = tile::BroadcastOp::create(
          b, loc, tileType(height), blockScales(panel, divide(at, index(length))),
          /*axis=*/0);
      auto joined = tile::MapOp::create(
          b, loc, TypeRange{own.getType()}, ValueRange{dot, scales, own},
          [&](OpBuilder &inner, Location, ValueRange x) -> SmallVector<Value> {
            return {math::FmaOp::create(inner, loc, x[0], x[1], x[2])};
          });
      next.push_back(joined.getResult(0));
    }
    return next;
  };
  auto pipeline = tile::PipelineOp::create(b, loc, steps.begin, steps.end, index(length),
                                           inits, load, compute);
  return Values(pipeline.getResults());
}

/// Returns the distance at which a block prefetches, by tile.mma, one of kPrefetchRows
/// parts of the next group of panels; null: it does not. With fewer blocks than that,
/// some parts are left out.
Value FloatMainloop::tilesAhead(ArrayRef<HostPanel> panels, const RowBlock &block,
                                KSteps steps) {
  bool arePacked = llvm::all_of(panels, [](const HostPanel &p) { return p.packed; });
  if (!block.number || !arePacked)
    return {};
  Value own = remainder(block.number, index(tile::MmaOp::kPrefetchRows));
  return add(sub(nextRead(panels, steps), mul(steps.begin, index(packWidth()))),
             mul(own, index(packWidth())));
}

/// Multiplies all steps at once: tile registers hold the accumulators of one
/// tile.mma, and between two of them these go through memory.
HostMainloop::Values FloatMainloop::multiplyTiles(ArrayRef<HostPanel> panels,
                                                  const RowBlock &block, int64_t height,
                                                  KSteps steps, ValueRange inits) {
  Value count = sub(steps.end, steps.begin);
  Values staged{
      stage(lhs, {lhsRow(block), steps.begin}, height, ShapedType::kDynamic, count)};
  for (const HostPanel &panel : panels)
    staged.push_back(stage(panel.rhs, {steps.begin, index(0)}, ShapedType::kDynamic,
                           program.width, count));
  return multiplyStaged(staged, inits, dot, tilesAhead(panels, block, steps));
}

HostMainloop::Values FloatMainloop::multiply(ArrayRef<HostPanel> panels,
                                             const RowBlock &block, int64_t height,
                                             KSteps steps, ValueRange inits) {
  if (program.rhsScales)
    return multiplyBlocks(panels, block, height, steps, inits);
  if (usesTiles())
    return multiplyTiles(panels, block, height, steps, inits);
  bool prefetches =
      block.number && llvm::all_of(panels, [](const HostPanel &p) { return p.packed; });
  std::optional<StreamPrefetch> streams;
  if (!block.number)
    streams = streamPrefetch(panels);
  Value stride = sub(steps.end, steps.begin);
  if (prefetches)
    stride = prefetchStride(block.count);
  else if (streams)
    stride = index(kStepsAhead);
  std::optional<int64_t> count = getConstantIntValue(sub(steps.end, steps.begin));
  bool isWhole = !prefetches && (!streams || (count && *count % kStepsAhead == 0));
  auto load = [&](OpBuilder &, Location, Value at) {
    NodeEmitter::Scope scope(emitter);
    Value left = isWhole ? stride : minimum(sub(steps.end, at), stride);
    Values staged{stage(lhs, {lhsRow(block), at}, height, ShapedType::kDynamic, left)};
    for (const HostPanel &panel : panels)
      staged.push_back(stage(panel.rhs, {at, index(0)}, ShapedType::kDynamic,
                             program.width, left,
                             program.loadsRhsDirectly() ? program.rhsBytes : Type()));
    if (prefetches)
      prefetch(panels, block, steps, at);
    if (streams)
      prefetchStreams(panels, *streams, at);
    return staged;
  };
  auto compute = [&](OpBuilder &, Location, Value, ValueRange staged,
                     ValueRange carried) { return multiplyStaged(staged, carried, dot); };
  auto pipeline = tile::PipelineOp::create(b, loc, steps.begin, steps.end, stride, inits,
                                           load, compute);
  return Values(pipeline.getResults());
}
