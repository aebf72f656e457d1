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

/// The states of a session, which all its programs have in common. They lie where they
/// are for as long as the session lives, and how many rows of them each sequence has is
/// known here without asking the device.
class States {
public:
  /// Gives the dims on which their sizes depend, or how many rows a sequence may have,
  /// one value each where the caller has given none: the least of those that count
  /// sequences, and the most of those that limit a sequence. Errors: KILN-E0608 (a range
  /// was given).
  static Status fixSizes(const Plan &plan, std::span<const kiln_dim_range> given,
                         std::span<kiln_symbol_info> ranges);

  /// plan, layout: of the first program, at any dims of the session; both must outlive
  /// this. stage: of a pipeline, that of this rank; states of another one are empty here.
  /// device: has the memory.
  void open(const Plan &plan, const Layout &layout, uint32_t stage,
            DeviceSession &device);

  Status shape(size_t index, kiln_shape &out) const;
  Status read(size_t index, uint64_t offset, std::span<uint8_t> to);
  Status write(size_t index, uint64_t offset, std::span<const uint8_t> from);
  Status copyRow(size_t from, size_t to);
  Status reset();

  /// Error if inputs are given by name and how many new rows count is not among them, as
  /// where somebody gives pasts to a model whose cache became state.
  static Status checkGiven(const Plan &program, std::span<const kiln_tensor> given);
  /// Whether every sequence has room for the rows that a run of a program adds to it.
  /// inputs: of the run. Errors: KILN-E0613, E0615.
  Status checkCounts(const Plan &program, const Layout &at,
                     std::span<const kiln_tensor *const> inputs) const;
  /// After the run.
  void addCounts(const Plan &program, std::span<const kiln_tensor *const> inputs);
  /// After a run that ended early: sequences have the rows that they had before, though
  /// the run may have written rows behind them and their new lengths.
  void takeBack(const Plan &program, std::span<const kiln_tensor *const> inputs);
  /// Takes counts back after a run that came to its end, of a rank whose group failed.
  void takeBackCounts(const Plan &program, std::span<const kiln_tensor *const> inputs);

private:
  struct Place {
    std::vector<int64_t> dims;
    uint64_t offset, bytes; ///< in the state arena
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
  std::vector<int64_t> lengths; ///< rows that each sequence has
  std::vector<int64_t> highest; ///< rows that may have been written since it had none
  int64_t capacity = 0;
};

} // namespace kiln::rt

#endif // KILN_SESSION_STATES_H
