//===- GemvTest.cpp - Skinny GEMM against the reference -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the tile programs of every candidate config of a matmul with the tile evaluator,
// for odd sizes, layouts and types.
//
//===----------------------------------------------------------------------===//

#include "lib/Codegen/Gemm/Gemv.h"
#include "Pointwise/ReferenceCheck.h"
#include "kiln/Codegen/EmitKernel.h"
#include "lib/Codegen/Gemm/GemmAnalysis.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln;
using namespace kiln::test;
using namespace mlir;

namespace {

std::string tensor(std::vector<int64_t> shape, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element + ">";
}

class Gemv : public testing::TestWithParam<const char *> {
protected:
  /// Checks all configs of a kernel whose operands are %a, %b, ... and whose body
  /// computes %r; returns the number of configs.
  int check(const std::vector<std::string> &types, const std::string &result,
            const std::string &body, int64_t width = 16,
            const reference::Symbols &symbols = {}) {
    std::string outer, pairs, list;
    for (size_t i = 0; i < types.size(); ++i) {
      std::string name(1, char('a' + i)), comma = i ? ", " : "";
      outer += comma + "%" + name + "0: " + types[i];
      pairs += comma + "%" + name + " = %" + name + "0";
      list += comma + types[i];
    }
    std::string text = declarations + "func.func @main(" + outer + ") -> " + result +
                       " {\n%k = graph.kernel \"k\" (" + pairs + ") : (" + list +
                       ") -> " + result + " {\n" + body + "\ngraph.yield %r : " + result +
                       "\n}\nreturn %k : " + result + "\n}";
    SCOPED_TRACE(text);
    loadGraphDialects(context);
    auto source = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(source);
    KernelCase test;
    test.symbols = symbols;
    source->walk([&](graph::KernelOp kernel) { test.kernel = kernel; });
    for (Type type : test.kernel.getBlock().getArgumentTypes())
      test.inputs.push_back(
          randomTensor(random, getElementTypeOrSelf(type),
                       llvm::cantFail(reference::shapeOf(type, symbols))));
    std::string why;
    auto program = codegen::GemmProgram::build(test.kernel, {width, width}, why);
    EXPECT_TRUE(program) << why;
    TargetInfo target = llvm::cantFail(TargetInfo::get("sm_80"));
    codegen::GemmProblem problem = codegen::GemmAnalysis(test.kernel).problem({target});
    problem.width = program->width;
    auto configs = codegen::rankGemvConfigs(&context, problem, target);
    for (tile::GemvConfigAttr config : configs)
      run(test, config, width);
    return configs.size();
  }

  std::string declarations; ///< text before the function

private:
  void run(KernelCase &test, tile::GemvConfigAttr config, int64_t width) {
    std::string why, text;
    llvm::raw_string_ostream(text) << config;
    SCOPED_TRACE(text);
    auto program = codegen::GemmProgram::build(test.kernel, {width, width}, why);
    OwningOpRef<ModuleOp> code = ModuleOp::create(UnknownLoc::get(&context));
    OpBuilder builder = OpBuilder::atBlockEnd(code->getBody());
    test.code = codegen::GemvEmitter(builder, test.kernel, *program, config).emit();
    ASSERT_TRUE(succeeded(code->verify()));
    std::optional<Expected> expected = evaluateReference(test);
    ASSERT_TRUE(expected);
    // Sums of up to 600 products of magnitude up to 4 in f32; the stored result is
    // rounded once.
    Type element = getElementTypeOrSelf(test.kernel.getResult(0).getType());
    int precision =
        APFloat::semanticsPrecision(cast<FloatType>(element).getFloatSemantics());
    Tolerance tolerance;
    tolerance.absolute = 1e-4;
    tolerance.relative = 2e-5 + std::ldexp(1.0, -precision);
    tolerance.rounding = 0;
    compareResults(*expected, evaluateTile(test), tolerance);
  }

  MLIRContext context;
  std::mt19937 random{7};
};

struct GemvSize {
  int64_t m, n, k;
};
const GemvSize kGemvSizes[] = {{1, 1, 1},    {1, 16, 300}, {2, 17, 64}, {3, 50, 45},
                               {4, 33, 128}, {5, 7, 600},  {8, 20, 90}, {1, 70, 33}};

} // namespace

/// Operands A and B, each plain and transposed.
TEST_P(Gemv, EveryLayout) {
  for (auto [i, size] : llvm::enumerate(kGemvSizes))
    for (bool right : {false, true}) {
      bool left = (i % 2 == 0) == right; // half of the combinations per size
      std::string a = left ? tensor({size.k, size.m}, GetParam())
                           : tensor({size.m, size.k}, GetParam());
      std::string b = right ? tensor({size.n, size.k}, GetParam())
                            : tensor({size.k, size.n}, GetParam());
      std::string c = tensor({size.m, size.n}, GetParam());
      std::string flags = left && right ? "{transpose_a, transpose_b} "
                          : left        ? "{transpose_a} "
                          : right       ? "{transpose_b} "
                                        : "";
      EXPECT_GT(
          check({a, b}, c,
                "%r = graph.matmul %a, %b " + flags + ": (" + a + ", " + b + ") -> " + c),
          0);
    }
}

/// Packed panels of both widths with a partial last panel; a bias, an activation, a
/// residual.
TEST_P(Gemv, PackedWeightsWithEpilogue) {
  for (int64_t width : {16, 64})
    for (auto [m, n, k] :
         {GemvSize{1, 100, 70}, GemvSize{3, 64, 256}, GemvSize{8, 130, 41}}) {
      std::string a = tensor({m, k}, GetParam()), c = tensor({m, n}, GetParam());
      std::string packed = tensor({(n + width - 1) / width, k, width}, GetParam());
      std::string plain = tensor({k, n}, GetParam()), bias = tensor({n}, GetParam());
      std::string elementwise = " : (" + c + ") -> " + c;
      EXPECT_GT(check({a, packed, bias, c}, c,
                      "%u = graph.unpack %b : (" + packed + ") -> " + plain +
                          "\n%p = graph.matmul %a, %u : (" + a + ", " + plain + ") -> " +
                          c + "\n%s = graph.binary add %p, %c : (" + c + ", " + bias +
                          ") -> " + c + "\n%t = graph.unary tanh %s" + elementwise +
                          "\n%r = graph.binary add %t, %d : (" + c + ", " + c + ") -> " +
                          c,
                      width),
                0);
    }
}

/// A batched matmul with one B per head; the result is f32.
TEST_P(Gemv, BatchesAndConversion) {
  std::string a = tensor({2, 3, 1, 72}, GetParam()),
              b = tensor({2, 3, 50, 72}, GetParam());
  std::string c = tensor({2, 3, 1, 50}, GetParam()), wide = tensor({2, 3, 1, 50}, "f32");
  EXPECT_GT(check({a, b}, wide,
                  "%p = graph.matmul %a, %b {transpose_b} : (" + a + ", " + b + ") -> " +
                      c + "\n%r = graph.cast %p : (" + c + ") -> " + wide),
            0);
}

/// K and N are symbolic.
TEST_P(Gemv, SymbolicExtents) {
  std::string element = GetParam();
  std::string a = "tensor<2x3x?x" + element + ", #graph.shape<[k] -> [2, 3, k]>>";
  std::string b = "tensor<2x?x?x" + element + ", #graph.shape<[k, n] -> [2, k, n]>>";
  std::string c = "tensor<2x3x?x" + element + ", #graph.shape<[n] -> [2, 3, n]>>";
  for (auto [n, k] : {std::pair<int64_t, int64_t>{1, 1}, {33, 70}, {64, 129}})
    EXPECT_GT(check({a, b}, c,
                    "%r = graph.matmul %a, %b : (" + a + ", " + b + ") -> " + c, 16,
                    {{"k", k}, {"n", n}}),
              0);
}

/// Computes the max number of rows that the symbol's range allows: missing rows read
/// another row's elements and are not stored.
TEST_P(Gemv, BoundedRows) {
  std::string element = GetParam();
  declarations = "graph.symbol @m in [1, 2]\n";
  std::string a = "tensor<?x3x40x" + element + ", #graph.shape<[m] -> [m, 3, 40]>>";
  std::string b = tensor({40, 24}, element), t = tensor({24, 40}, element);
  std::string c = "tensor<?x3x24x" + element + ", #graph.shape<[m] -> [m, 3, 24]>>";
  for (int64_t m : {1, 2}) {
    EXPECT_GT(check({a, b}, c,
                    "%r = graph.matmul %a, %b : (" + a + ", " + b + ") -> " + c, 16,
                    {{"m", m}}),
              0);
    EXPECT_GT(
        check({a, t}, c,
              "%r = graph.matmul %a, %b {transpose_b} : (" + a + ", " + t + ") -> " + c,
              16, {{"m", m}}),
        0);
  }
}

/// No GEMV config exists for nine rows, integers or doubles.
TEST_P(Gemv, OnlyFewRowsOfNarrowFloats) {
  for (auto [m, element] :
       {std::pair<int64_t, std::string>{9, GetParam()}, {4, "f64"}, {4, "i32"}}) {
    std::string a = tensor({m, 32}, element), b = tensor({32, 32}, element);
    std::string c = tensor({m, 32}, element);
    EXPECT_EQ(
        check({a, b}, c, "%r = graph.matmul %a, %b : (" + a + ", " + b + ") -> " + c), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Gemv, testing::Values("f32", "f16", "bf16"));
