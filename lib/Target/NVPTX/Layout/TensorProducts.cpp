//===- TensorProducts.cpp - MMAs that use mma.sync ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorProducts.h"
#include "StagedLayout.h"
#include "dialects/Types/FloatFormat.h"
#include "llvm/Support/MathExtras.h"

#include <tuple>

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// M and N of the instruction's shape.
static constexpr int64_t kTileRows = 16, kTileColumns = 8;

/// K indices in 16 bytes, a row of an 8x8 matrix; an instruction's K is twice that.
static int64_t matrixSteps(Type element) {
  return StagedLayout::kChunkBytes / tile::elementBytes(element);
}

/// Returns the op that stages an operand; it is in the load region of the pipeline if the
/// operand is an argument of the compute region. Null if kiln-pipeline-copies has taken
/// its place.
static tile::StageOp mmaStageOf(Value operand) {
  if (Operation *op = operand.getDefiningOp())
    return dyn_cast<tile::StageOp>(op);
  auto argument = cast<BlockArgument>(operand);
  auto pipeline = cast<tile::PipelineOp>(argument.getOwner()->getParentOp());
  Operation *yield = pipeline.getLoad().front().getTerminator();
  return yield->getOperand(argument.getArgNumber() - 1).getDefiningOp<tile::StageOp>();
}

static bool isInTeamLoop(Operation *op) {
  for (; op; op = op->getParentOp())
    if (op->hasAttr(tile::kTeamAttr))
      return true;
  return false;
}

static SmallVector<tile::StageOp> stagesOf(tile::MmaOp op) {
  SmallVector<tile::StageOp> stages;
  for (Value operand : {op.getLhs(), op.getRhs()})
    if (isa<tile::StagedType>(operand.getType()))
      stages.push_back(mmaStageOf(operand));
  return stages;
}

static bool isLeftInRegisters(tile::MmaOp op) {
  return isa<tile::FragType>(op.getLhs().getType());
}

static bool isRightInRegisters(tile::MmaOp op) {
  return isa<tile::FragType>(op.getRhs().getType());
}

static bool isInScratch(tile::StageOp op) {
  auto view = op.getView().getDefiningOp<tile::ViewOp>();
  return view.getBuffer().getDefiningOp<tile::ScratchOp>() != nullptr;
}

static bool fitsTensorCores(tile::MmaOp op, const GpuInfo &gpu) {
  Type left = op.getLhsElement(), right = op.getRhsElement();
  bool isHalf = left.isF16() || left.isBF16();
  bool isInRegisters = isLeftInRegisters(op) || isRightInRegisters(op);
  bool isWidened = op.getTf32() && isFloat8(right);
  if (op.getLhsScales() || !gpu.hasMmaSync || !(left == right || isWidened) ||
      !op.getType().getElementType().isF32() ||
      !(isHalf || (op.getTf32() && !isInRegisters)))
    return false;
  int64_t depth = op.getLhsShape()[1];
  if (op.getType().getRows() < kTileRows || op.getType().getColumns() < kTileColumns ||
      depth < 2 * matrixSteps(left) || !llvm::isPowerOf2_64(depth))
    return false;
  return !isInTeamLoop(op) && llvm::none_of(stagesOf(op), [](tile::StageOp stage) {
    return !stage || isInScratch(stage);
  });
}

namespace {
/// Warps along the rows and the columns of an accumulator.
struct WarpGrid {
  int64_t rows, columns;
};
} // namespace

/// Selects the grid with the fewest tiles per warp, then the fewest bytes of operands
/// read from shared memory, for `panels` adjacent accumulators.
static WarpGrid chooseWarpGrid(int64_t rows, int64_t columns, int64_t panels,
                               int64_t warps, bool rowsStayInWarps) {
  WarpGrid best{warps, 1};
  auto cost = [&](WarpGrid grid) {
    int64_t tiles = std::max<int64_t>(rows / kTileRows / grid.rows, 1) *
                    std::max<int64_t>(columns / kTileColumns / grid.columns, 1);
    int64_t reads = grid.columns * rows + grid.rows * columns * panels;
    return std::tuple(tiles, reads);
  };
  for (int64_t across = 2; across <= warps && !rowsStayInWarps; across *= 2)
    if (WarpGrid grid{warps / across, across}; cost(grid) < cost(best))
      best = grid;
  return best;
}

/// Drops MMAs in conflict with others: a shape has one layout, a staged tile has one
/// layout, and an operand A in registers must be the accumulator of a chosen MMA.
static void dropClashes(ArrayRef<tile::MmaOp> all, DenseSet<Operation *> &chosen) {
  auto clash = [&](tile::MmaOp a, tile::MmaOp b) {
    SmallVector<tile::StageOp> others = stagesOf(b);
    return a.getType().getShape() == b.getType().getShape() ||
           llvm::any_of(stagesOf(a), [&](tile::StageOp stage) {
             return llvm::is_contained(others, stage);
           });
  };
  auto keeps = [&](tile::MmaOp op) {
    bool hasLeft = !isLeftInRegisters(op);
    for (tile::MmaOp other : all) {
      if (!chosen.contains(other) && clash(op, other))
        return false;
      hasLeft |= chosen.contains(other) && other.getType().getShape() == op.getLhsShape();
    }
    return hasLeft;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (tile::MmaOp op : all)
      if (chosen.contains(op) && !keeps(op))
        changed = chosen.erase(op);
  }
}

TensorProducts::TensorProducts(tile::KernelOp kernel, const GpuInfo &gpu) {
  SmallVector<tile::MmaOp> all;
  SmallVector<ArrayRef<int64_t>> byRows; // shapes whose rows stay in one warp
  kernel->walk([&](tile::MmaOp op) {
    all.push_back(op);
    if (fitsTensorCores(op, gpu))
      mmas.insert(op);
    if (isLeftInRegisters(op))
      byRows.append({op.getLhsShape(), op.getType().getShape()});
  });
  dropClashes(all, mmas);
  kernel->walk(
      [&](tile::ReduceOp op) { byRows.push_back(op.getInput().getType().getShape()); });
  for (tile::MmaOp op : all) {
    if (!mmas.contains(op))
      continue;
    for (tile::StageOp stage : stagesOf(op))
      stages[stage] = !isLeftInRegisters(op) && stage == mmaStageOf(op.getLhs());
    int64_t panels = llvm::count_if(
        all, [&](tile::MmaOp other) { return other.getLhs() == op.getLhs(); });
    int64_t rows = op.getType().getRows(), columns = op.getType().getColumns();
    WarpGrid grid =
        chooseWarpGrid(rows, columns, panels, *kernel.getThreads() / gpu.warpThreads,
                       llvm::is_contained(byRows, op.getType().getShape()));
    auto [accumulator, isNew] = accumulators.insert(
        {{rows, columns},
         Layout::mmaAccumulator(rows, columns, grid.rows, grid.columns)});
    int64_t k = op.getRhsShape()[0];
    if (isRightInRegisters(op))
      rights.insert({{k, columns}, Layout::mmaRight(k, accumulator->second)});
  }
}
