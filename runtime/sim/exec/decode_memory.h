//===- decode_memory.h - Decoding memory operands ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_DECODE_MEMORY_H
#define KILN_SIM_EXEC_DECODE_MEMORY_H

#include "runtime/sim/exec/decoder.h"
#include "runtime/sim/exec/handlers.h"

namespace kiln::sim::exec {

/// Address operand of an access, and the kind of handler that resolves it.
struct MemoryOperand {
  Reach reach = Reach::Generic;
  Space space = Space::Generic;
  uint32_t line = 0; ///< b64, or b32 for Reach::Shared32
  uint64_t offset = 0;
};

/// Returns the elements of a vector operand, or the operand itself.
std::vector<const ptx::Operand *> elementsOf(const ptx::Operand &operand);

MemoryOperand memoryOperand(Decoder &decoder, const ptx::Operand &operand,
                            ptx::StateSpace space);
Watch watchOf(const Decoder &decoder);
AccessTraits traitsOf(const ptx::Instruction &instruction, AccessKind kind);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_DECODE_MEMORY_H
