//===- Blocks.cpp - Rows split into blocks of even height -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Blocks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <set>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

std::optional<tile::DotProduct> kiln::codegen::bf16DotProduct(const TargetInfo &target) {
  if (target.hasBf16Tiles())
    return tile::DotProduct::tdpbf16ps;
  if (target.prefersBf16Dots())
    return tile::DotProduct::vdpbf16ps;
  return std::nullopt;
}

SmallVector<int64_t> kiln::codegen::blockHeights(int64_t least, int64_t most,
                                                 int64_t tallest) {
  std::set<int64_t> heights;
  // From tallest * tallest rows on, blocks have `tallest` rows or one less, and both
  // heights occur among any `tallest` consecutive numbers of rows. Larger numbers add no
  // height.
  most = std::min(most, std::max(least, tallest * tallest) + tallest - 1);
  for (int64_t rows = std::max<int64_t>(least, 1); rows <= most; ++rows) {
    int64_t blocks = (rows + tallest - 1) / tallest;
    heights.insert(rows / blocks);
    heights.insert((rows + blocks - 1) / blocks);
  }
  return SmallVector<int64_t>(heights.begin(), heights.end());
}

void kiln::codegen::switchHeight(OpBuilder &b, Location loc, NodeEmitter &emitter, Value height,
                                 ArrayRef<int64_t> heights, function_ref<void(int64_t)> body) {
  if (heights.size() == 1)
    return body(heights.front());
  // The first region is the default; it gets the tallest height.
  SmallVector<int64_t> order{heights.back()};
  llvm::append_range(order, heights.drop_back());
  auto branch = scf::IndexSwitchOp::create(b, loc, TypeRange(), height, heights.drop_back(),
                                           heights.size() - 1);
  OpBuilder::InsertionGuard guard(b);
  for (auto [region, each] : llvm::zip(branch->getRegions(), order)) {
    b.setInsertionPointToStart(&region.emplaceBlock());
    NodeEmitter::Scope scope(emitter);
    body(each);
    scf::YieldOp::create(b, loc);
  }
}

void kiln::codegen::emitLoop(OpBuilder &b, Location loc, NodeEmitter &emitter, Value begin,
                             Value end, Value step, function_ref<void(Value)> body) {
  scf::ForOp::create(b, loc, begin, end, step, ValueRange(),
                     [&](OpBuilder &, Location, Value at, ValueRange) {
                       NodeEmitter::Scope scope(emitter);
                       body(at);
                       scf::YieldOp::create(b, loc);
                     });
}

std::pair<Value, Value> kiln::codegen::evenPart(OpBuilder &b, Location loc, Value whole,
                                                Value number, Value parts) {
  auto start = [&](Value part) {
    return b.createOrFold<arith::DivUIOp>(
        loc, b.createOrFold<arith::MulIOp>(loc, whole, part), parts);
  };
  Value begin = start(number);
  Value next = b.createOrFold<arith::AddIOp>(loc, number,
                                             arith::ConstantIndexOp::create(b, loc, 1));
  return {begin, b.createOrFold<arith::SubIOp>(loc, start(next), begin)};
}
