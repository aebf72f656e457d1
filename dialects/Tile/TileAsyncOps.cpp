//===- TileAsyncOps.cpp - Buffers, barriers, asynchronous copies and MMA --===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Tile/Tile.h"
#include "dialects/Types/FloatFormat.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace kiln::tile;

int64_t MemType::getStageBits() const {
  return getRows() * getColumns() * getElementType().getIntOrFloatBitWidth();
}
int64_t MemType::getLines() const {
  return getLayout().getContiguous() == 1 ? getRows() : getColumns();
}
int64_t MemType::getLineElements() const {
  return getLayout().getContiguous() == 1 ? getColumns() : getRows();
}

LogicalResult CreateBarriersOp::verify() {
  if (getArrivals() < 1)
    return emitOpError("(C1) expects at least one arrival");
  return success();
}

/// Blocks per cluster of the kernel around an op; 1 without clusters.
static int64_t clusterOf(Operation *op) {
  auto kernel = op->getParentOfType<KernelOp>();
  return kernel ? int64_t(kernel.getCluster().value_or(1)) : 1;
}

LogicalResult ArriveBarrierOp::verify() {
  if (getCluster() && clusterOf(*this) < 2)
    return emitOpError("(C1) expects a kernel whose blocks run in clusters");
  return success();
}

LogicalResult SyncClusterOp::verify() {
  if (clusterOf(*this) < 2)
    return emitOpError("(C1) expects a kernel whose blocks run in clusters");
  return success();
}

/// An order exists only between several warpgroups that run the same consumer code.
static LogicalResult verifyOrder(Operation *op) {
  constexpr int64_t kGroupThreads = 128;
  auto kernel = op->getParentOfType<KernelOp>();
  auto specialize = op->getParentOfType<WarpSpecializeOp>();
  if (!kernel || !specialize ||
      !specialize.getConsumer().isAncestor(op->getParentRegion()) ||
      int64_t(kernel.getThreads().value_or(1)) < 2 * kGroupThreads)
    return op->emitOpError("(C1) expects to be run by two consumer warpgroups or more");
  return success();
}

LogicalResult WaitOrderOp::verify() { return verifyOrder(*this); }

LogicalResult ArriveOrderOp::verify() { return verifyOrder(*this); }

LogicalResult ExpectBytesOp::verify() {
  if (getBytes() < 1)
    return emitOpError("(C1) expects at least one byte");
  return success();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static LogicalResult verifyBox(Operation *op, ViewType view, ValueRange indices,
                               ArrayRef<int64_t> box) {
  size_t rank = view.getRank();
  if (rank < 2 || indices.size() != rank || box.size() != rank)
    return op->emitOpError() << "(C1) expects one index and one extent per dim of "
                             << view << ", found " << indices.size() << " and "
                             << box.size();
  if (llvm::any_of(box, [](int64_t extent) { return extent < 1; }))
    return op->emitOpError("(C1) expects a box of positive extents");
  return success();
}

int64_t AsyncCopyOp::getBoxBytes() {
  int64_t bytes = elementBytes(getView().getType().getElementType());
  for (int64_t extent : getBox())
    bytes *= extent;
  return bytes;
}

SmallVector<int64_t> AsyncCopyOp::getPartBox() {
  SmallVector<int64_t> box(getBox());
  if (auto dim = getMulticast())
    box[*dim] /= clusterOf(*this);
  return box;
}

static LogicalResult verifyMulticast(AsyncCopyOp op, int64_t dim) {
  ArrayRef<int64_t> box = op.getBox();
  int64_t rank = box.size(), cluster = clusterOf(op);
  int64_t contiguous = rank - 2 + op.getBuffer().getType().getLayout().getContiguous();
  if (cluster < 2 || dim < 0 || dim >= rank || dim == contiguous || box[dim] % cluster ||
      llvm::any_of(
          box.take_front(std::min(dim, rank - 2)),
          [](int64_t extent) { return extent > 1; }))
    return op.emitOpError() << "(C5) expects a dim to multicast that a cluster of "
                            << cluster << " divides, found " << dim;
  return success();
}

LogicalResult AsyncCopyOp::verify() {
  MemType buffer = getBuffer().getType();
  if (failed(verifyBox(*this, getView().getType(), getIndices(), getBox())))
    return failure();
  if (getView().getType().getElementType() != buffer.getElementType())
    return emitOpError("(C2) expects equal element types");
  ArrayRef<int64_t> box = getBox(), place = getPlace();
  int64_t columns = box.back();
  for (int64_t extent : box.drop_back(2))
    columns *= extent;
  if (place.size() != 2 || place[0] < 0 || place[1] < 0 ||
      place[0] + box[box.size() - 2] > buffer.getRows() ||
      place[1] + columns > buffer.getColumns())
    return emitOpError() << "(C3) expects a box within the tile of " << buffer;
  if (getBarrier().getType().getCount() != buffer.getStages())
    return emitOpError() << "(C4) expects " << buffer.getStages() << " barriers, found "
                         << getBarrier().getType().getCount();
  return getMulticast() ? verifyMulticast(*this, *getMulticast()) : success();
}

LogicalResult IssueCopyOp::verify() {
  ViewType view = getView().getType();
  if (view.getRank() < 2 || int64_t(getIndices().size()) != view.getRank())
    return emitOpError() << "(C1) expects one index per dim of " << view << ", found "
                         << getIndices().size();
  Type stored = view.getElementType(), element = getBuffer().getType().getElementType();
  if (stored != element && !(stored.isInteger(8) && kiln::isFloat8(element)))
    return emitOpError("(C2) expects equal element types");
  if (!getBuffer().getType().getLayout().getStaged())
    return emitOpError() << "(C3) expects a buffer in the layout of a staged tile, found "
                         << getBuffer().getType();
  ArrayRef<int64_t> masked = getMasked();
  if (!llvm::is_sorted(masked, std::less_equal<int64_t>()) ||
      llvm::any_of(masked, [](int64_t dim) { return dim < 0 || dim > 1; }))
    return emitOpError("(C4) expects dims of the tile, increasing");
  return success();
}

LogicalResult WaitCopiesOp::verify() {
  if (int64_t(getInFlight()) < 0)
    return emitOpError("(C1) expects no negative number of groups in flight");
  return success();
}

LogicalResult BufferStageOp::verify() {
  MemType buffer = getBuffer().getType();
  StagedType tile = getType();
  if (tile.getShape() != buffer.getShape().drop_front() ||
      tile.getElementType() != buffer.getElementType() ||
      tile.getLayout() != buffer.getLayout().getStaged())
    return emitOpError() << "(C1) expects a tile of " << buffer << ", found " << tile;
  return success();
}

LogicalResult PrefetchBoxOp::verify() {
  return verifyBox(*this, getView().getType(), getIndices(), getBox());
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

LogicalResult WriteBufferOp::verify() {
  FragType value = getValue().getType();
  MemType buffer = getBuffer().getType();
  if (value.getElementType() != buffer.getElementType() ||
      value.getElementType().getIntOrFloatBitWidth() != 16)
    return emitOpError("(C1) expects equal element types of 16 bits");
  ArrayRef<int64_t> place = getPlace();
  if (value.getRank() != 2 || place.size() != 2 || place[0] < 0 || place[1] < 0 ||
      place[0] + value.getRows() > buffer.getRows() ||
      place[1] + value.getColumns() > buffer.getColumns())
    return emitOpError() << "(C2) expects a fragment within the tile of " << buffer;
  return success();
}

LogicalResult AsyncStoreOp::verify() {
  ViewType view = getView().getType();
  MemType buffer = getBuffer().getType();
  size_t rank = view.getRank();
  if (rank < 2 || getIndices().size() != rank)
    return emitOpError() << "(C1) expects one index per dim of " << view << ", found "
                         << getIndices().size();
  if (view.getElementType() != buffer.getElementType())
    return emitOpError("(C2) expects equal element types");
  if (view.getStrides().back() != 1 || buffer.getLayout().getContiguous() != 1)
    return emitOpError("(C3) expects contiguous rows in buffer and view");
  return success();
}

LogicalResult WaitStoresOp::verify() {
  if (static_cast<int64_t>(getInFlight()) < 0)
    return emitOpError("(C1) expects a number of stores that is not negative");
  return success();
}

//===----------------------------------------------------------------------===//
// MMA
//===----------------------------------------------------------------------===//

namespace {
struct Shape {
  ArrayRef<int64_t> extents;
  Type element;
  bool operator==(const Shape &) const = default;
};
} // namespace

static Shape shapeOf(Type type) {
  if (auto frag = dyn_cast<FragType>(type))
    return {frag.getShape(), frag.getElementType()};
  auto pending = cast<PendingType>(type);
  return {pending.getShape(), pending.getElementType()};
}

static bool haveSameShapes(TypeRange a, TypeRange b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           return shapeOf(std::get<0>(pair)) == shapeOf(std::get<1>(pair));
         });
}

LogicalResult IssueMmaOp::verify() {
  bool isBuffer = isa<MemType>(getLhs().getType());
  if (isBuffer != bool(getLhsStage()))
    return emitOpError("(C2) expects a stage for a buffer, and none for registers");
  ArrayRef<int64_t> lhs = isBuffer
                              ? cast<MemType>(getLhs().getType()).getShape().drop_front()
                              : cast<OperandType>(getLhs().getType()).getShape();
  MemType rhs = getRhs().getType();
  int64_t columns = 0;
  bool sameRows = lhs.size() == 2;
  for (Type type : getAccumulators().getTypes()) {
    ArrayRef<int64_t> extents = shapeOf(type).extents;
    sameRows &= extents.size() == 2 && extents[0] == lhs[0];
    columns += extents.back();
  }
  if (!sameRows || lhs[1] != rhs.getRows() || columns != rhs.getColumns())
    return emitOpError()
           << "(C1) expects MxK, KxN and accumulators of MxN together, found "
           << getLhs().getType() << ", " << rhs << " and "
           << getAccumulators().getTypes();
  if (!haveSameShapes(getAccumulators().getTypes(), getResultTypes()))
    return emitOpError("(C3) expects results like the accumulators");
  return success();
}

LogicalResult WaitMmaOp::verify() {
  if (!haveSameShapes(getValues().getTypes(), getResultTypes()))
    return emitOpError("(C1) expects results like the values");
  if (static_cast<int64_t>(getInFlight()) < 0)
    return emitOpError("(C2) expects a number of groups that is not negative");
  return success();
}

LogicalResult PackOperandOp::verify() {
  FragType from = getValue().getType();
  OperandType to = getType();
  if (from.getShape() != to.getShape() || from.getElementType() != to.getElementType())
    return emitOpError("(C1) expects a result like the fragment");
  return success();
}

LogicalResult PendingOp::verify() {
  if (!(shapeOf(getValue().getType()) == shapeOf(getType())))
    return emitOpError("(C1) expects a result like the fragment");
  return success();
}

LogicalResult WarpSpecializeOp::verify() {
  auto isCount = [](int64_t count) {
    return count >= 24 && count <= 256 && count % 8 == 0;
  };
  int64_t producer = getProducerRegisters(), consumer = getConsumerRegisters();
  if ((producer || consumer) && !(isCount(producer) && isCount(consumer)))
    return emitOpError()
           << "(C1) expects multiples of 8 registers from 24 to 256, or 0, found "
           << producer << " and " << consumer;
  return success();
}
