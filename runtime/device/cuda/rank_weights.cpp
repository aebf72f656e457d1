//===- rank_weights.cpp - The weights of a rank on its GPU ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/rank_weights.h"
#include "runtime/model/model.h"
#include <algorithm>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

Status RankWeights::find(const kiln_model &model, uint32_t rank) {
  if (model.plan.ranks == 1) {
    total = model.container().find(format::Weights)->size;
    list = {{0, total, 0}};
    return {};
  }
  for (size_t i = 0; i < model.programCount(); ++i)
    KILN_TRY(addProgram(model.program(i), rank));
  placeRanges();
  return {};
}

Status RankWeights::addProgram(const kiln_model &program, uint32_t rank) {
  const Plan &plan = program.plan;
  Envelope envelope(plan, envelopeOf(plan.symbols));
  for (uint32_t buffer : plan.weightsOf(rank)) {
    uint64_t bytes = 0;
    KILN_TRY(
        envelope.maxBytes(plan.buffers[buffer].size, plan.bufferName(buffer), bytes));
    if (bytes)
      list.push_back({plan.buffers[buffer].offset + plan.partOf(buffer, rank), bytes, 0});
  }
  return {};
}

/// Merges overlapping ranges and assigns GPU offsets that keep the alignment of every
/// weight.
void RankWeights::placeRanges() {
  std::ranges::sort(list, {}, &Range::from);
  std::vector<Range> merged;
  for (const Range &range : list) {
    if (!merged.empty() && range.from <= merged.back().from + merged.back().size) {
      Range &last = merged.back();
      last.size = std::max(last.size, range.from + range.size - last.from);
    } else {
      merged.push_back(range);
    }
  }
  for (Range &range : merged) {
    uint64_t misplaced = range.from % format::weightAlignment;
    range.to = format::alignUp(total, format::weightAlignment) + misplaced;
    total = range.to + range.size;
  }
  list = std::move(merged);
}

Status RankWeights::copy(std::shared_ptr<const Context> context,
                         const kiln_model &model) {
  const Driver &driver = *context->driver;
  std::string what = "the weights of " + model.path;
  KILN_TRY(Memory::onDevice(context, total, what, memory));
  // Copies from pageable memory return when the source has been read.
  for (const Range &range : list)
    if (range.size)
      KILN_TRY(driver.check(driver.memcpyHtoDAsync(memory.device() + range.to,
                                                   model.weights() + range.from,
                                                   range.size, nullptr),
                            "cuMemcpyHtoDAsync", what));
  return total ? driver.check(driver.streamSynchronize(nullptr), "cuStreamSynchronize",
                              what)
               : Status();
}

CUdeviceptr RankWeights::address(uint64_t offset) const noexcept {
  auto after = std::ranges::upper_bound(list, offset, {}, &Range::from);
  if (after == list.begin())
    return 0;
  const Range &range = *(after - 1);
  return offset - range.from <= range.size
             ? memory.device() + range.to + (offset - range.from)
             : 0;
}
