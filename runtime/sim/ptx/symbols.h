//===- symbols.h - Names in operands -----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_SYMBOLS_H
#define KILN_SIM_PTX_SYMBOLS_H

#include "runtime/sim/ptx/module.h"

namespace kiln::sim::ptx {

struct SpecialInfo {
  std::string_view name;
  Type type;
  uint8_t components; ///< 0: no .x
  uint16_t minPtx, minSm;
};
const SpecialInfo &specialInfo(Special special);
/// Whether the name is a special register; if so, sets `special`.
bool findSpecial(std::string_view name, Special &special);

/// Returns the variable of a Symbol or a symbol-based Address; null for a function.
const Variable *symbolVariable(const Operand &operand, const Module &module,
                               const Function &function);
/// Returns the symbol's state space; Generic for a function.
StateSpace symbolSpace(const Operand &operand, const Module &module,
                       const Function &function);
std::string_view symbolName(const Operand &operand, const Module &module,
                            const Function &function);

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_SYMBOLS_H
