//===- VerifyBarriers.cpp - Verifies that accesses are ordered ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows every path through a kernel with the set of accesses since the last barrier;
// repeats a loop's body until the set at its end does not grow. Uses the shared memory
// offsets of kiln-allocate-shared and is independent of how kiln-insert-barriers works.
//
//===----------------------------------------------------------------------===//

#include "lib/Target/NVPTX/Layout/GpuKernels.h"
#include "lib/Target/NVPTX/Layout/LayoutTypes.h"
#include "lib/Target/NVPTX/Layout/MemoryOrder.h"
#include "lib/Target/NVPTX/Layout/Smem.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

namespace {
/// Range of bytes in shared memory; operands and results count as another memory.
struct Bytes {
  int64_t begin = 0, end = 0;
  bool operator==(const Bytes &) const = default;
  bool overlaps(const Bytes &other) const {
    return begin < other.end && other.begin < end;
  }
};

struct BlockAccess {
  enum Kind { Scratch, Buffer, Operand };
  Kind kind;
  Value buffer; ///< if the kind is Buffer
  Bytes bytes;
  bool writes;
  Operation *group; ///< loop that smaller thread groups run; null: none
  bool operator==(const BlockAccess &) const = default;
};

class BarrierVerifier {
public:
  BarrierVerifier(tile::KernelOp kernel, const GpuInfo &gpu);
  bool run();

private:
  /// Accesses since the last barrier, without duplicates.
  using State = SmallVector<BlockAccess>;

  void visit(Block &block, State &state);
  void visit(Operation *op, State &state);
  void visitLoop(scf::ForOp op, State &state);
  void visitBranches(Operation *op, State &state);
  void meet(Operation *op, State &state);
  void access(Operation *op, Value view, bool writes, State &state);
  void store(Operation *op, Value view, Type stored, State &state);
  void readTile(Operation *op, Value operand, State &state);
  void useBuffer(Operation *op, Value buffer, bool writes, State &state);
  void use(Operation *op, BlockAccess made, State &state);
  bool conflict(Operation *op, const BlockAccess &before, const BlockAccess &made);
  Operation *groupOf(Operation *op);
  void refuse(Operation *op, StringRef what);

  tile::KernelOp kernel;
  const GpuInfo &gpu;
  Bytes scratch;
  bool isOrdered = true;
};
} // namespace

static bool isScratchView(Value view) {
  auto op = view.getDefiningOp<tile::ViewOp>();
  return op && op.getBuffer().getDefiningOp<tile::ScratchOp>();
}

static int64_t barrierPlaceOf(Operation *op) {
  auto place = op->getAttrOfType<IntegerAttr>(tile::kSharedOffsetAttr);
  return place ? place.getInt() : 0;
}

/// Scratch whose size is known only at run time has no end.
BarrierVerifier::BarrierVerifier(tile::KernelOp kernel, const GpuInfo &gpu)
    : kernel(kernel), gpu(gpu) {
  auto size = dyn_cast<AffineConstantExpr>(kernel.getScratch().getResult(0));
  kernel->walk([&](tile::ScratchOp op) {
    scratch.begin = barrierPlaceOf(op);
    scratch.end = size ? scratch.begin + size.getValue() : INT64_MAX;
  });
}

static void join(SmallVectorImpl<BlockAccess> &into, ArrayRef<BlockAccess> from) {
  for (const BlockAccess &access : from)
    if (!llvm::is_contained(into, access))
      into.push_back(access);
}

Operation *BarrierVerifier::groupOf(Operation *op) {
  for (op = op->getParentOp(); op != kernel; op = op->getParentOp())
    if (tile::groupThreads(op) < tile::groupThreads(op->getParentOp()))
      return op;
  return nullptr;
}

void BarrierVerifier::refuse(Operation *op, StringRef what) {
  if (std::exchange(isOrdered, false))
    refuseLevel(op, "kiln-insert-barriers", what, "a tile.sync_threads before it",
                "none");
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Returns true if two accesses need a barrier between them. Accesses to the same buffer
/// do not count: verifyCopies checks their stages.
bool BarrierVerifier::conflict(Operation *op, const BlockAccess &before,
                               const BlockAccess &made) {
  bool isOperand = made.kind == BlockAccess::Operand;
  if (!(before.writes || made.writes) ||
      (before.kind == BlockAccess::Operand) != isOperand)
    return false;
  if (before.group == made.group && tile::groupThreads(op->getParentOp()) == 1)
    return false;
  if (isOperand)
    return !before.writes;
  bool isOneBuffer = made.kind == BlockAccess::Buffer && before.buffer == made.buffer;
  return !isOneBuffer &&
         ((before.kind == made.kind && made.kind == BlockAccess::Scratch) ||
          before.bytes.overlaps(made.bytes));
}

void BarrierVerifier::use(Operation *op, BlockAccess made, State &state) {
  made.group = groupOf(op);
  for (const BlockAccess &before : state)
    if (conflict(op, before, made)) {
      StringRef what =
          "a result that may take the place of what another thread still reads";
      if (made.kind != BlockAccess::Operand)
        what = !made.writes    ? "a read of scratch that another thread may have written"
               : before.writes ? "a write of scratch that another thread may have written"
                               : "a write of scratch that another thread may still read";
      refuse(op, what);
    }
  join(state, made);
}

void BarrierVerifier::useBuffer(Operation *op, Value buffer, bool writes, State &state) {
  auto alloc = buffer.getDefiningOp<tile::AllocOp>();
  auto need = sharedNeedOf(alloc, kernel, gpu);
  Bytes bytes{barrierPlaceOf(alloc), barrierPlaceOf(alloc) + need->bytes};
  use(op, {BlockAccess::Buffer, buffer, bytes, writes, nullptr}, state);
}

void BarrierVerifier::access(Operation *op, Value view, bool writes, State &state) {
  bool inScratch = isScratchView(view);
  use(op,
      {inScratch ? BlockAccess::Scratch : BlockAccess::Operand, Value(),
       inScratch ? scratch : Bytes(), writes, nullptr},
      state);
}

/// Adds a store. A result that aliases an operand needs no barrier if each element has
/// only one thread: it has read the element before.
void BarrierVerifier::store(Operation *op, Value view, Type stored, State &state) {
  auto frag = dyn_cast<tile::FragType>(stored);
  bool isShared = frag ? layoutIn(frag).replicatedThreads() != 0
                       : tile::groupThreads(op->getParentOp()) > 1;
  if (isShared || isScratchView(view))
    access(op, view, /*writes=*/true, state);
}

void BarrierVerifier::readTile(Operation *op, Value operand, State &state) {
  if (auto stage = operand.getDefiningOp<tile::StageOp>())
    access(op, stage.getView(), /*writes=*/false, state);
  else if (auto stage = operand.getDefiningOp<tile::BufferStageOp>())
    useBuffer(op, stage.getBuffer(), /*writes=*/false, state);
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

/// Handles a barrier. That of a smaller thread group orders only accesses of its own
/// loop.
void BarrierVerifier::meet(Operation *op, State &state) {
  Operation *group = groupOf(op);
  llvm::erase_if(
      state, [&](const BlockAccess &access) { return !group || access.group == group; });
}

void BarrierVerifier::visitLoop(scf::ForOp op, State &state) {
  for (size_t known = 0; isOrdered;) {
    known = state.size();
    State inside = state;
    visit(*op.getBody(), inside);
    join(state, inside);
    if (state.size() == known)
      return;
  }
}

void BarrierVerifier::visitBranches(Operation *op, State &state) {
  State before = state;
  for (Region &region : op->getRegions()) {
    State inside = before;
    if (!region.empty())
      visit(region.front(), inside);
    join(state, inside);
  }
}

void BarrierVerifier::visit(Operation *op, State &state) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) { visitLoop(loop, state); })
      .Case<scf::IfOp, scf::IndexSwitchOp>([&](auto) { visitBranches(op, state); })
      .Case([&](tile::WarpSpecializeOp specialized) { // one thread of the producer works
        visit(specialized.getConsumer().front(), state);
      })
      .Case<tile::LoadOp, tile::GatherOp>(
          [&](auto load) { access(op, load.getView(), /*writes=*/false, state); })
      .Case<tile::StoreOp, tile::ScatterOp>([&](auto stored) {
        store(op, stored.getView(), stored.getValue().getType(), state);
      })
      .Case([&](tile::IssueCopyOp copy) {
        access(op, copy.getView(), /*writes=*/false, state);
        useBuffer(op, copy.getBuffer(), /*writes=*/true, state);
      })
      .Case([&](tile::MmaOp product) {
        readTile(op, product.getLhs(), state);
        readTile(op, product.getRhs(), state);
      })
      .Case([&](tile::ScaledMmaOp product) {
        for (Value operand : product->getOperands())
          readTile(op, operand, state);
      })
      .Default([&](Operation *) {
        if (isMeeting(op, gpu))
          meet(op, state);
      });
}

void BarrierVerifier::visit(Block &block, State &state) {
  for (Operation &op : block.without_terminator())
    if (isOrdered)
      visit(&op, state);
}

bool BarrierVerifier::run() {
  State state;
  visit(kernel.getBlock(), state);
  return isOrdered;
}

bool nvptx::verifyBarriers(tile::KernelOp kernel, const GpuInfo &gpu) {
  return BarrierVerifier(kernel, gpu).run();
}
