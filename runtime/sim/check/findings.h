//===- findings.h - Races as a person reads them ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_CHECK_FINDINGS_H
#define KILN_SIM_CHECK_FINDINGS_H

#include "runtime/sim/check/location.h"
#include "runtime/sim/exec/access.h"
#include "runtime/sim/exec/code.h"

#include <map>
#include <string>
#include <tuple>

namespace kiln::sim::check {

/// The later access of a problem.
struct Later {
  exec::Origin origin;
  AccessKind accessKind;
  const exec::Place *place = nullptr; ///< of the byte `Problem::offset`
  uint32_t cluster = 0, earlierCluster = 0;
};

/// What was found in a launch: each pair of instructions once, with a count.
class Findings {
public:
  explicit Findings(const exec::Grid &grid) : grid(grid) {}
  /// Different ones that are written out before the launch is stopped.
  static constexpr size_t Limit = 8;

  void add(const Problem &problem, const Later &later);
  bool full() const { return texts.size() >= Limit; }
  bool empty() const { return texts.empty(); }
  std::string text() const;

private:
  using Key = std::tuple<const void *, const void *, ProblemKind>;
  struct Entry {
    std::string text;
    uint64_t count = 0;
  };
  std::string describe(const Problem &problem, const Later &later) const;
  std::string who(const void *op, uint64_t block, uint32_t warp, Mask lanes) const;
  const exec::Grid &grid;
  std::map<Key, size_t> known;
  std::vector<Entry> texts;
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_FINDINGS_H
