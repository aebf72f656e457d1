//===- findings.h - Text of race reports ------------------------*- C++ -*-===//
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

#include <functional>
#include <map>
#include <string>
#include <tuple>

namespace kiln::sim::check {

/// The later access of a problem.
struct Later {
  exec::Origin origin;
  uint32_t block = 0; ///< number of its block
  AccessKind accessKind;
  const exec::Place *place = nullptr; ///< location of the byte `Problem::offset`
  uint32_t cluster = 0, earlierCluster = 0;
};

/// The launch and grid index of a numbered block.
struct BlockOrigin {
  const exec::ModuleCode *code = nullptr;
  std::array<uint32_t, 3> grid = {}; ///< in blocks
  uint64_t linear = 0;               ///< block index in the grid
  std::string launch; ///< ", kernel f on device 1"; empty for the current launch
};

/// Problems found in a launch: each pair of instructions once, with a count.
class Findings {
public:
  /// `find` returns the origin of a block number.
  Findings(const exec::Grid &grid, std::function<BlockOrigin(uint32_t)> find)
      : grid(grid), find(std::move(find)) {}
  /// Max distinct findings; at this number the launch is stopped.
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
  std::string who(const void *op, const BlockOrigin &block, uint32_t warp,
                  Mask lanes) const;
  const exec::Grid &grid;
  std::function<BlockOrigin(uint32_t)> find;
  std::map<Key, size_t> known;
  std::vector<Entry> texts;
};

} // namespace kiln::sim::check

#endif // KILN_SIM_CHECK_FINDINGS_H
