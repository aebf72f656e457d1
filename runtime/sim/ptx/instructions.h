//===- instructions.h - The table of legal instruction forms ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row per family of legal forms (instructions.def). The parser accepts only what some
// row matches; the executor dispatches on Row::opcode and the modifiers of the
// instruction.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_INSTRUCTIONS_H
#define KILN_SIM_PTX_INSTRUCTIONS_H

#include "runtime/sim/ptx/modifiers.h"

#include <span>
#include <string_view>

namespace kiln::sim::ptx {

/// Operation of an instruction, finer than its mnemonic: `cp.async.bulk.tensor` and
/// `mbarrier.init` have their own. Refused: legal PTX that is not modelled.
enum class Opcode : uint16_t {
#define KILN_PTX_OPCODE(name) name,
#include "runtime/sim/ptx/opcodes.def"
#undef KILN_PTX_OPCODE
  Count
};
std::string_view spelling(Opcode opcode); ///< the enumerator, for debugging

/// Requirement on a target besides its architecture number.
enum class Feature : uint8_t {
  None,
  Exact,     ///< only sm_<minSm>a
  Specific,  ///< any target with `a` or `f`
  Family100, ///< `a` or `f` targets of the family of sm_100
  Family120, ///< `a` or `f` targets of the family of sm_120
};

struct Row {
  uint16_t index;      ///< dense, in table order
  std::string_view id; ///< stable: "add.int"; names the row in coverage files
  Opcode opcode;
  std::string_view pattern; ///< modifiers, see instructions.def
  std::string_view operands;
  uint16_t minPtx; ///< 70 for PTX 7.0
  uint16_t minSm;  ///< 80 for sm_80
  Feature feature;
  std::string_view refused; ///< the reason; empty if the row is executed
  bool executable() const { return refused.empty(); }
};

/// Returns all rows, in table order.
std::span<const Row> rows();
/// Returns the rows of a mnemonic ("add", "cp", ...), which need not be contiguous; empty
/// if unknown.
std::span<const uint16_t> rowsOf(std::string_view mnemonic);
/// Returns the row with that id; null if there is none.
const Row *findRow(std::string_view id);

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_INSTRUCTIONS_H
