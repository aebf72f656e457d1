//===- memory.h - Memory of the modelled devices ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every byte a kernel can reach lies in an Allocation: global memory, constant and
// module variables, pinned host memory, a block's shared memory, a thread's local
// memory. Device addresses are made up and widely spaced, so that a stray pointer
// nearly never lands in another allocation, and a freed range is not given out
// again before all others: the map remembers what it was, for the last
// AddressSpace::RememberedFrees ranges.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_MEMORY_MEMORY_H
#define KILN_SIM_MEMORY_MEMORY_H

#include "runtime/sim/memory/fair_mutex.h"
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

namespace kiln::sim {

/// One range of device addresses, backed by host memory.
class Allocation {
public:
  enum class Kind : uint8_t { Global, Module, Constant, HostPinned, Managed };

  uint64_t address = 0; ///< device address of byte 0
  uint64_t size = 0;    ///< bytes asked for; a byte behind them is out of bounds
  Kind kind = Kind::Global;
  int device = 0;      ///< ordinal of the owning device
  std::string name;    ///< of a module variable, else empty; for reports
  uint64_t serial = 0; ///< counts allocations; for reports
  std::atomic<bool> freed = false;
  uint8_t *bytes = nullptr; ///< `size` bytes (host memory of the program for HostPinned)
  /// One bit a byte, set when it has been written by anyone: host copies, memsets,
  /// kernels. Null if uninitialised reads are not looked for or all bytes count as
  /// written (HostPinned, initialised module variables).
  std::atomic<uint64_t> *written = nullptr;

  bool contains(uint64_t at, uint64_t count) const {
    return at >= address && count <= size && at - address <= size - count;
  }
  void markWritten(uint64_t offset, uint64_t count);
  bool allWritten(uint64_t offset, uint64_t count) const;
  /// The first byte in the range that nobody wrote, or `count`.
  uint64_t firstUnwritten(uint64_t offset, uint64_t count) const;

private:
  friend class AddressSpace;
  std::shared_ptr<void> backing; ///< keeps bytes and written alive
};

/// The unified address space of all modelled devices. Thread-safe. Lookups take a
/// shared lock; interpreters keep the allocation that they hit last.
class AddressSpace {
public:
  static constexpr size_t RememberedFrees = 1 << 16;
  static constexpr int MaxDevices = 32;

  /// A new range, `bytes` unset and marked unwritten; null if host memory ran out.
  /// alignment: a power of two; at least 256 is used. The address is a multiple of
  /// it and of nothing larger: a kernel that counts on more is found out.
  std::shared_ptr<Allocation> allocate(Allocation::Kind kind, int device, uint64_t size,
                                       uint64_t alignment = 256);
  /// Host memory of the program, reachable by kernels at its own address. Null if
  /// it overlaps a live allocation.
  std::shared_ptr<Allocation>
  registerHost(void *base, uint64_t size, int device,
               Allocation::Kind kind = Allocation::Kind::HostPinned);
  /// Marks the range freed and releases its bytes. The entry stays, for reports of
  /// use after free. False if `address` is not the first byte of a live allocation.
  /// What is found from then on is another Allocation, without bytes; who still holds
  /// the old one may read its bytes, which then mean nothing.
  bool release(uint64_t address);

  /// The live or freed allocation that holds the byte, or null.
  std::shared_ptr<Allocation> find(uint64_t address) const;
  /// The nearest allocation below the byte, for "N bytes behind the end of ...".
  std::shared_ptr<Allocation> nearestBelow(uint64_t address) const;

  /// Made-up addresses lie above the heap and programs of Linux and the shadows of the
  /// sanitizers, where nothing of the host lives.
  static constexpr uint64_t FirstAddress = 0x3000'0000'0000,
                            EndAddress = 0x5000'0000'0000;
  static bool isDeviceAddress(uint64_t address) {
    return address >= FirstAddress && address < EndAddress;
  }

  /// Whether kernels of `device` may touch the allocation: its own memory, host and
  /// managed memory, and that of devices whose access was enabled by the program.
  bool reachable(int device, const Allocation &allocation) const;
  /// Peer access is counted: two contexts of a device may enable it each.
  void enablePeer(int device, int peer);
  void disablePeer(int device, int peer);
  /// Whether the device reaches the memory of another one, or another one its.
  bool hasPeers(int device) const;

  /// Warps of launches that are observed and have peers run one at a time: what an
  /// observer is told of an access, and the access, are one to the others.
  FairMutex turns;

  /// State that observers of all devices have in common; `make` creates it, once.
  std::shared_ptr<void> attached(const std::function<std::shared_ptr<void>()> &make);

private:
  uint64_t pickAddress(uint64_t size, uint64_t alignment);
  void forgetFreed(size_t keep);
  bool clearOverlap(uint64_t address, uint64_t size);

  mutable std::shared_mutex mutex;
  std::map<uint64_t, std::shared_ptr<Allocation>> ranges; ///< by first address
  std::deque<std::shared_ptr<Allocation>> freedOrder;     ///< oldest first
  uint64_t next = FirstAddress; ///< where the next range is tried
  uint64_t serials = 0;
  std::atomic<uint32_t> peers[MaxDevices][MaxDevices] = {};
  std::shared_ptr<void> attachment;
};

/// Windows of generic addresses that are no Allocation: each block's shared memory
/// and each thread's local memory, as the hardware maps them. An address in a
/// shared window is SharedWindow + rank in the cluster * SharedStride + offset.
inline constexpr uint64_t SharedWindow = 0x0000'0100'0000'0000;
inline constexpr uint64_t SharedStride = 0x0000'0000'0100'0000; ///< 16 MiB a block
inline constexpr uint64_t SharedWindowSize = 16 * SharedStride;
inline constexpr uint64_t LocalWindow = 0x0000'0200'0000'0000;
inline constexpr uint64_t LocalWindowSize = 0x0000'0000'1000'0000;

} // namespace kiln::sim

#endif // KILN_SIM_MEMORY_MEMORY_H
