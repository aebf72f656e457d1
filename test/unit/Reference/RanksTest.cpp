//===- RanksTest.cpp - collectives and divided weights --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Ranks.h"
#include "GraphText.h"
#include "kiln/Reference/Ranks.h"

#include <cmath>

using namespace kiln::reference;

namespace {
class Ranks : public GraphTest {
protected:
  /// Runs one op with one operand on all ranks; returns the results by rank.
  std::vector<Tensor> meet(const std::string &op, const std::string &from,
                           const std::string &to, std::vector<Tensor> operands) {
    auto module = parse(text(op, {from}, to));
    EXPECT_TRUE(module) << op;
    auto results = evaluateAll(*module, operands);
    if (!results) {
      ADD_FAILURE() << llvm::toString(results.takeError());
      return std::vector<Tensor>(operands.size());
    }
    std::vector<Tensor> firsts;
    for (Results &own : *results)
      firsts.push_back(own.front());
    return firsts;
  }

  /// Runs @main with one input per rank.
  llvm::Expected<std::vector<Results>> evaluateAll(mlir::ModuleOp module,
                                                   std::vector<Tensor> operands) {
    NoWeights none;
    std::vector<BakedWeights> baked;
    std::vector<WeightSource *> weights;
    std::vector<llvm::ArrayRef<Tensor>> inputs;
    baked.reserve(operands.size());
    for (size_t rank = 0; rank < operands.size(); ++rank) {
      weights.push_back(&baked.emplace_back(module, none, rank));
      inputs.emplace_back(operands[rank]);
    }
    return evaluateRanks(module.lookupSymbol<mlir::func::FuncOp>("main"), inputs, {},
                         weights, options);
  }
};
} // namespace

TEST_F(Ranks, AllReduce) {
  std::string t = "tensor<2xf32>";
  auto sums = meet("graph.all_reduce sum %0 ranks 3 : (" + t + ") -> " + t, t, t,
                   {f32({2}, {1, 2}), f32({2}, {10, 20}), f32({2}, {100, 200})});
  for (const Tensor &own : sums)
    expectNear(own, {111, 222}, 0);
  auto means = meet("graph.all_reduce mean %0 ranks 2 : (" + t + ") -> " + t, t, t,
                    {f32({2}, {1, 2}), f32({2}, {2, 6})});
  expectNear(means[1], {1.5, 4}, 0);
  auto maxima = meet("graph.all_reduce max %0 ranks 2 : (" + t + ") -> " + t, t, t,
                     {f32({2}, {1, kNaN}), f32({2}, {3, 6})});
  expectNear(maxima[0], {3, kNaN}, 0);
}

/// In another order the sum would be 0, as 1 is lost when added to 1e30.
TEST_F(Ranks, SumsAreInTheOrderOfTheRanks) {
  std::string t = "tensor<1xf64>";
  auto sums = meet(
      "graph.all_reduce sum %0 ranks 3 : (" + t + ") -> " + t, t, t,
      {floats("f64", {1}, {1e30}), floats("f64", {1}, {-1e30}), floats("f64", {1}, {1})});
  for (const Tensor &own : sums)
    expectNear(own, {1}, 0);
}

TEST_F(Ranks, IntegersWrap) {
  std::string t = "tensor<1xi8>";
  auto sums = meet("graph.all_reduce sum %0 ranks 2 : (" + t + ") -> " + t, t, t,
                   {ints("i8", {1}, {100}), ints("i8", {1}, {100})});
  expectInts(sums[0], {-56});
}

TEST_F(Ranks, AllGather) {
  std::string t = "tensor<2x1xf32>", u = "tensor<2x2xf32>", v = "tensor<4x1xf32>";
  Tensor a = f32({2, 1}, {1, 2}), b = f32({2, 1}, {3, 4});
  for (const Tensor &own :
       meet("graph.all_gather %0 axis 1 ranks 2 : (" + t + ") -> " + u, t, u, {a, b}))
    expectNear(own, {1, 3, 2, 4}, 0);
  for (const Tensor &own :
       meet("graph.all_gather %0 axis 0 ranks 2 : (" + t + ") -> " + v, t, v, {a, b}))
    expectNear(own, {1, 2, 3, 4}, 0);
}

TEST_F(Ranks, ReduceScatter) {
  std::string t = "tensor<2x2xf32>", u = "tensor<2x1xf32>";
  auto parts = meet("graph.reduce_scatter sum %0 axis 1 ranks 2 : (" + t + ") -> " + u, t,
                    u, {f32({2, 2}, {1, 2, 3, 4}), f32({2, 2}, {10, 20, 30, 40})});
  expectNear(parts[0], {11, 33}, 0);
  expectNear(parts[1], {22, 44}, 0);
}

TEST_F(Ranks, AllToAll) {
  std::string t = "tensor<2x2xf32>";
  std::vector<Tensor> given = {f32({2, 2}, {1, 2, 3, 4}), f32({2, 2}, {5, 6, 7, 8})};
  auto columns =
      meet("graph.all_to_all %0 axis 1 ranks 2 : (" + t + ") -> " + t, t, t, given);
  expectNear(columns[0], {1, 5, 3, 7}, 0);
  expectNear(columns[1], {2, 6, 4, 8}, 0);
  auto rows =
      meet("graph.all_to_all %0 axis 0 ranks 2 : (" + t + ") -> " + t, t, t, given);
  expectNear(rows[0], {1, 2, 5, 6}, 0);
  expectNear(rows[1], {3, 4, 7, 8}, 0);
}

/// Four ranks, a 2 x 2 mesh: groups of adjacent ranks, or of ranks two apart.
TEST_F(Ranks, AlongAnAxis) {
  std::string t = "tensor<1xf32>", u = "tensor<2xf32>";
  std::vector<Tensor> ones = {f32({1}, {1}), f32({1}, {2}), f32({1}, {4}), f32({1}, {8})};
  auto near = meet("graph.all_reduce sum %0 ranks 2 : (" + t + ") -> " + t, t, t, ones);
  auto far = meet("graph.all_gather %0 axis 0 ranks 2 {graph.stride = 2 : i64} : (" + t +
                      ") -> " + u,
                  t, u, ones);
  for (size_t rank = 0; rank < 4; ++rank) {
    expectNear(near[rank], {rank < 2 ? 3.0 : 12.0}, 0);
    expectNear(far[rank],
               rank % 2 ? std::vector<double>{2, 8} : std::vector<double>{1, 4}, 0);
  }
}

TEST_F(Ranks, OtherNumberOfRanks) {
  std::string t = "tensor<2xf32>";
  auto module =
      parse(text("graph.all_reduce sum %0 ranks 3 : (" + t + ") -> " + t, {t}, t));
  auto results = evaluateAll(*module, {f32({2}, {1, 2}), f32({2}, {1, 2})});
  ASSERT_FALSE(results);
  std::string message = llvm::toString(results.takeError());
  EXPECT_NE(message.find("KILN-E0252"), std::string::npos) << message;
  EXPECT_NE(message.find("expected 2 ranks, found 3"), std::string::npos) << message;
}

/// tanh(x W1) W2 with W1 divided by columns and W2 by rows, on one rank and on two.
static const char kLayers[] = R"(
  module attributes {graph.ranks = 2 : i64} {
    graph.weight @w1 : tensor<2x4xf32>
    graph.weight @w2 : tensor<4x1xf32>
    graph.weight @part1 : tensor<2x2xf32> {graph.part = {of = @w1, axis = 1}}
    graph.weight @part2 : tensor<2x1xf32> {graph.part = {of = @w2, axis = 0}}
    graph.weight @double2 : tensor<2x1xf32>
    func.func @bake() {
      %0 = graph.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]]> : tensor<2x4xf32>
      graph.set_weight @w1, %0 : tensor<2x4xf32>
      %1 = graph.constant dense<[[1.0], [-1.0], [0.5], [2.0]]> : tensor<4x1xf32>
      graph.set_weight @w2, %1 : tensor<4x1xf32>
      %2 = graph.get_weight @part2 : tensor<2x1xf32>
      %3 = graph.binary add %2, %2 : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
      graph.set_weight @double2, %3 : tensor<2x1xf32>
      return
    }
    func.func @main(%x: tensor<1x2xf32>) -> tensor<1x1xf32> {
      %w1 = graph.get_weight @part1 : tensor<2x2xf32>
      %w2 = graph.get_weight @double2 : tensor<2x1xf32>
      %0 = graph.matmul %x, %w1 : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
      %1 = graph.unary tanh %0 : (tensor<1x2xf32>) -> tensor<1x2xf32>
      %2 = graph.matmul %1, %w2 : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>
      %3 = graph.all_reduce sum %2 ranks 2 : (tensor<1x1xf32>) -> tensor<1x1xf32>
      return %3 : tensor<1x1xf32>
    }
  })";

TEST_F(Ranks, PartsOfWeights) {
  auto module = parse(kLayers);
  ASSERT_TRUE(module);
  Tensor x = f32({1, 2}, {0.1, -0.2});
  auto results = evaluateAll(*module, {x, x});
  ASSERT_TRUE(static_cast<bool>(results)) << llvm::toString(results.takeError());
  double expected = 0;
  const double first[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}}, second[4] = {1, -1, 0.5, 2};
  double a = x.getDouble(0), b = x.getDouble(1);
  for (int i = 0; i < 4; ++i)
    expected += std::tanh(a * first[0][i] + b * first[1][i]) * 2 * second[i];
  for (Results &own : *results)
    expectNear(own.front(), {expected});
}

TEST_F(Ranks, WeightsOfRanks) {
  auto module = parse(kLayers);
  auto names = kiln::graph::weightsOfRanks(*module);
  auto has = [&](llvm::StringRef name) {
    return names.contains(mlir::StringAttr::get(&context, name));
  };
  EXPECT_TRUE(has("part1") && has("part2") && has("double2"));
  EXPECT_FALSE(has("w1") || has("w2"));
}
