//===- schedule.h - KILN_SIM_SCHEDULE and its random numbers ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KILN_SIM_SCHEDULE=<async>[,<warps>[,<seed>]] with async one of eager, late, random and
// warps one of forward, reverse, random. The same seed gives the same run.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_SCHEDULE_H
#define KILN_SIM_EXEC_SCHEDULE_H

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln::sim::exec {

struct Schedule {
  enum class Async : uint8_t { Eager, Late, Random } async = Async::Eager;
  enum class Warps : uint8_t { Forward, Reverse, Random } warps = Warps::Forward;
  uint64_t seed = 1;

  /// Returns false, with a message, if the text is invalid.
  static bool parse(std::string_view text, Schedule &out, std::string &error);
  /// Returns "late,random,17", as `parse` accepts it.
  std::string text() const;

  /// Returns the next random number of this schedule (splitmix64).
  uint64_t random();
  /// Returns a random number below `bound`, which is not 0.
  uint64_t random(uint64_t bound) { return random() % bound; }
  /// Returns the schedule of one worker or cluster, with independent random numbers.
  Schedule fork(uint64_t salt) const;

private:
  uint64_t state = 1;
};

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_SCHEDULE_H
