//===- match.h - Matching instructions with the table ------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_MATCH_H
#define KILN_SIM_PTX_MATCH_H

#include "runtime/sim/ptx/module.h"
#include "runtime/sim/ptx/pattern.h"

namespace kiln::sim::ptx {

/// Rows of the table whose modifiers match a list of words.
struct ModifierMatch {
  std::vector<const Row *> rows; ///< in table order: rows that are refused come last
  std::vector<Word> words;       ///< in the order of the rows' patterns
  /// If no row matches: index of the first word that no row allows (words.size(): the
  /// end), and the words allowed there.
  size_t furthest = 0;
  std::vector<std::string> expected;
};
ModifierMatch matchModifiers(std::string_view mnemonic, const std::vector<Word> &words);

/// Sets the fields of the instruction that the modifiers define.
void applyWords(Instruction &instruction, const std::vector<Word> &words);

/// Module and function in which operands' names are resolved.
struct OperandContext {
  const Module &module;
  const Function &function;
};

struct OperandProblem {
  size_t operand = 0; ///< index in the list; its size if an operand is missing
  std::string message;
};

/// Whether the operands match the row; if so, sets their types and converts constants to
/// them. Otherwise the operands are unchanged.
bool matchOperands(Instruction &instruction, const Row &row,
                   const OperandContext &context, OperandProblem &problem);

/// Whether a register declared as `reg` may hold a value of `type`. `relaxed`: the
/// register may be wider, as with ld, st and cvt.
bool registerFits(Type reg, Type type, bool relaxed);

/// Registers of a matrix operand: `count` of `type`; 0: no such operand.
struct Fragment {
  unsigned count = 0;
  Type type = Type::None;
};
Fragment fragmentOf(const Instruction &instruction, char which);

/// Whether an mma's elements of fewer than 8 bits are padded to a byte each.
bool padsToBytes(const Instruction &instruction);
/// Number of scales along k of an mma with block scales: 1, 2 or 4 bytes of a register.
unsigned scalesOf(const Instruction &instruction);

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_MATCH_H
