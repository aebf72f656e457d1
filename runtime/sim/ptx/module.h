//===- module.h - A parsed PTX module ----------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser builds a Module, and the executor decodes it. A module that parse() returned
// without errors has been checked: operands match their instruction, names resolve,
// versions and targets allow every form.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_MODULE_H
#define KILN_SIM_PTX_MODULE_H

#include "runtime/sim/ptx/instruction.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kiln::sim::ptx {

enum class Linkage : uint8_t { Internal, Visible, Extern, Weak, Common };

/// One initialised item of a variable: `size` bytes at `offset`, which are `bits` or an
/// address plus `bits`.
struct Initializer {
  enum class Kind : uint8_t { Bits, Address, GenericAddress, FunctionAddress };
  Kind kind = Kind::Bits;
  uint32_t size = 0;   ///< bytes written
  uint64_t offset = 0; ///< from the start of the variable
  uint64_t bits = 0;   ///< the value, or an addend of the address
  uint32_t symbol = 0; ///< Module::variables or Module::functions
  /// mask(symbol): index of a byte of the address; -1: the entire address.
  int8_t maskByte = -1;
};

/// `.ptr` on a kernel parameter: the pointee's space and alignment.
struct PointerAttribute {
  StateSpace space = StateSpace::Generic;
  uint32_t align = 4;
};

struct Variable {
  std::string name;
  StateSpace space = StateSpace::Global;
  Type type = Type::None;
  uint8_t vector = 1;
  uint32_t align = 0;         ///< bytes, a power of two; natural if not given
  std::vector<uint64_t> dims; ///< of an array; first 0: an unsized .extern array
  uint64_t size = 0;          ///< bytes; 0 for an unsized array
  bool unsizedArray = false;  ///< `.extern .shared .b8 smem[];`: dynamic shared memory
  bool array = false;
  bool managed = false; ///< .attribute(.managed)
  Linkage linkage = Linkage::Internal;
  std::vector<Initializer> init; ///< sorted by offset; bytes without one are zero
  std::optional<PointerAttribute> pointer;
  uint32_t offset = 0; ///< of a parameter: from the start of the parameters
  Location location;
};

/// A register variable, with %r<10> and vectors expanded to single registers.
struct Register {
  std::string name; ///< "%r3", "%v.x"
  Type type = Type::None;
};

/// Signature of a function, for calls.
struct Prototype {
  std::string name;
  std::vector<Variable> returns, parameters; ///< space Param or Reg
  bool noreturn = false;
  Location location;
};

/// A labelled list: `.branchtargets` (indices of instructions) or `.calltargets` (indices
/// of Module::functions).
struct TargetTable {
  std::string name;
  std::vector<uint32_t> targets;
};

/// Performance-tuning directives; 0: not given.
struct Directives {
  std::array<uint32_t, 3> maxntid = {}, reqntid = {}, reqnctapercluster = {};
  uint32_t minnctapersm = 0, maxnctapersm = 0, maxnreg = 0, maxclusterrank = 0;
  bool explicitcluster = false, noreturn = false, blocksareclusters = false;
  std::vector<std::string> pragmas;
};

struct Function {
  std::string name;
  bool entry = false;
  bool defined = false; ///< has a body; otherwise a declaration
  Linkage linkage = Linkage::Internal;
  Directives directives;
  std::vector<Variable> returns, parameters;
  uint32_t parameterBytes = 0; ///< entry: parameters laid out as the driver passes them
  /// Registers of returns and parameters in .reg space, then those of the body.
  std::vector<Register> registers;
  /// .reg parameters and returns of a .func: their registers, in order.
  std::vector<uint32_t> registerParameters, registerReturns;
  /// Variables declared in the body: .local, .shared, .param, .global, .const.
  std::vector<Variable> variables;
  std::vector<Instruction> code;
  std::map<std::string, uint32_t, std::less<>> labels; ///< -> index into code
  std::vector<TargetTable> branchTables, callTables;
  std::vector<Prototype> prototypes; ///< .callprototype
  int32_t alias = -1;                ///< .alias: index of the aliased function
  Location location;
};

/// A .file line.
struct SourceFile {
  uint32_t index = 0;
  std::string name;
};

/// A .loc line; Instruction::source points here.
struct SourceLine {
  uint32_t file = 0, line = 0, column = 0;
  int32_t inlinedAt = -1; ///< another SourceLine, -1 if not inlined
};

struct Target {
  uint32_t sm = 0; ///< 90 for sm_90, sm_90a
  char suffix = 0; ///< 'a', 'f' or 0
  bool texmodeIndependent = false, debug = false, mapF64ToF32 = false;
};

struct Module {
  uint32_t version = 0; ///< 87 for PTX 8.7, 90 for 9.0
  Target target;
  uint32_t addressSize = 64;
  std::vector<Variable> variables; ///< module scope
  std::vector<Function> functions; ///< entries, functions, declarations
  std::vector<SourceFile> files;
  std::vector<SourceLine> lines;
  std::vector<std::string> pragmas;

  const Function *function(std::string_view name) const;
  const Variable *variable(std::string_view name) const;
  /// Returns "kernel.cu:12" for an instruction with .loc information, otherwise an empty
  /// string.
  std::string source(const Instruction &instruction) const;
};

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_MODULE_H
