//===- setmaxnreg.cpp - setmaxnreg ----------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// A block starts with the registers that its kernel was compiled for: as many as let the
// blocks promised by .maxntid and .minnctapersm share an SM. Without .maxntid that number
// is unknown, and the instruction has no effect, as with ptxas.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/async/async.h"
#include "runtime/sim/exec/async/state.h"
#include "runtime/sim/exec/whole_warp.h"

#include "runtime/sim/profile/profile.h"

#include <algorithm>

namespace kiln::sim::exec {

namespace {

constexpr uint32_t MaxWarpRegisters = 256, Granule = 8;

/// Registers per thread at the start; 0 if unknown.
uint32_t initialRegisters(const Grid &grid) {
  const KernelInfo &kernel = grid.kernel->info;
  const DeviceProfile &profile = *grid.launch->profile;
  uint32_t threads = kernel.requiredThreads[0] * std::max(kernel.requiredThreads[1], 1u) *
                     std::max(kernel.requiredThreads[2], 1u);
  if (!threads)
    threads = kernel.maxThreads;
  if (!threads || threads >= profile.threadsPerSm / 2)
    return 0;
  uint32_t rounded = (threads + WarpSize - 1) / WarpSize * WarpSize;
  uint32_t blocks = std::max(kernel.minBlocksPerSm, 1u);
  uint32_t each = profile.registersPerSm / (rounded * blocks) / Granule * Granule;
  return std::min(each, MaxWarpRegisters);
}

bool isFree(const Wait &wait, const Warp &warp, const Split &) {
  return warp.block->spareRegisters >= int64_t(wait.a);
}

std::string describeRegisterWait(const Wait &wait, const Warp &warp, const Split &) {
  return std::to_string(wait.a) +
         " registers per lane for setmaxnreg.inc; the block has " +
         std::to_string(warp.block->spareRegisters) + " to spare";
}

/// imm: the new count; flags: inc.
Stop runSetmaxnreg(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!wholeWarp(op, mask, warp))
    return Stop::Fault;
  if (!warp.registers)
    warp.registers = initialRegisters(*warp.block->grid);
  uint32_t wanted = uint32_t(op->imm);
  if (!warp.registers)
    KILN_NEXT(op, regs, mask, warp);
  if (op->flags ? wanted < warp.registers : wanted > warp.registers) {
    fault(originOf(warp, op, mask), LaunchFailed,
          "setmaxnreg to " + std::to_string(wanted) + " registers, but the warp has " +
              std::to_string(warp.registers),
          op->flags ? "use .dec to give registers back" : "use .inc to get more");
    return Stop::Fault;
  }
  int64_t more = int64_t(wanted) - int64_t(warp.registers);
  if (more > warp.block->spareRegisters)
    return block(
        warp, op,
        {.ready = isFree, .describe = describeRegisterWait, .a = uint64_t(more)});
  warp.block->spareRegisters -= more;
  warp.registers = wanted;
  ++async::stateOf(warp).registerChanges;
  warp.changed = true;
  KILN_NEXT(op, regs, mask, warp);
}

bool decodeSetmaxnreg(Decoder &decoder, const ptx::Instruction &i) {
  uint64_t count = i.operands[0].bits;
  if (count % Granule)
    return decoder.error("the register count is no multiple of 8");
  MicroOp &op = decoder.emit(runSetmaxnreg);
  op.imm = count;
  op.flags = i.operation == ptx::Mod::Inc;
  return true;
}

} // namespace

void async::addSetmaxnreg(DecoderTable &table) {
  table[size_t(ptx::Opcode::Setmaxnreg)] = decodeSetmaxnreg;
}

} // namespace kiln::sim::exec
