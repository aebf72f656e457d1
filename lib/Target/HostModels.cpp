//===- HostModels.cpp - The table of CPUs ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Figures belong to a target, never to the build machine, so that a target gives the same
// bytes everywhere. `kiln tune --machine` measures those of the machine at hand and
// prints them as a row; docs/benchmarks/cpus.md has what rows were measured.
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/MachineModel.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln;

static constexpr int64_t kKiB = 1 << 10;

// L2 of levels is the minimum of their CPUs (x86-64-v3: Zen 1 to 3; client Haswell with
// 256 KiB is rare now). Throughput is that of Zen 4, which executes 512 bits as two
// halves and reads 40 GB/s per core at 5 GHz, where nothing else was measured. That of
// Zen 5, and of Emerald Rapids, which has Sapphire Rapids' row, is in
// docs/benchmarks/cpus.md, Zen 5's prefetches in docs/rationale/precision.md.
// Dot products of bf16: vdpbf16ps takes Zen 4 and 5 as long as an FMA of as many bits,
// and Sapphire Rapids, which has two units for FMAs, twice as long; nobody measured
// Cooper Lake.
static constexpr HostCpu kHostCpus[] = {
    // name, instruction set, timing model, L2, prefetch, FMAs, instructions, memory, bf16
    {"x86-64-v3", HostIsa::Avx2, "x86-64-v3", 512 * kKiB, 0, 2, 2, 8, 0},
    {"znver3", HostIsa::Avx2, "znver3", 512 * kKiB, 0, 2, 2, 8, 0},
    {"alderlake", HostIsa::AvxVnni, "alderlake", 512 * kKiB, 0, 2, 2, 8, 0},
    {"x86-64-v4", HostIsa::Avx512, "x86-64-v3", 1024 * kKiB, 0, 1, 2, 8, 0},
    {"skylake-avx512", HostIsa::Avx512, "skylake-avx512", 1024 * kKiB, 0, 1, 2, 8, 0},
    {"cascadelake", HostIsa::Vnni, "cascadelake", 1024 * kKiB, 0, 1, 2, 8, 0},
    {"icelake-server", HostIsa::Vnni, "icelake-server", 1024 * kKiB, 0, 1, 2, 8, 0},
    {"cooperlake", HostIsa::Bf16, "cooperlake", 1024 * kKiB, 0, 1, 2, 8, 0.5},
    {"znver4", HostIsa::Bf16, "znver4", 1024 * kKiB, 4096, 1, 2, 8, 1},
    {"znver5", HostIsa::Bf16, "znver5", 1024 * kKiB, 4096, 2, 3, 10, 2},
    {"sapphirerapids", HostIsa::Amx, "sapphirerapids", 2048 * kKiB, 0, 2, 2, 6, 0.5},
};

llvm::ArrayRef<HostCpu> kiln::hostCpus() { return kHostCpus; }

const HostCpu &kiln::hostCpuFor(llvm::StringRef cpu, HostIsa isa) {
  const auto *own = llvm::find_if(kHostCpus, [&](const HostCpu &row) {
    return row.name == cpu && includes(isa, row.isa);
  });
  if (own != std::end(kHostCpus))
    return *own;
  return *llvm::find_if(kHostCpus, [&](const HostCpu &row) { return row.isa == isa; });
}
