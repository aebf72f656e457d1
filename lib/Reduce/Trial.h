//===- Trial.h - One run of a test, in a process of its own -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_REDUCE_TRIAL_H
#define KILN_LIB_REDUCE_TRIAL_H

#include "kiln/Reduce/Reduce.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <sys/types.h>

namespace kiln::reduce {

/// Test whose program has been found.
struct ResolvedTest {
  const Test &test;
  const Program *program = nullptr; ///< null: `path` is executed
  std::string path;
};

/// Finds the program of a test: one of its `programs`, a file beside this program, or one
/// in the PATH. Errors: KILN-E0001.
llvm::Expected<ResolvedTest> resolve(const Test &test);

/// How a test ended.
struct Outcome {
  bool wasRun = false; ///< false: the input could not be made
  bool timedOut = false;
  int signal = 0, status = 0;
  std::string output; ///< of stdout and stderr

  bool crashed() const;
  bool isInteresting(const Test &test) const;
  /// For messages: "exit status 0".
  std::string str() const;
};

/// Forked process that makes an input and runs the test on it. Killed if it is still
/// running when the object goes.
class Trial {
public:
  /// `make` writes the input to `path`, in the forked process; it returns false if there
  /// is none. The folder of `path` belongs to the trial.
  Trial(const ResolvedTest &test, const std::string &path,
        llvm::function_ref<bool()> make);
  ~Trial();
  Trial(const Trial &) = delete;
  Trial &operator=(const Trial &) = delete;

  /// Waits for the end, or for the test's timeout.
  Outcome wait();

private:
  void kill();

  std::string path;
  double deadline;
  pid_t process = -1;
  int output = -1;        ///< file in memory
  char *wasRun = nullptr; ///< shared with the process
};

} // namespace kiln::reduce

#endif // KILN_LIB_REDUCE_TRIAL_H
