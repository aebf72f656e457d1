//===- cost.h - What instructions are and cost -------------------*- C++ -*-===//
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

/// The word that counters list an instruction under: "load", "f32", "matrix" ...
std::string classOf(const ptx::Instruction &instruction);

/// Floating-point operations of one lane, of a warp for matrix products; `kind` becomes
/// "tensor", "f32", "f64", "f16" or "special". 0 if it computes no floats.
uint64_t flopsOf(const ptx::Instruction &instruction, std::string &kind);

/// Counter that an instruction adds to besides its class's; null for most.
const char *eventOf(const ptx::Instruction &instruction);
inline constexpr auto barrierEvents = {"block", "cluster", "mbarrier_arrivals",
                                       "mbarrier_waits"};
inline constexpr auto copyEvents = {"boxes", "copies"};
/// Barriers of blocks and clusters are counted by warps, all else by threads.
bool countedByWarp(const ptx::Instruction &instruction);
/// Moves bytes between global and shared memory by itself: bulk and tensor copies.
bool isBulkCopy(const ptx::Instruction &instruction);

/// Bytes of global memory that one lane asks for. Generic addresses count as global;
/// copies whose size is in a register and matrix loads are counted as they run.
uint64_t globalBytesOf(const ptx::Instruction &instruction);

/// Instructions that run for the same lanes one after the other are counted together.
/// True if the next one may run for others: after jumps, waits and guards.
bool endsGroup(const ptx::Instruction &instruction);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_COST_H
