//===- GpuModels.cpp - Figures of GPU targets -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a target can do is from the PTX ISA and the CUDA C++ Programming Guide, "Compute
// Capabilities". Rates of tiles are an A100's on every target until they are measured
// there, as only their ratios matter; docs/rationale/gpu.md says what would change.
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/MachineModel.h"

using namespace kiln;

/// An A100: NVIDIA A100 whitepaper (2020).
static constexpr GpuModel kAmpere = {
    .clockGHz = 1.41,           // boost clock
    .tileMultiprocessors = 120, // between the 108 of an A100 and the 132 of an H100
    .warpgroupMultiprocessors = 0,
    .reductionMultiprocessors = 132, // those of an H100: more parts cost others little
    .l2Latency = 800,                // 200 to 270 idle, three times that under load
    .memoryLatency = 1200,           // the same with a miss behind it
    .l2Bytes = 48,                   // 5120 bytes per cycle / 108
    .memoryBytes = 10,               // 1555 GB/s / 1.41 GHz / 108
    .warpgroupMemoryBytes = 0,
    .sharedBytes = 128,         // 32 banks of 4 bytes
    .multiplyAdds = 64,         // FP32 lanes
    .tensorOperandBytes = 2048, // 312 TFLOPS / 1.41 GHz / 108 = 1024 products
    .mmaLatency = 64,           // two m16n8k16 in a chain, measured by others as 33 each
    .wgmmaColumnCycles = 0,
    .partitions = 4,
    .residentThreads = 1536, // of sm_86 and sm_89, the smallest; an A100 holds 2048
    .residentBlocks = 16,    // of sm_86; an A100 holds 32
    .blockCycles = 600,      // docs/rationale/gpu.md, with stepCycles: fitted
    .stepCycles = 60,
    .busyThreads = 1024, // half of what a multiprocessor holds
};

/// An H200: NVIDIA H100 whitepaper (2022), H200 data sheet (2023) for memory.
static constexpr GpuModel hopper() {
  GpuModel model = kAmpere;
  model.clockGHz = 1.83;                // 989 TFLOPS / 4096 / 132
  model.warpgroupMultiprocessors = 132; // SXM
  model.warpgroupMemoryBytes = 20;      // 4.8 TB/s / 1.83 GHz / 132
  model.wgmmaColumnCycles = 4;          // 128 * 64 products / 2048 per cycle
  return model;
}

static constexpr GpuModel withClock(double clockGHz) {
  GpuModel model = kAmpere;
  model.clockGHz = clockGHz;
  return model;
}

// Shared memory of a block: the guide's table, 163 KiB of sm_80 and 227 KiB of sm_90,
// 99 KiB of the others.
const GpuArchitecture kiln::kGpuArchitectures[5] = {
    {"sm_80", 80, 166912, false, false, false, kAmpere},
    // An A40, GA102 whitepaper.
    {"sm_86", 80, 101376, false, false, false, withClock(1.74)},
    // An L40S, data sheet.
    {"sm_89", 80, 101376, false, false, false, withClock(2.52)},
    {"sm_90a", 80, 232448, true, true, true, hopper()},
    // A GeForce RTX 5090, RTX Blackwell whitepaper.
    {"sm_120", 87, 101376, true, true, false, withClock(2.41)},
};
