//===- collective_call.h - A collective that a rank calls -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_COLLECTIVE_COLLECTIVE_CALL_H
#define KILN_COLLECTIVE_COLLECTIVE_CALL_H

#include "runtime/package/plan.h"

namespace kiln::rt {

/// Kernels of a package that implement collectives on a GPU. Only the backend that
/// launches them knows the definition.
class CollectiveKernels;

/// Step numbers of collectives outside of runs, and of the collective in which ranks
/// compare the run that they are about to begin.
inline constexpr uint32_t noStep = UINT32_MAX, runStep = noStep - 1;

/// A collective step with the dims of a run. `from` and `to` are this rank's memory, laid
/// out as in plan.fbs (table Collective).
struct CollectiveCall {
  CollectiveKind kind;
  Reduction reduction;
  kiln_dtype dtype;
  int64_t outer, inner; ///< elements
  const void *from;
  void *to;
  uint32_t step; ///< step of the plan, for error messages
  /// Participating ranks, those of a pipeline stage: first to first + count - 1; count 0:
  /// all ranks. In a broadcast and a permute these are the senders. All ranks of the
  /// group make the call, including those that do not participate.
  uint32_t first = 0, count = 0;
  /// Subgroups along one axis of a mesh: each has `members` ranks, which are `stride`
  /// apart; members 0: one subgroup of all ranks. Unused in a broadcast and a permute.
  uint32_t members = 0, stride = 1;
  uint32_t destinations = 0;            ///< Permute: the first of `count` receivers
  CollectiveKernels *kernels = nullptr; ///< null: the package has none

  /// Returns the call with its defaults (count 0, members 0) resolved for a group of
  /// `ranks` ranks.
  CollectiveCall resolved(uint32_t ranks) const {
    CollectiveCall call = *this;
    call.count = count ? count : ranks;
    call.members = members ? members : call.count;
    return call;
  }
  // The functions below expect a resolved call.
  bool inGroup(uint32_t rank) const { return rank >= first && rank < first + count; }
  /// Index of a rank in its subgroup, and the rank that has an index in this subgroup.
  uint32_t indexOf(uint32_t rank) const { return (rank - first) / stride % members; }
  uint32_t member(uint32_t rank, uint32_t number) const {
    return rank - indexOf(rank) * stride + number * stride;
  }
  bool sharesGroup(uint32_t rank, uint32_t other) const {
    return inGroup(rank) && inGroup(other) && member(rank, indexOf(other)) == other;
  }
  /// Whether a rank receives a result.
  bool receives(uint32_t rank) const {
    if (kind == CollectiveKind::Permute)
      return rank >= destinations && rank < destinations + count;
    return inGroup(rank) != (kind == CollectiveKind::Broadcast);
  }
  /// Rank whose data `rank` receives in a broadcast or a permute.
  uint32_t source(uint32_t rank) const { return first + rank % count; }
  uint64_t bytes() const {
    return static_cast<uint64_t>(outer * inner) * kiln_dtype_size(dtype);
  }
  bool reduces() const {
    return kind == CollectiveKind::AllReduce || kind == CollectiveKind::ReduceScatter;
  }
  /// Whether the call is a step of a plan.
  bool isStep() const { return step < runStep; }
  /// Whether calls of two ranks can form one collective.
  bool matches(const CollectiveCall &other) const;
};

/// Returns the call of a collective step of a plan, without dims and memory.
inline CollectiveCall collectiveOf(const Plan &plan, uint32_t step) {
  const Step &of = plan.steps[step];
  const Collective &c = *of.collective;
  uint32_t count = plan.ranksPerStage();
  uint32_t first = of.stage < 0 ? 0 : static_cast<uint32_t>(of.stage) * count;
  uint32_t destinations = c.takers < 0 ? 0 : static_cast<uint32_t>(c.takers) * count;
  return {c.kind,      c.reduction,   c.dtype,     0,     0,
          nullptr,     nullptr,       step,        first, count,
          c.axis.size, c.axis.stride, destinations};
}

// Texts for error messages.
std::string rankText(uint32_t rank);
/// Returns "all_reduce of 4 x 128 f32 at step 5".
std::string callText(const CollectiveCall &call);
/// Returns "rank 1, step 3".
std::string placeText(uint32_t rank, uint32_t step);

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_COLLECTIVE_CALL_H
