//===- Contraction.cpp - Matrix multiplications ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Ops/Contraction.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"
#include "llvm/ADT/StringSwitch.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::UnaryKind;

Value kiln::import::scale(GraphBuilder &b, Value x, double factor) {
  if (!x || factor == 1.0)
    return x;
  return b.binary(BinaryKind::mul, x, b.scalarLike(x, factor));
}

/// A vector on the left is a row, on the right a column; the dim added for it is removed
/// from the result.
Value kiln::import::matmul(GraphBuilder &n, Value a, Value b) {
  if (!a || !b)
    return {};
  bool row = n.rank(a) == 1, column = n.rank(b) == 1;
  Value product = n.matmul(row ? n.unsqueeze(a, 0) : a, column ? n.unsqueeze(b, 1) : b);
  if (!product)
    return {};
  Dims dims = n.dims(product);
  if (column)
    dims.pop_back();
  if (row)
    dims.erase(dims.end() - (column ? 1 : 2));
  return n.reshape(product, dims);
}

LogicalResult kiln::import::importMatMul(Node &n) {
  return n.result(matmul(n, n.input(0), n.input(1)));
}

Value kiln::import::gemm(Node &n) {
  if (n.inputRank(0) != 2 || n.inputRank(1) != 2) {
    (void)n.fail(ErrorCode::ShapeMismatch, "Gemm multiplies matrices", "rank 2",
                 "ranks " + Twine(n.inputRank(0)) + " and " + Twine(n.inputRank(1)),
                 "use MatMul for other ranks");
    return {};
  }
  Value product =
      n.matmul(n.input(0), n.input(1), n.intAttr("transA", 0), n.intAttr("transB", 0));
  Value y = scale(n, product, n.floatAttr("alpha", 1.0));
  double beta = n.floatAttr("beta", 1.0);
  if (!n.hasInput(2) || beta == 0.0)
    return y;
  return n.binary(BinaryKind::add, y, scale(n, n.input(2), beta));
}

LogicalResult kiln::import::importGemm(Node &n) { return n.result(gemm(n)); }

//===----------------------------------------------------------------------===//
// com.microsoft
//===----------------------------------------------------------------------===//

/// Moves dim 0 before the last dim, as transBatchX requires: [d, ..., m, k] becomes [...,
/// m', d, k'].
static Value moveBatchInside(Node &n, Value x) {
  SmallVector<int64_t> permutation;
  int64_t rank = x ? n.rank(x) : 0;
  for (int64_t i = 1; i < rank - 1; ++i)
    permutation.push_back(i);
  permutation.append({0, rank - 1});
  return n.transpose(x, permutation);
}

LogicalResult kiln::import::importFusedMatMul(Node &n) {
  Value a = n.input(0), b = n.input(1);
  if (n.intAttr("transBatchA", 0))
    a = moveBatchInside(n, a);
  if (n.intAttr("transBatchB", 0))
    b = moveBatchInside(n, b);
  // ONNX Runtime ignores transA and transB of a vector.
  bool transposeA = n.intAttr("transA", 0) && n.inputRank(0) > 1;
  bool transposeB = n.intAttr("transB", 0) && n.inputRank(1) > 1;
  if (n.inputRank(0) < 2 || n.inputRank(1) < 2)
    return n.unsupported("FusedMatMul of a vector", "ranks of at least 2", "rank 1");
  return n.result(
      scale(n, n.matmul(a, b, transposeA, transposeB), n.floatAttr("alpha", 1.0)));
}

LogicalResult kiln::import::importFusedGemm(Node &n) {
  StringRef activation = n.stringAttr("activation", "");
  std::optional<UnaryKind> kind = llvm::StringSwitch<std::optional<UnaryKind>>(activation)
                                      .Case("Relu", UnaryKind::relu)
                                      .Case("Tanh", UnaryKind::tanh)
                                      .Case("Sigmoid", UnaryKind::sigmoid)
                                      .Case("Softplus", UnaryKind::softplus)
                                      .Default(std::nullopt);
  if (!kind && !activation.empty())
    return n.unsupported("the activation of FusedGemm", "Relu, Tanh, Sigmoid or Softplus",
                         activation);
  Value y = gemm(n);
  return n.result(kind ? n.unary(*kind, y) : y);
}
