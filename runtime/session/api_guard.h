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
#include <algorithm>
#include <cstring>
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

inline Failure misuse(const char *function, const char *what) {
  return {Code::BadUsage, function, what, "", "", "see kiln/runtime.h"};
}

/// Handles and places for results that must be there.
template <typename... Pointers>
Status notNull(const char *function, Pointers *...pointers) {
  if ((pointers && ...))
    return {};
  return misuse(function, "an argument is NULL");
}

/// An array of the caller that must be there.
inline Status present(const char *function, const void *array, size_t count) {
  if (array || !count)
    return {};
  return misuse(function, "an array is NULL, but its count is not 0");
}

/// Copies what the caller's header knows of a struct; the rest keeps its
/// default.
template <typename Options>
Status readOptions(const Options *given, Options &options, const char *function) {
  if (!given)
    return {};
  if (given->struct_size < sizeof(size_t) || given->struct_size > 4096)
    return misuse(function, "struct_size of the options is not set");
  std::memcpy(&options, given, std::min(given->struct_size, sizeof options));
  auto *bytes = reinterpret_cast<const unsigned char *>(given);
  for (size_t at = sizeof options; at < given->struct_size; ++at)
    if (bytes[at])
      return Failure{Code::BadUsage,
                     function,
                     "an option is set that this library does not know",
                     std::to_string(sizeof options) +
                         " bytes of options, as of version " +
                         std::to_string(KILN_RUNTIME_API_VERSION) + " of the interface",
                     "byte " + std::to_string(at) + " set",
                     "use a library as new as the header, or leave the option out"};
  return {};
}

} // namespace kiln::rt

#endif // KILN_SESSION_API_GUARD_H
