//===- pattern.h - Compiled rows of the instruction table --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled form of the strings of instructions.def, which the matchers use.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_PATTERN_H
#define KILN_SIM_PTX_PATTERN_H

#include "runtime/sim/ptx/instructions.h"

#include <string>
#include <vector>

namespace kiln::sim::ptx {

/// A modifier to match: all shapes share one Mod and differ in their sizes.
struct Word {
  Mod mod = Mod::None;
  Shape shape; ///< in a pattern n = 0 means any legal n of wgmma
  bool operator==(const Word &) const = default;
};
/// Returns Mod::None if the text is no modifier.
Word parseWord(std::string_view spelling);

struct ModifierElement {
  std::vector<Word> alternatives;
  int group = -1; ///< elements of one {...} share a number; -1: required
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
    SizeOrPredicate, ///< source size or ignore-src predicate of cp.async
    Label,
    Table,
    Call
  };
  enum class PairKind : uint8_t { None, Optional, Required };
  /// Source of the operand's type.
  enum class TypeFrom : uint8_t { Fixed, Modifier, Wide, DotProduct, Address };

  Kind kind = Kind::Value;
  bool written = false, relaxed = false, sink = false, negatable = false;
  bool registerOnly = false; ///< a constant is not allowed
  bool symbolic = false;     ///< special registers and addresses of symbols are allowed
                             ///< too
  PairKind pair = PairKind::None;
  bool pairSink = false;
  TypeFrom from = TypeFrom::Fixed;
  Type type = Type::None; ///< Fixed
  uint8_t typeIndex = 0;  ///< Modifier
  uint8_t count = 0;      ///< Vector
  char fragment = 0;      ///< 'A' .. 'D'
  int8_t spaceIndex = -1; ///< Address: index of the space modifier; -1: `space`
  StateSpace space = StateSpace::Generic;
  std::vector<int64_t> choices; ///< allowed values of a Constant; empty: low..high
  int64_t low = 0, high = 0;
  int group = -1;            ///< {...}: elements that are optional together
  Mod condition = Mod::None; ///< present exactly if the instruction has this modifier
};

struct Pattern {
  std::string mnemonic;
  std::vector<ModifierElement> modifiers;
  bool wildcard = false; ///< any further modifiers and operands
  std::vector<OperandPattern> operands;
  std::string problem; ///< error in the row's text; empty in a correct table
};

/// Returns the compiled row; all rows are compiled once.
const Pattern &pattern(const Row &row);

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_PATTERN_H
