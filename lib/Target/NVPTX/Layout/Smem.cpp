//===- Smem.cpp - Shared memory that ops need -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Smem.h"
#include "GpuKernels.h"
#include "LayoutTypes.h"
#include "kiln/Target/NVPTX.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// Padding after each column of a column-major tile, against bank conflicts.
static constexpr int64_t kPaddingBytes = 16;
/// Default alignment of an allocation in bytes.
static constexpr int64_t kAlignment = 128;
/// Alignment of swizzled tiles (PTX ISA, "Tensor swizzling modes").
static constexpr int64_t kStageAlignment = 1024;
/// Size of an mbarrier object.
static constexpr int64_t kMbarrierBytes = 8;

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

bool nvptx::isReadInPlace(tile::StageOp op) {
  auto view = op.getView().getDefiningOp<tile::ViewOp>();
  return view.getBuffer().getDefiningOp<tile::ScratchOp>() ||
         llvm::all_of(op->getUsers(), llvm::IsaPred<tile::ScaledMmaOp>);
}

int64_t nvptx::stageCount(tile::PipelineOp op) {
  return std::max<int64_t>(op.getStages().value_or(2), 2);
}

SharedTile nvptx::planTile(tile::MemType type) {
  SharedTile tile;
  tile.isColumnMajor = type.getLayout().getContiguous() == 0;
  tile.lines = type.getLines();
  tile.length = type.getLineElements();
  int64_t bytes = tile::elementBytes(type.getElementType());
  if (auto layout = type.getLayout().getStaged(); layout != tile::StagedLayout::lines) {
    tile.chunks = StagedLayout(tile.lines, tile.length * bytes,
                               layout == tile::StagedLayout::words
                                   ? StagedLayout::Reader::Words
                                   : StagedLayout::Reader::Matrices);
    tile.stageElements =
        llvm::alignTo(tile.chunks->bytes(), tile.chunks->alignment()) / bytes;
    return tile;
  }
  tile.pitch = tile.length + (tile.isColumnMajor ? kPaddingBytes / bytes : 0);
  tile.stageElements = llvm::alignTo(tile.lines * tile.pitch * bytes, kAlignment) / bytes;
  return tile;
}

int64_t nvptx::stageStride(tile::MemType type) {
  return llvm::alignTo(type.getStageBytes(), kStageAlignment);
}

//===----------------------------------------------------------------------===//
// Needs
//===----------------------------------------------------------------------===//

bool nvptx::isUniform(Value fragment) {
  Operation *op = fragment.getDefiningOp();
  if (isa_and_nonnull<tile::MapOp, tile::ConvertOp, tile::BroadcastOp,
                      tile::ConvertLayoutOp>(op))
    return llvm::all_of(op->getOperands(), [](Value input) {
      return !isa<tile::FragType>(input.getType()) || isUniform(input);
    });
  return isa_and_nonnull<tile::FillOp>(op);
}

bool nvptx::crossesWarps(tile::ReduceOp op, const GpuInfo &gpu) {
  if (op.getInput().getType().getRank() != 1)
    return false;
  Layout layout = layoutIn(op.getInput().getType());
  size_t lanes = llvm::Log2_64(gpu.warpThreads);
  return layout.threads().size() > lanes &&
         llvm::any_of(layout.threads().drop_front(lanes),
                      [](uint32_t basis) { return basis != 0; });
}

bool nvptx::isMeeting(Operation *op, const GpuInfo &gpu) {
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return crossesWarps(reduce, gpu);
  return isa<tile::TicketOp, tile::PostOp, tile::AwaitOp, tile::SyncThreadsOp>(op);
}

/// Returns an element's size in memory; an index takes eight bytes.
static int64_t bytesOf(Type element) {
  return element.isIndex() ? 8 : tile::elementBytes(element);
}

/// Returns the registers per thread that are left when tile.reduce first combines
/// elements of different warps: it halves the fragment from the highest bit of the
/// element's index down.
static int64_t registersAtExchange(const Layout &layout, int64_t warpThreads) {
  int64_t registers = layout.numRegisters();
  for (int64_t bit = layout.elements() / 2; bit > 0; bit /= 2) {
    if (llvm::is_contained(layout.registers(), bit)) {
      registers /= 2;
      continue;
    }
    unsigned place = llvm::find(layout.threads(), bit) - layout.threads().begin();
    if (int64_t(1) << place >= warpThreads)
      break;
  }
  return registers;
}

static SharedNeed needOf(tile::MemType type) {
  if (!type.getLayout().getStaged())
    return {stageStride(type) * type.getStages(), kStageAlignment};
  SharedTile tile = planTile(type);
  int64_t bytes = tile::elementBytes(type.getElementType());
  return {tile.stageElements * bytes * type.getStages(),
          tile.chunks ? tile.chunks->alignment() : kAlignment};
}

std::optional<SharedNeed> nvptx::sharedNeedOf(Operation *op, tile::KernelOp kernel,
                                              const GpuInfo &gpu) {
  using Need = std::optional<SharedNeed>;
  return llvm::TypeSwitch<Operation *, Need>(op)
      .Case([&](tile::AllocOp alloc) { return needOf(alloc.getType()); })
      .Case([&](tile::CreateBarriersOp barriers) {
        return SharedNeed{kMbarrierBytes * barriers.getType().getCount(), kMbarrierBytes};
      })
      .Case([&](tile::ReduceOp reduce) -> Need {
        if (!crossesWarps(reduce, gpu))
          return std::nullopt;
        Layout layout = layoutIn(reduce.getInput().getType());
        int64_t values =
            layout.numThreads() * registersAtExchange(layout, gpu.warpThreads);
        return SharedNeed{values * bytesOf(reduce.getInput().getType().getElementType()),
                          kAlignment, /*isExchange=*/true};
      })
      .Case([&](tile::ConvertLayoutOp convert) -> Need {
        if (isUniform(convert.getInput()))
          return std::nullopt;
        tile::FragType type = convert.getType();
        int64_t groups =
            *kernel.getThreads() / tile::groupThreads(convert->getParentOp());
        return SharedNeed{groups * type.getNumElements() * bytesOf(type.getElementType()),
                          kAlignment, /*isExchange=*/true};
      })
      .Default(Need());
}

//===----------------------------------------------------------------------===//
// Liveness
//===----------------------------------------------------------------------===//

Liveness::Liveness(tile::KernelOp kernel)
    : kernel(kernel), isSpecialized(llvm::any_of(kernel.getBlock(),
                                                 llvm::IsaPred<tile::WarpSpecializeOp>)) {
  kernel->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { spans[op] = {count, count}, ++count; });
  kernel->walk([&](Operation *op) { // inner ops first
    if (Operation *parent = op->getParentOp(); parent && spans.contains(parent))
      spans[parent].last = std::max(spans[parent].last, spans[op].last);
  });
}

LiveRange Liveness::span(Operation *op) const { return spans.lookup(op); }

/// In a specialized kernel everything is live throughout, as the producer runs ahead. So
/// is an exchange buffer: threads may still read it when others write the next scratch.
/// So is a tile that an MMA reads last: only after regions is there a barrier before
/// threads write scratch.
LiveRange Liveness::of(Operation *op, const SharedNeed &need) const {
  if (isSpecialized || need.isExchange)
    return whole();
  LiveRange range = span(op);
  SmallVector<Operation *> users(op->getUsers());
  while (!users.empty()) {
    Operation *user = users.pop_back_val();
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    if (isa<tile::MmaOp>(ancestor))
      return whole();
    range.last = std::max(range.last, span(ancestor).last);
    if (isa<tile::BufferStageOp>(user))
      llvm::append_range(users, user->getUsers());
  }
  return range;
}

/// Collects ops that read, write or pass on a view of scratch.
static void collectUsers(Value memory, SmallVectorImpl<Operation *> &users) {
  for (Operation *user : memory.getUsers()) {
    if (auto view = dyn_cast<tile::ViewOp>(user))
      collectUsers(view, users);
    else
      users.push_back(user);
  }
}

LiveRange Liveness::ofScratch() const {
  if (isSpecialized)
    return whole();
  SmallVector<Operation *> users;
  tile::KernelOp op = kernel;
  op->walk([&](tile::ScratchOp scratch) { collectUsers(scratch, users); });
  LiveRange range{count, 0};
  for (Operation *user : users) {
    LiveRange inside = span(op.getBlock().findAncestorOpInBlock(*user));
    range = {std::min(range.first, inside.first), std::max(range.last, inside.last)};
  }
  return range.first <= range.last ? range : whole();
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

namespace {
struct PlacedNeed {
  Operation *op;
  LiveRange live;
  int64_t begin, end;
  bool isExchange;
};
} // namespace

static bool refuseSharedMemory(Operation *op, const Twine &what, const Twine &expected,
                               const Twine &found) {
  return refuseLevel(op, "kiln-allocate-shared", what, expected, found);
}

/// Reports two needs that overlap in bytes and in time, at the later op.
static bool verifyApart(ArrayRef<PlacedNeed> placed) {
  for (auto [i, later] : llvm::enumerate(placed))
    for (const PlacedNeed &earlier : placed.take_front(i)) {
      bool isShared = earlier.begin < later.end && later.begin < earlier.end &&
                      earlier.live.overlaps(later.live);
      bool areExchanges = earlier.isExchange && later.isExchange; // sequential
      if (isShared && !areExchanges)
        return refuseSharedMemory(
            later.op,
            "its shared memory is that of " + earlier.op->getName().getStringRef() +
                ", which is in use at the same time",
            "bytes outside of " + Twine(earlier.begin) + ".." + Twine(earlier.end - 1),
            Twine(later.begin) + ".." + Twine(later.end - 1));
    }
  return true;
}

bool nvptx::verifyShared(tile::KernelOp kernel, const GpuInfo &gpu) {
  auto total = kernel->getAttrOfType<IntegerAttr>(tile::kSharedBytesAttr);
  if (!total)
    return refuseSharedMemory(kernel, "its shared memory is not allocated",
                              "an attribute from kiln-allocate-shared", "none");
  AffineExpr scratch = kernel.getScratch().getResult(0);
  auto fixed = dyn_cast<AffineConstantExpr>(scratch);
  int64_t limit = total.getInt() + (fixed ? fixed.getValue() : 0);
  if (limit > gpu.maxSharedBytes)
    return refuseSharedMemory(kernel, "it needs more shared memory than a block has",
                              "at most " + Twine(gpu.maxSharedBytes) + " bytes",
                              Twine(limit));
  Liveness liveness(kernel);
  SmallVector<PlacedNeed> placed;
  WalkResult result = kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    std::optional<SharedNeed> need = sharedNeedOf(op, kernel, gpu);
    if (!need)
      return WalkResult::advance();
    auto place = op->getAttrOfType<IntegerAttr>(tile::kSharedOffsetAttr);
    int64_t begin = place ? place.getInt() : -1;
    if (begin < 0 || begin % need->alignment || begin + need->bytes > limit) {
      refuseSharedMemory(op, "it has no place in shared memory",
                         "a multiple of " + Twine(need->alignment) + " up to " +
                             Twine(limit - need->bytes),
                         place ? Twine(begin) : Twine("none"));
      return WalkResult::interrupt();
    }
    placed.push_back(
        {op, liveness.of(op, *need), begin, begin + need->bytes, need->isExchange});
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return false;
  bool isAllocated = true;
  kernel->walk([&](tile::ScratchOp op) {
    auto place = op->getAttrOfType<IntegerAttr>(tile::kSharedOffsetAttr);
    if (!place)
      isAllocated = isAllocated &&
                    refuseSharedMemory(op, "it has no place in shared memory",
                                       "an offset from kiln-allocate-shared", "none");
    else if (isAllocated && (placed.empty() || !isa<tile::ScratchOp>(placed.back().op)))
      // Scratch whose size is known only at run time has everything after it.
      placed.push_back({op, liveness.ofScratch(), place.getInt(),
                        fixed ? place.getInt() + fixed.getValue()
                              : std::numeric_limits<int64_t>::max(),
                        false});
  });
  return isAllocated && verifyApart(placed);
}
