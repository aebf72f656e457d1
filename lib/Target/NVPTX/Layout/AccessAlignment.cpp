//===- AccessAlignment.cpp - Alignment of memory accesses -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessAlignment.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

static constexpr int kMaxLog2 = 30;
static constexpr int64_t kMaxDivisor = int64_t(1) << kMaxLog2;

static int64_t divisorOf(int64_t value) {
  return int64_t(1) << std::min(llvm::countr_zero(uint64_t(value)), kMaxLog2);
}

int64_t nvptx::knownDivisor(Value value) {
  if (std::optional<int64_t> fixed = getConstantIntValue(value))
    return divisorOf(*fixed);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent);
        loop && argument == loop.getInductionVar())
      return std::min(knownDivisor(loop.getLowerBound()), knownDivisor(loop.getStep()));
    if (auto loop = dyn_cast<tile::PipelineOp>(parent);
        loop && argument.getArgNumber() == 0)
      return std::min(knownDivisor(loop.getLower()), knownDivisor(loop.getStep()));
    return 1;
  }
  Operation *op = value.getDefiningOp();
  auto least = [&](unsigned first) {
    return std::min(knownDivisor(op->getOperand(first)),
                    knownDivisor(op->getOperand(first + 1)));
  };
  if (isa<arith::MulIOp>(op))
    return std::min(knownDivisor(op->getOperand(0)) * knownDivisor(op->getOperand(1)),
                    kMaxDivisor);
  if (isa<arith::AddIOp, arith::SubIOp, arith::RemUIOp, arith::MinSIOp, arith::MaxSIOp,
          arith::MinUIOp, arith::MaxUIOp>(op))
    return least(0);
  if (isa<arith::SelectOp>(op))
    return least(1);
  return isa<arith::IndexCastOp>(op) ? knownDivisor(op->getOperand(0)) : 1;
}

int64_t nvptx::knownDivisor(OpFoldResult value) {
  if (auto fixed = getConstantIntValue(value))
    return divisorOf(*fixed);
  return knownDivisor(cast<Value>(value));
}

int64_t nvptx::accessDivisor(Value view, ValueRange indices, unsigned rank) {
  auto op = view.getDefiningOp<tile::ViewOp>();
  int64_t divisor = knownDivisor(op.getOffset());
  SmallVector<OpFoldResult> strides = op.getMixedStrides();
  for (auto [position, stride] : llvm::zip(indices, strides))
    divisor =
        std::min(divisor, std::min(knownDivisor(Value(position)) * knownDivisor(stride),
                                   kMaxDivisor));
  if (rank == 2) // row r begins at r * stride
    divisor = std::min(divisor, knownDivisor(strides[strides.size() - 2]));
  return divisor;
}

std::optional<Access> nvptx::accessOf(Operation *op) {
  if (auto load = dyn_cast<tile::LoadOp>(op))
    return Access{load.getView(), load.getIndices(),
                  dyn_cast<tile::FragType>(load.getType()), load.getMasked()};
  if (auto store = dyn_cast<tile::StoreOp>(op))
    return Access{store.getView(), store.getIndices(),
                  dyn_cast<tile::FragType>(store.getValue().getType()),
                  store.getMasked()};
  return std::nullopt;
}

bool Access::hasNeighbours() const {
  auto viewType = cast<tile::ViewType>(view.getType());
  return type && type.getColumns() > 1 && viewType.getStrides().back() == 1;
}

static bool isScratchAccess(Value view) {
  return view.getDefiningOp<tile::ViewOp>().getBuffer().getDefiningOp<tile::ScratchOp>();
}

std::optional<int64_t> nvptx::chooseRun(tile::KernelOp kernel, const GpuInfo &gpu,
                                        ArrayRef<int64_t> ranks) {
  std::optional<int64_t> run;
  kernel->walk([&](Operation *op) {
    std::optional<Access> access = accessOf(op);
    if (!access || !access->hasNeighbours() || isScratchAccess(access->view) ||
        !llvm::is_contained(ranks, access->type.getRank()))
      return;
    int64_t bytes = tile::elementBytes(access->type.getElementType());
    run =
        std::min({run.value_or(gpu.accessBytes), gpu.accessBytes / bytes,
                  accessDivisor(access->view, access->indices, access->type.getRank())});
  });
  return run;
}
