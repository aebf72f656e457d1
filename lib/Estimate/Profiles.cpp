//===- Profiles.cpp - Topologies that ship with Kiln ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory sizes, memory bandwidths and matmul rates (dense, f32 accumulation where the
// data sheet distinguishes it) are those of data sheets:
//
//   H100 SXM5    NVIDIA H100 Tensor Core GPU data sheet (2023); NVLink 4, 900 GB/s in
//                both directions; ConnectX-7 and NDR InfiniBand, 400 Gb/s per adapter
//   H200 SXM     NVIDIA H200 data sheet (2023)
//   A100 SXM4    NVIDIA A100 data sheet (2021), 80 GB; NVLink 3, 600 GB/s; ConnectX-6,
//                HDR InfiniBand, 200 Gb/s
//   L4           NVIDIA L4 data sheet (2023); PCIe 4.0 x16, 32 GB/s per direction
//   L40S         NVIDIA L40S data sheet (2023); PCIe 4.0 x16
//   EPYC 9654    AMD EPYC 9004 data sheet (2022): 96 cores at 2.4 GHz, 12 channels of
//                DDR5-4800; two AVX-512 multiply-adds of 8 lanes per cycle and core
//
// Data sheets have no latencies. Those given here are assumptions: for NVLink and
// networks the order of magnitude that NCCL's cost model assumes for a step of its
// protocols, for PCIe twice that of NVLink.
//
//===----------------------------------------------------------------------===//

#include "kiln/Estimate/Topology.h"

using namespace kiln::estimate;

#define KILN_H100                                                                        \
  R"("device": {"name": "H100 SXM5 80GB", "target": "sm_90a", "memory_gib": 80,
    "memory_gb_per_s": 3350,
    "tflops": {"f32": 67, "tf32": 494, "f16": 989, "f8": 1979, "i8": 1979}},
  "link": {"kind": "nvlink", "gb_per_s": 450, "latency_us": 2})"
#define KILN_A100                                                                        \
  R"("device": {"name": "A100 SXM4 80GB", "target": "sm_80", "memory_gib": 80,
    "memory_gb_per_s": 2039,
    "tflops": {"f32": 19.5, "tf32": 156, "f16": 312, "f8": 312, "i8": 624}},
  "link": {"kind": "nvlink", "gb_per_s": 300, "latency_us": 2})"
#define KILN_L4                                                                          \
  R"("device": {"name": "L4 24GB", "target": "sm_89", "memory_gib": 24,
    "memory_gb_per_s": 300,
    "tflops": {"f32": 30.3, "tf32": 60, "f16": 121, "f8": 242, "i8": 242}},
  "link": {"kind": "pcie", "gb_per_s": 32, "latency_us": 4})"

static constexpr Profile kProfiles[] = {
    {"h100x1", R"({"name": "h100x1", "devices_per_node": 1,
  )" KILN_H100 "}"},
    {"h100x8", R"({"name": "h100x8", "devices_per_node": 8,
  )" KILN_H100 "}"},
    {"h100x8x2nodes", R"({"name": "h100x8x2nodes", "devices_per_node": 8, "nodes": 2,
  )" KILN_H100 R"(,
  "network": {"kind": "infiniband", "gb_per_s": 50, "latency_us": 5}})"},
    {"h100x8x512nodes",
     R"({"name": "h100x8x512nodes", "devices_per_node": 8, "nodes": 512,
  )" KILN_H100 R"(,
  "network": {"kind": "infiniband", "gb_per_s": 50, "latency_us": 5}})"},
    {"h200x8", R"({"name": "h200x8", "devices_per_node": 8,
  "device": {"name": "H200 SXM 141GB", "target": "sm_90a", "memory_gib": 131,
    "memory_gb_per_s": 4800,
    "tflops": {"f32": 67, "tf32": 494, "f16": 989, "f8": 1979, "i8": 1979}},
  "link": {"kind": "nvlink", "gb_per_s": 450, "latency_us": 2}})"},
    {"a100x8", R"({"name": "a100x8", "devices_per_node": 8,
  )" KILN_A100 "}"},
    {"a100x8x2nodes", R"({"name": "a100x8x2nodes", "devices_per_node": 8, "nodes": 2,
  )" KILN_A100 R"(,
  "network": {"kind": "infiniband", "gb_per_s": 25, "latency_us": 5}})"},
    {"l4x1", R"({"name": "l4x1", "devices_per_node": 1,
  )" KILN_L4 "}"},
    {"l4x4-pcie", R"({"name": "l4x4-pcie", "devices_per_node": 4,
  )" KILN_L4 "}"},
    {"l4x8-pcie", R"({"name": "l4x8-pcie", "devices_per_node": 8,
  )" KILN_L4 "}"},
    {"l40sx8-pcie", R"({"name": "l40sx8-pcie", "devices_per_node": 8,
  "device": {"name": "L40S 48GB", "target": "sm_89", "memory_gib": 48,
    "memory_gb_per_s": 864,
    "tflops": {"f32": 91.6, "tf32": 183, "f16": 362, "f8": 733, "i8": 733}},
  "link": {"kind": "pcie", "gb_per_s": 32, "latency_us": 4}})"},
    {"epyc9654x2", R"({"name": "epyc9654x2", "devices_per_node": 2,
  "device": {"name": "EPYC 9654, a socket", "target": "x86-64-v4", "memory_gib": 384,
    "memory_gb_per_s": 460.8, "step_us": 5, "tflops": {"f32": 7.37}},
  "link": {"kind": "memory", "gb_per_s": 64, "latency_us": 1}})"},
};

llvm::ArrayRef<Profile> kiln::estimate::profiles() { return kProfiles; }
