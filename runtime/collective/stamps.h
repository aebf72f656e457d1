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

/// Writes a stamp for each collective of a rank into a file that is mapped: what has been
/// written stays, however the process ends.
class StampRecorder {
public:
  /// Opens rank-R.stamps of the folder. Errors: KILN-E0001 (it cannot be written).
  static Status open(const std::string &folder, uint32_t rank, uint32_t ranks,
                     std::unique_ptr<StampRecorder> &out);
  /// A collective that ends before another one begins. Those outside of a plan only make
  /// ranks agree, so they have no stamp.
  void begin(const CollectiveCall &call);
  void end(const CollectiveCall &call);
  /// A collective that a GPU carries out, and the end of the oldest of these.
  void enqueued(const CollectiveCall &call);
  void done();

private:
  explicit StampRecorder(Mapping memory) : memory(std::move(memory)) {}

  void add(const CollectiveCall &call);
  Stamp &at(uint64_t collective);

  Mapping memory;
  uint64_t number = 0;   ///< of the last collective
  uint64_t oldest = 0;   ///< of those that a GPU carries out
  uint32_t underWay = 0; ///< these
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_STAMPS_H
