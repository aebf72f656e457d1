//===- lanes/memory.cpp - Loads and stores of warps ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access has two steps: resolve the address of every lane, then move the bytes. If all
// lanes access consecutive elements of one allocation, both are vectorized. resolveLanes
// handles all other cases.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/access.h"
#include "runtime/sim/exec/function_code.h"
#include "runtime/sim/exec/lanes/lookups.h"
#include "runtime/sim/exec/observer.h"
#include "runtime/sim/exec/worker.h"
#include "runtime/sim/exec/written.h"

#include <cstring>
#include <type_traits>

#include "runtime/sim/exec/lanes/build.h"

namespace kiln::sim::exec::KILN_SIM_BUILD {
namespace {
#include "runtime/sim/exec/lanes/loops.h"

struct Found {
  uint8_t *base = nullptr; ///< if not null: lane i's bytes are at base + i * bytes
  uint8_t *host[WarpSize];
  uint64_t offsets[WarpSize]; ///< offset of each lane's bytes in the window
};

/// A range of bytes that lanes may access: device addresses [origin, origin + size).
struct Window {
  uint64_t origin = 0, size = 0;
  uint8_t *bytes = nullptr;
  uint64_t *written = nullptr;
  uint32_t laneStride = 0; ///< local memory: host bytes between lanes
  Place place;             ///< for the observer: the part of the place that all lanes
                           ///< share
};

template <class A> bool consecutive(const A *addresses, uint32_t bytes) {
  A difference = 0;
  KILN_LANES difference |= (addresses[i] - addresses[0]) ^ A(i * bytes);
  return difference == 0;
}

/// Checks that the bytes of a read were written, or marks those of a write. False: take
/// the slow path.
template <bool Write>
bool watched(const Window &window, uint64_t offset, uint64_t count, const Warp &warp) {
  if (!Write)
    return allSet(window.written, offset, count);
  setAll(window.written, offset, count, warp.block->grid->concurrent);
  return true;
}

template <class A, bool Write>
bool findIn(const Window &window, const A *addresses, uint64_t offset, uint32_t bytes,
            Mask mask, const Warp &warp, Found &found) {
  if (window.size < bytes)
    return false;
  const uint64_t limit = window.size - bytes;
  const uint64_t shift = offset - window.origin;
  if (mask == AllLanes && !window.laneStride && consecutive(addresses, bytes)) {
    uint64_t at = uint64_t(addresses[0]) + shift;
    uint64_t all = uint64_t(bytes) * WarpSize;
    if (window.size < all || at > window.size - all ||
        ((addresses[0] + offset) & (bytes - 1)) ||
        (window.written && !watched<Write>(window, at, all, warp)))
      return false;
    found.base = window.bytes + at;
    return true;
  }
  uint64_t bad = 0;
  uint64_t *offsets = found.offsets;
  KILN_LANES {
    uint64_t at = uint64_t(addresses[i]) + shift;
    uint64_t wrong = uint64_t(at > limit) | ((addresses[i] + offset) & (bytes - 1));
    bad |= mask & laneBits[i] ? wrong : 0;
    offsets[i] = at + uint64_t(window.laneStride) * i;
  }
  if (bad)
    return false;
  const auto start = reinterpret_cast<uintptr_t>(window.bytes);
  KILN_LANES found.host[i] = reinterpret_cast<uint8_t *>(start + offsets[i]);
  bool fine = true;
  if (window.written)
    for (Mask left = mask; left; left &= left - 1)
      fine &= watched<Write>(window, offsets[__builtin_ctz(left)], bytes, warp);
  return fine;
}

template <bool Write>
bool globalWindow(const MicroOp *op, Warp &warp, uint64_t first, uint32_t bytes,
                  Window &window) {
  Allocation *a = warp.worker->lastHit[op->slot];
  if (!a || !a->contains(first, bytes) || a->freed.load(std::memory_order_relaxed))
    a = lookUp(op, warp, first, bytes);
  if (!a || (Write && a->kind == Allocation::Kind::Constant))
    return false;
  window.origin = a->address;
  window.size = a->size;
  window.bytes = a->bytes;
  window.written = reinterpret_cast<uint64_t *>(a->written);
  window.place.allocation = a;
  return true;
}

void sharedWindow(const Warp &warp, uint64_t base, Window &window) {
  Block &block = *warp.block;
  window.origin = base + sharedAddress(block, 0);
  window.size = block.sharedBytes;
  window.bytes = block.shared;
  window.written = block.sharedWritten;
  window.place.space = Space::Shared;
  window.place.block = &block;
}

void localWindow(const Warp &warp, uint64_t base, Window &window) {
  const Frame &frame = *warp.current->frame;
  window.origin = base;
  window.size = frame.localTop();
  window.bytes = warp.local;
  window.written = warp.localWritten;
  window.laneStride = warp.localBytes;
  window.place.space = Space::Local;
}

constexpr Space spaceOf(Reach reach) {
  switch (reach) {
  case Reach::Global:
    return Space::Global;
  case Reach::Shared32:
  case Reach::Shared64:
    return Space::Shared;
  case Reach::Local:
    return Space::Local;
  case Reach::Generic:
    return Space::Generic;
  }
}

template <Reach R, bool Write>
bool windowFor(const MicroOp *op, Warp &warp, uint64_t first, uint32_t bytes,
               Window &window) {
  if constexpr (R == Reach::Global) {
    return globalWindow<Write>(op, warp, first, bytes, window);
  } else if constexpr (R == Reach::Local) {
    localWindow(warp, 0, window);
    return true;
  } else if constexpr (R == Reach::Generic) {
    if (first - SharedWindow < SharedWindowSize)
      sharedWindow(warp, SharedWindow, window);
    else if (first - LocalWindow < LocalWindowSize)
      localWindow(warp, LocalWindow, window);
    else
      return globalWindow<Write>(op, warp, first, bytes, window);
    return true;
  } else {
    sharedWindow(warp, 0, window);
    return true;
  }
}

template <Reach R, bool Write>
bool findBy(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp, uint32_t bytes,
            Found &found) {
  using A = std::conditional_t<R == Reach::Shared32, uint32_t, uint64_t>;
  const A *addresses = lanes<A>(regs, op->a);
  const bool shared = R == Reach::Shared64 || R == Reach::Shared32;
  const Space space = shared ? Space(op->c) : spaceOf(R);
  const Watch watch = watchIn(op->flags);
  uint64_t full[WarpSize];
  Window window;
  uint64_t first = addresses[__builtin_ctz(mask)] + op->imm;
  bool fast = windowFor<R, Write>(op, warp, first, bytes, window);
  if (watch == Watch::Nothing)
    window.written = nullptr;
  fast = fast && findIn<A, Write>(window, addresses, op->imm, bytes, mask, warp, found);
  if (fast && (watch != Watch::Everything || !warp.block->grid->observer)) [[likely]]
    return true;
  if (!fast) {
    KILN_LANES full[i] = A(addresses[i] + op->imm);
    return resolveLanes(op, warp, mask, space, full, bytes, unpackTraits(op->flags),
                        found.host);
  }
  window.place.bytes = window.bytes;
  return warp.block->grid->observer->accessWindow(WindowAccess{
      originOf(warp, op, mask), unpackTraits(op->flags), space, bytes, window.place,
      found.base ? nullptr : found.offsets, uint64_t(found.base - window.bytes)});
}

using Finder = bool (*)(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp,
                        uint32_t bytes, Found &found);
template <bool Write>
constexpr Finder finders[] = {findBy<Reach::Global, Write>,
                              findBy<Reach::Shared32, Write>,
                              findBy<Reach::Shared64, Write>, findBy<Reach::Local, Write>,
                              findBy<Reach::Generic, Write>};

/// Resolves the host addresses of the lanes' bytes. An access that is not weak gets an
/// address per lane, as it may conflict with another worker's and only lane-by-lane
/// accesses are host atomics.
template <bool Write>
inline bool find(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp, uint32_t bytes,
                 Found &found) {
  if (!finders<Write>[size_t(reachIn(op->flags))](op, regs, mask, warp, bytes, found))
    return false;
  if (found.base && unpackTraits(op->flags).strength != Strength::Weak) {
    for (unsigned i = 0; i < WarpSize; ++i)
      found.host[i] = found.base + size_t(bytes) * i;
    found.base = nullptr;
  }
  return true;
}

/// Reads an element at its natural alignment. On x86 an atomic acquire or release costs
/// nothing.
template <class M> M readElement(const uint8_t *at) {
  if constexpr (sizeof(M) <= 8) {
    return __atomic_load_n(reinterpret_cast<const M *>(at), __ATOMIC_ACQUIRE);
  } else {
    M value;
    memcpy(&value, at, sizeof(M));
    return value;
  }
}

template <class M> void writeElement(uint8_t *at, M value) {
  if constexpr (sizeof(M) <= 8)
    __atomic_store_n(reinterpret_cast<M *>(at), value, __ATOMIC_RELEASE);
  else
    memcpy(at, &value, sizeof(M));
}

template <class M, class T>
Stop load(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Found found;
  if (!find<false>(op, regs, mask, warp, sizeof(M), found))
    return Stop::Fault;
  T *d = lanes<T>(regs, op->d);
  if (found.base) {
    const M *from = reinterpret_cast<const M *>(found.base);
    KILN_LANES d[i] = T(from[i]);
  } else {
    forLanes(mask, [&](unsigned i) { d[i] = T(readElement<M>(found.host[i])); });
  }
  KILN_NEXT(op, regs, mask, warp);
}

template <class M, class T>
Stop loadVector(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Found found;
  const uint32_t count = op->extra;
  if (!find<false>(op, regs, mask, warp, sizeof(M) * count, found))
    return Stop::Fault;
  for (uint32_t n = 0; n < count; ++n) {
    T *d = lanes<T>(regs, op->info->operands[n]);
    if (found.base) {
      const M *from = reinterpret_cast<const M *>(found.base) + n;
      for (unsigned i = 0; i < WarpSize; ++i)
        d[i] = T(from[i * count]);
      continue;
    }
    forLanes(mask, [&](unsigned i) {
      d[i] = T(readElement<M>(found.host[i] + n * sizeof(M)));
    });
  }
  KILN_NEXT(op, regs, mask, warp);
}

template <class M, class T>
Stop store(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  Found found;
  const uint32_t count = op->extra;
  if (!find<true>(op, regs, mask, warp, sizeof(M) * count, found))
    return Stop::Fault;
  warp.changed = true;
  for (uint32_t n = 0; n < count; ++n) {
    const T *from = lanes<T>(regs, count == 1 ? op->b : op->info->operands[n]);
    if (found.base) {
      M *to = reinterpret_cast<M *>(found.base) + n;
      if (count == 1) {
        KILN_LANES to[i] = M(from[i]);
      } else {
        for (unsigned i = 0; i < WarpSize; ++i)
          to[i * count] = M(from[i]);
      }
      continue;
    }
    forLanes(mask, [&](unsigned i) {
      writeElement<M>(found.host[i] + n * sizeof(M), M(from[i]));
    });
  }
  KILN_NEXT(op, regs, mask, warp);
}

using B128 = unsigned __int128;

template <class M> Handler loadTo(unsigned bytes, bool vector) {
  auto pick = [&]<class T>() { return vector ? loadVector<M, T> : load<M, T>; };
  using S = std::make_signed_t<M>;
  constexpr bool isSigned = std::is_same_v<M, S>;
  switch (bytes) {
  case 1:
    if constexpr (sizeof(M) <= 1)
      return pick.template operator()<uint8_t>();
    break;
  case 2:
    if constexpr (sizeof(M) <= 2)
      return pick.template operator()<std::conditional_t<isSigned, int16_t, uint16_t>>();
    break;
  case 4:
    if constexpr (sizeof(M) <= 4)
      return pick.template operator()<std::conditional_t<isSigned, int32_t, uint32_t>>();
    break;
  case 8:
    if constexpr (sizeof(M) <= 8)
      return pick.template operator()<std::conditional_t<isSigned, int64_t, uint64_t>>();
    break;
  }
  return nullptr;
}

template <class M> Handler storeFrom(unsigned bytes) {
  switch (bytes) {
  case 1:
    if constexpr (sizeof(M) <= 1)
      return store<M, uint8_t>;
    break;
  case 2:
    if constexpr (sizeof(M) <= 2)
      return store<M, uint16_t>;
    break;
  case 4:
    if constexpr (sizeof(M) <= 4)
      return store<M, uint32_t>;
    break;
  case 8:
    if constexpr (sizeof(M) <= 8)
      return store<M, uint64_t>;
    break;
  }
  return nullptr;
}

} // namespace

Handler loadHandler(unsigned memoryBytes, unsigned registerBytes, bool isSigned,
                    bool vector) {
  // Signedness only matters if the value is widened.
  isSigned &= registerBytes > memoryBytes;
  switch (memoryBytes) {
  case 1:
    return isSigned ? loadTo<int8_t>(registerBytes, vector)
                    : loadTo<uint8_t>(registerBytes, vector);
  case 2:
    return isSigned ? loadTo<int16_t>(registerBytes, vector)
                    : loadTo<uint16_t>(registerBytes, vector);
  case 4:
    return isSigned ? loadTo<int32_t>(registerBytes, vector)
                    : loadTo<uint32_t>(registerBytes, vector);
  case 8:
    return loadTo<uint64_t>(registerBytes, vector);
  case 16:
    return load<B128, B128>;
  default:
    return nullptr;
  }
}

Handler storeHandler(unsigned memoryBytes, unsigned registerBytes) {
  switch (memoryBytes) {
  case 1:
    return storeFrom<uint8_t>(registerBytes);
  case 2:
    return storeFrom<uint16_t>(registerBytes);
  case 4:
    return storeFrom<uint32_t>(registerBytes);
  case 8:
    return storeFrom<uint64_t>(registerBytes);
  case 16:
    return store<B128, B128>;
  default:
    return nullptr;
  }
}

} // namespace kiln::sim::exec::KILN_SIM_BUILD

#pragma clang attribute pop
