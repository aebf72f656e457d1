//===- arena_memory.cpp - Where an arena lies -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/arena_memory.h"
#include <sys/mman.h>

using namespace kiln::rt;

ArenaMemory &ArenaMemory::operator=(ArenaMemory &&other) noexcept {
  std::swap(start, other.start);
  std::swap(pages, other.pages);
  std::swap(size, other.size);
  std::swap(alignment, other.alignment);
  std::swap(allocator, other.allocator);
  return *this;
}

ArenaMemory::~ArenaMemory() {
  if (start && allocator.free)
    allocator.free(allocator.user, start, size, alignment);
}

Status ArenaMemory::allocate(uint64_t size, uint64_t alignment, const std::string &what,
                             const kiln_allocator &allocator, Promise promise,
                             ArenaMemory &out) {
  ArenaMemory memory;
  memory.allocator = allocator;
  memory.size = size;
  memory.alignment = alignment;
  if (!allocator.allocate) {
    KILN_TRY(allocatePages(size, what, memory.pages, promise));
    memory.start = memory.pages.data();
    out = std::move(memory);
    return {};
  }
  memory.start =
      static_cast<uint8_t *>(allocator.allocate(allocator.user, size, alignment));
  if (!memory.start)
    return Failure{Code::OutOfMemory,
                   what,
                   "the allocator of the session has no memory",
                   std::to_string(size) + " bytes",
                   "NULL",
                   "narrow the session's dims, or let it have more"};
  if (!isAligned(memory.start, alignment))
    return misaligned(what, "the allocator of the session has not aligned the memory",
                      memory.start, alignment,
                      "align it as allocate is asked to, as aligned_alloc does");
  out = std::move(memory);
  return {};
}

void ArenaMemory::discard() {
  if (pages.size())
    madvise(pages.data(), pages.size(), MADV_DONTNEED);
  else
    *this = ArenaMemory();
}
