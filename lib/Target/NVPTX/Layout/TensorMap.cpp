//===- TensorMap.cpp - TMA tensor maps of views ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorMap.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln;

/// Limits of a TMA tensor map: maximum rank, maximum box extent, and alignment of strides
/// in bytes.
static constexpr size_t kMostDims = 5;
static constexpr int64_t kMostBox = 256, kStrideBytes = 16;

SmallVector<unsigned> nvptx::mapOrder(tile::ViewOp view) {
  ArrayRef<int64_t> strides = view.getType().getStrides();
  unsigned rank = strides.size();
  if (rank < 2 || rank > kMostDims || (strides[rank - 1] != 1 && strides[rank - 2] != 1))
    return {};
  bool isLast = strides[rank - 1] == 1;
  SmallVector<unsigned> order{isLast ? rank - 1 : rank - 2, isLast ? rank - 2 : rank - 1};
  for (unsigned dim = rank - 2; dim-- > 0;)
    order.push_back(dim);
  return order;
}

AffineExpr nvptx::overSymbols(tile::KernelOp kernel, Value value) {
  MLIRContext *context = kernel.getContext();
  if (std::optional<int64_t> fixed = getConstantIntValue(value))
    return getAffineConstantExpr(*fixed, context);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto symbols = kernel.getSymbolArguments();
    auto *at = llvm::find(symbols, argument);
    return at == symbols.end() ? AffineExpr()
                               : getAffineSymbolExpr(at - symbols.begin(), context);
  }
  Operation *op = value.getDefiningOp();
  if (op->getNumOperands() != 2)
    return {};
  AffineExpr lhs = overSymbols(kernel, op->getOperand(0));
  AffineExpr rhs = lhs ? overSymbols(kernel, op->getOperand(1)) : AffineExpr();
  if (!rhs)
    return {};
  return llvm::TypeSwitch<Operation *, AffineExpr>(op)
      .Case([&](arith::AddIOp) { return lhs + rhs; })
      .Case([&](arith::SubIOp) { return lhs - rhs; })
      .Case([&](arith::MulIOp) { return lhs * rhs; })
      .Case([&](arith::DivUIOp) { return lhs.floorDiv(rhs); })
      .Case([&](arith::RemUIOp) { return lhs % rhs; })
      .Default([](Operation *) { return AffineExpr(); });
}

tile::TensorMapAttr nvptx::describeTensor(tile::KernelOp kernel, tile::ViewOp view,
                                          ArrayRef<int64_t> extentsOfBox, int64_t swizzle) {
  auto argument = dyn_cast<BlockArgument>(view.getBuffer());
  SmallVector<unsigned> order = mapOrder(view);
  int64_t bytes = tile::elementBytes(view.getType().getElementType());
  if (!argument || order.empty() || extentsOfBox.size() != order.size())
    return {};
  auto box = llvm::map_to_vector(order, [&](unsigned dim) { return extentsOfBox[dim]; });
  if (box[0] * bytes > swizzle ||
      llvm::any_of(box, [](int64_t extent) { return extent < 1 || extent > kMostBox; }))
    return {};
  auto express = [&](OpFoldResult value) {
    if (auto fixed = getConstantIntValue(value))
      return getAffineConstantExpr(*fixed, kernel.getContext());
    return overSymbols(kernel, cast<Value>(value));
  };
  SmallVector<OpFoldResult> viewSizes = view.getMixedSizes(),
                            viewStrides = view.getMixedStrides();
  SmallVector<AffineExpr> extents, strides;
  for (unsigned dim : order) {
    extents.push_back(express(viewSizes[dim]));
    if (dim != order.front())
      strides.push_back(express(viewStrides[dim]));
  }
  AffineExpr offset = express(view.getOffset());
  if (!offset || llvm::is_contained(extents, AffineExpr()) ||
      llvm::is_contained(strides, AffineExpr()))
    return {};
  auto isAligned = [&](AffineExpr expr) {
    return expr.getLargestKnownDivisor() * bytes % kStrideBytes == 0;
  };
  if (!isAligned(offset) || !llvm::all_of(strides, isAligned))
    return {};
  auto map = [&](ArrayRef<AffineExpr> results) {
    return AffineMapAttr::get(
        AffineMap::get(0, kernel.getNumSymbols(), results, kernel.getContext()));
  };
  return tile::TensorMapAttr::get(
      kernel.getContext(), argument.getArgNumber(), view.getType().getElementType(),
      map(offset), map(extents), map(strides),
      DenseI64ArrayAttr::get(kernel.getContext(), box), swizzle);
}

//===----------------------------------------------------------------------===//
// Differences of indices
//===----------------------------------------------------------------------===//

namespace {
/// An integer as a constant plus multiples of SSA values whose own value is unknown.
struct LinearForm {
  int64_t constant = 0;
  llvm::SmallMapVector<Value, int64_t, 4> terms;

  void add(Value value, int64_t factor) {
    if (std::optional<int64_t> fixed = getConstantIntValue(value)) {
      constant += factor * *fixed;
      return;
    }
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
      add(op->getOperand(0), factor);
      return add(op->getOperand(1), isa<arith::SubIOp>(op) ? -factor : factor);
    }
    if (isa_and_nonnull<arith::MulIOp>(op))
      for (unsigned i : {0, 1})
        if (std::optional<int64_t> by = getConstantIntValue(op->getOperand(i)))
          return add(op->getOperand(1 - i), factor * *by);
    terms[value] += factor;
  }
};
} // namespace

std::optional<int64_t> nvptx::knownDifference(Value from, Value to) {
  LinearForm form;
  form.add(to, 1);
  form.add(from, -1);
  for (auto [value, factor] : form.terms)
    if (factor != 0)
      return std::nullopt;
  return form.constant;
}
