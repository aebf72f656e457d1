//===- lexer.cpp - Tokens of PTX text -------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/lexer.h"

#include <bit>
#include <charconv>

using namespace kiln::sim::ptx;

// The C library's classifiers depend on the locale, so they are not used.
static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool isFollow(char c) { return isLetter(c) || isDigit(c) || c == '_' || c == '$'; }
static bool isHex(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

void Lexer::advance(size_t count) {
  for (size_t end = std::min(position + count, text.size()); position < end; ++position) {
    if (text[position] == '\n') {
      ++location.line;
      location.column = 1;
    } else {
      ++location.column;
    }
  }
}

bool Lexer::skipBlanks() {
  while (position < text.size()) {
    char c = text[position];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
      advance(1);
    } else if (c == '/' && at(1) == '/') {
      advance(std::min(text.find('\n', position), text.size()) - position);
    } else if (c == '/' && at(1) == '*') {
      size_t end = text.find("*/", position + 2);
      if (end == std::string_view::npos)
        return false;
      advance(end + 2 - position);
    } else {
      return true;
    }
  }
  return true;
}

Token Lexer::token(Token::Kind kind, size_t length) {
  Token t;
  t.kind = kind;
  t.text = text.substr(position, length);
  t.location = location;
  advance(length);
  return t;
}

Token Lexer::fail(size_t length, const char *problem) {
  Token t = token(Token::Kind::Error, length);
  t.problem = problem;
  return t;
}

Token Lexer::string() {
  size_t end = position + 1;
  while (end < text.size() && text[end] != '"' && text[end] != '\n')
    end += text[end] == '\\' ? 2 : 1;
  if (end >= text.size() || text[end] != '"')
    return fail(1, "the string has no closing quote on its line");
  Token t = token(Token::Kind::String, end + 1 - position);
  t.text = t.text.substr(1, t.text.size() - 2);
  return t;
}

/// Ends a number token; an error if a letter or digit follows.
Token Lexer::finishNumber(Token::Kind kind, size_t length) {
  size_t end = length;
  while (isFollow(at(end)))
    ++end;
  if (end != length)
    return fail(end, "a number cannot run into letters; put a blank between them");
  return token(kind, length);
}

Token Lexer::floatHex(char letter) {
  bool isSingle = letter == 'f' || letter == 'F';
  size_t digits = isSingle ? 8 : 16, count = 0;
  while (isHex(at(2 + count)))
    ++count;
  if (count != digits)
    return fail(2 + count, isSingle ? "0f takes exactly 8 hexadecimal digits"
                                    : "0d takes exactly 16 hexadecimal digits");
  uint64_t bits = 0;
  const char *first = text.data() + position + 2;
  std::from_chars(first, first + digits, bits, 16);
  Token t =
      finishNumber(isSingle ? Token::Kind::Single : Token::Kind::Double, 2 + digits);
  t.bits = bits;
  return t;
}

Token Lexer::number() {
  char second = at(1);
  if (at(0) == '0' && (second == 'f' || second == 'F' || second == 'd' || second == 'D'))
    return floatHex(second);
  int base = 10;
  size_t prefix = 0;
  if (at(0) == '0' && (second == 'x' || second == 'X')) {
    base = 16;
    prefix = 2;
  } else if (at(0) == '0' && (second == 'b' || second == 'B')) {
    base = 2;
    prefix = 2;
  }
  size_t length = prefix;
  while (base == 16 ? isHex(at(length)) : isDigit(at(length)))
    ++length;
  if (length == prefix)
    return fail(prefix, "digits are missing");
  bool exponent =
      (at(length) == 'e' || at(length) == 'E') &&
      (isDigit(at(length + 1)) ||
       ((at(length + 1) == '+' || at(length + 1) == '-') && isDigit(at(length + 2))));
  if (base == 10 && ((at(length) == '.' && !isLetter(at(length + 1))) || exponent)) {
    if (at(length) == '.')
      for (++length; isDigit(at(length));)
        ++length;
    if ((at(length) == 'e' || at(length) == 'E')) {
      length += at(length + 1) == '+' || at(length + 1) == '-' ? 2 : 1;
      while (isDigit(at(length)))
        ++length;
    }
    double value = 0;
    const char *first = text.data() + position;
    if (std::from_chars(first, first + length, value).ec != std::errc())
      return fail(length, "the constant is outside the range of f64");
    Token t = finishNumber(Token::Kind::Double, length);
    t.bits = std::bit_cast<uint64_t>(value);
    return t;
  }
  if (base == 10 && at(0) == '0' && length > 1)
    base = 8;
  uint64_t value = 0;
  const char *first = text.data() + position;
  auto [end, error] = std::from_chars(first + prefix, first + length, value, base);
  if (error == std::errc::result_out_of_range)
    return fail(length, "the constant does not fit in 64 bits");
  if (error != std::errc() || end != first + length)
    return fail(length, "a digit is outside the base of the constant");
  bool isUnsigned = at(length) == 'U';
  Token t = finishNumber(Token::Kind::Integer, length + isUnsigned);
  t.bits = value;
  t.isUnsigned = isUnsigned || value > uint64_t(INT64_MAX);
  return t;
}

Token Lexer::next() {
  if (!skipBlanks())
    return fail(text.size() - position, "the comment is not closed by */");
  if (position >= text.size())
    return token(Token::Kind::End, 0);
  char c = text[position];
  if (isLetter(c) || c == '_' || c == '$' || (c == '%' && isFollow(at(1)))) {
    size_t length = 1;
    while (isFollow(at(length)))
      ++length;
    return token(Token::Kind::Identifier, length);
  }
  if (isDigit(c))
    return number();
  if (c == '"')
    return string();
  if (c == '.') {
    size_t length = 1;
    while (isFollow(at(length)) ||
           (at(length) == ':' && at(length + 1) == ':' && isFollow(at(length + 2))))
      length += at(length) == ':' ? 2 : 1;
    if (length == 1)
      return fail(1, "a dot needs a word behind it");
    return token(Token::Kind::Word, length);
  }
  for (std::string_view pair : {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||"})
    if (text.substr(position, 2) == pair)
      return token(Token::Kind::Punctuation, 2);
  if (std::string_view(",;:{}()[]@!|+-*/%<>=&^~?").find(c) != std::string_view::npos)
    return token(Token::Kind::Punctuation, 1);
  return fail(1, c == '#' ? "preprocessor lines are not PTX that a driver takes"
                          : "the character has no meaning in PTX");
}
