//===- entry.h - Code that every exported function runs around its implementation ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
#ifndef KILN_SIM_DRIVER_ENTRY_H
#define KILN_SIM_DRIVER_ENTRY_H

#include "runtime/sim/driver/trace.h"

namespace kiln::sim::driver {

enum class CallKind { Plain, Release, Early, Silent };

struct CallSite {
  const char *symbol;
  const char *arguments; ///< "(a, b)"
  CallKind kind;
  bool perThread;
};

using CallBody = void (*)(void *);
/// Runs `body(data)` as the entry of `site`.
CUresult enter(const CallSite &site, CallBody body, void *data);

template <class F, class... A>
CUresult entry(const CallSite &site, F body, const A &...arguments) {
  CUresult result = enter(site, [](void *data) { (*static_cast<F *>(data))(); }, &body);
  if (tracing() && site.kind != CallKind::Silent) {
    TraceLine line(site.symbol, site.arguments);
    (line.argument(arguments), ...);
    line.result(result);
    if constexpr (sizeof...(A) > 0)
      if (result == CUDA_SUCCESS)
        line.outcome(std::get<0>(std::tie(arguments...)));
  }
  return result;
}

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_ENTRY_H
