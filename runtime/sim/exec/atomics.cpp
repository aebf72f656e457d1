//===- atomics.cpp - atom and red ------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes execute one after the other, lowest first; PTX leaves the order open. With
// several host threads each update is a compare-and-swap of the host.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/arith/half.h"
#include "runtime/sim/exec/decode_half.h"
#include "runtime/sim/exec/decode_memory.h"
#include "runtime/sim/exec/worker.h"

#include <cstring>

namespace kiln::sim::exec {

namespace {
using arith::FloatOp;
using ptx::Instruction;
using ptx::Mod;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

using Wide = unsigned __int128;
/// Computes the new value from the old one, the operand and (cas) the value to store.
using Update = Wide (*)(Wide old, Wide b, Wide c);

template <class T> Wide add(Wide old, Wide b, Wide) { return T(T(old) + T(b)); }
template <class T> Wide atomicMinimum(Wide old, Wide b, Wide) {
  return T(b) < T(old) ? b : old;
}
template <class T> Wide atomicMaximum(Wide old, Wide b, Wide) {
  return T(b) > T(old) ? b : old;
}
Wide conjunction(Wide old, Wide b, Wide) { return old & b; }
Wide disjunction(Wide old, Wide b, Wide) { return old | b; }
Wide difference(Wide old, Wide b, Wide) { return old ^ b; }
Wide exchange(Wide, Wide b, Wide) { return b; }
Wide compareAndSwap(Wide old, Wide b, Wide c) { return old == b ? c : old; }
Wide increment(Wide old, Wide b, Wide) {
  return uint32_t(old) >= uint32_t(b) ? 0 : uint32_t(old) + 1;
}
Wide decrement(Wide old, Wide b, Wide) {
  uint32_t value = uint32_t(old);
  return value == 0 || value > uint32_t(b) ? uint32_t(b) : value - 1;
}

template <bool Ftz> Wide addSingle(Wide old, Wide b, Wide) {
  return arith::opF32<FloatOp::Add, arith::Rounding::Rn, Ftz, false>(uint32_t(old),
                                                                     uint32_t(b));
}
Wide addDouble(Wide old, Wide b, Wide) {
  return arith::opF64<FloatOp::Add, arith::Rounding::Rn>(uint64_t(old), uint64_t(b));
}

enum class HalfUpdate { Add, Min, Max };
template <HalfUpdate Kind, bool Bf> uint32_t updateHalf(uint32_t old, uint32_t b) {
  switch (Kind) {
  case HalfUpdate::Add:
    return arith::opHalf<FloatOp::Add, Bf, false, false, false>(old, b);
  case HalfUpdate::Min:
    return arith::minMaxHalf<false, Bf, false, false>(old, b);
  case HalfUpdate::Max:
    return arith::minMaxHalf<true, Bf, false, false>(old, b);
  }
}
template <HalfUpdate Kind, bool Bf> Wide updateOne(Wide old, Wide b, Wide) {
  return updateHalf<Kind, Bf>(uint16_t(old), uint16_t(b));
}
template <HalfUpdate Kind, bool Bf> Wide updatePair(Wide old, Wide b, Wide) {
  auto high = [](Wide v) { return uint32_t(v) >> 16; };
  return updateHalf<Kind, Bf>(uint16_t(old), uint16_t(b)) |
         updateHalf<Kind, Bf>(high(old), high(b)) << 16;
}
template <HalfUpdate Kind> Update halfUpdate(Type type) {
  if (isPair(type))
    return isBrain(type) ? updatePair<Kind, true> : updatePair<Kind, false>;
  return isBrain(type) ? updateOne<Kind, true> : updateOne<Kind, false>;
}

Update addOf(Type type, bool global) {
  switch (type) {
  case Type::F32:
    // f32 atomics flush subnormals in global memory and keep them in shared memory.
    return global ? addSingle<true> : addSingle<false>;
  case Type::F64:
    return addDouble;
  case Type::U64:
  case Type::S64:
    return add<uint64_t>;
  default:
    return isHalf(type) ? halfUpdate<HalfUpdate::Add>(type) : add<uint32_t>;
  }
}

template <class Signed32, class Signed64, class Unsigned32, class Unsigned64>
Update byType(Type type, Signed32 s32, Signed64 s64, Unsigned32 u32, Unsigned64 u64) {
  if (ptx::bytes(type) == 8)
    return ptx::isSigned(type) ? Update(s64) : Update(u64);
  return ptx::isSigned(type) ? Update(s32) : Update(u32);
}

Update updateOf(const Instruction &i, bool global) {
  Type type = i.type();
  switch (i.operation) {
  case Mod::And:
    return conjunction;
  case Mod::Or:
    return disjunction;
  case Mod::Xor:
    return difference;
  case Mod::Exch:
    return exchange;
  case Mod::Cas:
    return compareAndSwap;
  case Mod::Inc:
    return increment;
  case Mod::Dec:
    return decrement;
  case Mod::Add:
    return addOf(type, global);
  case Mod::Min:
    if (isHalf(type))
      return halfUpdate<HalfUpdate::Min>(type);
    return byType(type, atomicMinimum<int32_t>, atomicMinimum<int64_t>,
                  atomicMinimum<uint32_t>, atomicMinimum<uint64_t>);
  case Mod::Max:
    if (isHalf(type))
      return halfUpdate<HalfUpdate::Max>(type);
    return byType(type, atomicMaximum<int32_t>, atomicMaximum<int64_t>,
                  atomicMaximum<uint32_t>, atomicMaximum<uint64_t>);
  default:
    return nullptr;
  }
}

template <class T>
Wide applyAs(uint8_t *at, Update update, Wide b, Wide c, bool concurrent) {
  T *place = reinterpret_cast<T *>(at);
  if (!concurrent) { // one worker: no other thread accesses memory
    T old;
    memcpy(&old, at, sizeof(T));
    T value = T(update(old, b, c));
    memcpy(at, &value, sizeof(T));
    return old;
  }
  T old = __atomic_load_n(place, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(place, &old, T(update(old, b, c)), false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    ;
  return old;
}

Wide apply(uint8_t *at, unsigned bytes, Update update, Wide b, Wide c, bool concurrent) {
  switch (bytes) {
  case 2:
    return applyAs<uint16_t>(at, update, b, c, concurrent);
  case 4:
    return applyAs<uint32_t>(at, update, b, c, concurrent);
  case 8:
    return applyAs<uint64_t>(at, update, b, c, concurrent);
  default: {
    // Not every host CPU has 16-byte atomics: use one lock.
    static std::mutex mutex;
    std::lock_guard<std::mutex> lock(mutex);
    Wide old;
    memcpy(&old, at, 16);
    Wide value = update(old, b, c);
    memcpy(at, &value, 16);
    return old;
  }
  }
}

struct AtomicForm {
  Space space = Space::Generic;
  Update update = nullptr, sharedUpdate = nullptr;
  unsigned bytes = 0;
  std::vector<uint32_t> results, sources; ///< registers of the elements; no results for
                                          ///< red
  uint32_t compare = 0;                   ///< register of cas's third operand
  bool swaps = false;
  AccessTraits traits;
};

Wide readElement(const uint8_t *regs, uint32_t line, unsigned bytes, unsigned lane) {
  Wide value = 0;
  memcpy(&value, regs + line + size_t(lane) * bytes, bytes);
  return value;
}

Stop runAtomic(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  const AtomicForm &form = op->info->as<AtomicForm>();
  const unsigned bytes = form.bytes, count = unsigned(form.sources.size());
  uint64_t addresses[WarpSize];
  uint8_t *host[WarpSize];
  const uint64_t *base = lanes<uint64_t>(regs, op->a);
  for (unsigned lane = 0; lane < WarpSize; ++lane)
    addresses[lane] = base[lane] + op->imm;
  if (!resolveLanes(op, warp, mask, form.space, addresses, bytes * count, form.traits,
                    host))
    return Stop::Fault;
  bool concurrent = warp.block->grid->concurrent;
  forLanes(mask, [&](unsigned lane) {
    bool shared = form.space == Space::Shared || form.space == Space::SharedCluster ||
                  addresses[lane] - SharedWindow < SharedWindowSize;
    Update update = shared ? form.sharedUpdate : form.update;
    for (unsigned n = 0; n < count; ++n) {
      Wide b = readElement(regs, form.sources[n], bytes, lane);
      Wide c = form.swaps ? readElement(regs, form.compare, bytes, lane) : 0;
      Wide old = apply(host[lane] + n * bytes, bytes, update, b, c, concurrent);
      // Recompute: another worker may have changed memory since.
      Wide now = update(old, b, c), differing = (now ^ old) << (128 - 8 * bytes);
      warp.changed |= differing != 0;
      if (!form.results.empty())
        memcpy(regs + form.results[n] + size_t(lane) * bytes, &old, bytes);
    }
  });
  KILN_NEXT(op, regs, mask, warp);
}

bool decodeAtomic(Decoder &decoder, const Instruction &i, bool hasResult) {
  auto form = std::make_shared<AtomicForm>();
  size_t at = hasResult ? 1 : 0;
  MemoryOperand memory = memoryOperand(decoder, i.operands[at], i.space());
  uint32_t line = memory.line;
  if (memory.reach == Reach::Shared32) {
    line = decoder.scratch(8);
    decoder.emit(handlers().resize(8, 4, false), line, memory.line);
  }
  form->space = memory.space;
  form->update = updateOf(i, true);
  form->sharedUpdate = updateOf(i, false);
  if (!form->update)
    return decoder.error("this operation is not implemented");
  form->bytes = ptx::bytes(i.type());
  form->traits = traitsOf(i, AccessKind::Atomic);
  // Without a qualifier an atomic is relaxed at gpu scope.
  if (form->traits.strength == Strength::Weak)
    form->traits.strength = Strength::Relaxed;
  if (form->traits.scope == Scope::None)
    form->traits.scope = Scope::Gpu;
  for (const Operand *source : elementsOf(i.operands[at + 1]))
    form->sources.push_back(decoder.read(*source, form->bytes));
  if (i.operation == Mod::Cas) {
    form->swaps = true;
    form->compare = decoder.read(i.operands[at + 2], form->bytes);
  }
  if (hasResult)
    for (const Operand *result : elementsOf(i.operands[0]))
      form->results.push_back(decoder.write(*result, form->bytes));
  decoder.info().payload = form;
  decoder.emit(runAtomic, 0, line, 0, 0, memory.offset);
  return true;
}

bool decodeAtom(Decoder &decoder, const Instruction &i) {
  return decodeAtomic(decoder, i, true);
}
bool decodeRed(Decoder &decoder, const Instruction &i) {
  return decodeAtomic(decoder, i, false);
}
} // namespace

void addAtomicDecoders(DecoderTable &table) {
  table[size_t(Opcode::Atom)] = decodeAtom;
  table[size_t(Opcode::Red)] = decodeRed;
}

} // namespace kiln::sim::exec
