//===- observe_capi.cpp - The C interface of kiln/observe.h ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/log.h"
#include "runtime/code/named_code.h"
#include "runtime/session/api_guard.h"

using namespace kiln::rt;

extern "C" {

void kiln_set_log(kiln_log_callback callback, void *user) { setLog(callback, user); }

kiln_status *kiln_publish_symbols(const char *to) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_publish_symbols", to));
    return publishSymbols(to);
  });
}

} // extern "C"
