//===- EmitterTest.cpp - graph reference == tile evaluator ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the tile programs of graph kernels without a target, with three orders of tasks,
// and compares with the double precision reference.
//
//===----------------------------------------------------------------------===//

#include "EmitterFixture.h"

using namespace kiln;
using namespace kiln::interpreter;

namespace {
const std::string kRows = "tensor<?x40xf32, #graph.shape<[n] -> [n, 40]>>";
const std::string kOut = "tensor<?x36xf32, #graph.shape<[n] -> [n, 36]>>";
} // namespace

TEST_F(Emitters, MatmulWithPackedWeightsAndEpilogue) {
  std::string body = "%u = graph.unpack %b : (tensor<3x40x16xf32>) -> tensor<40x36xf32>\n"
                     "%p = graph.matmul %a, %u : (" +
                     kRows + ", tensor<40x36xf32>) -> " + kOut +
                     "\n"
                     "%s = graph.binary add %p, %c : (" +
                     kOut + ", tensor<36xf32>) -> " + kOut +
                     "\n"
                     "%r = graph.unary gelu %s : (" +
                     kOut + ") -> " + kOut;
  for (const Symbols &sizes : kSizes)
    check(mainOf({kRows, "tensor<3x40x16xf32>", "tensor<36xf32>"}, kOut, body), sizes);
}

TEST_F(Emitters, MatmulOfPlainOperands) {
  for (const Symbols &sizes : kSizes) {
    check(mainOf({kRows, "tensor<40x36xf32>"}, kOut,
                 "%r = graph.matmul %a, %b : (" + kRows + ", tensor<40x36xf32>) -> " +
                     kOut),
          sizes);
    check(mainOf({kRows, "tensor<36x40xf32>"}, kOut,
                 "%r = graph.matmul %a, %b {transpose_b} : (" + kRows +
                     ", tensor<36x40xf32>) -> " + kOut),
          sizes);
  }
}

/// On sm_90a with warpgroups: all tasks share one view of an operand.
TEST_F(Emitters, MatmulOfNarrowFloats) {
  for (std::string e : {"f16", "bf16"}) {
    double tolerance = e == "f16" ? 1e-3 : 8e-3; // one rounding of the result
    std::string rows = "tensor<?x40x" + e + ", #graph.shape<[n] -> [n, 40]>>";
    std::string packed = "tensor<3x40x16x" + e + ">", right = "tensor<40x36x" + e + ">";
    std::string out = "tensor<?x36x" + e + ", #graph.shape<[n] -> [n, 36]>>";
    std::string batch = "tensor<?x?x40x" + e + ", #graph.shape<[m, n] -> [m, n, 40]>>";
    auto product = [&](const std::string &other, const std::string &options) {
      return "%r = graph.matmul %a, %b" + options + " : (" + batch + ", " + other +
             ") -> " + batch;
    };
    for (const Symbols &sizes : kSizes) {
      check(mainOf({rows, packed}, out,
                   "%u = graph.unpack %b : (" + packed + ") -> " + right +
                       "\n%r = graph.matmul %a, %u : (" + rows + ", " + right + ") -> " +
                       out),
            sizes, tolerance);
      std::string square = "tensor<?x40x40x" + e + ", #graph.shape<[m] -> [m, 40, 40]>>";
      for (std::string options : {"", " {transpose_b}"})
        check(mainOf({batch, square}, batch, product(square, options)), sizes, tolerance);
    }
  }
}

/// Few rows and columns and a large K: split-K, where the last task of a tile adds the
/// partial results.
TEST_F(Emitters, MatmulOfPartsOfK) {
  struct Shape {
    int64_t batch, m, k, n;
  };
  const Symbols none = {};
  for (Shape s : {Shape{1, 9, 1100, 20}, {1, 16, 1500, 40}, {2, 33, 1037, 17}})
    for (std::string e : {"f32", "f16", "bf16", "f64"}) {
      auto tensor = [&](int64_t rows, int64_t columns) {
        return "tensor<" + std::to_string(s.batch) + "x" + std::to_string(rows) + "x" +
               std::to_string(columns) + "x" + e + ">";
      };
      std::string left = tensor(s.m, s.k), right = tensor(s.k, s.n),
                  out = tensor(s.m, s.n);
      double tolerance = e == "f64"   ? 1e-12
                         : e == "f32" ? 2e-5
                         : e == "f16" ? 1e-3
                                      : 8e-3;
      int before = sharesK;
      check(mainOf({left, right, out}, out,
                   "%p = graph.matmul %a, %b : (" + left + ", " + right + ") -> " + out +
                       "\n%r = graph.binary add %p, %c : (" + out + ", " + out + ") -> " +
                       out),
            none, tolerance);
      EXPECT_EQ(sharesK, before + 2) << "both GPUs and no CPU";
    }
}

TEST_F(Emitters, IntegerMatmulOfPartsOfK) {
  std::string left = "tensor<9x900xi32>", right = "tensor<900x24xi32>",
              out = "tensor<9x24xi32>";
  check(mainOf({left, right}, out,
               "%r = graph.matmul %a, %b : (" + left + ", " + right + ") -> " + out),
        {}, 0);
  EXPECT_EQ(sharesK, 2);
}

TEST_F(Emitters, Rows) {
  for (const Symbols &sizes : kSizes) {
    check(mainOf({kRows}, kRows,
                 "%r = graph.softmax %a axis 1 : (" + kRows + ") -> " + kRows),
          sizes);
    check(mainOf({kRows, kRows, "tensor<40xf32>", "tensor<40xf32>"}, kRows,
                 "%s = graph.binary add %a, %b : (" + kRows + ", " + kRows + ") -> " +
                     kRows +
                     "\n%r = graph.layer_norm %s scale %c bias %d axis 1 {epsilon = "
                     "1.0e-5 : f64} "
                     ": (" +
                     kRows + ", tensor<40xf32>, tensor<40xf32>) -> " + kRows),
          sizes);
    std::string one = "tensor<?xf32, #graph.shape<[n] -> [n]>>";
    for (std::string kind : {"sum", "mean", "max", "min", "l2", "log_sum_exp"})
      check(mainOf({kRows}, one,
                   "%r = graph.reduce " + kind + " %a axes [1] : (" + kRows + ") -> " +
                       one),
            sizes);
  }
}

TEST_F(Emitters, PointwiseAndMovement) {
  std::string turned = "tensor<40x?xf32, #graph.shape<[n] -> [40, n]>>";
  std::string joined = "tensor<?x80xf32, #graph.shape<[n] -> [n, 80]>>";
  std::string ids = "tensor<?x?xi64, #graph.shape<[m, n] -> [n, m]>>";
  std::string looked = "tensor<?x?x12xf32, #graph.shape<[m, n] -> [n, m, 12]>>";
  for (const Symbols &sizes : kSizes) {
    check(mainOf({kRows, "tensor<40xf32>"}, turned,
                 "%s = graph.binary mul %a, %b : (" + kRows + ", tensor<40xf32>) -> " +
                     kRows + "\n%e = graph.unary tanh %s : (" + kRows + ") -> " + kRows +
                     "\n%r = graph.transpose %e [1, 0] : (" + kRows + ") -> " + turned),
          sizes);
    check(mainOf({kRows, kRows}, joined,
                 "%r = graph.concat %a, %b axis 1 : (" + kRows + ", " + kRows + ") -> " +
                     joined),
          sizes);
    check(mainOf({"tensor<9x12xf32>", ids}, looked,
                 "%r = graph.gather %a, %b axis 0 : (tensor<9x12xf32>, " + ids + ") -> " +
                     looked),
          sizes);
  }
}

TEST_F(Emitters, Scatters) {
  auto type = [](std::string rows, std::string columns, std::string element) {
    return "tensor<2x?x" + columns + "x" + element + ", #graph.shape<[" + rows +
           "] -> [2, " + rows + ", " + columns + "]>>";
  };
  int number = 0;
  for (const Symbols &sizes : kSizes)
    for (std::string columns : {"1", "3", "40"})
      for (std::string indexColumns : {std::string("1"), columns}) {
        const char *kinds[] = {"", "combine sum ", "combine max ", "combine prod ",
                               "combine min "};
        const char *elements[] = {"f32", "i32", "bf16", "i8"};
        std::string kind = kinds[number % 5], element = elements[number % 4];
        ++number;
        std::string data = type("n", columns, element),
                    updates = type("m", columns, element);
        std::string indices = type("m", indexColumns, number % 2 ? "i64" : "i32");
        check(mainOf({data, indices, updates}, data,
                     "%r = graph.scatter %a, %b, %c " + kind + ": (" + data + ", " +
                         indices + ", " + updates + ") -> " + data),
              sizes, element == "bf16" ? 2e-2 : 2e-5);
      }
}

TEST_F(Emitters, OtherElementTypes) {
  auto rows = [](const std::string &element) {
    return "tensor<?x5x" + element + ", #graph.shape<[n] -> [n, 5]>>";
  };
  for (const Symbols &sizes : kSizes) {
    for (std::string element : {"i8", "ui8", "i32", "i64"}) {
      std::string t = rows(element);
      check(mainOf({t, t}, t,
                   "%s = graph.binary sub %a, %b : (" + t + ", " + t + ") -> " + t +
                       "\n%r = graph.binary div %s, %a : (" + t + ", " + t + ") -> " + t),
            sizes, 0);
    }
    for (std::string element : {"f16", "bf16", "f64"}) {
      std::string t = rows(element);
      check(mainOf({t, t}, t,
                   "%r = graph.binary mul %a, %b : (" + t + ", " + t + ") -> " + t),
            sizes, element == "f64" ? 1e-12 : 4e-3);
    }
    std::string t = rows("i1"), f = rows("f32");
    check(mainOf({f, f}, t,
                 "%c = graph.compare less %a, %b : (" + f + ", " + f + ") -> " + t +
                     "\n%r = graph.unary logical_not %c : (" + t + ") -> " + t),
          sizes, 0);
    std::string i = rows("i32");
    check(mainOf({f}, i, "%r = graph.cast %a : (" + f + ") -> " + i), sizes, 0);
  }
}
