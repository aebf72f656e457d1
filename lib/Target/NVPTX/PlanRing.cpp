//===- PlanRing.cpp - The pipeline of a kernel as a ring ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slot holds the left tile, then the right tiles of all products side by side, so
// that one wgmma per 16 steps of K multiplies them all.
//
//===----------------------------------------------------------------------===//

#include "Roles.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// Bytes of the longest swizzled line; what a slot begins at multiples of.
static constexpr int64_t kLineBytes = 128, kSlotAlignment = 1024;
static constexpr int64_t kGroupThreads = 128, kGroupRows = 64, kMostColumns = 256;
static constexpr int64_t kMostBox = 256, kStepDepth = 16;

namespace {
class Planner {
public:
  explicit Planner(tile::KernelOp kernel) : kernel(kernel) {}
  PlannedRing run();

private:
  bool refuse(StringRef reason) {
    why = reason;
    return false;
  }
  bool findPipeline();
  bool checkProducts();
  bool planOperand(ArrayRef<tile::StageOp> stages, unsigned depthDim,
                   RingOperand &operand);
  std::optional<unsigned> adjacentDim(ArrayRef<tile::StageOp> stages, int64_t apart);
  void planLines(ArrayRef<tile::StageOp> stages, unsigned depthDim, RingOperand &operand,
                 SmallVectorImpl<int64_t> &box);
  void planColumns(ArrayRef<tile::StageOp> stages, unsigned depthDim,
                   RingOperand &operand, SmallVectorImpl<int64_t> &box);

  tile::KernelOp kernel;
  Ring ring;
  SmallVector<tile::StageOp> stages; // the left operand's first
  StringRef why;
};
} // namespace

bool Planner::findPipeline() {
  kernel->walk([&](tile::PipelineOp op) {
    why = ring.pipeline ? "a second pipeline" : why;
    ring.pipeline = op;
  });
  if (!ring.pipeline || ring.pipeline->getParentOp() != kernel)
    return refuse("no pipeline that every task runs once");
  ring.stages = ring.pipeline.getStages().value_or(2);
  for (Value tile : ring.pipeline.getLoad().front().getTerminator()->getOperands()) {
    auto stage = tile.getDefiningOp<tile::StageOp>();
    if (!stage || !stage.getView().getDefiningOp<tile::ViewOp>())
      return refuse("a tile that is not staged from a view");
    stages.push_back(stage);
  }
  return why.empty();
}

/// One product per right tile, in order, each added to its own sums.
bool Planner::checkProducts() {
  Block &compute = ring.pipeline.getCompute().front();
  size_t count = stages.size() - 1, next = 0;
  if (stages.size() < 2 || compute.getNumArguments() != 1 + stages.size() + count)
    return refuse("more or fewer sums than right operands");
  for (Operation &op : compute.without_terminator()) {
    auto mma = dyn_cast<tile::MmaOp>(op);
    if (!mma || next == count || mma.getLhs() != compute.getArgument(1) ||
        mma.getRhs() != compute.getArgument(2 + next) ||
        mma.getAccumulator() != compute.getArgument(2 + count + next) ||
        compute.getTerminator()->getOperand(next) != mma.getResult())
      return refuse("a pipeline that does more than products of one left operand");
    ++next;
  }
  tile::StagedType left = stages[0].getType(), right = stages[1].getType();
  Type element = left.getElementType();
  int64_t rows = left.getShape()[0], depth = left.getShape()[1];
  ring.step = {int64_t(count) * right.getShape()[1],
               depth,
               element.isF16() ? "f16" : "bf16",
               {},
               {}};
  ring.groups = rows / kGroupRows;
  bool sameRight = llvm::all_of(ArrayRef(stages).drop_front(), [&](tile::StageOp stage) {
    return stage.getType() == right && stage.getView() == stages[1].getView();
  });
  if (next != count || !sameRight || right.getElementType() != element ||
      !(element.isF16() || element.isBF16()))
    return refuse("operands that are not tiles of two tensors of one 16-bit type");
  if (ring.groups * kGroupThreads != kernel.getThreads() || rows % kGroupRows ||
      depth * 2 != kLineBytes || ring.step.columns > kMostColumns ||
      ring.step.columns % 8 || depth % kStepDepth || ring.stages < 2)
    return refuse("tiles of extents that warpgroups do not multiply");
  return true;
}

/// The dim along which tile i is i * apart further than the first, all else equal.
std::optional<unsigned> Planner::adjacentDim(ArrayRef<tile::StageOp> tiles,
                                             int64_t apart) {
  std::optional<unsigned> moving;
  for (auto [i, tile] : llvm::enumerate(tiles)) {
    tile::StageOp stage = tile;
    for (unsigned dim = 0; dim < stage.getIndices().size(); ++dim) {
      auto difference =
          knownDifference(stages[1].getIndices()[dim], stage.getIndices()[dim]);
      if (difference == 0)
        continue;
      if (difference != int64_t(i) * apart || moving.value_or(dim) != dim)
        return std::nullopt;
      moving = dim;
    }
  }
  return moving;
}

/// Lines along K: rows or columns one after the other, whatever their tile.
void Planner::planLines(ArrayRef<tile::StageOp> tiles, unsigned depthDim,
                        RingOperand &operand, SmallVectorImpl<int64_t> &box) {
  tile::StageOp first = tiles.front();
  int64_t lines = first.getType().getShape()[1 - depthDim];
  unsigned rank = box.size();
  bool together = tiles.size() > 1 && lines * int64_t(tiles.size()) <= kMostBox &&
                  adjacentDim(tiles, lines) == rank - 1 - depthDim;
  box[0] = kLineBytes / 2;
  box[1] = together ? lines * tiles.size() : lines;
  operand.layout = {/*isMnMajor=*/false, kLineBytes, 0};
  operand.bytes = lines * tiles.size() * kLineBytes;
  for (auto [i, stage] : llvm::enumerate(tiles.take_front(together ? 1 : tiles.size())))
    operand.copies.push_back({stage, SmallVector<int64_t>(rank, 0),
                              operand.offset + int64_t(i) * lines * kLineBytes});
}

/// Lines along M or N, one per step of K; longer ones in pieces of a swizzled line.
void Planner::planColumns(ArrayRef<tile::StageOp> tiles, unsigned depthDim,
                          RingOperand &operand, SmallVectorImpl<int64_t> &box) {
  tile::StageOp first = tiles.front();
  int64_t columns = first.getType().getShape()[1 - depthDim];
  int64_t line = std::min(columns, kLineBytes / 2), depth = ring.step.depth;
  unsigned rank = box.size();
  std::optional<unsigned> dim =
      tiles.size() > 1 && columns == line ? adjacentDim(tiles, 1) : std::nullopt;
  bool together = dim && *dim < rank - 2;
  box[0] = line;
  box[1] = depth;
  if (together) // the map's dims beyond the tile's are the view's from right to left
    box[rank - 1 - *dim] = tiles.size();
  operand.layout = {/*isMnMajor=*/true, line * 2, depth * line * 2};
  operand.bytes = columns * tiles.size() * depth * 2;
  int64_t offset = operand.offset;
  for (tile::StageOp stage : tiles.take_front(together ? 1 : tiles.size()))
    for (int64_t begin = 0; begin < columns;
         begin += line, offset += operand.layout.leading) {
      SmallVector<int64_t> at(rank, 0);
      at[rank - 1 - depthDim] = begin;
      operand.copies.push_back({stage, at, offset});
    }
}

bool Planner::planOperand(ArrayRef<tile::StageOp> tiles, unsigned depthDim,
                          RingOperand &operand) {
  tile::StageOp first = tiles.front();
  auto view = first.getView().getDefiningOp<tile::ViewOp>();
  SmallVector<unsigned> order = mapOrder(view);
  if (order.empty())
    return refuse("an operand that is contiguous nowhere");
  unsigned rank = order.size();
  SmallVector<int64_t> box(rank, 1);
  bool alongDepth = order[0] == rank - 2 + depthDim;
  int64_t columns = first.getType().getShape()[1 - depthDim];
  if (!alongDepth && columns != 16 && columns != 32 && columns % 64)
    return refuse("an operand whose lines are no swizzled lines");
  if (alongDepth)
    planLines(tiles, depthDim, operand, box);
  else
    planColumns(tiles, depthDim, operand, box);
  operand.map = describeTensor(kernel, view, box, operand.layout.span);
  return operand.map ? true : refuse("an operand that is no tensor a map can describe");
}

PlannedRing Planner::run() {
  if (!findPipeline() || !checkProducts() ||
      !planOperand(ArrayRef(stages).take_front(1), /*depthDim=*/1, ring.left))
    return {std::nullopt, why};
  ring.right.offset = ring.left.bytes;
  if (!planOperand(ArrayRef(stages).drop_front(1), /*depthDim=*/0, ring.right))
    return {std::nullopt, why};
  ring.slotBytes = llvm::alignTo(ring.left.bytes + ring.right.bytes, kSlotAlignment);
  ring.step.left = ring.left.layout;
  ring.step.right = ring.right.layout;
  if (auto config =
          dyn_cast_or_null<tile::WarpgroupGemmConfigAttr>(kernel.getConfigAttr())) {
    ring.copyRegisters = config.getCopyRegisters();
    ring.computeRegisters = config.getComputeRegisters();
  }
  return {ring, why};
}

PlannedRing nvptx::planRing(tile::KernelOp kernel) { return Planner(kernel).run(); }
