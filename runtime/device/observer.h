//===- observer.h - Calling the observer of steps ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_OBSERVER_H
#define KILN_DEVICE_OBSERVER_H

#include "runtime/base/status.h"
#include <span>

namespace kiln::rt {

/// The caller's step observer and its user argument.
struct StepObserver {
  kiln_step_observer function = nullptr;
  void *user = nullptr;

  explicit operator bool() const { return function; }
  /// Calls the observer for a step. Errors: KILN-E0713 if it throws, which ends the run.
  Status call(size_t step, bool after, std::span<const kiln_buffer_view> reads,
              std::span<const kiln_buffer_view> writes) const;
};

} // namespace kiln::rt

#endif // KILN_DEVICE_OBSERVER_H
