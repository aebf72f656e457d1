//===- stopwatch.h - Contenders in turn -------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_STOPWATCH_H
#define KILN_GPU_CHECK_STOPWATCH_H

#include "tools/gpu_check/library.h"
#include <functional>

namespace kiln::gpucheck {

/// A CUDA stream, destroyed with this object.
class OwnStream {
public:
  explicit OwnStream(const Gpu &gpu);
  ~OwnStream();
  OwnStream(const OwnStream &) = delete;
  void wait() const;

  const Gpu &gpu;
  Stream stream = nullptr;
};

/// Instantiated graph of the work that `enqueue` puts on the stream.
class Captured {
public:
  Captured(const OwnStream &stream, const std::function<void(Stream)> &enqueue);
  ~Captured();
  Captured(const Captured &) = delete;
  void launch() const;

private:
  const OwnStream &stream;
  Graph graph = nullptr;
  GraphExec exec = nullptr;
};

/// A candidate to be timed. launch(i) enqueues it once, on the i-th set of operands.
struct Contender {
  std::function<void(uint32_t set)> launch;
  double median = 0; ///< microseconds of one launch
};

struct Measurement {
  uint32_t sets = 1;   ///< sets of operands, used in rotation
  uint32_t rounds = 1; ///< rounds per contender
  uint32_t clockMhz = 0;
};

/// Times the contenders alternately: each round launches one of them for about 2 ms back
/// to back, between two events. The order of contenders rotates. On a simulated GPU a
/// round is one launch per set, and there are two rounds.
void measure(const OwnStream &stream, const Nvml &nvml,
             std::vector<Contender *> contenders, Measurement &measurement);

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_STOPWATCH_H
