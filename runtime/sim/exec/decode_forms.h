//===- decode_forms.h - Helpers of decode functions --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_DECODE_FORMS_H
#define KILN_SIM_EXEC_DECODE_FORMS_H

#include "runtime/sim/exec/decoder.h"

namespace kiln::sim::exec {

/// Emits d = run(a, b, c): operand 0 has `bytes`, the sources have `sources` bytes each.
bool emitForm(Decoder &decoder, const ptx::Instruction &instruction, Handler run,
              unsigned bytes, const std::vector<unsigned> &sources);

/// Decodes floating-point add, sub, mul, div, min, max, abs, neg.
bool decodeFloatArithmetic(Decoder &decoder, const ptx::Instruction &instruction);

/// Computes one lane of an instruction without vector code; `how` is the pointer given to
/// fixed().
using LaneFunction = uint64_t (*)(const void *how, uint64_t a, uint64_t b, uint64_t c);

struct LaneForm {
  LaneFunction function = nullptr;
  std::shared_ptr<const void> how;
  unsigned bytes = 0;            ///< of the destination
  std::vector<unsigned> sources; ///< bytes of each
};

/// Emits d = function(a, b, c) for each lane, with registers of the destination and the
/// sources.
void emitLanes(Decoder &decoder, const LaneForm &form, uint32_t d,
               const std::vector<uint32_t> &lines);
/// Emits the function for an instruction: operand 0 is the destination, the following
/// operands are the sources.
bool emitLaneForm(Decoder &decoder, const ptx::Instruction &instruction,
                  const LaneForm &form, bool isSigned = false);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_DECODE_FORMS_H
