//===- observer.cpp - Calling the observer of steps -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/observer.h"
#include <cxxabi.h>
#include <exception>

using namespace kiln::rt;

static Failure threw(size_t step, bool after, const char *found) {
  return {Code::RunCancelled,
          "the observer, " + std::string(after ? "after" : "before") + " step " +
              std::to_string(step),
          "it threw an exception, which ends the run",
          "",
          found,
          "see to that exception; the session can run again"};
}

Status StepObserver::call(size_t step, bool after,
                          std::span<const kiln_buffer_view> reads,
                          std::span<const kiln_buffer_view> writes) const {
  try {
    function(user, step, after, reads.data(), reads.size(), writes.data(), writes.size());
    return {};
  } catch (const abi::__forced_unwind &) { // the thread is being cancelled
    throw;
  } catch (const std::exception &exception) {
    return threw(step, after, exception.what());
  } catch (...) {
    return threw(step, after, "");
  }
}
