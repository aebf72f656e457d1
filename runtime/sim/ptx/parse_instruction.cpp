//===- parse_instruction.cpp - Instructions -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser_impl.h"
#include "runtime/sim/ptx/symbols.h"

using namespace kiln::sim::ptx;

static constexpr size_t maxOperands = 64;

bool Parser::instruction() {
  Instruction parsed;
  if (token.is("@") && !guard(parsed))
    return false;
  parsed.location = token.location;
  parsed.source = source;
  if (token.kind != Token::Kind::Identifier)
    return unexpected("an instruction, a label or a directive");
  labelUses.clear();
  std::string_view mnemonic;
  const ModifierMatch *found = opcode(mnemonic);
  if (!found)
    return false;
  if (!operands(parsed, mnemonic) || !expect(";", "behind the instruction"))
    return false;
  // What is wrong from here on is inside the statement: nothing is to be skipped.
  finishInstruction(std::move(parsed), *found);
  return true;
}

/// @p, @!p
bool Parser::guard(Instruction &parsed) {
  take();
  parsed.guardNegated = accept("!");
  Token at = token;
  Operand predicate;
  if (at.kind != Token::Kind::Identifier)
    return unexpected("a predicate register behind @");
  if (!namedOperand(predicate))
    return false;
  if (predicate.kind != Operand::Kind::Register ||
      function.registers[predicate.index].type != Type::Pred)
    return error(at, "a guard is a .pred register");
  parsed.guard = int32_t(predicate.index);
  return true;
}

/// The dotted name of the instruction; the rows that it may mean are kept, since a
/// program has few different ones.
const ModifierMatch *Parser::opcode(std::string_view &mnemonic) {
  Token name = take();
  mnemonic = name.text;
  std::string key(name.text);
  std::vector<Token> tokens;
  while (token.kind == Token::Kind::Word) {
    tokens.push_back(take());
    key += tokens.back().text;
  }
  auto known = opcodes.find(key);
  if (known != opcodes.end())
    return &known->second;
  if (rowsOf(mnemonic).empty()) {
    error(name, "unknown instruction");
    return nullptr;
  }
  std::vector<Word> words;
  for (const Token &t : tokens)
    words.push_back(parseWord(t.text.substr(1)));
  ModifierMatch match = matchModifiers(mnemonic, words);
  if (match.rows.empty()) {
    unknownModifier(name, tokens, match);
    return nullptr;
  }
  const Row &first = *match.rows.front();
  if (!first.executable()) {
    error(name.location, key, std::string(first.refused), Problem::Refused);
    return nullptr;
  }
  return &opcodes.emplace(std::move(key), std::move(match)).first->second;
}

bool Parser::unknownModifier(const Token &mnemonic, const std::vector<Token> &tokens,
                             const ModifierMatch &match) {
  constexpr size_t maximum = 12;
  std::string list;
  for (size_t i = 0; i < match.expected.size(); ++i)
    if (i < maximum)
      list += (i ? ", " : "") + match.expected[i];
    else if (i == maximum)
      list += ", ...";
  bool complete = match.furthest >= tokens.size();
  std::string message = list.empty() ? "the instruction ends before this modifier"
                        : complete
                            ? "the instruction needs one more modifier, of " + list
                            : "`" + std::string(mnemonic.text) +
                                  "` has no such modifier here; expected one of " + list;
  return error(complete ? mnemonic : tokens[match.furthest], std::move(message));
}

bool Parser::operands(Instruction &parsed, std::string_view mnemonic) {
  if (mnemonic == "bra")
    return branchOperands(parsed);
  if (mnemonic == "brx")
    return tableOperands(parsed);
  if (mnemonic == "call")
    return callOperands(parsed);
  if (token.is(";"))
    return true;
  do {
    if (parsed.operands.size() == maxOperands)
      return error(token, "no instruction has so many operands");
    parsed.operands.emplace_back();
    if (!operand(parsed.operands.back(), 0))
      return false;
  } while (accept(","));
  return true;
}

bool Parser::finishInstruction(Instruction parsed, const ModifierMatch &opcode) {
  applyWords(parsed, opcode.words);
  if (!choose(parsed, opcode))
    return false;
  for (LabelUse &use : labelUses) {
    use.instruction = uint32_t(function.code.size());
    scopes.back().uses.push_back(use);
  }
  function.code.push_back(std::move(parsed));
  return true;
}

/// Takes the first row that fits. What is wrong with a row whose operands fit counts
/// more than operands that do not.
bool Parser::choose(Instruction &parsed, const ModifierMatch &opcode) {
  OperandContext context{*module, function};
  OperandProblem problem;
  std::string mistake;
  for (const Row *row : opcode.rows) {
    Instruction attempt = parsed;
    attempt.row = row;
    attempt.opcode = row->opcode;
    if (!row->executable() || !matchOperands(attempt, *row, context, problem))
      continue;
    std::string tooNew = checkMinima(attempt, *module);
    if (!tooNew.empty()) {
      if (mistake.empty())
        mistake = std::move(tooNew);
      continue;
    }
    if (attempt.opcode == Opcode::Call && !checkCall(attempt))
      return false;
    std::string wrong = checkInstruction(attempt, context);
    if (wrong.empty()) {
      parsed = std::move(attempt);
      return true;
    }
    if (mistake.empty())
      mistake = std::move(wrong);
  }
  parsed.row = opcode.rows.front();
  parsed.opcode = parsed.row->opcode;
  if (!mistake.empty())
    return error(parsed.location, spelling(parsed), std::move(mistake));
  std::string which = "operand " + std::to_string(problem.operand + 1) + ": ";
  Location at = problem.operand < parsed.operands.size()
                    ? parsed.operands[problem.operand].location
                    : parsed.location;
  return error(at, spelling(parsed), which + problem.message);
}

//===----------------------------------------------------------------------===//
// Branches and calls
//===----------------------------------------------------------------------===//

bool Parser::branchOperands(Instruction &parsed) {
  Token at = token;
  std::string_view name;
  if (!takeIdentifier(name, "the label to branch to"))
    return false;
  Operand target;
  target.kind = Operand::Kind::Label;
  target.location = at.location;
  labelUses.push_back({0, 0, -1, name, at.location});
  parsed.operands.push_back(std::move(target));
  return true;
}

bool Parser::tableOperands(Instruction &parsed) {
  parsed.operands.resize(2);
  if (!operand(parsed.operands[0], 0) || !expect(",", "behind the index"))
    return false;
  Token at = token;
  if (!operand(parsed.operands[1], 0))
    return false;
  uint64_t number = 0;
  const Name *name = lookUp(at.text, number);
  return (name && name->kind == Name::Kind::BranchTable) ||
         error(at, "expected the name of a .branchtargets list");
}

/// call (results), callee, (arguments), prototype;
bool Parser::callOperands(Instruction &parsed) {
  parsed.operands.resize(3);
  Operand &results = parsed.operands[0], &target = parsed.operands[1],
          &arguments = parsed.operands[2];
  results.kind = arguments.kind = Operand::Kind::List;
  if (token.is("(") && (!callList(results) || !expect(",", "behind the results")))
    return false;
  if (!callTarget(target))
    return false;
  if (!token.is(","))
    return true;
  take();
  if (token.is("(")) {
    if (!callList(arguments))
      return false;
    if (!accept(","))
      return true;
  }
  Token at = token;
  Operand prototype;
  if (!operand(prototype, 0))
    return false;
  uint64_t number = 0;
  const Name *name = lookUp(at.text, number);
  if (!name ||
      (name->kind != Name::Kind::Prototype && name->kind != Name::Kind::CallTable))
    return error(at, "expected a .callprototype or .calltargets");
  parsed.operands.push_back(std::move(prototype));
  return true;
}

bool Parser::callList(Operand &list) {
  constexpr size_t maximum = 4096;
  list.location = token.location;
  take();
  if (accept(")"))
    return true;
  do {
    if (list.elements.size() == maximum)
      return error(token, "the call has too many arguments");
    list.elements.emplace_back();
    if (!operandAtom(list.elements.back(), 0))
      return false;
  } while (accept(","));
  return expect(")", "closing the list");
}

bool Parser::callTarget(Operand &target) {
  Token at = token;
  target.location = at.location;
  if (at.kind != Token::Kind::Identifier)
    return unexpected("the function to call, or a register with its address");
  if (!namedOperand(target))
    return false;
  if (target.kind == Operand::Kind::Symbol &&
      target.symbolKind == Operand::SymbolKind::Function)
    return true;
  return (target.kind == Operand::Kind::Register &&
          registerFits(function.registers[target.index].type, Type::U64, false)) ||
         error(at, "a callee is a function or a 64-bit register");
}

bool Parser::checkCall(Instruction &call) {
  const Operand &target = call.operands[1];
  const std::vector<Variable> *returns = nullptr, *parameters = nullptr;
  if (target.kind == Operand::Kind::Symbol) {
    const Function &callee = module->functions[target.index];
    if (callee.entry)
      return error(target.location, callee.name, "kernels are launched, not called");
    if (call.operands.size() > 3)
      return error(target.location, callee.name, "a direct call takes no prototype");
    returns = &callee.returns;
    parameters = &callee.parameters;
  } else if (call.operands.size() < 4) {
    return error(target.location, function.registers[target.index].name,
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

/// An explicit alignment below the natural one does not count.
static uint32_t alignOf(const Variable &v) {
  return std::max<uint32_t>(v.align, bytes(v.type) * v.vector);
}

bool Parser::checkCallList(Operand &list, const std::vector<Variable> &want,
                           std::string_view what, Location at) {
  std::string name(what);
  if (list.elements.size() != want.size())
    return error(at, "call",
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
      // A scalar in .param may be given in a register.
      fits = !wanted.array &&
             registerFits(function.registers[given.index].type, wanted.type, false);
    } else if (given.isImmediate() && what == "argument") {
      fits = !wanted.array && constantFits(given, wanted.type);
    } else if (given.kind == Operand::Kind::Sink) {
      fits = what == "result";
    }
    if (!fits)
      return error(given.location, "call",
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
