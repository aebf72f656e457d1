//===- LowerTile.cpp - Tile programs to vectors ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers the function, its loop over tasks and control flow. It is a plain walk instead
// of a dialect conversion because one value becomes many, and the walk is several times
// faster than a pattern driver on unrolled kernels.
//
//===----------------------------------------------------------------------===//

#include "LowerTile.h"
#include "../AffineToArith.h"
#include "kiln/Support/PassOptions.h"
#include "kiln/Target/CheckTargets.h"
#include "kiln/Target/Passes.h"
#include "kiln/Target/TargetInfo.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::host;

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
  for (auto [i, argument] :
       llvm::enumerate(program.kernel.getBlock().getArguments().take_front(
           program.kernel.getNumBuffers())))
    program.buffers[argument] = loadArgument(b, entry.getArgument(0), pointer, i);
  for (auto [i, argument] : llvm::enumerate(program.kernel.getSymbolArguments())) {
    Value value = loadArgument(b, entry.getArgument(1), b.getI64Type(), i);
    program.scalars.map(
        argument, arith::IndexCastOp::create(b, b.getIndexType(), value).getResult());
  }
  program.scratch = entry.getArgument(4);
}

LLVM::LLVMFuncOp TileLowering::run() {
  b.setInsertionPoint(program.kernel);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type i64 = b.getI64Type();
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                          {pointer, pointer, i64, i64, pointer});
  auto function = LLVM::LLVMFuncOp::create(b, program.kernel.getSymName(), type);
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  bindArguments(*entry);
  Value begin = arith::IndexCastOp::create(b, b.getIndexType(), entry->getArgument(2));
  Value end = arith::IndexCastOp::create(b, b.getIndexType(), entry->getArgument(3));
  auto loop = scf::ForOp::create(b, begin, end, program.index(1));
  LLVM::ReturnOp::create(b, ValueRange());
  b.setInsertionPointToStart(loop.getBody());
  program.scalars.map(program.kernel.getTask(), loop.getInductionVar());
  lowerBlock(program.kernel.getBlock());
  if (mma.usesTiles() && scaled.usesTiles())
    program.fail(program.kernel, "integers and bf16 on tile registers in one kernel");
  if (!program.failed) {
    scaled.finish(function);
    mma.finish(function);
    return function;
  }
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
    if (program.failed)
      return;
  }
}

void TileLowering::lowerFor(scf::ForOp op) {
  auto loop = scf::ForOp::create(
      b, program.scalar(op.getLowerBound()), program.scalar(op.getUpperBound()),
      program.scalar(op.getStep()), program.flatten(op.getInitArgs()));
  program.scalars.map(op.getInductionVar(), loop.getInductionVar());
  program.bind(op.getRegionIterArgs(), loop.getRegionIterArgs());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  lowerBlock(*op.getBody());
  if (program.failed)
    return;
  if (loop.getNumResults() > 0)
    scf::YieldOp::create(b,
                         program.flatten(op.getBody()->getTerminator()->getOperands()));
  program.bind(op.getResults(), loop.getResults());
}

static SmallVector<Type> loweredTypes(TypeRange types) {
  SmallVector<Type> lowered;
  for (Type type : types) {
    auto frag = dyn_cast<tile::FragType>(type);
    if (!frag)
      lowered.push_back(type);
    else
      lowered.append(frag.getRows(),
                     VectorType::get(frag.getColumns(), frag.getElementType()));
  }
  return lowered;
}

void TileLowering::lowerIf(scf::IfOp op) {
  auto branch =
      scf::IfOp::create(b, loweredTypes(op.getResultTypes()),
                        program.scalar(op.getCondition()), !op.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(b);
  for (auto [from, to] : llvm::zip(op->getRegions(), branch->getRegions())) {
    if (from.empty())
      continue;
    b.setInsertionPointToStart(&to.front());
    lowerBlock(from.front());
    if (program.failed)
      return;
    if (op.getNumResults() > 0)
      scf::YieldOp::create(b,
                           program.flatten(from.front().getTerminator()->getOperands()));
  }
  program.bind(op.getResults(), branch.getResults());
}

void TileLowering::lowerSwitch(scf::IndexSwitchOp op) {
  auto branch = scf::IndexSwitchOp::create(b, loweredTypes(op.getResultTypes()),
                                           program.scalar(op.getArg()), op.getCases(),
                                           op.getNumCases());
  OpBuilder::InsertionGuard guard(b);
  for (auto [from, to] : llvm::zip(op->getRegions(), branch->getRegions())) {
    b.setInsertionPointToStart(&to.emplaceBlock());
    lowerBlock(from.front());
    if (program.failed)
      return;
    scf::YieldOp::create(b, program.flatten(from.front().getTerminator()->getOperands()));
  }
  program.bind(op.getResults(), branch.getResults());
}

void TileLowering::lowerPipeline(tile::PipelineOp op) {
  auto loop =
      scf::ForOp::create(b, program.scalar(op.getLower()), program.scalar(op.getUpper()),
                         program.scalar(op.getStep()), program.flatten(op.getInits()));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Block &load = op.getLoad().front(), &compute = op.getCompute().front();
  program.scalars.map(load.getArgument(0), loop.getInductionVar());
  program.scalars.map(compute.getArgument(0), loop.getInductionVar());
  lowerBlock(load);
  if (program.failed)
    return;
  ValueRange tiles = load.getTerminator()->getOperands();
  auto arguments = compute.getArguments().drop_front();
  for (auto [tile, argument] : llvm::zip(tiles, arguments)) {
    // Copies first: inserting the new entry may move the old one.
    LoweredStaged value = program.staged.find(tile)->second;
    program.staged[argument] = std::move(value);
  }
  program.bind(arguments.drop_front(tiles.size()), loop.getRegionIterArgs());
  lowerBlock(compute);
  if (program.failed)
    return;
  if (loop.getNumResults() > 0)
    scf::YieldOp::create(b, program.flatten(compute.getTerminator()->getOperands()));
  program.bind(op.getResults(), loop.getResults());
}

void TileLowering::lowerApply(Operation *op) {
  auto apply = cast<affine::AffineApplyOp>(op);
  AffineMap map = apply.getAffineMap();
  program.scalars.map(apply.getResult(),
                      expandAffine(b, map.getResult(0),
                                   program.scalarsOf(apply.getOperands()),
                                   map.getNumDims()));
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

bool TileLowering::lowerControl(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](scf::ForOp op) { return lowerFor(op), true; })
      .Case([&](scf::IfOp op) { return lowerIf(op), true; })
      .Case([&](scf::IndexSwitchOp op) { return lowerSwitch(op), true; })
      .Case([&](affine::AffineApplyOp op) { return lowerApply(op), true; })
      .Case([&](tile::PipelineOp op) { return lowerPipeline(op), true; })
      .Default([](Operation *) { return false; });
}

void TileLowering::lower(Operation *op) {
  if (lowerControl(op) || memory.lower(op) || mma.lower(op) || scaled.lower(op) ||
      fragments.lower(op))
    return;
  if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
    b.clone(*op, program.scalars);
  else
    program.fail(op, "an op that has no meaning on the host");
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
  using LowerTilePassBase::LowerTilePassBase;
  LogicalResult initialize(MLIRContext *context) override {
    return checkHostFeatures(*this, features, context);
  }
  void runOnOperation() override;

private:
  DotProducts products() {
    auto has = [&](StringRef name) { return llvm::is_contained(features, name); };
    return {has("avx512bw") ? 64 : 32,
            has("avxvnni") || (has("avx512vnni") && has("avx512vl")),
            has("amx-int8") && has("avx512bw"), has("avx512bf16") && has("avx512vl"),
            has("amx-bf16") && has("avx512bw")};
  }
};
} // namespace

/// Kernels for a GPU are in a module with its name.
static bool isForGpu(tile::KernelOp kernel) {
  auto name = kernel->getParentOfType<ModuleOp>().getSymName();
  return name && isGpuTarget(*name);
}

void LowerTilePass::runOnOperation() {
  SmallVector<tile::KernelOp> kernels;
  getOperation().walk([&](tile::KernelOp kernel) {
    if (!isForGpu(kernel))
      kernels.push_back(kernel);
  });
  if (kernels.empty())
    warnOfNothing(*this, getOperation(), "tile.kernel for a host");
  DotProducts isa = products();
  for (tile::KernelOp kernel : kernels) {
    if (!TileLowering(kernel, isa).run())
      return signalPassFailure();
    kernel.erase();
  }
}
