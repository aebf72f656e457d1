//===- ReduceCommand.cpp - kiln reduce ------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "kiln/Pipeline/Registration.h"
#include "kiln/Reduce/Reduce.h"
#include "kiln/Support/Clock.h"
#include "lib/Driver/Support/Interrupt.h"
#include "lib/Driver/Support/TimeLimit.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"
#include <thread>

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

namespace {
struct ReduceSettings {
  std::string input, output, script;
  reduce::Options options;
  uint64_t jobs = std::max(1u, std::thread::hardware_concurrency());
  bool verbose = false;
};
} // namespace

/// Programs that tests call as functions of this process.
static std::vector<reduce::Program> testPrograms;

void driver::addTestProgram(const reduce::Program &program) {
  testPrograms.push_back(program);
}

static std::vector<std::string> splitCommand(StringRef text) {
  BumpPtrAllocator allocator;
  StringSaver saver(allocator);
  SmallVector<const char *> words;
  cl::TokenizeGNUCommandLine(text, saver, words);
  return {words.begin(), words.end()};
}

static OptionTable::Store secondsInto(StringRef option, double &out) {
  std::string where = ("kiln reduce: --" + option).str();
  return [where, &out](StringRef text) -> Error {
    Expected<double> seconds = parseSeconds(where, text);
    if (!seconds)
      return seconds.takeError();
    out = *seconds;
    return Error::success();
  };
}

static void declareTest(OptionTable &table, ReduceSettings &settings) {
  reduce::Test &test = settings.options.test;
  table.value("test", "COMMAND",
              "command that is run on each smaller input, whose path takes the place of\n"
              "{} or comes last: \"kiln-opt --kiln-fuse-kernels\"; needs one or more of\n"
              "--crash, --hang, --message and --success, which must all be so",
              [&test](StringRef text) {
                test.command = splitCommand(text);
                return Error::success();
              });
  table.flag("crash", "keep a crash: the command ends by a signal or with KILN-E0900",
             test.crashes);
  table.flag("hang", "keep a hang: the command takes longer than --timeout", test.hangs);
  table.text("message", "TEXT",
             "keep this text in what the command prints, its errors included",
             test.message);
  table.flag("success", "the command must also exit with status 0", test.succeeds);
  table.text("script", "FILE",
             "program that is run on each smaller input in place of --test, and exits\n"
             "with status 0 where it finds what is to be kept",
             settings.script);
  table.value("timeout", "TIME",
              "longest time of one run of the test; longer ones find nothing (default\n"
              "10s)",
              secondsInto("timeout", test.timeout));
}

static Expected<OptionTable::Outcome> parseReduce(Arguments arguments,
                                                  ReduceSettings &settings) {
  OptionTable table("reduce", "INPUT --test COMMAND --message TEXT [options]",
                    "make an input smaller as long as a test finds the same in it");
  table.positional("INPUT", "the module (.mlir) or model (.onnx or .onnxtxt)",
                   settings.input);
  declareTest(table, settings);
  table.text("output,o", "FILE",
             "where the result goes (default reduced.mlir or reduced.onnx; - is stdout)",
             settings.output);
  table.number("jobs,j", "N",
               "tests at a time (default: all CPUs); the result is the same", 1, 1024,
               settings.jobs);
  table.value("time-limit", "TIME",
              "keep the smallest input that was found by then; 0: no limit (default\n"
              "10min)",
              secondsInto("time-limit", settings.options.timeLimit));
  table.flag("verbose,v", "print which kind of edit made the input smaller",
             settings.verbose);
  table.epilog(
      "Exit status: 0 the result was written, 2 usage, 3 INPUT cannot be read, or\n"
      "the test does not find in it what is to be kept (KILN-E0007), 4 the machine\n"
      "is at fault. Ctrl-C keeps the smallest input that was found.\n");
  return table.parse(arguments);
}

/// Exactly one of --test, with what it is to keep, and --script.
static Error checkTest(ReduceSettings &settings) {
  reduce::Test &test = settings.options.test;
  bool isJudged = test.crashes || test.hangs || test.succeeds || !test.message.empty();
  if (settings.script.empty() == test.command.empty())
    return usageError("kiln reduce", "needs one test", "--test or --script",
                      test.command.empty() ? "neither" : "both",
                      "write --test \"kiln-opt --kiln-...\" --message TEXT");
  if (isJudged == !settings.script.empty())
    return usageError("kiln reduce", "does not say what a test must keep",
                      "--crash, --hang, --message or --success beside --test, and none "
                      "of them beside --script",
                      isJudged ? "one of them beside --script" : "--test alone",
                      isJudged ? "let the script look for it"
                               : "add --crash, for example");
  if (settings.script.empty())
    return Error::success();
  test.command = {settings.script};
  test.succeeds = true;
  return Error::success();
}

static Expected<std::unique_ptr<reduce::Subject>> readInput(StringRef path) {
  if (path.ends_with(".onnx") || path.ends_with(".onnxtxt"))
    return reduce::readModel(path);
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  return reduce::readModule(path, registry);
}

static void printReport(const ReduceSettings &settings, const reduce::Report &report,
                        double seconds) {
  // The report must not stand in the result.
  raw_ostream &os = settings.output == "-" ? errs() : text();
  os << settings.output << ": " << report.after << ", of " << report.before << ", in "
     << format("%.1f", seconds) << " s and " << report.tries << " tests\n";
  if (!report.isComplete)
    errs()
        << "warning: there was no time to try every edit: the result may become smaller "
           "(--time-limit)\n";
}

static Expected<int> reduceAndReport(ReduceSettings &settings) {
  KILN_CHECK(checkTest(settings));
  Expected<std::unique_ptr<reduce::Subject>> subject = readInput(settings.input);
  if (!subject)
    return subject.takeError();
  if (settings.output.empty())
    settings.output = ("reduced" + (*subject)->suffix()).str();
  if (settings.output != "-")
    KILN_CHECK(checkOutput(settings.output));
  InterruptWatch watch;
  reduce::Options &options = settings.options;
  options.jobs = unsigned(settings.jobs);
  options.test.programs = testPrograms;
  options.isInterrupted = [&] { return watch.isInterrupted(); };
  if (settings.verbose)
    options.progress = [](StringRef kind, StringRef size) {
      errs() << kind << ": " << size << '\n';
    };
  double begin = now();
  Expected<reduce::Report> report = reduce::reduce(**subject, options);
  if (!report)
    return report.takeError();
  KILN_CHECK((*subject)->write(settings.output));
  printReport(settings, *report, now() - begin);
  return 0;
}

int driver::runReduce(Arguments arguments) {
  return runCommand(arguments, parseReduce, reduceAndReport);
}
