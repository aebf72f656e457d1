//===- cost.cpp - Classes and costs of instructions ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/cost.h"

namespace kiln::sim::exec {

namespace {
using ptx::Instruction;
using ptx::Opcode;
using ptx::Type;

std::string typeClass(Type type) {
  switch (ptx::info(type).kind) {
  case ptx::TypeClass::Float:
    return type == Type::F64                         ? "f64"
           : ptx::bits(type) / ptx::lanes(type) < 32 ? "f16"
                                                     : "f32";
  default:
    return "integer";
  }
}

/// Bytes of memory that one lane reads or writes.
uint64_t laneBytes(const Instruction &i) {
  return uint64_t(i.vector) * ptx::bits(i.type()) / 8;
}
} // namespace

std::string classOf(const Instruction &i) {
  if (i.opcode >= Opcode::CpAsync && i.opcode <= Opcode::CpAsyncMbarrierArrive)
    return "async";
  if (i.opcode >= Opcode::MbarrierInit && i.opcode <= Opcode::MbarrierPendingCount)
    return "barrier";
  if (i.opcode >= Opcode::CpAsyncBulk && i.opcode <= Opcode::TensormapCpFenceproxy)
    return "async";
  if (i.opcode >= Opcode::Ldmatrix && i.opcode <= Opcode::WgmmaMma)
    return "matrix";
  switch (i.opcode) {
  case Opcode::Rcp:
  case Opcode::Sqrt:
  case Opcode::Rsqrt:
  case Opcode::Sin:
  case Opcode::Cos:
  case Opcode::Lg2:
  case Opcode::Ex2:
  case Opcode::Tanh:
    return "special";
  case Opcode::Cvt:
  case Opcode::CvtPack:
    return "convert";
  case Opcode::Mov:
  case Opcode::MovPack:
  case Opcode::MovUnpack:
  case Opcode::Cvta:
  case Opcode::Selp:
    return "move";
  case Opcode::Ld:
  case Opcode::Ldu:
    return "load";
  case Opcode::St:
    return "store";
  case Opcode::Atom:
  case Opcode::Red:
    return "atomic";
  default:
    break;
  }
  if (i.opcode >= Opcode::Bra && i.opcode <= Opcode::Pmevent)
    return "control";
  if (i.opcode >= Opcode::Shfl && i.opcode <= Opcode::BarWarpSync)
    return "warp";
  if (i.opcode >= Opcode::BarSync && i.opcode <= Opcode::BarrierClusterWait)
    return "barrier";
  if (i.opcode >= Opcode::Fence && i.opcode <= Opcode::FenceProxyAsyncRestrict)
    return "fence";
  return typeClass(i.type());
}

uint64_t flopsOf(const Instruction &i, std::string &kind) {
  switch (i.opcode) {
  case Opcode::Mma:
  case Opcode::MmaBlockScale:
  case Opcode::WmmaMma:
  case Opcode::WgmmaMma: {
    kind = "tensor";
    uint64_t all = 2 * uint64_t(i.shape.m) * i.shape.n * i.shape.k;
    return i.opcode == Opcode::WgmmaMma ? all / 4 : all;
  }
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mul:
  case Opcode::Fma:
  case Opcode::Div:
  case Opcode::Min:
  case Opcode::Max:
    if (!ptx::isFloat(i.type()))
      return 0;
    kind = typeClass(i.type());
    return ptx::lanes(i.type()) * (i.opcode == Opcode::Fma ? 2 : 1);
  default:
    if (classOf(i) != "special")
      return 0;
    kind = "special";
    return ptx::lanes(i.type());
  }
}

uint64_t globalBytesOf(const Instruction &i) {
  switch (i.opcode) {
  case Opcode::Ld:
  case Opcode::Ldu:
  case Opcode::St:
  case Opcode::Atom:
  case Opcode::Red:
    break;
  case Opcode::CpAsync: // to shared memory, from global memory: the constant size
    return i.operands[2].bits;
  default:
    return 0;
  }
  bool global =
      i.space() == ptx::StateSpace::Global || i.space() == ptx::StateSpace::Generic;
  return global ? laneBytes(i) : 0;
}

bool isBulkCopy(const Instruction &i) {
  const char *event = eventOf(i);
  return event &&
         (std::string_view(event) == "boxes" || std::string_view(event) == "copies");
}

bool countedByWarp(const Instruction &i) {
  return i.opcode >= Opcode::BarSync && i.opcode <= Opcode::BarrierClusterWait;
}

const char *eventOf(const Instruction &i) {
  switch (i.opcode) {
  case Opcode::BarSync:
  case Opcode::BarArrive:
  case Opcode::BarRed:
    return "block";
  case Opcode::BarrierClusterArrive:
    return "cluster";
  case Opcode::MbarrierArrive:
  case Opcode::MbarrierArriveDrop:
  case Opcode::CpAsyncMbarrierArrive:
    return "mbarrier_arrivals";
  case Opcode::MbarrierTestWait:
  case Opcode::MbarrierTryWait:
    return "mbarrier_waits";
  case Opcode::CpAsyncBulkTensor:
  case Opcode::CpReduceAsyncBulkTensor:
    return "boxes";
  case Opcode::CpAsyncBulk:
  case Opcode::CpReduceAsyncBulk:
    return "copies";
  default:
    return nullptr;
  }
}

bool endsGroup(const Instruction &i) {
  return i.guard >= 0 || i.opcode >= Opcode::Alloca;
}

} // namespace kiln::sim::exec
