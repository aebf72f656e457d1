//===- stamps.cpp - Which collectives a rank has reached ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/collective/stamps.h"
#include "runtime/base/word_hash.h"
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

using namespace kiln::rt;

static Failure notWritable(const std::string &path) {
  return {Code::BadUsage,
          path,
          "stamps of collectives cannot be written",
          "KILN_STAMPS to name a folder that exists and can be written to",
          std::strerror(errno),
          "make the folder, or unset KILN_STAMPS"};
}

Status StampRecorder::open(const std::string &folder, uint32_t rank, uint32_t ranks,
                           std::unique_ptr<StampRecorder> &out) {
  std::string path = folder + "/rank-" + std::to_string(rank) + ".stamps";
  constexpr size_t bytes = sizeof(StampHeader) + stampCapacity * sizeof(Stamp);
  int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0)
    return notWritable(path);
  // Allocates the file's blocks: a store to a hole of a file on a full disk would raise a
  // signal.
  int error = posix_fallocate(file, 0, bytes);
  void *at = error ? MAP_FAILED
                   : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  errno = error ? error : errno;
  close(file);
  if (at == MAP_FAILED)
    return notWritable(path);
  StampHeader header = {};
  std::memcpy(header.magic, stampMagic, sizeof header.magic);
  header.version = stampVersion;
  header.capacity = stampCapacity;
  header.rank = rank;
  header.ranks = ranks;
  header.process = static_cast<uint64_t>(getpid());
  utsname name;
  if (uname(&name) == 0)
    std::memcpy(header.node, name.nodename,
                strnlen(name.nodename, sizeof header.node - 1));
  std::memcpy(at, &header, sizeof header);
  out.reset(new StampRecorder(Mapping(at, bytes)));
  return {};
}

static uint64_t realtimeNow() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(time.tv_nsec);
}

static uint64_t hashOf(const CollectiveCall &call) {
  WordHash hash;
  for (uint64_t word :
       {static_cast<uint64_t>(call.kind), static_cast<uint64_t>(call.reduction),
        static_cast<uint64_t>(call.dtype), static_cast<uint64_t>(call.outer),
        static_cast<uint64_t>(call.inner), uint64_t(call.step), uint64_t(call.first),
        uint64_t(call.count), uint64_t(call.members), uint64_t(call.stride)})
    hash.add(word);
  return hash.value();
}

Stamp &StampRecorder::at(uint64_t collective) {
  auto *ring = reinterpret_cast<Stamp *>(memory.data() + sizeof(StampHeader));
  return ring[collective % stampCapacity];
}

void StampRecorder::add(const CollectiveCall &call) {
  Stamp &stamp = at(++number);
  // The process may be killed between any two stores: a stamp is invalid while its number
  // is 0.
  std::atomic_ref<uint64_t> last(stamp.number);
  last.store(0);
  stamp.hash = hashOf(call);
  stamp.bytes = call.bytes();
  stamp.step = call.step;
  stamp.kind = static_cast<uint8_t>(call.kind);
  stamp.dtype = static_cast<uint8_t>(call.dtype);
  stamp.end = 0;
  stamp.begin = realtimeNow();
  last.store(number);
}

void StampRecorder::begin(const CollectiveCall &call) {
  if (call.isStep())
    add(call);
  else
    underWay = 0; // forget unfinished collectives of an earlier run
}

void StampRecorder::end(const CollectiveCall &call) {
  if (call.isStep())
    std::atomic_ref<uint64_t>(at(number).end).store(realtimeNow());
}

/// GPU collectives in flight have consecutive numbers: ranks wait for them before a
/// collective on host memory follows.
void StampRecorder::enqueued(const CollectiveCall &call) {
  add(call);
  if (!underWay++)
    oldest = number;
}

void StampRecorder::done() {
  --underWay;
  std::atomic_ref<uint64_t>(at(oldest++).end).store(realtimeNow());
}
