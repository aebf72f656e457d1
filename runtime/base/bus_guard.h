//===- bus_guard.h - Mapped files that become shorter -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading a page of a mapped file that has been truncated raises SIGBUS, which ends the
// process by default. No check before the access can prevent that: the file may shrink
// right after it. A BusGuard's handler maps a page of zeros in place of the missing page
// and records the hit: the access succeeds in any thread, kernels need no error path,
// and the run reports the failure when it has ended.
//
// The signal handler belongs to the process: the first guard installs it, and only
// callers who ask for guards (kiln_model_options.guard_mapping) create one. A SIGBUS
// outside of guarded ranges is passed to the previous handler, or to the default one.
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
  /// Guards [data, data + size) until destruction; the memory must outlive the guard.
  /// Guards nothing if the table of guards is full or the handler cannot be installed.
  BusGuard(void *data, size_t size);
  BusGuard(BusGuard &&other) noexcept : place(std::exchange(other.place, -1)) {}
  BusGuard &operator=(BusGuard &&other) noexcept {
    std::swap(place, other.place);
    return *this;
  }
  ~BusGuard();

  /// Whether an access hit a missing page.
  bool hit() const;

private:
  int place = -1;
};

} // namespace kiln::rt

#endif // KILN_BASE_BUS_GUARD_H
