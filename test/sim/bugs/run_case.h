//===- run_case.h - One launch in its own process ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_TEST_BUGS_RUN_CASE_H
#define KILN_SIM_TEST_BUGS_RUN_CASE_H

#include "test/sim/bugs/bug_case.h"

namespace kiln::sim::bugs {

struct Ending {
  int code = 0;         ///< CUresult of the launch or of the following wait
  int signal = 0;       ///< signal that ended the process; -1: the program itself failed
  std::string messages; ///< text written to stderr
};

/// Loads and launches the variant under a schedule ("late,reverse") with all detectors
/// on.
Ending runApart(const Variant &variant, const std::string &schedule);

} // namespace kiln::sim::bugs

#endif // KILN_SIM_TEST_BUGS_RUN_CASE_H
