//===- api_guard.h - What functions of the C interface share ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing in the runtime throws but the standard library when the heap is
// exhausted; that becomes KILN-E0700 here.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SESSION_API_GUARD_H
#define KILN_SESSION_API_GUARD_H

#include "runtime/base/status.h"
#include <new>
#include <pthread.h>
#include <stdexcept>

namespace kiln::rt {

/// While one lives, its thread is not cancelled (pthread_cancel): it could be within a
/// destructor, which would end the process, or hold a lock.
class CancellationHeld {
public:
  CancellationHeld() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before); }
  ~CancellationHeld() { pthread_setcancelstate(before, nullptr); }
  CancellationHeld(const CancellationHeld &) = delete;
  CancellationHeld &operator=(const CancellationHeld &) = delete;

private:
  int before;
};

kiln_status *guardedCall(Status (*call)(void *context), void *context);
template <typename Call> kiln_status *guarded(Call call) {
  return guardedCall([](void *own) { return (*static_cast<Call *>(own))(); }, &call);
}

/// Describes a wrong call, whose arguments the header explains.
Failure misuse(const char *function, const char *what);

/// Handles and places for results that must be there.
template <typename... Pointers>
Status notNull(const char *function, Pointers *...pointers) {
  if ((pointers && ...))
    return {};
  return misuse(function, "an argument is NULL");
}

/// An array of the caller that must be there.
Status present(const char *function, const void *array, size_t count);

/// Copies what the caller's header knows of a struct of `known` bytes; the rest keeps its
/// default. given: begins with its struct_size, may be null. Errors: KILN-E0001 for a
/// field that is set and that the library does not know.
Status readKnown(const void *given, void *options, size_t known, const char *function);
template <typename Options>
Status readOptions(const Options *given, Options &options, const char *function) {
  return readKnown(given, &options, sizeof options, function);
}

} // namespace kiln::rt

#endif // KILN_SESSION_API_GUARD_H
