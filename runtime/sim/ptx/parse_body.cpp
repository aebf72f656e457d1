//===- parse_body.cpp - Statements of functions ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser_impl.h"

using namespace kiln::sim::ptx;

/// Max nesting of blocks; each level uses some host stack.
static constexpr unsigned maxBlockDepth = 256;

bool BodyParser::body(uint32_t index) {
  function = module->functions[index];
  s.inFunction = true;
  s.scopes.clear();
  s.registerDeclarations.clear();
  s.source = -1;
  s.openScope();
  declareParameters();
  statements(0);
  s.closeScope();
  function.defined = true;
  module->functions[index] = std::move(function);
  s.inFunction = false;
  return s.expect("}", "closing the function's body");
}

/// Declares parameters and results; creates registers for those in .reg space.
void BodyParser::declareParameters() {
  auto add = [&](std::vector<Variable> &list, Name::Kind kind,
                 std::vector<uint32_t> &registers) {
    for (uint32_t i = 0; i < list.size(); ++i) {
      Variable &v = list[i];
      if (v.space != StateSpace::Reg) {
        s.declare(v.name, {kind, i, v.location});
        if (function.entry)
          function.parameterBytes = uint32_t(v.offset + v.size);
        continue;
      }
      RegisterDeclaration r;
      r.type = v.type;
      uint32_t declaration = uint32_t(s.registerDeclarations.size());
      s.registerDeclarations.push_back(std::move(r));
      s.declare(v.name, {Name::Kind::Register, declaration, v.location});
      registers.push_back(s.materialize(declaration, 0, v.name));
    }
  };
  add(function.returns, Name::Kind::Return, function.registerReturns);
  add(function.parameters, Name::Kind::Parameter, function.registerParameters);
}

void BodyParser::statements(unsigned depth) {
  while (token.kind != Token::Kind::End && !token.is("}") && !s.stopped())
    if (!statement(depth))
      s.skipStatement();
}

bool BodyParser::statement(unsigned depth) {
  if (token.is("{")) {
    if (depth == maxBlockDepth)
      return s.error(token, "the blocks are nested too deeply");
    s.take();
    s.openScope();
    statements(depth + 1);
    s.closeScope();
    return s.expect("}", "closing the block");
  }
  if (token.kind == Token::Kind::Word)
    return statementDirective();
  if (token.kind == Token::Kind::Identifier && s.peek().is(":"))
    return label();
  return instructions.instruction();
}

bool BodyParser::statementDirective() {
  static constexpr std::pair<std::string_view, StateSpace> spaces[] = {
      {"local", StateSpace::Local},
      {"shared", StateSpace::Shared},
      {"param", StateSpace::Param},
      {"global", StateSpace::Global},
      {"const", StateSpace::Const}};
  if (token.isWord("reg")) {
    s.take();
    return variables.registers();
  }
  if (token.isWord("loc"))
    return loc();
  if (token.isWord("pragma"))
    return directives.pragma(function.directives.pragmas);
  Linkage linkage = Linkage::Internal;
  if (token.isWord("extern")) {
    s.take();
    linkage = Linkage::Extern;
    if (!token.isWord("shared"))
      return s.unexpected("`.shared`: only shared variables are .extern in a function");
  }
  for (auto [word, space] : spaces)
    if (token.isWord(word)) {
      s.take();
      return variables.variables(space, linkage);
    }
  return s.unexpected("a directive of functions: .reg, .local, .shared, .param, .loc or "
                      ".pragma");
}

/// .loc file line column{, function_name label{+offset}, inlined_at file line column}
bool BodyParser::loc() {
  s.take();
  auto place = [&](SourceLine &line) {
    uint64_t file = 0, row = 0, column = 0;
    if (!s.takeNumber(file, UINT32_MAX, "the number of a .file") ||
        !s.takeNumber(row, UINT32_MAX, "a line") ||
        !s.takeNumber(column, UINT32_MAX, "a column"))
      return false;
    line = {uint32_t(file), uint32_t(row), uint32_t(column), -1};
    return true;
  };
  SourceLine line, outer;
  if (!place(line))
    return false;
  if (token.is(",") && s.peek().isIdentifier("function_name")) {
    s.take();
    s.take();
    std::string_view name;
    int64_t offset = 0;
    if (!s.takeIdentifier(name, "a label of .debug_str"))
      return false;
    if (token.is("+") && !expressions.integer(offset, "the offset"))
      return false;
  }
  if (token.is(",") && s.peek().isIdentifier("inlined_at")) {
    s.take();
    s.take();
    if (!place(outer))
      return false;
    module->lines.push_back(outer);
    line.inlinedAt = int32_t(module->lines.size() - 1);
  }
  module->lines.push_back(line);
  s.source = int32_t(module->lines.size() - 1);
  return true;
}

//===----------------------------------------------------------------------===//
// Labels and the directives that need one
//===----------------------------------------------------------------------===//

bool BodyParser::label() {
  Token name = s.take();
  s.take(); // the colon
  if (token.isWord("branchtargets") || token.isWord("calltargets") ||
      token.isWord("callprototype"))
    return labelledDirective(name.text, name.location);
  uint32_t at = uint32_t(function.code.size());
  auto [it, isNew] =
      s.scopes.back().labels.emplace(name.text, std::pair(at, name.location));
  if (!isNew)
    s.error(name, "the label stands in line " + std::to_string(it->second.second.line) +
                      " already");
  if (auto named = s.scopes.back().names.find(name.text);
      named != s.scopes.back().names.end())
    s.error(name, "the label has the name of what is declared in line " +
                      std::to_string(named->second.location.line));
  function.labels.emplace(name.text, at);
  return true;
}

bool BodyParser::labelledDirective(std::string_view name, Location at) {
  if (token.isWord("branchtargets"))
    return branchTargets(name, at);
  return token.isWord("calltargets") ? callTargets(name, at) : callPrototype(name, at);
}

bool BodyParser::branchTargets(std::string_view name, Location at) {
  s.take();
  int32_t table = int32_t(function.branchTables.size());
  function.branchTables.push_back({std::string(name), {}});
  do {
    Token label = token;
    std::string_view text;
    if (!s.takeIdentifier(text, "a label"))
      return false;
    std::vector<uint32_t> &targets = function.branchTables.back().targets;
    s.scopes.back().uses.push_back(
        {0, uint32_t(targets.size()), table, text, label.location});
    targets.push_back(0);
  } while (s.accept(","));
  s.declare(name, {Name::Kind::BranchTable, uint32_t(table), at});
  return s.expect(";", "behind .branchtargets");
}

bool BodyParser::callTargets(std::string_view name, Location at) {
  s.take();
  TargetTable table{std::string(name), {}};
  do {
    Token target = token;
    std::string_view text;
    if (!s.takeIdentifier(text, "the name of a function"))
      return false;
    uint64_t number = 0;
    const Name *found = s.lookUp(text, number);
    if (!found || found->kind != Name::Kind::Function)
      return s.error(target, "no function of this name is declared");
    table.targets.push_back(found->index);
  } while (s.accept(","));
  function.callTables.push_back(std::move(table));
  s.declare(name, {Name::Kind::CallTable, uint32_t(function.callTables.size() - 1), at});
  return s.expect(";", "behind .calltargets");
}

/// name: .callprototype (.param .b32 _) _ (.param .b64 _);
bool BodyParser::callPrototype(std::string_view name, Location at) {
  s.take();
  Prototype prototype;
  prototype.name = name;
  prototype.location = at;
  if (token.is("(") && !parameters.parameters(prototype.returns, false))
    return false;
  std::string_view unnamed;
  if (!s.takeIdentifier(unnamed, "`_` in place of the function's name"))
    return false;
  if (token.is("(") && !parameters.parameters(prototype.parameters, false))
    return false;
  if (token.isWord("noreturn")) {
    s.take();
    prototype.noreturn = true;
  }
  function.prototypes.push_back(std::move(prototype));
  s.declare(name, {Name::Kind::Prototype, uint32_t(function.prototypes.size() - 1), at});
  return s.expect(";", "behind .callprototype");
}
