//===- async.h - The asynchronous instructions ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_ASYNC_ASYNC_H
#define KILN_SIM_EXEC_ASYNC_ASYNC_H

#include "runtime/sim/exec/decoder.h"

namespace kiln::sim::exec::async {

void addMbarrier(DecoderTable &table);
void addCpAsync(DecoderTable &table);
void addBulkCopy(DecoderTable &table);
void addTensorCopy(DecoderTable &table);
void addRemote(DecoderTable &table);    ///< st.async, red.async, st.bulk
void addTensormap(DecoderTable &table); ///< tensormap.replace, cp_fenceproxy
void addSetmaxnreg(DecoderTable &table);

/// An address operand, and the state space that its instruction names.
struct LaneAddress {
  AddressOperand operand;
  Space space = Space::Generic;
  uint64_t of(const uint8_t *regs, unsigned lane) const {
    uint64_t base = operand.narrow
                        ? reinterpret_cast<const uint32_t *>(regs + operand.line)[lane]
                        : reinterpret_cast<const uint64_t *>(regs + operand.line)[lane];
    return base + uint64_t(operand.offset);
  }
};
LaneAddress laneAddress(Decoder &decoder, const ptx::Operand &operand,
                        ptx::StateSpace space);

} // namespace kiln::sim::exec::async

#endif // KILN_SIM_EXEC_ASYNC_ASYNC_H
