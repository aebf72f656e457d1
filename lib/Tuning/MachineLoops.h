//===- MachineLoops.h - Loops that measure a core ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TUNING_MACHINELOOPS_H
#define KILN_LIB_TUNING_MACHINELOOPS_H

#include <cstddef>
#include <cstdint>

namespace kiln::tuning {

/// Multiplies `rounds` times eight integers, each with the one before it: 3 cycles each
/// on all x86-64 CPUs since Nehalem and Zen.
uint64_t multiplyChain(int64_t rounds, uint64_t value);

/// Follows `steps` links from `place`.
const void *const *follow(const void *const *place, int64_t steps);

/// Instruction mixes of a loop: 12 independent FMAs, 6 FMAs and 6 additions of integers,
/// or 12 independent vdpbf16ps.
enum class Mix { Multiplies, Instructions, Bf16Dots };
/// Executes a mix `rounds` times on vectors of 64 bytes, or of 32, of which there is no
/// vdpbf16ps.
void runMix(Mix mix, int64_t rounds, bool isWide);

/// Reads `bytes` in four streams or one, with non-temporal prefetches so many bytes ahead
/// of the loads, in all streams together; 0: none. Returns a sum.
float readStreams(const char *data, size_t bytes, bool inFour, int64_t ahead,
                  bool isWide);

} // namespace kiln::tuning

#endif // KILN_LIB_TUNING_MACHINELOOPS_H
