//===- stored.h - Values that a store writes --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_STORED_H
#define KILN_SIM_CHECK_STORED_H

#include "runtime/sim/check/location.h"
#include "runtime/sim/exec/observer.h"

namespace kiln::sim::check {

/// Values of a weak `st` or `stmatrix` by the lanes of a warp, which have not reached
/// memory yet; values of other writes are unknown. It is created for every write and
/// computes nothing until it is queried.
class WarpStores final : public StoredValues {
public:
  explicit WarpStores(const exec::WarpAccess &access) : access(&access) {}
  explicit WarpStores(const exec::WindowAccess &access) : window(&access) {}

  bool agree(const void *tag, uint64_t offset, unsigned count, Mask lanes) override;
  bool match(const void *tag, uint64_t offset, unsigned count, Mask lanes) override;

private:
  static constexpr uint32_t MaxBytes = 32; ///< per lane: .v8.b32
  /// Returns false if the access is no such store.
  bool lookUp();
  /// Returns the byte that the lane stores at address `at`; null if it does not write
  /// there.
  const uint8_t *valueAt(unsigned lane, const uint8_t *at) const;

  void copyValues(const exec::Origin &origin, const uint8_t *given);

  const exec::WarpAccess *access = nullptr;
  const exec::WindowAccess *window = nullptr;
  bool known = false, isStore = false;
  uint32_t bytes;
  Mask lanes; ///< that execute the store
  std::array<const uint8_t *, Lanes> targets;
  std::array<std::array<uint8_t, MaxBytes>, Lanes> values;
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_STORED_H
