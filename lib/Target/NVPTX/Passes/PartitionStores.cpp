//===- PartitionStores.cpp - Epilogue through shared memory, by TMA -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Consumers' stores of accumulators to a tensor that a TMA map can describe go through a
// buffer in shared memory: the TMA stores overlap with the next tile of the result and
// with the next task's MMAs, and clip at the tensor's edges. Other stores are made by the
// threads directly.
//
//===----------------------------------------------------------------------===//

#include "WarpPartition.h"
#include "lib/Target/NVPTX/Layout/TensorMap.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// Bytes of the shortest and of the longest swizzled line, and per element.
static constexpr int64_t kMinStoredLineBytes = 32, kMaxStoredLineBytes = 128,
                         kStoredElementBytes = 2;
static constexpr int64_t kStoredGroupRows = 64;

namespace {
/// Stores of adjacent tiles, which one TMA store of a stage replaces.
struct StoreGroup {
  SmallVector<tile::StoreOp> stores;

  int64_t columns() const {
    int64_t sum = 0;
    for (tile::StoreOp store : stores)
      sum += cast<tile::FragType>(tile::StoreOp(store).getValue().getType()).getColumns();
    return sum;
  }
};
} // namespace

/// Returns true for a store of 16-bit elements, of all rows of the consumers, to a view
/// with contiguous rows.
static bool isResultTile(tile::StoreOp op, int64_t rows) {
  auto frag = dyn_cast<tile::FragType>(op.getValue().getType());
  auto view = op.getView().getDefiningOp<tile::ViewOp>();
  return frag && view && frag.getRank() == 2 && frag.getRows() == rows &&
         frag.getElementType().getIntOrFloatBitWidth() == 8 * kStoredElementBytes &&
         frag.getColumns() * kStoredElementBytes % kMinStoredLineBytes == 0 &&
         isa<BlockArgument>(view.getBuffer()) && view.getType().getStrides().back() == 1;
}

/// Returns true if `next` stores the columns after those of a group and only indices are
/// computed in between: values computed there would have to stay in registers longer.
static bool follows(const StoreGroup &group, tile::StoreOp next) {
  tile::StoreOp first = group.stores.front();
  if (next.getView() != first.getView() || next->getBlock() != first->getBlock())
    return false;
  for (Operation *op = group.stores.back()->getNextNode(); op != next;
       op = op->getNextNode())
    if (isa<tile::TileDialect>(op->getDialect()))
      return false;
  size_t last = first.getIndices().size() - 1;
  for (size_t dim = 0; dim <= last; ++dim)
    if (knownDifference(first.getIndices()[dim], next.getIndices()[dim]) !=
        (dim == last ? group.columns() : 0))
      return false;
  return true;
}

static SmallVector<StoreGroup> groupStores(tile::KernelOp kernel, int64_t rows) {
  SmallVector<StoreGroup> groups;
  kernel->walk([&](tile::StoreOp op) {
    if (!isResultTile(op, rows))
      return;
    if (groups.empty() || !follows(groups.back(), op))
      groups.emplace_back();
    groups.back().stores.push_back(op);
  });
  return groups;
}

/// Returns the type of a group's buffer; null if no TMA map describes the view.
static tile::MemType bufferOf(tile::KernelOp kernel, const StoreGroup &group,
                              int64_t stages) {
  tile::StoreOp first = group.stores.front();
  auto type = cast<tile::FragType>(first.getValue().getType());
  int64_t columns = group.columns(), bytes = columns * kStoredElementBytes;
  int64_t span = std::min(bytes, kMaxStoredLineBytes);
  auto view = first.getView().getDefiningOp<tile::ViewOp>();
  SmallVector<int64_t> box(first.getIndices().size(), 1);
  box[box.size() - 2] = kStoredGroupRows;
  box.back() = span / kStoredElementBytes;
  if (!llvm::isPowerOf2_64(span) || bytes % span ||
      !describeTensor(kernel, view, box, span))
    return {};
  MLIRContext *context = kernel.getContext();
  return tile::MemType::get(context, {stages, type.getRows(), columns},
                            type.getElementType(),
                            tile::MemLayoutAttr::get(context, /*contiguous=*/1, span),
                            tile::MemorySpace::shared);
}

/// Returns true if `group` is stored whenever and as often as `next` is.
static bool isAlwaysBefore(const StoreGroup &group, const StoreGroup &next) {
  tile::StoreOp first = group.stores.front();
  Operation *op = tile::StoreOp(next.stores.front());
  while (op && op->getBlock() != first->getBlock()) {
    op = op->getParentOp();
    if (isa_and_nonnull<LoopLikeOpInterface>(op))
      return false;
  }
  return op;
}

/// A task with several groups gets two stages: one is written while the other is copied.
/// A group that does not always follow another one waits for all copies, because the last
/// copy may be from the same stage.
void WarpPartition::storeResults() {
  SmallVector<StoreGroup> groups =
      groupStores(kernel, plan.warpgroups * kStoredGroupRows);
  if (groups.empty())
    return;
  int64_t stages = groups.size() > 1 ? 2 : 1;
  tile::MemType type = bufferOf(kernel, groups.front(), stages);
  if (!type || llvm::any_of(groups, [&](const StoreGroup &group) {
        return bufferOf(kernel, group, stages) != type;
      }))
    return;
  SmallVector<bool> follows{false}; // computed before stores are erased
  for (size_t i = 1; i < groups.size(); ++i)
    follows.push_back(isAlwaysBefore(groups[i - 1], groups[i]));
  Value buffer = tile::AllocOp::create(b, type);
  for (auto [number, group] : llvm::enumerate(groups)) {
    b.setInsertionPoint(group.stores.front());
    tile::WaitStoresOp::create(b, follows[number] ? stages - 1 : 0, /*written=*/false);
    int64_t column = 0;
    tile::StoreOp first = group.stores.front();
    for (tile::StoreOp store : group.stores) {
      b.setInsertionPoint(store);
      tile::WriteBufferOp::create(b, store.getValue(), buffer, word(number % stages),
                                  ArrayRef<int64_t>{0, column});
      column += cast<tile::FragType>(store.getValue().getType()).getColumns();
    }
    b.setInsertionPoint(group.stores.back());
    tile::AsyncStoreOp::create(b, buffer, word(number % stages), first.getView(),
                               first.getIndices());
    for (tile::StoreOp store : group.stores)
      store.erase();
  }
  storesResults = true;
}
