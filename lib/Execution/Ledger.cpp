//===- Ledger.cpp - Roofline analysis of GPU steps ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/Ledger.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>

using namespace kiln::execution;
using namespace llvm;

// From NVIDIA's data sheets: memory bandwidth; dense rates of f32, tf32 and f16/bf16. The
// first entry whose name is part of the device's name applies.
static const GpuLimits table[] = {
    {"A100-SXM4-40GB", 1555e9, 19.5e12, 156e12, 312e12},
    {"A100-PCIE-40GB", 1555e9, 19.5e12, 156e12, 312e12},
    {"A100 80GB PCIe", 1935e9, 19.5e12, 156e12, 312e12},
    {"A100", 2039e9, 19.5e12, 156e12, 312e12},
    {"L40S", 864e9, 91.6e12, 183e12, 362.05e12},
    {"H100 PCIe", 2000e9, 51.2e12, 378e12, 756e12},
    {"H100 NVL", 3938e9, 60e12, 417.5e12, 835e12},
    {"H100", 3350e9, 66.9e12, 494.7e12, 989.4e12},
    {"H200", 4800e9, 66.9e12, 494.7e12, 989.4e12},
    {"B200", 7672e9, 75e12, 1125e12, 2250e12},
    {"RTX 5090", 1792e9, 104.8e12, 104.8e12, 209.5e12},
};

const GpuLimits *kiln::execution::findGpuLimits(StringRef gpu) {
  const auto *found =
      std::find_if(std::begin(table), std::end(table),
                   [&](const GpuLimits &l) { return gpu.contains(l.name); });
  return found == std::end(table) ? nullptr : found;
}

double GpuLimits::rate(Arithmetic arithmetic) const {
  return arithmetic == Arithmetic::Half   ? half
         : arithmetic == Arithmetic::TF32 ? tf32
                                          : f32;
}

Arithmetic kiln::execution::arithmeticOf(const char *ptx) {
  Arithmetic fastest = Arithmetic::F32;
  StringRef rest = ptx ? ptx : "";
  while (!rest.empty()) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (!line.contains("mma.sync") && !line.contains("wgmma.mma_async"))
      continue;
    if (line.contains(".bf16") || line.contains("f16.f16"))
      return Arithmetic::Half;
    if (line.contains(".tf32"))
      fastest = Arithmetic::TF32;
  }
  return fastest;
}

StringRef kiln::execution::nameOf(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::Half   ? "f16/bf16"
         : arithmetic == Arithmetic::TF32 ? "tf32"
                                          : "f32";
}

double LedgerEntry::bound() const { return std::max(memorySeconds, computeSeconds); }

/// Describes idle multiprocessors, if a considerable part of the GPU is idle; else
/// returns "".
static std::string idle(const kiln_step_launch &launch, uint32_t multiprocessors,
                        double waves) {
  std::string text;
  raw_string_ostream os(text);
  if (launch.tasks < multiprocessors)
    os << "; " << launch.tasks << " of " << multiprocessors
       << " multiprocessors have work";
  else if (double last = waves - std::floor(waves);
           waves > 1 && last > 0 && waves / std::ceil(waves) < 0.8)
    os << "; tail wave: the last of " << format("%.0f", std::ceil(waves)) << " is "
       << format("%.0f", last * 100) << " % full";
  return text;
}

kiln_step_cost kiln::execution::costOn(const kiln_step_launch &launch,
                                       kiln_step_cost cost) {
  auto workspace = static_cast<int64_t>(launch.workspace_bytes);
  return {launch.tasks, cost.bytes + 2 * workspace, cost.flops + workspace / 4};
}

LedgerEntry kiln::execution::judge(const GpuLimits &limits, const kiln_step_cost &cost,
                                   const kiln_step_launch &launch,
                                   uint32_t multiprocessors, Arithmetic arithmetic) {
  LedgerEntry entry;
  entry.arithmetic = arithmetic;
  entry.memorySeconds = static_cast<double>(cost.bytes) / limits.bytes;
  entry.computeSeconds = static_cast<double>(cost.flops) / limits.rate(arithmetic);
  entry.why = entry.bound() < launchSeconds                ? "launch"
              : entry.computeSeconds > entry.memorySeconds ? "compute"
                                                           : "memory";
  double room = double(multiprocessors) * launch.blocks_per_multiprocessor;
  if (launch.threads && room > 0) {
    entry.waves = static_cast<double>(launch.tasks) / room;
    entry.why += idle(launch, multiprocessors, entry.waves);
  }
  return entry;
}
