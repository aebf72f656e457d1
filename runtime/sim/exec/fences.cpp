//===- fences.cpp - Fences and launch dependencies -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory is sequentially consistent here: fences matter only to the observer.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/decoder.h"
#include "runtime/sim/exec/observer.h"

namespace kiln::sim::exec {

namespace {
using ptx::Instruction;
using ptx::Mod;
using ptx::Opcode;

Scope scopeOf(const Instruction &i) {
  if (i.scope == Mod::Cta)
    return Scope::Cta;
  if (i.scope == Mod::Cluster)
    return Scope::Cluster;
  if (i.scope == Mod::Gpu || i.has(Mod::Gl))
    return Scope::Gpu;
  return Scope::Sys;
}

/// imm: the scope; flags: proxy.async.
Stop runFence(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Observer *observer = warp.block->grid->observer;
  if (observer && !observer->fence(originOf(warp, op, mask), Scope(op->imm), op->flags))
    return Stop::Fault;
  KILN_NEXT(op, regs, mask, warp);
}

bool decodeFence(Decoder &decoder, const Instruction &i) {
  decoder.emit(runFence, 0, 0, 0, 0, uint64_t(scopeOf(i)));
  return true;
}

bool decodeProxyFence(Decoder &decoder, const Instruction &i) {
  decoder.emit(runFence, 0, 0, 0, 0, uint64_t(Scope::Cta)).flags = i.has(Mod::Async);
  return true;
}

/// No-op: kernels run one after the other, so a launch's dependencies are complete when
/// it starts.
bool decodeGridDependency(Decoder &, const Instruction &) { return true; }
} // namespace

void addFenceDecoders(DecoderTable &table) {
  auto add = [&](Opcode opcode, DecodeFunction decode) {
    table[size_t(opcode)] = decode;
  };
  add(Opcode::Fence, decodeFence);
  add(Opcode::Membar, decodeFence);
  add(Opcode::FenceMbarrierInit, decodeFence);
  add(Opcode::FenceProxy, decodeProxyFence);
  add(Opcode::FenceProxyTensormap, decodeProxyFence);
  add(Opcode::FenceProxyAsyncRestrict, decodeProxyFence);
  add(Opcode::Griddepcontrol, decodeGridDependency);
}

} // namespace kiln::sim::exec
