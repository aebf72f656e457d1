//===- tool.h - The commands of kiln-ptx --------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_TOOL_TOOL_H
#define KILN_SIM_TOOL_TOOL_H

#include <iosfwd>
#include <string>
#include <vector>

namespace kiln::sim::tool {

using Arguments = std::vector<std::string>;

enum ExitCode : int {
  Success = 0,
  Failure = 1, ///< the kernel failed, or an output could not be written
  UsageError = 2,
  BadFile = 3,   ///< a file cannot be read or has invalid contents
  Uncovered = 4, ///< `table --uncovered` found rows without a test
};

/// Runs the program; `arguments` excludes its name.
int run(const Arguments &arguments, std::ostream &out, std::ostream &err);

int checkCommand(const Arguments &arguments, std::ostream &out, std::ostream &err);
int tableCommand(const Arguments &arguments, std::ostream &out, std::ostream &err);
int disCommand(const Arguments &arguments, std::ostream &out, std::ostream &err);
int runCommand(const Arguments &arguments, std::ostream &out, std::ostream &err);

/// Returns false and prints a line on `err` if the file cannot be read.
bool readText(const std::string &path, std::string &text, std::ostream &err);
/// Prints a usage error and returns UsageError.
int usage(std::ostream &err, const std::string &problem);

} // namespace kiln::sim::tool

#endif // KILN_SIM_TOOL_TOOL_H
