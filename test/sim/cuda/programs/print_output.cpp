//===- print_output.cpp - printf
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <unistd.h>

namespace kiln::sim::programs {
namespace {

/// Returns the text that the process writes to its standard output while `work` runs.
template <typename Work> std::string captured(Work work) {
  std::fflush(stdout);
  std::FILE *file = std::tmpfile();
  int saved = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  std::string failure;
  try {
    work();
  } catch (const Failure &error) {
    failure = error.what();
  }
  std::fflush(stdout);
  dup2(saved, STDOUT_FILENO);
  close(saved);
  std::rewind(file);
  std::string out = failure;
  for (int c; (c = std::fgetc(file)) != EOF;)
    out += char(c);
  std::fclose(file);
  return out;
}

std::string expectedLine(int i) {
  char line[256];
  std::snprintf(line, sizeof line,
                "thread %d: %5u|%-6d|%06x|%c|%s|%.3f|%e|%lld|%llu|%p|%%\n", i, i * 7u, -i,
                0xbeef + i, 'a' + i, i % 2 ? "odd" : "even", i / 8.0, 1.5e10 * i,
                -(1ll << 40) - i, ~0ull - i, reinterpret_cast<void *>(0x1000ull + i));
  return line;
}

} // namespace

void run_print_output(Test &test) {
  constexpr int Rounds = 9;
  std::string got = captured([&] { test.kernel("print")({.block = {32}}, Rounds); }),
              want;
  for (int i = 0; i < Rounds; ++i)
    want += expectedLine(i);
  test.check(got == want, "print wrote\n%sinstead of\n%s", got.c_str(), want.c_str());

  Buffer<int> counts(2);
  got = captured([&] { test.kernel("print_counted")({}, counts); });
  test.check(got == "no arguments\n1 2\n", "print_counted wrote %s", got.c_str());
  // Device printf returns the number of its arguments.
  test.equal(counts.download(), {0, 2}, "print_counted");
}

} // namespace kiln::sim::programs
