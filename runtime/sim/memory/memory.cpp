//===- memory.cpp - Memory of the modelled devices ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/memory/memory.h"
#include <bit>
#include <cstdlib>
#include <sys/mman.h>

using namespace kiln::sim;

namespace {

/// Min unused bytes between two ranges.
constexpr uint64_t Gap = 16ull << 20;
/// Sizes from here on are mapped from the host directly: untouched pages cost nothing, so
/// a large GPU's memory can be modelled on a small machine.
constexpr uint64_t MapThreshold = 1 << 20;
/// The interpreter's vector code may read a full vector starting at the last byte.
constexpr uint64_t Slack = 64;

struct Backing {
  uint8_t *bytes = nullptr;
  uint64_t size = 0;
  bool mapped = false;

  Backing() = default;
  Backing(const Backing &) = delete;
  Backing &operator=(const Backing &) = delete;
  ~Backing() {
    if (mapped)
      munmap(bytes, size);
    else
      free(bytes);
  }
  bool reserve(uint64_t count) {
    size = count;
    if (count < MapThreshold) {
      bytes = static_cast<uint8_t *>(calloc(1, count));
      return bytes;
    }
    void *pages = mmap(nullptr, count, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED)
      return false;
    bytes = static_cast<uint8_t *>(pages);
    mapped = true;
    return true;
  }
};

struct Storage {
  Backing bytes, bits;
};

uint64_t alignUp(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

} // namespace

void AddressSpace::forgetFreed(size_t keep) {
  while (freedOrder.size() > keep) {
    auto entry = ranges.find(freedOrder.front()->address);
    if (entry != ranges.end() && entry->second == freedOrder.front())
      ranges.erase(entry);
    freedOrder.pop_front();
  }
}

uint64_t AddressSpace::pickAddress(uint64_t size, uint64_t alignment) {
  if (size > EndAddress - FirstAddress)
    return 0;
  for (int wraps = 0; wraps < 3;) {
    uint64_t at = alignUp(next, 2 * alignment) + alignment, end = at + size + Gap;
    if (end > EndAddress || end < at) {
      // After the first wrap, search for gaps between ranges; after the second, reuse
      // freed ranges too.
      if (++wraps == 2)
        forgetFreed(0);
      next = FirstAddress;
      continue;
    }
    auto above = ranges.lower_bound(at);
    bool clear = above == ranges.end() || above->first >= end;
    uint64_t blocked = clear ? 0 : above->first + above->second->size;
    if (above != ranges.begin()) {
      const Allocation &below = *std::prev(above)->second;
      if (uint64_t over = below.address + below.size; over + Gap > at)
        clear = false, blocked = std::max(blocked, over);
    }
    if (clear) {
      next = at + size + Gap;
      return at;
    }
    next = blocked + Gap;
  }
  return 0;
}

std::shared_ptr<Allocation> AddressSpace::allocate(Allocation::Kind kind, int device,
                                                   uint64_t size, uint64_t alignment) {
  if (!size || size > EndAddress - FirstAddress)
    return nullptr;
  auto storage = std::make_shared<Storage>();
  uint64_t words = (size + 63) / 64;
  if (!storage->bytes.reserve(size + Slack) || !storage->bits.reserve(words * 8))
    return nullptr;
  auto range = std::make_shared<Allocation>();
  range->size = size;
  range->kind = kind;
  range->device = device;
  range->bytes = storage->bytes.bytes;
  range->written = reinterpret_cast<std::atomic<uint64_t> *>(storage->bits.bytes);
  range->backing = std::move(storage);

  std::unique_lock lock(mutex);
  range->address = pickAddress(size, std::max<uint64_t>(alignment, 256));
  if (!range->address)
    return nullptr;
  range->serial = ++serials;
  ranges[range->address] = range;
  return range;
}

/// Removes freed ranges where the host's allocator has reused the addresses; false if a
/// live range overlaps.
bool AddressSpace::clearOverlap(uint64_t address, uint64_t size) {
  auto first = ranges.upper_bound(address);
  if (first != ranges.begin() && std::prev(first)->second->contains(address, 1))
    --first;
  for (auto at = first; at != ranges.end() && at->first < address + size; ++at)
    if (!at->second->freed)
      return false;
  while (first != ranges.end() && first->first < address + size)
    first = ranges.erase(first);
  return true;
}

std::shared_ptr<Allocation>
AddressSpace::registerHost(void *base, uint64_t size, int device, Allocation::Kind kind) {
  auto address = reinterpret_cast<uint64_t>(base);
  if (!base || !size || address + size < address)
    return nullptr;
  auto range = std::make_shared<Allocation>();
  range->address = address;
  range->size = size;
  range->kind = kind;
  range->device = device;
  range->bytes = static_cast<uint8_t *>(base);
  std::unique_lock lock(mutex);
  if (!clearOverlap(address, size))
    return nullptr;
  range->serial = ++serials;
  ranges[address] = range;
  return range;
}

bool AddressSpace::release(uint64_t address) {
  std::unique_lock lock(mutex);
  auto entry = ranges.find(address);
  if (entry == ranges.end() || entry->second->freed.exchange(true))
    return false;
  auto trace = std::make_shared<Allocation>();
  const Allocation &old = *entry->second;
  trace->address = old.address;
  trace->size = old.size;
  trace->kind = old.kind;
  trace->device = old.device;
  trace->name = old.name;
  trace->serial = old.serial;
  trace->freed = true;
  entry->second = std::move(trace);
  freedOrder.push_back(entry->second);
  forgetFreed(RememberedFrees);
  return true;
}

std::shared_ptr<Allocation> AddressSpace::find(uint64_t address) const {
  auto below = nearestBelow(address);
  return below && below->contains(address, 1) ? below : nullptr;
}

std::shared_ptr<Allocation> AddressSpace::nearestBelow(uint64_t address) const {
  std::shared_lock lock(mutex);
  auto above = ranges.upper_bound(address);
  return above == ranges.begin() ? nullptr : std::prev(above)->second;
}

bool AddressSpace::reachable(int device, const Allocation &allocation) const {
  if (device == allocation.device || allocation.kind == Allocation::Kind::HostPinned ||
      allocation.kind == Allocation::Kind::Managed)
    return true;
  auto known = [](int ordinal) { return ordinal >= 0 && ordinal < MaxDevices; };
  return known(device) && known(allocation.device) &&
         peers[device][allocation.device].load(std::memory_order_relaxed) != 0;
}

void AddressSpace::enablePeer(int device, int peer) { peers[device][peer]++; }

void AddressSpace::disablePeer(int device, int peer) { peers[device][peer]--; }

std::shared_ptr<void>
AddressSpace::attached(const std::function<std::shared_ptr<void>()> &make) {
  std::lock_guard lock(mutex);
  if (!attachment)
    attachment = make();
  return attachment;
}

bool AddressSpace::hasPeers(int device) const {
  for (int other = 0; other < MaxDevices; ++other)
    if (other != device && (peers[device][other] || peers[other][device]))
      return true;
  return false;
}
