//===- definedness.h - Registers that nobody wrote ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most functions never read a register before they write it on every way there, which a
// look at the code proves. For the others masks of defined lanes are kept, for those
// registers and all that values flow to from them, by halves for what is packed from
// several registers and unpacked again, where a half may never be looked at; a report comes when such a value
// reaches a store, an address, a predicate that decides, or an atomic.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_DEFINEDNESS_H
#define KILN_SIM_EXEC_DEFINEDNESS_H

#include "runtime/sim/exec/decoder.h"

namespace kiln::sim::exec {

class Definedness {
public:
  Definedness(Decoder &decoder, const ptx::Function &function);
  /// Emits the check of an instruction's guard.
  void beforeGuard(const ptx::Instruction &instruction);
  /// Emits the checks before an instruction, under its guard.
  void before(const ptx::Instruction &instruction);
  /// Emits what follows from it, under its guard.
  void after(const ptx::Instruction &instruction);

private:
  /// Masks of the two halves of a register; one and the same unless it is packed.
  uint32_t maskOf(uint32_t index, bool high);
  void setMasks(uint32_t index, uint32_t mask);
  /// Halves keep what each of them is made of.
  void afterPack(const ptx::Instruction &instruction);
  void afterUnpack(const ptx::Instruction &instruction);
  void check(uint32_t index, const char *use);

  Decoder &decoder;
  const ptx::Function &function;
  std::vector<bool> tracked;
  std::vector<bool> packed;  ///< registers that some instruction packs
  std::vector<uint32_t> masks; ///< lines of the tracked registers' masks, then of high halves
  bool any = false;
};

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_DEFINEDNESS_H
