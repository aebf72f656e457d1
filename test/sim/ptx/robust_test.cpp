//===- robust_test.cpp - Hostile text and round trips ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser.h"
#include "runtime/sim/ptx/print.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

using namespace kiln::sim::ptx;
namespace fs = std::filesystem;

namespace {

std::string readAll(const fs::path &path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<fs::path> inputs() {
  std::vector<fs::path> files;
  for (const char *folder : {KILN_SIM_PTX_INPUTS, KILN_SIM_PTX_GENERATED})
    if (fs::exists(folder))
      for (const fs::directory_entry &entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".ptx")
          files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(RoundTrip, PrintedModulesParseToThemselves) {
  size_t count = 0;
  for (const fs::path &path : inputs()) {
    ParseResult first = parse(readAll(path));
    // PTX that is not modelled is refused by name, for entire files.
    if (!first.ok()) {
      for (const Diagnostic &d : first.errors)
        EXPECT_EQ(d.problem, Problem::Refused) << path << ": " << format(d);
      continue;
    }
    std::string text = print(*first.module);
    ParseResult second = parse(text);
    ASSERT_TRUE(second.ok()) << path << ": " << format(second.errors.front());
    EXPECT_EQ(print(*second.module), text) << path;
    for (const Function &f : first.module->functions) {
      const Function *again = second.module->function(f.name);
      ASSERT_TRUE(again) << f.name;
      ASSERT_EQ(again->code.size(), f.code.size()) << f.name;
      for (size_t i = 0; i < f.code.size(); ++i)
        EXPECT_EQ(again->code[i].row, f.code[i].row) << f.name << " " << i;
    }
    ++count;
  }
  EXPECT_GT(count, 0u);
}

/// Expects a module or a few well-formed errors.
void expectSane(const std::string &text) {
  ParseResult result = parse(text);
  EXPECT_EQ(result.ok(), result.errors.empty());
  EXPECT_LE(result.errors.size(), 20u);
  uint32_t lines = uint32_t(std::count(text.begin(), text.end(), '\n')) + 1;
  for (const Diagnostic &d : result.errors) {
    EXPECT_GE(d.location.line, 1u) << format(d);
    EXPECT_LE(d.location.line, lines) << format(d);
    EXPECT_FALSE(d.message.empty());
  }
  if (result.ok())
    EXPECT_FALSE(print(*result.module).empty());
}

/// Changes a text once: flips, removes or duplicates bytes, or exchanges words.
std::string mutated(const std::string &text, std::mt19937 &random) {
  static const char *const words[] = {"{",
                                      "}",
                                      "[",
                                      "]",
                                      ";",
                                      ",",
                                      ".v4",
                                      ".f32",
                                      "@",
                                      "|",
                                      "0x",
                                      "%r1",
                                      "-",
                                      "<",
                                      ">",
                                      "_",
                                      ".reg .b32",
                                      "(",
                                      ")",
                                      ".b128",
                                      "!",
                                      "1e999",
                                      ".shared::cluster",
                                      "99999999999999999999",
                                      "\0",
                                      "\xff",
                                      "/*"};
  auto below = [&](size_t n) { return n ? random() % n : 0; };
  std::string result = text;
  size_t at = below(result.size());
  switch (below(5)) {
  case 0:
    if (!result.empty())
      result[at] = char(random());
    break;
  case 1:
    result.erase(at, below(40));
    break;
  case 2:
    result.insert(at, result.substr(below(result.size()), below(200)));
    break;
  case 3:
    result.insert(at, words[below(std::size(words))]);
    break;
  default:
    result.resize(at);
  }
  return result;
}

TEST(Mutation, NothingCrashesOrHangs) {
  std::mt19937 random(20240607);
  std::string text = readAll(KILN_SIM_PTX_INPUTS "/kernels.ptx");
  ASSERT_FALSE(text.empty());
  for (int round = 0; round < 4000; ++round) {
    std::string changed = mutated(text, random);
    for (int more = int(random() % 4); more > 0; --more)
      changed = mutated(changed, random);
    expectSane(changed);
    if (testing::Test::HasFailure())
      FAIL() << "round " << round << ":\n" << changed;
  }
}

TEST(Corpus, EveryFileIsSane) {
  size_t count = 0;
  for (const fs::directory_entry &entry : fs::directory_iterator(KILN_SIM_PTX_CORPUS)) {
    expectSane(readAll(entry.path()));
    ++count;
  }
  EXPECT_GT(count, 0u);
}

std::string repeat(std::string_view part, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += part;
  return text;
}

TEST(Limits, DeepAndLongTextsEndSoon) {
  const std::string head = ".version 9.0\n.target sm_90a\n";
  const std::string kernel = head + ".entry k() { .reg .b32 %r<9>;\n";
  constexpr size_t many = 200000;
  std::string texts[] = {kernel + repeat("{", many),
                         kernel + repeat("{", 100) + repeat("}", 100) + "}",
                         kernel + "mov.u32 %r1, " + repeat("(", many) + ";}",
                         kernel + "mov.u32 %r1, " + repeat("-", many) + "1;}",
                         kernel + "mov.u32 %r1, " + repeat("1?", many) + ";}",
                         kernel + "mov.u32 %r1, 1" + repeat("+1", many) + ";}",
                         kernel + "mov.b64 {" + repeat("%r1,", many) + "%r1}, 1;}",
                         kernel + "add" + repeat(".sat", many) + ".s32 %r1, %r2, %r3;}",
                         kernel + "add.s32 " + repeat("%r1,", many) + "%r1;}",
                         head + ".global .b32 x" + repeat("[2]", many) + ";",
                         head + ".global .b32 x[8] = " + repeat("{", many),
                         head + ".global .b8 x[] = {" + repeat("1,", many) + "};",
                         head + ".section .debug {" + repeat("{", many),
                         head + repeat(".func f(", 1000),
                         head + repeat(".banana;", many),
                         head + ".func f(" + repeat(".param .b32 a,", 10000) +
                             ".param .b32 a);",
                         kernel + repeat("x:", many) + "}",
                         repeat("/*", many),
                         std::string(many, '\0')};
  for (const std::string &text : texts) {
    auto start = std::chrono::steady_clock::now();
    expectSane(text);
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), 5.0) << text.substr(0, 80);
  }
}

TEST(Limits, EveryPrefixOfAModuleIsSane) {
  std::string text = readAll(KILN_SIM_PTX_INPUTS "/kernels.ptx");
  for (size_t length = 0; length < text.size(); length += 3)
    expectSane(text.substr(0, length));
}

} // namespace
