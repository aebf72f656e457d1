//===- bus_guard.h - Mapped files that become shorter -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading a page of a mapped file that somebody has cut off raises SIGBUS, whose default
// is to end the process. No check before the access can exclude that: the file may
// shrink right after it. A guard puts a page of zeros where the page was missing and
// remembers that it did, so that the access succeeds in any thread, kernels need no way
// out, and the run fails when it has ended.
//
// The handler is the process's: it is installed with the first guard, and only for
// callers who ask for it (kiln_model_options.guard_mapping). A SIGBUS elsewhere goes on
// to the handler that was there before, or to the default.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_BUS_GUARD_H
#define KILN_BASE_BUS_GUARD_H

#include <cstddef>
#include <utility>

namespace kiln::rt {

class BusGuard {
public:
  BusGuard() = default;
  /// Guards [data, data + size) until destruction; the memory outlives the guard. Guards
  /// nothing if there are very many already, or if the handler cannot be installed.
  BusGuard(void *data, size_t size);
  BusGuard(BusGuard &&other) noexcept : place(std::exchange(other.place, -1)) {}
  BusGuard &operator=(BusGuard &&other) noexcept {
    std::swap(place, other.place);
    return *this;
  }
  ~BusGuard();

  /// Whether a page was missing.
  bool hit() const;

private:
  int place = -1;
};

} // namespace kiln::rt

#endif // KILN_BASE_BUS_GUARD_H
