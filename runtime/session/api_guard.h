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
#include <stdexcept>

namespace kiln::rt {

template <typename Call> kiln_status *guarded(Call call) {
  try {
    return call().release();
  } catch (const std::bad_alloc &) {
    return Status::outOfMemory();
  } catch (const std::length_error &) { // a size beyond any memory
    return Status::outOfMemory();
  }
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
