//===- memory.h - Memory of the modelled devices ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every byte that a kernel can access is in an Allocation: global memory, constant and
// module variables, pinned host memory, a block's shared memory, a thread's local memory.
// Device addresses are artificial and far apart, so that a stray pointer rarely hits
// another allocation. A freed range is reused only when no other is left: the map keeps
// the last AddressSpace::RememberedFrees freed ranges, to report uses of them.
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
  uint64_t size = 0;    ///< requested bytes; accesses beyond are out of bounds
  Kind kind = Kind::Global;
  int device = 0;      ///< ordinal of the owning device
  std::string name;    ///< name of a module variable, otherwise empty; for reports
  uint64_t serial = 0; ///< number of the allocation; for reports
  std::atomic<bool> freed = false;
  uint8_t *bytes = nullptr; ///< `size` bytes (the program's host memory for HostPinned)
  /// One bit per byte, set when a host copy, memset or kernel writes it. Null if
  /// uninitialised reads are not checked or all bytes count as written (HostPinned,
  /// initialised module variables).
  std::atomic<uint64_t> *written = nullptr;

  bool contains(uint64_t at, uint64_t count) const {
    return at >= address && count <= size && at - address <= size - count;
  }
  void markWritten(uint64_t offset, uint64_t count);
  bool allWritten(uint64_t offset, uint64_t count) const;
  /// Returns the first byte in the range that was never written, or `count`.
  uint64_t firstUnwritten(uint64_t offset, uint64_t count) const;

private:
  friend class AddressSpace;
  std::shared_ptr<void> backing; ///< keeps `bytes` and `written` alive
};

/// The unified address space of all modelled devices. Thread-safe. Lookups take a shared
/// lock; interpreters cache the allocation of their last access.
class AddressSpace {
public:
  static constexpr size_t RememberedFrees = 1 << 16;
  static constexpr int MaxDevices = 32;

  /// Allocates a range with undefined bytes, marked unwritten; null if host memory ran
  /// out. `alignment`: a power of two; at least 256 is used. The address is a multiple of
  /// it but of no larger power of two, so that kernels which rely on more are found.
  std::shared_ptr<Allocation> allocate(Allocation::Kind kind, int device, uint64_t size,
                                       uint64_t alignment = 256);
  /// Registers the program's host memory, which kernels access at its own address. Null
  /// if it overlaps a live allocation.
  std::shared_ptr<Allocation>
  registerHost(void *base, uint64_t size, int device,
               Allocation::Kind kind = Allocation::Kind::HostPinned);
  /// Marks the range freed and releases its bytes. An entry stays, for reports of use
  /// after free. False if `address` is not the first byte of a live allocation. Lookups
  /// then return another Allocation, without bytes; a holder of the old one may still
  /// read its bytes, whose values are meaningless.
  bool release(uint64_t address);

  /// Returns the live or freed allocation that contains the byte, or null.
  std::shared_ptr<Allocation> find(uint64_t address) const;
  /// Returns the nearest allocation below the byte, for "N bytes behind the end of ...".
  std::shared_ptr<Allocation> nearestBelow(uint64_t address) const;

  /// Artificial addresses are above Linux programs' heaps and images and above the
  /// sanitizers' shadow memory, where the host allocates nothing.
  static constexpr uint64_t FirstAddress = 0x3000'0000'0000,
                            EndAddress = 0x5000'0000'0000;
  static bool isDeviceAddress(uint64_t address) {
    return address >= FirstAddress && address < EndAddress;
  }

  /// Whether kernels of `device` may access the allocation: its own memory, host and
  /// managed memory, and memory of devices with peer access enabled.
  bool reachable(int device, const Allocation &allocation) const;
  /// Enabling is counted, as two contexts of a device may each enable peer access.
  void enablePeer(int device, int peer);
  void disablePeer(int device, int peer);
  /// Whether the device has peer access to another one, or another one to it.
  bool hasPeers(int device) const;

  /// Held while a warp runs in an observed launch with peers, so that an access and its
  /// report to the observer are atomic for other devices.
  FairMutex turns;

  /// Returns state shared by the observers of all devices; `make` creates it once.
  std::shared_ptr<void> attached(const std::function<std::shared_ptr<void>()> &make);

private:
  uint64_t pickAddress(uint64_t size, uint64_t alignment);
  void forgetFreed(size_t keep);
  bool clearOverlap(uint64_t address, uint64_t size);

  mutable std::shared_mutex mutex;
  std::map<uint64_t, std::shared_ptr<Allocation>> ranges; ///< by first address
  std::deque<std::shared_ptr<Allocation>> freedOrder;     ///< oldest first
  uint64_t next = FirstAddress; ///< address to try for the next range
  uint64_t serials = 0;
  std::atomic<uint32_t> peers[MaxDevices][MaxDevices] = {};
  std::shared_ptr<void> attachment;
};

/// Windows of generic addresses that belong to no Allocation: each block's shared memory
/// and each thread's local memory, as the hardware maps them. An address in a shared
/// window is SharedWindow + rank in the cluster * SharedStride + offset.
inline constexpr uint64_t SharedWindow = 0x0000'0100'0000'0000;
inline constexpr uint64_t SharedStride = 0x0000'0000'0100'0000; ///< 16 MiB per block
inline constexpr uint64_t SharedWindowSize = 16 * SharedStride;
inline constexpr uint64_t LocalWindow = 0x0000'0200'0000'0000;
inline constexpr uint64_t LocalWindowSize = 0x0000'0000'1000'0000;

} // namespace kiln::sim

#endif // KILN_SIM_MEMORY_MEMORY_H
