//===- RankWeights.cpp - Weights of each rank -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Ranks.h"
#include "kiln/Planning/Passes.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace kiln;
using namespace mlir;

namespace {
/// A weight of a module, which its programs have in common.
struct Weight {
  int64_t size, stride;
  int64_t parts;          ///< number of ranks with different parts, if `stride` is not 0
  bool isOfAll = false;   ///< read by a step of all ranks, or by none
  llvm::BitVector stages; ///< stages whose steps read it
};
} // namespace

/// Returns the weights by offset.
static llvm::MapVector<int64_t, Weight> findWeights(ModuleOp module, int64_t stages) {
  int64_t ranks = graph::ranksOf(module);
  llvm::MapVector<int64_t, Weight> weights;
  for (auto program : module.getOps<plan::ProgramOp>()) {
    llvm::StringMap<int64_t> offsets; // buffers that are weights
    for (auto buffer : program.getOps<plan::BufferOp>()) {
      if (!buffer.getOffset())
        continue;
      int64_t offset = *buffer.getOffset();
      int64_t bytes = *graph::getDims(buffer.getSize()).front().getConstant();
      offsets[buffer.getSymName()] = offset;
      weights.insert({offset, Weight{int64_t(llvm::alignTo(bytes, 64)),
                                     int64_t(buffer.getStride().value_or(0)),
                                     plan::axisOf(buffer.getRanks(), ranks).size, false,
                                     llvm::BitVector(stages)}});
    }
    for (Operation &op : program.getBody().front())
      if (auto launch = dyn_cast<plan::LaunchOp>(op))
        for (auto name : launch.getReads().getAsRange<FlatSymbolRefAttr>())
          if (auto it = offsets.find(name.getValue()); it != offsets.end()) {
            Weight &weight = weights.find(it->second)->second;
            if (launch.getStage())
              weight.stages.set(*launch.getStage());
            else
              weight.isOfAll = true;
          }
  }
  return weights;
}

std::vector<int64_t> kiln::weightsOfStages(ModuleOp module) {
  int64_t stages = 1;
  for (auto program : module.getOps<plan::ProgramOp>())
    stages = program.getStages().value_or(1);
  std::vector<int64_t> bytes(stages, 0);
  for (auto &[offset, weight] : findWeights(module, stages))
    for (int64_t stage = 0; stage < stages; ++stage)
      if (weight.isOfAll || weight.stages.none() || weight.stages.test(stage))
        bytes[stage] += weight.size;
  return bytes;
}

int64_t kiln::weightsOfOthers(ModuleOp module) {
  std::vector<int64_t> stages = weightsOfStages(module);
  int64_t all = 0;
  for (auto &[offset, weight] : findWeights(module, stages.size()))
    all += weight.size + (weight.parts - 1) * weight.stride;
  return all - *llvm::max_element(stages);
}
