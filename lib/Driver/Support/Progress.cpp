//===- Progress.cpp - Progress messages -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progress.h"
#include "Report.h"
#include "kiln/Support/Clock.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::driver;

Progress::Progress(bool always) : always(always), birth(now()) {
  // Progress is not written to log files.
  if (!always && !isQuiet() && llvm::errs().is_displayed())
    timer.start([] { return 1.0; }, [this](llvm::StringRef phase) { print(phase); });
}

void Progress::print(llvm::StringRef phase) {
  if (printed)
    return;
  llvm::errs() << llvm::format("[%5.1f s] ", now() - birth) << phase << " ...\n";
  printed = true;
}

void Progress::begin(llvm::StringRef next) {
  timer.begin(next, [&] {
    printed = false;
    if (always)
      print(next);
  });
}
