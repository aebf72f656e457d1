//===- MovementTest.cpp - ops that move elements --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"

using namespace kiln::reference;

namespace {
class Movement : public GraphTest {
protected:
  Tensor counted(const std::string &element, llvm::ArrayRef<int64_t> shape) {
    std::vector<int64_t> values(*countElements(shape));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = i;
    return ints(element, shape, values);
  }
};
} // namespace

TEST_F(Movement, ReshapeSharesBytes) {
  Tensor x = counted("i32", {2, 3});
  Tensor r = eval("graph.reshape %0 : (tensor<2x3xi32>) -> tensor<3x2xi32>", {"tensor<2x3xi32>"},
                  "tensor<3x2xi32>", {x});
  EXPECT_EQ(r.data(), x.data());
  EXPECT_EQ(r.getShape(), llvm::ArrayRef<int64_t>({3, 2}));
}

TEST_F(Movement, ReshapeOfAnotherSizeIsAnError) {
  std::string in = "tensor<?xf32, #graph.shape<[n] -> [n]>>";
  std::string out = "tensor<2x?xf32, #graph.shape<[n] -> [2, n floordiv 2]>>";
  std::string op = "graph.reshape %0 : (" + in + ") -> " + out;
  EXPECT_EQ(eval(op, {in}, out, {f32({4}, {1, 2, 3, 4})}, {{"n", 4}}).getNumElements(), 4);
  EXPECT_NE(evalError(op, {in}, out, {f32({5}, {1, 2, 3, 4, 5})}, {{"n", 5}}).find("KILN-E0253"),
            std::string::npos);
}

TEST_F(Movement, Transpose) {
  auto run = [&](const std::string &element) {
    std::string in = "tensor<2x3x2x" + element + ">", out = "tensor<2x2x3x" + element + ">";
    return eval("graph.transpose %0 [2, 0, 1] : (" + in + ") -> " + out, {in}, out,
                {counted(element, {2, 3, 2})});
  };
  for (std::string element : {"i8", "i16", "i32", "i64", "ui8"})
    expectInts(run(element), {0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11});
}

TEST_F(Movement, LargeTransposesAgreeWithTheDefinition) {
  // Every permutation of four dims, some of which tiles do not divide.
  llvm::SmallVector<int64_t> order{0, 1, 2, 3};
  Shape shape{3, 35, 2, 33};
  Tensor x = counted("i32", shape);
  Shape strides = stridesOf(shape);
  do {
    std::string in = "tensor<3x35x2x33xi32>", out = "tensor<", list;
    Shape to;
    for (int64_t source : order) {
      to.push_back(shape[source]);
      out += std::to_string(shape[source]) + "x";
      list += (list.empty() ? "" : ", ") + std::to_string(source);
    }
    out += "i32>";
    Tensor r = eval("graph.transpose %0 [" + list + "] : (" + in + ") -> " + out, {in}, out, {x});
    Shape own = stridesOf(to);
    int64_t wrong = 0;
    for (int64_t i = 0; i < r.getNumElements(); ++i) {
      int64_t from = 0;
      for (size_t dim = 0; dim < 4; ++dim)
        from += i / own[dim] % to[dim] * strides[order[dim]];
      wrong += r.getInt(i) != from;
    }
    EXPECT_EQ(wrong, 0) << list;
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_F(Movement, Broadcast) {
  expectInts(eval("graph.broadcast %0 : (tensor<2x1xi8>) -> tensor<2x2x3xi8>", {"tensor<2x1xi8>"},
                  "tensor<2x2x3xi8>", {ints("i8", {2, 1}, {1, 2})}),
             {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2});
  expectNear(eval("graph.broadcast %0 : (tensor<f16>) -> tensor<3xf16>", {"tensor<f16>"},
                  "tensor<3xf16>", {floats("f16", {}, {kInf})}),
             {kInf, kInf, kInf});
}

TEST_F(Movement, Slice) {
  auto run = [&](const std::string &starts, const std::string &steps, const std::string &out) {
    return eval("graph.slice %0 starts <[] -> [" + starts + "]> steps [" + steps +
                    "] : (tensor<3x4xi32>) -> " + out,
                {"tensor<3x4xi32>"}, out, {counted("i32", {3, 4})});
  };
  expectInts(run("1, 1", "1, 2", "tensor<2x2xi32>"), {5, 7, 9, 11});
  expectInts(run("2, 3", "-2, -1", "tensor<2x4xi32>"), {11, 10, 9, 8, 3, 2, 1, 0});
  EXPECT_EQ(run("0, 0", "1, 1", "tensor<0x4xi32>").getNumElements(), 0);
}

TEST_F(Movement, SliceOutsideIsAnError) {
  std::string in = "tensor<?xf32, #graph.shape<[n] -> [n]>>", out = "tensor<2xf32>";
  std::string op = "graph.slice %0 starts <[n] -> [n - 2]> steps [1] : (" + in + ") -> " + out;
  expectNear(eval(op, {in}, out, {f32({3}, {1, 2, 3})}, {{"n", 3}}), {2, 3});
  EXPECT_NE(evalError(op, {in}, out, {f32({1}, {1})}, {{"n", 1}}).find("KILN-E0254"),
            std::string::npos);
}

TEST_F(Movement, Concat) {
  std::string a = "tensor<2x1xi16>", b = "tensor<2x2xi16>", e = "tensor<2x0xi16>";
  expectInts(eval("graph.concat %0, %1, %2 axis 1 : (" + a + ", " + e + ", " + b +
                      ") -> tensor<2x3xi16>",
                  {a, e, b}, "tensor<2x3xi16>",
                  {ints("i16", {2, 1}, {1, 2}), ints("i16", {2, 0}, {}),
                   ints("i16", {2, 2}, {3, 4, 5, 6})}),
             {1, 3, 4, 2, 5, 6});
}

TEST_F(Movement, ConcatOfMovedAndComputedFloats) {
  auto module = parse(R"(
    func.func @main(%a: tensor<1xf32>) -> tensor<2xf32> {
      %b = graph.unary exp %a : (tensor<1xf32>) -> tensor<1xf32>
      %r = graph.concat %a, %b axis 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
      return %r : tensor<2xf32>
    })");
  auto results = llvm::cantFail(tryRun(*module, {f32({1}, {1})}));
  expectNear(results[0], {1, M_E});
}

TEST_F(Movement, GatherClampsAndCountsFromTheEnd) {
  std::string op = "graph.gather %0, %1 axis 1 : (tensor<2x3xf32>, tensor<5xi64>) -> "
                   "tensor<2x5xf32>";
  Tensor data = f32({2, 3}, {0, 1, 2, 10, 11, 12});
  Tensor indices = ints("i64", {5}, {2, -1, 7, -9, 0});
  expectNear(eval(op, {"tensor<2x3xf32>", "tensor<5xi64>"}, "tensor<2x5xf32>", {data, indices}),
             {2, 2, 2, 0, 0, 12, 12, 12, 10, 10});
}

TEST_F(Movement, GatherOfRows) {
  std::string op = "graph.gather %0, %1 axis 0 : (tensor<3x2xi8>, tensor<2x1xi32>) -> "
                   "tensor<2x1x2xi8>";
  expectInts(eval(op, {"tensor<3x2xi8>", "tensor<2x1xi32>"}, "tensor<2x1x2xi8>",
                  {counted("i8", {3, 2}), ints("i32", {2, 1}, {2, 0})}),
             {4, 5, 0, 1});
  // A scalar index drops the axis; extreme indices do not overflow.
  expectInts(eval("graph.gather %0, %1 axis 0 : (tensor<3xi8>, tensor<i64>) -> tensor<i8>",
                  {"tensor<3xi8>", "tensor<i64>"}, "tensor<i8>",
                  {counted("i8", {3}), ints("i64", {}, {INT64_MIN})}),
             {0});
}

TEST_F(Movement, GatherFromNothing) {
  std::string data = "tensor<0xf32>", index = "tensor<1xi64>", none = "tensor<0xi64>";
  EXPECT_NE(evalError("graph.gather %0, %1 axis 0 : (" + data + ", " + index + ") -> tensor<1xf32>",
                      {data, index}, "tensor<1xf32>", {f32({0}, {}), ints("i64", {1}, {0})})
                .find("KILN-E0254"),
            std::string::npos);
  EXPECT_EQ(eval("graph.gather %0, %1 axis 0 : (" + data + ", " + none + ") -> " + data,
                 {data, none}, data, {f32({0}, {}), ints("i64", {0}, {})})
                .getNumElements(),
            0);
}

TEST_F(Movement, PackAndUnpack) {
  std::string m = "tensor<2x5xi32>", p = "tensor<3x2x2xi32>";
  Tensor packed = eval("graph.pack %0 width 2 : (" + m + ") -> " + p, {m}, p,
                       {counted("i32", {2, 5})});
  expectInts(packed, {0, 1, 5, 6, 2, 3, 7, 8, 4, 0, 9, 0});
  expectInts(eval("graph.unpack %0 : (" + p + ") -> " + m, {p}, m, {packed}),
             {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}
