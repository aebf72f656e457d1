//===- segment.cpp - Memory that ranks of one node share ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each live process holds a lock on a byte of the segment's file. The kernel releases it
// when the process ends, for whatever reason, and unlike a process id it is never
// reused.
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/segment.h"
#include "runtime/package/format.h"
#include <cerrno>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace kiln::rt;

static_assert(std::atomic<uint32_t>::is_always_lock_free);

Descriptor::~Descriptor() {
  if (fd >= 0)
    close(fd);
}

/// All members are 0 in new memory.
struct Segment::Header {
  std::atomic<uint32_t> state;
  FailureRecord record;
};

Segment::Header &Segment::header() const {
  return *reinterpret_cast<Header *>(memory.data());
}

// Layout of a segment: the header, the rank states, the CPU sets, and the staging
// buffers, which begin at a page.
static constexpr size_t statesOffset = 4096;

RankState *Segment::states() const {
  static_assert(sizeof(Header) <= statesOffset);
  return reinterpret_cast<RankState *>(memory.data() + statesOffset);
}

cpu_set_t &Segment::cpus(uint32_t rank) const {
  return reinterpret_cast<cpu_set_t *>(states() + ranks)[rank];
}

size_t Segment::buffersOffset() const {
  size_t end = statesOffset + ranks * (sizeof(RankState) + sizeof(cpu_set_t));
  return format::alignUp(end, format::pageAlignment);
}

size_t Segment::bytes() const { return buffersOffset() + ranks * 2 * bufferBytes; }

uint8_t *Segment::buffer(uint32_t rank, uint32_t bufferIndex) const {
  return memory.data() + buffersOffset() + (size_t(rank) * 2 + bufferIndex) * bufferBytes;
}

std::atomic<uint32_t> &Segment::state() const { return header().state; }
FailureRecord &Segment::record() const { return header().record; }

static Failure refused(const char *call) {
  return {Code::OutOfMemory,
          "memory that ranks share",
          "the system refuses it",
          "a segment for all ranks",
          std::string(call) + ": " + std::strerror(errno),
          "free memory, or raise the limits of memory and of open files (ulimit -v -n)"};
}

Status Segment::map() {
  void *at = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (at == MAP_FAILED)
    return refused("mmap");
  memory = Mapping(at, bytes());
  return {};
}

Status Segment::create(uint32_t ranks, Segment &out) {
  out.ranks = ranks;
  out.file = Descriptor(memfd_create("kiln ranks", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!out.file)
    return refused("memfd_create");
  // ftruncate allocates no memory: pages are allocated on first access.
  if (ftruncate(out.file.get(), static_cast<off_t>(out.bytes())) != 0)
    return refused("ftruncate");
  fcntl(out.file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  KILN_TRY(out.map());
  for (uint32_t rank = 0; rank < ranks; ++rank)
    new (&out.states()[rank]) RankState;
  return {};
}

Status Segment::open(Descriptor file, uint32_t ranks, Segment &out) {
  out.ranks = ranks;
  out.file = std::move(file);
  struct stat info;
  if (fstat(out.file.get(), &info) != 0 ||
      static_cast<size_t>(info.st_size) != out.bytes())
    return Failure{Code::RankFailed,
                   "memory that ranks share",
                   "rank 0 has sent something else",
                   std::to_string(out.bytes()) + " bytes",
                   "another size",
                   "start all ranks with the same build of Kiln"};
  return out.map();
}

static struct flock lockOf(uint32_t rank) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = rank;
  lock.l_len = 1;
  return lock;
}

Status Segment::claim(uint32_t rank) {
  struct flock lock = lockOf(rank);
  if (fcntl(file.get(), F_SETLK, &lock) != 0)
    return refused("fcntl");
  if (sched_getaffinity(0, sizeof(cpu_set_t), &cpus(rank)) != 0)
    CPU_ZERO(&cpus(rank));
  return {};
}

bool Segment::isLost(uint32_t rank) const {
  struct flock lock = lockOf(rank);
  return fcntl(file.get(), F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}
