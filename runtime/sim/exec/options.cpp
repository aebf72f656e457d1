//===- options.cpp - What the environment asks for -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/code.h"

#include <cstdio>
#include <cstdlib>

namespace kiln::sim::exec {

namespace {
std::string environment(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}
} // namespace

Options Options::fromEnvironment() {
  Options options;
  std::string error;
  if (!Checks::parse(environment("KILN_SIM_CHECK"), options.checks, error))
    fprintf(stderr, "kiln-sim: KILN_SIM_CHECK: %s; the default is used\n", error.c_str());
  options.countersFile = environment("KILN_SIM_COUNTERS");
  options.coverageFile = environment("KILN_SIM_COVERAGE");
  return options;
}

} // namespace kiln::sim::exec
