//===- options.cpp - Settings from environment variables -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/arith/approx.h"
#include "runtime/sim/arith/isa.h"
#include "runtime/sim/exec/code.h"
#include "runtime/sim/exec/launch.h"
#include "runtime/sim/exec/schedule.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace kiln::sim::exec {

namespace {
std::string environment(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

template <class T> bool isPositive(const std::string &text) {
  T value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value > 0;
}

bool isIsa(const std::string &text) {
  using arith::Isa;
  for (Isa isa : {Isa::Portable, Isa::Avx2, Isa::Avx512})
    if (text == arith::isaName(isa))
      return true;
  return false;
}

/// An environment variable and its valid non-empty values.
struct Variable {
  const char *name;
  bool (*understands)(const std::string &value);
  const char *expected;
};
const Variable variables[] = {
    {"KILN_SIM_CHECK",
     [](const std::string &value) {
       Checks checks;
       std::string error;
       return Checks::parse(value, checks, error);
     },
     "all, none, or a list of init race proxy barrier mbarrier collective wgmma pending "
     "noncoherent copy samevalue, each with - in front of it to leave it out"},
    {"KILN_SIM_SCHEDULE",
     [](const std::string &value) {
       Schedule schedule;
       std::string error;
       return Schedule::parse(value, schedule, error);
     },
     "eager, late or random[,forward|reverse|random[,SEED]]"},
    {"KILN_SIM_TIMEOUT",
     [](const std::string &value) { return isPositive<double>(value); },
     "a number of seconds above 0"},
    {"KILN_SIM_THREADS",
     [](const std::string &value) { return isPositive<unsigned>(value); },
     "a number of threads from 1"},
    {"KILN_SIM_ISA", isIsa, "portable, avx2 or avx512"},
    {"KILN_SIM_APPROX",
     [](const std::string &value) {
       arith::ApproxMode mode;
       return arith::parseApproxMode(value, mode);
     },
     "correct, worst or worst:SEED"}};
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

kiln::sim::EnvironmentMistake kiln::sim::environmentMistake() {
  for (const exec::Variable &variable : exec::variables) {
    std::string value = exec::environment(variable.name);
    if (!value.empty() && !variable.understands(value))
      return {variable.name, "'" + value + "'", variable.expected};
  }
  return {};
}
