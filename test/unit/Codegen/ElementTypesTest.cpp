//===- ElementTypesTest.cpp - Contractions of other types than f32 --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GEMM and attention in narrow float types and f64, fused with the adjacent ops of
// models, run by the tile evaluator and as host code, compared with the reference. Code
// is compiled for every target, even if this machine cannot run it: an image that calls a
// library function is refused.
//
//===----------------------------------------------------------------------===//

#include "Pointwise/ReferenceCheck.h"
#include "kiln/Codegen/EmitKernel.h"

using namespace kiln;
using namespace kiln::test;
using namespace mlir;

namespace {

struct Case {
  const char *target, *element;
};

class ElementTypes : public testing::TestWithParam<Case> {
protected:
  /// Checks a kernel whose operands are %a, %b, ... and whose body computes %r. T is
  /// replaced by the element type everywhere.
  void check(const std::vector<std::string> &types, const std::string &result,
             const std::string &body, ArrayRef<reference::Symbols> sizes) {
    std::string outer, pairs, list;
    for (size_t i = 0; i < types.size(); ++i) {
      std::string name(1, char('a' + i)), comma = i ? ", " : "";
      outer += comma + "%" + name + "0: " + types[i];
      pairs += comma + "%" + name + " = %" + name + "0";
      list += comma + types[i];
    }
    std::string text = "func.func @main(" + outer + ") -> " + result +
                       " {\n%k = graph.kernel \"k\" (" + pairs + ") : (" + list +
                       ") -> " + result + " {\n" + body + "\ngraph.yield %r : " + result +
                       "\n}\nreturn %k : " + result + "\n}";
    loadGraphDialects(context);
    auto source = parseSourceString<ModuleOp>(spellType(text), &context);
    ASSERT_TRUE(source);
    KernelCase test;
    source->walk([&](graph::KernelOp kernel) { test.kernel = kernel; });
    TargetInfo target = llvm::cantFail(TargetInfo::get(GetParam().target));
    OwningOpRef<ModuleOp> code = ModuleOp::create(UnknownLoc::get(&context));
    OpBuilder builder = OpBuilder::atBlockEnd(code->getBody());
    auto kernel = codegen::emitKernel(test.kernel, target, builder);
    ASSERT_TRUE(succeeded(kernel));
    test.code = *kernel;
    auto image = compile(*code, target);
    ASSERT_TRUE(image);
    for (const reference::Symbols &symbols : sizes) {
      test.symbols = symbols;
      run(test, *image);
    }
  }

private:
  static std::string spellType(std::string text) {
    for (size_t at; (at = text.find("xT")) != std::string::npos;)
      text.replace(at, 2, "x" + std::string(GetParam().element));
    return text;
  }

  void run(KernelCase &test, const LoadedImage &image) {
    SCOPED_TRACE(spell(test));
    test.inputs.clear();
    for (Type type : test.kernel.getBlock().getArgumentTypes()) {
      reference::Shape shape = llvm::cantFail(reference::shapeOf(type, test.symbols));
      test.inputs.push_back(randomTensor(random, getElementTypeOrSelf(type), shape));
    }
    // Sums of up to 70 products of magnitude up to 4; the stored result is rounded once.
    bool isDouble = StringRef(GetParam().element) == "f64";
    Type element = getElementTypeOrSelf(test.kernel.getResult(0).getType());
    int precision =
        APFloat::semanticsPrecision(cast<FloatType>(element).getFloatSemantics());
    Tolerance tolerance;
    tolerance.absolute = isDouble ? 1e-12 : 2e-5;
    tolerance.relative = tolerance.absolute + std::ldexp(1.0, -precision);
    tolerance.rounding = 0;
    std::optional<Expected> expected = evaluateReference(test);
    ASSERT_TRUE(expected);
    compareResults(*expected, evaluateTile(test), tolerance);
    if (targetOrSkip(GetParam().target))
      compareResults(*expected, runKernel(test, image.kernel(test.code.getSymName())),
                     tolerance);
  }

  MLIRContext context;
  std::mt19937 random{5};
};

const reference::Symbols kSizes[] = {{{"n", 1}, {"m", 1}},
                                     {{"n", 3}, {"m", 4}},
                                     {{"n", 7}, {"m", 33}},
                                     {{"n", 20}, {"m", 17}},
                                     {{"n", 70}, {"m", 5}}};
const std::string kRows = "tensor<?x40xT, #graph.shape<[n] -> [n, 40]>>";
const std::string kOut = "tensor<?x36xT, #graph.shape<[n] -> [n, 36]>>";

} // namespace

TEST_P(ElementTypes, MatmulOfPlainOperands) {
  check({kRows, "tensor<40x36xT>"}, kOut,
        "%r = graph.matmul %a, %b : (" + kRows + ", tensor<40x36xT>) -> " + kOut, kSizes);
  check({kRows, "tensor<36x40xT>"}, kOut,
        "%r = graph.matmul %a, %b {transpose_b} : (" + kRows + ", tensor<36x40xT>) -> " +
            kOut,
        kSizes);
}

/// The epilogue has functions whose results LLVM could narrow.
TEST_P(ElementTypes, MatmulOfPackedWeightsWithEpilogue) {
  check({kRows, "tensor<3x40x16xT>", "tensor<36xT>"}, kOut,
        "%u = graph.unpack %b : (tensor<3x40x16xT>) -> tensor<40x36xT>\n"
        "%p = graph.matmul %a, %u : (" +
            kRows + ", tensor<40x36xT>) -> " + kOut +
            "\n"
            "%s = graph.binary add %p, %c : (" +
            kOut + ", tensor<36xT>) -> " + kOut +
            "\n"
            "%f = graph.unary floor %c : (tensor<36xT>) -> tensor<36xT>\n"
            "%x = graph.binary max %s, %f : (" +
            kOut + ", tensor<36xT>) -> " + kOut +
            "\n"
            "%r = graph.unary gelu %x : (" +
            kOut + ") -> " + kOut,
        kSizes);
}

/// Weights are stored in a narrow type and computed with in f32.
TEST_P(ElementTypes, MatmulOfCastWeights) {
  std::string rows = "tensor<?x40xf32, #graph.shape<[n] -> [n, 40]>>";
  std::string out = "tensor<?x36xf32, #graph.shape<[n] -> [n, 36]>>";
  if (StringRef(GetParam().element) != "f64")
    check({rows, "tensor<3x40x16xT>"}, out,
          "%u = graph.unpack %b : (tensor<3x40x16xT>) -> tensor<40x36xT>\n"
          "%f = graph.cast %u : (tensor<40x36xT>) -> tensor<40x36xf32>\n"
          "%r = graph.matmul %a, %f : (" +
              rows + ", tensor<40x36xf32>) -> " + out,
          kSizes);
}

TEST_P(ElementTypes, Attention) {
  std::string q = "tensor<2x4x?x8xT, #graph.shape<[n] -> [2, 4, n, 8]>>";
  std::string k = "tensor<2x2x?x8xT, #graph.shape<[m] -> [2, 2, m, 8]>>";
  std::string mask = "tensor<2x1x1x?xT, #graph.shape<[m] -> [2, 1, 1, m]>>";
  std::string types = "(" + q + ", " + k + ", " + k;
  check({q, k, k, mask}, q,
        "%r = graph.attention %a, %b, %c mask %d {scale = 0.35 : f64} : " + types + ", " +
            mask + ") -> " + q,
        kSizes);
  std::string s = "tensor<2x2x?x8xT, #graph.shape<[n] -> [2, 2, n, 8]>>";
  check({s, s, s}, s,
        "%r = graph.attention %a, %b, %c {causal, scale = 0.35 : f64} : (" + s + ", " +
            s + ", " + s + ") -> " + s,
        kSizes);
}

INSTANTIATE_TEST_SUITE_P(
    All, ElementTypes,
    testing::Values(Case{"x86-64-v3", "f16"}, Case{"x86-64-v3", "bf16"},
                    Case{"x86-64-v3", "f64"}, Case{"x86-64-v4", "f16"},
                    Case{"x86-64-v4", "bf16"}, Case{"x86-64-v4", "f64"}),
    [](const auto &info) {
      return StringRef(info.param.target).take_back(2).str() + "_" + info.param.element;
    });
