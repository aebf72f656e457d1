//===- tensormap.cpp - tensormap.replace and its fences -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/async/async.h"
#include "runtime/sim/exec/observer.h"
#include "runtime/sim/exec/whole_warp.h"

#include "runtime/sim/memory/tensor_map.h"

#include <cstring>
#include <optional>

namespace kiln::sim::exec {
using namespace async;

namespace {

constexpr uint64_t TensorMapBytes = sizeof(TensorMap), TensorMapAlignment = 64;

struct ReplacePlan {
  LaneAddress address;
  ptx::Mod field = ptx::Mod::None;
  unsigned ordinal = 0;
  uint64_t constant = 0; ///< value of a field that takes an immediate
  bool wide = false;     ///< op->b is a b64 register
};

/// Element types by the numbers of .elemtype, which differ from the driver's enumeration.
constexpr TensorMap::Element elementTypes[] = {
    TensorMap::U8,          TensorMap::U16,         TensorMap::U32,
    TensorMap::S32,         TensorMap::U64,         TensorMap::S64,
    TensorMap::F16,         TensorMap::F32,         TensorMap::F32Ftz,
    TensorMap::F64,         TensorMap::BF16,        TensorMap::TF32,
    TensorMap::TF32Ftz,     TensorMap::U4x16Align8, TensorMap::U4x16Align16,
    TensorMap::U6x16Align16};
constexpr TensorMap::Swizzle swizzleModes[] = {TensorMap::SwizzleNone,
                                               TensorMap::Swizzle32, TensorMap::Swizzle64,
                                               TensorMap::Swizzle128};
constexpr TensorMap::Swizzle swizzleAtoms[] = {
    TensorMap::Swizzle128, TensorMap::Swizzle128Atom32, TensorMap::Swizzle128Atom32Flip8,
    TensorMap::Swizzle128Atom64};

/// Bit of a field in TensorMap::missing; 0 for a field that may stay zero.
uint32_t fieldBit(const ReplacePlan &plan) {
  switch (plan.field) {
  case ptx::Mod::GlobalAddress:
    return 1u << TensorMap::AddressField;
  case ptx::Mod::BoxDim:
    return 1u << (TensorMap::BoxField + plan.ordinal);
  case ptx::Mod::GlobalDim:
    return 1u << (TensorMap::ExtentField + plan.ordinal);
  case ptx::Mod::ElementStride:
    return 1u << (TensorMap::ElementStrideField + plan.ordinal);
  case ptx::Mod::GlobalStride:
    return 1u << (TensorMap::StrideField + plan.ordinal);
  default:
    return 0;
  }
}

/// Allows building a map field by field from 128 zero bytes and tracks missing fields.
/// All zeros mean one dimension of bytes, without interleave, swizzle or NaN fill.
bool startFrom(TensorMap &map) {
  if (map.magic == TensorMap::Valid)
    return true;
  const TensorMap zeros = {};
  if (memcmp(&map, &zeros, TensorMapBytes) != 0)
    return false;
  map.magic = TensorMap::Valid;
  map.rank = 1;
  map.missing = (1u << TensorMap::FieldCount) - 1;
  return true;
}

void replace(TensorMap &map, const ReplacePlan &plan, uint64_t value) {
  map.missing &= ~fieldBit(plan);
  switch (plan.field) {
  case ptx::Mod::GlobalAddress:
    map.globalAddress = value;
    break;
  case ptx::Mod::Rank:
    map.rank = uint8_t(value + 1);
    break;
  case ptx::Mod::BoxDim:
    map.box[plan.ordinal] = uint16_t(value > 0xffff ? 0 : value);
    break;
  case ptx::Mod::GlobalDim:
    map.extentLess1[plan.ordinal] = uint32_t(value - 1);
    break;
  case ptx::Mod::ElementStride:
    map.elementStrides[plan.ordinal] = uint8_t(value > 0xff ? 0 : value);
    break;
  case ptx::Mod::GlobalStride:
    map.strides[plan.ordinal] = value;
    break;
  case ptx::Mod::Elemtype:
    map.element = elementTypes[value];
    break;
  case ptx::Mod::InterleaveLayout:
    map.interleave = TensorMap::Interleave(value);
    break;
  case ptx::Mod::SwizzleMode:
    map.swizzle = swizzleModes[value];
    break;
  case ptx::Mod::SwizzleAtomicity:
    map.swizzle = swizzleAtoms[value];
    break;
  default:
    map.fill = TensorMap::Fill(value);
    break;
  }
}

Stop runReplace(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const auto &plan = op->info->as<ReplacePlan>();
  for (Mask left = mask; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    Origin origin = originOf(warp, op, Mask(1) << lane);
    uint64_t address = plan.address.of(regs, lane);
    if (!access(origin, plan.address.space, address, TensorMapBytes, TensorMapAlignment,
                {}))
      return Stop::Fault;
    Place place = access(origin, plan.address.space, address, TensorMapBytes,
                         TensorMapAlignment, {.kind = AccessKind::Write});
    if (!place)
      return Stop::Fault;
    TensorMap map;
    memcpy(&map, place.bytes, TensorMapBytes);
    if (!startFrom(map)) {
      fault(origin, LaunchFailed,
            "tensormap.replace on 128 bytes that are no tensor map and not zero",
            "fill them with zeros, or copy a map there that cuTensorMapEncodeTiled made");
      return Stop::Fault;
    }
    uint64_t value = !op->b      ? plan.constant
                     : plan.wide ? lanes<uint64_t>(regs, op->b)[lane]
                                 : lanes<uint32_t>(regs, op->b)[lane];
    replace(map, plan, value);
    memcpy(place.bytes, &map, TensorMapBytes);
  }
  KILN_NEXT(op, regs, mask, warp);
}

struct CopyFencePlan {
  LaneAddress to, from;
  Scope scope = Scope::Cta;
};

/// The warp copies one map; all lanes must give the same address.
Stop runCopyFence(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const auto &plan = op->info->as<CopyFencePlan>();
  if (!wholeWarp(op, mask, warp))
    return Stop::Fault;
  Origin origin = originOf(warp, op, mask);
  Place from = access(origin, plan.from.space, plan.from.of(regs, 0), TensorMapBytes,
                      TensorMapAlignment, {});
  Place to = from ? access(origin, plan.to.space, plan.to.of(regs, 0), TensorMapBytes,
                           TensorMapAlignment, {.kind = AccessKind::Write})
                  : from;
  if (!to)
    return Stop::Fault;
  memcpy(to.bytes, from.bytes, TensorMapBytes);
  Observer *observer = origin.grid().observer;
  if (observer && !observer->fence(origin, plan.scope, true))
    return Stop::Fault;
  KILN_NEXT(op, regs, mask, warp);
}

Scope scopeOf(ptx::Mod mod) {
  switch (mod) {
  case ptx::Mod::Cluster:
    return Scope::Cluster;
  case ptx::Mod::Gpu:
    return Scope::Gpu;
  case ptx::Mod::Sys:
    return Scope::Sys;
  default:
    return Scope::Cta;
  }
}

bool decodeReplace(Decoder &decoder, const ptx::Instruction &i) {
  auto plan = std::make_shared<ReplacePlan>();
  plan->address = laneAddress(decoder, i.operands[0], i.space());
  for (ptx::Mod field :
       {ptx::Mod::GlobalAddress, ptx::Mod::Rank, ptx::Mod::BoxDim, ptx::Mod::GlobalDim,
        ptx::Mod::ElementStride, ptx::Mod::GlobalStride, ptx::Mod::Elemtype,
        ptx::Mod::InterleaveLayout, ptx::Mod::SwizzleMode, ptx::Mod::SwizzleAtomicity,
        ptx::Mod::FillMode})
    if (i.has(field))
      plan->field = field;
  plan->wide = i.type() == ptx::Type::B64;
  const ptx::Operand &value = i.operands.back();
  if (i.operands.size() > 2) {
    plan->ordinal = unsigned(i.operands[1].bits);
    unsigned last = plan->field == ptx::Mod::GlobalStride ? 3 : 4;
    if (plan->ordinal > last)
      return decoder.error("the ordinal is above " + std::to_string(last));
  }
  uint64_t limit = plan->field == ptx::Mod::Elemtype           ? std::size(elementTypes)
                   : plan->field == ptx::Mod::InterleaveLayout ? 3
                   : plan->field == ptx::Mod::SwizzleMode      ? std::size(swizzleModes)
                   : plan->field == ptx::Mod::SwizzleAtomicity ? std::size(swizzleAtoms)
                   : plan->field == ptx::Mod::FillMode         ? 2
                                                               : 0;
  uint32_t line = 0;
  if (limit) {
    plan->constant = value.bits;
    if (value.bits >= limit)
      return decoder.error("a value that this field does not have, or that is not "
                           "modelled");
  } else {
    line = decoder.read(value, plan->wide ? 8 : 4);
  }
  decoder.info().payload = plan;
  decoder.emit(runReplace, 0, 0, line);
  return true;
}

bool decodeCopyFence(Decoder &decoder, const ptx::Instruction &i) {
  auto plan = std::make_shared<CopyFencePlan>();
  plan->to = laneAddress(decoder, i.operands[0], ptx::StateSpace::Global);
  plan->from = laneAddress(decoder, i.operands[1], ptx::StateSpace::SharedCta);
  plan->scope = scopeOf(i.scope);
  decoder.info().payload = plan;
  decoder.emit(runCopyFence);
  return true;
}

} // namespace

void async::addTensormap(DecoderTable &table) {
  using ptx::Opcode;
  table[size_t(Opcode::TensormapReplace)] = decodeReplace;
  table[size_t(Opcode::TensormapCpFenceproxy)] = decodeCopyFence;
}

} // namespace kiln::sim::exec
