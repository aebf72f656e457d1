//===- Reduce.h - A smaller input that shows the same bug -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing
// input", 2002): edits of one kind are tried on all places at once, on halves, quarters
// and so on; an edit stays if the test still finds what it looks for. Every try is a
// forked process, so that a crash or a hang ends the try alone.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_REDUCE_REDUCE_H
#define KILN_REDUCE_REDUCE_H

#include "kiln/Reduce/Subject.h"
#include "llvm/ADT/ArrayRef.h"
#include <functional>
#include <vector>

namespace kiln::reduce {

/// Tool that tests call by its name alone, as a function of this process: a forked
/// process calls it, which takes a tenth of the time that starting the program takes.
struct Program {
  llvm::StringRef name; ///< "kiln-opt"
  /// Returns the exit status. arguments[0] is the name; a null pointer follows the last.
  int (*run)(int count, char **arguments) = nullptr;
};

/// Command, and the outcomes of it that make an input interesting: all that are asked
/// for.
struct Test {
  std::vector<std::string>
      command;           ///< "{}" stands for the path; appended if there is none
  bool crashes = false;  ///< ends by a signal, or says KILN-E0900
  bool hangs = false;    ///< takes longer than `timeout`
  bool succeeds = false; ///< exit status 0
  std::string message;   ///< in what it prints; empty: anything
  double timeout = 10;   ///< seconds; without `hangs` longer ones do not count
  llvm::ArrayRef<Program> programs;
};

struct Options {
  Test test;
  unsigned jobs = 1;      ///< tries at a time; the result does not depend on it
  double timeLimit = 600; ///< seconds after which the smallest input so far is kept
  /// Called for each kind of edit that made the input smaller, with the new size.
  std::function<void(llvm::StringRef kind, llvm::StringRef size)> progress;
  /// Asked between tries: true ends the search with what it has.
  std::function<bool()> isInterrupted;
};

struct Report {
  std::string before, after; ///< sizes
  size_t tries = 0;
  bool isComplete = true; ///< no edit is left that could be made; else time was up
};

/// Makes `subject` smaller, as long as the test finds what it looks for. Errors:
/// KILN-E0001 if the command cannot be run, KILN-E0007 if the input is not interesting.
llvm::Expected<Report> reduce(Subject &subject, const Options &options);

} // namespace kiln::reduce

#endif // KILN_REDUCE_REDUCE_H
