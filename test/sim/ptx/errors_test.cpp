//===- errors_test.cpp - The parser's error messages ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser.h"

#include <gtest/gtest.h>

using namespace kiln::sim::ptx;

namespace {

/// A wrong text, with the line, token and part of the message of its first error.
struct Wrong {
  const char *text;
  uint32_t line;
  const char *token, *message;
  Problem problem = Problem::Syntax;
};

class ModuleErrors : public testing::TestWithParam<Wrong> {};

void expectError(const std::string &text, const Wrong &wrong) {
  ParseResult result = parse(text);
  ASSERT_FALSE(result.errors.empty()) << text;
  EXPECT_EQ(result.module, nullptr);
  const Diagnostic &first = result.errors.front();
  EXPECT_EQ(first.location.line, wrong.line) << format(first);
  EXPECT_EQ(first.token, wrong.token) << format(first);
  EXPECT_NE(first.message.find(wrong.message), std::string::npos) << format(first);
  EXPECT_EQ(first.problem, wrong.problem) << format(first);
  EXPECT_GT(first.location.column, 0u);
}

TEST_P(ModuleErrors, NamePlaceAndCure) { expectError(GetParam().text, GetParam()); }

#define HEAD ".version 9.0\n.target sm_90a\n.address_size 64\n"

INSTANTIATE_TEST_SUITE_P(
    Table, ModuleErrors,
    testing::Values(
        Wrong{"", 1, "end of file", ".version"},
        Wrong{".target sm_80\n", 1, ".target", ".version"},
        Wrong{".version 9\n.target sm_80", 1, "9", "a version such as 8.7"},
        Wrong{".version 9.0\n.entry k() {}", 2, ".entry", ".target"},
        Wrong{".version 99.0\n.target sm_80", 1, "99.0", "PTX up to 9.0",
              Problem::Version},
        Wrong{".version 7.0\n.target sm_90", 2, "sm_90", "needs .version 7.8"},
        Wrong{".version 9.0\n.target sm_81", 2, "sm_81", "unknown target"},
        Wrong{".version 9.0\n.target sm_80a", 2, "sm_80a", "suffix a"},
        Wrong{".version 9.0\n.target sm_90f", 2, "sm_90f", "suffix f"},
        Wrong{".version 9.0\n.target sm_80, sm_90", 2, "sm_90", "one sm_ target"},
        Wrong{".version 9.0\n.target debug\n", 2, ".target", "no sm_"},
        Wrong{".version 9.0\n.target sm_80\n.version 9.0", 3, ".version", "one .version"},
        Wrong{".version 9.0\n.target sm_80\n.address_size 32", 3, "32", "-m64",
              Problem::Refused},
        Wrong{HEAD "bananas;", 4, "bananas", "directive"},
        Wrong{HEAD ".banana;", 4, ".banana", "directive that may stand in a module"},
        Wrong{HEAD ".global .f33 x;", 4, ".f33", "unknown type"},
        Wrong{HEAD ".global .texref t;", 4, ".texref", "textures", Problem::Refused},
        Wrong{HEAD ".global .pred p;", 4, ".pred", "registers only"},
        Wrong{HEAD ".global .align 3 .b32 x;", 4, "3", "power of two"},
        Wrong{HEAD ".global .b32 x[0];", 4, "[", "at least 1"},
        Wrong{HEAD ".global .b32 x[];", 4, "x", "size is missing"},
        Wrong{HEAD ".global .b32 x[1099511627776][4096];", 4, "x", "larger than any"},
        Wrong{HEAD ".global .b32 x;\n.global .b32 x;", 5, "x", "in line 4 already"},
        Wrong{HEAD ".global .b32 x[2] = {1, 2, 3};", 4, "3", "more values"},
        Wrong{HEAD ".global .b32 x = 1.5;", 4, "1.5", "not one of type .b32"},
        Wrong{HEAD ".global .u64 x = y;", 4, "y", "not declared"},
        Wrong{HEAD ".global .b32 y;\n.global .b32 x = y;", 5, "y", ".u64"},
        Wrong{HEAD ".global .b32 y;\n.global .u8 x[2] = {0xF0(y), 0};", 5, "0xF0",
              "one whole byte"},
        Wrong{HEAD ".global .b32 x[2][2] = {1, 2, 3, 4};", 4, "1", "each row"},
        Wrong{HEAD ".shared .b32 x = 1;", 4, "=", "initial values"},
        Wrong{HEAD ".global .b32 x = 1/0;", 4, "/", "division by zero"},
        Wrong{HEAD ".extern .global .b32 x;", 4, "x", "no module is linked"},
        Wrong{HEAD ".visible .entry k(.reg .b32 a) { ret; }", 4, ".reg", ".param"},
        Wrong{HEAD ".visible .entry k(.param .b8 a[40000]) { ret; }", 4, "a", "32764"},
        Wrong{HEAD ".entry k() .maxntid 0 { ret; }", 4, "0", "at least 1"},
        Wrong{HEAD ".entry k() .noreturn { ret; }", 4, ".noreturn", ".func"},
        Wrong{HEAD ".entry k() .maxntid 128 .reqntid 64 { ret; }", 4, "{", "exclude"},
        Wrong{HEAD ".local .b32 x;", 4, ".local", "in functions"},
        Wrong{HEAD ".func f(.param .align 8 .b8 b[8]) { ret; }\n"
                   ".entry k() { .param .b64 q; call f, (q); ret; }",
              5, "call", "argument 1 does not fit"},
        Wrong{HEAD ".func (.param .b32 r) f() { .reg .b32 x; ld.param.b32 x, [r]; ret; }",
              4, "ld.param.b32", "write only"},
        Wrong{HEAD ".entry k() .banana 3 { ret; }", 4, ".banana", "tuning"},
        Wrong{HEAD ".entry k() { ret; }\n.entry k() { ret; }", 5, "k", "a body already"},
        Wrong{HEAD ".func f(.param .b32 a);\n.func f(.param .b64 a) { ret; }", 5, "f",
              "declared otherwise"},
        Wrong{HEAD ".entry k() { ret;", 4, "end of file", "`}`"},
        Wrong{HEAD ".file 1 name", 4, "name", "in quotes"},
        Wrong{HEAD ".alias a, b;", 4, "a", "declared as a .func"}));

/// Statements in a kernel that declares a few names; lines count from 1.
class StatementErrors : public testing::TestWithParam<Wrong> {};

TEST_P(StatementErrors, NamePlaceAndCure) {
  Wrong wrong = GetParam();
  wrong.line += 11;
  expectError(std::string(HEAD) + R"(.global .align 16 .b8 bytes[64];
.shared .align 16 .b8 tile[64];
.func (.param .b32 out) callee(.param .b64 in);
.visible .entry kernel(.param .u64 p)
{
.reg .pred %p<4>;
.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .b16 %h<9>;
.param .b32 got; .param .b64 give;
)" + wrong.text + "\nret;\n}\n",
              wrong);
}

INSTANTIATE_TEST_SUITE_P(
    Table, StatementErrors,
    testing::Values(
        Wrong{"frob.u32 %r1, %r2;", 1, "frob", "unknown instruction"},
        Wrong{"add.f33 %f1, %f2, %f3;", 1, ".f33", "expected one of"},
        Wrong{"add %r1, %r2, %r3;", 1, "add", "one more modifier"},
        Wrong{"add.u32.rn %r1, %r2, %r3;", 1, ".rn", "ends before"},
        Wrong{"add.u32 %r1, %r2;", 1, "add.u32", "operand is missing"},
        Wrong{"add.u32 %r1, %r2, %r3, %r4;", 1, "add.u32", "too many operands"},
        Wrong{"add.u32 %r1, %r2, %x3;", 1, "%x3", "not declared"},
        Wrong{"add.u32 %r1, %r2, %r9;", 1, "%r9", "not declared"},
        Wrong{"add.u32 %r1, %r2, %r01;", 1, "%r01", "not declared"},
        Wrong{"add.f32 %f1, %f2, %rd3;", 1, "add.f32", "%rd3 is declared .b64"},
        Wrong{"add.f32 %f1, %f2, 1;", 1, "add.f32",
              "integer constants are not converted"},
        Wrong{"add.u32 1, %r1, %r2;", 1, "add.u32", "a register of type .u32 to write"},
        Wrong{"add.u32 %r1, %tid.x, %r2;", 1, "add.u32", "move it to a register"},
        Wrong{"mov.u32 %r1, %tid.q;", 1, ".q", "component"},
        Wrong{"mov.u32 %r1, %tid;", 1, ";", "component"},
        Wrong{"mov.u64 %rd1, %tid.x;", 1, "mov.u64", "32 bits"},
        Wrong{"mov.u32 %r1, %pm0;", 1, "%pm0", "not modelled", Problem::Refused},
        Wrong{"mov.u32 %r1, %envreg32;", 1, "%envreg32", "%envreg31"},
        Wrong{"mov.b64 %rd1, {%r1, %r2, %r3};", 1, "mov.b64", "vector"},
        Wrong{"ld.global.u32 %r1, [%r2];", 1, "ld.global.u32", "64 bits"},
        Wrong{"ld.global.u32 %r1, [%f2];", 1, "ld.global.u32", "integer"},
        Wrong{"ld.global.u32 %r1, [tile];", 1, "ld.global.u32", ".shared"},
        Wrong{"ld.global.u32 %r1, [16];", 1, "ld.global.u32", "only allowed in .local"},
        Wrong{"ld.global.u32 %r1, [kernel];", 1, "ld.global.u32", "no memory"},
        Wrong{"ld.global.v2.u32 {%r1, %r2, %r3}, [bytes];", 1, "ld.global.v2.u32",
              "of 2"},
        Wrong{"ld.global.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [bytes];", 1,
              "ld.global.v4.b64", "at most 16 bytes"},
        Wrong{"ld.global.u32 %h1, [bytes];", 1, "ld.global.u32", "%h1 is declared .b16"},
        Wrong{"st.param.b32 [p], %r1;", 1, "st.param.b32", "read only"},
        Wrong{"setp.eq.s32 %r1, %r2, %r3;", 1, "setp.eq.s32", ".pred"},
        Wrong{"@%r1 bra done; done:", 1, "%r1", "guard"},
        Wrong{"mov.b64 {_, _}, %rd1;", 1, "mov.b64", "not the sink"},
        Wrong{".reg .b32 here; here:", 1, "here", "declared in line"},
        Wrong{"ret;;", 1, ";", "an instruction"},
        Wrong{"bra nowhere;", 1, "nowhere", "no such label"},
        Wrong{"twice: twice:", 1, "twice", "already"}, Wrong{"bra;", 1, ";", "label"},
        Wrong{"bar.sync 16;", 1, "bar.sync", "0 to 15"},
        Wrong{"bar.sync 0, 33;", 1, "bar.sync", "multiple"},
        Wrong{"call nobody;", 1, "nobody", "not declared"},
        Wrong{"call (got), callee;", 1, "call", "1 arguments, the call 0"},
        Wrong{"call (got), callee, (got);", 1, "call", "argument 1 does not fit"},
        Wrong{"call kernel, (give);", 1, "kernel", "launched"},
        Wrong{"call (got), %rd1, (give);", 1, "%rd1", ".callprototype"},
        Wrong{"call (got), %r1, (give);", 1, "%r1", "64-bit register"},
        Wrong{"setmaxnreg.inc.sync.aligned.u32 25;", 1, "setmaxnreg.inc.sync.aligned.u32",
              "multiple of 8"},
        Wrong{"lop3.b32 %r1, %r2, %r3, %r4, 256;", 1, "lop3.b32", "0 to 255"},
        Wrong{"cp.async.ca.shared.global [tile], [bytes], 12;", 1,
              "cp.async.ca.shared.global", "one of 4, 8, 16"},
        Wrong{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3}, {%r1, "
              "%r2, %r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4};",
              1, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "4 registers"},
        Wrong{"tcgen05.wait::ld.sync.aligned;", 1, "tcgen05.wait::ld.sync.aligned",
              "not modelled", Problem::Refused},
        Wrong{"add.u32 %r1, %r2, %r3", 2, "ret", "`;`"},
        Wrong{".reg .b32 %r<4>;", 1, "%r", "are declared in line"},
        Wrong{".reg .b32 a, a;", 1, "a", "already"},
        Wrong{".reg .bf16 x;", 1, ".bf16", "unknown type"},
        Wrong{".loc 1;", 1, ";", "a line"}, Wrong{"{ {", 4, "end of file", "`}`"}));

TEST(Errors, SeveralAreCollectedAndCapped) {
  std::string text = HEAD ".entry k() {\n.reg .b32 %r<3>;\n";
  for (int i = 0; i < 50; ++i)
    text += "add.u32 %r1, %r2, %q" + std::to_string(i) + ";\n";
  text += "ret;\n}\n";
  ParseResult result = parse(text);
  ASSERT_EQ(result.errors.size(), 20u);
  for (size_t i = 0; i < result.errors.size(); ++i)
    EXPECT_EQ(result.errors[i].location.line, 6 + i);
}

TEST(Errors, OneMistakeIsOneError) {
  ParseResult result =
      parse(HEAD ".entry k() {\n.reg .b32 %r<3>;\n"
                 "mma.oops {%r1}, {%r2};\nadd.u32 %r1, %r1, %r2;\nret;\n}\n"
                 ".entry bad( { ret; }\n.entry good() { ret; }\n");
  ASSERT_EQ(result.errors.size(), 2u);
  EXPECT_EQ(result.errors[0].location.line, 6u);
  EXPECT_EQ(result.errors[1].location.line, 10u);
}

TEST(Errors, TokensArePrintable) {
  ParseResult result = parse(HEAD "\x01\x02\xff");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors[0].token, "?");
  std::string longName(1000, 'x');
  result = parse(HEAD + longName);
  ASSERT_FALSE(result.ok());
  EXPECT_LT(result.errors[0].token.size(), 80u);
}

} // namespace
