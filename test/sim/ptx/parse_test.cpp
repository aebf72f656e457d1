//===- parse_test.cpp - Modules that the parser builds --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/parser.h"
#include "runtime/sim/ptx/print.h"

#include <bit>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

using namespace kiln::sim::ptx;
using testing::ElementsAre;

namespace {

std::shared_ptr<const Module> load(const std::string &text) {
  ParseResult result = parse(text);
  for (const Diagnostic &d : result.errors)
    ADD_FAILURE() << format(d);
  return result.module;
}

class Kernels : public testing::Test {
protected:
  static void SetUpTestSuite() {
    std::stringstream text;
    text << std::ifstream(KILN_SIM_PTX_INPUTS "/kernels.ptx").rdbuf();
    module = load(text.str());
  }
  void SetUp() override { ASSERT_TRUE(module); }
  const Function &kernel() const { return *module->function("shapes"); }
  /// The n-th instruction with this opcode.
  const Instruction &find(Opcode opcode, size_t n = 0) const {
    for (const Instruction &i : kernel().code)
      if (i.opcode == opcode && n-- == 0)
        return i;
    throw std::runtime_error("no such instruction");
  }
  std::string name(uint32_t reg) const { return kernel().registers[reg].name; }
  static std::shared_ptr<const Module> module;
};
std::shared_ptr<const Module> Kernels::module;

TEST_F(Kernels, ModuleDirectives) {
  EXPECT_EQ(module->version, 87u);
  EXPECT_EQ(module->target.sm, 90u);
  EXPECT_EQ(module->target.suffix, 'a');
  EXPECT_EQ(module->function("nobody"), nullptr);
  EXPECT_FALSE(module->function("vprintf")->defined);
  EXPECT_EQ(module->function("vprintf")->linkage, Linkage::Extern);
}

TEST_F(Kernels, Variables) {
  const Variable &table = *module->variable("table");
  EXPECT_EQ(table.size, 24u);
  EXPECT_EQ(table.align, 8u);
  ASSERT_EQ(table.init.size(), 3u);
  EXPECT_EQ(table.init[0].kind, Initializer::Kind::Address);
  EXPECT_EQ(module->variables[table.init[0].symbol].name, "other");
  EXPECT_EQ(table.init[1].kind, Initializer::Kind::GenericAddress);
  EXPECT_EQ(table.init[1].bits, 4u);
  EXPECT_EQ(table.init[2].bits, 7u);
  const Variable &matrix = *module->variable("matrix");
  EXPECT_EQ(matrix.size, 16u);
  std::vector<std::pair<uint64_t, float>> values;
  for (const Initializer &i : matrix.init)
    values.emplace_back(i.offset, std::bit_cast<float>(uint32_t(i.bits)));
  EXPECT_THAT(values,
              ElementsAre(std::pair(0, 1.0f), std::pair(4, 2.0f), std::pair(8, -3.5f)))
      << "the second row starts at its own place";
  const Variable &other = *module->variable("other");
  EXPECT_EQ(other.init[1].bits, 0xFFFFFFFEu);
  EXPECT_EQ(other.init[3].bits, 32u) << "octal";
  EXPECT_TRUE(module->variable("dynamic")->unsizedArray);
}

TEST_F(Kernels, ParametersAreLaidOutAsTheDriverPassesThem) {
  const Function &k = kernel();
  EXPECT_TRUE(k.entry);
  ASSERT_EQ(k.parameters.size(), 3u);
  EXPECT_EQ(k.parameters[0].offset, 0u);
  EXPECT_EQ(k.parameters[1].offset, 64u);
  EXPECT_EQ(k.parameters[2].offset, 192u);
  EXPECT_EQ(k.parameterBytes, 196u);
  ASSERT_TRUE(k.parameters[0].pointer);
  EXPECT_EQ(k.parameters[0].pointer->space, StateSpace::Global);
  EXPECT_EQ(k.parameters[0].pointer->align, 16u);
  EXPECT_THAT(k.directives.maxntid, ElementsAre(128, 1, 1));
  EXPECT_THAT(k.directives.reqnctapercluster, ElementsAre(2, 1, 1));
  EXPECT_EQ(k.directives.minnctapersm, 2u);
}

TEST_F(Kernels, ScopesHaveRegistersOfTheirOwn) {
  const Instruction &outer = find(Opcode::Mov, 0), &inner = find(Opcode::Mov, 1);
  EXPECT_EQ(name(outer.operands[0].index), "%r1");
  EXPECT_EQ(name(inner.operands[0].index), "%r1");
  EXPECT_NE(outer.operands[0].index, inner.operands[0].index);
}

TEST_F(Kernels, VectorRegistersComeApart) {
  const Instruction &load = find(Opcode::Ld, 1);
  EXPECT_EQ(load.vector, 4);
  ASSERT_EQ(load.operands[0].elements.size(), 4u);
  EXPECT_EQ(name(load.operands[0].elements[3].index), "%v.w");
  EXPECT_EQ(load.operands[1].offset, 16);
  const Instruction &add = find(Opcode::Add);
  EXPECT_EQ(add.operands[2].index, load.operands[0].elements[3].index);
}

TEST_F(Kernels, PairsGuardsAndConstants) {
  const Instruction &compare = find(Opcode::Setp);
  EXPECT_EQ(compare.operation, Mod::Gt);
  ASSERT_EQ(compare.operands[0].kind, Operand::Kind::Pair);
  EXPECT_EQ(name(compare.operands[0].elements[1].index), "%p2");
  EXPECT_EQ(compare.operands[2].bits, 0x3F800000u);
  EXPECT_EQ(compare.operands[2].type, Type::F32);
  const Instruction &branch = find(Opcode::Bra);
  EXPECT_TRUE(branch.guardNegated);
  EXPECT_EQ(name(uint32_t(branch.guard)), "%p1");
  EXPECT_EQ(branch.operands[0].index, kernel().labels.at("skip"));
}

TEST_F(Kernels, LabelsAndTables) {
  const Function &k = kernel();
  ASSERT_EQ(k.branchTables.size(), 1u);
  EXPECT_THAT(
      k.branchTables[0].targets,
      ElementsAre(k.labels.at("skip"), k.labels.at("again"), k.labels.at("done")));
  EXPECT_EQ(find(Opcode::BrxIdx).operands[1].kind, Operand::Kind::Table);
}

TEST_F(Kernels, Calls) {
  const Instruction &direct = find(Opcode::Call, 0), &registers = find(Opcode::Call, 1),
                    &indirect = find(Opcode::Call, 2);
  EXPECT_EQ(direct.operands[0].elements.size(), 1u);
  EXPECT_EQ(module->functions[direct.operands[1].index].name, "triple");
  EXPECT_EQ(registers.operands[2].elements[1].bits, 4u);
  EXPECT_EQ(registers.operands[2].elements[1].type, Type::B32);
  EXPECT_EQ(indirect.operands[1].kind, Operand::Kind::Register);
  EXPECT_EQ(indirect.operands[3].kind, Operand::Kind::Prototype);
  const Function &add2 = *module->function("add2");
  EXPECT_EQ(add2.registerParameters.size(), 2u);
  EXPECT_EQ(add2.registerReturns.size(), 1u);
}

TEST_F(Kernels, TensorCopiesAndMatrices) {
  const Instruction &copy = find(Opcode::CpAsyncBulkTensor);
  EXPECT_EQ(copy.spaces[0], StateSpace::SharedCluster);
  EXPECT_EQ(copy.spaces[1], StateSpace::Global);
  EXPECT_TRUE(copy.has(Mod::Dim2));
  ASSERT_EQ(copy.operands[1].kind, Operand::Kind::TensorAddress);
  EXPECT_EQ(copy.operands[1].elements[1].elements.size(), 2u);
  const Instruction &mma = find(Opcode::Mma);
  EXPECT_EQ(mma.shape, (Shape{16, 8, 16}));
  EXPECT_EQ(mma.layouts[0], Mod::Row);
  EXPECT_EQ(mma.layouts[1], Mod::Col);
  EXPECT_EQ(mma.types[1], Type::BF16);
  EXPECT_EQ(mma.typeCount, 4);
}

TEST_F(Kernels, SourceLines) {
  EXPECT_EQ(module->source(find(Opcode::Mov)), "kernels.cu:12");
  EXPECT_EQ(find(Opcode::Ret).location.line, 79u);
  const Instruction &load = find(Opcode::Ld, 1);
  EXPECT_EQ(print(load, kernel(), *module),
            "ld.global.v4.f32 {%v.x, %v.y, %v.z, %v.w}, [%rd2+16]");
}

TEST(Parse, ConstantsTakeTheFormOfTheirOperand) {
  auto bits = [](const char *text) {
    auto module =
        load(std::string(".version 9.0\n.target sm_80\n.entry k() {\n"
                         ".reg .b16 %h; .reg .b32 %r; .reg .b64 %rd; .reg .f32 %f; "
                         ".reg .f64 %d; .reg .pred %p;\n") +
             text + "\nret;\n}");
    return module ? module->function("k")->code[0].operands[1].bits : ~uint64_t(0) - 1;
  };
  EXPECT_EQ(bits("mov.u16 %h, 0x12345;"), 0x2345u);
  EXPECT_EQ(bits("mov.s16 %h, 0xFFFF;"), ~uint64_t(0)) << "signed: extended";
  EXPECT_EQ(bits("mov.b16 %h, -1;"), 0xFFFFu) << "unsigned: not";
  EXPECT_EQ(bits("mov.u32 %r, 3+4*(2|8)-WARP_SZ;"), 11u);
  EXPECT_EQ(bits("mov.u32 %r, 5 > 3 ? 7 : 9;"), 7u);
  EXPECT_EQ(bits("mov.u32 %r, -7 / 2;"), 0xFFFFFFFDu);
  EXPECT_EQ(bits("mov.u64 %rd, -1 >> 63;"), ~uint64_t(0));
  EXPECT_EQ(bits("mov.u64 %rd, (.u64)(-1) >> 63;"), 1u);
  EXPECT_EQ(bits("mov.u64 %rd, !5 == 0 && 2 < 3;"), 1u);
  EXPECT_EQ(bits("mov.f32 %f, 0.1;"), std::bit_cast<uint32_t>(0.1f));
  EXPECT_EQ(bits("mov.f64 %d, 0f3FC00000;"), std::bit_cast<uint64_t>(1.5));
  EXPECT_EQ(bits("mov.f32 %f, -(1.0 + 2.0);"), std::bit_cast<uint32_t>(-3.0f));
  EXPECT_EQ(bits("mov.pred %p, 4;"), 1u);
}

TEST(Parse, PrintedVariablesKeepTheirValues) {
  std::string text = ".version 9.0\n.target sm_80\n.global .b32 y;\n"
                     ".global .b32 a[3][2] = {{1}, {2, 3}};\n"
                     ".global .v2 .f32 b[2] = {{1.0, 2.0}, {0.0, 4.0}};\n"
                     ".global .u8 c[9] = {5, 0xFF(y+3), 0xFF00(y), 0, 0, 6};\n";
  auto module = load(text);
  ASSERT_TRUE(module);
  auto again = load(print(*module));
  ASSERT_TRUE(again);
  for (const Variable &v : module->variables) {
    const Variable &other = *again->variable(v.name);
    ASSERT_EQ(other.init.size(), v.init.size()) << v.name;
    for (size_t i = 0; i < v.init.size(); ++i) {
      EXPECT_EQ(other.init[i].offset, v.init[i].offset) << v.name << " " << i;
      EXPECT_EQ(other.init[i].bits, v.init[i].bits) << v.name << " " << i;
      EXPECT_EQ(other.init[i].maskByte, v.init[i].maskByte) << v.name << " " << i;
    }
  }
  EXPECT_EQ(module->variable("a")->init[1].offset, 8u);
}

TEST(Parse, NamesOfBodiesDoNotMeetInPrint) {
  const char *text =
      ".version 9.0\n.target sm_80\n.global .b32 kept;\n"
      ".func f(.param .b32 %k0) {\n.reg .b32 a; .global .b32 kept; .param .b32 b;\n"
      "ld.param.b32 a, [%k0]; st.param.b32 [b], a; st.global.b32 [kept], a;\nret;\n}\n"
      ".func g(.param .b32 $kkv0) {\n.reg .b32 a; .global .b32 kept; .param .b32 b;\n"
      "ld.global.b32 a, [kept]; st.param.b32 [b], a; ld.param.b32 a, [$kkv0];\nret;\n}\n";
  auto module = load(text);
  ASSERT_TRUE(module);
  ASSERT_EQ(module->variables.size(), 3u);
  std::string printed = print(*module);
  auto again = load(printed);
  ASSERT_TRUE(again);
  EXPECT_EQ(print(*again), printed);
  EXPECT_EQ(again->variables.size(), 3u);
}

TEST(Parse, RegisterRangesMayBeHugeAndEndInDigits) {
  auto module = load(".version 9.0\n.target sm_80\n.entry k() {\n"
                     ".reg .b32 %a<4000000000>; .reg .b64 %b1<20>;\n"
                     "mov.b32 %a3999999999, 1;\nmov.b64 %b112, 2;\nret;\n}");
  ASSERT_TRUE(module);
  const Function &k = *module->function("k");
  ASSERT_EQ(k.registers.size(), 2u) << "only those in use exist";
  EXPECT_EQ(k.registers[1].name, "%b112");
  EXPECT_EQ(k.registers[1].type, Type::B64);
}

TEST(Parse, LabelsMayRepeatInBlocks) {
  auto module =
      load(".version 9.0\n.target sm_80\n.entry k() {\n.reg .pred %p;\n"
           "{\nagain:\n@%p bra again;\n}\n{\nagain:\nbar.sync 0;\n@%p bra again;\n"
           "bra out;\n}\nout:\nret;\n}");
  ASSERT_TRUE(module);
  const Function &k = *module->function("k");
  EXPECT_EQ(k.code[0].operands[0].index, 0u);
  EXPECT_EQ(k.code[2].operands[0].index, 1u);
  EXPECT_EQ(k.code[3].operands[0].index, 4u);
}

} // namespace
