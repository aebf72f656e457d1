//===- steps.cpp - One step after the other on a GPU ----------------------- ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/cuda_session.h"
#include "runtime/device/cuda/nvtx.h"
#include "runtime/model/model.h"

using namespace kiln::rt;
using namespace kiln::rt::cuda;

Status CudaSession::runSteps(RunControl &control) {
  if (!events.empty())
    KILN_TRY(recordEvent(0));
  for (size_t i = 0; i < launches.commands().size(); ++i) {
    const Command &command = launches.commands()[i];
    bool isStep = i < plan.steps.size();
    if (control.mustStop())
      return control.failure("before " + launches.where(command));
    KILN_TRY(collectives.join(i, stream));
    NvtxRange range(i < rangeNames.size() ? rangeNames[i].c_str() : "copy of an output");
    if (command.isSkipped) { // skipped steps take no time
      if (!events.empty())
        KILN_TRY(recordEvent(i + 1));
      continue;
    }
    if (observer && isStep)
      KILN_TRY(observe(i, /*after=*/false));
    KILN_TRY(runStep(i));
    if (!events.empty() && isStep)
      KILN_TRY(recordEvent(i + 1));
    if (observer && isStep)
      KILN_TRY(observe(i, /*after=*/true));
  }
  return {};
}

Status CudaSession::runStep(size_t index) {
  const Command &command = launches.commands()[index];
  auto where = [&] { return launches.where(command); };
  bool isCollective = index < plan.steps.size() && plan.steps[index].collective;
  if (isCollective) {
    std::span<const uint64_t> buffers = launches.slotsOf(command);
    KILN_TRY(collectives.run(static_cast<uint32_t>(index), buffers[0], buffers[1], stream,
                             where));
    if (oneByOne)
      KILN_TRY(collectives.finish());
  } else if (command.tasks > 0) {
    KILN_TRY(launch(command));
  }
  collectives.noteStep();
  return {};
}

Status CudaSession::launch(const Command &command) {
  if (!command.code) {
    CUDA_MEMCPY3D_v2 p = launches.copyParameters(command);
    return driver.check(
        driver.memcpyDtoDAsync(p.dstDevice, p.srcDevice, p.WidthInBytes, stream),
        "cuMemcpyDtoDAsync", [&] { return launches.where(command); });
  }
  KILN_TRY(launches.encodeMaps(command));
  CUDA_KERNEL_NODE_PARAMS_v2 p = launches.kernelParameters(command);
  KILN_TRY(
      driver.check(driver.launchKernel(p.func, p.gridDimX, 1, 1, p.blockDimX, 1, 1,
                                       p.sharedMemBytes, stream, p.kernelParams, nullptr),
                   "cuLaunchKernel", [&] { return launches.where(command); }));
  if (!oneByOne)
    return {};
  return driver.check(
      driver.streamSynchronize(stream), "cuStreamSynchronize",
      [&] { return launches.where(command); }, Code::KernelFailed);
}

Status CudaSession::recordEvent(size_t event) {
  return check(driver.eventRecord(events[event], stream), "cuEventRecord");
}

Status CudaSession::readTimes() {
  for (size_t i = 0; i < times.size(); ++i) {
    float milliseconds = 0;
    KILN_TRY(driver.check(
        driver.eventElapsedTime(&milliseconds, events[i], events[i + 1]),
        "cuEventElapsedTime", [&] { return launches.where(launches.commands()[i]); }));
    times[i] = static_cast<uint64_t>(milliseconds * 1e6f);
  }
  return {};
}

Status CudaSession::stepLaunch(size_t step, kiln_step_launch &out) const {
  const Command &command = launches.commands()[step];
  out = {command.tasks, 0, 0, 0, 0, nullptr};
  if (!command.code)
    return {};
  Current current(context);
  KILN_TRY(check(current.status(), "cuCtxPushCurrent"));
  const DeviceCode &code = *command.code;
  int blocks = 0;
  KILN_TRY(driver.check(driver.occupancyMaxActiveBlocks(
                            &blocks, code.function, static_cast<int>(code.block->threads),
                            command.sharedBytes),
                        "cuOccupancyMaxActiveBlocksPerMultiprocessor",
                        [&] { return launches.where(command); }));
  out = {command.tasks,          code.block->threads,
         command.sharedBytes,    static_cast<uint32_t>(blocks),
         command.workspaceBytes, code.name};
  return {};
}

/// Passes copies of a step's buffers in host memory to the observer. Buffers that a step
/// reads are copied before it runs, since it may overwrite them with its result.
Status CudaSession::observe(size_t index, bool after) {
  const Step &step = plan.steps[index];
  const Command &command = launches.commands()[index];
  std::span<const uint64_t> addresses = launches.slotsOf(command);
  size_t used = 0;
  std::vector<kiln_buffer_view> views;
  for (const std::vector<uint32_t> *buffers : {&step.reads, &step.writes}) {
    bool current = !after || buffers == &step.writes;
    for (uint32_t buffer : *buffers) {
      if (copies.size() <= used)
        copies.emplace_back();
      std::vector<uint8_t> &copy = copies[used];
      copy.resize(launches.bytesOf(buffer));
      if (current && !copy.empty())
        KILN_TRY(driver.check(
            driver.memcpyDtoHAsync(copy.data(), addresses[used], copy.size(), stream),
            "cuMemcpyDtoHAsync", [&] { return launches.where(command); }));
      ++used;
      views.push_back({plan.buffers[buffer].name.c_str(), copy.data(), copy.size()});
    }
  }
  KILN_TRY(driver.check(
      driver.streamSynchronize(stream), "cuStreamSynchronize",
      [&] { return launches.where(command); }, Code::KernelFailed));
  return observer.call(index, after, {views.data(), step.reads.size()},
                       {views.data() + step.reads.size(), step.writes.size()});
}
