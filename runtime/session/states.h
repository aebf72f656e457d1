//===- states.h - What outlives a run ---------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SESSION_STATES_H
#define KILN_SESSION_STATES_H

#include "runtime/device/device.h"

namespace kiln::rt {

/// The states of a session, which all its programs have in common. Their addresses are
/// fixed as long as the session lives, and the lengths of sequences are known here
/// without asking the device.
class States {
public:
  /// Fixes the dims on which the sizes of states or the limits of their sequences depend.
  /// If the caller has given no value: the minimum of dims that count sequences, and the
  /// maximum of those that limit a sequence. Errors: KILN-E0608 (a range was given).
  static Status fixSizes(const Plan &plan, std::span<const kiln_dim_range> given,
                         std::span<kiln_symbol_info> ranges);

  /// plan, layout: of the first program, at any dims of the session; both must outlive
  /// this object. stage: this rank's pipeline stage; states of other stages are empty
  /// here. device: allocates the memory.
  void open(const Plan &plan, const Layout &layout, uint32_t stage,
            DeviceSession &device);

  Status shape(size_t index, kiln_shape &out) const;
  Status read(size_t index, uint64_t offset, std::span<uint8_t> to);
  Status write(size_t index, uint64_t offset, std::span<const uint8_t> from);
  Status copyRow(size_t from, size_t to);
  Status reset();

  /// Returns an error if inputs are given by name and the counts of new rows are missing,
  /// such as when the caller still passes past keys and values to a model whose cache has
  /// become state.
  static Status checkGiven(const Plan &program, std::span<const kiln_tensor> given);
  /// Checks that every sequence has room for the rows that a run of a program adds to it.
  /// inputs: of the run. Errors: KILN-E0613, E0615.
  Status checkCounts(const Plan &program, const Layout &at,
                     std::span<const kiln_tensor *const> inputs) const;
  /// Adds the new rows of a run, after it.
  void addCounts(const Plan &program, std::span<const kiln_tensor *const> inputs);
  /// Restores the lengths of sequences after a run that ended early and may have written
  /// new rows and lengths.
  void takeBack(const Plan &program, std::span<const kiln_tensor *const> inputs);
  /// Undoes addCounts after a run that succeeded on this rank but failed on another one.
  void takeBackCounts(const Plan &program, std::span<const kiln_tensor *const> inputs);

private:
  struct Place {
    std::vector<int64_t> dims;
    uint64_t offset, bytes; ///< range in the state arena
  };
  Status checkRange(const char *function, size_t index, uint64_t offset,
                    uint64_t bytes) const;
  Status checkRing(size_t row, int64_t given) const;
  void noteLength(size_t row, int64_t given);
  Status takeLengths(uint64_t offset, std::span<const uint8_t> from);
  std::string nameOf(size_t index) const {
    return "state \"" + plan->states[index].name + "\"";
  }

  const Plan *plan = nullptr;
  DeviceSession *device = nullptr;
  std::vector<Place> places;
  std::vector<int64_t> lengths; ///< rows of each sequence
  std::vector<int64_t> highest; ///< max rows since its length was last 0
  int64_t capacity = 0;
};

} // namespace kiln::rt

#endif // KILN_SESSION_STATES_H
