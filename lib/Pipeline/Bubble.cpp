//===- Bubble.cpp - Pipeline bubbles --------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bubble.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln;
using namespace mlir;

namespace {
/// Seconds of each stage between two collectives of all ranks.
struct Wave {
  explicit Wave(int64_t stages) : own(stages, 0) {}
  std::vector<double> own;
  double common = 0; ///< work of all stages

  double seconds() const { return common + *llvm::max_element(own); }
  double working() const {
    return common + std::accumulate(own.begin(), own.end(), 0.0) / double(own.size());
  }
};
} // namespace

double kiln::bubbleOf(plan::ProgramOp program, const graph::SymbolRanges &ranges,
                      double operationsPerByte) {
  int64_t stages = program.getStages().value_or(1);
  auto amountOf = [&](graph::ShapeAttr shape) {
    return double(ranges.maxOf(graph::getDims(shape)).value_or(0));
  };
  double seconds = 0, working = 0;
  Wave wave(stages);
  auto end = [&] {
    seconds += wave.seconds();
    working += wave.working();
    wave = Wave(stages);
  };
  for (Operation &op : program.getBody().front()) {
    if (isa<plan::CollectiveOp>(op))
      end();
    auto launch = dyn_cast<plan::LaunchOp>(op);
    if (!launch)
      continue;
    double time = std::max(amountOf(launch.getBytes()),
                           amountOf(launch.getFlops()) / operationsPerByte);
    (launch.getStage() ? wave.own[*launch.getStage()] : wave.common) += time;
  }
  end();
  return seconds > 0 ? 1 - working / seconds : 0;
}
