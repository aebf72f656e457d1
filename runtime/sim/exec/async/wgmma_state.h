//===- wgmma_state.h - A warp's wgmma operations in flight ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_ASYNC_WGMMA_STATE_H
#define KILN_SIM_EXEC_ASYNC_WGMMA_STATE_H

#include "runtime/sim/arith/tensor.h"
#include "runtime/sim/exec/async_queue.h"
#include "runtime/sim/exec/micro_op.h"

#include <deque>
#include <span>

namespace kiln::sim::exec::async {

/// One wgmma.mma_async. OpInfo::operands has the registers of D, then of A if it is in
/// registers.
struct WgmmaPlan {
  unsigned n, k, elementBytes;
  unsigned countD, countA; ///< registers of D and A; countA 0: A is in shared memory
  const arith::Format *formatA, *formatB;
  bool f16D, satfinite, signedA, signedB;
  bool mnMajorA, mnMajorB, negate;
  arith::DotRule rule;
  std::span<const uint32_t> d(const OpInfo &info) const {
    return {info.operands.data(), countD};
  }
  std::span<const uint32_t> a(const OpInfo &info) const {
    return {info.operands.data() + countD, countA};
  }
};

/// A set of registers of a frame, by offset.
class LineSet {
public:
  void insert(uint32_t line) {
    size_t index = line / Unit;
    if (index / 64 >= words.size())
      words.resize(index / 64 + 1);
    words[index / 64] |= uint64_t(1) << index % 64;
  }
  void erase(uint32_t line) {
    if (contains(line))
      words[line / Unit / 64] &= ~(uint64_t(1) << line / Unit % 64);
  }
  bool contains(uint32_t line) const {
    size_t index = line / Unit;
    return index / 64 < words.size() && (words[index / 64] >> index % 64 & 1);
  }
  void clear() { words.clear(); }

private:
  static constexpr uint32_t Unit = 128; ///< bytes of a b32 line
  std::vector<uint64_t> words;
};

/// A wgmma that was issued and not yet waited for.
struct Flight {
  std::shared_ptr<AsyncOp> op;
  const MicroOp *mma = nullptr;
  uint64_t number = 0; ///< index among the warp's wgmma operations
};

struct WgmmaState {
  bool fenced = false;                ///< wgmma.fence was executed at least once
  const uint8_t *registers = nullptr; ///< register file of the frame that the sets refer
                                      ///< to
  LineSet accumulators, inputs;       ///< registers of the operations in flight
  LineSet written; ///< registers that other instructions wrote since the last wgmma.fence
  std::vector<Flight> open;
  std::deque<std::vector<Flight>> groups;
  std::shared_ptr<AsyncOp> last; ///< a warp's wgmma operations are performed in order
  uint64_t issued = 0, performed = 0;

  void takeOff(const Flight &flight);
  /// Removes finished groups, except the `newest` newest, and their registers.
  void land(size_t newest);
  /// `performedByAll`: number of operations that every warp of the warpgroup has
  /// performed.
  bool finished(size_t newest, uint64_t performedByAll) const;
  bool anyInFlight() const { return newest() != nullptr; }
  /// Returns the last wgmma that was not waited for; null if there is none.
  const MicroOp *newest() const {
    if (!open.empty())
      return open.back().mma;
    for (auto group = groups.rbegin(); group != groups.rend(); ++group)
      if (!group->empty())
        return group->back().mma;
    return nullptr;
  }
};

} // namespace kiln::sim::exec::async

#endif // KILN_SIM_EXEC_ASYNC_WGMMA_STATE_H
