//===- tensor_copy.cpp - cp.async.bulk.tensor and its reductions ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/async/async.h"
#include "runtime/sim/exec/async/bulk.h"
#include "runtime/sim/exec/async/operands.h"
#include "runtime/sim/exec/async/tensor_box.h"
#include "runtime/sim/exec/report.h"
#include "runtime/sim/exec/swizzle.h"

#include "runtime/sim/arith/convert.h"

#include <cstring>

namespace kiln::sim::exec {
using namespace async;

namespace {

constexpr uint32_t SharedBoxAlignment = 128, MapBytes = sizeof(TensorMap),
                   MapAlignment = 64;

using Coordinates = std::array<int32_t, TensorMap::MaxRank>;

struct TensorPlan {
  LaneAddress map, shared, barrier;
  unsigned rank = 0;
  bool multicast = false; ///< op->c: mask, b16
  bool reduces = false;
  Reduction reduction = Reduction::Add;
  std::array<uint32_t, TensorMap::MaxRank> coordinates = {}; ///< register offsets, b32
};

/// Finds the type in which a map's elements are reduced; false if there is none.
bool reduceTypeOf(TensorMap::Element element, Reduction op, ReduceStep &step) {
  bool bits = op == Reduction::And || op == Reduction::Or || op == Reduction::Xor;
  step.op = op;
  switch (element) {
  case TensorMap::U32:
    step.type = bits ? ReduceType::B32 : ReduceType::U32;
    break;
  case TensorMap::S32:
    step.type = bits ? ReduceType::B32 : ReduceType::S32;
    break;
  case TensorMap::U64:
    step.type = bits ? ReduceType::B64 : ReduceType::U64;
    break;
  case TensorMap::S64:
    step.type = bits ? ReduceType::B64 : ReduceType::S64;
    break;
  case TensorMap::F16:
    step.type = ReduceType::F16;
    break;
  case TensorMap::BF16:
    step.type = ReduceType::BF16;
    break;
  case TensorMap::F32:
  case TensorMap::F32Ftz:
    step.type = ReduceType::F32;
    break;
  case TensorMap::F64:
    step.type = ReduceType::F64;
    break;
  default:
    return false;
  }
  return legal(step);
}

/// Common part of tensor copies: the map and the box, read when the instruction executes.
class TensorOp : public BulkBase {
public:
  TensorMap map;
  Coordinates start = {};
  uint64_t shared = 0;
  Space sharedSpace = Space::Shared;

protected:
  /// Calls f(offset in the swizzled box from `base`, bytes, offset in the packed box) for
  /// each unit that the swizzle keeps contiguous.
  template <class F> void forUnits(uint32_t base, uint32_t bytes, F f) const {
    if (map.swizzle == TensorMap::SwizzleNone) {
      f(base, bytes, 0u);
      return;
    }
    uint32_t unit = swizzleUnit(map.swizzle);
    for (uint32_t at = 0; at < bytes; at += unit)
      f(swizzled(map.swizzle, base + at), unit, at);
  }
  /// Resolves the box's shared memory. A swizzle permutes units within spans of the
  /// address: a box that ends inside a span is checked unit by unit.
  Place sharedRange(uint64_t address, Space space, uint32_t bytes, AccessKind kind) {
    uint32_t span = swizzleSpan(map.swizzle);
    if (!span || bytes % span == 0)
      return access(origin, space, address, bytes, SharedBoxAlignment, traits(kind),
                    agent);
    Place first = resolve(origin, space, address, bytes, SharedBoxAlignment, kind);
    bool good = bool(first);
    uint32_t base = uint32_t(first.offset);
    forUnits(base, bytes, [&](uint32_t at, uint32_t unit, uint32_t) {
      good = good &&
             access(origin, space, address - base + at, unit, unit, traits(kind), agent);
    });
    return good ? first : Place();
  }
};

/// Byte that fills out-of-bounds elements.
uint8_t fillByte(const TensorMap &map) {
  return map.fill == TensorMap::FillNan ? 0xff : 0;
}

/// Rounds or flushes elements of types that are converted when loaded into shared memory.
void convertElements(const TensorMap &map, uint8_t *bytes, uint32_t count) {
  bool flush = map.element == TensorMap::F32Ftz || map.element == TensorMap::TF32Ftz;
  bool narrow = map.element == TensorMap::TF32 || map.element == TensorMap::TF32Ftz;
  if (!flush && !narrow)
    return;
  for (uint32_t at = 0; at < count; at += 4) {
    uint32_t value;
    memcpy(&value, bytes + at, 4);
    value = uint32_t(arith::convertFloat(narrow ? arith::TF32 : arith::F32, arith::F32,
                                         value, {.ftz = flush}));
    if (narrow && flush && (value & 0x7f800000) == 0)
      value &= 0x80000000;
    memcpy(bytes + at, &value, 4);
  }
}

class TensorLoad final : public TensorOp {
public:
  Signal signal;
  std::vector<Block *> targets; ///< of a multicast; otherwise empty

  bool perform() override {
    TensorBox box(map, start);
    std::vector<uint8_t> packed(box.bytes(), fillByte(map));
    for (uint32_t index = 0; index < box.rows(); ++index) {
      TensorBox::Row row = box.row(index);
      if (!row.count)
        continue;
      Place source = access(origin, Space::Global, row.address, row.count, 1,
                            traits(AccessKind::Read), agent);
      if (!source)
        return false;
      memcpy(packed.data() + row.offset + row.first, source.bytes, row.count);
      convertElements(map, packed.data() + row.offset + row.first, row.count);
    }
    if (targets.empty()) {
      if (!write(shared, sharedSpace, packed) ||
          !completeBytes(origin, *signal.block, signal.offset, box.bytes(), agent))
        return false;
    }
    for (Block *block : targets)
      if (!write(sharedAddress(*block, uint32_t(shared % SharedStride)),
                 Space::SharedCluster, packed) ||
          !completeBytes(origin, *block, signal.offset, box.bytes(), agent))
        return false;
    complete = true;
    return true;
  }

private:
  bool write(uint64_t address, Space space, const std::vector<uint8_t> &packed) {
    Place target =
        sharedRange(address, space, uint32_t(packed.size()), AccessKind::Write);
    if (!target)
      return false;
    uint32_t base = uint32_t(target.offset);
    forUnits(base, uint32_t(packed.size()),
             [&](uint32_t to, uint32_t bytes, uint32_t at) {
               memcpy(target.block->shared + to, packed.data() + at, bytes);
             });
    return true;
  }
};

class TensorStore final : public TensorOp {
public:
  std::optional<ReduceStep> reduction;

  bool perform() override {
    TensorBox box(map, start);
    Place source = sharedRange(shared, sharedSpace, box.bytes(), AccessKind::Read);
    if (!source)
      return false;
    packed.resize(box.bytes());
    uint32_t base = uint32_t(source.offset);
    forUnits(base, box.bytes(), [&](uint32_t from, uint32_t bytes, uint32_t at) {
      memcpy(packed.data() + at, source.block->shared + from, bytes);
    });
    return later([this] { return write(); });
  }

private:
  bool write() {
    TensorBox box(map, start);
    for (uint32_t index = 0; index < box.rows(); ++index) {
      TensorBox::Row row = box.row(index);
      if (!row.count)
        continue;
      Place target =
          access(origin, Space::Global, row.address, row.count, 1,
                 traits(reduction ? AccessKind::Atomic : AccessKind::Write), writer);
      if (!target)
        return false;
      writeOrReduce(target.bytes, packed.data() + row.offset + row.first, row.count,
                    reduction);
    }
    complete = true;
    std::vector<uint8_t>().swap(packed);
    return true;
  }
  std::vector<uint8_t> packed;
};

/// Reads and checks the tensor map at the lane's address.
bool readMap(const Origin &origin, const TensorPlan &plan, const uint8_t *regs,
             unsigned lane, TensorMap &map) {
  Place place =
      access(origin, plan.map.space, plan.map.of(regs, lane), MapBytes, MapAlignment,
             {.kind = AccessKind::Read, .proxy = Proxy::Tensormap});
  if (!place)
    return false;
  memcpy(&map, place.bytes, MapBytes);
  std::string problem = problemOf(map, plan.rank);
  if (problem.empty())
    return true;
  fault(origin, LaunchFailed, "tensor copy: " + problem,
        "make the map with cuTensorMapEncodeTiled, and pass it by value as a "
        "__grid_constant__ parameter or in global memory");
  return false;
}

bool prepare(TensorOp &tensor, const MicroOp *op, uint8_t *regs, unsigned lane,
             const Warp &warp, const TensorPlan &plan) {
  tensor.origin = originOf(warp, op, Mask(1) << lane);
  if (!readMap(tensor.origin, plan, regs, lane, tensor.map))
    return false;
  tensor.shared = plan.shared.of(regs, lane);
  tensor.sharedSpace = plan.shared.space;
  for (unsigned d = 0; d < plan.rank; ++d)
    tensor.start[d] = int32_t(lanes<uint32_t>(regs, plan.coordinates[d])[lane]);
  return true;
}

bool startLoad(const MicroOp *op, uint8_t *regs, unsigned lane, Warp &warp) {
  const auto &plan = op->info->as<TensorPlan>();
  auto load = std::make_shared<TensorLoad>();
  if (!prepare(*load, op, regs, lane, warp, plan))
    return false;
  load->signal = signalAt(load->origin, plan.barrier.space, plan.barrier.of(regs, lane));
  if (!load->signal.block)
    return false;
  if (plan.multicast) {
    load->targets = multicastTargets(load->origin, lanes<uint16_t>(regs, op->c)[lane]);
    if (load->targets.empty())
      return false;
  }
  return issue(warp, load, false);
}

bool startStore(const MicroOp *op, uint8_t *regs, unsigned lane, Warp &warp) {
  const auto &plan = op->info->as<TensorPlan>();
  auto store = std::make_shared<TensorStore>();
  if (!prepare(*store, op, regs, lane, warp, plan))
    return false;
  if (plan.reduces) {
    ReduceStep step;
    if (!reduceTypeOf(store->map.element, plan.reduction, step)) {
      fault(store->origin, LaunchFailed,
            "a tensor reduction that the element type of the map does not have");
      return false;
    }
    store->reduction = step;
  }
  if (store->map.swizzle == TensorMap::Swizzle128Atom32Flip8) {
    fault(store->origin, LaunchFailed,
          "the swizzle with an 8-byte flip is for loads only");
    return false;
  }
  return issue(warp, store, true);
}

template <bool (*Start)(const MicroOp *, uint8_t *, unsigned, Warp &)>
Stop runTensor(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  for (Mask left = mask; left; left &= left - 1)
    if (!Start(op, regs, unsigned(__builtin_ctz(left)), warp))
      return Stop::Fault;
  KILN_NEXT(op, regs, mask, warp);
}

bool checkMap(const MicroOp *op, uint8_t *regs, unsigned lane, Warp &warp) {
  TensorMap map;
  return readMap(originOf(warp, op, Mask(1) << lane), op->info->as<TensorPlan>(), regs,
                 lane, map);
}

/// Reads the operand [map, {c0, c1, ...}].
void readTensor(Decoder &decoder, const ptx::Operand &operand, TensorPlan &plan) {
  plan.map = laneAddress(decoder, operand.elements[0], ptx::StateSpace::Generic);
  const std::vector<ptx::Operand> &coordinates = operand.elements[1].elements;
  plan.rank = unsigned(coordinates.size());
  for (unsigned d = 0; d < plan.rank && d < TensorMap::MaxRank; ++d)
    plan.coordinates[d] = decoder.read(coordinates[d], 4);
}

bool decodeTensor(Decoder &decoder, const ptx::Instruction &i) {
  auto plan = std::make_shared<TensorPlan>();
  bool loads = i.has(ptx::Mod::CompleteTxBytes);
  const ptx::Operand &tensor = i.operands[loads ? 1 : 0];
  const ptx::Operand &shared = i.operands[loads ? 0 : 1];
  readTensor(decoder, tensor, *plan);
  plan->shared = laneAddress(decoder, shared, loads ? i.spaces[0] : i.spaces[1]);
  uint32_t mask = 0;
  if (loads)
    plan->barrier = laneAddress(decoder, i.operands[2], ptx::StateSpace::SharedCluster);
  plan->multicast = i.has(ptx::Mod::MulticastCluster);
  if (plan->multicast)
    mask = decoder.read(i.operands[3], 2);
  plan->reduces = i.opcode == ptx::Opcode::CpReduceAsyncBulkTensor;
  if (plan->reduces)
    plan->reduction = reductionOf(i)->op;
  decoder.info().payload = plan;
  decoder.emit(loads ? runTensor<startLoad> : runTensor<startStore>, 0, 0, 0, mask);
  return true;
}

bool decodeTensorPrefetch(Decoder &decoder, const ptx::Instruction &i) {
  auto plan = std::make_shared<TensorPlan>();
  readTensor(decoder, i.operands[0], *plan);
  decoder.info().payload = plan;
  decoder.emit(runTensor<checkMap>);
  return true;
}

} // namespace

void async::addTensorCopy(DecoderTable &table) {
  using ptx::Opcode;
  table[size_t(Opcode::CpAsyncBulkTensor)] = decodeTensor;
  table[size_t(Opcode::CpReduceAsyncBulkTensor)] = decodeTensor;
  table[size_t(Opcode::CpAsyncBulkPrefetchTensor)] = decodeTensorPrefetch;
}

} // namespace kiln::sim::exec
