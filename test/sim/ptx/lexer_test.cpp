//===- lexer_test.cpp - Tokens of PTX text --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/lexer.h"

#include <bit>
#include <gtest/gtest.h>

using namespace kiln::sim::ptx;
using TokenKind = Token::Kind;

namespace {

std::vector<Token> tokens(std::string_view text) {
  Lexer lexer(text);
  std::vector<Token> result;
  for (Token t = lexer.next(); t.kind != TokenKind::End; t = lexer.next())
    result.push_back(t);
  return result;
}

TEST(Lexer, SplitsAnInstruction) {
  std::vector<Token> t =
      tokens("@!%p1 ld.global.L1::no_allocate.v2.f32 {%f1,_}, [%rd1+-4];");
  std::vector<std::string> texts;
  for (const Token &token : t)
    texts.emplace_back(token.text);
  EXPECT_EQ(texts, (std::vector<std::string>{
                       "@",   "!",    "%p1", "ld",   ".global", ".L1::no_allocate",
                       ".v2", ".f32", "{",   "%f1",  ",",       "_",
                       "}",   ",",    "[",   "%rd1", "+",       "-",
                       "4",   "]",    ";"}));
}

TEST(Lexer, ReadsIntegersOfEveryBase) {
  std::vector<Token> t = tokens("0 42 0x2A 052 0b101010 42U 0xfabc123400000000 "
                                "18446744073709551615");
  ASSERT_EQ(t.size(), 8u);
  EXPECT_EQ(t[0].bits, 0u);
  for (size_t i = 1; i < 6; ++i)
    EXPECT_EQ(t[i].bits, 42u) << t[i].text;
  EXPECT_FALSE(t[1].isUnsigned);
  EXPECT_TRUE(t[5].isUnsigned);
  EXPECT_TRUE(t[6].isUnsigned) << "too large for .s64";
  EXPECT_EQ(t[7].bits, UINT64_MAX);
}

TEST(Lexer, ReadsFloatingPointConstants) {
  std::vector<Token> t = tokens("1.5 2e3 1.25E-2 0f3F800000 0D3FF0000000000000 3.");
  ASSERT_EQ(t.size(), 6u);
  EXPECT_EQ(std::bit_cast<double>(t[0].bits), 1.5);
  EXPECT_EQ(std::bit_cast<double>(t[1].bits), 2000.0);
  EXPECT_EQ(std::bit_cast<double>(t[2].bits), 0.0125);
  EXPECT_EQ(t[3].kind, TokenKind::Single);
  EXPECT_EQ(std::bit_cast<float>(uint32_t(t[3].bits)), 1.0f);
  EXPECT_EQ(t[4].kind, TokenKind::Double);
  EXPECT_EQ(std::bit_cast<double>(t[4].bits), 1.0);
  EXPECT_EQ(std::bit_cast<double>(t[5].bits), 3.0);
}

TEST(Lexer, CountsLinesAndColumns) {
  std::vector<Token> t = tokens("a // one\n  /* two\n three */ b");
  ASSERT_EQ(t.size(), 2u);
  EXPECT_EQ(t[0].location.line, 1u);
  EXPECT_EQ(t[1].location.line, 3u);
  EXPECT_EQ(t[1].location.column, 11u);
}

TEST(Lexer, KeepsModuloAndPercentNamesApart) {
  std::vector<Token> t = tokens("%tid.x 7 % 4");
  ASSERT_EQ(t.size(), 5u);
  EXPECT_EQ(t[0].kind, TokenKind::Identifier);
  EXPECT_EQ(t[1].text, ".x");
  EXPECT_TRUE(t[3].is("%"));
}

struct BadToken {
  const char *text, *problem;
};
class LexerErrors : public testing::TestWithParam<BadToken> {};

TEST_P(LexerErrors, AreNamed) {
  std::vector<Token> t = tokens(GetParam().text);
  ASSERT_FALSE(t.empty());
  EXPECT_EQ(t[0].kind, TokenKind::Error);
  EXPECT_NE(std::string(t[0].problem).find(GetParam().problem), std::string::npos)
      << t[0].problem;
}

INSTANTIATE_TEST_SUITE_P(
    Table, LexerErrors,
    testing::Values(BadToken{"0f3F80", "8 hexadecimal digits"},
                    BadToken{"0d3F800000", "16 hexadecimal digits"},
                    BadToken{"0f3F8000000", "8 hexadecimal digits"},
                    BadToken{"18446744073709551616", "64 bits"},
                    BadToken{"0x", "digits are missing"}, BadToken{"089", "base"},
                    BadToken{"12ab", "letters"}, BadToken{"1e999", "range of f64"},
                    BadToken{"/* open", "not closed"},
                    BadToken{"\"open", "closing quote"},
                    BadToken{"\"open\n\"", "closing quote"},
                    BadToken{"#include", "preprocessor"}, BadToken{"\\", "no meaning"},
                    BadToken{". x", "a dot needs a word"}));

} // namespace
