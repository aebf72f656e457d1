//===- LowerMatrixVector.cpp - Matmuls with one column --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_LOWERMATRIXVECTORPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kLowerMatrixVectorPass = "kiln-lower-matrix-vector";

/// Returns why the matmul is not lowered to a reduction; empty if it is.
static StringRef lowerRefusal(MatmulOp op) {
  Dims lhs = getDims(op.getLhs()), result = getDims(op.getResult());
  if (!result.back().isConstant(1))
    return "it is no product with a vector: its result may have more than one column";
  if (op.getTransposeA())
    return "the rows of the left operand are not contiguous";
  // If batches have one matrix, a GEMM reads it once for several of them.
  if (ArrayRef(lhs).drop_back() != ArrayRef(result).drop_back())
    return "the left operand is broadcast";
  Type type = elementTypeOf(op.getResult());
  // Narrower types are accumulated in f32, but a separate multiplication would round
  // first.
  if (!(type.isF32() || type.isF64()) || elementTypeOf(op.getLhs()) != type ||
      elementTypeOf(op.getRhs()) != type)
    return "the elements are neither f32 nor f64";
  return {};
}

static void lower(MatmulOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Dims vector = getDims(op.getRhs());
  // A column and a row have the same elements in the same order.
  if (!op.getTransposeB())
    std::swap(vector[vector.size() - 2], vector.back());
  Value row = reshapeTo(builder, loc, op.getRhs(), vector);
  Value terms = BinaryOp::create(builder, loc, BinaryKind::mul, op.getLhs(), row);
  int64_t last = rankOf(terms) - 1;
  Value sum = ReduceOp::create(builder, loc, ReduceKind::sum, terms,
                               ArrayRef<int64_t>{last}, /*keep_dims=*/true);
  replaceAndErase(op, reshapeTo(builder, loc, sum, getDims(op.getResult())));
}

namespace {
class LowerMatrixVectorPass
    : public kiln::impl::LowerMatrixVectorPassBase<LowerMatrixVectorPass> {
public:
  void runOnGraph() override {
    if (isBake(getOperation()))
      return;
    SmallVector<MatmulOp> products;
    getOperation().walk([&](MatmulOp op) { products.push_back(op); });
    for (MatmulOp op : products) {
      if (StringRef why = lowerRefusal(op); !why.empty()) {
        remarkMissed(op.getLoc(), kLowerMatrixVectorPass, "lower", why);
        continue;
      }
      remarkPassed(op.getLoc(), kLowerMatrixVectorPass, "lower",
                   "a product with a vector became products of elements and a sum");
      lower(op);
      ++numLowered;
    }
  }
};
} // namespace
