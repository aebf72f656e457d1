//===- checks_test.cpp - KILN_SIM_CHECK ------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using kiln::sim::exec::Checks;

namespace {
std::string parsed(std::string_view text) {
  Checks checks;
  std::string error;
  return Checks::parse(text, checks, error) ? checks.text() : "error: " + error;
}

TEST(Checks, DefaultIsAll) {
  EXPECT_EQ(parsed(""), "all");
  EXPECT_EQ(parsed("default"), "all");
  EXPECT_EQ(parsed("all"), "all");
}

TEST(Checks, SameValueIsForWhoeverAsks) {
  EXPECT_EQ(parsed("samevalue"), "samevalue");
  EXPECT_EQ(parsed("race,samevalue"), "race,samevalue");
  EXPECT_EQ(parsed("+samevalue"), "init,race,proxy,barrier,mbarrier,collective,wgmma,"
                                  "pending,noncoherent,copy,samevalue");
  EXPECT_EQ(parsed("+samevalue,-samevalue"), "all");
}

TEST(Checks, AListIsNoMoreThanItNames) {
  EXPECT_EQ(parsed("none"), "none");
  EXPECT_EQ(parsed("race"), "race");
  EXPECT_EQ(parsed("noncoherent,init"), "init,noncoherent");
}

TEST(Checks, SignsChangeWhatIsThere) {
  EXPECT_EQ(parsed("-race"), "init,proxy,barrier,mbarrier,collective,wgmma,pending,"
                             "noncoherent,copy");
  EXPECT_EQ(parsed("none,+race"), "race");
  EXPECT_EQ(parsed("race,init,-race"), "init");
  EXPECT_EQ(parsed("-all,+copy"), "copy");
  EXPECT_EQ(parsed("+race"), "all");
}

TEST(Checks, RefusesOtherWords) {
  for (const char *text : {"races", "race,", ",", "-none", "+default", "race,,init"})
    EXPECT_THAT(parsed(text), testing::HasSubstr("is no detector; there are init, race"))
        << text;
}

TEST(Checks, KeepsWhatWasBeforeAnError) {
  Checks checks;
  checks.races = false;
  std::string error;
  EXPECT_FALSE(Checks::parse("init,nonsense", checks, error));
  EXPECT_FALSE(checks.races);
  EXPECT_TRUE(checks.copies);
}
} // namespace
