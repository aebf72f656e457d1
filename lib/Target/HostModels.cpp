//===- HostModels.cpp - Performance models of CPU targets -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cache sizes are the minimum over CPUs of a level, not those of the build machine, so
// that a target gives the same bytes everywhere. Prefetch distances are those of the CPU
// that code is tuned for.
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/MachineModel.h"

using namespace kiln;

const HostModel kiln::kHostLevel3 = {
    /*vectorBytes=*/32,     // AVX2
    /*vectorRegisters=*/16, // ymm0 to ymm15, System V psABI
    /*l1Bytes=*/32 << 10,   // Haswell to Skylake, Zen 1 to 4
    /*l2Bytes=*/512 << 10,  // Zen 1 to 3; client Haswell with 256 KiB is rare now
    /*cacheLineBytes=*/64,
};

const HostModel kiln::kHostLevel4 = {
    /*vectorBytes=*/64,     // AVX-512
    /*vectorRegisters=*/32, // zmm0 to zmm31
    /*l1Bytes=*/32 << 10,   // Skylake-SP, Zen 4
    /*l2Bytes=*/1 << 20,    // Skylake-SP, Zen 4; 2 MiB from Sapphire Rapids on
    /*cacheLineBytes=*/64,
};

int64_t kiln::streamPrefetchBytes(llvm::StringRef cpu) {
  // Measured on a Zen 5 EPYC: docs/rationale/precision.md
  return cpu == "znver5" ? 4096 : 0;
}
