//===- parse_call.cpp - Operands of branches and calls ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser_impl.h"
#include "runtime/sim/ptx/symbols.h"

using namespace kiln::sim::ptx;

bool CallParser::branchOperands(Instruction &parsed) {
  Token at = token;
  std::string_view name;
  if (!s.takeIdentifier(name, "the label to branch to"))
    return false;
  Operand target;
  target.kind = Operand::Kind::Label;
  target.location = at.location;
  s.labelUses.push_back({0, 0, -1, name, at.location});
  parsed.operands.push_back(std::move(target));
  return true;
}

bool CallParser::tableOperands(Instruction &parsed) {
  parsed.operands.resize(2);
  if (!operands.operand(parsed.operands[0], 0) || !s.expect(",", "behind the index"))
    return false;
  Token at = token;
  if (!operands.operand(parsed.operands[1], 0))
    return false;
  uint64_t number = 0;
  const Name *name = s.lookUp(at.text, number);
  return (name && name->kind == Name::Kind::BranchTable) ||
         s.error(at, "expected the name of a .branchtargets list");
}

/// Parses `call (results), callee, (arguments), prototype;`
bool CallParser::callOperands(Instruction &parsed) {
  parsed.operands.resize(3);
  Operand &results = parsed.operands[0], &target = parsed.operands[1],
          &arguments = parsed.operands[2];
  results.kind = arguments.kind = Operand::Kind::List;
  if (token.is("(") && (!callList(results) || !s.expect(",", "behind the results")))
    return false;
  if (!callTarget(target))
    return false;
  if (!token.is(","))
    return true;
  s.take();
  if (token.is("(")) {
    if (!callList(arguments))
      return false;
    if (!s.accept(","))
      return true;
  }
  Token at = token;
  Operand prototype;
  if (!operands.operand(prototype, 0))
    return false;
  uint64_t number = 0;
  const Name *name = s.lookUp(at.text, number);
  if (!name ||
      (name->kind != Name::Kind::Prototype && name->kind != Name::Kind::CallTable))
    return s.error(at, "expected a .callprototype or .calltargets");
  parsed.operands.push_back(std::move(prototype));
  return true;
}

bool CallParser::callList(Operand &list) {
  constexpr size_t maximum = 4096;
  list.location = token.location;
  s.take();
  if (s.accept(")"))
    return true;
  do {
    if (list.elements.size() == maximum)
      return s.error(token, "the call has too many arguments");
    list.elements.emplace_back();
    if (!operands.operandAtom(list.elements.back(), 0))
      return false;
  } while (s.accept(","));
  return s.expect(")", "closing the list");
}

bool CallParser::callTarget(Operand &target) {
  Token at = token;
  target.location = at.location;
  if (at.kind != Token::Kind::Identifier)
    return s.unexpected("the function to call, or a register with its address");
  if (!operands.namedOperand(target))
    return false;
  if (target.kind == Operand::Kind::Symbol &&
      target.symbolKind == Operand::SymbolKind::Function)
    return true;
  return (target.kind == Operand::Kind::Register &&
          registerFits(function.registers[target.index].type, Type::U64, false)) ||
         s.error(at, "a callee is a function or a 64-bit register");
}

bool CallParser::checkCall(Instruction &call) {
  const Operand &target = call.operands[1];
  const std::vector<Variable> *returns = nullptr, *parameters = nullptr;
  if (target.kind == Operand::Kind::Symbol) {
    const Function &callee = module->functions[target.index];
    if (callee.entry)
      return s.error(target.location, callee.name, "kernels are launched, not called");
    if (call.operands.size() > 3)
      return s.error(target.location, callee.name, "a direct call takes no prototype");
    returns = &callee.returns;
    parameters = &callee.parameters;
  } else if (call.operands.size() < 4) {
    return s.error(target.location, function.registers[target.index].name,
                   "an indirect call needs a .callprototype or .calltargets");
  } else if (call.operands[3].kind == Operand::Kind::Prototype) {
    const Prototype &prototype = function.prototypes[call.operands[3].index];
    returns = &prototype.returns;
    parameters = &prototype.parameters;
  } else {
    const TargetTable &table = function.callTables[call.operands[3].index];
    const Function &first = module->functions[table.targets.front()];
    returns = &first.returns;
    parameters = &first.parameters;
  }
  return checkCallList(call.operands[0], *returns, "result", call.location) &&
         checkCallList(call.operands[2], *parameters, "argument", call.location);
}

/// Returns the alignment; an explicit one below the natural alignment is ignored.
static uint32_t alignOf(const Variable &v) {
  return std::max<uint32_t>(v.align, bytes(v.type) * v.vector);
}

bool CallParser::checkCallList(Operand &list, const std::vector<Variable> &want,
                               std::string_view what, Location at) {
  std::string name(what);
  if (list.elements.size() != want.size())
    return s.error(at, "call",
                   "the callee has " + std::to_string(want.size()) + " " + name +
                       "s, the call " + std::to_string(list.elements.size()));
  for (size_t i = 0; i < want.size(); ++i) {
    Operand &given = list.elements[i];
    const Variable &wanted = want[i];
    bool fits = false;
    if (given.kind == Operand::Kind::Symbol && wanted.space == StateSpace::Param) {
      const Variable *v = symbolVariable(given, *module, function);
      fits = v && v->space == StateSpace::Param && v->size == wanted.size &&
             v->array == wanted.array && alignOf(*v) == alignOf(wanted);
    } else if (given.isRegister()) {
      // A register may be passed for a scalar .param.
      fits = !wanted.array &&
             registerFits(function.registers[given.index].type, wanted.type, false);
    } else if (given.isImmediate() && what == "argument") {
      fits = !wanted.array && constantFits(given, wanted.type);
    } else if (given.kind == Operand::Kind::Sink) {
      fits = what == "result";
    }
    if (!fits)
      return s.error(given.location, "call",
                     name + " " + std::to_string(i + 1) + " does not fit " +
                         std::to_string(wanted.size) + " bytes of ." +
                         std::string(spelling(wanted.type)) + (wanted.array ? "[]" : "") +
                         ", aligned to " + std::to_string(alignOf(wanted)) +
                         ", that the callee declares");
    if (given.isImmediate())
      convertConstant(given, wanted.type);
    given.type = wanted.type;
  }
  return true;
}
