//===- ValuesTest.cpp - Values of options and tables ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/Support/Values.h"
#include "ErrorPages.h"
#include "Models.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/ErrorCodes/Machine.h"
#include "kiln/ErrorCodes/Usage.h"
#include "lib/Driver/Support/Report.h"
#include "lib/Driver/Tables/BubbleText.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::test;

namespace {
TEST(ParseBytes, KnowsUnits) {
  auto parsed = [](llvm::StringRef text) {
    return valueOf(parseBytes("--memory-limit", text));
  };
  EXPECT_EQ(parsed("4096"), 4096u);
  EXPECT_EQ(parsed("24GiB"), uint64_t(24) << 30);
  EXPECT_EQ(parsed("512 MiB"), uint64_t(512) << 20);
  EXPECT_EQ(parsed("1.5G"), uint64_t(3) << 29);
  EXPECT_EQ(parsed("2k"), 2048u);
  EXPECT_EQ(parsed("1T"), uint64_t(1) << 40);
  EXPECT_EQ(parsed("3kb"), 3000u);
  EXPECT_EQ(parsed("2 MB"), 2000000u);
  EXPECT_EQ(parsed("1gb"), 1000000000u);
  EXPECT_EQ(parsed("7 b"), 7u);
  EXPECT_EQ(parsed("0"), 0u);
}

TEST(ParseBytes, RefusesWhatIsNoSize) {
  for (const char *text :
       {"", "GiB", "-1", "1.2.3", "5 parsecs", "1e3", "99999999T", "x5"}) {
    Diagnosis problem = problemOf(parseBytes("kiln compile: --memory-limit", text));
    EXPECT_EQ(problem.code, ErrorCode::BadUsage) << text;
    EXPECT_EQ(problem.where, "kiln compile: --memory-limit");
    EXPECT_EQ(problem.found, "'" + std::string(text) + "'");
  }
}

std::vector<DimRange> rangesOf(llvm::StringRef text) {
  std::vector<DimRange> ranges;
  EXPECT_EQ(messageOf(parseRanges("--dims", text, ranges)), "");
  return ranges;
}

TEST(ParseRanges, AreNamesWithTwoEnds) {
  std::vector<DimRange> ranges = rangesOf("batch=1..8, seq = 128 ,h=0..0");
  ASSERT_EQ(ranges.size(), 3u);
  EXPECT_EQ(ranges[0].name, "batch");
  EXPECT_EQ(ranges[0].lo, 1);
  EXPECT_EQ(ranges[0].hi, 8);
  EXPECT_EQ(ranges[1].name, "seq");
  EXPECT_EQ(ranges[1].lo, 128);
  EXPECT_EQ(ranges[1].hi, 128);
  EXPECT_EQ(ranges[2].hi, 0);
}

TEST(ParseRanges, RefusesWhatIsNoRange) {
  for (const char *text : {"", "batch", "batch=", "=1..2", "batch=2..1", "batch=-1..2",
                           "batch=1..", "batch=..2", "batch=a..b", "batch=1..2,",
                           "batch=1...2", "batch=1..99999999999999999999"}) {
    std::vector<DimRange> ranges;
    Diagnosis problem = problemOf(parseRanges("--dims", text, ranges));
    EXPECT_EQ(problem.code, ErrorCode::BadUsage) << text;
    EXPECT_EQ(problem.what, "is not a range of a dim") << text;
  }
}

TEST(ParseRanges, NamesEachDimOnce) {
  std::vector<DimRange> ranges = rangesOf("a=1");
  EXPECT_EQ(problemOf(parseRanges("--dims", "b=2,a=3", ranges)).found, "'a' again")
      << "of an option that is repeated, too";
  ranges.clear();
  EXPECT_EQ(problemOf(parseRanges("--dims", "a=1,a=1", ranges)).what,
            "names a dim twice");
}

TEST(ParseDims, AreOneValueEach) {
  std::map<std::string, int64_t> dims = {{"old", 1}};
  EXPECT_EQ(messageOf(parseDims("--dims", "batch=2,seq=3..3", dims)), "");
  EXPECT_EQ(dims, (std::map<std::string, int64_t>{{"batch", 2}, {"old", 1}, {"seq", 3}}));
  Diagnosis problem = problemOf(parseDims("--dims", "batch=1..2", dims));
  EXPECT_EQ(problem.what, "needs one value per dim");
  EXPECT_EQ(problemOf(parseDims("--dims", "batch", dims)).code, ErrorCode::BadUsage);
}

TEST(ParseList, AreNamesWithoutGaps) {
  std::vector<std::string> names;
  EXPECT_EQ(messageOf(parseList("--target", "native, sm_80", names)), "");
  EXPECT_EQ(messageOf(parseList("--target", "sm_90a", names)), "");
  EXPECT_EQ(names, (std::vector<std::string>{"native", "sm_80", "sm_90a"}));
  for (const char *text : {"", "a,,b", "a,", ",a", " "}) {
    names.clear();
    EXPECT_EQ(problemOf(parseList("--target", text, names)).what, "has an empty entry")
        << text;
  }
  names.clear();
  EXPECT_EQ(problemOf(parseList("--target", "a,b, a", names)).found, "'a' again");
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

std::string printed(const Table &table) {
  std::string text;
  llvm::raw_string_ostream os(text);
  table.print(os);
  return text;
}

TEST(TableTest, ColumnsAreAsWideAsTheirWidestCell) {
  Table table({"name", "size"}, {false, true});
  table.add({"a", "1"});
  table.add({"longer", "12345"});
  EXPECT_EQ(printed(table), "  name     size\n"
                            "  a           1\n"
                            "  longer  12345\n");
}

TEST(TableTest, RowsMayBeShorterOrLonger) {
  Table table({"a", "b"});
  table.add({"1"});
  table.add({"1", "2", "3"});
  table.add({});
  EXPECT_EQ(printed(table), "  a  b\n"
                            "  1\n"
                            "  1  2  3\n"
                            "\n");
}

TEST(TableTest, NamesOfModelsDoNotBreakLines) {
  Table table({"node"});
  table.add({"evil\nname\x1b[31m"});
  std::string text = printed(table);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(BubbleTextTest, SaysHowLongAStageWaits) {
  EXPECT_EQ(bubbleText("a run", 1, 0.5),
            "a run in 1 micro-batch: a stage waits for 50 % of it (the bubble)");
  EXPECT_EQ(bubbleText("prefill", 4, 0.196),
            "prefill in 4 micro-batches: a stage waits for 20 % of it (the bubble)");
}

//===----------------------------------------------------------------------===//
// Pages of errors
//===----------------------------------------------------------------------===//

TEST(ErrorPagesTest, CodesAreWrittenInSeveralWays) {
  for (const char *code : {"KILN-E0001", "E0001", "e1", "1", "kiln-e0604", "0604"})
    EXPECT_TRUE(isErrorCode(code)) << code;
  for (const char *code : {"", "KILN-", "compile", "E", "E00001", "12345", "E-1", "E1x"})
    EXPECT_FALSE(isErrorCode(code)) << code;
}

TEST(ErrorPagesTest, PagesArePrinted) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(printErrorPage("e604"), 0);
  llvm::outs().flush();
  std::string text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("KILN-E0604"), std::string::npos) << text;
}

TEST(ErrorPagesTest, UnknownCodesAreUsageErrors) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(printErrorPage("9999"), 2);
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("no error has this code; expected KILN-E0001 to KILN-E"),
            std::string::npos)
      << text;
}

/// Every code of errors.def must have a page that names it.
TEST(ErrorPagesTest, EveryCodeHasAPage) {
#define KILN_ERROR(number, name, exit, summary)                                          \
  {                                                                                      \
    testing::internal::CaptureStdout();                                                  \
    EXPECT_EQ(printErrorPage(#number), 0) << #name;                                      \
    llvm::outs().flush();                                                                \
    EXPECT_NE(testing::internal::GetCapturedStdout().find("KILN-E" #number),             \
              std::string::npos)                                                         \
        << #name;                                                                        \
  }
#include "kiln/errors.def"
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

std::string reported(llvm::Error error, int &status) {
  testing::internal::CaptureStderr();
  status = report(std::move(error));
  return testing::internal::GetCapturedStderr();
}

TEST(ReportTest, ErrorsArePrintedWithTheirStatus) {
  int status = -1;
  EXPECT_EQ(reported(llvm::Error::success(), status), "");
  EXPECT_EQ(status, 0);
  std::string text =
      reported(usageError("kiln run: --dims", "is wrong", "a", "b", "c"), status);
  EXPECT_EQ(text, "error: KILN-E0001: kiln run: --dims: is wrong; expected a, found b; "
                  "fix: c\n");
  EXPECT_EQ(status, 2);
  reported(makeError({ErrorCode::DiskFull, "f", "full", "", "", ""}), status);
  EXPECT_EQ(status, 4);
}

TEST(ReportTest, DiagnosticsOfMlirLookTheSame) {
  mlir::MLIRContext context;
  DiagnosticReporter quiet(/*remarks=*/false);
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) { quiet.handle(diagnostic); });
  testing::internal::CaptureStderr();
  mlir::Location place = mlir::UnknownLoc::get(&context);
  mlir::emitWarning(place, "not printed");
  (void)emitError(place, {ErrorCode::ShardImpossible, "node 'a'", "cannot be split", "",
                          "", "do not"});
  (void)emitError(place, {ErrorCode::BadUsage, "later", "the second", "", "", ""});
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.find("not printed"), std::string::npos);
  EXPECT_NE(text.find("error: KILN-E0209: node 'a': cannot be split; fix: do not\n"),
            std::string::npos)
      << text;
  // The error that the compile returns repeats the first one.
  int status = quiet.finish(usageError("an", "echo", "", "", ""));
  EXPECT_EQ(status, exitStatus(ErrorCode::ShardImpossible));
}

TEST(ReportTest, RemarksAreForThoseWhoAsk) {
  mlir::MLIRContext context;
  DiagnosticReporter all(/*remarks=*/true);
  mlir::ScopedDiagnosticHandler handler(
      &context, [&](mlir::Diagnostic &diagnostic) { all.handle(diagnostic); });
  testing::internal::CaptureStderr();
  {
    mlir::InFlightDiagnostic remark =
        mlir::emitRemark(mlir::UnknownLoc::get(&context), "fused\nthree");
    remark.attachNote() << std::string(1000, 'n');
  }
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find("remark: "), std::string::npos) << text;
  EXPECT_NE(text.find("  note: nnnn"), std::string::npos);
  EXPECT_NE(text.find("n ...\n"), std::string::npos) << "long notes are cut";
  EXPECT_LT(text.size(), 600u);
  EXPECT_EQ(all.finish(llvm::Error::success()), 0);
}

TEST(ReportTest, ErrorsWithoutADiagnosticAreReported) {
  DiagnosticReporter none(false);
  testing::internal::CaptureStderr();
  EXPECT_EQ(none.finish(usageError("here", "is wrong", "", "", "")), 2);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("here: is wrong"),
            std::string::npos);
}
} // namespace
