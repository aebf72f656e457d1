//===- LowerTilePipeline.cpp - Operands into shared memory ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipeline with n stages keeps n - 1 tiles of each operand in flight with
// cp.async while it computes on one: one barrier per step. A tile lies in shared
// memory as it lies in global memory: what is contiguous stays so, so that a
// copy of 16 bytes is one instruction. What tensor cores read lies in chunks
// (StagedLayout.h), all else in padded lines.
//
//===----------------------------------------------------------------------===//

#include "PipelineLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

//===----------------------------------------------------------------------===//
// Tiles in shared memory
//===----------------------------------------------------------------------===//

static bool isUnit(OpFoldResult stride) { return getConstantIntValue(stride) == 1; }

SharedTile PipelineLowering::openTile(tile::StageOp op) {
  SharedTile tile = planTile(op);
  tile.base = program.sharedFor(op);
  return tile;
}

LoweredStaged PipelineLowering::slotOf(const SharedTile &tile, Type element, Value slot) {
  LoweredStaged result;
  result.element = element;
  result.pointer = program.gep(tile.base, element,
                               program.mul(slot, program.index(tile.slotElements)));
  result.isColumnMajor = tile.isColumnMajor;
  result.chunks = tile.chunks;
  if (tile.chunks)
    return result;
  Value pitch = program.index(tile.pitch), one = program.index(1);
  result.strides = {tile.isColumnMajor ? one : pitch, tile.isColumnMajor ? pitch : one};
  // Lines begin at multiples of the pitch.
  int64_t bytes = tile::elementBytes(element);
  result.alignment = std::min<int64_t>((tile.pitch & -tile.pitch) * bytes, 16);
  return result;
}

/// A tile of scratch is where it is.
void PipelineLowering::stageScratch(tile::StageOp op) {
  const LoweredView view = program.views.find(op.getView())->second;
  LoweredStaged result;
  result.element = view.element;
  result.pointer = program.gep(view.buffer.pointer, view.element,
                               memory.linearize(view, op.getIndices()));
  size_t rank = view.strides.size();
  result.strides = {view.strides[rank - 2], view.strides[rank - 1]};
  int64_t bytes = tile::elementBytes(view.element);
  result.alignment = std::min(view.buffer.alignment,
                              accessDivisor(op.getView(), op.getIndices(), 2) * bytes);
  program.staged[op] = result;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Elements of one copy: contiguous on both sides, all inside or all outside.
int64_t PipelineLowering::copyWidth(tile::StageOp op, const SharedTile &tile) {
  auto view = op.getView().getDefiningOp<tile::ViewOp>();
  size_t rank = view.getMixedStrides().size();
  size_t along = tile.isColumnMajor ? rank - 2 : rank - 1;
  if (!isUnit(view.getMixedStrides()[along]))
    return 1;
  int64_t bytes = tile::elementBytes(op.getType().getElementType());
  int64_t width = std::min(program.target.gpu->accessBytes / bytes, tile.length);
  width = std::min(width, accessDivisor(op.getView(), op.getIndices(), /*rank=*/1));
  OpFoldResult across = view.getMixedStrides()[tile.isColumnMajor ? rank - 1 : rank - 2];
  width = std::min(width, knownDivisor(across));
  bool masked = llvm::is_contained(op.getMasked(), tile.isColumnMajor ? 0 : 1);
  if (masked) {
    width = std::min(width, knownDivisor(view.getMixedSizes()[along]));
    width = std::min(width, knownDivisor(op.getIndices()[along]));
  }
  return width;
}

/// The tile's elements to threads: consecutive ones copy what is consecutive, then
/// come lines, in an order in which what is copied at a time lies in distinct banks.
Layout PipelineLowering::copyLayout(const SharedTile &tile, int64_t width,
                                    int64_t bytes) {
  Layout flat = Layout::row(tile.lines * tile.length, program.team.threads, width);
  int64_t run = std::min(width, flat.runLength());
  unsigned placeBits = llvm::Log2_64(tile.length), lineBits = llvm::Log2_64(tile.lines);
  auto rotated = [&](unsigned by) {
    auto rotate = [&](ArrayRef<uint32_t> bases) {
      Layout::Bases result(bases);
      for (uint32_t &base : result)
        if (base >= tile.length)
          base = 1u << (placeBits + (llvm::Log2_32(base) - placeBits + by) % lineBits);
      return result;
    };
    return Layout(tile.lines, tile.length, rotate(flat.registers()),
                  rotate(flat.threads()));
  };
  auto conflicts = [&](const Layout &layout) {
    return layout.bankConflicts(
        0, std::min<int64_t>(program.team.threads, 32), run * bytes, [&](int64_t at) {
          return (layout.row(at) * tile.pitch + layout.column(at)) * bytes;
        });
  };
  Layout best = rotated(0);
  if (tile.chunks)
    return best;
  for (unsigned by = 1; by < lineBits; ++by)
    if (Layout other = rotated(by); conflicts(other) < conflicts(best))
      best = other;
  return best;
}

void PipelineLowering::copyTile(tile::StageOp op, const SharedTile &tile, Value slot) {
  const LoweredView view = program.views.find(op.getView())->second;
  size_t rank = view.strides.size();
  Type element = view.element;
  int64_t bytes = tile::elementBytes(element), width = copyWidth(op, tile);
  Layout layout = copyLayout(tile, width, bytes);
  width = std::min(width, layout.runLength());
  auto [line, place] = program.threadOrigin(layout);
  Value row = tile.isColumnMajor ? place : line,
        column = tile.isColumnMajor ? line : place;
  Value rowStride = view.strides[rank - 2], columnStride = view.strides[rank - 1];
  Value from = program.add(
      memory.linearize(view, op.getIndices()),
      program.add(program.mul(row, rowStride), program.mul(column, columnStride)));
  Value source = program.gep(view.buffer.pointer, element, from);
  Value first = program.gep(tile.base, element,
                            program.mul(slot, program.index(tile.slotElements)));
  ChunkOrigin origin;
  if (tile.chunks)
    origin = program.chunkOrigin(
        *tile.chunks, llvm::map_to_vector(layout.threads(), [&](uint32_t at) {
          return uint32_t(tile.chunks->plain(layout.row(at), layout.column(at) * bytes));
        }));
  else
    first = program.gep(first, element,
                        program.add(program.mul(line, program.index(tile.pitch)), place));
  auto target = [&](int64_t line, int64_t place) -> Value {
    if (tile.chunks)
      return program.chunkPointer(first, *tile.chunks, origin,
                                  tile.chunks->plain(line, place * bytes));
    return program.gep(first, element, program.index(line * tile.pitch + place));
  };
  auto remaining = [&](int64_t dim) -> Value {
    if (!llvm::is_contained(op.getMasked(), dim))
      return {};
    size_t position = rank - 2 + dim;
    return b.createOrFold<arith::SubIOp>(view.sizes[position],
                                         program.scalar(op.getIndices()[position]));
  };
  int64_t lastLine = 0, lastPlace = 0;
  for (uint32_t base : layout.threads()) {
    lastLine += layout.row(base);
    lastPlace += layout.column(base);
  }
  if (tile.isColumnMajor)
    std::swap(lastLine, lastPlace);
  Place bounds{source,       row,          column, rowStride, columnStride,
               remaining(0), remaining(1), {},     lastLine,  lastPlace};
  program.guarded(program.owner(layout), [&] {
    for (int64_t reg = 0; reg < layout.numRegisters(); reg += width) {
      int64_t at = layout.element(reg, 0), l = layout.row(at), p = layout.column(at);
      int64_t r = tile.isColumnMajor ? p : l, c = tile.isColumnMajor ? l : p;
      copyRun(view, memory.address(view, bounds, r, c), target(l, p), width * bytes,
              memory.inside(bounds, r, c));
    }
  });
}

/// Null condition: always inside. What is outside becomes zero.
void PipelineLowering::copyRun(const LoweredView &view, Value source, Value target,
                               int64_t bytes, Value condition) {
  if (bytes >= 4) {
    auto cache =
        bytes == 16 ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;
    Value size;
    if (condition) {
      Value whole = arith::ConstantIntOp::create(b, bytes, 32);
      size = arith::SelectOp::create(b, condition, whole,
                                     arith::ConstantIntOp::create(b, 0, 32));
      source = arith::SelectOp::create(b, condition, source, view.buffer.pointer);
    }
    NVVM::CpAsyncOp::create(b, target, source, bytes, cache, size);
    return;
  }
  // Too narrow for cp.async: through a register.
  Type type = b.getIntegerType(bytes * 8);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(type));
  Values value = program.guarded(
      condition,
      [&]() -> Values {
        return {LLVM::LoadOp::create(b, type, source, bytes).getResult()};
      },
      Values{zero});
  LLVM::StoreOp::create(b, value.front(), target, bytes);
}

void PipelineLowering::lowerStage(tile::StageOp op) {
  if (isInScratch(op))
    return stageScratch(op);
  auto planned = tiles.find(op);
  if (planned != tiles.end())
    return copyTile(op, planned->second, copySlot);
  // Outside of a pipeline: copied at once.
  SharedTile tile = openTile(op);
  program.barrier();
  copyTile(op, tile, program.index(0));
  NVVM::CpAsyncCommitGroupOp::create(b);
  NVVM::CpAsyncWaitGroupOp::create(b, 0);
  program.barrier();
  program.staged[op] = slotOf(tile, op.getType().getElementType(), program.index(0));
}

//===----------------------------------------------------------------------===//
// Pipeline
//===----------------------------------------------------------------------===//

/// Starts the copies of the step at `position`, if there is one.
void PipelineLowering::issueCopies(tile::PipelineOp op, Value position, Value slot) {
  Value exists = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, position,
                                       program.scalar(op.getUpper()));
  bool apart = program.diverged; // the condition is the same for all threads
  program.guarded(exists, [&] {
    program.diverged = apart;
    Block &load = op.getLoad().front();
    program.scalars.map(load.getArgument(0), position);
    copySlot = slot;
    lowerBlock(load);
    apart = program.diverged;
  });
  program.diverged = apart;
  NVVM::CpAsyncCommitGroupOp::create(b);
}

void PipelineLowering::bindTiles(tile::PipelineOp op, Value position, Value slot) {
  Block &load = op.getLoad().front(), &compute = op.getCompute().front();
  program.scalars.map(compute.getArgument(0), position);
  ValueRange yielded = load.getTerminator()->getOperands();
  for (auto [tile, argument] : llvm::zip(yielded, compute.getArguments().drop_front())) {
    auto stage = tile.getDefiningOp<tile::StageOp>();
    LoweredStaged value =
        isInScratch(stage)
            ? program.staged.find(tile)->second
            : slotOf(tiles.find(stage)->second, stage.getType().getElementType(), slot);
    program.staged[argument] = value;
  }
}

void PipelineLowering::lowerPipeline(tile::PipelineOp op) {
  Block &load = op.getLoad().front(), &compute = op.getCompute().front();
  int64_t stages = stageCount(op);
  bool copies = false;
  for (auto stage : load.getOps<tile::StageOp>())
    if (!isInScratch(stage)) {
      tiles[stage] = openTile(stage);
      copies = true;
    }
  Value lower = program.scalar(op.getLower()), step = program.scalar(op.getStep());
  if (copies) {
    program.barrier(); // others may still read what was here before
    for (int64_t s = 0; s + 1 < stages; ++s)
      issueCopies(op, program.add(lower, program.mul(program.index(s), step)),
                  program.index(s));
  }
  Values inits = program.flatten(op.getInits());
  inits.push_back(program.index(0)); // the slot at hand
  auto loop = scf::ForOp::create(b, lower, program.scalar(op.getUpper()), step, inits);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    program.diverged = true; // where the lanes are, is not known
    Value position = loop.getInductionVar(), slot = loop.getRegionIterArgs().back();
    if (copies) {
      NVVM::CpAsyncWaitGroupOp::create(b, stages - 2);
      program.barrier();
      Value last = program.index(stages - 1);
      Value isFirst =
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq, slot, program.index(0));
      Value before = arith::SubIOp::create(b, slot, program.index(1));
      issueCopies(op, program.add(position, program.mul(last, step)),
                  arith::SelectOp::create(b, isFirst, last, before));
    } else {
      program.scalars.map(load.getArgument(0), position);
      lowerBlock(load);
    }
    bindTiles(op, position, slot);
    auto carried =
        compute.getArguments().drop_front(1 + load.getTerminator()->getNumOperands());
    program.bind(carried, loop.getRegionIterArgs().drop_back());
    lowerBlock(compute);
    if (program.failed)
      return;
    Value next = arith::AddIOp::create(b, slot, program.index(1));
    Value wraps =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next, program.index(stages));
    Values results = program.flatten(compute.getTerminator()->getOperands());
    results.push_back(arith::SelectOp::create(b, wraps, program.index(0), next));
    scf::YieldOp::create(b, results);
  }
  program.diverged = true; // where the lanes are, is not known
  program.bind(op.getResults(), loop.getResults().drop_back());
}
