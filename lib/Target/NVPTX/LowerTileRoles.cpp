//===- LowerTileRoles.cpp - A warpgroup that copies, others that compute --===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body is lowered twice. The copying role keeps only what the indices of its
// tiles need and runs in one thread; the computing role is the team of the kernel.
// Both walk over the same tasks, a grid apart, and meet at the ring's barriers: a
// slot is full when its bytes have arrived, and empty when every warp has read it.
//
//===----------------------------------------------------------------------===//

#include "../AffineToArith.h"
#include "LowerTile.h"
#include "Roles.h"
#include "dialects/Tile/TileHints.h"
#include "kiln/Target/NVPTX.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// Shared memory swizzles lines of 128 bytes in blocks of eight.
static constexpr int64_t kRingAlignment = 1024, kBarrierBytes = 8;
static constexpr int64_t kGroupThreads = 128;

bool TileLowering::hasRoles() {
  return isa_and_nonnull<tile::WarpgroupGemmConfigAttr>(kernel.getConfigAttr()) &&
         target.gpu->hasWarpgroupMma && target.gpu->hasTensorCopy;
}

void TileLowering::planRoles() {
  PlannedRing planned = planRing(kernel);
  if (!planned.ring)
    return fail(kernel, planned.why);
  ring = std::make_shared<Ring>(std::move(*planned.ring));
}

/// Behind the words: what each map describes is said by the plan.
void TileLowering::describeMapParameters(LLVM::LLVMFuncOp created) {
  unsigned end = created.getFunctionType().getNumParams();
  auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), kMapBytes);
  for (unsigned i = end - 2; i < end; ++i) {
    created.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(bytes));
    created.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                       b.getI64IntegerAttr(kMapAlignment));
    // Else a thread copies the map to its stack, where no tensor copy finds it.
    created.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(), b.getUnitAttr());
  }
  int32_t threads = *kernel.getThreads() + kGroupThreads;
  created->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                   b.getDenseI32ArrayAttr({threads}));
  // Registers can be handed over only where the assembler knows their number.
  created->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(), b.getI32IntegerAttr(1));
  created->setAttr(kTensorMapsAttr, b.getArrayAttr({ring->left.map, ring->right.map}));
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

Value TileLowering::assembly(Type result, ValueRange operands, StringRef text,
                             StringRef constraints) {
  auto op = LLVM::InlineAsmOp::create(
      b, result ? TypeRange(result) : TypeRange(), operands, text, constraints,
      /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
  return result ? op.getRes() : Value();
}

Value TileLowering::word(int64_t value) {
  return arith::ConstantIntOp::create(b, value, 32);
}

/// The barrier of a slot: base + slot * 8.
Value TileLowering::slotBarrier(Value base) {
  return arith::AddIOp::create(b, base,
                               arith::MulIOp::create(b, ring->slot, word(kBarrierBytes)));
}

void TileLowering::waitBarrier(Value barrier, Value parity) {
  assembly({}, {barrier, parity},
           "{\n.reg .pred done;\nwaiting:\n"
           "mbarrier.try_wait.parity.shared::cta.b64 done, [$0], $1;\n"
           "@!done bra waiting;\n}",
           "r,r,~{memory}");
}

/// To the next slot; the parity changes when the ring begins again.
std::pair<Value, Value> TileLowering::nextSlot() {
  Value next = arith::AddIOp::create(b, ring->slot, word(1));
  Value wraps =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next, word(ring->stages));
  Value flip = arith::ExtUIOp::create(b, b.getI32Type(), wraps);
  return {arith::SelectOp::create(b, wraps, word(0), next),
          arith::XOrIOp::create(b, ring->parity, flip)};
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// Reserves the ring and makes its barriers ready.
void TileLowering::openRing() {
  Block &entry = function.getBody().front();
  unsigned first = entry.getNumArguments() - 2;
  ring->maps[0] = entry.getArgument(first);
  ring->maps[1] = entry.getArgument(first + 1);
  auto address = [&](Value pointer) -> Value {
    return LLVM::PtrToIntOp::create(b, b.getI32Type(), pointer);
  };
  ring->slots = address(reserveShared(ring->slotBytes * ring->stages, kRingAlignment));
  ring->full = address(reserveShared(2 * kBarrierBytes * ring->stages));
  ring->empty = arith::AddIOp::create(b, ring->full, word(kBarrierBytes * ring->stages));
  Value number = arith::ShRUIOp::create(b, thread, word(llvm::Log2_64(kGroupThreads)));
  ring->group = shuffleFrom(number, 0);
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread, word(0));
  guarded(isFirst, [&] {
    int64_t warps = *kernel.getThreads() / target.gpu->warpThreads;
    for (int64_t s = 0; s < ring->stages; ++s)
      for (auto [base, count] :
           {std::pair(ring->full, int64_t(1)), std::pair(ring->empty, warps)})
        assembly({},
                 {arith::AddIOp::create(b, base, word(s * kBarrierBytes)), word(count)},
                 "mbarrier.init.shared::cta.b64 [$0], $1;", "r,r,~{memory}");
    assembly({}, {}, "fence.mbarrier_init.release.cluster;", "~{memory}");
  });
  NVVM::Barrier0Op::create(b);
}

void TileLowering::changeRegisters(int64_t count, bool more) {
  if (count > 0)
    NVVM::SetMaxRegisterOp::create(b, count,
                                   more ? NVVM::SetMaxRegisterAction::increase
                                        : NVVM::SetMaxRegisterAction::decrease);
}

/// Runs `body` for every task of this block, which are a grid apart.
void TileLowering::forTasks(int64_t parity, function_ref<void()> body) {
  auto wide = [&](Value value) -> Value {
    return arith::IndexCastUIOp::create(b, b.getIndexType(), value);
  };
  Value first = wide(NVVM::BlockIdXOp::create(b, b.getI32Type()));
  Value apart = wide(NVVM::GridDimXOp::create(b, b.getI32Type()));
  Value count = expandAffine(b, kernel.getGrid().getResult(0),
                             scalarsOf(ValueRange(kernel.getSymbolArguments())), 0);
  auto loop =
      scf::ForOp::create(b, first, count, apart, ValueRange{word(0), word(parity)});
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  scalars.map(kernel.getTask(), loop.getInductionVar());
  ring->slot = loop.getRegionIterArg(0);
  ring->parity = loop.getRegionIterArg(1);
  forgetOrder();
  body();
  scf::YieldOp::create(b, ValueRange{ring->slot, ring->parity});
}

void TileLowering::lowerRoles() {
  openRing();
  prefetchRing();
  waitForEarlierKernels();
  Value copies =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, ring->group, word(ring->groups));
  auto branch = scf::IfOp::create(b, copies, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  IRMapping outside = scalars; // what one role computes the other cannot use
  changeRegisters(ring->copyRegisters, /*more=*/false);
  lowerCopyRole();
  scalars = outside;
  if (failed)
    return;
  b.setInsertionPointToStart(branch.elseBlock());
  changeRegisters(ring->computeRegisters, /*more=*/true);
  forTasks(/*parity=*/0, [&] { lowerBlock(kernel.getBlock()); });
}

//===----------------------------------------------------------------------===//
// Copying
//===----------------------------------------------------------------------===//

/// Everything the pipeline's bounds and its tiles' indices are computed from.
static DenseSet<Operation *> sliceOf(tile::PipelineOp pipeline) {
  DenseSet<Operation *> slice;
  SmallVector<Value> needed{pipeline.getLower(), pipeline.getUpper(), pipeline.getStep()};
  pipeline.getLoad().walk([&](Operation *op) {
    if (!isa<tile::ViewOp>(op))
      llvm::append_range(needed, op->getOperands());
  });
  while (!needed.empty()) {
    Operation *op = needed.pop_back_val().getDefiningOp();
    if (!op || isa<tile::ViewOp>(op) || !slice.insert(op).second)
      continue;
    op->walk([&](Operation *inner) { llvm::append_range(needed, inner->getOperands()); });
  }
  return slice;
}

Value TileLowering::isCopyLeader() {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread,
                               word(ring->groups * kGroupThreads));
}

/// The weights that the ring takes first come to L2 while earlier kernels end. (A block
/// without a task asks for boxes outside of the tensor, of which there is nothing.)
void TileLowering::prefetchRing() {
  tile::PipelineOp op = ring->pipeline;
  if (!op->hasAttr(tile::kWeightsAttr) || !target.gpu->hasDependentLaunch)
    return;
  Team block = std::exchange(team, Team{1, index(0), index(0)});
  IRMapping outside = scalars;
  DenseSet<Operation *> slice = sliceOf(op);
  guarded(isCopyLeader(), [&] {
    for (Operation &inner : kernel.getBlock().without_terminator())
      if (slice.contains(&inner))
        lower(&inner);
    Value lower = scalar(op.getLower()), step = scalar(op.getStep());
    Value end = arith::MinSIOp::create(b, scalar(op.getUpper()),
                                       add(lower, mul(step, index(ring->stages))));
    auto loop = scf::ForOp::create(b, lower, end, step);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Block &load = op.getLoad().front();
    scalars.map(load.getArgument(0), loop.getInductionVar());
    for (Operation &inner : load.without_terminator())
      if (!isa<tile::StageOp, tile::ViewOp>(inner))
        this->lower(&inner);
    for (const TensorCopy &copy : ring->right.copies) {
      Values operands{ring->maps[1]};
      std::string place = boxPlace(copy, operands), constraints = "l";
      for (size_t dim = 1; dim < operands.size(); ++dim)
        constraints += ",r";
      assembly({}, operands,
               "cp.async.bulk.prefetch.tensor." + std::to_string(operands.size() - 1) +
                   "d.L2.global.tile [$0, {" + place + "}];",
               constraints + ",~{memory}");
    }
  });
  converge(); // registers change hands by whole warps
  scalars = outside;
  team = block;
}

void TileLowering::lowerCopyRole() {
  Team block = std::exchange(team, Team{1, index(0), index(0)});
  DenseSet<Operation *> slice = sliceOf(ring->pipeline);
  guarded(isCopyLeader(), [&] {
    // A barrier nobody has completed yet counts as completed at the other parity.
    forTasks(/*parity=*/1, [&] {
      for (Operation &op : kernel.getBlock().without_terminator())
        if (&op == ring->pipeline)
          fillRing();
        else if (slice.contains(&op))
          lower(&op);
    });
  });
  team = block;
}

/// The coordinates of a box, which become the next operands of an instruction.
std::string TileLowering::boxPlace(const TensorCopy &copy, Values &operands) {
  tile::StageOp stage = copy.stage;
  std::string place;
  for (unsigned dim : mapOrder(stage.getView().getDefiningOp<tile::ViewOp>())) {
    Value at = add(scalar(stage.getIndices()[dim]), index(copy.at[dim]));
    place += (place.empty() ? "$" : ", $") + std::to_string(operands.size());
    operands.push_back(arith::IndexCastOp::create(b, b.getI32Type(), at));
  }
  return place;
}

void TileLowering::copyBoxes(const RingOperand &operand, Value map, Value slot,
                             Value full) {
  for (const TensorCopy &copy : operand.copies) {
    Values operands{arith::AddIOp::create(b, slot, word(copy.offset)), map, full};
    std::string place = boxPlace(copy, operands), constraints = "r,l,r";
    for (size_t dim = 3; dim < operands.size(); ++dim)
      constraints += ",r";
    std::string rank = std::to_string(operands.size() - 3);
    assembly(
        {}, operands,
        "cp.async.bulk.tensor." + rank +
            "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {" +
            place + "}], [$2];",
        constraints + ",~{memory}");
  }
}

void TileLowering::fillRing() {
  tile::PipelineOp op = ring->pipeline;
  auto loop =
      scf::ForOp::create(b, scalar(op.getLower()), scalar(op.getUpper()),
                         scalar(op.getStep()), ValueRange{ring->slot, ring->parity});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    ring->slot = loop.getRegionIterArg(0);
    ring->parity = loop.getRegionIterArg(1);
    Block &load = op.getLoad().front();
    scalars.map(load.getArgument(0), loop.getInductionVar());
    for (Operation &inner : load.without_terminator())
      if (!isa<tile::StageOp, tile::ViewOp>(inner))
        lower(&inner);
    waitBarrier(slotBarrier(ring->empty), ring->parity);
    Value full = slotBarrier(ring->full);
    assembly({}, {full, word(ring->left.bytes + ring->right.bytes)},
             "mbarrier.arrive.expect_tx.shared::cta.b64 _, [$0], $1;", "r,r,~{memory}");
    Value slot = arith::AddIOp::create(
        b, ring->slots, arith::MulIOp::create(b, ring->slot, word(ring->slotBytes)));
    copyBoxes(ring->left, ring->maps[0], slot, full);
    copyBoxes(ring->right, ring->maps[1], slot, full);
    auto [next, parity] = nextSlot();
    scf::YieldOp::create(b, ValueRange{next, parity});
  }
  ring->slot = loop.getResult(0);
  ring->parity = loop.getResult(1);
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

/// The descriptor of an operand whose lines begin at an address.
Value TileLowering::descriptor(const WgmmaOperand &layout, Value address) {
  Value units = arith::ShRUIOp::create(b, address, word(4));
  Value fields =
      arith::ConstantIntOp::create(b, static_cast<int64_t>(layout.descriptor()), 64);
  return arith::OrIOp::create(b, arith::ExtUIOp::create(b, b.getI64Type(), units),
                              fields);
}

/// The products of one slot, added to the sums of this thread.
TileLowering::Values TileLowering::multiplySlot(ValueRange sums) {
  const WgmmaStep &step = ring->step;
  Value slot = arith::AddIOp::create(
      b, ring->slots, arith::MulIOp::create(b, ring->slot, word(ring->slotBytes)));
  // A warpgroup's rows are a share of the left operand's lines, however they run.
  Value share =
      arith::MulIOp::create(b, ring->group, word(ring->left.bytes / ring->groups));
  Values operands{
      descriptor(step.left, arith::AddIOp::create(b, slot, share)),
      descriptor(step.right, arith::AddIOp::create(b, slot, word(ring->right.offset)))};
  llvm::append_range(operands, sums);
  SmallVector<Type> types(sums.getTypes());
  auto result = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  Value all = assembly(result, operands, step.text(), step.constraints());
  Values results;
  for (size_t i = 0; i < types.size(); ++i)
    results.push_back(LLVM::ExtractValueOp::create(b, all, int64_t(i)));
  return results;
}

void TileLowering::lowerRing(tile::PipelineOp op) {
  Values inits = flatten(op.getInits());
  size_t count = inits.size();
  inits.append({ring->slot, ring->parity});
  converge(); // after the masked stores of the task before
  auto loop = scf::ForOp::create(b, scalar(op.getLower()), scalar(op.getUpper()),
                                 scalar(op.getStep()), inits);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    ring->slot = loop.getRegionIterArg(count);
    ring->parity = loop.getRegionIterArg(count + 1);
    waitBarrier(slotBarrier(ring->full), ring->parity);
    Values results = multiplySlot(ValueRange(loop.getRegionIterArgs()).take_front(count));
    Value lane = arith::AndIOp::create(b, thread, word(target.gpu->warpThreads - 1));
    Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane, word(0));
    // By a predicate: a branch here would part the warp in front of the next product.
    assembly(
        {},
        {slotBarrier(ring->empty), arith::ExtUIOp::create(b, b.getI32Type(), isFirst)},
        "{\n.reg .pred p;\nsetp.ne.b32 p, $1, 0;\n"
        "@p mbarrier.arrive.shared::cta.b64 _, [$0];\n}",
        "r,r,~{memory}");
    auto [next, parity] = nextSlot();
    results.append({next, parity});
    scf::YieldOp::create(b, results);
  }
  ring->slot = loop.getResult(count);
  ring->parity = loop.getResult(count + 1);
  bind(op.getResults(), loop.getResults().take_front(count));
}

/// The sums of wgmma, of all warps of the computing warpgroups along the rows.
Layout TileLowering::sumsLayout(tile::FragType type) {
  int64_t warps = team.threads / target.gpu->warpThreads;
  return Layout::mmaAccumulator(type.getRows(), type.getColumns(), warps,
                                /*warpColumns=*/1);
}
