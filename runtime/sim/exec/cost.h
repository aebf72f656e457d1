//===- cost.h - Classes and costs of instructions ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_COST_H
#define KILN_SIM_EXEC_COST_H

#include "runtime/sim/ptx/instruction.h"

#include <string>

namespace kiln::sim::exec {

/// Returns the class in which counters list an instruction: "load", "f32", "matrix" ...
std::string classOf(const ptx::Instruction &instruction);

/// Returns the floating-point operations of one lane, or of a warp for MMA; sets `kind`
/// to "tensor", "f32", "f64", "f16" or "special". 0 if it computes no floats.
uint64_t flopsOf(const ptx::Instruction &instruction, std::string &kind);

/// Returns the counter that an instruction increments besides its class's; null for most.
const char *eventOf(const ptx::Instruction &instruction);
inline constexpr auto barrierEvents = {"block", "cluster", "mbarrier_arrivals",
                                       "mbarrier_waits"};
inline constexpr auto copyEvents = {"boxes", "copies"};
/// Whether counters count warps (barriers of blocks and clusters) rather than threads.
bool countedByWarp(const ptx::Instruction &instruction);
/// Whether the instruction is a bulk or tensor copy, which moves bytes between global and
/// shared memory.
bool isBulkCopy(const ptx::Instruction &instruction);

/// Returns the bytes of global memory that one lane accesses. Generic addresses count as
/// global; copies whose size is in a register and matrix loads are counted when they
/// execute.
uint64_t globalBytesOf(const ptx::Instruction &instruction);

/// Whether the next instruction may execute for other lanes: after jumps, waits and
/// guards. Consecutive instructions for the same lanes are counted as a group.
bool endsGroup(const ptx::Instruction &instruction);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_COST_H
