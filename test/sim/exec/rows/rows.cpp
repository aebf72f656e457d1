//===- rows.cpp - Forms of the instruction table against oracles -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/rows/rows.h"

#include "runtime/sim/ptx/instructions.h"
#include "runtime/sim/ptx/parser.h"

#include <algorithm>
#include <random>

namespace kiln::sim::test {

namespace {
constexpr unsigned Block = 96, MostFailures = 4;

std::string kernelAround(const Form &form, size_t index) {
  std::string text = ".visible .entry k" + std::to_string(index) +
                     "(.param .b64 in, .param .b64 out, .param .b32 count) {\n"
                     "  .reg .pred %p<16>; .reg .b8 %b<16>; .reg .b16 %h<32>;\n"
                     "  .reg .b32 %r<32>; .reg .b64 %d<32>; .reg .b128 %q<4>;\n"
                     "  .reg .b32 %t<4>; .reg .b64 %a<4>; .reg .pred %end;\n"
                     "  mov.u32 %t0, %ctaid.x; mov.u32 %t1, %ntid.x;\n"
                     "  mov.u32 %t2, %tid.x; mad.lo.u32 %t0, %t0, %t1, %t2;\n"
                     "  ld.param.b32 %t1, [count]; setp.ge.u32 %end, %t0, %t1;\n"
                     "  @%end ret;\n"
                     "  ld.param.b64 %a0, [in]; ld.param.b64 %a1, [out];\n"
                     "  mad.wide.u32 %a0, %t0, 32, %a0;\n"
                     "  mad.wide.u32 %a1, %t0, 8, %a1;\n";
  for (char n : {'0', '1', '2', '3'}) {
    std::string i(1, n), at = " + " + std::to_string((n - '0') * 8) + "];\n";
    text += "  ld.global.b64 %d" + i + ", [%a0" + at + "  cvt.u32.u64 %r" + i + ", %d" +
            i + "; cvt.u16.u64 %h" + i + ", %d" + i + "; cvt.u8.u64 %b" + i + ", %d" + i +
            ";\n  and.b64 %a2, %d" + i + ", 1; setp.ne.u64 %p" + i + ", %a2, 0;\n";
  }
  text += "  mov.b64 %d9, 0; mov.b32 %r9, 0; mov.b16 %h9, 0;\n"
          "  mov.b128 %q0, {%d0, %d1};\n  {\n  " +
          form.text + "\n  }\n";
  switch (form.result) {
  case 'p':
    text += "  selp.u64 %d9, 1, 0, %p9;\n";
    break;
  case 'b':
    text += "  cvt.u64.u8 %d9, %b9;\n";
    break;
  case 'h':
    text += "  cvt.u64.u16 %d9, %h9;\n";
    break;
  case 'r':
    text += "  cvt.u64.u32 %d9, %r9;\n";
    break;
  }
  return text + "  st.global.b64 [%a1], %d9;\n  ret;\n}\n";
}

std::string header(const std::string &target) {
  return ".version 9.0\n.target " + target + "\n.address_size 64\n";
}

/// Checks that the text has an instruction of the form's row.
void expectRow(const Form &form, const ptx::Function &function) {
  bool found = std::any_of(
      function.code.begin(), function.code.end(),
      [&](const ptx::Instruction &i) { return i.row && i.row->id == form.row; });
  EXPECT_TRUE(found) << form.text << " is no instruction of row " << form.row;
}

const char *profileFor(const std::string &target) {
  return target.starts_with("sm_10")  ? "b200"
         : target.starts_with("sm_9") ? "h200"
         : target == "sm_89"          ? "l40s"
                                      : "a100";
}

void compare(const Form &form, const std::vector<In> &operands, const uint64_t *results) {
  unsigned failures = 0;
  for (size_t n = 0; n < operands.size(); ++n) {
    uint64_t expected = form.expected(operands[n]), got = results[n];
    bool same = form.same ? form.same(got, expected) : got == expected;
    if (same || ++failures > MostFailures)
      continue;
    ADD_FAILURE() << form.text << std::hex << " of 0x" << operands[n][0] << ", 0x"
                  << operands[n][1] << ", 0x" << operands[n][2] << ", 0x"
                  << operands[n][3] << " gives 0x" << got << ", not 0x" << expected;
  }
  EXPECT_LE(failures, MostFailures) << form.text << ": more of them";
}
} // namespace

void checkForms(const std::vector<Form> &forms, const std::vector<In> &operands,
                const std::string &target) {
  std::string text = header(target);
  for (size_t n = 0; n < forms.size(); ++n)
    text += kernelAround(forms[n], n);
  ptx::ParseResult parsed = ptx::parse(text);
  for (const ptx::Diagnostic &error : parsed.errors)
    ADD_FAILURE() << ptx::format(error);
  if (!parsed.ok())
    return;
  Machine machine(profileFor(target));
  Outcome outcome = machine.load(text);
  ASSERT_EQ(outcome.message, "");
  auto in = machine.upload(operands);
  for (size_t n = 0; n < forms.size(); ++n) {
    std::string name = "k" + std::to_string(n);
    expectRow(forms[n], *parsed.module->function(name));
    auto out = machine.zeros<uint64_t>(operands.size());
    uint32_t count = uint32_t(operands.size());
    outcome = machine.run(name, {.grid = {(count + Block - 1) / Block}, .block = {Block}},
                          in.address(), out.address(), count);
    ASSERT_EQ(outcome.message, "") << forms[n].text;
    compare(forms[n], operands, out.data());
  }
}

std::vector<In> operandSets(const std::vector<uint64_t> &values, unsigned bits,
                            size_t random) {
  std::vector<In> sets;
  size_t count = values.size();
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < count; ++j)
      sets.push_back({values[i], values[j], values[(i * 3 + j) % count],
                      values[(i + j * 5 + 1) % count]});
  std::mt19937_64 source(17);
  uint64_t mask = bits < 64 ? (uint64_t(1) << bits) - 1 : ~uint64_t(0);
  for (size_t i = 0; i < random; ++i)
    sets.push_back({source() & mask, source() & mask, source() & mask, source() & mask});
  return sets;
}

std::vector<In> operandTriples(const std::vector<uint64_t> &values) {
  std::vector<In> sets;
  for (uint64_t a : values)
    for (uint64_t b : values)
      for (uint64_t c : values)
        sets.push_back({a, b, c, a ^ b});
  return sets;
}

std::vector<In> allValues(unsigned bits) {
  std::vector<In> sets;
  uint64_t count = uint64_t(1) << bits;
  for (uint64_t i = 0; i < count; ++i)
    sets.push_back({i, (i * 5 + 3) % count, (i * 9 + 7) % count, i ^ (count - 1)});
  return sets;
}

std::vector<uint64_t> integerEdges(unsigned bits) {
  uint64_t all = bits < 64 ? (uint64_t(1) << bits) - 1 : ~uint64_t(0),
           top = uint64_t(1) << (bits - 1);
  std::vector<uint64_t> values = {0,
                                  1,
                                  2,
                                  3,
                                  7,
                                  15,
                                  31,
                                  all,
                                  all - 1,
                                  top,
                                  top - 1,
                                  top + 1,
                                  all / 3,
                                  32,
                                  33,
                                  63,
                                  0x5a5a5a5a5a5a5a5a & all,
                                  all >> (bits / 2),
                                  0x80 & all,
                                  0x7f};
  return values;
}

std::vector<uint64_t> singleEdges() {
  return {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
          0x00800000, 0x80800000, 0x00800001, 0x3f7fffff, 0x3f800000, 0xbf800000,
          0x3f800001, 0x3effffff, 0x40490fdb, 0xc2c80000, 0x4b000001, 0x4b7fffff,
          0x34000000, 0x33800000, 0x5f000000, 0x1fffffff, 0x7f7fffff, 0xff7fffff,
          0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345};
}

std::vector<uint64_t> doubleEdges() {
  return {0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001,
          0x000fffffffffffff, 0x0010000000000000, 0x8010000000000000, 0x3fefffffffffffff,
          0x3ff0000000000000, 0xbff0000000000000, 0x3ff0000000000001, 0x3fe0000000000000,
          0x400921fb54442d18, 0xc059000000000000, 0x4330000000000001, 0x4340000000000000,
          0x3ca0000000000000, 0x3c90000000000000, 0x41dfffffffe00000, 0x41f0000000000000,
          0xc1e0000000200000, 0x43e0000000000000, 0x7fefffffffffffff, 0xffefffffffffffff,
          0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001};
}

std::vector<uint64_t> halfEdges() {
  return {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x0401,
          0x3bff, 0x3c00, 0xbc00, 0x3c01, 0x3800, 0x3801, 0x3555, 0x4248, 0xd640,
          0x1400, 0x2401, 0x6bff, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01};
}

std::vector<uint64_t> bfloatEdges() {
  return {0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080, 0x0081,
          0x3f7f, 0x3f80, 0xbf80, 0x3f81, 0x3f00, 0x3eab, 0x4049, 0xc2c8, 0x3380,
          0x3400, 0x5f00, 0x1fff, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7f81};
}

} // namespace kiln::sim::test
