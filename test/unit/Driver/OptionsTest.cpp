//===- OptionsTest.cpp - Command lines ------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/Support/Options.h"
#include "Command.h"
#include "Models.h"
#include "kiln/ErrorCodes/Inputs.h"
#include "kiln/ErrorCodes/Machine.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Console.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::test;

namespace {
using Words = std::vector<const char *>;

/// Defines a table with an option of each kind.
class OptionsTest : public testing::Test {
protected:
  OptionsTest() : table("bake", "M.bread [options]", "bake a bread") {
    table.positional("M.bread", "the bread", bread);
    table.flag("fast,f", "bake it fast", isFast);
    table.text("output,o", "FILE", "where to put it", output);
    table.number("threads,t", "N", "ovens", 1, 64, threads);
    table.real("salt", "GRAM", "how much", salt, "1.5");
    table.value(
        "dims", "NAME=VALUE", "sizes",
        [this](llvm::StringRef text) {
          dims.push_back(text.str());
          return llvm::Error::success();
        },
        /*repeat=*/true);
    table.optionalValue("color", "WHEN", "colours", [this](llvm::StringRef text) {
      color = text.str();
      return llvm::Error::success();
    });
  }
  ~OptionsTest() override { setQuiet(false); }

  llvm::Expected<OptionTable::Outcome> parse(Words words) { return table.parse(words); }
  void accept(Words words) {
    EXPECT_EQ(valueOf(parse(std::move(words))), OptionTable::Outcome::Proceed);
  }
  Diagnosis refused(Words words) {
    Diagnosis problem = problemOf(parse(std::move(words)));
    EXPECT_EQ(problem.code, ErrorCode::BadUsage);
    EXPECT_FALSE(problem.fix.empty());
    return problem;
  }

  OptionTable table;
  std::string bread, output, color = "none";
  uint64_t threads = 7;
  std::optional<double> salt;
  bool isFast = false;
  std::vector<std::string> dims;
};

TEST_F(OptionsTest, WhatIsNotGivenStaysAsItWas) {
  accept({"rye"});
  EXPECT_EQ(bread, "rye");
  EXPECT_FALSE(isFast);
  EXPECT_EQ(output, "");
  EXPECT_EQ(threads, 7u);
  EXPECT_FALSE(salt);
  EXPECT_TRUE(dims.empty());
  EXPECT_EQ(color, "none");
  EXPECT_FALSE(isQuiet());
}

TEST_F(OptionsTest, ValuesFollowOrAreAttached) {
  accept({"--output", "a", "rye", "--threads=3", "--salt=2.5"});
  EXPECT_EQ(output, "a");
  EXPECT_EQ(threads, 3u);
  EXPECT_EQ(salt, 2.5);
}

TEST_F(OptionsTest, ShortNamesAreTheSameOptions) {
  accept({"-f", "-o", "a", "-t=64", "rye"});
  EXPECT_TRUE(isFast);
  EXPECT_EQ(output, "a");
  EXPECT_EQ(threads, 64u);
}

TEST_F(OptionsTest, ValuesMayHoldAnything) {
  accept({"--output=a=b", "--dims", "--fast", "--dims", "", "rye"});
  EXPECT_EQ(output, "a=b");
  EXPECT_FALSE(isFast);
  EXPECT_EQ(dims, (std::vector<std::string>{"--fast", ""}));
}

TEST_F(OptionsTest, OptionalValuesAreAttached) {
  accept({"--color", "rye"});
  EXPECT_EQ(color, "");
  EXPECT_EQ(bread, "rye");
}

TEST_F(OptionsTest, OptionalValuesMayBeGiven) {
  accept({"--color=never", "rye"});
  EXPECT_EQ(color, "never");
}

TEST_F(OptionsTest, TwoDashesEndOptions) {
  accept({"-f", "--", "--output"});
  EXPECT_TRUE(isFast);
  EXPECT_EQ(bread, "--output");
}

TEST_F(OptionsTest, OneDashIsAnArgument) {
  accept({"-"});
  EXPECT_EQ(bread, "-");
}

TEST_F(OptionsTest, QuietIsOfEveryCommand) {
  accept({"rye", "-q"});
  EXPECT_TRUE(isQuiet());
}

TEST_F(OptionsTest, QuietLastsForOneCommand) {
  setQuiet(true);
  accept({"rye"});
  EXPECT_FALSE(isQuiet());
}

TEST_F(OptionsTest, OptionsAreGivenOnce) {
  Diagnosis problem = refused({"--output", "a", "-o", "b", "rye"});
  EXPECT_EQ(problem.where, "kiln bake: --output");
  EXPECT_EQ(problem.what, "is given twice");
  EXPECT_EQ(refused({"-f", "--fast", "rye"}).what, "is given twice");
}

TEST_F(OptionsTest, SomeOptionsRepeat) {
  accept({"--dims", "a=1", "rye", "--dims=b=2"});
  EXPECT_EQ(dims, (std::vector<std::string>{"a=1", "b=2"}));
}

TEST_F(OptionsTest, ValuesMustBeThere) {
  Diagnosis problem = refused({"rye", "--output"});
  EXPECT_EQ(problem.what, "needs a value");
  EXPECT_EQ(problem.expected, "FILE");
  EXPECT_EQ(problem.found, "the end of the line");
}

TEST_F(OptionsTest, FlagsTakeNoValue) {
  Diagnosis problem = refused({"--fast=yes", "rye"});
  EXPECT_EQ(problem.where, "kiln bake: --fast");
  EXPECT_EQ(problem.found, "'=yes'");
}

TEST_F(OptionsTest, NumbersLieInTheirRange) {
  for (const char *text :
       {"0", "65", "-1", "x", "", "1.5", "99999999999999999999", "0x3"}) {
    Diagnosis problem = refused({"--threads", text, "rye"});
    EXPECT_EQ(problem.where, "kiln bake: --threads") << text;
    EXPECT_EQ(problem.expected, "a whole number from 1 to 64");
    EXPECT_EQ(problem.found, "'" + std::string(text) + "'");
    table = OptionTable("bake", "M.bread", "");
    table.positional("M.bread", "the bread", bread);
    table.number("threads,t", "N", "ovens", 1, 64, threads);
    EXPECT_EQ(threads, 7u);
  }
}

TEST_F(OptionsTest, RealNumbersAreNotNegative) {
  for (const char *text : {"-0.5", "nan", "x", ""}) {
    OptionTable own("bake", "M.bread", "");
    own.real("salt", "GRAM", "how much", salt, "1.5");
    Words words = {"--salt", text};
    Diagnosis problem = problemOf(own.parse(words));
    EXPECT_EQ(problem.expected, "a number of at least 0") << text;
    EXPECT_EQ(problem.fix, "write for example 1.5");
    EXPECT_FALSE(salt);
  }
  accept({"--salt", "1e-3", "rye"});
  EXPECT_EQ(salt, 1e-3);
}

TEST_F(OptionsTest, UnknownOptionsAreCompared) {
  EXPECT_EQ(refused({"--outptu", "a", "rye"}).fix,
            "did you mean --output? kiln bake --help lists the options");
  EXPECT_EQ(refused({"--thr=3", "rye"}).fix,
            "did you mean --threads? kiln bake --help lists the options");
  Diagnosis problem = refused({"--completely-different", "rye"});
  EXPECT_EQ(problem.what, "unknown option");
  EXPECT_EQ(problem.found, "'--completely-different'");
  EXPECT_EQ(problem.fix, "kiln bake --help lists the options");
  EXPECT_EQ(refused({"-x", "rye"}).what, "unknown option");
  EXPECT_EQ(refused({"-output", "a", "rye"}).what, "unknown option")
      << "one dash is for short names";
}

TEST_F(OptionsTest, ThereIsOneArgument) {
  EXPECT_EQ(refused({}).what, "an argument is missing");
  Diagnosis problem = refused({"rye", "wheat"});
  EXPECT_EQ(problem.what, "too many arguments");
  EXPECT_EQ(problem.found, "'wheat' as well");
}

TEST_F(OptionsTest, CommandsWithoutArgumentsTakeNone) {
  OptionTable none("version", "", "print the version");
  Words words = {"now"};
  EXPECT_EQ(problemOf(none.parse(words)).what, "too many arguments");
  EXPECT_EQ(valueOf(OptionTable("version", "", "").parse({})),
            OptionTable::Outcome::Proceed);
}

/// The option's own parser reports what is wrong with the value.
TEST_F(OptionsTest, ErrorsOfValuesAreReturned) {
  table.value("size", "N", "size", [](llvm::StringRef text) {
    return makeError(
        {ErrorCode::DimOutsideEnvelope, "size", "too large", "", text.str(), "x"});
  });
  Words words = {"--size=9", "rye"};
  Diagnosis problem = problemOf(table.parse(words));
  EXPECT_EQ(problem.code, ErrorCode::DimOutsideEnvelope);
  EXPECT_EQ(problem.found, "9");
}

TEST_F(OptionsTest, HelpListsAllOptions) {
  table.epilog("And that is all.\n");
  testing::internal::CaptureStdout();
  Words words = {"--unknown-after-help-is-not-read"};
  words.insert(words.begin(), "--help");
  llvm::Expected<OptionTable::Outcome> outcome = table.parse(words);
  llvm::outs().flush();
  std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(valueOf(std::move(outcome)), OptionTable::Outcome::HelpPrinted);
  for (const char *part :
       {"kiln bake: bake a bread\n", "Usage: kiln bake M.bread [options]\n",
        "  -f, --fast ", "  -o, --output FILE ", "  --salt GRAM ", "  --color[=WHEN] ",
        "  -q, --quiet ", "  -h, --help ", "And that is all.\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST_F(OptionsTest, TablesDescribeThemselves) {
  std::vector<OptionTable::Description> found;
  OptionTable::describeTo(&found);
  llvm::Expected<OptionTable::Outcome> outcome = parse({"--nonsense"});
  OptionTable::describeTo(nullptr);
  EXPECT_EQ(valueOf(std::move(outcome)), OptionTable::Outcome::HelpPrinted)
      << "nothing is parsed";
  ASSERT_EQ(found.size(), 8u) << "with quiet and help";
  EXPECT_EQ(found[0].longName, "fast");
  EXPECT_EQ(found[0].shortName, "f");
  EXPECT_FALSE(found[0].takesValue);
  EXPECT_TRUE(found[1].takesValue);
  EXPECT_FALSE(found[1].repeats);
  EXPECT_EQ(found[4].longName, "dims");
  EXPECT_TRUE(found[4].repeats);
  EXPECT_FALSE(found[5].takesValue) << "an optional value needs no word of its own";
  EXPECT_EQ(found[7].longName, "help");
}

//===----------------------------------------------------------------------===//
// Commands
//===----------------------------------------------------------------------===//

struct BakeSettings {
  std::string bread;
};
int baked = 0;

llvm::Expected<OptionTable::Outcome> parseBake(Arguments arguments,
                                               BakeSettings &settings) {
  OptionTable own("bake", "M.bread", "bake a bread");
  own.positional("M.bread", "the bread", settings.bread);
  return own.parse(arguments);
}

llvm::Expected<int> runBake(BakeSettings &settings) {
  ++baked;
  if (settings.bread == "stone")
    return makeError({ErrorCode::OutOfMemory, "stone", "cannot be baked", "", "", ""});
  return settings.bread == "burnt" ? 1 : 0;
}

int bake(Words words) {
  testing::internal::CaptureStderr();
  int status = runCommand<BakeSettings>(words, parseBake, runBake);
  llvm::errs().flush();
  testing::internal::GetCapturedStderr();
  return status;
}

TEST(CommandTest, StatusIsThatOfTheCommandOrOfTheError) {
  baked = 0;
  EXPECT_EQ(bake({"rye"}), 0);
  EXPECT_EQ(bake({"burnt"}), 1);
  EXPECT_EQ(bake({"stone"}), 4);
  EXPECT_EQ(baked, 3);
  EXPECT_EQ(bake({}), 2);
  EXPECT_EQ(bake({"rye", "--what"}), 2);
  EXPECT_EQ(baked, 3) << "nothing runs after a usage error";
}

TEST(CommandTest, HelpRunsNothing) {
  baked = 0;
  testing::internal::CaptureStdout();
  EXPECT_EQ(bake({"-h"}), 0);
  llvm::outs().flush();
  EXPECT_NE(testing::internal::GetCapturedStdout().find("Usage"), std::string::npos);
  EXPECT_EQ(baked, 0);
}
} // namespace
