//===- TransposeTest.cpp - Transposes through shared memory ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the tile programs of a GPU with the tile evaluator: every bit must reach its
// place, at sizes that tiles divide and at others.
//
//===----------------------------------------------------------------------===//

#include "ReferenceCheck.h"
#include "kiln/Target/TargetInfo.h"
#include "lib/Codegen/Pointwise/PointwisePrograms.h"

using namespace kiln;
using namespace kiln::test;
using namespace mlir;

namespace {

class PointwiseTranspose : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override { loadGraphDialects(context); }

  /// Prepares a kernel that transposes a tensor of the parameter's type through scratch.
  void prepare(StringRef shape, StringRef result, StringRef permutation) {
    std::string from = type(shape), to = type(result);
    std::string text =
        "func.func @main(%x: " + from + ") -> " + to +
        " {\n  %0 = graph.kernel \"pointwise\" (%a = %x) : (" + from + ") -> " + to +
        " {\n    %1 = graph.transpose %a " + permutation.str() + " : (" + from + ") -> " +
        to + "\n    graph.yield %1 : " + to + "\n  }\n  return %0 : " + to + "\n}";
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    module->walk([&](graph::KernelOp kernel) { test.kernel = kernel; });
    code = ModuleOp::create(UnknownLoc::get(&context));
    OpBuilder builder(code->getBodyRegion());
    TargetInfo target = llvm::cantFail(TargetInfo::get("sm_80"));
    auto kernel =
        codegen::PointwisePrograms(test.kernel).emit(test.kernel, target, builder);
    ASSERT_TRUE(succeeded(kernel));
    test.code = *kernel;
    ASSERT_TRUE(isa<tile::StagingConfigAttr>(test.code.getConfigAttr()));
  }

  /// Returns the tensor type of dims "[m, n]", all symbols.
  std::string type(StringRef dims) {
    size_t rank = dims.count(',') + 1;
    std::string text = "tensor<";
    for (size_t i = 0; i < rank; ++i)
      text += "?x";
    std::string symbols = rank == 2 ? "[m, n]" : "[b, m, n]";
    return text + GetParam() + ", #graph.shape<" + symbols + " -> " + dims.str() + ">>";
  }

  void check(reference::Symbols symbols) {
    test.symbols = symbols;
    Type tensor = test.kernel.getBlock().getArgumentTypes().front();
    reference::Shape shape = llvm::cantFail(reference::shapeOf(tensor, symbols));
    Type element = cast<RankedTensorType>(tensor).getElementType();
    test.inputs = {randomTensor(random, element, shape, 0, element.isInteger(1) ? 1 : 9)};
    std::optional<Expected> expected = evaluateReference(test);
    ASSERT_TRUE(expected);
    compareResults(*expected, evaluateTile(test), {0.0, 0.0, 0.0});
  }

  MLIRContext context;
  std::mt19937 random{11};
  OwningOpRef<ModuleOp> module, code;
  KernelCase test;
};

} // namespace

INSTANTIATE_TEST_SUITE_P(Elements, PointwiseTranspose,
                         testing::Values("f32", "f16", "bf16", "f64", "i1", "i8", "i64"),
                         [](const auto &info) { return std::string(info.param); });

TEST_P(PointwiseTranspose, EverySize) {
  prepare("[m, n]", "[n, m]", "[1, 0]");
  for (int64_t n = 1; n <= 140; n += 3)
    check({{"m", 1 + n * 7 % 139}, {"n", n}});
  check({{"m", 128}, {"n", 64}});
}

TEST_P(PointwiseTranspose, OuterDims) {
  prepare("[b, m, n]", "[b, n, m]", "[0, 2, 1]");
  for (int64_t b : {1, 3})
    check({{"b", b}, {"m", 65}, {"n", 34}});
}

TEST_P(PointwiseTranspose, ContiguousDimToTheFront) {
  prepare("[b, m, n]", "[n, b, m]", "[2, 0, 1]");
  check({{"b", 3}, {"m", 33}, {"n", 70}});
}

TEST_P(PointwiseTranspose, NothingToMove) {
  prepare("[b, m, n]", "[n, m, b]", "[2, 1, 0]");
  check({{"b", 0}, {"m", 5}, {"n", 7}});
  check({{"b", 40}, {"m", 3}, {"n", 0}});
}
