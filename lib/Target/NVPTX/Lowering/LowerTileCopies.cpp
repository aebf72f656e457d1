//===- LowerTileCopies.cpp - cp.async -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile has the same order of dims in shared and in global memory, so that each 16-byte
// copy is one instruction. Tiles for tensor cores are swizzled in chunks
// (StagedLayout.h), others have padded lines.
//
//===----------------------------------------------------------------------===//

#include "CopyLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

//===----------------------------------------------------------------------===//
// Tiles in shared memory
//===----------------------------------------------------------------------===//

static bool isUnit(OpFoldResult stride) { return getConstantIntValue(stride) == 1; }

void CopyLowering::lower(tile::AllocOp op) {
  SharedTile tile = planTile(op.getType());
  tile.base = program.sharedFor(op);
  tiles[op] = tile;
}

LoweredStaged CopyLowering::stageOf(const SharedTile &tile, Type element, Value stage) {
  LoweredStaged result;
  result.element = element;
  result.pointer = program.gep(tile.base, element,
                               program.mul(stage, program.index(tile.stageElements)));
  result.isColumnMajor = tile.isColumnMajor;
  result.chunks = tile.chunks;
  if (tile.chunks)
    return result;
  Value pitch = program.index(tile.pitch), one = program.index(1);
  result.strides = {tile.isColumnMajor ? one : pitch, tile.isColumnMajor ? pitch : one};
  // The pitch's largest power of two is the alignment of lines.
  int64_t bytes = tile::elementBytes(element);
  result.alignment = std::min<int64_t>((tile.pitch & -tile.pitch) * bytes, 16);
  return result;
}

void CopyLowering::lower(tile::BufferStageOp op) {
  const SharedTile &tile = tiles.find(op.getBuffer())->second;
  program.staged[op] =
      stageOf(tile, op.getType().getElementType(), program.scalar(op.getStage()));
}

/// Lowers a tile that is not copied: its elements are read in place.
void CopyLowering::lower(tile::StageOp op) {
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

/// Returns the elements per copy: contiguous in both memories, all inside or all outside
/// of the view.
int64_t CopyLowering::copyWidth(tile::IssueCopyOp op, const SharedTile &tile) {
  auto view = op.getView().getDefiningOp<tile::ViewOp>();
  size_t rank = view.getMixedStrides().size();
  size_t along = tile.isColumnMajor ? rank - 2 : rank - 1;
  if (!isUnit(view.getMixedStrides()[along]))
    return 1;
  int64_t bytes = tile::elementBytes(view.getType().getElementType());
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

/// Distributes the tile's elements to threads: first along a line, then across lines, in
/// an order in which simultaneous copies hit distinct banks.
Layout CopyLowering::copyLayout(const SharedTile &tile, int64_t width, int64_t bytes) {
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

void CopyLowering::lower(tile::IssueCopyOp op) {
  const SharedTile &tile = tiles.find(op.getBuffer())->second;
  Value stage = program.scalar(op.getStage());
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
                            program.mul(stage, program.index(tile.stageElements)));
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

/// Copies a run of bytes. Null condition: always inside. Elements outside become zero.
void CopyLowering::copyRun(const LoweredView &view, Value source, Value target,
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
  // Runs under 4 bytes are too narrow for cp.async and go through a register.
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

void CopyLowering::lower(tile::CommitCopiesOp) { NVVM::CpAsyncCommitGroupOp::create(b); }

void CopyLowering::lower(tile::WaitCopiesOp op) {
  NVVM::CpAsyncWaitGroupOp::create(b, op.getInFlight());
}
