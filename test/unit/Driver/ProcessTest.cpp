//===- ProcessTest.cpp - Dispatch, progress and exit of tools -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of code that ends the process run in a child process.
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/Support/Process.h"
#include "Completion.h"
#include "Models.h"
#include "kiln/Driver/Driver.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/OutputFiles.h"
#include "lib/Driver/Support/Interrupt.h"
#include "lib/Driver/Support/PhaseTimer.h"
#include "lib/Driver/Support/Progress.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <csignal>
#include <cstdio>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::test;

namespace {
//===----------------------------------------------------------------------===//
// Crashes
//===----------------------------------------------------------------------===//

class ProcessDeathTest : public testing::Test {
protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "fast"); }
};

TEST_F(ProcessDeathTest, CrashesAreDefects) {
  for (int signal : {SIGSEGV, SIGABRT, SIGFPE})
    EXPECT_EXIT(
        {
          prepareProcess("kiln");
          raise(signal);
        },
        testing::ExitedWithCode(3), "error: KILN-E0900: kiln: crashed by ");
}

TEST_F(ProcessDeathTest, DebuggersSeeCrashesAsTheyAre) {
  EXPECT_EXIT(
      {
        setenv("KILN_CORE", "1", 1);
        prepareProcess("kiln");
        raise(SIGABRT);
      },
      testing::KilledBySignal(SIGABRT), "");
}

TEST_F(ProcessDeathTest, InterruptsEndWithTheirSignal) {
  for (int signal : {SIGINT, SIGTERM})
    EXPECT_EXIT(
        {
          prepareProcess("kiln");
          raise(signal);
        },
        testing::ExitedWithCode(128 + signal), "");
}

TEST_F(ProcessDeathTest, FatalErrorsOfLlvmAreDefects) {
  EXPECT_EXIT(
      {
        prepareProcess("kiln");
        llvm::report_fatal_error("broken module");
      },
      testing::ExitedWithCode(3), "error: KILN-E0900: kiln: broken module; fix: report");
}

TEST_F(ProcessDeathTest, MemoryThatIsExhaustedIsTheMachines) {
  EXPECT_EXIT(
      {
        prepareProcess("kiln");
        llvm::report_bad_alloc_error("none left");
      },
      testing::ExitedWithCode(4), "error: KILN-E0700: kiln: memory is exhausted");
  EXPECT_EXIT(
      {
        prepareProcess("kiln");
        llvm::report_fatal_error("pthread_create failed");
      },
      testing::ExitedWithCode(4), "KILN-E0700");
}

TEST_F(ProcessDeathTest, HalfWrittenOutputsAreRemoved) {
  TempFolder folder;
  std::string output = folder / "m.kiln";
  EXPECT_EXIT(
      {
        prepareProcess("kiln");
        protectOutput(output);
        writeFile(output + "." + std::to_string(getpid()) + "-0.tmp", "half");
        raise(SIGINT);
      },
      testing::ExitedWithCode(130), "");
  EXPECT_TRUE(listFolder(folder / "").empty());
}

TEST_F(ProcessDeathTest, APipeThatIsClosedIsNoError) {
  EXPECT_EXIT(
      {
        prepareProcess("kiln");
        raise(SIGPIPE);
        raise(SIGXFSZ);
        _exit(7);
      },
      testing::ExitedWithCode(7), "");
}

TEST_F(ProcessDeathTest, AnOutputThatCannotBeWrittenIsAnError) {
  EXPECT_EXIT(
      {
        close(STDOUT_FILENO);
        llvm::outs() << "text";
        _exit(finishProcess(0));
      },
      testing::ExitedWithCode(exitStatus(ErrorCode::OutputNotWritable)),
      "error: KILN-E0003: stdout: cannot be written");
}

//===----------------------------------------------------------------------===//
// Interrupts
//===----------------------------------------------------------------------===//

TEST(InterruptWatchTest, TheFirstInterruptIsNoted) {
  InterruptWatch watch;
  EXPECT_FALSE(watch.isInterrupted());
  raise(SIGINT);
  EXPECT_TRUE(watch.isInterrupted());
}

TEST(InterruptWatchTest, ANewWatchForgetsTheOldOne) {
  {
    InterruptWatch old;
    raise(SIGINT);
  }
  EXPECT_FALSE(InterruptWatch().isInterrupted());
}

TEST_F(ProcessDeathTest, TheSecondInterruptEndsTheProcess) {
  EXPECT_EXIT(
      {
        InterruptWatch watch;
        raise(SIGINT);
        raise(SIGINT);
      },
      testing::ExitedWithCode(128 + SIGINT), "");
}

TEST_F(ProcessDeathTest, BehindAWatchTheOldHandlerCounts) {
  EXPECT_EXIT(
      {
        prepareProcess("kiln");
        {
          InterruptWatch watch;
        }
        raise(SIGINT);
      },
      testing::ExitedWithCode(130), "");
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

TEST(PhaseTimerTest, CallsBackWithThePhase) {
  std::atomic<int> calls{0};
  std::string seen;
  {
    PhaseTimer timer;
    timer.begin("first");
    timer.begin("second");
    timer.start([] { return 0.001; },
                [&](llvm::StringRef phase) {
                  if (!calls++)
                    seen = phase.str();
                });
    while (calls < 3)
      usleep(500);
  }
  EXPECT_EQ(seen, "second");
}

TEST(PhaseTimerTest, EndsWithoutWaiting) {
  PhaseTimer timer;
  timer.start([] { return 1e9; }, [](llvm::StringRef) { FAIL() << "too early"; });
  timer.begin("phase");
}

TEST(PhaseTimerTest, EnteringAPhaseIsNeverBesideACall) {
  std::atomic<int> inside{0};
  std::atomic<bool> overlapped{false};
  auto visit = [&] {
    overlapped = overlapped || inside.fetch_add(1) != 0;
    usleep(100);
    inside.fetch_sub(1);
  };
  std::atomic<int> calls{0};
  PhaseTimer timer;
  timer.start([] { return 0.0; },
              [&](llvm::StringRef) {
                visit();
                ++calls;
              });
  for (int i = 0; i < 20 || calls < 5; ++i)
    timer.begin("phase", visit);
  EXPECT_FALSE(overlapped);
}

TEST(PhaseTimerTest, WithoutAThreadPhasesGoOn) {
  PhaseTimer timer;
  bool isEntered = false;
  timer.begin("phase", [&] { isEntered = true; });
  EXPECT_TRUE(isEntered);
}

TEST(ProgressTest, PrintsEveryPhaseIfAsked) {
  testing::internal::CaptureStderr();
  {
    Progress progress(/*always=*/true);
    progress.begin("import");
    progress.begin("graph");
  }
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_NE(text.find(" s] import ...\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" s] graph ...\n"), std::string::npos) << text;
}

TEST(ProgressTest, SaysNothingInALogFile) {
  testing::internal::CaptureStderr();
  {
    Progress progress(/*always=*/false);
    progress.begin("import");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

int printArguments(Arguments arguments) {
  for (llvm::StringRef argument : arguments)
    llvm::outs() << '[' << argument << ']';
  return 7;
}

const Command kCommands[] = {{"version", "print the versions", runVersion},
                             {"first", "it's [the] first: of all", printArguments}};

/// Output and exit status of a tool, run in a child process because runTool changes the
/// state of the process.
struct ToolRun {
  explicit ToolRun(std::vector<const char *> words) {
    TempFolder folder;
    std::string outPath = folder / "out", errPath = folder / "err";
    pid_t child = fork();
    if (child == 0) {
      if (!freopen(outPath.c_str(), "w", stdout) ||
          !freopen(errPath.c_str(), "w", stderr))
        _exit(99);
      _exit(runTool(kCommands, words));
    }
    int ended = 0;
    EXPECT_EQ(waitpid(child, &ended, 0), child);
    EXPECT_TRUE(WIFEXITED(ended));
    status = WEXITSTATUS(ended);
    out = readFile(outPath);
    err = readFile(errPath);
  }
  int status = -1;
  std::string out, err;
};

TEST(ToolTest, CommandsGetTheirArguments) {
  ToolRun run({"first", "a", "--b"});
  EXPECT_EQ(run.status, 7);
  EXPECT_EQ(run.out, "[a][--b]");
  EXPECT_EQ(ToolRun({"help", "first"}).out, "[--help]");
}

TEST(ToolTest, HelpListsCommands) {
  for (const char *word : {"help", "--help", "-h"}) {
    ToolRun run({word});
    EXPECT_EQ(run.status, 0);
    EXPECT_NE(run.out.find("  first      it's [the] first: of all\n"), std::string::npos)
        << run.out;
  }
  EXPECT_NE(ToolRun({"help", "E0001"}).out.find("KILN-E0001"), std::string::npos);
  EXPECT_EQ(ToolRun({"--version"}).out.substr(0, 5), "kiln ");
}

TEST(ToolTest, UnknownCommandsAreUsageErrors) {
  ToolRun typo({"fist"});
  EXPECT_EQ(typo.status, 2);
  EXPECT_NE(typo.err.find("did you mean kiln first?"), std::string::npos) << typo.err;
  ToolRun other({"completely"});
  EXPECT_NE(other.err.find("one of version, first, completion, help"), std::string::npos)
      << other.err;
  EXPECT_NE(ToolRun({}).err.find("no command"), std::string::npos);
  EXPECT_EQ(ToolRun({"version", "now"}).status, 2);
}

std::string completionFor(std::vector<const char *> words, int expected) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const Command version[] = {kCommands[0]};
  EXPECT_EQ(printCompletion(version, words), expected);
  llvm::outs().flush();
  std::string text = testing::internal::GetCapturedStdout();
  return text + testing::internal::GetCapturedStderr();
}

TEST(CompletionTest, BashKnowsCommandsAndOptions) {
  std::string text = completionFor({"bash"}, 0);
  EXPECT_NE(text.find("compgen -W 'version completion help'"), std::string::npos) << text;
  EXPECT_NE(text.find("version) options='--quiet -q --help -h' ;;"), std::string::npos)
      << text;
}

TEST(CompletionTest, ZshDescribesOptions) {
  std::string text = completionFor({"zsh"}, 0);
  EXPECT_NE(text.find("'version:print the versions'"), std::string::npos) << text;
  EXPECT_NE(text.find("'--help[this text]'"), std::string::npos) << text;
  EXPECT_NE(text.find("'-q[print errors"), std::string::npos) << text;
}

TEST(CompletionTest, OtherShellsAreUsageErrors) {
  EXPECT_NE(completionFor({"fish"}, 2).find("'fish'"), std::string::npos);
  EXPECT_NE(completionFor({}, 2).find("found none"), std::string::npos);
  EXPECT_NE(completionFor({"--help"}, 0).find("Usage: kiln completion"),
            std::string::npos);
}
} // namespace
