//===- ColumnsTest.cpp - Split reductions against the reference -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row ops over a dim other than the last, which thread groups of a GPU block reduce
// together, run by the tile evaluator: every kind and element type, with fewer and with
// more positions and columns than the groups process at once.
//
//===----------------------------------------------------------------------===//

#include "ReferenceCheck.h"
#include "kiln/Target/TargetInfo.h"
#include "lib/Codegen/Pointwise/PointwisePrograms.h"

#include <cmath>
#include <cstring>

using namespace kiln;
using namespace kiln::test;
using namespace mlir;

namespace {

/// Division of a block among thread groups: one pass, several, one column at a time,
/// staged.
struct Cut {
  int64_t lanes, team, share;
  bool stage;
};
constexpr Cut kCuts[] = {{16, 4, 32, false},  {4, 1, 8, false}, {64, 16, 2, false},
                         {128, 32, 4, false}, {16, 4, 8, true}, {1, 1, 128, true}};

class SharedColumns : public testing::Test {
protected:
  void SetUp() override { loadGraphDialects(context); }

  /// Builds a kernel of one op on [b, k, c] that reduces k; `result`: the result's dims.
  void prepare(StringRef op, StringRef element, StringRef result, const Cut &cut) {
    auto tensor = [&](StringRef dims) {
      std::string unknown = dims.count(',') == 2 ? "?x?x?x" : "?x?x";
      std::string symbols = dims.contains('k') ? "[b, c, k]" : "[b, c]";
      return "tensor<" + unknown + element.str() + ", #graph.shape<" + symbols + " -> " +
             dims.str() + ">>";
    };
    std::string from = tensor("[b, k, c]"), to = tensor(result);
    std::string text = "func.func @main(%x: " + from + ") -> " + to +
                       " {\n  %0 = graph.kernel \"row\" (%a = %x) : (" + from + ") -> " +
                       to + " {\n    %1 = " + op.str() + " : (" + from + ") -> " + to +
                       "\n    graph.yield %1 : " + to + "\n  }\n  return %0 : " + to +
                       "\n}";
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    module->walk([&](graph::KernelOp kernel) { test.kernel = kernel; });
    code = ModuleOp::create(UnknownLoc::get(&context));
    OpBuilder builder(code->getBodyRegion());
    TargetInfo target = llvm::cantFail(TargetInfo::get("sm_80"));
    context.loadDialect<tile::TileDialect>();
    auto config = tile::PointwiseConfigAttr::get(&context, cut.lanes, 512, cut.stage, 128,
                                                 cut.team, cut.share, /*positions=*/1);
    auto kernel = codegen::PointwisePrograms(test.kernel)
                      .emit(test.kernel, target, builder, config);
    ASSERT_TRUE(succeeded(kernel));
    test.code = *kernel;
  }

  void check(reference::Symbols symbols, int64_t low = -5, int64_t high = 5) {
    test.symbols = symbols;
    Type tensor = test.kernel.getBlock().getArgumentTypes().front();
    reference::Shape shape = llvm::cantFail(reference::shapeOf(tensor, symbols));
    Type element = cast<RankedTensorType>(tensor).getElementType();
    test.inputs = {randomTensor(random, element, shape, low, high)};
    std::optional<Expected> expected = evaluateReference(test);
    ASSERT_TRUE(expected);
    Tolerance tolerance;
    tolerance.spread = 0.3;
    if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 16)
      tolerance.relative = element.isF16() ? 1e-3 : 1e-2;
    compareResults(*expected, evaluateTile(test), tolerance);
  }

  void checkSizes(int64_t low = -5, int64_t high = 5) {
    check({{"b", 3}, {"k", 7}, {"c", 5}}, low, high);
    check({{"b", 2}, {"k", 1}, {"c", 64}}, low, high);
    check({{"b", 1}, {"k", 37}, {"c", 33}}, low, high);
    check({{"b", 1}, {"k", 130}, {"c", 17}}, low, high);
  }

  MLIRContext context;
  std::mt19937 random{5};
  OwningOpRef<ModuleOp> module, code;
  KernelCase test;
};

} // namespace

TEST_F(SharedColumns, EveryKindOfEveryType) {
  size_t cut = 0;
  for (StringRef element : {"f32", "f16", "bf16", "f64", "i8", "ui8", "i32", "i64"})
    for (StringRef kind :
         {"sum", "mean", "max", "min", "prod", "l1", "l2", "sum_square", "log_sum_exp"}) {
      bool isInteger = element.contains('i');
      if (isInteger && kind != "sum" && kind != "max" && kind != "min" && kind != "prod")
        continue;
      SCOPED_TRACE(kind.str() + " of " + element.str());
      ASSERT_NO_FATAL_FAILURE(prepare("graph.reduce " + kind.str() + " %a axes [1]",
                                      element, "[b, c]",
                                      kCuts[cut++ % std::size(kCuts)]));
      checkSizes(element == "ui8" ? 0 : -1, 1);
    }
}

TEST_F(SharedColumns, RowsOfEveryCut) {
  for (const Cut &cut : kCuts)
    for (StringRef element : {"f32", "f16"}) {
      SCOPED_TRACE(element.str() + " in strips of " + std::to_string(cut.lanes));
      prepare("graph.softmax %a axis 1", element, "[b, k, c]", cut);
      checkSizes();
    }
}

TEST_F(SharedColumns, NothingToReduce) {
  prepare("graph.reduce sum %a axes [1]", "f32", "[b, c]", kCuts[1]);
  check({{"b", 2}, {"k", 0}, {"c", 5}});
  check({{"b", 0}, {"k", 4}, {"c", 5}});
}

/// A NaN must reach the result, whichever thread group reads it.
TEST_F(SharedColumns, MaximumOfNan) {
  prepare("graph.reduce max %a axes [1]", "f32", "[b, c]", kCuts[0]);
  test.symbols = {{"b", 1}, {"k", 50}, {"c", 1}};
  for (int64_t position : {0, 31, 32, 49}) {
    std::vector<double> values(50, 1.0);
    values[position] = std::nan("");
    test.inputs = {
        reference::Tensor::fromDoubles(Float32Type::get(&context), {1, 50, 1}, values)
            .rounded()};
    std::vector<std::vector<char>> found = evaluateTile(test);
    ASSERT_EQ(found.size(), 1u);
    float result;
    std::memcpy(&result, found[0].data(), sizeof result);
    EXPECT_TRUE(std::isnan(result)) << position;
  }
}
