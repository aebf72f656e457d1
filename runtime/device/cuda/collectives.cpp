//===- collectives.cpp - Collectives of ranks on GPUs ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/collectives.h"

using namespace kiln::rt;
using namespace kiln::rt::cuda;

Collectives::Collectives(const Plan &plan, const RankPlace &place)
    : plan(plan), place(place), entries(place.communicator ? plan.steps.size() : 0) {
  for (uint32_t step = 0; step < entries.size(); ++step)
    if (plan.steps[step].collective)
      entries[step].call = collectiveOf(plan, step);
}

Status Collectives::allocate(std::shared_ptr<const Context> gpu, uint64_t bytes) {
  context = std::move(gpu);
  KILN_TRY(Memory::onHost(context, bytes, "operands of collectives", operand));
  return Memory::onHost(context, bytes, "results of collectives", result);
}

void Collectives::bind(const Layout &layout) noexcept {
  for (uint32_t step = 0; step < entries.size(); ++step)
    if (const auto &collective = plan.steps[step].collective) {
      Entry &entry = entries[step];
      entry.call.outer = layout.value(collective->outer);
      entry.call.inner = layout.value(collective->inner);
      entry.fromBytes = layout.size(plan, plan.steps[step].reads[0]);
      entry.toBytes = layout.size(plan, plan.steps[step].writes[0]);
    }
}

/// The ranks of a broadcast give or get; those of another collective do both.
Status Collectives::run(uint32_t step, CUdeviceptr from, CUdeviceptr to, CUstream stream,
                        const Where &where) {
  const Driver &driver = *context->driver;
  CollectiveCall call = entries[step].call;
  call.from = operand.host();
  call.to = result.host();
  bool isOf = call.in(place.ranks).isOf(place.rank);
  bool gets = call.kind == CollectiveKind::Broadcast ? !isOf : isOf;
  if (isOf && entries[step].fromBytes)
    KILN_TRY(driver.check(
        driver.memcpyDtoHAsync(operand.host(), from, entries[step].fromBytes, stream),
        "cuMemcpyDtoHAsync", where));
  // The copy of an earlier result has then been read from its place, too.
  KILN_TRY(driver.check(driver.streamSynchronize(stream), "cuStreamSynchronize", where,
                        Code::KernelFailed));
  KILN_TRY(place.communicator->run(call));
  if (!gets || !entries[step].toBytes)
    return {};
  return driver.check(
      driver.memcpyHtoDAsync(to, result.host(), entries[step].toBytes, stream),
      "cuMemcpyHtoDAsync", where);
}
