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

bool InstructionParser::instruction() {
  Instruction parsed;
  if (token.is("@") && !guard(parsed))
    return false;
  parsed.location = token.location;
  parsed.source = s.source;
  if (token.kind != Token::Kind::Identifier)
    return s.unexpected("an instruction, a label or a directive");
  s.labelUses.clear();
  std::string_view mnemonic;
  const ModifierMatch *found = opcode(mnemonic);
  if (!found)
    return false;
  if (!operandList(parsed, mnemonic) || !s.expect(";", "behind the instruction"))
    return false;
  // Later errors are within the statement, which has been read: do not skip anything.
  finishInstruction(std::move(parsed), *found);
  return true;
}

/// @p, @!p
bool InstructionParser::guard(Instruction &parsed) {
  s.take();
  parsed.guardNegated = s.accept("!");
  Token at = token;
  Operand predicate;
  if (at.kind != Token::Kind::Identifier)
    return s.unexpected("a predicate register behind @");
  if (!operands.namedOperand(predicate))
    return false;
  if (predicate.kind != Operand::Kind::Register ||
      function.registers[predicate.index].type != Type::Pred)
    return s.error(at, "a guard is a .pred register");
  parsed.guard = int32_t(predicate.index);
  return true;
}

/// Parses the dotted name of an instruction and returns the matching rows, cached by
/// name, as a program has few different ones.
const ModifierMatch *InstructionParser::opcode(std::string_view &mnemonic) {
  Token name = s.take();
  mnemonic = name.text;
  std::string key(name.text);
  std::vector<Token> tokens;
  while (token.kind == Token::Kind::Word) {
    tokens.push_back(s.take());
    key += tokens.back().text;
  }
  auto known = s.opcodes.find(key);
  if (known != s.opcodes.end())
    return &known->second;
  if (rowsOf(mnemonic).empty()) {
    s.error(name, "unknown instruction");
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
    s.error(name.location, key, std::string(first.refused), Problem::Refused);
    return nullptr;
  }
  return &s.opcodes.emplace(std::move(key), std::move(match)).first->second;
}

bool InstructionParser::unknownModifier(const Token &mnemonic,
                                        const std::vector<Token> &tokens,
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
  return s.error(complete ? mnemonic : tokens[match.furthest], std::move(message));
}

bool InstructionParser::operandList(Instruction &parsed, std::string_view mnemonic) {
  if (mnemonic == "bra")
    return calls.branchOperands(parsed);
  if (mnemonic == "brx")
    return calls.tableOperands(parsed);
  if (mnemonic == "call")
    return calls.callOperands(parsed);
  if (token.is(";"))
    return true;
  do {
    if (parsed.operands.size() == maxOperands)
      return s.error(token, "no instruction has so many operands");
    parsed.operands.emplace_back();
    if (!operands.operand(parsed.operands.back(), 0))
      return false;
  } while (s.accept(","));
  return true;
}

bool InstructionParser::finishInstruction(Instruction parsed,
                                          const ModifierMatch &opcode) {
  applyWords(parsed, opcode.words);
  if (!choose(parsed, opcode))
    return false;
  for (LabelUse &use : s.labelUses) {
    use.instruction = uint32_t(function.code.size());
    s.scopes.back().uses.push_back(use);
  }
  function.code.push_back(std::move(parsed));
  return true;
}

/// Selects the first row that matches. If none does, the error of a row whose operands
/// match takes precedence over errors about operands.
bool InstructionParser::choose(Instruction &parsed, const ModifierMatch &opcode) {
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
    if (attempt.opcode == Opcode::Call && !calls.checkCall(attempt))
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
    return s.error(parsed.location, spelling(parsed), std::move(mistake));
  std::string which = "operand " + std::to_string(problem.operand + 1) + ": ";
  Location at = problem.operand < parsed.operands.size()
                    ? parsed.operands[problem.operand].location
                    : parsed.location;
  return s.error(at, spelling(parsed), which + problem.message);
}
