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
#include "runtime/collective/communicator.h"
#include <memory>

namespace kiln::rt {

/// Stamps each collective of a rank into a file that is mapped: what has been written
/// stays, however the process ends.
class StampedCommunicator final : public Communicator {
public:
  /// Into rank-R.stamps of the folder. Errors: KILN-E0001 (it cannot be written).
  static Status open(const std::string &folder, const RankPlace &place,
                     std::unique_ptr<StampedCommunicator> &out);
  Status run(const CollectiveCall &call) override;
  void noteStep() override { inner.noteStep(); }
  void noteEnqueued(const CollectiveCall &call) override;
  void noteDone() override;
  Status health(uint32_t step) override { return inner.health(step); }
  std::chrono::milliseconds patience() const override { return inner.patience(); }

private:
  StampedCommunicator(Communicator &inner, Mapping memory)
      : inner(inner), memory(std::move(memory)) {}

  Stamp &begin(const CollectiveCall &call);
  Stamp &at(uint64_t collective);

  Communicator &inner;
  Mapping memory;
  uint64_t number = 0;   ///< of the last collective
  uint64_t oldest = 0;   ///< of those that a GPU carries out
  uint32_t underWay = 0; ///< these
};

} // namespace kiln::rt

#endif // KILN_COLLECTIVE_STAMPS_H
