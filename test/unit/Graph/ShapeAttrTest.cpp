//===- ShapeAttrTest.cpp - shapes and symbolic types ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Graph.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace kiln::graph;
using namespace mlir;

namespace {
class ShapeAttrTest : public testing::Test {
protected:
  ShapeAttrTest() { context.loadDialect<GraphDialect>(); }

  SymbolicExpr symbol(StringRef name) {
    return SymbolicExpr::symbol(StringAttr::get(&context, name));
  }

  /// The diagnostic of building a shape from parts; empty if it is valid.
  std::string build(ArrayRef<StringRef> names, AffineMap map) {
    std::string text;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      text = diagnostic.str();
      return success();
    });
    SmallVector<StringAttr> symbols;
    for (StringRef name : names)
      symbols.push_back(StringAttr::get(&context, name));
    auto report = [&] { return emitError(UnknownLoc::get(&context)); };
    EXPECT_EQ(succeeded(ShapeAttr::verify(report, symbols, map)), text.empty());
    return text;
  }

  /// ()[s0, ..] -> (s0, ..)
  AffineMap identity(unsigned count) {
    SmallVector<AffineExpr> exprs;
    for (unsigned i = 0; i < count; ++i)
      exprs.push_back(getAffineSymbolExpr(i, &context));
    return AffineMap::get(0, count, exprs, &context);
  }

  MLIRContext context;
  SymbolicExpr a = symbol("a"), b = symbol("b");
};
} // namespace

// #graph.shape C1
TEST_F(ShapeAttrTest, SymbolsAreSortedDistinctAndUsed) {
  EXPECT_EQ(build({"a", "b"}, identity(2)), "");
  EXPECT_EQ(build({"b", "a"}, identity(2)),
            "(C1) symbols must be sorted and distinct, found 'b' before 'a'");
  EXPECT_EQ(build({"a", "a"}, identity(2)),
            "(C1) symbols must be sorted and distinct, found 'a' before 'a'");
  EXPECT_EQ(build({"a", "b"}, AffineMap::get(0, 2, getAffineSymbolExpr(0, &context))),
            "(C1) symbol 'b' is not used");
  EXPECT_EQ(build({"a"}, identity(2)), "(C1) expected a map over 1 symbols, found one over 2");
  EXPECT_EQ(build({"a"}, AffineMap::getMultiDimIdentityMap(1, &context)),
            "(C1) expected a map over 1 symbols, found one over 0");
}

TEST_F(ShapeAttrTest, EqualDimsAreEqualAttributes) {
  ShapeAttr shape = makeShape(&context, {b * a + 1, a});
  EXPECT_EQ(shape, makeShape(&context, {SymbolicExpr(1) + a * b, a * 2 - a}));
  EXPECT_EQ(shape.getSymbols().size(), 2u);
  EXPECT_EQ(getDims(shape)[0], a * b + 1);
  EXPECT_EQ(makeShape(&context, {a - a}).getSymbols().size(), 0u);
}

TEST_F(ShapeAttrTest, TextIsReadAgain) {
  for (const SymbolicExpr &dim :
       {a - 3, SymbolicExpr(0) - a * b * 2, SymbolicExpr::min(a, 9) * b,
        SymbolicExpr::max(SymbolicExpr::min(a, 200) - 100, 0),
        (a - b).floorDiv(4) * 4 + 1, SymbolicExpr::min(a, b).ceilDiv(3),
        (a + b).mod(8) * a}) {
    ShapeAttr shape = makeShape(&context, {dim, 7});
    std::string text;
    llvm::raw_string_ostream(text) << shape;
    EXPECT_EQ(parseAttribute(text, &context), shape) << text;
  }
  ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) { return success(); });
  for (const char *dim :
       {"max(a", "min(a)", "a floordiv 0", "a mod -2", "a +", "b", "(a"})
    EXPECT_FALSE(parseAttribute((llvm::Twine("#graph.shape<[a] -> [") + dim + "]>").str(),
                                &context))
        << dim;
}

TEST_F(ShapeAttrTest, StaticTypesCarryNoEncoding) {
  Type f32 = Float32Type::get(&context);
  RankedTensorType fixed = makeTensorType({2, 3}, f32);
  EXPECT_FALSE(fixed.getEncoding());
  EXPECT_EQ(getDims(Type(fixed))[1], SymbolicExpr(3));
  RankedTensorType dynamic = makeTensorType({a, 3}, f32);
  EXPECT_EQ(dynamic.getShape()[0], ShapedType::kDynamic);
  EXPECT_EQ(dynamic.getShape()[1], 3);
  EXPECT_EQ(getDims(Type(dynamic))[0], a);
}

TEST_F(ShapeAttrTest, Sizes) {
  Type type = makeTensorType({a, b, 3}, BFloat16Type::get(&context));
  EXPECT_EQ(byteSize(type), a * b * 6);
  EXPECT_EQ(elementBytes(IntegerType::get(&context, 1)), 1);
  EXPECT_EQ(numElements({}), SymbolicExpr(1));
  EXPECT_EQ(printDims({a, b * 2, 3}), "[a, 2 * b, 3]");
}

TEST_F(ShapeAttrTest, Broadcast) {
  EXPECT_EQ(broadcastDims({a, 1}, {b}), (Dims{a, b}));
  EXPECT_EQ(broadcastDims({1}, {0}), (Dims{0}));
  EXPECT_EQ(broadcastDims({}, {a}), (Dims{a}));
  EXPECT_EQ(broadcastDims({a}, {b}), std::nullopt);
  EXPECT_EQ(broadcastDims({2}, {3}), std::nullopt);
  EXPECT_TRUE(broadcastsTo({1, b}, {a, b}));
  EXPECT_FALSE(broadcastsTo({a, b}, {b}));
  EXPECT_FALSE(broadcastsTo({a, b}, {1, b}));
}
