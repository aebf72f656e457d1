//===- lexer.h - Tokens of PTX text ------------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_PTX_LEXER_H
#define KILN_SIM_PTX_LEXER_H

#include "runtime/sim/ptx/instruction.h"

namespace kiln::sim::ptx {

struct Token {
  enum class Kind : uint8_t {
    End,
    Identifier, ///< also `_` alone and %registers
    Word,       ///< .directive, .modifier: `text` has the dot
    Integer,    ///< `bits`, `isUnsigned`
    Double,     ///< `bits`: of an f64
    Single,     ///< 0f...: `bits` of an f32
    String,     ///< `text` without the quotes
    Punctuation,
    Error ///< `text` is the offending text, `problem` says why
  };
  Kind kind = Kind::End;
  std::string_view text;
  Location location;
  uint64_t bits = 0;
  bool isUnsigned = false;
  const char *problem = nullptr;

  bool is(std::string_view punctuation) const {
    return kind == Kind::Punctuation && text == punctuation;
  }
  bool isWord(std::string_view word) const {
    return kind == Kind::Word && text.substr(1) == word;
  }
  bool isIdentifier(std::string_view name) const {
    return kind == Kind::Identifier && text == name;
  }
};

/// Splits text into tokens, on demand. The text must outlive the tokens.
class Lexer {
public:
  explicit Lexer(std::string_view text) : text(text) {}
  Token next();

private:
  /// Skips blanks and comments; false if a comment is not closed.
  bool skipBlanks();
  void advance(size_t count);
  Token number();
  Token floatHex(char letter);
  Token finishNumber(Token::Kind kind, size_t length);
  Token string();
  Token fail(size_t length, const char *problem);
  Token token(Token::Kind kind, size_t length);
  char at(size_t ahead) const {
    return position + ahead < text.size() ? text[position + ahead] : '\0';
  }

  std::string_view text;
  size_t position = 0;
  Location location{1, 1};
};

} // namespace kiln::sim::ptx

#endif // KILN_SIM_PTX_LEXER_H
