//===- byte_flow.h - Byte-wise data flow of instructions -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Some instructions pack registers from parts, extract and shift entire bytes, or merge:
// an uninitialised part may be dropped again without harm. With all other instructions
// every byte of the result depends on all bytes that they read.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_BYTE_FLOW_H
#define KILN_SIM_EXEC_BYTE_FLOW_H

#include "runtime/sim/ptx/module.h"

#include <vector>

namespace kiln::sim::exec {

struct RegisterByte {
  uint32_t index = 0; ///< register index
  unsigned byte = 0;
};

/// One register that an instruction writes.
struct ByteFlow {
  uint32_t index = 0;
  std::vector<std::vector<RegisterByte>> bytes; ///< by byte: the bytes that it depends on
};

/// Returns a register's size in bytes; 1 for a predicate.
unsigned registerBytes(const ptx::Function &function, uint32_t index);

/// Finds the bytes that each byte of the results depends on, ignoring guards. False: each
/// depends on every byte that the instruction reads.
bool byteFlow(const ptx::Function &function, const ptx::Instruction &instruction,
              std::vector<ByteFlow> &flows);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_BYTE_FLOW_H
