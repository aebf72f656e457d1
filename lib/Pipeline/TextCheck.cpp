//===- TextCheck.cpp - Texts that crash MLIR's parser ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextCheck.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace kiln;
using llvm::StringRef;

/// Levels of brackets that a text may have. The parser takes up to 2 KiB of stack for a
/// level; the minimum number of levels that crashes it in 8 MiB is 1,966, of regions.
static constexpr unsigned kMaxBrackets = 500;

/// Operators per level of brackets: the parser calls itself for what is behind an
/// operator, too, but takes less stack for that.
static constexpr unsigned kOperatorsPerBracket = 8;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

namespace {
/// Splits a text at the places where MLIR's lexer does, as far as the checks need it: a
/// string is one token, a comment none, and punctuation but `->`, `>=` and `<=` are
/// single characters.
class Tokens {
public:
  explicit Tokens(StringRef text) : text(text) {}

  /// Returns the next token, which is empty behind the last one.
  StringRef next();
  /// Returns the offset of the last token.
  size_t offset() const { return begin; }

private:
  void skipSpace();
  size_t endOfToken() const;
  size_t endOfString() const;
  size_t endOfRun(size_t from, bool (*isPart)(char)) const {
    size_t end = text.find_if_not(isPart, std::min(from, text.size()));
    return std::min(end, text.size());
  }

  StringRef text;
  size_t begin = 0, end = 0;
};
} // namespace

static bool isBareId(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.';
}
static bool isSuffixId(char c) { return isBareId(c) || c == '-'; }

static bool isIgnored(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
}

StringRef Tokens::next() {
  skipSpace();
  end = endOfToken();
  return text.slice(begin, end);
}

void Tokens::skipSpace() {
  begin = endOfRun(end, isIgnored);
  while (text.substr(begin).starts_with("//"))
    begin = endOfRun(text.find_first_of("\n\r", begin), isIgnored);
}

size_t Tokens::endOfToken() const {
  if (begin >= text.size())
    return begin;
  StringRef rest = text.substr(begin);
  if (llvm::isAlpha(rest[0]) || rest[0] == '_')
    return endOfRun(begin, isBareId);
  if (llvm::isDigit(rest[0]))
    return endOfRun(begin, llvm::isDigit);
  if (StringRef("!#@%^").contains(rest[0]))
    return endOfRun(begin + 1, isSuffixId);
  if (rest[0] == '"')
    return endOfString();
  bool isPair =
      rest.starts_with("->") || rest.starts_with(">=") || rest.starts_with("<=");
  return begin + (isPair ? 2 : 1);
}

/// A string ends at its line's end, if not before, where the parser refuses it.
size_t Tokens::endOfString() const {
  size_t at = begin + 1;
  while (at < text.size() && text[at] != '"' && text[at] != '\n')
    at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

//===----------------------------------------------------------------------===//
// Depth
//===----------------------------------------------------------------------===//

namespace {
/// The brackets and operators around a token, and those that aliases stand for.
class Depth {
public:
  /// Takes a token in, and returns how deep the parser is behind it, in operators.
  unsigned add(StringRef token);
  bool isOutside() const { return open.empty(); }
  /// Begins the definition of an alias, which ends where the next one begins.
  void define(StringRef alias);

private:
  void close(char bracket);
  void endOperators();
  void pop() { depth -= costOf(open.pop_back_val()); }
  static unsigned costOf(char c) { return c == kOperator ? 1 : kOperatorsPerBracket; }

  static constexpr char kOperator = '+';
  /// Opening brackets that are not closed, and operators behind them.
  llvm::SmallVector<char> open;
  unsigned depth = 0;
  llvm::StringMap<unsigned> aliases;
  StringRef defined;
  unsigned deepest = 0;
};
} // namespace

static bool isOperator(StringRef token) {
  return token == "+" || token == "-" || token == "*" || token == "mod" ||
         token == "floordiv" || token == "ceildiv";
}

unsigned Depth::add(StringRef token) {
  char first = token.front();
  size_t bracket = StringRef(")]}>").find(first);
  if (bracket != StringRef::npos && token.size() == 1)
    close("([{<"[bracket]);
  else if (StringRef(",:=\"").contains(first))
    endOperators();
  bool opens = token.size() == 1 && StringRef("([{<").contains(first);
  if (opens || isOperator(token)) {
    open.push_back(opens ? first : kOperator);
    depth += costOf(open.back());
  }
  unsigned inAlias = first == '#' || first == '!' ? aliases.lookup(token) : 0;
  deepest = std::max(deepest, depth + inAlias);
  return depth + inAlias;
}

/// Ends brackets that were not closed within this one, too: `<` need not be one.
void Depth::close(char bracket) {
  if (!llvm::is_contained(llvm::reverse(open), bracket))
    return;
  while (open.back() != bracket)
    pop();
  pop();
}

void Depth::endOperators() {
  while (!open.empty() && open.back() == kOperator)
    pop();
}

void Depth::define(StringRef alias) {
  if (!defined.empty())
    aliases[defined] = deepest;
  defined = alias;
  deepest = 0;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

namespace {
/// Reads a text token by token until one of them is a problem.
class TextCheck {
public:
  explicit TextCheck(StringRef text) : tokens(text) {}
  std::optional<TextProblem> run();

private:
  std::optional<TextProblem> check(StringRef token);
  bool isIndex(StringRef type) const { return type == "index" || indices.contains(type); }

  Tokens tokens;
  Depth depth;
  /// The two tokens before the current one, the nearer one first.
  StringRef last, beforeLast;
  /// Names of `index`, as in `!t = index`.
  llvm::StringSet<> indices;
};
} // namespace

std::optional<TextProblem> TextCheck::run() {
  while (true) {
    StringRef token = tokens.next();
    if (token.empty())
      return std::nullopt;
    if (std::optional<TextProblem> problem = check(token))
      return problem;
    beforeLast = last;
    last = token;
  }
}

std::optional<TextProblem> TextCheck::check(StringRef token) {
  if (isIndex(token) && last == "<" && beforeLast == "array")
    return TextProblem{tokens.offset(),
                       ("expected elements of 'array' with a width, such as i1, i8, i16, "
                        "i32, i64, f32 or f64, found '" +
                        token + "'")
                           .str()};
  if (isIndex(token) && last == "=" && beforeLast.starts_with("!"))
    indices.insert(beforeLast);
  if (token == "=" && depth.isOutside() &&
      (last.starts_with("#") || last.starts_with("!")))
    depth.define(last);
  constexpr unsigned kMaxOperators = kMaxBrackets * kOperatorsPerBracket;
  if (depth.add(token) > kMaxOperators)
    return TextProblem{tokens.offset(),
                       ("expected up to " + llvm::Twine(kMaxBrackets) +
                        " levels of brackets, or " + llvm::Twine(kMaxOperators) +
                        " operators, found more")
                           .str()};
  return std::nullopt;
}

std::optional<TextProblem> kiln::findTextProblem(StringRef text) {
  return TextCheck(text).run();
}
