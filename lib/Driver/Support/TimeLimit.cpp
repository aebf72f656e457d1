//===- TimeLimit.cpp - Time limit of a compile ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeLimit.h"
#include "Process.h"
#include "Report.h"
#include "Values.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/Support/Activity.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::driver;
using namespace llvm;

Expected<double> driver::parseSeconds(StringRef where, StringRef text) {
  StringRef number = text.take_while([](char c) { return isDigit(c) || c == '.'; });
  double scale = StringSwitch<double>(text.drop_front(number.size()).trim())
                     .Cases({"", "s"}, 1)
                     .Case("ms", 1e-3)
                     .Cases({"m", "min"}, 60)
                     .Case("h", 3600)
                     .Default(0);
  double value;
  // A year exceeds any compile, and keeps sums of times far from overflow.
  if (number.getAsDouble(value) || !scale || value * scale > 366.0 * 24 * 3600)
    return usageError(where, "is not a time", "a number with ms, s, min or h",
                      "'" + text + "'", "write for example 90s");
  return value * scale;
}

[[noreturn]] static void expire(double seconds, StringRef phase) {
  std::string step = Activity::longest();
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::TimeLimit;
  diagnosis.where = "phase '" + phase.str() + "'" + (step.empty() ? "" : ", " + step);
  diagnosis.what = "the compile takes longer than --time-limit allows";
  diagnosis.expected = "at most " + formatSeconds(seconds);
  diagnosis.found = "more";
  diagnosis.fix = "raise --time-limit (0: none), or report the model";
  llvm::errs() << "error: " << diagnosis.str() << '\n';
  llvm::errs().flush();
  leave(exitStatus(diagnosis.code));
}

TimeLimit::TimeLimit(double seconds) {
  if (seconds > 0)
    timer.start([seconds] { return seconds; },
                [seconds](StringRef phase) { expire(seconds, phase); });
}
