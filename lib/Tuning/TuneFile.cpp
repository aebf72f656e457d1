//===- TuneFile.cpp - The file of kiln tune -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Tuning/TuneFile.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/Units.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <unistd.h>

using namespace kiln;
using namespace kiln::tuning;
using namespace llvm;

/// Names come from the model; control characters are removed to keep comments on one
/// line.
static void writeHeader(raw_ostream &os, StringRef device, StringRef target,
                        ArrayRef<SymbolValues> points) {
  os << "# Configs of kernels, measured by kiln tune; for kiln compile --configs.\n"
        "# KEY TARGET FAMILY PARAMETERS; what follows # is a comment.\n";
  if (target.empty())
    return;
  os << "# device " << withoutControls(device) << ", target " << target << '\n';
  for (const SymbolValues &dims : points) {
    if (dims.empty())
      continue;
    os << "# measured at";
    for (const auto &[name, value] : dims)
      os << ' ' << withoutControls(name) << '=' << value;
    os << '\n';
  }
}

static void writeProblem(raw_ostream &os, const TuneProblem &problem) {
  os << "\n# " << problem.code << ", " << problem.steps.size()
     << (problem.steps.size() == 1 ? " step" : " steps") << ": ";
  if (problem.best)
    os << formatSeconds(problem.before) << " -> " << formatSeconds(problem.after)
       << format(" (%+.1f %%), ", (problem.ratio - 1) * 100);
  os << problem.measured << " of " << problem.lines.size() - 1
     << " other configs measured";
  if (problem.fastest && !problem.best)
    os << format(", the fastest %+.1f %%", (*problem.fastest - 1) * 100);
  if (problem.refused)
    os << ", " << problem.refused << " refused";
  os << '\n';
  if (problem.best)
    os << problem.lines[problem.best] << '\n';
  else
    os << "# the compiler's choice stays: " << problem.lines.front() << '\n';
}

std::string tuning::tuneFileText(ArrayRef<TuneProblem> problems, StringRef device,
                                 StringRef target, ArrayRef<SymbolValues> points) {
  std::string text;
  raw_string_ostream os(text);
  writeHeader(os, device, target, points);
  for (const TuneProblem &problem : problems)
    writeProblem(os, problem);
  return text;
}
