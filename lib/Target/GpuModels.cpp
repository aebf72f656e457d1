//===- GpuModels.cpp - Performance models of GPU targets ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The performance model of a target is that of one GPU, from data sheets and whitepapers.
// Features, and the threads and blocks per multiprocessor, are from the PTX ISA and the
// CUDA C++ Programming Guide, "Compute Capabilities".
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/MachineModel.h"

using namespace kiln;

/// Values that no vendor publishes. Latencies were measured by others; L2 bandwidth is
/// the A100's for all GPUs, 5120 bytes per cycle for 108 multiprocessors, because only
/// its whitepaper states it; blockCycles and stepCycles are fitted
/// (docs/rationale/gpu.md).
static constexpr GpuModel kUnpublished = {
    .l2Latency = 800,      // 200 to 270 idle, three times that under load
    .memoryLatency = 1200, // l2Latency plus a miss
    .l2Bytes = 48,
    .mmaLatency = 64, // two dependent m16n8k16, measured by others as 33 each
    .blockCycles = 600,
    .stepCycles = 60,
};

/// Values common to the multiprocessors of all targets: four partitions, and shared
/// memory in 32 banks of 4 bytes.
static constexpr GpuModel common() {
  GpuModel model = kUnpublished;
  model.sharedBytes = 128;
  model.partitions = 4;
  return model;
}

/// A100, 40 GB: NVIDIA A100 whitepaper (2020).
static constexpr GpuModel ampereA100() {
  GpuModel model = common();
  model.clockGHz = 1.41; // boost clock
  model.multiprocessors = 108;
  model.memoryBytes = 1103;        // 1555 GB/s / 1.41 GHz
  model.multiplyAdds = 64;         // FP32 lanes
  model.tensorOperandBytes = 2048; // 312 TFLOPS / 1.41 GHz / 108 = 1024 MACs
  model.residentThreads = 2048;
  model.residentBlocks = 32;
  return model;
}

/// A40: its data sheet (2020), NVIDIA Ampere GA102 whitepaper (2021).
static constexpr GpuModel ampereA40() {
  GpuModel model = common();
  model.clockGHz = 1.74; // boost clock
  model.multiprocessors = 84;
  model.memoryBytes = 400; // 696 GB/s / 1.74 GHz
  model.multiplyAdds = 128;
  model.tensorOperandBytes = 1024; // 149.7 TFLOPS / 1.74 GHz / 84 = 512 MACs
  model.residentThreads = 1536;
  model.residentBlocks = 16;
  return model;
}

/// L40S: its data sheet (2023), NVIDIA Ada GPU architecture whitepaper (2022).
static constexpr GpuModel adaL40S() {
  GpuModel model = common();
  model.clockGHz = 2.52; // boost clock
  model.multiprocessors = 142;
  model.memoryBytes = 343; // 864 GB/s / 2.52 GHz
  model.multiplyAdds = 128;
  model.tensorOperandBytes = 1024; // 362 TFLOPS / 2.52 GHz / 142 = 512 MACs
  model.residentThreads = 1536;
  model.residentBlocks = 24;
  return model;
}

/// H200: NVIDIA H100 whitepaper (2022), H200 data sheet (2023) for memory.
static constexpr GpuModel hopperH200() {
  GpuModel model = common();
  model.clockGHz = 1.83; // 989 TFLOPS / 4096 / 132
  model.multiprocessors = 132;
  model.memoryBytes = 2623; // 4.8 TB/s / 1.83 GHz
  model.multiplyAdds = 128;
  // wgmma: 989 TFLOPS / 1.83 GHz / 132 = 2048 MACs per cycle; a column of an M = 128, K =
  // 64 tile has 128 * 64. mma.sync reaches 62 % of that (Luo et al., "Benchmarking and
  // Dissecting the Nvidia Hopper GPU Architecture", arXiv 2402.13499).
  model.wgmmaColumnCycles = 4;
  model.tensorOperandBytes = 2540;
  model.residentThreads = 2048;
  model.residentBlocks = 32;
  return model;
}

/// GeForce RTX 5090: NVIDIA RTX Blackwell whitepaper (2025).
static constexpr GpuModel blackwellRtx5090() {
  GpuModel model = common();
  model.clockGHz = 2.41; // boost clock
  model.multiprocessors = 170;
  model.memoryBytes = 744; // 1792 GB/s / 2.41 GHz
  model.multiplyAdds = 128;
  model.tensorOperandBytes = 512; // 209.5 TFLOPS (f32 sums) / 2.41 GHz / 170 = 256
  model.residentThreads = 1536;
  model.residentBlocks = 24;
  return model;
}

// Maximum shared memory of a block (the guide's table): 163 KiB for sm_80, 227 KiB for
// sm_90, 99 KiB for the others.
const GpuArchitecture kiln::kGpuArchitectures[6] = {
    {"sm_80", 80, 166912, false, false, false, ampereA100()},
    {"sm_86", 80, 101376, false, false, false, ampereA40()},
    {"sm_89", 80, 101376, false, false, false, adaL40S()},
    {"sm_90a", 80, 232448, true, true, true, hopperH200()},
    {"sm_120", 87, 101376, true, true, false, blackwellRtx5090()},
    {"sm_120a", 87, 101376, true, true, false, blackwellRtx5090()},
};
