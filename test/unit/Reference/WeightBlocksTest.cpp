//===- WeightBlocksTest.cpp - Weights computed block by block -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Reference/WeightBlocks.h"
#include "GraphText.h"
#include "kiln/Reference/QuantizationErrors.h"

#include <cmath>
#include <set>

using namespace kiln;
using namespace kiln::reference;

namespace {
/// Returns 1, 2, 3 ... such that no two elements of a small tensor are equal.
class Files final : public WeightSource {
public:
  llvm::Expected<Tensor> get(graph::WeightOp weight) override {
    auto type = mlir::cast<mlir::RankedTensorType>(weight.getType());
    std::vector<double> values(type.getNumElements());
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = 1 + double(i) / 128;
    return Tensor::fromDoubles(type.getElementType(), type.getShape(), values).rounded();
  }
};

class WeightBlocksTest : public GraphTest {
protected:
  /// Returns the bytes of @w, computed in boxes of at most `elements` elements.
  static std::vector<char> bytesOf(const WeightBlocks &blocks, int64_t elements) {
    std::vector<char> bytes;
    for (const Box &box : contiguousBoxes(blocks.getShape(), elements)) {
      Tensor tensor = llvm::cantFail(blocks.get(box));
      EXPECT_EQ(tensor.getShape(), llvm::ArrayRef<int64_t>(box.size));
      EXPECT_FALSE(tensor.isWide());
      std::vector<char> own = tensor.toBytes();
      bytes.insert(bytes.end(), own.begin(), own.end());
    }
    return bytes;
  }

  /// Compares boxes of many sizes with the evaluator's tensor; returns the bytes that had
  /// to be computed at once.
  int64_t check(const std::string &body, const std::string &type) {
    auto module = parse(R"(
  graph.weight @a : tensor<7x45xbf16> {file = "a", offset = 0, length = 630, hash = "x"}
  graph.weight @b : tensor<7x6xbf16> {file = "b", offset = 0, length = 84, hash = "x"}
  graph.weight @c : tensor<4x6x5xf32> {file = "c", offset = 0, length = 480, hash = "x"}
  graph.weight @w : )" + type +
                        R"(
  func.func @bake() {
    %a = graph.get_weight @a : tensor<7x45xbf16>
    %b = graph.get_weight @b : tensor<7x6xbf16>
    %c = graph.get_weight @c : tensor<4x6x5xf32>
)" + body +
                        "\n graph.set_weight @w, %w : " + type + "\n return\n }\n");
    if (!module) {
      ADD_FAILURE() << body;
      return -1;
    }
    SCOPED_TRACE(body);
    return check(*module, /*rank=*/0).second;
  }

  /// Returns the bytes of @w on a rank, and the number of bytes that had to be computed
  /// at once.
  static std::pair<std::vector<char>, int64_t> check(mlir::ModuleOp module,
                                                     int64_t rank) {
    Files files;
    BakedWeights weights(module, files, rank);
    auto weight = module.lookupSymbol<graph::WeightOp>("w");
    std::vector<char> expected = llvm::cantFail(weights.get(weight)).toBytes();
    WeightBlocks blocks = llvm::cantFail(weights.openBlocks(weight));
    for (int64_t elements : {1, 3, 16, 50, 64, 1000})
      EXPECT_EQ(bytesOf(blocks, elements), expected) << "by " << elements;
    return {expected, blocks.getWholeBytes()};
  }
};
} // namespace

TEST_F(WeightBlocksTest, BoxesFollowOneAnother) {
  auto boxes = contiguousBoxes({2, 3, 4}, 8);
  ASSERT_EQ(boxes.size(), 4u);
  EXPECT_EQ(boxes[1], (Box{{0, 2, 0}, {1, 1, 4}}));
  EXPECT_EQ(boxes[2], (Box{{1, 0, 0}, {1, 2, 4}}));
  EXPECT_EQ(contiguousBoxes({5}, 2).size(), 3u);
  EXPECT_EQ(contiguousBoxes({2, 100}, 40).size(), 6u);
  EXPECT_EQ(contiguousBoxes({}, 8).size(), 1u);
  EXPECT_TRUE(contiguousBoxes({3, 0}, 8).empty());
}

TEST_F(WeightBlocksTest, PanelsOfATransposedMatrix) {
  EXPECT_EQ(check(R"(
    %t = graph.transpose %a [1, 0] : (tensor<7x45xbf16>) -> tensor<45x7xbf16>
    %w = graph.pack %t width 4 : (tensor<45x7xbf16>) -> tensor<2x45x4xbf16>)",
                  "tensor<2x45x4xbf16>"),
            0);
}

TEST_F(WeightBlocksTest, PanelsOfMatricesSideBySide) {
  EXPECT_EQ(check(R"(
    %j = graph.concat %a, %b, %a axis 1 : (tensor<7x45xbf16>, tensor<7x6xbf16>, tensor<7x45xbf16>) -> tensor<7x96xbf16>
    %w = graph.pack %j width 16 : (tensor<7x96xbf16>) -> tensor<6x7x16xbf16>)",
                  "tensor<6x7x16xbf16>"),
            0);
}

TEST_F(WeightBlocksTest, ReshapesBetweenTransposes) {
  EXPECT_EQ(check(R"(
    %t = graph.transpose %c [0, 2, 1] : (tensor<4x6x5xf32>) -> tensor<4x5x6xf32>
    %r = graph.reshape %t : (tensor<4x5x6xf32>) -> tensor<20x2x3xf32>
    %u = graph.transpose %r [1, 0, 2] : (tensor<20x2x3xf32>) -> tensor<2x20x3xf32>
    %w = graph.reshape %u : (tensor<2x20x3xf32>) -> tensor<120xf32>)",
                  "tensor<120xf32>"),
            0);
}

TEST_F(WeightBlocksTest, ReshapesThatSplitAndMergeDims) {
  struct Case {
    std::string reshaped, order, transposed;
  };
  for (const Case &c : {Case{"2x2x3x2x5", "2, 0, 3, 1, 4", "3x2x2x2x5"},
                        Case{"1x4x6x1x5", "4, 0, 2, 1, 3", "5x1x6x4x1"},
                        Case{"8x3x5x1x1", "1, 2, 0, 3, 4", "3x5x8x1x1"},
                        Case{"4x2x1x3x5", "3, 0, 2, 4, 1", "3x4x1x5x2"}}) {
    std::string reshaped = "tensor<" + c.reshaped + "xf32>",
                transposed = "tensor<" + c.transposed + "xf32>";
    EXPECT_EQ(check("%r = graph.reshape %c : (tensor<4x6x5xf32>) -> " + reshaped +
                        "\n%w = graph.transpose %r [" + c.order + "] : (" + reshaped +
                        ") -> " + transposed,
                    transposed),
              0);
  }
}

/// Computing a box of a panel rounds only the weights of its own columns.
TEST_F(WeightBlocksTest, APanelReadsItsColumns) {
  auto module = parse(R"(
  graph.weight @a : tensor<8x12xf32> {file = "a", offset = 0, length = 384, hash = "x"}
  graph.weight @w : tensor<3x2x4x4xf8E4M3FN>
  func.func @bake() {
    %a = graph.get_weight @a : tensor<8x12xf32>
    %k = graph.constant dense<0.5> : tensor<f32>
    %d = graph.binary div %a, %k : (tensor<8x12xf32>, tensor<f32>) -> tensor<8x12xf32>
    %f = graph.cast %d : (tensor<8x12xf32>) -> tensor<8x12xf8E4M3FN>
    %r = graph.reshape %f : (tensor<8x12xf8E4M3FN>) -> tensor<2x4x3x4xf8E4M3FN>
    %w = graph.transpose %r [2, 0, 3, 1] : (tensor<2x4x3x4xf8E4M3FN>) -> tensor<3x2x4x4xf8E4M3FN>
    graph.set_weight @w, %w : tensor<3x2x4x4xf8E4M3FN>
    return
  })");
  ASSERT_TRUE(module);
  Files files;
  QuantizationErrors errors;
  BakedWeights weights(*module, files, /*rank=*/0, &errors);
  WeightBlocks blocks =
      llvm::cantFail(weights.openBlocks(module->lookupSymbol<graph::WeightOp>("w")));
  llvm::cantFail(blocks.get({{1, 0, 0, 0}, {1, 2, 4, 4}}));
  double expected = 0;
  for (int k = 0; k < 8; ++k)
    for (int n = 4; n < 8; ++n)
      expected += std::pow(1 + (12 * k + n) / 128.0, 2);
  std::map<std::string, SquaredError> sums = errors.byProduct();
  ASSERT_EQ(sums.size(), 1u);
  EXPECT_NEAR(sums.begin()->second.weight, expected, 1e-6);
}

TEST_F(WeightBlocksTest, UnpackSliceAndBroadcast) {
  EXPECT_EQ(check(R"(
    %p = graph.pack %a width 16 : (tensor<7x45xbf16>) -> tensor<3x7x16xbf16>
    %u = graph.unpack %p : (tensor<3x7x16xbf16>) -> tensor<7x45xbf16>
    %s = graph.slice %u starts <[] -> [6, 1]> steps [-2, 3] : (tensor<7x45xbf16>) -> tensor<4x15xbf16>
    %w = graph.broadcast %s : (tensor<4x15xbf16>) -> tensor<2x4x15xbf16>)",
                  "tensor<2x4x15xbf16>"),
            0);
}

/// Float ops round once, at the end; values with two uses are computed once.
TEST_F(WeightBlocksTest, ElementwiseOps) {
  EXPECT_EQ(check(R"(
    %f = graph.cast %a : (tensor<7x45xbf16>) -> tensor<7x45xf32>
    %k = graph.constant dense<0.1> : tensor<f32>
    %m = graph.binary mul %f, %k : (tensor<7x45xf32>, tensor<f32>) -> tensor<7x45xf32>
    %e = graph.unary exp %m : (tensor<7x45xf32>) -> tensor<7x45xf32>
    %s = graph.binary add %e, %m : (tensor<7x45xf32>, tensor<7x45xf32>) -> tensor<7x45xf32>
    %w = graph.cast %s : (tensor<7x45xf32>) -> tensor<7x45xf16>)",
                  "tensor<7x45xf16>"),
            0);
}

/// An op that needs its entire operand is computed before the first block.
TEST_F(WeightBlocksTest, ReductionsAreComputedAsAWhole) {
  EXPECT_EQ(check(R"(
    %m = graph.reduce max %c axes [2] {keep_dims} : (tensor<4x6x5xf32>) -> tensor<4x6x1xf32>
    %w = graph.binary div %c, %m : (tensor<4x6x5xf32>, tensor<4x6x1xf32>) -> tensor<4x6x5xf32>)",
                  "tensor<4x6x5xf32>"),
            4 * 6 * 8);
}

TEST_F(WeightBlocksTest, PartsOfAQuantizedWeight) {
  std::string weight = R"(
    %r = graph.reshape %a : (tensor<7x45xbf16>) -> tensor<9x35xbf16>
    %s = graph.slice %r starts #graph.shape<[] -> [1, 2]> steps [1, 1] : (tensor<9x35xbf16>) -> tensor<8x33xbf16>
)";
  for (auto [part, type] :
       {std::pair("codes", "tensor<3x1x16x4xui8>"), {"scales", "tensor<3x1x16xbf16>"},
        {"zeros", "tensor<3x1x16xui8>"}})
    EXPECT_EQ(check(weight + "    %w = graph.quantize_weight " + part +
                        " of %s as <ui4, block 8, scale bf16, zero_point> : "
                        "(tensor<8x33xbf16>) -> " +
                        type,
                    type),
              0);
}

/// A rank's part of a file's weight, and of weights baked from it, one of them a full
/// reduction.
TEST_F(WeightBlocksTest, PartsOfRanks) {
  auto module = parse(R"(
  module attributes {graph.ranks = 3 : i64} {
    graph.weight @a : tensor<7x45xbf16> {file = "a", offset = 0, length = 630, hash = "x"}
    graph.weight @transposed : tensor<45x7xbf16>
    graph.weight @columns : tensor<7x15xbf16> {graph.part = {of = @a, axis = 1}}
    graph.weight @rows : tensor<15x7xbf16> {graph.part = {of = @transposed, axis = 0}}
    graph.weight @w : tensor<4x7x4xbf16>
    func.func @bake() {
      %a = graph.get_weight @a : tensor<7x45xbf16>
      %m = graph.reduce max %a axes [1] {keep_dims} : (tensor<7x45xbf16>) -> tensor<7x1xbf16>
      %d = graph.binary sub %a, %m : (tensor<7x45xbf16>, tensor<7x1xbf16>) -> tensor<7x45xbf16>
      %t = graph.transpose %d [1, 0] : (tensor<7x45xbf16>) -> tensor<45x7xbf16>
      graph.set_weight @transposed, %t : tensor<45x7xbf16>
      %c = graph.get_weight @columns : tensor<7x15xbf16>
      %r = graph.get_weight @rows : tensor<15x7xbf16>
      %u = graph.transpose %r [1, 0] : (tensor<15x7xbf16>) -> tensor<7x15xbf16>
      %p = graph.binary mul %c, %u : (tensor<7x15xbf16>, tensor<7x15xbf16>) -> tensor<7x15xbf16>
      %s = graph.binary add %p, %u : (tensor<7x15xbf16>, tensor<7x15xbf16>) -> tensor<7x15xbf16>
      %w = graph.pack %s width 4 : (tensor<7x15xbf16>) -> tensor<4x7x4xbf16>
      graph.set_weight @w, %w : tensor<4x7x4xbf16>
      return
    }
  })");
  ASSERT_TRUE(module);
  std::set<std::vector<char>> bytes;
  for (int64_t rank : {0, 1, 2}) {
    auto [own, whole] = check(*module, rank);
    EXPECT_EQ(whole, 7 * 8); // the maxima
    bytes.insert(own);
  }
  EXPECT_EQ(bytes.size(), 3u);
}
