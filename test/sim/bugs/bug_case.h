//===- bug_case.h - A planted bug and its clean twin -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases are text (cases/*.bugs; README.md has the format): a pair of kernels that differ
// in the lines marked "- " (only in the bug) and "+ " (only in the twin).
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_TEST_BUGS_BUG_CASE_H
#define KILN_SIM_TEST_BUGS_BUG_CASE_H

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace kiln::sim::bugs {

struct Argument {
  enum class Kind {
    Fresh,  ///< device memory that was never written
    Zeroed, ///< device memory of zeros
    Ones,   ///< device memory of bytes 1
    Freed,  ///< device memory that is freed before the launch
    U32,
    Tensor, ///< tensor map of 32-bit elements over an earlier buffer
  };
  std::string name;
  Kind kind = Kind::U32;
  uint64_t value = 0; ///< bytes of memory, or the value of a scalar
  std::string base;   ///< for a tensor: the buffer's name
  uint64_t width = 0, height = 0;
  uint32_t boxWidth = 0, boxHeight = 0;
};

/// Texts that a report must contain: the detector's words (main.cpp) and `text`.
struct Expectation {
  std::string detector, text;
};

/// One of the two kernels of a case, ready to launch.
struct Variant {
  std::string ptx;
  std::vector<Argument> arguments;
  uint32_t grid = 1, block = 1, cluster = 0, shared = 0;
  bool cooperative = false;
};

struct Case {
  std::string name, about, target = "sm_90a";
  std::string directives;            ///< of the entry, such as .maxntid 128
  std::vector<Expectation> expected; ///< any of them may be reported
  int code = 0;                      ///< CUresult of the bug; 0: any error
  bool everySchedule = true;         ///< reported under all nine schedules, not only
                                     ///< under some
  std::vector<std::string> lines;    ///< of the body, with their marks
  std::vector<std::string> settings; ///< header lines, with their marks

  /// Returns the kernel with the bug or its twin. Throws std::runtime_error for an
  /// invalid header.
  Variant variant(bool bug) const;
};

/// Reads all cases of a file. Throws std::runtime_error naming file and line.
std::vector<Case> readCases(const std::string &path);

} // namespace kiln::sim::bugs

#endif // KILN_SIM_TEST_BUGS_BUG_CASE_H
