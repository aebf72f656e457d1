//===- match.h - Instructions against the table ------------------*- C++ -*-===//
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

/// Rows whose modifiers a list of words matches.
struct ModifierMatch {
  std::vector<const Row *> rows; ///< in table order: rows that only refuse come last
  std::vector<Word> words;       ///< in the order of the rows' patterns
  /// If there are none: the first word that no row allows (words.size(): the end),
  /// and what would have been allowed there.
  size_t furthest = 0;
  std::vector<std::string> expected;
};
ModifierMatch matchModifiers(std::string_view mnemonic, const std::vector<Word> &words);

/// Sets the fields of the instruction that follow from the words.
void applyWords(Instruction &instruction, const std::vector<Word> &words);

/// Module and function whose names operands may refer to.
struct OperandContext {
  const Module &module;
  const Function &function;
};

struct OperandProblem {
  size_t operand = 0; ///< place in the list, its size if one is missing
  std::string message;
};

/// Whether the operands fit the row; on success their types are set and constants
/// brought into the form of their type. On failure they are unchanged.
bool matchOperands(Instruction &instruction, const Row &row,
                   const OperandContext &context, OperandProblem &problem);

/// Whether a register declared as `reg` can stand for a value of `type`. Relaxed: as
/// for ld, st and cvt, where a register may be wider.
bool registerFits(Type reg, Type type, bool relaxed);

/// Registers of a matrix operand: `count` of `type`; 0: none fits.
struct Fragment {
  unsigned count = 0;
  Type type = Type::None;
};
Fragment fragmentOf(const Instruction &instruction, char which);

/// Whether an mma's elements of fewer than 8 bits have bytes of their own.
bool padsToBytes(const Instruction &instruction);
/// Scales along k of an mma with block scales: 1, 2 or 4 bytes of a register.
unsigned scalesOf(const Instruction &instruction);

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_MATCH_H
