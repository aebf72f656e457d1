//===- byte_flow.h - Which bytes an instruction makes its results of -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers are packed from parts, cut and shifted by whole bytes, and merged: a part
// that nobody wrote may be dropped again without harm. Other instructions make every
// byte of their results of all bytes that they read.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_BYTE_FLOW_H
#define KILN_SIM_EXEC_BYTE_FLOW_H

#include "runtime/sim/ptx/module.h"

#include <vector>

namespace kiln::sim::exec {

struct RegisterByte {
  uint32_t index = 0; ///< of the register
  unsigned byte = 0;
};

/// One register that an instruction writes.
struct ByteFlow {
  uint32_t index = 0;
  std::vector<std::vector<RegisterByte>> bytes; ///< by byte: what it depends on
};

/// Bytes of a register; 1 for a predicate.
unsigned registerBytes(const ptx::Function &function, uint32_t index);

/// Finds the bytes that each byte of the results depends on, guards aside. False: each
/// depends on every byte that is read.
bool byteFlow(const ptx::Function &function, const ptx::Instruction &instruction,
              std::vector<ByteFlow> &flows);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_BYTE_FLOW_H
