//===- parse_variable.cpp - Variables and registers -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser_impl.h"

#include <bit>

using namespace kiln::sim::ptx;

/// Max size of a variable: no modelled device has more memory.
static constexpr uint64_t maxVariableBytes = uint64_t(1) << 40;
static constexpr uint64_t maxAlign = 1 << 20;
static constexpr size_t maxDimensions = 32;

bool DeclarationParser::typeWord(Type &type, const Token &word) {
  static constexpr Type legal[] = {
      Type::Pred, Type::B8,  Type::B16, Type::B32, Type::B64, Type::B128,
      Type::U8,   Type::U16, Type::U32, Type::U64, Type::S8,  Type::S16,
      Type::S32,  Type::S64, Type::F16, Type::F32, Type::F64, Type::F16x2};
  for (Type t : legal)
    if (word.isWord(spelling(t))) {
      type = t;
      return true;
    }
  if (word.isWord("texref") || word.isWord("samplerref") || word.isWord("surfref"))
    return s.error(word, "textures and surfaces are not modelled", Problem::Refused);
  return s.error(word,
                 "unknown type; variables are .pred, .b8 to .b128, .u8 to .u64, .s8 to "
                 ".s64, .f16, .f16x2, .f32 or .f64");
}

/// Parses the words between the state space and the name, in any order.
bool DeclarationParser::qualifiers(Declaration &declaration) {
  while (token.kind == Token::Kind::Word)
    if (!qualifier(declaration))
      return false;
  return declaration.variable.type != Type::None || s.unexpected("a type such as .b32");
}

bool DeclarationParser::qualifier(Declaration &d) {
  if (token.isWord("align")) {
    s.take();
    Token at = token;
    uint64_t align = 0;
    if (!s.takeNumber(align, maxAlign, "an alignment"))
      return false;
    if (!std::has_single_bit(align))
      return s.error(at, "an alignment is a power of two");
    if (d.pointer) {
      d.variable.pointer->align = uint32_t(align);
    } else {
      d.variable.align = uint32_t(align);
      d.explicitAlign = true;
    }
    return true;
  }
  if (token.isWord("v2") || token.isWord("v4") || token.isWord("v8")) {
    if (d.variable.vector > 1)
      return s.error(token, "the vector length is given twice");
    d.variable.vector = uint8_t(s.take().text[2] - '0');
    return true;
  }
  if (token.isWord("attribute"))
    return attribute(d);
  if (token.isWord("ptr") || d.pointer)
    return pointerAttribute(d);
  if (d.variable.type != Type::None)
    return s.error(token, "expected the name of the variable");
  if (!typeWord(d.variable.type, token))
    return false;
  s.take();
  return true;
}

/// .attribute(.managed)
bool DeclarationParser::attribute(Declaration &d) {
  s.take();
  if (!s.expect("(", "behind .attribute"))
    return false;
  if (!token.isWord("managed"))
    return s.error(token, "only .managed is modelled", Problem::Refused);
  Token word = s.take();
  d.variable.managed = true;
  if (d.variable.space != StateSpace::Global)
    return s.error(word, ".managed is for .global variables");
  return s.expect(")", "closing .attribute");
}

/// .ptr{.space}{.align N} of a kernel parameter.
bool DeclarationParser::pointerAttribute(Declaration &d) {
  static constexpr std::pair<std::string_view, StateSpace> spaces[] = {
      {"global", StateSpace::Global},
      {"const", StateSpace::Const},
      {"local", StateSpace::Local},
      {"shared", StateSpace::Shared}};
  if (token.isWord("ptr")) {
    if (d.variable.space != StateSpace::Param || !bits(d.variable.type))
      return s.error(token, ".ptr follows the type of a kernel's parameter");
    s.take();
    d.pointer = true;
    d.variable.pointer.emplace();
    return true;
  }
  for (auto [word, space] : spaces)
    if (token.isWord(word)) {
      s.take();
      d.variable.pointer->space = space;
      return true;
    }
  return s.unexpected("the space the pointer points to, .align or the name");
}

bool VariableParser::variables(StateSpace space, Linkage linkage) {
  Declaration declaration;
  declaration.variable.space = space;
  declaration.variable.linkage = linkage;
  Token at = token;
  if (!declarations.qualifiers(declaration))
    return false;
  if (declaration.variable.type == Type::Pred)
    return s.error(at, "predicates live in registers only");
  do
    if (!declarator(declaration))
      return false;
  while (s.accept(","));
  return s.expect(";", "behind the variable");
}

bool VariableParser::declarator(Declaration declaration) {
  Token at = token;
  std::string_view name;
  if (!s.takeIdentifier(name, "the name of a variable"))
    return false;
  Variable &v = declaration.variable;
  v.name = name;
  v.location = at.location;
  if (!declarations.dimensions(v))
    return false;
  bool initialized = token.is("=");
  if (initialized && v.space != StateSpace::Global && v.space != StateSpace::Const)
    return s.error(token, "only .global and .const variables have initial values");
  if (initialized && v.linkage == Linkage::Extern)
    return s.error(token, "an .extern variable is given its value where it is defined");
  if (initialized) {
    s.take();
    if (!initializers.initializer(v))
      return false;
  }
  if (!declarations.layOut(declaration, at.location))
    return false;
  return addVariable(std::move(v), name);
}

/// Parses [2][3]. With [] the initialiser gives the first size, or the array is unsized.
bool DeclarationParser::dimensions(Variable &v) {
  while (token.is("[")) {
    Token open = s.take();
    v.array = true;
    int64_t size = 0;
    if (token.is("]")) {
      if (!v.dims.empty())
        return s.error(token, "only the first size may be left out");
    } else {
      if (!expressions.integer(size, "the size of the array"))
        return false;
      if (size <= 0)
        return s.error(open, "the size of an array is at least 1");
    }
    v.dims.push_back(uint64_t(size));
    if (v.dims.size() > maxDimensions)
      return s.error(open, "the array has too many dimensions");
    if (!s.expect("]", "closing the array's size"))
      return false;
  }
  return true;
}

/// Sets size and alignment.
bool DeclarationParser::layOut(Declaration &declaration, Location at) {
  Variable &v = declaration.variable;
  uint64_t each = uint64_t(bytes(v.type)) * v.vector;
  if (!declaration.explicitAlign)
    v.align = uint32_t(each);
  v.size = each;
  for (size_t i = 0; i < v.dims.size(); ++i) {
    uint64_t count = v.dims[i];
    if (count == 0) {
      if (v.linkage != Linkage::Extern)
        return s.error(at, v.name,
                       "the array's size is missing; only .extern arrays and arrays "
                       "with initial values may leave it out");
      v.unsizedArray = true;
    }
    if (count > maxVariableBytes || v.size * count > maxVariableBytes)
      return s.error(at, v.name, "the variable is larger than any device's memory");
    v.size *= count;
  }
  return true;
}

/// Adds a body's variable; one with static lifetime becomes the module's, under a name
/// that contains the body's.
bool VariableParser::addVariable(Variable v, std::string_view name) {
  Location at = v.location;
  bool ofModule = v.space == StateSpace::Global || v.space == StateSpace::Const;
  if (s.inFunction && !ofModule) {
    function.variables.push_back(std::move(v));
    return s.declare(name, {Name::Kind::FunctionVariable,
                            uint32_t(function.variables.size() - 1), at});
  }
  auto known = s.names.find(name);
  bool redeclared = !s.inFunction && known != s.names.end() &&
                    known->second.kind == Name::Kind::ModuleVariable;
  if (!redeclared) {
    if (s.inFunction)
      s.hoisted.push_back(uint32_t(module->variables.size()));
    module->variables.push_back(std::move(v));
    return s.declare(
        name, {Name::Kind::ModuleVariable, uint32_t(module->variables.size() - 1), at});
  }
  // An .extern declaration may precede or follow the definition.
  Variable &old = module->variables[known->second.index];
  bool bothExtern = old.linkage == Linkage::Extern && v.linkage == Linkage::Extern;
  if (!bothExtern && old.linkage != Linkage::Extern && v.linkage != Linkage::Extern)
    return s.error(at, name,
                   "the variable is defined in line " +
                       std::to_string(old.location.line) + " already");
  if (old.space != v.space || old.type != v.type || old.vector != v.vector ||
      old.array != v.array)
    return s.error(at, name,
                   "the variable was declared with another type in line " +
                       std::to_string(old.location.line));
  if (old.linkage == Linkage::Extern)
    old = std::move(v);
  return true;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

bool VariableParser::registers() {
  Declaration declaration;
  declaration.variable.space = StateSpace::Reg;
  if (!declarations.qualifiers(declaration))
    return false;
  do
    if (!registerDeclarator(declaration))
      return false;
  while (s.accept(","));
  return s.expect(";", "behind the registers");
}

bool VariableParser::registerDeclarator(const Declaration &declaration) {
  Token at = token;
  std::string_view name;
  if (!s.takeIdentifier(name, "the name of a register"))
    return false;
  RegisterDeclaration r;
  r.type = declaration.variable.type;
  r.vector = declaration.variable.vector;
  if (s.accept("<")) {
    r.range = true;
    if (!s.takeNumber(r.count, UINT32_MAX, "the number of registers") ||
        !s.expect(">", "closing the number of registers"))
      return false;
  }
  Name what{Name::Kind::Register, uint32_t(s.registerDeclarations.size()), at.location};
  s.registerDeclarations.push_back(std::move(r));
  if (!s.registerDeclarations.back().range)
    return s.declare(name, what);
  auto [it, isNew] = s.scopes.back().ranges.emplace(name, what);
  return isNew || s.error(at, "registers of this name are declared in line " +
                                  std::to_string(it->second.location.line));
}
