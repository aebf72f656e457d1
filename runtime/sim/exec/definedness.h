//===- definedness.h - Uninitialised registers -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In most functions static analysis proves that every register is written before it is
// read on all paths. In the others, masks of defined lanes are kept, byte by byte, for
// the remaining registers and all that depend on them: a value that is packed from
// several registers, shifted and extracted may have bytes that are never used. An error
// is reported when an undefined byte reaches a store, an address, a branch predicate or
// an atomic.
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
  /// `bytes`: how many low bytes of the register are used.
  void check(uint32_t index, const char *use, unsigned bytes = MaxRegisterBytes);

  Decoder &decoder;
  const ptx::Function &function;
  std::vector<bool> tracked;
  std::vector<std::vector<uint32_t>> masks; ///< mask registers of tracked registers, by
                                            ///< byte
  bool any = false;
};

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_DEFINEDNESS_H
