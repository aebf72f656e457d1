//===- PtxFuzzer.cpp - Any bytes as PTX -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module or errors, never a crash; what was taken prints as PTX that is taken again.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser.h"
#include "runtime/sim/ptx/print.h"

#include <cstdlib>

using namespace kiln::sim::ptx;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ParseResult result = parse({reinterpret_cast<const char *>(data), size});
  if (result.ok() == !result.errors.empty())
    std::abort();
  if (!result.ok())
    return 0;
  // Huge arrays of zeros print as long lists: they are not what is looked for.
  constexpr uint64_t longest = 1 << 12;
  for (const Variable &v : result.module->variables)
    if (v.size > longest)
      return 0;
  if (!parse(print(*result.module)).ok())
    std::abort();
  return 0;
}
