//===- parser_impl.h - The recursive-descent parser --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to the parse_*.cpp files. Functions that return bool have reported an
// error when they return false; the statement loops then skip to the next statement.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_PARSER_IMPL_H
#define KILN_SIM_PTX_PARSER_IMPL_H

#include "runtime/sim/ptx/constant.h"
#include "runtime/sim/ptx/lexer.h"
#include "runtime/sim/ptx/match.h"
#include "runtime/sim/ptx/parser.h"

#include <unordered_map>

namespace kiln::sim::ptx {

/// Declaration of a name in scope.
struct Name {
  enum class Kind : uint8_t {
    Register, ///< `index` in ParserState::registerDeclarations
    ModuleVariable,
    FunctionVariable,
    Parameter,
    Return,
    Function,
    Prototype,
    BranchTable,
    CallTable
  };
  Kind kind = Kind::Register;
  uint32_t index = 0;
  Location location;
};

/// One `.reg` declarator. Registers of a range get an index in Function::registers on
/// first use, as a range may be far larger than its used part.
struct RegisterDeclaration {
  Type type = Type::None;
  uint8_t vector = 1;
  bool range = false;
  uint64_t count = 1;
  std::unordered_map<uint64_t, uint32_t> indices; ///< by number: index of the first
                                                  ///< register
};

/// A label used before its definition, in an operand or in an entry of a branch table.
struct LabelUse {
  uint32_t instruction = 0, operand = 0;
  int32_t table = -1; ///< if not -1: entry `operand` of this branch table
  std::string_view name;
  Location location;
};

struct Scope {
  std::unordered_map<std::string_view, Name> names;
  std::unordered_map<std::string_view, Name> ranges; ///< by prefix: %r of %r<10>
  std::unordered_map<std::string_view, std::pair<uint32_t, Location>> labels;
  std::vector<LabelUse> uses;
};

/// State shared by all parts of the parser: the text, names, and the module so far.
struct ParserState {
  ParserState(std::string_view text, const ParseOptions &options)
      : lexer(text), options(options), module(std::make_shared<Module>()) {
    take();
  }

  // Tokens (parse_tokens.cpp).
  Token take();        ///< returns the current token and advances
  const Token &peek(); ///< the token after the current one
  bool accept(std::string_view punctuation);
  bool expect(std::string_view punctuation, std::string_view where);
  bool takeIdentifier(std::string_view &name, std::string_view what);
  bool takeNumber(uint64_t &value, uint64_t high, std::string_view what);
  void skipStatement();
  void skipBraces();

  // Diagnostics; all return false.
  bool error(const Token &at, std::string message, Problem problem = Problem::Syntax);
  bool error(Location location, std::string_view token, std::string message,
             Problem problem = Problem::Syntax);
  bool unexpected(std::string_view expected);
  bool stopped() const { return stop || result.errors.size() >= options.maxErrors; }

  // Names (parse_names.cpp).
  bool declare(std::string_view name, Name what);
  const Name *lookUp(std::string_view name, uint64_t &number) const;
  uint32_t materialize(uint32_t declaration, uint64_t number, std::string_view name);
  void openScope() { scopes.emplace_back(); }
  void closeScope();

  Lexer lexer;
  Token token, ahead;
  bool hasAhead = false, stop = false;
  ParseOptions options;
  ParseResult result;
  std::shared_ptr<Module> module;
  std::unordered_map<std::string_view, Name> names; ///< module scope
  std::vector<uint32_t> hoisted; ///< module variables declared in bodies
  Function function;             ///< the function being parsed
  bool inFunction = false;
  int32_t source = -1; ///< index of the last .loc
  std::vector<Scope> scopes;
  std::vector<LabelUse> labelUses; ///< of the instruction being parsed
  std::vector<RegisterDeclaration> registerDeclarations;
  std::unordered_map<std::string, ModifierMatch> opcodes;
};

/// Base of the parser's parts, which share its state.
class Part {
public:
  explicit Part(ParserState &state)
      : s(state), token(state.token), module(state.module), function(state.function) {}

protected:
  ParserState &s;
  Token &token;
  std::shared_ptr<Module> &module;
  Function &function;
};

struct Declaration {
  Variable variable;
  bool explicitAlign = false;
  bool pointer = false;
};

/// Constant expressions (parse_tokens.cpp).
class ExpressionParser : Part {
public:
  using Part::Part;
  bool expression(Constant &value, unsigned depth = 0);
  bool integer(int64_t &value, std::string_view what);

private:
  bool binary(Constant &value, int precedence, unsigned depth);
  bool unary(Constant &value, unsigned depth);
  bool primary(Constant &value, unsigned depth);
};

/// Operands of instructions (parse_operand.cpp).
class OperandParser : Part {
public:
  using Part::Part;
  bool operand(Operand &out, unsigned depth);
  bool operandAtom(Operand &out, unsigned depth);
  bool namedOperand(Operand &out);

private:
  bool registerOperand(Operand &out, const Name &name, uint64_t number, const Token &at);
  bool specialOperand(Operand &out, Special special, const Token &name);
  bool environmentOperand(Operand &out, const Token &name);
  bool symbolOperand(Operand &out, const Name &name);
  bool negatedOperand(Operand &out);
  bool vectorOperand(Operand &out, unsigned depth);
  bool addressOperand(Operand &out);
  bool tensorOperand(Operand &out, Operand base);
  bool addressBase(Operand &out);
  bool component(uint8_t &index, unsigned count);
  bool constantOperand(Operand &out);

  ExpressionParser expressions{s};
};

/// Parses the type, alignment and dimensions of a variable (parse_variable.cpp).
class DeclarationParser : Part {
public:
  using Part::Part;
  bool qualifiers(Declaration &declaration);
  bool dimensions(Variable &variable);
  bool layOut(Declaration &declaration, Location at);

private:
  bool qualifier(Declaration &declaration);
  bool attribute(Declaration &declaration);
  bool pointerAttribute(Declaration &declaration);
  bool typeWord(Type &type, const Token &word);

  ExpressionParser expressions{s};
};

/// Initial values (parse_initializer.cpp).
class InitializerParser : Part {
public:
  using Part::Part;
  bool initializer(Variable &variable);

private:
  bool initializerList(Variable &variable, size_t dim, uint64_t &element);
  bool initializerItem(Variable &variable, uint64_t element);
  bool initializerAddress(Variable &variable, Initializer item);
  bool initializerMask(Variable &variable, Initializer item);

  ExpressionParser expressions{s};
};

/// Variables and registers (parse_variable.cpp).
class VariableParser : Part {
public:
  using Part::Part;
  bool variables(StateSpace space, Linkage linkage);
  bool registers();

private:
  bool declarator(Declaration declaration);
  bool addVariable(Variable variable, std::string_view name);
  bool registerDeclarator(const Declaration &declaration);

  DeclarationParser declarations{s};
  InitializerParser initializers{s};
};

/// Parameters and results of functions and prototypes (parse_function.cpp).
class ParameterParser : Part {
public:
  using Part::Part;
  bool parameters(std::vector<Variable> &list, bool entry);

private:
  bool parameter(std::vector<Variable> &list, bool entry);

  DeclarationParser declarations{s};
};

/// Performance-tuning directives and pragmas (parse_function.cpp).
class DirectiveParser : Part {
public:
  using Part::Part;
  bool directives(Directives &directives, bool entry);
  bool pragma(std::vector<std::string> &list);

private:
  bool directive(Directives &directives, bool entry);
  bool triple(std::array<uint32_t, 3> &out);
};

/// Operands of branches and calls (parse_call.cpp).
class CallParser : Part {
public:
  using Part::Part;
  bool branchOperands(Instruction &instruction);
  bool tableOperands(Instruction &instruction);
  bool callOperands(Instruction &instruction);
  bool checkCall(Instruction &call);

private:
  bool callList(Operand &list);
  bool callTarget(Operand &target);
  bool checkCallList(Operand &list, const std::vector<Variable> &want,
                     std::string_view what, Location at);

  OperandParser operands{s};
};

/// Instructions (parse_instruction.cpp).
class InstructionParser : Part {
public:
  using Part::Part;
  bool instruction();

private:
  bool guard(Instruction &instruction);
  const ModifierMatch *opcode(std::string_view &mnemonic);
  bool unknownModifier(const Token &mnemonic, const std::vector<Token> &tokens,
                       const ModifierMatch &match);
  bool operandList(Instruction &instruction, std::string_view mnemonic);
  bool finishInstruction(Instruction instruction, const ModifierMatch &opcode);
  bool choose(Instruction &instruction, const ModifierMatch &opcode);

  OperandParser operands{s};
  CallParser calls{s};
};

/// Statements of functions (parse_body.cpp).
class BodyParser : Part {
public:
  using Part::Part;
  bool body(uint32_t index);

private:
  void declareParameters();
  void statements(unsigned depth);
  bool statement(unsigned depth);
  bool statementDirective();
  bool label();
  bool labelledDirective(std::string_view name, Location at);
  bool branchTargets(std::string_view name, Location at);
  bool callTargets(std::string_view name, Location at);
  bool callPrototype(std::string_view name, Location at);
  bool loc();

  ExpressionParser expressions{s};
  VariableParser variables{s};
  ParameterParser parameters{s};
  DirectiveParser directives{s};
  InstructionParser instructions{s};
};

/// Function headers (parse_function.cpp).
class FunctionParser : Part {
public:
  using Part::Part;
  bool functionItem(Linkage linkage);

private:
  bool declareFunction(Function header, const Token &at, uint32_t &index);

  ParameterParser parameters{s};
  DirectiveParser directives{s};
  BodyParser bodies{s};
};

/// Module-level directives (parse_module.cpp).
class ModuleParser : Part {
public:
  using Part::Part;
  ParseResult run();

private:
  bool version();
  bool target();
  bool targetName(const Token &at);
  bool topLevel();
  bool linkedItem();
  bool addressSize();
  bool file();
  bool section();
  bool alias();
  void nameHoisted();
  void finishModule();

  VariableParser variables{s};
  DirectiveParser directives{s};
  FunctionParser functions{s};
};

/// Whether parameters or results agree as far as callers depend on them.
bool sameSignature(const std::vector<Variable> &a, const std::vector<Variable> &b);

/// Checks rules of PTX that the instruction table does not express. Returns the
/// violation; empty if there is none.
std::string checkInstruction(const Instruction &instruction,
                             const OperandContext &context);
/// Returns why the module's version or target lacks the instruction's form; empty if it
/// has it.
std::string checkMinima(const Instruction &instruction, const Module &module);

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_PARSER_IMPL_H
