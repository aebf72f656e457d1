//===- stamps.h - Which collectives a rank has reached ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_STAMPS_H
#define KILN_COLLECTIVE_STAMPS_H

#include "kiln/stamps.hpp"
#include "runtime/base/file.h"
#include "runtime/collective/collective_call.h"
#include <memory>

namespace kiln::rt {

/// Writes a stamp for each collective of a rank into a mapped file, whose content stays
/// however the process ends.
class StampRecorder {
public:
  /// Opens rank-R.stamps in the folder. Errors: KILN-E0001 (it cannot be written).
  static Status open(const std::string &folder, uint32_t rank, uint32_t ranks,
                     std::unique_ptr<StampRecorder> &out);
  /// Record begin and end of a collective on host memory, which ends before another one
  /// begins. Collectives outside of a plan, by which ranks agree on something, get no
  /// stamp.
  void begin(const CollectiveCall &call);
  void end(const CollectiveCall &call);
  /// Record that a collective was enqueued on the GPU, and that the oldest one is done.
  void enqueued(const CollectiveCall &call);
  void done();

private:
  explicit StampRecorder(Mapping memory) : memory(std::move(memory)) {}

  void add(const CollectiveCall &call);
  Stamp &at(uint64_t collective);

  Mapping memory;
  uint64_t number = 0;   ///< number of the last collective
  uint64_t oldest = 0;   ///< oldest GPU collective in flight
  uint32_t underWay = 0; ///< number of GPU collectives in flight
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_STAMPS_H
