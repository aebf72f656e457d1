//===- LowerTile.cpp - Tile programs to vectors ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structure: the function, its loop over tasks, control flow. A plain walk
// and not a dialect conversion, because one value becomes many and the walk is
// several times faster than a pattern driver on unrolled kernels.
//
//===----------------------------------------------------------------------===//

#include "../LoweringMath.h"
#include "LowerTile.h"
#include "../AffineToArith.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::host;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Type host::memoryType(Type element) {
  if (element.isInteger(1))
    return IntegerType::get(element.getContext(), 8);
  return element.isBF16() ? IntegerType::get(element.getContext(), 16) : element;
}

Value TileLowering::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

static std::optional<int64_t> constant(Value value) { return getConstantIntValue(value); }

Value TileLowering::add(Value lhs, Value rhs) { return addIndices(b, lhs, rhs); }
Value TileLowering::mul(Value lhs, Value rhs) { return multiplyIndices(b, lhs, rhs); }
Value TileLowering::toI64(Value value) { return indexToI64(b, value); }

Value TileLowering::gep(Value pointer, Type element, Value offset) {
  if (constant(offset) == 0)
    return pointer;
  return LLVM::GEPOp::create(b, pointer.getType(), memoryType(element), pointer,
                             LLVM::GEPArg(toI64(offset)));
}

Value TileLowering::splat(Value scalar, int64_t columns) {
  return vector::BroadcastOp::create(b, VectorType::get(columns, scalar.getType()), scalar);
}

Value TileLowering::iotaVector(int64_t columns, Type element) {
  auto type = VectorType::get(columns, element);
  SmallVector<Attribute> values;
  for (int64_t i = 0; i < columns; ++i)
    values.push_back(b.getIntegerAttr(element, i));
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, values));
}

SmallVector<Value> TileLowering::scalarsOf(ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) { return scalar(value); });
}

SmallVector<Value> TileLowering::flatten(ValueRange values) {
  SmallVector<Value> lowered;
  for (Value value : values) {
    if (isa<tile::FragType>(value.getType()))
      llvm::append_range(lowered, frags.find(value)->second);
    else
      lowered.push_back(scalar(value));
  }
  return lowered;
}

void TileLowering::bind(ValueRange values, ValueRange lowered) {
  for (Value value : values) {
    auto frag = dyn_cast<tile::FragType>(value.getType());
    if (frag)
      frags[value] = Rows(lowered.take_front(frag.getRows()));
    else
      scalars.map(value, lowered.front());
    lowered = lowered.drop_front(frag ? frag.getRows() : 1);
  }
}

void TileLowering::fail(Operation *op, StringRef what) {
  if (!failed)
    kiln::emitError(op->getLoc(),
                    {ErrorCode::NotLowerable, "kernel '" + kernel.getSymName().str() + "'",
                     what.str(), "", op->getName().getStringRef().str(), ""});
  failed = true;
}

//===----------------------------------------------------------------------===//
// Function
//===----------------------------------------------------------------------===//

/// Loads the i-th element of an argument that is an array of pointers or i64.
static Value loadArgument(ImplicitLocOpBuilder &b, Value array, Type element, int64_t i) {
  Value pointer = array;
  if (i > 0)
    pointer = LLVM::GEPOp::create(b, array.getType(), element, array,
                                  LLVM::GEPArg(static_cast<int32_t>(i)));
  return LLVM::LoadOp::create(b, element, pointer, /*alignment=*/8);
}

void TileLowering::bindArguments(Block &entry) {
  Type pointer = entry.getArgument(0).getType();
  for (auto [i, argument] : llvm::enumerate(
           kernel.getBlock().getArguments().take_front(kernel.getNumBuffers())))
    buffers[argument] = loadArgument(b, entry.getArgument(0), pointer, i);
  for (auto [i, argument] : llvm::enumerate(kernel.getSymbolArguments())) {
    Value value = loadArgument(b, entry.getArgument(1), b.getI64Type(), i);
    scalars.map(argument, arith::IndexCastOp::create(b, b.getIndexType(), value).getResult());
  }
  scratch = entry.getArgument(4);
}

LLVM::LLVMFuncOp TileLowering::run() {
  b.setInsertionPoint(kernel);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type i64 = b.getI64Type();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                          {pointer, pointer, i64, i64, pointer});
  auto function = LLVM::LLVMFuncOp::create(b, kernel.getSymName(), type);
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  bindArguments(*entry);
  Value begin = arith::IndexCastOp::create(b, b.getIndexType(), entry->getArgument(2));
  Value end = arith::IndexCastOp::create(b, b.getIndexType(), entry->getArgument(3));
  auto loop = scf::ForOp::create(b, begin, end, index(1));
  LLVM::ReturnOp::create(b, ValueRange());
  b.setInsertionPointToStart(loop.getBody());
  scalars.map(kernel.getTask(), loop.getInductionVar());
  lowerBlock(kernel.getBlock());
  if (!failed)
    return function;
  function.erase();
  return {};
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void TileLowering::lowerBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    b.setLoc(op.getLoc());
    lower(&op);
    if (failed)
      return;
  }
}

void TileLowering::lowerFor(scf::ForOp op) {
  auto loop = scf::ForOp::create(b, scalar(op.getLowerBound()), scalar(op.getUpperBound()),
                                 scalar(op.getStep()), flatten(op.getInitArgs()));
  scalars.map(op.getInductionVar(), loop.getInductionVar());
  bind(op.getRegionIterArgs(), loop.getRegionIterArgs());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  lowerBlock(*op.getBody());
  if (failed)
    return;
  if (loop.getNumResults() > 0)
    scf::YieldOp::create(b, flatten(op.getBody()->getTerminator()->getOperands()));
  bind(op.getResults(), loop.getResults());
}

static SmallVector<Type> loweredTypes(TypeRange types) {
  SmallVector<Type> lowered;
  for (Type type : types) {
    auto frag = dyn_cast<tile::FragType>(type);
    if (!frag)
      lowered.push_back(type);
    else
      lowered.append(frag.getRows(), VectorType::get(frag.getColumns(), frag.getElementType()));
  }
  return lowered;
}

void TileLowering::lowerIf(scf::IfOp op) {
  auto branch = scf::IfOp::create(b, loweredTypes(op.getResultTypes()),
                                  scalar(op.getCondition()), !op.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(b);
  for (auto [from, to] : llvm::zip(op->getRegions(), branch->getRegions())) {
    if (from.empty())
      continue;
    b.setInsertionPointToStart(&to.front());
    lowerBlock(from.front());
    if (failed)
      return;
    if (op.getNumResults() > 0)
      scf::YieldOp::create(b, flatten(from.front().getTerminator()->getOperands()));
  }
  bind(op.getResults(), branch.getResults());
}

void TileLowering::lowerSwitch(scf::IndexSwitchOp op) {
  auto branch = scf::IndexSwitchOp::create(b, loweredTypes(op.getResultTypes()),
                                           scalar(op.getArg()), op.getCases(),
                                           op.getNumCases());
  OpBuilder::InsertionGuard guard(b);
  for (auto [from, to] : llvm::zip(op->getRegions(), branch->getRegions())) {
    b.setInsertionPointToStart(&to.emplaceBlock());
    lowerBlock(from.front());
    if (failed)
      return;
    scf::YieldOp::create(b, flatten(from.front().getTerminator()->getOperands()));
  }
  bind(op.getResults(), branch.getResults());
}

void TileLowering::lowerPipeline(tile::PipelineOp op) {
  auto loop = scf::ForOp::create(b, scalar(op.getLower()), scalar(op.getUpper()),
                                 scalar(op.getStep()), flatten(op.getInits()));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Block &load = op.getLoad().front(), &compute = op.getCompute().front();
  scalars.map(load.getArgument(0), loop.getInductionVar());
  scalars.map(compute.getArgument(0), loop.getInductionVar());
  lowerBlock(load);
  ValueRange tiles = load.getTerminator()->getOperands();
  auto arguments = compute.getArguments().drop_front();
  for (auto [tile, argument] : llvm::zip(tiles, arguments)) {
    // A copy first: the new entry may move the old one.
    LoweredStaged value = staged.find(tile)->second;
    staged[argument] = std::move(value);
  }
  bind(arguments.drop_front(tiles.size()), loop.getRegionIterArgs());
  lowerBlock(compute);
  if (failed)
    return;
  if (loop.getNumResults() > 0)
    scf::YieldOp::create(b, flatten(compute.getTerminator()->getOperands()));
  bind(op.getResults(), loop.getResults());
}

void TileLowering::lowerApply(Operation *op) {
  auto apply = cast<affine::AffineApplyOp>(op);
  AffineMap map = apply.getAffineMap();
  scalars.map(apply.getResult(), expandAffine(b, map.getResult(0), scalarsOf(apply.getOperands()),
                                              map.getNumDims()));
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

void TileLowering::lower(Operation *op) {
  if (done.contains(op))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp op) { lowerFor(op); })
      .Case([&](scf::IfOp op) { lowerIf(op); })
      .Case([&](scf::IndexSwitchOp op) { lowerSwitch(op); })
      .Case([&](affine::AffineApplyOp op) { lowerApply(op); })
      .Case([&](tile::PipelineOp op) { lowerPipeline(op); })
      .Case([&](tile::ScratchOp op) {
        buffers[op] = gep(scratch, b.getI8Type(), scalar(op.getOffset()));
      })
      .Case([&](tile::ViewOp op) { lowerView(op); })
      .Case([&](tile::LoadOp op) { lowerLoad(op); })
      .Case([&](tile::StoreOp op) { lowerStore(op); })
      .Case([&](tile::GatherOp op) { lowerGather(op); })
      .Case([&](tile::ScatterOp op) { lowerScatter(op); })
      .Case([&](tile::StageOp op) { lowerStage(op); })
      .Case([&](tile::PrefetchOp op) { lowerPrefetch(op); })
      .Case([&](tile::MmaOp op) { lowerMma(op); })
      .Case([&](tile::FillOp op) {
        frags[op] = Rows(op.getType().getRows(),
                         splat(scalar(op.getValue()), op.getType().getColumns()));
      })
      .Case([&](tile::MapOp op) { lowerMap(op); })
      .Case([&](tile::ReduceOp op) { lowerReduce(op); })
      .Case([&](tile::BroadcastOp op) { lowerBroadcast(op); })
      .Case([&](tile::ConvertOp op) { lowerConvert(op); })
      .Case([&](tile::IotaOp op) { lowerIota(op); })
      .Case([&](tile::SelectRangeOp op) { lowerSelectRange(op); })
      .Case([&](tile::TransposeOp op) { lowerTranspose(op); })
      .Case([&](tile::ExtractOp op) { lowerExtract(op); })
      .Case([&](tile::StackOp op) { frags[op] = Rows(flatten(op.getRows())); })
      .Default([&](Operation *op) {
        if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
          b.clone(*op, scalars);
        else
          fail(op, "an op that has no meaning on the host");
      });
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace kiln {
#define GEN_PASS_DEF_LOWERTILEPASS
#include "kiln/Target/Passes.h.inc"
} // namespace kiln

namespace {
struct LowerTilePass : public kiln::impl::LowerTilePassBase<LowerTilePass> {
  void runOnOperation() override {
    for (auto kernel : llvm::make_early_inc_range(getOperation().getOps<tile::KernelOp>())) {
      if (!TileLowering(kernel).run())
        return signalPassFailure();
      kernel.erase();
    }
  }
};
} // namespace
