//===- parse_tokens.cpp - Tokens, diagnostics, constant expressions -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser_impl.h"

using namespace kiln::sim::ptx;

/// Max nesting: enough for any compiler's output, little enough for the host stack.
static constexpr unsigned maxExpressionDepth = 64;

Token ParserState::take() {
  Token old = token;
  if (hasAhead) {
    token = ahead;
    hasAhead = false;
  } else {
    token = lexer.next();
  }
  return old;
}

const Token &ParserState::peek() {
  if (!hasAhead) {
    ahead = lexer.next();
    hasAhead = true;
  }
  return ahead;
}

bool ParserState::accept(std::string_view punctuation) {
  if (!token.is(punctuation))
    return false;
  take();
  return true;
}

bool ParserState::expect(std::string_view punctuation, std::string_view where) {
  return accept(punctuation) ||
         unexpected("`" + std::string(punctuation) + "` " + std::string(where));
}

bool ParserState::takeIdentifier(std::string_view &name, std::string_view what) {
  if (token.kind != Token::Kind::Identifier)
    return unexpected(what);
  name = take().text;
  return true;
}

bool ParserState::takeNumber(uint64_t &value, uint64_t high, std::string_view what) {
  if (token.kind != Token::Kind::Integer)
    return unexpected(what);
  if (token.bits > high)
    return error(token, std::string(what) + " is at most " + std::to_string(high));
  value = take().bits;
  return true;
}

/// Skips to after the next semicolon, or to the brace that closes the enclosing block.
/// Skips nested braces; at module level the first pair is a body and ends the statement.
void ParserState::skipStatement() {
  while (token.kind != Token::Kind::End && !token.is("}")) {
    Token t = take();
    if (t.is(";"))
      return;
    if (!t.is("{"))
      continue;
    skipBraces();
    if (!inFunction)
      return;
  }
}

/// Skips to after the closing brace; the opening one has been read.
void ParserState::skipBraces() {
  for (size_t open = 1; open > 0 && token.kind != Token::Kind::End;) {
    Token t = take();
    open += t.is("{");
    open -= t.is("}");
  }
}

/// Shortens a token and replaces unprintable characters, for messages.
static std::string printable(std::string_view text) {
  constexpr size_t longest = 60;
  std::string result;
  for (char c : text.substr(0, longest))
    result += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > longest ? result + "..." : result;
}

bool ParserState::error(Location location, std::string_view text, std::string message,
                        Problem problem) {
  if (!stopped())
    result.errors.push_back({problem, location, printable(text), std::move(message)});
  return false;
}

bool ParserState::error(const Token &at, std::string message, Problem problem) {
  if (at.kind == Token::Kind::Error)
    message = at.problem;
  std::string_view text = at.kind == Token::Kind::End ? "end of file" : at.text;
  return error(at.location, text, std::move(message), problem);
}

bool ParserState::unexpected(std::string_view expected) {
  return error(token, "expected " + std::string(expected));
}

//===----------------------------------------------------------------------===//
// Constant expressions
//===----------------------------------------------------------------------===//

static int precedenceOf(const Token &t) {
  static constexpr std::pair<std::string_view, int> levels[] = {
      {"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
      {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
      {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
  if (t.kind == Token::Kind::Punctuation)
    for (auto [op, level] : levels)
      if (t.text == op)
        return level;
  return 0;
}

bool ExpressionParser::expression(Constant &value, unsigned depth) {
  if (!binary(value, 1, depth))
    return false;
  if (!token.is("?"))
    return true;
  Token question = s.take();
  if (isFloat(value.type))
    return s.error(question, "the condition must be an integer");
  Constant yes, no;
  if (!expression(yes, depth + 1) || !s.expect(":", "of the ?: expression") ||
      !expression(no, depth + 1))
    return false;
  if (isFloat(yes.type) != isFloat(no.type))
    return s.error(question, "both results must be integers or both floating-point");
  bool isUnsigned = yes.type == Type::U64 || no.type == Type::U64;
  value = value.bits ? yes : no;
  if (!isFloat(value.type))
    value.type = isUnsigned ? Type::U64 : Type::S64;
  return true;
}

bool ExpressionParser::binary(Constant &value, int precedence, unsigned depth) {
  if (!unary(value, depth))
    return false;
  while (true) {
    int level = precedenceOf(token);
    if (level < precedence || level == 0)
      return true;
    Token op = s.take();
    Constant right;
    if (!binary(right, level + 1, depth + 1))
      return false;
    if (const char *problem = applyBinary(op.text, value, right))
      return s.error(op, problem);
  }
}

bool ExpressionParser::unary(Constant &value, unsigned depth) {
  if (depth > maxExpressionDepth)
    return s.error(token, "the expression is nested too deeply");
  if (token.is("-") || token.is("+") || token.is("!") || token.is("~")) {
    Token op = s.take();
    if (!unary(value, depth + 1))
      return false;
    const char *problem = applyUnary(op.text, value);
    return !problem || s.error(op, problem);
  }
  return primary(value, depth);
}

bool ExpressionParser::primary(Constant &value, unsigned depth) {
  switch (token.kind) {
  case Token::Kind::Integer:
    value = {token.isUnsigned ? Type::U64 : Type::S64, token.bits};
    s.take();
    return true;
  case Token::Kind::Double:
    value = {Type::F64, s.take().bits};
    return true;
  case Token::Kind::Single:
    value = {Type::F32, s.take().bits};
    return true;
  case Token::Kind::Identifier:
    if (!token.isIdentifier("WARP_SZ"))
      return s.unexpected("a constant");
    s.take();
    value = {Type::S64, 32};
    return true;
  default:
    break;
  }
  if (!s.accept("("))
    return s.unexpected("a constant");
  if (token.isWord("s64") || token.isWord("u64")) {
    Type type = s.take().text == ".s64" ? Type::S64 : Type::U64;
    if (!s.expect(")", "behind the type of the cast") || !unary(value, depth + 1))
      return false;
    if (isFloat(value.type))
      return s.error(token, "casts are for integers only");
    value.type = type;
    return true;
  }
  return expression(value, depth + 1) && s.expect(")", "closing the expression");
}

bool ExpressionParser::integer(int64_t &value, std::string_view what) {
  Token first = token;
  Constant constant;
  if (!expression(constant))
    return false;
  if (isFloat(constant.type))
    return s.error(first, std::string(what) + " must be an integer");
  value = int64_t(constant.bits);
  return true;
}
