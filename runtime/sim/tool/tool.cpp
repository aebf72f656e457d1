//===- tool.cpp - The commands of kiln-ptx --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tool/tool.h"

#include <fstream>
#include <ostream>
#include <sstream>

using namespace kiln::sim;

static constexpr const char *help =
    R"(kiln-ptx: checks, lists, decodes and runs PTX on the simulated GPU

  kiln-ptx check [--newest VERSION] FILE...
      Parses and checks PTX. Every mistake is named with line, column and token.
  kiln-ptx table [--tests PATH]... [--uncovered] [PREFIX]
      Lists the instruction forms: id, oldest PTX and sm, whether they are executed,
      pattern. PREFIX: only ids that start so. --tests: also the tests that executed
      each, from files (or a folder of files) that KILN_SIM_COVERAGE named.
      --uncovered: only executed forms that no test reached; exit code 4 if any.
  kiln-ptx dis [--device ID] FILE [KERNEL]
      Shows what the interpreter made of a module.
  kiln-ptx run FILE [options] --arg VALUE...
      Runs a kernel. Options:
        --kernel NAME        needed if the file has several
        --device ID          h200 unless given
        --grid X[,Y[,Z]]     blocks; --block: threads; --cluster: blocks a cluster
        --shared BYTES       dynamic shared memory
        --cooperative        all blocks run at the same time
      Arguments, in the order of the kernel's parameters:
        in.npy               a buffer with the array; in.npy:out.npy also writes it back
        f32[128,64]:out.npy  a buffer of zeros, written to out.npy after the run
        f32[128,64]          the same, not written
        i32:5  f32:1.5       a scalar: i8 i16 i32 i64 u8 u16 u32 u64 f32 f64
      The KILN_SIM_ variables work as with any program.
  kiln-ptx --help

Exit codes: 0 success, 1 the kernel failed, 2 wrong use, 3 a bad file,
4 forms without a test.
)";

bool tool::readText(const std::string &path, std::string &text, std::ostream &err) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream content;
  if (!file || !(content << file.rdbuf())) {
    err << "kiln-ptx: " << path << ": cannot be read\n";
    return false;
  }
  text = content.str();
  return true;
}

int tool::usage(std::ostream &err, const std::string &problem) {
  err << "kiln-ptx: " << problem << "; see kiln-ptx --help\n";
  return UsageError;
}

int tool::run(const Arguments &arguments, std::ostream &out, std::ostream &err) {
  if (arguments.empty())
    return usage(err, "expected a command: check, table, dis or run");
  const std::string &command = arguments[0];
  Arguments rest(arguments.begin() + 1, arguments.end());
  bool wantsHelp = command == "--help" || command == "-h" || command == "help";
  for (const std::string &argument : rest)
    wantsHelp |= argument == "--help" || argument == "-h";
  if (wantsHelp) {
    out << help;
    return Success;
  }
  if (command == "check")
    return checkCommand(rest, out, err);
  if (command == "table")
    return tableCommand(rest, out, err);
  if (command == "dis")
    return disCommand(rest, out, err);
  if (command == "run")
    return runCommand(rest, out, err);
  return usage(err, "unknown command `" + command + "`");
}
