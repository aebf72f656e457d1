//===- modifiers.h - Modifiers of instructions ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One enumerator per dotted word (modifier) in the forms of the instruction table.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_MODIFIERS_H
#define KILN_SIM_PTX_MODIFIERS_H

#include "runtime/sim/ptx/types.h"

#include <array>

namespace kiln::sim::ptx {

/// Group of a modifier, which determines the field of an Instruction that it sets.
enum class ModKind : uint8_t {
  Flag,      ///< only has(Mod)
  Type,      ///< Instruction::types, in order
  Space,     ///< Instruction::spaces, in order
  Rounding,  ///< Instruction::rounding
  Cache,     ///< Instruction::cache
  Semantics, ///< Instruction::semantics
  Scope,     ///< Instruction::scope
  Vector,    ///< Instruction::vector
  Layout,    ///< Instruction::layouts, in order
  Operation, ///< Instruction::operation: .add, .inc, .exch, ...
  Compare,   ///< Instruction::operation of set, setp and testp
  Shape,     ///< Instruction::shape
};

enum class Mod : uint16_t {
  None,
#define KILN_PTX_MOD(name, ...) name,
#define KILN_PTX_TYPE(name, ...) Type##name,
#include "runtime/sim/ptx/modifiers.def"
  KILN_PTX_TYPES(KILN_PTX_TYPE)
#undef KILN_PTX_TYPE
#undef KILN_PTX_MOD
      Count
};

struct ModInfo {
  std::string_view spelling; ///< without the dot: "L2::cache_hint"
  ModKind kind;
  uint16_t value; ///< a StateSpace, a Type, a vector count; else 0
};
const ModInfo &info(Mod mod);
std::string_view spelling(Mod mod);
/// Returns Mod::None if no form has the word. All shapes give Mod::Shape.
Mod findMod(std::string_view spelling);

constexpr Mod modOf(Type t) {
  return t == Type::None ? Mod::None : Mod(uint16_t(Mod::TypePred) + uint16_t(t) - 1);
}

/// Shape such as .m16n8k16; k is 0 for .m8n8.
struct Shape {
  uint16_t m = 0, n = 0, k = 0;
  bool operator==(const Shape &) const = default;
};

/// A set of Mods, one bit each.
class ModSet {
public:
  void insert(Mod mod) { words[size_t(mod) / 64] |= uint64_t(1) << (size_t(mod) % 64); }
  bool contains(Mod mod) const {
    return words[size_t(mod) / 64] >> (size_t(mod) % 64) & 1;
  }

private:
  std::array<uint64_t, (size_t(Mod::Count) + 63) / 64> words = {};
};

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_MODIFIERS_H
