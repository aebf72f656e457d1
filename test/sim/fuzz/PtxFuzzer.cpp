//===- PtxFuzzer.cpp - Any bytes as PTX -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing gives a module or errors, never a crash. Accepted text prints as PTX that is
// accepted again, and loads into the interpreter or is refused with a message.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/exec/launch.h"
#include "runtime/sim/memory/memory.h"
#include "runtime/sim/profile/profile.h"
#include "runtime/sim/ptx/parser.h"
#include "runtime/sim/ptx/print.h"

#include <cstdlib>

using namespace kiln::sim;
using namespace kiln::sim::ptx;

static void load(std::string_view text) {
  for (const char *device : {"h200", "b200", "rtx5090"}) {
    AddressSpace memory;
    std::shared_ptr<Code> code;
    Outcome outcome = loadCode(text, 0, *findProfile(device), memory, code);
    if (outcome.ok() != bool(code) || outcome.ok() != outcome.message.empty())
      std::abort();
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view text(reinterpret_cast<const char *>(data), size);
  ParseResult result = parse(text);
  if (result.ok() == !result.errors.empty())
    std::abort();
  if (!result.ok())
    return 0;
  // Huge arrays of zeros print as long lists and would only waste time.
  constexpr uint64_t longest = 1 << 12;
  for (const Variable &v : result.module->variables)
    if (v.size > longest)
      return 0;
  if (!parse(print(*result.module)).ok())
    std::abort();
  load(text);
  return 0;
}
