//===- api_guard.h - What functions of the C interface share ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the standard library throws in the runtime, when the heap is exhausted; these
// functions turn that into KILN-E0700.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SESSION_API_GUARD_H
#define KILN_SESSION_API_GUARD_H

#include "runtime/base/status.h"
#include <new>
#include <pthread.h>
#include <stdexcept>

namespace kiln::rt {

/// Disables cancellation of the thread (pthread_cancel) during its lifetime: a cancelled
/// thread could be in a destructor, which would end the process, or hold a lock.
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

/// Returns the error for a call that violates the header's rules for its arguments.
Failure misuse(const char *function, const char *what);

/// Checks that handles and out parameters are not NULL.
template <typename... Pointers>
Status notNull(const char *function, Pointers *...pointers) {
  if ((pointers && ...))
    return {};
  return misuse(function, "an argument is NULL");
}

/// Checks that an array of the caller is not NULL, unless it is empty.
Status present(const char *function, const void *array, size_t count);

/// Copies the fields of an options struct that the caller's header has; the others keep
/// their defaults. given: begins with its struct_size, may be null. known: bytes of the
/// library's struct. Errors: KILN-E0001 for a field that is set but unknown to the
/// library.
Status readKnown(const void *given, void *options, size_t known, const char *function);
template <typename Options>
Status readOptions(const Options *given, Options &options, const char *function) {
  return readKnown(given, &options, sizeof options, function);
}

} // namespace kiln::rt

#endif // KILN_SESSION_API_GUARD_H
