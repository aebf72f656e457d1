//===- KernelTest.cpp - Kernels of models against the reference -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels as they occur in models, at all sizes from 1 up that fragments may not divide,
// with tight tolerances; random kernels are in RandomTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "ReferenceCheck.h"
#include "lib/Codegen/Pointwise/PointwisePrograms.h"

using namespace kiln;
using namespace kiln::test;
using namespace mlir;

namespace {

class PointwiseKernel : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    target = targetOrSkip(GetParam());
    if (!target)
      GTEST_SKIP() << "this machine cannot run " << GetParam();
    loadGraphDialects(context);
  }

  /// Emits and compiles the only kernel of a module's @main.
  void prepare(StringRef text, tile::PointwiseConfigAttr config = {}) {
    module = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(module);
    module->walk([&](graph::KernelOp kernel) { test.kernel = kernel; });
    code = ModuleOp::create(UnknownLoc::get(&context));
    OpBuilder builder(code->getBodyRegion());
    auto kernel = codegen::PointwisePrograms(test.kernel)
                      .emit(test.kernel, *target, builder, config);
    ASSERT_TRUE(succeeded(kernel));
    test.code = *kernel;
    image = compile(*code, *target);
    ASSERT_TRUE(image);
  }

  /// Runs with random inputs for these symbol values and compares.
  void check(reference::Symbols symbols, Tolerance tolerance = {}) {
    test.symbols = symbols;
    test.inputs.clear();
    for (Type type : test.kernel.getBlock().getArgumentTypes()) {
      reference::Shape shape = llvm::cantFail(reference::shapeOf(type, symbols));
      Type element = cast<RankedTensorType>(type).getElementType();
      test.inputs.push_back(randomTensor(random, element, shape));
    }
    checkKernel(test, *image, tolerance);
  }

  MLIRContext context;
  std::mt19937 random{7};
  std::optional<TargetInfo> target;
  OwningOpRef<ModuleOp> module, code;
  std::unique_ptr<LoadedImage> image;
  KernelCase test;
};

std::string named(const testing::TestParamInfo<const char *> &info) {
  return std::string(StringRef(info.param).take_back(2));
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Targets, PointwiseKernel, testing::Values("x86-64-v3", "x86-64-v4"),
                         named);

#define ROWS "tensor<?x?xf32, #graph.shape<[cols, rows] -> [rows, cols]>>"

TEST_P(PointwiseKernel, SoftmaxOfEverySize) {
  prepare("func.func @main(%x: " ROWS ") -> " ROWS R"( {
    %0 = graph.kernel "row" (%a = %x) : ()" ROWS ") -> " ROWS R"( {
      %1 = graph.softmax %a axis 1 : ()" ROWS ") -> " ROWS R"(
      graph.yield %1 : )" ROWS R"(
    }
    return %0 : )" ROWS R"(
  })");
  for (int64_t cols = 1; cols <= 70; ++cols)
    check({{"rows", 1 + cols % 5}, {"cols", cols}});
  check({{"rows", 128}, {"cols", 128}});
  check({{"rows", 3}, {"cols", 1000}});
}

TEST_P(PointwiseKernel, SoftmaxAlongTheOuterDim) {
  prepare("func.func @main(%x: " ROWS ") -> " ROWS R"( {
    %0 = graph.kernel "row" (%a = %x) : ()" ROWS ") -> " ROWS R"( {
      %1 = graph.softmax %a axis 0 : ()" ROWS ") -> " ROWS R"(
      graph.yield %1 : )" ROWS R"(
    }
    return %0 : )" ROWS R"(
  })");
  for (int64_t cols = 1; cols <= 70; cols += 3)
    check({{"rows", 1 + cols % 7}, {"cols", cols}});
  check({{"rows", 33}, {"cols", 500}});
}

TEST_P(PointwiseKernel, LayerNormOfEverySize) {
  prepare("func.func @main(%x: " ROWS R"(, %s: tensor<?xf32, #graph.shape<[cols] -> [cols]>>) -> )" ROWS
          R"( {
    %0 = graph.kernel "row" (%a = %x, %b = %s) : ()" ROWS
          R"(, tensor<?xf32, #graph.shape<[cols] -> [cols]>>) -> )" ROWS R"( {
      %1 = graph.layer_norm %a scale %b bias %b axis 1 {epsilon = 1.0e-05 : f64} : ()" ROWS
          R"(, tensor<?xf32, #graph.shape<[cols] -> [cols]>>, tensor<?xf32, #graph.shape<[cols] -> [cols]>>) -> )" ROWS R"(
      graph.yield %1 : )" ROWS R"(
    }
    return %0 : )" ROWS R"(
  })");
  // A row of one element gives 0 / sqrt(epsilon), which amplifies the rounding of the
  // mean.
  for (int64_t cols = 1; cols <= 70; ++cols)
    check({{"rows", 1 + cols % 5}, {"cols", cols}}, {1e-6, 2e-6});
  check({{"rows", 128}, {"cols", 384}}, {1e-6, 2e-6});
  check({{"rows", 2}, {"cols", 768}}, {1e-6, 2e-6});
}

#define UNARY(kind)                                                                            \
  "func.func @main(%x: " ROWS ") -> " ROWS " {\n"                                              \
  "  %0 = graph.kernel \"pointwise\" (%a = %x) : (" ROWS ") -> " ROWS " {\n"                   \
  "    %1 = graph.unary " kind " %a : (" ROWS ") -> " ROWS "\n"                                \
  "    graph.yield %1 : " ROWS "\n  }\n  return %0 : " ROWS "\n}"

TEST_P(PointwiseKernel, GeluOfEverySize) {
  prepare(UNARY("gelu"));
  for (int64_t cols = 1; cols <= 70; ++cols)
    check({{"rows", 1}, {"cols", cols}});
  check({{"rows", 17}, {"cols", 1536}});
}

TEST_P(PointwiseKernel, FunctionsAreGoodToAMillionth) {
  for (const char *text :
       {UNARY("exp"), UNARY("erf"), UNARY("tanh"), UNARY("sigmoid"), UNARY("silu"),
        UNARY("gelu_tanh"), UNARY("softplus"), UNARY("sin"), UNARY("cos"), UNARY("reciprocal"),
        UNARY("abs"), UNARY("neg"), UNARY("relu"), UNARY("sign"), UNARY("floor"),
        UNARY("ceil"), UNARY("round")}) {
    prepare(text);
    check({{"rows", 3}, {"cols", 333}});
  }
}

TEST_P(PointwiseKernel, SoftmaxOfMaskedRows) {
  prepare(R"(func.func @main(%x: tensor<3x40xf32>) -> tensor<3x40xf32> {
    %0 = graph.kernel "row" (%a = %x) : (tensor<3x40xf32>) -> tensor<3x40xf32> {
      %1 = graph.softmax %a axis 1 : (tensor<3x40xf32>) -> tensor<3x40xf32>
      graph.yield %1 : tensor<3x40xf32>
    }
    return %0 : tensor<3x40xf32>
  })");
  float inf = std::numeric_limits<float>::infinity();
  std::vector<double> values(3 * 40);
  for (int i = 0; i < 40; ++i) {
    values[i] = i % 3 ? -inf : i;             // some elements masked
    values[40 + i] = -inf;                    // all elements masked: NaN
    values[80 + i] = i == 7 ? NAN : 0.5;      // a NaN affects the entire row
  }
  test.inputs = {reference::Tensor::fromDoubles(Float32Type::get(&context), {3, 40}, values)};
  checkKernel(test, *image, {});
}

TEST_P(PointwiseKernel, MaximumKeepsNan) {
  prepare(R"(func.func @main(%x: tensor<2x37xf32>) -> tensor<2xf32> {
    %0 = graph.kernel "row" (%a = %x) : (tensor<2x37xf32>) -> tensor<2xf32> {
      %1 = graph.reduce max %a axes [1] : (tensor<2x37xf32>) -> tensor<2xf32>
      graph.yield %1 : tensor<2xf32>
    }
    return %0 : tensor<2xf32>
  })");
  std::vector<double> values(2 * 37, -1.0);
  values[20] = NAN;
  test.inputs = {reference::Tensor::fromDoubles(Float32Type::get(&context), {2, 37}, values)};
  auto bytes = runKernel(test, image->kernel(test.code.getSymName()));
  auto *results = reinterpret_cast<const float *>(bytes[0].data());
  EXPECT_TRUE(std::isnan(results[0]));
  EXPECT_EQ(results[1], -1.0f);
}

TEST_P(PointwiseKernel, EmbeddingThenNorm) {
  // Every config gives the same values up to rounding, with and without staging.
  for (bool stage : {false, true}) {
    auto config = tile::PointwiseConfigAttr::get(&context, 16, 512, stage, 0, 0, 1, 1);
    prepare(R"(func.func @main(%t: tensor<11x48xf32>, %i: tensor<2x5xi64>, %p: tensor<5x48xf32>, %s: tensor<48xf32>) -> tensor<2x5x48xf32> {
      %0 = graph.kernel "row" (%a = %t, %b = %i, %c = %p, %d = %s) : (tensor<11x48xf32>, tensor<2x5xi64>, tensor<5x48xf32>, tensor<48xf32>) -> tensor<2x5x48xf32> {
        %1 = graph.gather %a, %b axis 0 : (tensor<11x48xf32>, tensor<2x5xi64>) -> tensor<2x5x48xf32>
        %2 = graph.binary add %1, %c : (tensor<2x5x48xf32>, tensor<5x48xf32>) -> tensor<2x5x48xf32>
        %3 = graph.layer_norm %2 scale %d axis 2 {epsilon = 1.0e-12 : f64} : (tensor<2x5x48xf32>, tensor<48xf32>) -> tensor<2x5x48xf32>
        graph.yield %3 : tensor<2x5x48xf32>
      }
      return %0 : tensor<2x5x48xf32>
    })", config);
    check({}, {1e-6, 2e-6});
  }
}

TEST_P(PointwiseKernel, MeanPooling) {
#define HIDDEN "tensor<?x?x48xf32, #graph.shape<[batch, seq] -> [batch, seq, 48]>>"
#define MASK "tensor<?x?xi64, #graph.shape<[batch, seq] -> [batch, seq]>>"
#define MASK3 "tensor<?x?x1xi64, #graph.shape<[batch, seq] -> [batch, seq, 1]>>"
#define MASKF "tensor<?x?x1xf32, #graph.shape<[batch, seq] -> [batch, seq, 1]>>"
#define POOLED "tensor<?x48xf32, #graph.shape<[batch] -> [batch, 48]>>"
  prepare("func.func @main(%x: " HIDDEN ", %m: " MASK ") -> " POOLED R"( {
    %0 = graph.kernel "row" (%a = %x, %b = %m) : ()" HIDDEN ", " MASK ") -> " POOLED R"( {
      %1 = graph.reshape %b : ()" MASK ") -> " MASK3 R"(
      %2 = graph.cast %1 : ()" MASK3 ") -> " MASKF R"(
      %3 = graph.binary mul %a, %2 : ()" HIDDEN ", " MASKF ") -> " HIDDEN R"(
      %4 = graph.reduce sum %3 axes [1] : ()" HIDDEN ") -> " POOLED R"(
      graph.yield %4 : )" POOLED R"(
    }
    return %0 : )" POOLED R"(
  })");
  // Sums of up to 128 values of magnitude up to 10.
  for (int64_t seq : {1, 2, 7, 40, 128})
    check({{"batch", 1 + seq % 3}, {"seq", seq}}, {1e-6, 2e-5});
}

TEST_P(PointwiseKernel, PadsInFrontOfReshapedTransposes) {
  // The index is non-negative in total, but not without its exact multiples.
  prepare(R"(func.func @main(%x: tensor<2x2x3xf32>) -> tensor<5x4xf32> {
    %0 = graph.kernel "pointwise" (%a = %x) : (tensor<2x2x3xf32>) -> tensor<5x4xf32> {
      %1 = graph.transpose %a [1, 0, 2] : (tensor<2x2x3xf32>) -> tensor<2x2x3xf32>
      %2 = graph.reshape %1 : (tensor<2x2x3xf32>) -> tensor<4x3xf32>
      %3 = graph.fill -3.5 : f32 : tensor<1x3xf32>
      %4 = graph.concat %3, %2 axis 0 : (tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<5x3xf32>
      %5 = graph.fill -3.5 : f32 : tensor<5x1xf32>
      %6 = graph.concat %5, %4 axis 1 : (tensor<5x1xf32>, tensor<5x3xf32>) -> tensor<5x4xf32>
      graph.yield %6 : tensor<5x4xf32>
    }
    return %0 : tensor<5x4xf32>
  })");
  check({}, {});
}

TEST_P(PointwiseKernel, RefusesReductionsOfDifferentDims) {
  module = parseSourceString<ModuleOp>(R"(func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
    %0 = graph.kernel "row" (%a = %x) : (tensor<2x3xf32>) -> tensor<2x3xf32> {
      %1 = graph.softmax %a axis 1 : (tensor<2x3xf32>) -> tensor<2x3xf32>
      %2 = graph.softmax %1 axis 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
      graph.yield %2 : tensor<2x3xf32>
    }
    return %0 : tensor<2x3xf32>
  })", &context);
  module->walk([&](graph::KernelOp kernel) {
    std::string why;
    EXPECT_FALSE(codegen::PointwisePrograms(kernel).canEmit(why));
    EXPECT_EQ(why, "reductions of one kernel run along different dims");
  });
}
