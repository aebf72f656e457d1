//===- api_guard.cpp - What functions of the C interface share ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/session/api_guard.h"
#include <algorithm>
#include <cstring>

using namespace kiln::rt;

Failure kiln::rt::misuse(const char *function, const char *what) {
  return {Code::BadUsage, function, what, "", "", "see kiln/runtime.h"};
}

Status kiln::rt::present(const char *function, const void *array, size_t count) {
  if (array || !count)
    return {};
  return misuse(function, "an array is NULL, but its count is not 0");
}

Status kiln::rt::readKnown(const void *given, void *options, size_t known,
                           const char *function) {
  if (!given)
    return {};
  auto *bytes = static_cast<const unsigned char *>(given);
  size_t size;
  std::memcpy(&size, given, sizeof size);
  if (size < sizeof size || size > 4096)
    return misuse(function, "struct_size of the options is not set");
  std::memcpy(options, given, std::min(size, known));
  for (size_t at = known; at < size; ++at)
    if (bytes[at])
      return Failure{Code::BadUsage,
                     function,
                     "an option is set that this library does not know",
                     std::to_string(known) + " bytes of options, as of version " +
                         std::to_string(KILN_RUNTIME_API_VERSION) + " of the interface",
                     "byte " + std::to_string(at) + " set",
                     "use a library as new as the header, or leave the option out"};
  return {};
}
