//===- pattern.h - Compiled rows of the instruction table --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The strings of instructions.def in the form that the checker walks.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_PATTERN_H
#define KILN_SIM_PTX_PATTERN_H

#include "runtime/sim/ptx/instructions.h"

#include <string>
#include <vector>

namespace kiln::sim::ptx {

/// A modifier as matched: shapes share one Mod and differ in their numbers.
struct Word {
  Mod mod = Mod::None;
  Shape shape; ///< n is 0 in a pattern: any legal n of wgmma
  bool operator==(const Word &) const = default;
};
/// Mod::None if the text is no modifier at all.
Word parseWord(std::string_view spelling);

struct ModifierElement {
  std::vector<Word> alternatives;
  int group = -1; ///< elements of one {...} have the same number; -1: required
};

struct OperandPattern {
  enum class Kind : uint8_t {
    Value,     ///< a value of `type`
    Predicate, ///< `p`, `!p`
    Constant,  ///< integer constant within limits
    Vector,    ///< `v`: by the instruction's vector modifier; `count` elements if > 0
    Pack,
    Fragment,
    Address,
    Tensor,
    SinkOnly,
    SizeOrPredicate, ///< source size or ignore-src of cp.async
    Label,
    Table,
    Call
  };
  enum class PairKind : uint8_t { None, Optional, Required };
  /// Where the type comes from.
  enum class TypeFrom : uint8_t { Fixed, Modifier, Wide, DotProduct, Address };

  Kind kind = Kind::Value;
  bool written = false, relaxed = false, sink = false, negatable = false;
  bool registerOnly = false; ///< no constant
  bool symbolic = false;     ///< special registers and addresses of symbols too
  PairKind pair = PairKind::None;
  bool pairSink = false;
  TypeFrom from = TypeFrom::Fixed;
  Type type = Type::None; ///< Fixed
  uint8_t typeIndex = 0;  ///< Modifier
  uint8_t count = 0;      ///< Vector
  char fragment = 0;      ///< 'A' .. 'D'
  int8_t spaceIndex = -1; ///< Address: of the modifier; -1: `space`
  StateSpace space = StateSpace::Generic;
  std::vector<int64_t> choices; ///< Constant; empty: low..high
  int64_t low = 0, high = 0;
  int group = -1;            ///< {...}: optional together
  Mod condition = Mod::None; ///< there exactly if the instruction has it
};

struct Pattern {
  std::string mnemonic;
  std::vector<ModifierElement> modifiers;
  bool wildcard = false; ///< any further modifiers and operands
  std::vector<OperandPattern> operands;
  std::string problem; ///< what is wrong with the row's text; empty in a correct table
};

/// The compiled row; compiled once for all rows.
const Pattern &pattern(const Row &row);

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_PATTERN_H
