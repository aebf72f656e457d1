//===- instruction.h - One parsed PTX instruction ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_INSTRUCTION_H
#define KILN_SIM_PTX_INSTRUCTION_H

#include "runtime/sim/ptx/instructions.h"

#include <string>
#include <vector>

namespace kiln::sim::ptx {

struct Location {
  uint32_t line = 0, column = 0; ///< from 1; 0: unknown
};

/// Special registers. Those with .x .y .z (.w) take Operand::component 0..3, Envreg
/// its number.
enum class Special : uint8_t {
#define KILN_PTX_SPECIAL(name, ...) name,
#include "runtime/sim/ptx/specials.def"
#undef KILN_PTX_SPECIAL
};
std::string_view spelling(Special special); ///< "%tid"

struct Operand {
  enum class Kind : uint8_t {
    Register,      ///< `index` in Function::registers
    Special,       ///< `special`, `component`
    Immediate,     ///< `bits`
    Sink,          ///< `_`
    Vector,        ///< {a, b, ...}: `elements`, each Register, Immediate or Sink
    Pair,          ///< d|p: two `elements`, each Register or Sink
    Address,       ///< [base + offset]: see `base`
    TensorAddress, ///< [map, {c0, c1, ...}]: elements[0] an Address, elements[1] the
                   ///< Vector; further Vectors and operands follow
    Symbol,        ///< address of `symbol` + offset, as in mov and cvta
    Label,         ///< `index` in Function::code
    Table,         ///< brx.idx, call: `index` in branchTables or callTables
    Prototype,     ///< call: `index` in Function::prototypes
    List           ///< call: `elements`, the arguments or results in order
  };
  /// Start of an Address.
  enum class Base : uint8_t { Register, Symbol, Absolute };
  enum class SymbolKind : uint8_t {
    ModuleVariable,   ///< Module::variables
    FunctionVariable, ///< Function::variables
    Parameter,        ///< Function::parameters
    Return,           ///< Function::returns
    Function          ///< Module::functions
  };

  Kind kind = Kind::Sink;
  /// Type of the value as the instruction uses it. A register may be declared with
  /// another type of the same size (for ld, st, cvt: at least that size).
  Type type = Type::None;
  bool negated = false; ///< `!p`
  Base base = Base::Register;
  SymbolKind symbolKind = SymbolKind::ModuleVariable;
  Special special = {};
  uint8_t component = 0;
  uint32_t index = 0; ///< register, symbol, label target, table or prototype
  int64_t offset = 0; ///< of Address and Symbol
  /// Immediate: the constant converted to `type` (f32: its 32 bits; never f16),
  /// sign-extended to 64 bits for signed integers, zero-extended for others.
  uint64_t bits = 0;
  std::vector<Operand> elements;
  Location location;

  bool isRegister() const { return kind == Kind::Register; }
  bool isImmediate() const { return kind == Kind::Immediate; }
};

/// An instruction with its operands in the order of the text; omitted optional operands
/// have no entry. A call has: List of results, callee (Symbol or Register), List of
/// arguments, and for indirect calls Prototype or Table.
struct Instruction {
  Opcode opcode = Opcode::Refused;
  const Row *row = nullptr;
  Location location;
  int32_t source = -1; ///< index of Module::lines

  int32_t guard = -1; ///< register of @p, -1 if always executed
  bool guardNegated = false;

  /// Modifiers in the order of the text, including types.
  std::vector<Mod> mods;
  ModSet set;
  bool has(Mod mod) const { return set.contains(mod); }

  /// Modifiers by group; Mod::None, Generic or 0 if absent. For a group that can occur
  /// several times the words are in the order of the text.
  std::array<Type, 6> types = {};
  uint8_t typeCount = 0;
  std::array<StateSpace, 2> spaces = {};
  std::array<Mod, 2> layouts = {};
  Mod rounding = Mod::None;   ///< Rn ... Rpi, Approx, Full
  Mod cache = Mod::None;      ///< Ca ... Wt
  Mod semantics = Mod::None;  ///< Weak ... Volatile
  Mod scope = Mod::None;      ///< Cta, Cluster, Gpu, Sys
  Mod operation = Mod::None;  ///< first of groups Operation and Compare
  Mod operation2 = Mod::None; ///< second: the .and of setp.lt.and
  Shape shape;
  uint8_t vector = 1; ///< .v2 .v4 .v8

  bool ftz() const { return has(Mod::Ftz); }
  bool sat() const { return has(Mod::Sat); }
  Type type() const { return types[0]; }
  StateSpace space() const { return spaces[0]; }

  std::vector<Operand> operands;
};

/// Returns "ld.global.nc.v4.f32", as in the text.
std::string spelling(const Instruction &instruction);

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_INSTRUCTION_H
