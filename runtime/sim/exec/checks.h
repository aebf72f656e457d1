//===- checks.h - Which detectors run: KILN_SIM_CHECK ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KILN_SIM_CHECK= is a comma list of detectors: those run and no others. `all`, `none`
// and `default` stand for sets. A word with a + or - in front adds to or takes from what
// the words before it chose; a list that starts with one starts from the default:
//   KILN_SIM_CHECK=race,init    these two
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
  bool proxies = true;     ///< ordered but for a missing proxy fence
  bool barriers = true;    ///< misuse of bar and barrier.cluster
  bool mbarriers = true;   ///< misuse of mbarriers
  bool collectives = true; ///< warp-wide instructions with lanes missing
  bool wgmma = true;       ///< registers of a product that is under way
  bool pending = true;     ///< asynchronous work nobody waited for at exit
  bool nonCoherent = true; ///< ld.global.nc of bytes the kernel writes
  bool copies = true;      ///< two copies to the same bytes
  /// Races between writes of one instruction that write the same value: PTX leaves that
  /// value there whatever their order. Not part of `all`.
  bool sameValue = false;

  /// False, with a message and `out` unchanged, for a text that is none.
  static bool parse(std::string_view text, Checks &out, std::string &error);
  /// The words that choose exactly these, as parse takes them.
  std::string text() const;
  /// Whether the clocks of threads must be kept.
  bool ordering() const { return races || proxies || nonCoherent || sameValue; }
};

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_CHECKS_H
