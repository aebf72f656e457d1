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

/// A stream of its own.
class OwnStream {
public:
  explicit OwnStream(const Gpu &gpu);
  ~OwnStream();
  OwnStream(const OwnStream &) = delete;
  void wait() const;

  const Gpu &gpu;
  Stream stream = nullptr;
};

/// Instantiated graph of what `enqueue` puts in the stream.
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

/// Something to be timed. launch(i) enqueues it once, on the i-th set of operands.
struct Contender {
  std::function<void(uint32_t set)> launch;
  double median = 0; ///< microseconds of one launch
};

struct Measurement {
  uint32_t sets = 1;   ///< of operands, used in turn
  uint32_t rounds = 1; ///< turns of each contender
  uint32_t clockMhz = 0;
};

/// Times the contenders in turn, each turn launches for about 2 ms one behind the
/// other, between two events. Who begins changes from round to round. On a simulated
/// GPU a turn is one launch per set and there are two rounds.
void measure(const OwnStream &stream, const Nvml &nvml,
             std::vector<Contender *> contenders, Measurement &measurement);

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_STOPWATCH_H
