//===- check_results.cpp - What index checks found on a GPU ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/check_results.h"
#include "runtime/model/tensors.h"
#include <algorithm>
#include <limits>

using namespace kiln::rt;
using namespace kiln::rt::cuda;

Status CheckResults::allocate(std::shared_ptr<const Context> gpu) {
  context = std::move(gpu);
  works.assign(plan.indexChecks.size(), true);
  dims.resize(maxRuns * plan.symbols.size());
  return Memory::onHost(context, maxRuns * works.size() * sizeof(int64_t),
                        "results of index checks", found);
}

void CheckResults::select(std::span<const TensorPlace> inputs, bool all,
                          Launches &launches) {
  for (size_t i = 0; i < works.size(); ++i) {
    const IndexCheck &check = plan.indexChecks[i];
    if (!check.isOfInputs())
      continue;
    works[i] =
        all || std::ranges::any_of(check.parts, [&](const CheckedPart &part) {
          return inputs[static_cast<size_t>(part.input)].memory != KILN_MEMORY_HOST;
        });
    launches.enable(check.step, works[i]);
  }
}

Status CheckResults::copyOut(const Launches &launches, std::span<const int64_t> values,
                             CUstream stream) {
  for (size_t i = 0; i < works.size(); ++i) {
    int64_t *number = numbers(runs) + i;
    *number = std::numeric_limits<int64_t>::max();
    if (!works[i])
      continue;
    const IndexCheck &check = plan.indexChecks[i];
    const Command &command = launches.commands()[check.step];
    CUdeviceptr from = launches.slotsOf(command)[plan.steps[check.step].reads.size()];
    KILN_TRY(context->driver->check(
        context->driver->memcpyDtoHAsync(number, from, sizeof *number, stream),
        "cuMemcpyDtoHAsync", [&] { return launches.where(command); }));
  }
  std::ranges::copy(values,
                    dims.begin() + static_cast<ptrdiff_t>(runs * plan.symbols.size()));
  runs += !works.empty();
  return {};
}

Status CheckResults::collect() {
  size_t finished = std::exchange(runs, 0), symbols = plan.symbols.size();
  for (size_t run = 0; run < finished; ++run)
    for (size_t i = 0; i < works.size(); ++i)
      KILN_TRY(readIndexCheck(plan, plan.indexChecks[i], numbers(run)[i],
                              std::span(dims).subspan(run * symbols, symbols)));
  return {};
}
