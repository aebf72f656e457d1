//===- Driver.h - The subcommands of kiln -----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per subcommand. The arguments are those after the subcommand. Each returns
// the exit status of the process: 0 success, 1 a comparison or a verification failed, 2
// wrong usage, 3 the model or package is at fault, 4 the machine is at fault.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DRIVER_DRIVER_H
#define KILN_DRIVER_DRIVER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace kiln::reduce {
struct Program;
}

namespace kiln::driver {

using Arguments = llvm::ArrayRef<const char *>;

int runCheck(Arguments arguments);
int runCompile(Arguments arguments);
int runRun(Arguments arguments);
int runOps(Arguments arguments);
int runInspect(Arguments arguments);
int runEstimate(Arguments arguments);
int runExplain(Arguments arguments);
int runVerify(Arguments arguments);
int runBench(Arguments arguments);
int runTune(Arguments arguments);
int runGenerate(Arguments arguments);
int runVersion(Arguments arguments);
int runReduce(Arguments arguments);

struct Command {
  llvm::StringRef name;
  llvm::StringRef summary;
  int (*run)(Arguments);
};

/// Dispatches to one of `commands` (or to `help`) after it prepared the process to end
/// with an exit status instead of a signal.
int runTool(llvm::ArrayRef<Command> commands, Arguments arguments);
/// Lets tests of runReduce call a program as a function of this process, as they do with
/// the program of runTool.
void addTestProgram(const reduce::Program &program);
/// Runs one command as a tool of its own, prepared in the same way.
int runAlone(llvm::StringRef tool, int (*command)(Arguments), Arguments arguments);

} // namespace kiln::driver

#endif // KILN_DRIVER_DRIVER_H
