//===- memory_test.cpp - The address space of the modelled devices --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/memory/memory.h"
#include <gtest/gtest.h>
#include <random>
#include <thread>

using namespace kiln::sim;
using Kind = Allocation::Kind;

TEST(AddressSpace, FindsEveryByteAndNoneBeside) {
  AddressSpace space;
  auto a = space.allocate(Kind::Global, 0, 100), b = space.allocate(Kind::Module, 1, 1);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(space.find(a->address), a);
  EXPECT_EQ(space.find(a->address + 99), a);
  EXPECT_EQ(space.find(a->address + 100), nullptr);
  EXPECT_EQ(space.find(a->address - 1), nullptr);
  EXPECT_EQ(space.find(b->address), b);
  EXPECT_EQ(space.find(0), nullptr);
  EXPECT_EQ(space.find(~0ull), nullptr);
  EXPECT_EQ(space.nearestBelow(a->address + 100), a);
  EXPECT_EQ(space.nearestBelow(a->address - 1), nullptr);
  EXPECT_LT(a->serial, b->serial);
  EXPECT_TRUE(a->contains(a->address + 60, 40));
  EXPECT_FALSE(a->contains(a->address + 60, 41));
  EXPECT_FALSE(a->contains(a->address + 60, ~0ull));
}

TEST(AddressSpace, AlignsAsAskedAndNotMore) {
  AddressSpace space;
  for (uint64_t alignment : {1, 256, 1024, 1 << 21}) {
    uint64_t want = std::max<uint64_t>(alignment, 256);
    auto range = space.allocate(Kind::Global, 0, 4096, alignment);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->address % want, 0u);
    EXPECT_NE(range->address % (2 * want), 0u);
  }
}

TEST(AddressSpace, RefusesNothingAndTooMuch) {
  AddressSpace space;
  EXPECT_EQ(space.allocate(Kind::Global, 0, 0), nullptr);
  EXPECT_EQ(space.allocate(Kind::Global, 0, ~0ull), nullptr);
  EXPECT_EQ(space.allocate(Kind::Global, 0, 1ull << 46), nullptr);
}

TEST(AddressSpace, ReservesMoreThanTheMachineHas) {
  AddressSpace space;
  auto range = space.allocate(Kind::Global, 0, 100ull << 30);
  ASSERT_TRUE(range);
  range->bytes[range->size - 1] = 7;
  range->markWritten(range->size - 1, 1);
  EXPECT_TRUE(range->allWritten(range->size - 1, 1));
  EXPECT_FALSE(range->allWritten(range->size - 2, 2));
}

TEST(AddressSpace, RemembersWhatWasFreed) {
  AddressSpace space;
  auto a = space.allocate(Kind::Global, 0, 100);
  uint64_t address = a->address;
  EXPECT_FALSE(space.release(address + 1));
  EXPECT_TRUE(space.release(address));
  EXPECT_FALSE(space.release(address));
  EXPECT_EQ(space.find(address + 5)->serial, a->serial);
  EXPECT_TRUE(space.find(address + 5)->freed);
  EXPECT_TRUE(a->freed);
  for (int i = 0; i < 100; i++)
    EXPECT_NE(space.allocate(Kind::Global, 0, 100)->address, address);
}

TEST(AddressSpace, GivesTheBytesOfFreedRangesBack) {
  AddressSpace space;
  uint64_t address = space.allocate(Kind::Global, 0, 100)->address;
  EXPECT_NE(space.find(address)->bytes, nullptr);
  EXPECT_TRUE(space.release(address));
  EXPECT_EQ(space.find(address)->bytes, nullptr);
  EXPECT_TRUE(space.find(address)->allWritten(0, 100));
  auto held = space.allocate(Kind::Global, 0, 100);
  EXPECT_TRUE(space.release(held->address));
  ASSERT_NE(held->bytes, nullptr); // a kernel may be reading
  EXPECT_EQ(held->bytes[99], 0);
}

TEST(AddressSpace, ForgetsTheOldestFreesAndNeverRunsDry) {
  AddressSpace space;
  auto kept = space.allocate(Kind::Global, 0, 64);
  auto first = space.allocate(Kind::Global, 0, 64);
  space.release(first->address);
  // Each takes 1 TiB of addresses: 32 of them use up the window.
  for (int i = 0; i < 200; i++) {
    auto range = space.allocate(Kind::Global, 0, 1ull << 40);
    ASSERT_TRUE(range) << i;
    ASSERT_FALSE(range->contains(kept->address, 1));
    space.release(range->address);
  }
  EXPECT_EQ(space.find(kept->address), kept);
}

TEST(AddressSpace, RegistersHostMemoryAtItsOwnAddress) {
  AddressSpace space;
  std::vector<uint8_t> host(1000);
  auto range = space.registerHost(host.data(), host.size(), 0);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->address, reinterpret_cast<uint64_t>(host.data()));
  EXPECT_EQ(range->kind, Kind::HostPinned);
  EXPECT_TRUE(range->allWritten(0, 1000));
  EXPECT_EQ(space.registerHost(host.data() + 10, 10, 0), nullptr);
  EXPECT_EQ(space.registerHost(host.data() - 10, 20, 0), nullptr);
  EXPECT_EQ(space.registerHost(nullptr, 20, 0), nullptr);
  EXPECT_TRUE(space.release(range->address));
  // The host's allocator may reuse the same bytes, split differently.
  EXPECT_TRUE(space.registerHost(host.data() + 10, 100, 0));
  EXPECT_TRUE(space.registerHost(host.data() + 200, 100, 0, Kind::Managed));
}

TEST(AddressSpace, ReachesPeersOnlyWhenEnabled) {
  AddressSpace space;
  std::vector<uint8_t> host(16);
  auto mine = space.allocate(Kind::Global, 0, 16);
  auto pinned = space.registerHost(host.data(), host.size(), 0);
  EXPECT_TRUE(space.reachable(0, *mine));
  EXPECT_FALSE(space.reachable(1, *mine));
  EXPECT_TRUE(space.reachable(1, *pinned));
  space.enablePeer(1, 0);
  space.enablePeer(1, 0);
  space.disablePeer(1, 0);
  EXPECT_TRUE(space.reachable(1, *mine));
  EXPECT_FALSE(space.reachable(2, *mine));
  space.disablePeer(1, 0);
  EXPECT_FALSE(space.reachable(1, *mine));
}

TEST(Allocation, WrittenBitsMatchAModel) {
  AddressSpace space;
  auto range = space.allocate(Kind::Global, 0, 517);
  std::vector<bool> model(range->size);
  std::mt19937 random(7);
  for (int round = 0; round < 400; round++) {
    uint64_t at = random() % 517, count = random() % (517 - at + 1) % 40;
    range->markWritten(at, count);
    std::fill(model.begin() + at, model.begin() + at + count, true);
    uint64_t from = random() % 517, length = random() % (517 - from + 1);
    auto end = model.begin() + from + length;
    uint64_t expected =
        std::find(model.begin() + from, end, false) - model.begin() - from;
    ASSERT_EQ(range->firstUnwritten(from, length), expected);
    ASSERT_EQ(range->allWritten(from, length), expected == length);
  }
}

TEST(AddressSpace, ThreadsAllocateWriteLookUpAndFree) {
  AddressSpace space;
  auto shared = space.allocate(Kind::Global, 0, 4096);
  std::vector<std::thread> threads;
  for (unsigned id = 0; id < 4; id++)
    threads.emplace_back([&, id] {
      for (unsigned i = 0; i < 1024; i++) {
        auto mine = space.allocate(Kind::Global, 0, 64 + i);
        ASSERT_EQ(space.find(mine->address + 63), mine);
        shared->markWritten(i * 4 + id, 1);
        ASSERT_TRUE(space.release(mine->address));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_TRUE(shared->allWritten(0, 4096));
}
