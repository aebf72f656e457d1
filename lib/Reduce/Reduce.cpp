//===- Reduce.cpp - A smaller input that shows the same bug ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Reduce/Reduce.h"
#include "Trial.h"
#include "kiln/ErrorCodes/Machine.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Clock.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <deque>

using namespace kiln;
using namespace kiln::reduce;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {

class Reducer {
public:
  Reducer(Subject &subject, const Options &options, const ResolvedTest &test,
          StringRef folder)
      : subject(subject), options(options), test(test), folder(folder),
        deadline(options.timeLimit > 0 ? now() + options.timeLimit : 0) {}

  /// KILN-E0001 if the test does not find what it looks for in the input.
  Error checkInput();
  Report run();

private:
  struct Running {
    SiteRange sites;
    std::unique_ptr<Trial> trial;
  };

  /// Tries edits of a kind on all places at once, on halves of them, and so on.
  bool reduceBy(size_t kind);
  /// Tries edits of a kind on `length` places at a time, from the first to the last.
  bool sweep(size_t kind, size_t length);
  Running start(size_t kind, SiteRange sites);
  /// Path of an input in a folder of its own.
  std::string makePath();
  bool isOver();

  Subject &subject;
  const Options &options;
  const ResolvedTest &test;
  StringRef folder;
  double deadline;
  size_t tries = 0;
  bool timeIsUp = false;
};

/// Folder that is removed with all that is in it.
class TemporaryFolder {
public:
  TemporaryFolder() {
    failure = llvm::sys::fs::createUniqueDirectory("kiln-reduce", path);
  }
  ~TemporaryFolder() {
    if (!failure)
      llvm::sys::fs::remove_directories(path);
  }
  std::error_code error() const { return failure; }
  StringRef getPath() const { return path; }

private:
  llvm::SmallString<128> path;
  std::error_code failure;
};

} // namespace

bool Reducer::isOver() {
  timeIsUp |= (deadline && now() > deadline) ||
              (options.isInterrupted && options.isInterrupted());
  return timeIsUp;
}

std::string Reducer::makePath() {
  std::string own = (folder + "/" + Twine(tries++)).str();
  llvm::sys::fs::create_directory(own);
  return own + "/input" + subject.suffix().str();
}

static bool writeFor(Subject &subject, const std::string &path) {
  Error error = subject.write(path);
  bool isWritten = !error;
  llvm::consumeError(std::move(error));
  return isWritten;
}

Reducer::Running Reducer::start(size_t kind, SiteRange sites) {
  std::string path = makePath();
  // The forked process edits its own copy: what is here stays as it was.
  return {sites, std::make_unique<Trial>(test, path, [&] {
            return subject.apply(kind, sites) && subject.isValid() &&
                   writeFor(subject, path);
          })};
}

bool Reducer::sweep(size_t kind, size_t length) {
  bool changed = false;
  size_t count = subject.countSites(kind), next = 0;
  std::deque<Running> running;
  while (true) {
    for (; next < count && running.size() < options.jobs && !isOver(); next += length)
      running.push_back(start(kind, {next, std::min(next + length, count)}));
    if (running.empty())
      return changed;
    SiteRange sites = running.front().sites;
    bool isSmaller = running.front().trial->wait().isInteresting(test.test);
    running.pop_front();
    if (!isSmaller)
      continue;
    // The others were made of what was there before.
    running.clear();
    subject.apply(kind, sites);
    changed = true;
    size_t left = subject.countSites(kind);
    next = left < count ? sites.begin : sites.end;
    count = left;
  }
}

bool Reducer::reduceBy(size_t kind) {
  bool changed = false;
  for (size_t length = subject.countSites(kind); length > 0 && !isOver(); length /= 2)
    changed |= sweep(kind, length);
  if (changed && options.progress)
    options.progress(subject.nameOf(kind), subject.describeSize());
  return changed;
}

Report Reducer::run() {
  Report report;
  report.before = subject.describeSize();
  // Edits of one kind make room for others; none is known that needs as many rounds.
  constexpr unsigned kMaxRounds = 32;
  bool changed = true;
  for (unsigned round = 0; round < kMaxRounds && changed && !isOver(); ++round) {
    changed = false;
    for (size_t kind = 0; kind < subject.numKinds(); ++kind)
      changed |= reduceBy(kind);
  }
  report.after = subject.describeSize();
  report.tries = tries;
  report.isComplete = !timeIsUp;
  return report;
}

/// Outcomes that a test looks for: "a crash and the text 'x'".
static std::string describeGoal(const Test &test) {
  llvm::SmallVector<std::string> parts;
  if (test.crashes)
    parts.push_back("a crash");
  if (test.hangs)
    parts.push_back("a test that runs longer than " +
                    llvm::formatv("{0:f1}", test.timeout).str() + " s");
  if (test.succeeds)
    parts.push_back("exit status 0");
  if (!test.message.empty())
    parts.push_back("the text '" + test.message + "'");
  return llvm::join(parts, " and ");
}

Error Reducer::checkInput() {
  std::string path = makePath();
  Outcome outcome = Trial(test, path, [&] { return writeFor(subject, path); }).wait();
  if (outcome.isInteresting(test.test))
    return Error::success();
  std::string found = outcome.wasRun ? outcome.str() : "an input that cannot be written";
  if (outcome.timedOut)
    found +=
        " after " + llvm::formatv("{0:f1}", test.test.timeout).str() + " s (--timeout)";
  return makeError({ErrorCode::InputNotInteresting,
                    "kiln reduce: " + test.test.command.front(),
                    "the input is not interesting", describeGoal(test.test),
                    withoutControls(found), "run the test on the input by hand"});
}

Expected<Report> reduce::reduce(Subject &subject, const Options &options) {
  Expected<ResolvedTest> test = resolve(options.test);
  if (!test)
    return test.takeError();
  TemporaryFolder folder;
  if (folder.error())
    return makeError({ErrorCode::OutputNotWritable, "kiln reduce",
                      "no folder for the inputs of tests can be made",
                      "a folder of temporary files that can be written",
                      folder.error().message(), "set TMPDIR to such a folder"});
  Reducer reducer(subject, options, *test, folder.getPath());
  if (Error error = reducer.checkInput())
    return error;
  return reducer.run();
}
