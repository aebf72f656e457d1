//===- definedness.h - Registers that nobody wrote ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most functions never read a register before they write it on every way there, which a
// look at the code proves. For the others masks of defined lanes are kept, for those
// registers and all that values flow to from them, by byte: what is packed from several
// registers, shifted and cut again may have bytes that are never looked at. A report
// comes when such a value reaches a store, an address, a predicate that decides, or an
// atomic.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_DEFINEDNESS_H
#define KILN_SIM_EXEC_DEFINEDNESS_H

#include "runtime/sim/exec/byte_flow.h"
#include "runtime/sim/exec/decoder.h"

namespace kiln::sim::exec {

class Definedness final : public Instrumentation {
public:
  explicit Definedness(Decoder &decoder);
  void beforeGuard(const ptx::Instruction &instruction) override;
  void before(const ptx::Instruction &instruction) override;
  void after(const ptx::Instruction &instruction) override;

private:
  static constexpr uint32_t MaxRegisterBytes = 16;
  uint32_t maskOf(uint32_t index, unsigned byte);
  uint32_t allDefined(const std::vector<RegisterByte> &bytes);
  void afterAny(const ptx::Instruction &instruction);
  /// `bytes`: how many of the register's are used, from the first on.
  void check(uint32_t index, const char *use, unsigned bytes = MaxRegisterBytes);

  Decoder &decoder;
  const ptx::Function &function;
  std::vector<bool> tracked;
  std::vector<std::vector<uint32_t>> masks; ///< lines of tracked registers, by byte
  bool any = false;
};

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_DEFINEDNESS_H
