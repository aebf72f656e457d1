//===- decode_test.cpp - Every executed instruction form decodes ----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/exec/launch.h"
#include "runtime/sim/memory/memory.h"
#include "runtime/sim/profile/profile.h"
#include "runtime/sim/ptx/parser.h"
#include "test/sim/ptx/spell.h"

#include <gtest/gtest.h>

using namespace kiln::sim;

namespace {

const DeviceProfile &deviceFor(const std::string &target) {
  return *findProfile(target.starts_with("sm_120")   ? "rtx5090"
                      : target.starts_with("sm_100") ? "b200"
                                                     : "h200");
}

TEST(Decode, EverySpellingOfAnExecutedRow) {
  size_t count = 0;
  for (const ptx::Row &row : ptx::rows()) {
    if (!row.executable())
      continue;
    std::string target = ptx::targetOf(row);
    for (const std::string &text : ptx::spellings(row)) {
      std::string module = ptx::moduleAround(text, 90, target);
      if (!ptx::parse(module).ok())
        continue;
      AddressSpace memory;
      std::shared_ptr<Code> code;
      Outcome outcome = loadCode(module, 0, deviceFor(target), memory, code);
      EXPECT_TRUE(outcome.ok()) << row.id << ": " << text << ": " << outcome.message;
      ++count;
    }
  }
  EXPECT_GT(count, ptx::rows().size());
}

} // namespace
