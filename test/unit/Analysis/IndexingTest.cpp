//===- IndexingTest.cpp - Queries on index maps ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/Indexing.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace kiln::graph;
using namespace mlir;

namespace {
class IndexingTest : public testing::Test {
protected:
  IndexingTest() : b(&context), loc(b.getUnknownLoc()) {
    context.loadDialect<GraphDialect>();
    b.setInsertionPointToStart(&block);
  }

  SymbolicExpr symbol(StringRef name) {
    return SymbolicExpr::symbol(b.getStringAttr(name));
  }
  Value operand(const Dims &dims) {
    return block.addArgument(makeTensorType(dims, b.getF32Type()), loc);
  }
  Value reshape(Value value, const Dims &dims) {
    return ReshapeOp::create(b, loc, makeTensorType(dims, b.getF32Type()), value);
  }
  Value slice(Value value, const Dims &starts, ArrayRef<int64_t> steps,
              const Dims &dims) {
    return SliceOp::create(b, loc, makeTensorType(dims, b.getF32Type()), value,
                           makeShape(&context, starts), steps);
  }

  /// Returns "1, -" if operand 0 is read along its axis 1 and every row reads all of
  /// operand 1; with "+ shift"; "none" if rows are not independent.
  std::string along(Value value, int64_t axis) {
    std::optional<AxisReads> reads = readsAlong(value.getDefiningOp(), axis);
    if (!reads)
      return "none";
    std::string text;
    for (const std::optional<AxisRead> &read : *reads) {
      text += text.empty() ? "" : ", ";
      text += read ? std::to_string(read->axis) : "-";
      if (read && read->shift != SymbolicExpr(0))
        text += " + " + read->shift.str();
    }
    return text;
  }

  /// Returns the image of an expression in d (0 <= d < 4 unless given) and h (0 <= h <
  /// 3).
  std::string image(const SymbolicExpr &expr, const DimRange &ofD = {0, 4},
                    const DimRange &ofH = {0, 3}) {
    auto range = imageOf(
        expr, [&](StringAttr name) { return name.getValue() == "%d0" ? ofD : ofH; });
    return range ? range->begin.str() + " + " + range->size.str() : "none";
  }

  MLIRContext context;
  Block block;
  OpBuilder b;
  Location loc;
  SymbolicExpr batch = symbol("batch"), seq = symbol("seq"), d = symbol("%d0"),
               h = symbol("%d1");
};
} // namespace

TEST_F(IndexingTest, RowsOfContractions) {
  Value lhs = operand({batch, seq, 8}), rhs = operand({8, 16});
  Value product = MatmulOp::create(b, loc, lhs, rhs);
  EXPECT_EQ(along(product, 0), "0, -");
  EXPECT_EQ(along(product, 1), "1, -");
  EXPECT_EQ(along(product, 2), "-, 1");
}

TEST_F(IndexingTest, RowsOfNorms) {
  Value input = operand({batch, seq, 8});
  Value softmax = SoftmaxOp::create(b, loc, input, 2);
  EXPECT_EQ(along(softmax, 1), "1");
  EXPECT_EQ(along(softmax, 2), "none");
  Value norm = RmsNormOp::create(b, loc, input, operand({8}), 2, APFloat(1.0));
  EXPECT_EQ(along(norm, 1), "1, -");
  EXPECT_EQ(along(norm, 2), "none");
}

TEST_F(IndexingTest, RowsOfMovement) {
  Value input = operand({batch, seq, 12, 64});
  EXPECT_EQ(along(reshape(input, {batch, seq, 768}), 1), "1");
  EXPECT_EQ(along(reshape(input, {batch, seq, 768}), 2), "none");
  EXPECT_EQ(along(reshape(input, {batch * seq, 12, 64}), 1), "2");
  EXPECT_EQ(along(reshape(input, {batch * seq, 12, 64}), 0), "none");
  Value part = slice(input, {0, seq - 1, 0, 3}, {1, 1, -2, 1}, {batch, 1, 2, 5});
  EXPECT_EQ(along(part, 0), "0");
  EXPECT_EQ(along(part, 2), "none") << "a step";
  EXPECT_EQ(along(part, 3), "3 + 3");
}

// Along the axis of a concat, the element's index determines its operand.
TEST_F(IndexingTest, RowsOfConcatAndIota) {
  Value joined =
      ConcatOp::create(b, loc, ValueRange{operand({2, seq}), operand({3, seq})}, 0);
  EXPECT_EQ(along(joined, 0), "none");
  EXPECT_EQ(along(joined, 1), "1, 1");
  auto type = makeTensorType({batch, seq}, b.getF32Type());
  Value iota = IotaOp::create(b, loc, type, 1, APFloat(0.0), APFloat(1.0));
  EXPECT_EQ(along(iota, 0), "");
  EXPECT_EQ(along(iota, 1), "none");
}

TEST_F(IndexingTest, RowsOfGathers) {
  auto type = makeTensorType({batch, seq}, b.getI64Type());
  Value rows =
      GatherOp::create(b, loc, operand({100, 8}), block.addArgument(type, loc), 0);
  EXPECT_EQ(along(rows, 0), "-, 0");
  EXPECT_EQ(along(rows, 1), "-, 1");
  EXPECT_EQ(along(rows, 2), "1, -");
}

// A dim of size 1 is no axis, and all of a broadcast operand is read.
TEST_F(IndexingTest, RowsOfBroadcasts) {
  Value sum =
      BinaryOp::create(b, loc, BinaryKind::add, operand({seq, 1, 4}), operand({1, 4}));
  EXPECT_EQ(along(sum, 0), "0, -");
  EXPECT_EQ(along(sum, 1), "none");
  EXPECT_EQ(along(sum, 2), "2, 1");
}

TEST_F(IndexingTest, ImagesOfSums) {
  EXPECT_EQ(image(d + 2), "2 + 4");
  EXPECT_EQ(image(SymbolicExpr(3) - d), "0 + 4");
  EXPECT_EQ(image(d + h * 4), "0 + 12");
  EXPECT_EQ(image(d + h * 5), "none") << "gaps";
  EXPECT_EQ(image(d * 2), "none");
  EXPECT_EQ(image(d + h * seq, {0, seq}, {batch, 2}), "batch * seq + 2 * seq");
}

TEST_F(IndexingTest, ImagesOfQuotients) {
  EXPECT_EQ(image(d.floorDiv(64), {128, 64}), "2 + 1");
  EXPECT_EQ(image(d.floorDiv(64), {128, 192}), "2 + 3");
  EXPECT_EQ(image(d.floorDiv(64), {100, 64}), "none");
  EXPECT_EQ(image(d.mod(64), {128, 192}), "0 + 64");
  EXPECT_EQ(image(d.mod(64), {130, 5}), "2 + 5");
  EXPECT_EQ(image(d.mod(seq), {0, batch * seq}), "0 + seq");
}

TEST_F(IndexingTest, ElementsThatMove) {
  Value first = operand({2, 8}), second = operand({seq, 8});
  Value joined = ConcatOp::create(b, loc, ValueRange{first, second}, 0);
  IndexVars vars(&context);
  SymbolicExpr row = SymbolicExpr::symbol(vars.addLoop(2));
  auto of = [&](const Dims &at) { return movedFrom(joined.getDefiningOp(), at, vars); };
  EXPECT_EQ(of({row, 3})->value, first);
  EXPECT_EQ(of({row + 2, 3})->value, second);
  EXPECT_EQ(printDims(of({row + 2, 3})->at), "[%0, 3]");
  EXPECT_FALSE(of({row + 1, 3})) << "of the first for 0, of the second for 1";
  Value sum = BinaryOp::create(b, loc, BinaryKind::add, first, first);
  EXPECT_FALSE(movedFrom(sum.getDefiningOp(), {row, 0}, vars)) << "computed";
}

TEST_F(IndexingTest, PlacesBehindMovement) {
  Value input = operand({batch, seq, 12});
  Value turned = TransposeOp::create(b, loc, input, ArrayRef<int64_t>{1, 2, 0});
  Value split = reshape(turned, {seq, 3, 4, batch});
  IndexVars vars(&context);
  auto var = [&](const SymbolicExpr &extent) {
    return SymbolicExpr::symbol(vars.addLoop(extent));
  };
  Dims at{var(batch), var(seq), var(12)};
  std::optional<Dims> behind = movedTo(turned.getDefiningOp()->getOpOperand(0), at, vars);
  ASSERT_TRUE(behind);
  EXPECT_EQ(printDims(*behind), "[%1, %2, %0]");
  behind = movedTo(split.getDefiningOp()->getOpOperand(0), *behind, vars);
  ASSERT_TRUE(behind);
  EXPECT_EQ(printDims(*behind), "[%1, (%2 floordiv 4), (%2 mod 4), %0]");
  Value part = slice(input, {0, 0, 3}, {1, 1, 1}, {batch, seq, 4});
  EXPECT_FALSE(movedTo(part.getDefiningOp()->getOpOperand(0), at, vars)) << "drops some";
}

TEST_F(IndexingTest, OperandsThatMove) {
  Value data = operand({100, 8}), other = operand({2, 8});
  auto type = makeTensorType({seq}, b.getI64Type());
  Value rows = GatherOp::create(b, loc, data, block.addArgument(type, loc), 0);
  ASSERT_EQ(movedOperands(rows.getDefiningOp()).size(), 1u) << "indices do not move";
  EXPECT_EQ(movedOperands(rows.getDefiningOp()).front()->get(), data);
  Value joined = ConcatOp::create(b, loc, ValueRange{data, other}, 0);
  EXPECT_EQ(movedOperands(joined.getDefiningOp()).size(), 2u);
  Value packed = PackOp::create(b, loc, data, 16);
  EXPECT_TRUE(movedOperands(packed.getDefiningOp()).empty()) << "zeros are no operand's";
}

TEST_F(IndexingTest, OrdersThatStay) {
  Value input = operand({batch, 1, 12});
  auto turned = [&](ArrayRef<int64_t> permutation) {
    return keepsOrder(TransposeOp::create(b, loc, input, permutation));
  };
  EXPECT_TRUE(turned({1, 0, 2})) << "a dim of one element";
  EXPECT_FALSE(turned({2, 1, 0}));
  EXPECT_TRUE(keepsOrder(reshape(input, {batch, 3, 4}).getDefiningOp()));
  EXPECT_FALSE(
      keepsOrder(slice(input, {0, 0, 0}, {1, 1, 1}, {batch, 1, 4}).getDefiningOp()));
}

TEST_F(IndexingTest, OpsThatMoveAll) {
  Value input = operand({batch, 1, 12});
  auto all = [](Value value) { return movesAll(value.getDefiningOp()); };
  EXPECT_TRUE(all(reshape(input, {batch, 3, 4})));
  EXPECT_TRUE(all(TransposeOp::create(b, loc, input, ArrayRef<int64_t>{2, 1, 0})));
  auto type = makeTensorType({2, batch, seq, 12}, b.getF32Type());
  EXPECT_TRUE(all(BroadcastOp::create(b, loc, type, input)));
  EXPECT_TRUE(all(slice(input, {0, 0, 0}, {1, 1, 1}, {batch, 1, 12}))) << "all of it";
  EXPECT_FALSE(all(slice(input, {0, 0, 1}, {1, 1, 1}, {batch, 1, 11})));
  EXPECT_FALSE(all(slice(input, {0, 0, 0}, {1, 1, 2}, {batch, 1, 6})));
  EXPECT_FALSE(all(BinaryOp::create(b, loc, BinaryKind::add, input, input)));
}

TEST_F(IndexingTest, ReadsThatTakePlace) {
  IndexVars vars(&context);
  SymbolicExpr row = SymbolicExpr::symbol(vars.addLoop(4));
  auto takes = [&](const SymbolicExpr &first, const SymbolicExpr &end) {
    OperandRead read;
    return takesPlace(read.where(0, 0, 1).where(row, first, end), vars);
  };
  EXPECT_EQ(takes(0, 4), true);
  EXPECT_EQ(takes(4, 8), false);
  EXPECT_EQ(takes(2, 6), std::nullopt);
  EXPECT_EQ(takes(0, 0), false) << "none";
  EXPECT_EQ(takesPlace(OperandRead(), vars), true);
}

// The visible keys of a query in causal attention depend on its row; the operand's row
// that it reads does not.
TEST_F(IndexingTest, RowsOfQueries) {
  Value query = operand({batch, 2, seq, 8}), keys = operand({batch, 2, seq, 8});
  auto causal = AttentionOp::create(
      b, loc, query, keys, keys, operand({seq, seq}), Value(), Value(), Value(), Value(),
      Value(), b.getF64FloatAttr(1), b.getUnitAttr(), UnitAttr(), UnitAttr(), UnitAttr(),
      FloatAttr(), IntegerAttr(), UnitAttr());
  EXPECT_EQ(along(causal, 2), "none");
  std::optional<AxisReads> reads = readsAlong(causal, 2, ReadConditions::Any);
  ASSERT_TRUE(reads);
  EXPECT_EQ((*reads)[0], (AxisRead{2, 0}));
  EXPECT_EQ((*reads)[1], std::nullopt);
  EXPECT_EQ((*reads)[3], (AxisRead{0, 0}));
}

TEST_F(IndexingTest, ValuesThatVary) {
  auto type = makeTensorType({seq, 8}, b.getF32Type());
  Value iota = IotaOp::create(b, loc, type, 1, APFloat(0.0), APFloat(1.0));
  EXPECT_FALSE(variesAlong(iota, 0));
  EXPECT_TRUE(variesAlong(iota, 1));
  Value sum = BinaryOp::create(b, loc, BinaryKind::add, iota, operand({1, 8}));
  EXPECT_FALSE(variesAlong(sum, 0));
  EXPECT_TRUE(variesAlong(operand({seq}), 0)) << "nothing is known of an argument";
}
