//===- local_stack.cpp - alloca and the stack pointer ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of a frame share one top of stack: an allocation by one lane reserves space
// for all.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/decoder.h"
#include "runtime/sim/exec/worker.h"

#include <algorithm>
#include <cstring>

namespace kiln::sim::exec {

namespace {
using ptx::Instruction;
using ptx::Opcode;

/// Max bytes of local memory per thread that alloca may use.
constexpr uint64_t MaxLocal = 512 * 1024;

uint64_t readLane(const uint8_t *regs, uint32_t line, unsigned bytes, unsigned lane) {
  uint64_t value = 0;
  memcpy(&value, regs + line + size_t(lane) * bytes, bytes);
  return value;
}

void writeLanes(uint8_t *regs, uint32_t line, unsigned bytes, Mask mask, uint64_t value) {
  forLanes(mask, [&](unsigned lane) {
    memcpy(regs + line + size_t(lane) * bytes, &value, bytes);
  });
}

// d, a: registers of op->extra bytes; imm: alignment.
Stop runAlloca(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Frame &frame = *warp.current->frame;
  uint64_t size = 0;
  forLanes(mask, [&](unsigned lane) {
    size = std::max(size, readLane(regs, op->a, op->extra, lane));
  });
  uint64_t start = (frame.localTop() + op->imm - 1) / op->imm * op->imm;
  if (size > MaxLocal || start + size > MaxLocal)
    return fault(originOf(warp, op, mask), LaunchFailed,
                 "stack overflow: alloca of " + std::to_string(size) + " bytes");
  uint64_t top = (start + size + 15) / 16 * 16;
  frame.allocated = uint32_t(top - frame.localBase - frame.function->localBytes);
  if (!growLocal(warp, uint32_t(top)))
    return fault(originOf(warp, op, mask), 2, "host memory ran out for alloca");
  writeLanes(regs, op->d, op->extra, mask, start);
  KILN_NEXT(op, regs, mask, warp);
}

Stop runStackSave(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  writeLanes(regs, op->d, op->extra, mask, warp.current->frame->localTop());
  KILN_NEXT(op, regs, mask, warp);
}

Stop runStackRestore(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Frame &frame = *warp.current->frame;
  // Other lanes of the frame may still use the memory that these release.
  if (mask == frame.lanes) {
    uint64_t top = 0, bottom = frame.localBase + frame.function->localBytes;
    forLanes(mask, [&](unsigned lane) {
      top = std::max(top, readLane(regs, op->a, op->extra, lane));
    });
    if (top < bottom || top > frame.localTop())
      return fault(originOf(warp, op, mask), LaunchFailed,
                   "stackrestore of a value that no stacksave gave");
    frame.allocated = uint32_t(top - bottom);
  }
  KILN_NEXT(op, regs, mask, warp);
}

bool decodeAlloca(Decoder &decoder, const Instruction &i) {
  unsigned bytes = ptx::bytes(i.type());
  uint64_t alignment = i.operands.size() > 2 ? i.operands[2].bits : 8;
  uint32_t size = decoder.read(i.operands[1], bytes);
  decoder.emit(runAlloca, decoder.write(i.operands[0], bytes), size, 0, 0, alignment)
      .extra = uint16_t(bytes);
  return true;
}
bool decodeStackSave(Decoder &decoder, const Instruction &i) {
  unsigned bytes = ptx::bytes(i.type());
  decoder.emit(runStackSave, decoder.write(i.operands[0], bytes)).extra = uint16_t(bytes);
  return true;
}
bool decodeStackRestore(Decoder &decoder, const Instruction &i) {
  unsigned bytes = ptx::bytes(i.type());
  decoder.emit(runStackRestore, 0, decoder.read(i.operands[0], bytes)).extra =
      uint16_t(bytes);
  return true;
}
} // namespace

void addLocalStackDecoders(DecoderTable &table) {
  table[size_t(Opcode::Alloca)] = decodeAlloca;
  table[size_t(Opcode::Stacksave)] = decodeStackSave;
  table[size_t(Opcode::Stackrestore)] = decodeStackRestore;
}

} // namespace kiln::sim::exec
