//===- commands_test.cpp - check, table, dis and wrong use ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/coverage.h"
#include "runtime/sim/ptx/instructions.h"
#include "test/sim/tool/tool_test.h"

using namespace kiln::sim;
using namespace kiln::sim::tool;
using testing::HasSubstr;
using testing::Not;

namespace {

class Commands : public Folder {};

TEST_F(Commands, HelpNamesEveryCommand) {
  Outcome help = kilnPtx({"--help"});
  EXPECT_EQ(help.code, Success);
  for (const char *command : {"check", "table", "dis", "run"}) {
    EXPECT_THAT(help.out, HasSubstr(std::string("kiln-ptx ") + command));
    EXPECT_EQ(kilnPtx({command, "--help"}).out, help.out);
  }
}

TEST_F(Commands, WrongUseIsSaid) {
  for (const Arguments &wrong :
       std::vector<Arguments>{{},
                              {"frobnicate"},
                              {"check"},
                              {"check", "--fast", "x"},
                              {"check", "--newest", "9", "x"},
                              {"table", "--tests"},
                              {"table", "--uncovered"},
                              {"table", "a", "b"},
                              {"dis"},
                              {"dis", "--device", "none", "x"},
                              {"run"},
                              {"run", "a", "b"},
                              {"run", "a", "--grid"},
                              {"run", "a", "--grid", "0"},
                              {"run", "a", "--shared", "many"},
                              {"run", "a", "--device", "none"}}) {
    Outcome outcome = kilnPtx(wrong);
    EXPECT_EQ(outcome.code, UsageError) << testing::PrintToString(wrong);
    EXPECT_THAT(outcome.err, HasSubstr("kiln-ptx: ")) << testing::PrintToString(wrong);
  }
}

TEST_F(Commands, CheckTakesGoodFilesAndNamesMistakes) {
  Outcome good = kilnPtx({"check", input("scale.ptx")});
  EXPECT_EQ(good.code, Success) << good.err;
  EXPECT_THAT(good.out, HasSubstr("1 kernel, 16 instructions"));
  std::string bad =
      file("bad.ptx", ".version 8.0\n.target sm_80\n.entry k() { oops; }\n");
  Outcome both = kilnPtx({"check", bad, input("scale.ptx")});
  EXPECT_EQ(both.code, BadFile);
  EXPECT_EQ(both.err, bad + ": line 3, column 14: `oops`: unknown instruction\n");
  EXPECT_THAT(both.out, HasSubstr("scale.ptx"));
  EXPECT_EQ(kilnPtx({"check", file("missing.ptx")}).code, BadFile);
  EXPECT_EQ(kilnPtx({"check", "--newest", "7.0", input("scale.ptx")}).code, BadFile);
}

TEST_F(Commands, TableListsRows) {
  Outcome all = kilnPtx({"table"});
  EXPECT_EQ(all.code, Success);
  EXPECT_EQ(size_t(std::count(all.out.begin(), all.out.end(), '\n')), ptx::rows().size());
  EXPECT_THAT(all.out, HasSubstr("refused: tensor memory"));
  Outcome some = kilnPtx({"table", "setmaxnreg"});
  EXPECT_THAT(some.out, HasSubstr("sm_90a"));
  EXPECT_THAT(some.out, Not(HasSubstr("ldmatrix")));
}

TEST_F(Commands, TableShowsWhichTestsReachedARow) {
  std::filesystem::create_directory(path / "coverage");
  std::vector<bool> executed(ptx::rows().size(), false);
  executed[ptx::findRow("popc")->index] = true;
  ASSERT_TRUE(ptx::appendCoverage(file("coverage/first.txt"), executed));
  executed[ptx::findRow("prmt")->index] = true;
  ASSERT_TRUE(ptx::appendCoverage(file("coverage/first.txt"), executed));
  file("coverage/second.txt", "# test other\npopc\n");
  Outcome table = kilnPtx({"table", "--tests", file("coverage"), "p"});
  EXPECT_EQ(table.code, Success) << table.err;
  EXPECT_THAT(table.out,
              testing::ContainsRegex("popc .*executed.*\n    first\n    other\n"));
  EXPECT_THAT(table.out, testing::ContainsRegex("prefetch .*executed.*\n    no test\n"));
  Outcome missing = kilnPtx({"table", "--tests", file("coverage"), "--uncovered", "p"});
  EXPECT_EQ(missing.code, Uncovered);
  EXPECT_THAT(missing.out, Not(HasSubstr("popc")));
  EXPECT_THAT(missing.out, HasSubstr("prefetch.tensormap"));
  Outcome none = kilnPtx({"table", "--tests", file("coverage"), "--uncovered", "popc"});
  EXPECT_EQ(none.code, Success);
  EXPECT_THAT(none.out, HasSubstr("1 of 1"));
}

TEST_F(Commands, CoverageOfUnknownRowsIsAnError) {
  Outcome unknown = kilnPtx({"table", "--tests", file("c.txt", "popc\nflop\n")});
  EXPECT_EQ(unknown.code, BadFile);
  EXPECT_THAT(unknown.err, HasSubstr(":2: the table has no row `flop`"));
  EXPECT_EQ(kilnPtx({"table", "--tests", file("missing")}).code, BadFile);
}

TEST_F(Commands, DisShowsOperations) {
  Outcome dis = kilnPtx({"dis", input("scale.ptx")});
  EXPECT_EQ(dis.code, Success) << dis.err;
  EXPECT_THAT(dis.out, HasSubstr("kernel scale: "));
  EXPECT_THAT(dis.out, HasSubstr("@%p bra done"));
  EXPECT_THAT(dis.out, HasSubstr("mul.rn.f32 %f3, %f2, %f1"));
  EXPECT_EQ(kilnPtx({"dis", input("scale.ptx"), "scale"}).out, dis.out);
  EXPECT_EQ(kilnPtx({"dis", input("scale.ptx"), "other"}).code, BadFile);
}

} // namespace
