//===- segment.h - Memory that ranks of one node share ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory without a name (memfd): one rank creates it and sends its descriptor to
// the others. The kernel frees it with the last process, however that ends.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_SEGMENT_H
#define KILN_COLLECTIVE_SEGMENT_H

#include "runtime/base/file.h"
#include "runtime/collective/failure_record.h"
#include "runtime/collective/monitored_barrier.h"
#include <sched.h>

namespace kiln::rt {

/// A file descriptor, closed on destruction.
class Descriptor {
public:
  explicit Descriptor(int fd = -1) : fd(fd) {}
  Descriptor(Descriptor &&other) noexcept : fd(std::exchange(other.fd, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~Descriptor();
  int get() const { return fd; }
  explicit operator bool() const { return fd >= 0; }

private:
  int fd;
};

class Segment {
public:
  /// Bytes of a staging buffer. Each rank has two, so that it fills one while others read
  /// the other.
  static constexpr size_t bufferBytes = 1 << 20;

  /// Range of a rank's staging buffer that another rank reads.
  struct Range {
    size_t offset = 0, bytes = 0;
  };

  /// Creates a segment. Errors: KILN-E0700.
  static Status create(uint32_t ranks, Segment &out);
  /// Maps a segment that another rank has created. Errors: KILN-E0700, E0710 (its size
  /// does not fit this number of ranks).
  static Status open(Descriptor file, uint32_t ranks, Segment &out);

  /// Claims a rank for this process until it ends or the segment is closed, which other
  /// ranks can detect. Also publishes which CPUs the process may use.
  Status claim(uint32_t rank);
  /// Whether the process of that rank has ended. Not valid for one's own rank.
  bool isLost(uint32_t rank) const;

  int descriptor() const { return file.get(); }
  uint32_t size() const { return ranks; }
  RankState *states() const;
  /// CPUs that the process of a rank may use; empty if unknown.
  cpu_set_t &cpus(uint32_t rank) const;
  uint8_t *buffer(uint32_t rank, uint32_t bufferIndex) const;

  /// State of the failure record: 0 (none), Writing, or Failed, after which the record
  /// does not change.
  enum State : uint32_t { Writing = 1, Failed = 2 };
  std::atomic<uint32_t> &state() const;
  FailureRecord &record() const;

private:
  struct Header;
  Status map();
  Header &header() const;
  size_t bytes() const;
  size_t buffersOffset() const;

  Descriptor file;
  Mapping memory;
  uint32_t ranks = 0;
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_SEGMENT_H
