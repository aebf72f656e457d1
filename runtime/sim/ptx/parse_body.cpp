//===- parse_body.cpp - Statements of functions ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser_impl.h"

using namespace kiln::sim::ptx;

/// Blocks in blocks; each costs a little of the stack.
static constexpr unsigned maxBlockDepth = 256;

bool Parser::body(uint32_t index) {
  function = module->functions[index];
  inFunction = true;
  scopes.clear();
  registerDeclarations.clear();
  source = -1;
  openScope();
  declareParameters();
  statements(0);
  closeScope();
  function.defined = true;
  module->functions[index] = std::move(function);
  inFunction = false;
  return expect("}", "closing the function's body");
}

/// Names of parameters and results; those in .reg get their registers.
void Parser::declareParameters() {
  auto add = [&](std::vector<Variable> &list, Name::Kind kind,
                 std::vector<uint32_t> &registers) {
    for (uint32_t i = 0; i < list.size(); ++i) {
      Variable &v = list[i];
      if (v.space != StateSpace::Reg) {
        declare(v.name, {kind, i, v.location});
        if (function.entry)
          function.parameterBytes = uint32_t(v.offset + v.size);
        continue;
      }
      RegisterDeclaration r;
      r.type = v.type;
      uint32_t declaration = uint32_t(registerDeclarations.size());
      registerDeclarations.push_back(std::move(r));
      declare(v.name, {Name::Kind::Register, declaration, v.location});
      registers.push_back(materialize(declaration, 0, v.name));
    }
  };
  add(function.returns, Name::Kind::Return, function.registerReturns);
  add(function.parameters, Name::Kind::Parameter, function.registerParameters);
}

/// Resolves the block's labels; what is used but not there may be around it.
void Parser::closeScope() {
  Scope scope = std::move(scopes.back());
  scopes.pop_back();
  for (LabelUse &use : scope.uses) {
    auto it = scope.labels.find(use.name);
    if (it == scope.labels.end()) {
      if (scopes.empty())
        error(use.location, use.name, "no such label in the function");
      else
        scopes.back().uses.push_back(use);
    } else if (use.table >= 0) {
      function.branchTables[size_t(use.table)].targets[use.operand] = it->second.first;
    } else {
      function.code[use.instruction].operands[use.operand].index = it->second.first;
    }
  }
}

void Parser::statements(unsigned depth) {
  while (token.kind != Token::Kind::End && !token.is("}") && !stopped())
    if (!statement(depth))
      skipStatement();
}

bool Parser::statement(unsigned depth) {
  if (token.is("{")) {
    if (depth == maxBlockDepth)
      return error(token, "the blocks are nested too deeply");
    take();
    openScope();
    statements(depth + 1);
    closeScope();
    return expect("}", "closing the block");
  }
  if (token.kind == Token::Kind::Word)
    return statementDirective();
  if (token.kind == Token::Kind::Identifier && peek().is(":"))
    return label();
  return instruction();
}

bool Parser::statementDirective() {
  static constexpr std::pair<std::string_view, StateSpace> spaces[] = {
      {"local", StateSpace::Local},
      {"shared", StateSpace::Shared},
      {"param", StateSpace::Param},
      {"global", StateSpace::Global},
      {"const", StateSpace::Const}};
  if (token.isWord("reg")) {
    take();
    return registers();
  }
  if (token.isWord("loc"))
    return loc();
  if (token.isWord("pragma"))
    return pragma(function.directives.pragmas);
  Linkage linkage = Linkage::Internal;
  if (token.isWord("extern")) {
    take();
    linkage = Linkage::Extern;
    if (!token.isWord("shared"))
      return unexpected("`.shared`: only shared variables are .extern in a function");
  }
  for (auto [word, space] : spaces)
    if (token.isWord(word)) {
      take();
      return variables(space, linkage);
    }
  return unexpected("a directive of functions: .reg, .local, .shared, .param, .loc or "
                    ".pragma");
}

/// .loc file line column{, function_name label{+offset}, inlined_at file line column}
bool Parser::loc() {
  take();
  auto place = [&](SourceLine &line) {
    uint64_t file = 0, row = 0, column = 0;
    if (!takeNumber(file, UINT32_MAX, "the number of a .file") ||
        !takeNumber(row, UINT32_MAX, "a line") ||
        !takeNumber(column, UINT32_MAX, "a column"))
      return false;
    line = {uint32_t(file), uint32_t(row), uint32_t(column), -1};
    return true;
  };
  SourceLine line, outer;
  if (!place(line))
    return false;
  if (token.is(",") && peek().isIdentifier("function_name")) {
    take();
    take();
    std::string_view name;
    int64_t offset = 0;
    if (!takeIdentifier(name, "a label of .debug_str"))
      return false;
    if (token.is("+") && !integer(offset, "the offset"))
      return false;
  }
  if (token.is(",") && peek().isIdentifier("inlined_at")) {
    take();
    take();
    if (!place(outer))
      return false;
    module->lines.push_back(outer);
    line.inlinedAt = int32_t(module->lines.size() - 1);
  }
  module->lines.push_back(line);
  source = int32_t(module->lines.size() - 1);
  return true;
}

//===----------------------------------------------------------------------===//
// Labels and the directives that need one
//===----------------------------------------------------------------------===//

bool Parser::label() {
  Token name = take();
  take(); // the colon
  if (token.isWord("branchtargets") || token.isWord("calltargets") ||
      token.isWord("callprototype"))
    return labelledDirective(name.text, name.location);
  uint32_t at = uint32_t(function.code.size());
  auto [it, isNew] =
      scopes.back().labels.emplace(name.text, std::pair(at, name.location));
  if (!isNew)
    error(name, "the label stands in line " + std::to_string(it->second.second.line) +
                    " already");
  if (auto named = scopes.back().names.find(name.text);
      named != scopes.back().names.end())
    error(name, "the label has the name of what is declared in line " +
                    std::to_string(named->second.location.line));
  function.labels.emplace(name.text, at);
  return true;
}

bool Parser::labelledDirective(std::string_view name, Location at) {
  if (token.isWord("branchtargets"))
    return branchTargets(name, at);
  return token.isWord("calltargets") ? callTargets(name, at) : callPrototype(name, at);
}

bool Parser::branchTargets(std::string_view name, Location at) {
  take();
  int32_t table = int32_t(function.branchTables.size());
  function.branchTables.push_back({std::string(name), {}});
  do {
    Token label = token;
    std::string_view text;
    if (!takeIdentifier(text, "a label"))
      return false;
    std::vector<uint32_t> &targets = function.branchTables.back().targets;
    scopes.back().uses.push_back(
        {0, uint32_t(targets.size()), table, text, label.location});
    targets.push_back(0);
  } while (accept(","));
  declare(name, {Name::Kind::BranchTable, uint32_t(table), at});
  return expect(";", "behind .branchtargets");
}

bool Parser::callTargets(std::string_view name, Location at) {
  take();
  TargetTable table{std::string(name), {}};
  do {
    Token target = token;
    std::string_view text;
    if (!takeIdentifier(text, "the name of a function"))
      return false;
    uint64_t number = 0;
    const Name *found = lookUp(text, number);
    if (!found || found->kind != Name::Kind::Function)
      return error(target, "no function of this name is declared");
    table.targets.push_back(found->index);
  } while (accept(","));
  function.callTables.push_back(std::move(table));
  declare(name, {Name::Kind::CallTable, uint32_t(function.callTables.size() - 1), at});
  return expect(";", "behind .calltargets");
}

/// name: .callprototype (.param .b32 _) _ (.param .b64 _);
bool Parser::callPrototype(std::string_view name, Location at) {
  take();
  Prototype prototype;
  prototype.name = name;
  prototype.location = at;
  if (token.is("(") && !parameters(prototype.returns, false))
    return false;
  std::string_view unnamed;
  if (!takeIdentifier(unnamed, "`_` in place of the function's name"))
    return false;
  if (token.is("(") && !parameters(prototype.parameters, false))
    return false;
  if (token.isWord("noreturn")) {
    take();
    prototype.noreturn = true;
  }
  function.prototypes.push_back(std::move(prototype));
  declare(name, {Name::Kind::Prototype, uint32_t(function.prototypes.size() - 1), at});
  return expect(";", "behind .callprototype");
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

bool Parser::declare(std::string_view name, Name what) {
  Location at = what.location;
  if (name == "_")
    return true;
  auto &table = inFunction ? scopes.back().names : names;
  auto [it, isNew] = table.emplace(name, what);
  return isNew || error(at, name,
                        "the name is declared in line " +
                            std::to_string(it->second.location.line) + " already");
}

/// Splits %r12 into the declared prefix %r and 12; prefixes may end in digits too.
static const Name *findRange(const Scope &scope,
                             const std::vector<RegisterDeclaration> &all,
                             std::string_view name, uint64_t &number) {
  constexpr size_t longest = 10; // digits of a 32-bit count
  uint64_t value = 0, scale = 1;
  for (size_t digits = 1; digits <= longest && digits < name.size(); ++digits) {
    char c = name[name.size() - digits];
    if (c < '0' || c > '9')
      break;
    value += scale * uint64_t(c - '0');
    scale *= 10;
    if (c == '0' && digits > 1)
      continue; // %r01 is not %r1
    auto it = scope.ranges.find(name.substr(0, name.size() - digits));
    if (it != scope.ranges.end() && value < all[it->second.index].count) {
      number = value;
      return &it->second;
    }
  }
  return nullptr;
}

/// The innermost meaning of a name; `number` of a register in a range.
const Name *Parser::lookUp(std::string_view name, uint64_t &number) const {
  number = 0;
  for (size_t i = scopes.size(); inFunction && i-- > 0;) {
    auto it = scopes[i].names.find(name);
    if (it != scopes[i].names.end())
      return &it->second;
    if (scopes[i].ranges.empty())
      continue;
    if (const Name *found = findRange(scopes[i], registerDeclarations, name, number))
      return found;
  }
  auto it = names.find(name);
  return it == names.end() ? nullptr : &it->second;
}

/// The index of a register's first component in Function::registers.
uint32_t Parser::materialize(uint32_t declaration, uint64_t number,
                             std::string_view name) {
  RegisterDeclaration &r = registerDeclarations[declaration];
  auto [it, isNew] = r.indices.emplace(number, uint32_t(function.registers.size()));
  if (!isNew)
    return it->second;
  static constexpr std::string_view components = "xyzwabcd";
  for (unsigned i = 0; i < r.vector; ++i) {
    std::string full(name);
    if (r.vector > 1)
      full += std::string(".") + components[i];
    function.registers.push_back({std::move(full), r.type});
  }
  return it->second;
}
