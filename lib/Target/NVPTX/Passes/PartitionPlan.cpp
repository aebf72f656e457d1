//===- PartitionPlan.cpp - Copies of specialized kernels ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartitionPlan.h"
#include "lib/Target/NVPTX/Layout/TensorMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// Bytes of the longest and of the shortest swizzled line, and of an element.
static constexpr int64_t kMaxLineBytes = 128, kMinLineBytes = 32, kOperandBytes = 2;
/// Threads and rows of a warpgroup; maximum N and K of one wgmma.
static constexpr int64_t kGroupThreads = 128, kGroupRows = 64, kMaxColumns = 256,
                         kStepDepth = 16;
/// Period of the swizzle pattern in lines.
static constexpr int64_t kSwizzleLines = 8;
/// Maximum extent of a TMA box in elements.
static constexpr int64_t kMaxBox = 256;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Returns the dim along which tile i begins i * `apart` after the first, if no other
/// index differs.
static std::optional<unsigned> adjacentDim(ArrayRef<tile::StageOp> tiles, int64_t apart) {
  std::optional<unsigned> moving;
  for (auto [i, tile] : llvm::enumerate(tiles)) {
    tile::StageOp stage = tile, first = tiles.front();
    for (unsigned dim = 0; dim < stage.getIndices().size(); ++dim) {
      auto difference = knownDifference(first.getIndices()[dim], stage.getIndices()[dim]);
      if (difference == 0)
        continue;
      if (difference != int64_t(i) * apart || moving.value_or(dim) != dim)
        return std::nullopt;
      moving = dim;
    }
  }
  return moving;
}

namespace {
/// Plans the copies of one operand.
class OperandPlanner {
public:
  OperandPlanner(tile::KernelOp kernel, ArrayRef<tile::StageOp> tiles, unsigned depthDim)
      : kernel(kernel), tiles(tiles), depthDim(depthDim), ownDim(1 - depthDim),
        rank(first().getIndices().size()), extents(first().getType().getShape()) {}

  /// Plans the operand's TMA copies. The type is null if TMA cannot load it; `why` has
  /// the reason.
  StagedOperand plan(int64_t stages);
  StringRef why;

private:
  tile::StageOp first() const { return tiles.front(); }
  unsigned viewDim(unsigned tileDim) const { return rank - 2 + tileDim; }
  void planLinesAlongDepth();
  void planLinesAcross();
  void addCopy(tile::StageOp stage, std::pair<int64_t, int64_t> depth,
               std::pair<int64_t, int64_t> own, int64_t place);
  bool isDescribable() const;

  tile::KernelOp kernel;
  ArrayRef<tile::StageOp> tiles;
  unsigned depthDim, ownDim, rank;
  ArrayRef<int64_t> extents;
  int64_t span = 0;    ///< bytes of a swizzled line
  int64_t columns = 0; ///< of all tiles along M or N
  StagedOperand result;
};
} // namespace

/// Adds a TMA copy. `depth` and `own` are begin and length of the box along K and along M
/// or N; `place` is its row or column in the buffer.
void OperandPlanner::addCopy(tile::StageOp stage, std::pair<int64_t, int64_t> depth,
                             std::pair<int64_t, int64_t> own, int64_t place) {
  BoxCopy copy;
  copy.stage = stage;
  copy.at.assign(rank, 0);
  copy.box.assign(rank, 1);
  copy.at[viewDim(depthDim)] = depth.first;
  copy.box[viewDim(depthDim)] = depth.second;
  copy.at[viewDim(ownDim)] = own.first;
  copy.box[viewDim(ownDim)] = own.second;
  copy.place[depthDim] = depth.first;
  copy.place[ownDim] = place;
  result.copies.push_back(std::move(copy));
}

/// Plans a K-major operand: rows of A or columns of B, each in segments of a swizzled
/// line.
void OperandPlanner::planLinesAlongDepth() {
  int64_t lines = extents[ownDim], depth = extents[depthDim], count = tiles.size();
  span = std::min(depth * kOperandBytes, kMaxLineBytes);
  columns = lines * count;
  bool together =
      count > 1 && columns <= kMaxBox && adjacentDim(tiles, lines) == viewDim(ownDim);
  int64_t piece = span / kOperandBytes;
  for (auto [i, stage] : llvm::enumerate(tiles.take_front(together ? 1 : count)))
    for (int64_t begin = 0; begin < depth; begin += piece)
      addCopy(stage, {begin, piece}, {0, together ? columns : lines}, int64_t(i) * lines);
}

/// Plans an MN-major operand: one line per K index, in segments of a swizzled line.
void OperandPlanner::planLinesAcross() {
  int64_t own = extents[ownDim], depth = extents[depthDim], count = tiles.size();
  span = std::min(own * kOperandBytes, kMaxLineBytes);
  columns = own * count;
  int64_t piece = span / kOperandBytes;
  std::optional<unsigned> dim =
      count > 1 && own == piece ? adjacentDim(tiles, 1) : std::nullopt;
  if (dim && *dim < rank - 2) {
    addCopy(first(), {0, depth}, {0, own}, 0);
    result.copies.back().box[*dim] = count;
    return;
  }
  for (auto [i, stage] : llvm::enumerate(tiles))
    for (int64_t begin = 0; begin < own; begin += piece)
      addCopy(stage, {0, depth}, {begin, piece}, int64_t(i) * own + begin);
}

bool OperandPlanner::isDescribable() const {
  auto view = first().getView().getDefiningOp<tile::ViewOp>();
  return llvm::all_of(result.copies, [&](const BoxCopy &copy) {
    return bool(describeTensor(kernel, view, copy.box, span));
  });
}

StagedOperand OperandPlanner::plan(int64_t stages) {
  auto view = first().getView().getDefiningOp<tile::ViewOp>();
  SmallVector<unsigned> order = mapOrder(view);
  if (order.empty()) {
    why = "an operand that is contiguous nowhere";
    return {};
  }
  unsigned contiguous = order[0] - (rank - 2);
  int64_t lineBytes = extents[contiguous] * kOperandBytes;
  if (lineBytes % kMaxLineBytes && lineBytes != kMinLineBytes &&
      lineBytes != 2 * kMinLineBytes) {
    why = "an operand whose lines are no swizzled lines";
    return {};
  }
  if (contiguous == depthDim)
    planLinesAlongDepth();
  else
    planLinesAcross();
  if (!isDescribable()) {
    why = "an operand that is no tensor a map can describe";
    return {};
  }
  int64_t shape[3] = {stages, 0, 0};
  shape[1 + depthDim] = extents[depthDim];
  shape[1 + ownDim] = columns;
  MLIRContext *context = kernel.getContext();
  result.type = tile::MemType::get(context, shape, first().getType().getElementType(),
                                   tile::MemLayoutAttr::get(context, contiguous, span),
                                   tile::MemorySpace::shared);
  return std::move(result);
}

//===----------------------------------------------------------------------===//
// MMAs
//===----------------------------------------------------------------------===//

LogicalResult PartitionPlan::findPipeline() {
  bool several = false;
  kernel->walk([&](tile::PipelineOp op) {
    several |= bool(pipeline);
    pipeline = op;
  });
  if (several)
    return refuse("a second pipeline");
  if (!pipeline || pipeline->getParentOp() != kernel)
    return refuse("no pipeline that every task runs once");
  stages = pipeline.getStages().value_or(2);
  if (stages < 2)
    return refuse("a pipeline of one stage");
  for (Value tile : pipeline.getLoad().front().getTerminator()->getOperands())
    if (!stageOf(tile))
      return refuse("a tile that is not staged from a view");
  return success();
}

/// Returns the op that stages an operand of the pipeline's MMAs; null if it is another
/// value.
tile::StageOp PartitionPlan::stageOf(Value operand) {
  Block &compute = pipeline.getCompute().front();
  if (auto argument = dyn_cast<BlockArgument>(operand)) {
    ValueRange yielded = pipeline.getLoad().front().getTerminator()->getOperands();
    if (argument.getOwner() != &compute || argument.getArgNumber() == 0 ||
        argument.getArgNumber() > yielded.size())
      return {};
    operand = yielded[argument.getArgNumber() - 1];
  }
  auto stage = operand.getDefiningOp<tile::StageOp>();
  return stage && stage.getView().getDefiningOp<tile::ViewOp>() ? stage : tile::StageOp();
}

FailureOr<unsigned> PartitionPlan::addOperand(ArrayRef<tile::StageOp> tiles,
                                              unsigned depthDim, unsigned channel) {
  OperandPlanner planner(kernel, tiles, depthDim);
  StagedOperand operand = planner.plan(channels[channel].stages);
  if (!operand.type)
    return refuse(planner.why);
  operand.channel = channel;
  channels[channel].bytes += operand.type.getStageBytes();
  operands.push_back(std::move(operand));
  return operands.size() - 1;
}

LogicalResult PartitionPlan::checkProduct(const Product &product) {
  tile::MmaOp first = product.mmas.front();
  Type element = first.getLhsElement();
  int64_t rows = first.getLhsShape()[0], depth = first.getLhsShape()[1], columns = 0;
  for (tile::MmaOp mma : product.mmas)
    columns += mma.getType().getColumns();
  if (!(element.isF16() || element.isBF16()) || first.getRhsElement() != element ||
      first.getLhsScales() || !first.getType().getElementType().isF32())
    return refuse("operands that are not tiles of two tensors of one 16-bit type");
  if (ShapedType::isDynamic(rows) || ShapedType::isDynamic(depth) ||
      rows != warpgroups * kGroupRows || columns > kMaxColumns || columns % 8 ||
      depth % kStepDepth)
    return refuse("tiles of extents that warpgroups do not multiply");
  return success();
}

/// Adds operand A: in the channel of operand B, loaded once per task, or in registers.
LogicalResult PartitionPlan::addLeft(Product &product, unsigned channel) {
  Value lhs = product.mmas.front().getLhs();
  if (isa<tile::FragType>(lhs.getType()))
    return success();
  tile::StageOp stage = stageOf(lhs);
  if (!stage)
    return refuse("a left operand that is not staged from a view");
  if (stage->getParentOp() == kernel) {
    channel = channels.size();
    channels.push_back({/*stages=*/1, /*bytes=*/0, /*isOfTask=*/true});
  }
  FailureOr<unsigned> operand = addOperand(stage, /*depthDim=*/1, channel);
  if (failed(operand))
    return failure();
  if (stage->getParentOp() == kernel)
    taskStages.push_back({stage, *operand});
  product.left = *operand;
  return success();
}

static bool followsInProduct(tile::MmaOp first, tile::MmaOp next, tile::StageOp a,
                             tile::StageOp b) {
  return next && b && next.getLhs() == first.getLhs() && a.getView() == b.getView() &&
         a.getType() == b.getType() && next.getType() == first.getType();
}

LogicalResult PartitionPlan::findProducts() {
  Block &compute = pipeline.getCompute().front();
  size_t nested = 0, used = 0;
  compute.walk([&](tile::MmaOp) { ++nested; });
  for (Operation *op = &compute.front(); op; op = op->getNextNode()) {
    auto first = dyn_cast<tile::MmaOp>(op);
    if (!first)
      continue;
    Product product;
    SmallVector<tile::StageOp> tiles{stageOf(first.getRhs())};
    product.mmas.push_back(first);
    if (!tiles.front())
      return refuse("a right operand that is not staged from a view");
    while (auto next = dyn_cast_or_null<tile::MmaOp>(op->getNextNode())) {
      tile::StageOp stage = stageOf(next.getRhs());
      if (!followsInProduct(first, next, tiles.front(), stage))
        break;
      product.mmas.push_back(next);
      tiles.push_back(stage);
      op = next;
    }
    if (failed(checkProduct(product)))
      return failure();
    unsigned channel = channels.size();
    channels.push_back({stages});
    if (failed(addLeft(product, channel)))
      return failure();
    FailureOr<unsigned> right = addOperand(tiles, /*depthDim=*/0, channel);
    if (failed(right))
      return failure();
    product.right = *right;
    used += product.mmas.size();
    products.push_back(std::move(product));
  }
  if (products.empty() || used != nested)
    return refuse("a product that not every step of the pipeline runs");
  return success();
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// Returns true if values are the same for all blocks of a cluster, which have
/// consecutive tasks: values may depend on the task divided by the number of blocks.
bool PartitionPlan::isSameInCluster(ValueRange values) {
  SmallVector<Value> open(values);
  DenseSet<Value> seen;
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (value == kernel.getTask())
      return false;
    Operation *op = value.getDefiningOp();
    if (!op || !seen.insert(value).second)
      continue;
    bool isCluster = isa<arith::DivUIOp, arith::DivSIOp>(op) &&
                     op->getOperand(0) == kernel.getTask() &&
                     getConstantIntValue(op->getOperand(1)) == kernel.getCluster();
    if (!isCluster)
      op->walk([&](Operation *inner) { llvm::append_range(open, inner->getOperands()); });
  }
  return true;
}

/// Returns the dim of a box that the blocks of a cluster divide: each block's part must
/// be entire blocks of swizzled lines that are contiguous in the buffer.
static std::optional<int64_t> dividedDim(const BoxCopy &copy, const tile::MemType &type,
                                         int64_t blocks) {
  int64_t rank = copy.box.size();
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    if (copy.box[dim] > 1)
      return copy.box[dim] % blocks == 0 ? std::optional(dim) : std::nullopt;
  int64_t lines = rank - 1 - type.getLayout().getContiguous();
  bool isWhole = copy.box[lines] % (blocks * kSwizzleLines) == 0;
  return isWhole ? std::optional(lines) : std::nullopt;
}

/// Marks operands of which all blocks of a cluster copy the same tiles as multicast: they
/// are read once per cluster. Fails if the number of tasks is not a multiple of the
/// cluster's blocks or blocks differ in their steps.
LogicalResult PartitionPlan::findMulticasts() {
  int64_t blocks = kernel.getCluster().value_or(1);
  if (blocks == 1)
    return success();
  if (!kernel.getGrid().getResult(0).isMultipleOf(blocks))
    return refuse("tasks that are no whole clusters");
  if (!isSameInCluster({pipeline.getLower(), pipeline.getUpper(), pipeline.getStep()}))
    return refuse("blocks of a cluster with different steps");
  for (StagedOperand &operand : operands) {
    bool all = llvm::all_of(operand.copies, [&](const BoxCopy &copy) {
      tile::StageOp stage = copy.stage;
      return isSameInCluster(stage.getIndices()) && isSameInCluster(stage.getView()) &&
             dividedDim(copy, operand.type, blocks);
    });
    if (!all)
      continue;
    for (BoxCopy &copy : operand.copies)
      copy.multicast = dividedDim(copy, operand.type, blocks);
    channels[operand.channel].isMulticast = true;
  }
  return success();
}

void PartitionPlan::readConfig() {
  if (auto config = dyn_cast<tile::WarpgroupGemmConfigAttr>(kernel.getConfigAttr())) {
    producerRegisters = config.getCopyRegisters();
    consumerRegisters = config.getComputeRegisters();
  } else {
    auto attention = cast<tile::WarpgroupAttentionConfigAttr>(kernel.getConfigAttr());
    producerRegisters = attention.getProducerRegisters();
    consumerRegisters = attention.getConsumerRegisters();
  }
}

LogicalResult PartitionPlan::make() {
  int64_t threads = kernel.getThreads().value_or(0);
  if (threads <= 0 || threads % kGroupThreads)
    return refuse("threads that are no warpgroups");
  warpgroups = threads / kGroupThreads;
  readConfig();
  if (failed(findPipeline()) || failed(findProducts()))
    return failure();
  return findMulticasts();
}
