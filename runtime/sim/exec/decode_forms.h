//===- decode_forms.h - What decode functions share --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_DECODE_FORMS_H
#define KILN_SIM_EXEC_DECODE_FORMS_H

#include "runtime/sim/exec/decoder.h"

namespace kiln::sim::exec {

/// d = run(a, b, c): operand 0 of `bytes`, the others of `sources` bytes each.
bool emitForm(Decoder &decoder, const ptx::Instruction &instruction, Handler run,
              unsigned bytes, const std::vector<unsigned> &sources);

/// Floating-point forms of add, sub, mul, div, min, max, abs, neg.
bool decodeFloatArithmetic(Decoder &decoder, const ptx::Instruction &instruction);

/// One lane of an instruction that has no vector code: `how` is what fixed() was given.
using LaneFunction = uint64_t (*)(const void *how, uint64_t a, uint64_t b, uint64_t c);

struct LaneForm {
  LaneFunction function = nullptr;
  std::shared_ptr<const void> how;
  unsigned bytes = 0;            ///< of the destination
  std::vector<unsigned> sources; ///< bytes of each
};

/// d = function(a, b, c) for each lane; lines of the destination and the sources.
void emitLanes(Decoder &decoder, const LaneForm &form, uint32_t d,
               const std::vector<uint32_t> &lines);
/// Emits the function for an instruction: operand 0 is the destination, the operands
/// behind it are the sources.
bool emitLaneForm(Decoder &decoder, const ptx::Instruction &instruction,
                  const LaneForm &form, bool isSigned = false);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_DECODE_FORMS_H
