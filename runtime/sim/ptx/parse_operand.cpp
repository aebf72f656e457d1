//===- parse_operand.cpp - Operands of instructions -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands are parsed independently of the instruction; matchOperands checks whether they
// fit. Until then constants keep the type of a Constant.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser_impl.h"
#include "runtime/sim/ptx/symbols.h"

#include <charconv>

using namespace kiln::sim::ptx;

/// Max elements of an operand: wgmma has up to 128 registers in one.
static constexpr size_t maxElements = 256;

bool OperandParser::operand(Operand &out, unsigned depth) {
  if (!operandAtom(out, depth))
    return false;
  if (!token.is("|"))
    return true;
  s.take();
  Operand pair;
  pair.kind = Operand::Kind::Pair;
  pair.location = out.location;
  pair.elements.resize(2);
  pair.elements[0] = std::move(out);
  if (!operandAtom(pair.elements[1], depth))
    return false;
  out = std::move(pair);
  return true;
}

bool OperandParser::operandAtom(Operand &out, unsigned depth) {
  out.location = token.location;
  if (token.is("{"))
    return vectorOperand(out, depth);
  if (token.is("["))
    return addressOperand(out);
  if (token.is("!") && s.peek().kind == Token::Kind::Identifier)
    return negatedOperand(out);
  if (token.kind == Token::Kind::Identifier && token.text != "WARP_SZ")
    return namedOperand(out);
  return constantOperand(out);
}

bool OperandParser::constantOperand(Operand &out) {
  Constant constant;
  if (!expressions.expression(constant))
    return false;
  out.kind = Operand::Kind::Immediate;
  out.type = constant.type;
  out.bits = constant.bits;
  return true;
}

bool OperandParser::negatedOperand(Operand &out) {
  Token bang = s.take();
  if (!namedOperand(out))
    return false;
  if (out.kind != Operand::Kind::Register)
    return s.error(bang, "`!` negates predicate registers only");
  out.negated = true;
  return true;
}

bool OperandParser::namedOperand(Operand &out) {
  Token at = token;
  if (at.text == "_") {
    s.take();
    out.kind = Operand::Kind::Sink;
    return true;
  }
  uint64_t number = 0;
  if (const Name *name = s.lookUp(at.text, number)) {
    s.take();
    if (name->kind == Name::Kind::Register)
      return registerOperand(out, *name, number, at);
    return symbolOperand(out, *name);
  }
  Special special;
  if (findSpecial(at.text, special)) {
    s.take();
    return specialOperand(out, special, at);
  }
  if (at.text.starts_with("%envreg"))
    return environmentOperand(out, at);
  if (at.text.starts_with("%pm"))
    return s.error(at, "this special register is not modelled", Problem::Refused);
  return s.error(at, "the name is not declared");
}

/// Parses %envreg0 .. %envreg31.
bool OperandParser::environmentOperand(Operand &out, const Token &name) {
  constexpr uint8_t count = 32;
  std::string_view digits = name.text.substr(spelling(Special::Envreg).size());
  auto [end, problem] =
      std::from_chars(digits.data(), digits.data() + digits.size(), out.component);
  if (problem != std::errc() || end != digits.data() + digits.size() ||
      out.component >= count)
    return s.error(name, "the environment registers are %envreg0 to %envreg31");
  s.take();
  out.kind = Operand::Kind::Special;
  out.special = Special::Envreg;
  return true;
}

/// Parses .x .y .z .w, or .r .g .b .a.
bool OperandParser::component(uint8_t &index, unsigned count) {
  static constexpr std::string_view xyzw = "xyzw", rgba = "rgba";
  if (token.kind == Token::Kind::Word && token.text.size() == 2) {
    size_t i = xyzw.find(token.text[1]);
    if (i == std::string_view::npos)
      i = rgba.find(token.text[1]);
    if (i < count) {
      s.take();
      index = uint8_t(i);
      return true;
    }
  }
  return s.unexpected("a component .x, .y, .z or .w");
}

bool OperandParser::registerOperand(Operand &out, const Name &name, uint64_t number,
                                    const Token &at) {
  const RegisterDeclaration &r = s.registerDeclarations[name.index];
  if (r.range && at.text.empty())
    return s.error(at, "the name is that of a range of registers");
  uint8_t vector = r.vector;
  uint32_t first = s.materialize(name.index, number, at.text);
  out.kind = Operand::Kind::Register;
  out.index = first;
  if (token.kind == Token::Kind::Word) {
    uint8_t index = 0;
    if (vector == 1)
      return s.error(token, "the register has no components");
    if (!component(index, vector))
      return false;
    out.index = first + index;
    return true;
  }
  if (vector == 1)
    return true;
  out.kind = Operand::Kind::Vector;
  out.elements.resize(vector);
  for (uint8_t i = 0; i < vector; ++i) {
    out.elements[i].kind = Operand::Kind::Register;
    out.elements[i].index = first + i;
    out.elements[i].location = at.location;
  }
  return true;
}

bool OperandParser::specialOperand(Operand &out, Special special, const Token &name) {
  const SpecialInfo &info = specialInfo(special);
  if (module->version < info.minPtx)
    return s.error(name, "the special register needs .version " +
                             std::to_string(info.minPtx / 10) + "." +
                             std::to_string(info.minPtx % 10) + " or newer");
  if (module->target.sm < info.minSm)
    return s.error(name, "the special register needs .target sm_" +
                             std::to_string(info.minSm) + " or newer");
  out.kind = Operand::Kind::Special;
  out.special = special;
  if (info.components == 0)
    return true;
  return component(out.component, info.components);
}

bool OperandParser::symbolOperand(Operand &out, const Name &name) {
  out.kind = Operand::Kind::Symbol;
  out.index = name.index;
  switch (name.kind) {
  case Name::Kind::ModuleVariable:
    out.symbolKind = Operand::SymbolKind::ModuleVariable;
    break;
  case Name::Kind::FunctionVariable:
    out.symbolKind = Operand::SymbolKind::FunctionVariable;
    break;
  case Name::Kind::Parameter:
    out.symbolKind = Operand::SymbolKind::Parameter;
    break;
  case Name::Kind::Return:
    out.symbolKind = Operand::SymbolKind::Return;
    break;
  case Name::Kind::Function:
    out.symbolKind = Operand::SymbolKind::Function;
    break;
  case Name::Kind::Prototype:
    out.kind = Operand::Kind::Prototype;
    return true;
  case Name::Kind::BranchTable:
  case Name::Kind::CallTable:
    out.kind = Operand::Kind::Table;
    return true;
  case Name::Kind::Register:
    return false;
  }
  if (token.is("+"))
    return expressions.integer(out.offset, "what is added to an address");
  return true;
}

bool OperandParser::vectorOperand(Operand &out, unsigned depth) {
  if (depth > 0)
    return s.error(token, "a vector cannot hold another");
  s.take();
  out.kind = Operand::Kind::Vector;
  do {
    if (out.elements.size() == maxElements)
      return s.error(token, "the vector is longer than any instruction takes");
    out.elements.emplace_back();
    if (!operandAtom(out.elements.back(), depth + 1))
      return false;
  } while (s.accept(","));
  return s.expect("}", "closing the vector");
}

bool OperandParser::addressOperand(Operand &out) {
  s.take();
  Operand base;
  base.location = out.location;
  if (!addressBase(base))
    return false;
  if (token.is(","))
    return tensorOperand(out, std::move(base));
  out = std::move(base);
  return s.expect("]", "closing the address");
}

/// Parses [map, {c0, c1}] after the map.
bool OperandParser::tensorOperand(Operand &out, Operand base) {
  out.kind = Operand::Kind::TensorAddress;
  out.elements.push_back(std::move(base));
  while (s.accept(",")) {
    if (out.elements.size() == 4)
      return s.error(token, "a tensor address has a map and coordinates");
    out.elements.emplace_back();
    if (!operandAtom(out.elements.back(), 0))
      return false;
  }
  return s.expect("]", "closing the tensor address");
}

bool OperandParser::addressBase(Operand &out) {
  if (token.kind == Token::Kind::Identifier && token.text != "WARP_SZ") {
    Token at = token;
    if (!namedOperand(out))
      return false;
    if (out.kind == Operand::Kind::Register)
      out.base = Operand::Base::Register;
    else if (out.kind == Operand::Kind::Symbol)
      out.base = Operand::Base::Symbol;
    else
      return s.error(at, "an address starts from a register or variable");
    out.kind = Operand::Kind::Address;
    if (token.is("+"))
      return expressions.integer(out.offset, "what is added to an address");
    return true;
  }
  out.kind = Operand::Kind::Address;
  out.base = Operand::Base::Absolute;
  return expressions.integer(out.offset, "an address");
}
