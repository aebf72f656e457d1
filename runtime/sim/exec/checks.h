//===- checks.h - Which detectors run: KILN_SIM_CHECK ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KILN_SIM_CHECK= is a comma list of detectors: only those run. `all`, `none` and
// `default` are sets. A word with a + or - in front adds to or removes from what the
// words before it selected; a list that starts with one starts from the default:
//   KILN_SIM_CHECK=-race        the default without races
//   KILN_SIM_CHECK=all,-init    all but uninitialised reads
// The default is `all`, which is each of them but samevalue. Bounds, freed memory,
// alignment, address spaces, deadlock and livelock are part of executing the program and
// cannot be turned off.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_CHECKS_H
#define KILN_SIM_EXEC_CHECKS_H

#include <string>
#include <string_view>

namespace kiln::sim::exec {

struct Checks {
  bool initialised = true; ///< reads of bytes and registers never written
  bool races = true;       ///< conflicting accesses that nothing orders
  bool proxies = true;     ///< ordered except for a missing proxy fence
  bool barriers = true;    ///< misuse of bar and barrier.cluster
  bool mbarriers = true;   ///< misuse of mbarriers
  bool collectives = true; ///< warp-wide instructions with lanes missing
  bool wgmma = true;       ///< accesses to registers of a wgmma in flight
  bool pending = true;     ///< asynchronous work that was not waited for at exit
  bool nonCoherent = true; ///< ld.global.nc of bytes the kernel writes
  bool copies = true;      ///< two copies to the same bytes
  /// Races between writes of one instruction with equal values, which PTX defines: memory
  /// gets that value in any order. Not part of `all`.
  bool sameValue = false;

  /// Returns false, with a message and `out` unchanged, if the text is invalid.
  static bool parse(std::string_view text, Checks &out, std::string &error);
  /// Returns the words that select exactly these checks, as `parse` accepts them.
  std::string text() const;
  /// Whether the threads' clocks must be kept.
  bool ordering() const { return races || proxies || nonCoherent || sameValue; }
};

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_CHECKS_H
