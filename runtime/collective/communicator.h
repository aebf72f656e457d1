//===- communicator.h - How a rank meets the others -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device calls at a collective step. A new transport between ranks is one
// subclass.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_COMMUNICATOR_H
#define KILN_COLLECTIVE_COMMUNICATOR_H

#include "runtime/package/plan.h"

namespace kiln::rt {

/// A collective step at the dims of a run. `from` and `to` are this rank's memory, as
/// plan.fbs says (table Collective).
struct CollectiveCall {
  CollectiveKind kind;
  Reduction reduction;
  kiln_dtype dtype;
  int64_t outer, inner; ///< elements
  const void *from;
  void *to;
  uint32_t step; ///< of the plan, for messages
};

class Communicator {
public:
  virtual ~Communicator() = default;
  /// Returns when this rank has its result and no other rank reads its memory any more.
  /// All ranks get the same bits of an all-reduce. Allocates nothing unless it fails.
  /// Errors: KILN-E0710, E0711, E0712; then all ranks of the group fail, here or in the
  /// next collective.
  virtual Status run(const CollectiveCall &call) = 0;
};

/// Which rank of how many a session is. One alone has nobody to meet.
struct RankPlace {
  uint32_t rank = 0;
  uint32_t ranks = 1;
  Communicator *communicator = nullptr; ///< outlives the session
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_COMMUNICATOR_H
