//===- run.cpp - Runs a launch under the detectors -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/launch/run.h"

#include "runtime/sim/check/detector.h"

namespace kiln::sim {

static std::unique_ptr<exec::Observer> makeRaceDetector(exec::Grid &grid) {
  return std::make_unique<check::RaceDetector>(grid);
}

Outcome run(const Launch &launch) { return exec::run(launch, makeRaceDetector); }

} // namespace kiln::sim
