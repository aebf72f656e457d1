//===- Traffic.h - What a kernel reads and writes on a GPU ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that computes the right numbers may still read an operand twice, or a sector
// for each of its elements. Rows of the table state what a launch may cost; the counters
// of the simulated GPU say what it costs.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_TRAFFIC_H
#define KILN_TEST_UNIT_KERNELS_TRAFFIC_H

#include "CountedLaunch.h"
#include <optional>
#include <string>
#include <vector>

namespace kiln::test {

/// A transposition through shared memory: lengths of the contiguous dims.
struct Transposition {
  int64_t operandLine, resultLine;
  int64_t elementBytes;
};

/// Expected cost of one launch.
struct Traffic {
  uint64_t bytes = 0;        ///< that threads ask for
  uint64_t touchedBytes = 0; ///< of all sectors that are touched, at least
  unsigned ends = 8;         ///< sectors beyond these: ends of tensors
  /// Minimum part of the touched sectors that accesses ask for.
  double efficiency = 0.95;
  bool countsBytes = true; ///< false: `bytes` is not compared
  double conflicts = 0;    ///< bank conflicts per access to shared memory, at most
  bool usesShared = true;  ///< false: shared memory is not used
  uint64_t minSharedBytes = 0;
  std::string config = {}; ///< kind of the kernel's config: "staging"
  size_t minTileDims = 0, maxTileDims = SIZE_MAX; ///< dims of the config's tile
  std::optional<Transposition> transposition = {};
  /// Not compared where there is none.
  std::optional<uint64_t> tensorFlops = {}, f32Flops = {}, atomics = {};
  std::optional<uint64_t> bulkGlobalBytes = {}, bulkSharedBytes = {};
  std::optional<uint64_t> bankConflicts = {}; ///< in all, where they are known
  bool mainLoopsHaveNoConflicts = false; ///< and there is a loop that waits for operands
};

/// Compares what a launch cost with what is expected of it.
void expectLaunch(const CountedLaunch &launch, const Traffic &expected);
/// Compares all launches of a run, in order.
void expectTraffic(const std::vector<CountedLaunch> &launches,
                   const std::vector<Traffic> &expected);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_TRAFFIC_H
