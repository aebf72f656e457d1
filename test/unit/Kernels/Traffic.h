//===- Traffic.h - Traffic of a kernel on a GPU -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel with correct results may still read an operand twice, or a sector for each
// element. Table rows state the allowed cost of a launch; counters of the simulated GPU
// give the actual cost.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_TRAFFIC_H
#define KILN_TEST_UNIT_KERNELS_TRAFFIC_H

#include "CountedLaunch.h"
#include <optional>
#include <string>
#include <vector>

namespace kiln::test {

/// A transpose through shared memory: lengths of the contiguous dims.
struct Transposition {
  int64_t operandLine, resultLine;
  int64_t elementBytes;
};

/// Expected cost of one launch.
struct Traffic {
  uint64_t bytes = 0;        ///< requested by threads
  uint64_t touchedBytes = 0; ///< min bytes of all touched sectors
  unsigned ends = 8;         ///< max further sectors, at the ends of tensors
  /// Min fraction of the touched bytes that accesses request.
  double efficiency = 0.95;
  bool countsBytes = true; ///< false: `bytes` is not compared
  double conflicts = 0;    ///< max bank conflicts per access to shared memory
  bool usesShared = true;  ///< false: shared memory is not used
  uint64_t minSharedBytes = 0;
  std::string config = {};                        ///< kind of config, such as "staging"
  size_t minTileDims = 0, maxTileDims = SIZE_MAX; ///< number of dims of the config's tile
  std::optional<Transposition> transposition = {};
  /// Not compared if empty.
  std::optional<uint64_t> tensorFlops = {}, f32Flops = {}, atomics = {};
  std::optional<uint64_t> bulkGlobalBytes = {}, bulkSharedBytes = {};
  std::optional<uint64_t> bankConflicts = {}; ///< total, if known
  bool mainLoopsHaveNoConflicts = false;      ///< requires a loop that waits for operands
};

/// Compares the cost of a launch with the expected one.
void expectLaunch(const CountedLaunch &launch, const Traffic &expected);
/// Compares all launches of a run, in order.
void expectTraffic(const std::vector<CountedLaunch> &launches,
                   const std::vector<Traffic> &expected);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_TRAFFIC_H
