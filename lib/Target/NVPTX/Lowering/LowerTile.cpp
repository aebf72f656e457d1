//===- LowerTile.cpp - Tile programs to threads ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers the function, its arguments and control flow.
//
//===----------------------------------------------------------------------===//

#include "LowerTile.h"
#include "dialects/Tile/TileHints.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/NVPTX.h"
#include "kiln/abi.h"
#include "lib/Target/AffineToArith.h"
#include "lib/Target/LoweringMath.h"
#include "lib/Target/NVPTX/Layout/MemoryOrder.h"
#include "lib/Target/NVPTX/Layout/TensorMap.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

KernelLowering::KernelLowering(tile::KernelOp kernel, const TargetInfo &target)
    : program(kernel, target), b(program.b), memory(program), fragments(program, memory),
      copies(program, memory), mma(program, memory), scaledMma(program),
      async(program, [this](Block &block) { lowerBlock(block); }) {}

//===----------------------------------------------------------------------===//
// Function
//===----------------------------------------------------------------------===//

/// Creates a function with one 8-byte parameter per buffer, then per symbol, then for the
/// workspace and the arrival counters if there are any (kiln/abi.h).
LLVM::LLVMFuncOp KernelLowering::createFunction() {
  MLIRContext *context = b.getContext();
  SmallVector<Type> inputs(program.kernel.getNumBuffers(),
                           LLVM::LLVMPointerType::get(context, 1));
  inputs.append(program.kernel.getNumSymbols(), b.getI64Type());
  if (program.kernel.getWorkspace())
    inputs.append(2, LLVM::LLVMPointerType::get(context, 1));
  if (program.isSpecialized)
    inputs.append(async.maps().size(), LLVM::LLVMPointerType::get(context));
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), inputs);
  auto created = LLVM::LLVMFuncOp::create(b, program.kernel.getSymName(), type);
  created->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), b.getUnitAttr());
  for (unsigned i = 0; i < program.kernel.getNumBuffers(); ++i)
    created.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                       b.getI64IntegerAttr(KILN_CUDA_BUFFER_ALIGNMENT));
  for (unsigned i = 0; program.kernel.getWorkspace() && i < 2; ++i)
    created.setArgAttr(program.workspaceArgument() + i,
                       LLVM::LLVMDialect::getAlignAttrName(),
                       b.getI64IntegerAttr(KILN_CUDA_BUFFER_ALIGNMENT));
  int32_t threads = program.kernel.getThreads().value_or(0);
  created->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                   b.getDenseI32ArrayAttr({threads}));
  if (program.isSpecialized)
    async.describe(created);
  return created;
}

void KernelLowering::bindArguments(Block &entry) {
  for (auto [i, argument] :
       llvm::enumerate(program.kernel.getBlock().getArguments().take_front(
           program.kernel.getNumBuffers())))
    program.buffers[argument] = {entry.getArgument(i), Space::Global,
                                 KILN_CUDA_BUFFER_ALIGNMENT};
  for (auto [i, argument] : llvm::enumerate(program.kernel.getSymbolArguments())) {
    Value value = entry.getArgument(program.kernel.getNumBuffers() + i);
    program.scalars.map(
        argument, arith::IndexCastOp::create(b, b.getIndexType(), value).getResult());
  }
  program.thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  Value block = NVVM::BlockIdXOp::create(b, b.getI32Type());
  program.scalars.map(
      program.kernel.getTask(),
      arith::IndexCastUIOp::create(b, b.getIndexType(), block).getResult());
}

/// Limit of kernel parameters that every driver supports.
static constexpr int64_t kParameterBytes = 4096;

void KernelLowering::checkLimits() {
  int64_t bytes =
      8 * (program.workspaceArgument() + (program.kernel.getWorkspace() ? 2 : 0));
  if (program.isSpecialized)
    bytes = llvm::alignTo(bytes, kMapAlignment) + async.maps().size() * kMapBytes;
  if (bytes > kParameterBytes)
    program.fail(program.kernel, "more buffers and symbols than a launch has parameters");
}

/// Returns the minimum blocks per multiprocessor (minnctapersm), which limits the
/// registers of a thread. Without it ptxas prefers higher occupancy to registers and
/// spills. Null: no limit is needed.
std::optional<int64_t> KernelLowering::residentBlocks(int64_t threads) {
  if (program.isSpecialized)
    return std::nullopt;
  // One block with all accumulators in registers is faster than two that spill. This
  // holds on tensor cores and when two MMAs' accumulators are live at once.
  llvm::SmallDenseSet<Type> sums;
  program.kernel->walk([&](tile::MmaOp op) { sums.insert(op.getType()); });
  bool onTensorCores = false;
  program.kernel->walk([&](tile::MmaOp op) { onTensorCores |= op.getMmaSync(); });
  // Without FP8 tensor cores f8E4M3FN operands are converted to f16, which needs
  // registers.
  bool widens = false;
  program.kernel->walk([&](tile::ScaledMmaOp op) {
    (program.target.gpu->hasFloat8 ? onTensorCores : widens) |=
        op.getMultiplier() == tile::ScaledMmaOp::Multiplier::Float8;
  });
  if (onTensorCores || sums.size() > 1)
    return 1;
  // Accumulators and operands of fused multiply-adds, addresses of scattered rows, or f16
  // copies of f8E4M3FN operands need about this many registers.
  constexpr int64_t kEnoughRegisters = 128;
  bool isScatter =
      isa_and_nonnull<tile::ScatterConfigAttr>(program.kernel.getConfigAttr());
  if (sums.empty() && !isScatter && !widens)
    return std::nullopt;
  int64_t registers = kEnoughRegisters * threads;
  return std::max<int64_t>(program.target.gpu->registersPerMultiprocessor / registers, 1);
}

LLVM::LLVMFuncOp KernelLowering::run() {
  if (!program.kernel.getThreads()) {
    program.fail(program.kernel, "a kernel that states no threads");
    return {};
  }
  if (!verifyLayouts(program.kernel) || !verifyCopies(program.kernel) ||
      !verifyShared(program.kernel, *program.target.gpu) ||
      !verifyBarriers(program.kernel, *program.target.gpu))
    return {};
  if (llvm::any_of(program.kernel.getBlock(), llvm::IsaPred<tile::WarpSpecializeOp>)) {
    program.isSpecialized = true;
    if (!async.findMaps())
      program.fail(program.kernel, "a copy of what is no tensor");
    program.mapCount = async.maps().size();
  }
  checkLimits();
  if (program.failed)
    return {};
  b.setInsertionPoint(program.kernel);
  program.function = createFunction();
  Block *entry = program.function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  bindArguments(*entry);
  program.team = program.wholeBlock();
  if (std::optional<int64_t> blocks = residentBlocks(*program.kernel.getThreads()))
    program.function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                              b.getI32IntegerAttr(*blocks));
  if (program.isSpecialized)
    lowerBlock(program.kernel.getBlock());
  else
    lowerTask();
  if (program.failed) {
    program.function.erase();
    return {};
  }
  LLVM::ReturnOp::create(b, ValueRange());
  program.function->setAttr(tile::kSharedBytesAttr,
                            program.kernel->getAttr(tile::kSharedBytesAttr));
  return program.function;
}

/// Returns true if an op only computes addresses or prefetches, so that it may run before
/// the wait for earlier kernels (PDL).
static bool isEarly(Operation *op) {
  if (isa<scf::ForOp, scf::IfOp>(op))
    return !op->walk([&](Operation *inner) {
                return inner == op || isEarly(inner) ? WalkResult::advance()
                                                     : WalkResult::interrupt();
              }).wasInterrupted();
  return isa<tile::ViewOp, tile::ScratchOp, tile::PrefetchOp, affine::AffineApplyOp,
             scf::YieldOp>(op) ||
         isa<arith::ArithDialect>(op->getDialect());
}

/// Prefetches run before the wait for earlier kernels: they fill L2, which is coherent
/// between multiprocessors, so prefetched data is right even if an earlier kernel still
/// changes it.
void KernelLowering::lowerTask() {
  bool prefetches = false, waited = false;
  program.kernel->walk([&](tile::PrefetchOp) { prefetches = true; });
  for (Operation &op : program.kernel.getBlock().without_terminator()) {
    if (!waited && !(prefetches && isEarly(&op))) {
      program.waitForEarlierKernels();
      waited = true;
    }
    b.setLoc(op.getLoc());
    lower(&op);
    if (program.failed)
      return;
  }
  if (!waited)
    program.waitForEarlierKernels();
}

void KernelLowering::lowerScratch(tile::ScratchOp op) {
  Value offset = program.scalar(op.getOffset());
  int64_t alignment = std::min<int64_t>(knownDivisor(op.getOffset()), 16);
  program.buffers[op] = {program.gep(program.sharedFor(op), b.getI8Type(), offset),
                         Space::Shared, alignment};
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void KernelLowering::lowerBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    b.setLoc(op.getLoc());
    lower(&op);
    if (program.failed)
      return;
  }
}

void KernelLowering::lowerFor(scf::ForOp op) {
  Value lower = program.scalar(op.getLowerBound()), step = program.scalar(op.getStep());
  Team outer = program.team;
  auto size = op->getAttrOfType<IntegerAttr>(tile::kTeamAttr);
  if (size && size.getInt() < program.team.threads) {
    if (op.getNumResults() > 0)
      return program.fail(op, "a loop that teams share carries nothing");
    int64_t teams = program.team.threads / size.getInt();
    program.team = program.splitBlock(size.getInt());
    lower = program.add(lower, program.mul(program.team.number, step));
    step = program.mul(step, program.index(teams));
  }
  auto loop = scf::ForOp::create(b, lower, program.scalar(op.getUpperBound()), step,
                                 program.flatten(op.getInitArgs()));
  program.scalars.map(op.getInductionVar(), loop.getInductionVar());
  program.bind(op.getRegionIterArgs(), loop.getRegionIterArgs());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    program.diverged = true; // lanes may have diverged
    lowerBlock(*op.getBody());
    if (program.failed)
      return;
    if (loop.getNumResults() > 0)
      scf::YieldOp::create(b,
                           program.flatten(op.getBody()->getTerminator()->getOperands()));
  }
  program.team = outer;
  program.diverged = true; // lanes may have diverged
  program.bind(op.getResults(), loop.getResults());
}

/// Returns true for a branch around copies: its condition is uniform, so lanes do not
/// diverge.
static bool holdsCopies(scf::IfOp op) {
  return op->getNumResults() == 0 && !op.thenBlock()->getOps<tile::IssueCopyOp>().empty();
}

void KernelLowering::lowerIf(scf::IfOp op) {
  bool apart = program.diverged, isUniform = holdsCopies(op);
  auto branch =
      scf::IfOp::create(b, program.loweredTypes(op.getResultTypes()),
                        program.scalar(op.getCondition()), !op.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(b);
  for (auto [from, to] : llvm::zip(op->getRegions(), branch->getRegions())) {
    if (from.empty())
      continue;
    b.setInsertionPointToStart(&to.front());
    program.diverged = !isUniform || apart; // lanes may have diverged
    lowerBlock(from.front());
    if (program.failed)
      return;
    apart = program.diverged;
    if (op.getNumResults() > 0)
      scf::YieldOp::create(b,
                           program.flatten(from.front().getTerminator()->getOperands()));
  }
  program.diverged = !isUniform || apart; // lanes may have diverged
  program.bind(op.getResults(), branch.getResults());
}

void KernelLowering::lowerSwitch(scf::IndexSwitchOp op) {
  auto branch = scf::IndexSwitchOp::create(b, program.loweredTypes(op.getResultTypes()),
                                           program.scalar(op.getArg()), op.getCases(),
                                           op.getNumCases());
  OpBuilder::InsertionGuard guard(b);
  for (auto [from, to] : llvm::zip(op->getRegions(), branch->getRegions())) {
    b.setInsertionPointToStart(&to.emplaceBlock());
    program.diverged = true; // lanes may have diverged
    lowerBlock(from.front());
    if (program.failed)
      return;
    scf::YieldOp::create(b, program.flatten(from.front().getTerminator()->getOperands()));
  }
  program.diverged = true; // lanes may have diverged
  program.bind(op.getResults(), branch.getResults());
}

void KernelLowering::lowerApply(Operation *op) {
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

void KernelLowering::lower(Operation *op) {
  if (program.isSpecialized && async.lower(op))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp op) { lowerFor(op); })
      .Case([&](scf::IfOp op) { lowerIf(op); })
      .Case([&](scf::IndexSwitchOp op) { lowerSwitch(op); })
      .Case([&](affine::AffineApplyOp op) { lowerApply(op); })
      .Case([&](tile::ScratchOp op) { lowerScratch(op); })
      .Case([&](tile::WorkspaceOp op) { lowerWorkspace(op); })
      .Case([&](tile::TicketOp op) { lowerCounter(op); })
      .Case([&](tile::PostOp op) { lowerPost(op); })
      .Case([&](tile::AwaitOp op) { lowerAwait(op); })
      .Case([&](tile::SyncThreadsOp) { program.barrier(); })
      .Case([&](tile::ViewOp op) { memory.lowerView(op); })
      .Case([&](tile::LoadOp op) { memory.lowerLoad(op); })
      .Case([&](tile::StoreOp op) { memory.lowerStore(op); })
      .Case([&](tile::GatherOp op) { memory.lowerGather(op); })
      .Case([&](tile::ScatterOp op) { memory.lowerScatter(op); })
      .Case<tile::AllocOp, tile::IssueCopyOp, tile::CommitCopiesOp, tile::WaitCopiesOp,
            tile::BufferStageOp, tile::StageOp>([&](auto op) { copies.lower(op); })
      .Case([&](tile::MmaOp op) { mma.lowerMma(op); })
      .Case([&](tile::ScaledMmaOp op) { scaledMma.lower(op); })
      .Case([&](tile::PrefetchOp op) { memory.lowerPrefetch(op); })
      .Case([&](tile::FillOp op) {
        program.define(op, program.splat(op.getType(), program.scalar(op.getValue())));
      })
      .Case([&](tile::MapOp op) { fragments.lowerMap(op); })
      .Case([&](tile::ReduceOp op) { fragments.lowerReduce(op); })
      .Case([&](tile::BroadcastOp op) { fragments.lowerBroadcast(op); })
      .Case([&](tile::ConvertOp op) { fragments.lowerConvert(op); })
      .Case([&](tile::ConvertLayoutOp op) { fragments.lowerConvertLayout(op); })
      .Case([&](tile::IotaOp op) { fragments.lowerIota(op); })
      .Case([&](tile::SelectRangeOp op) { fragments.lowerSelectRange(op); })
      .Case([&](tile::ExtractOp op) { fragments.lowerExtract(op); })
      .Default([&](Operation *op) {
        if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
          fragments.lowerScalar(op, program.scalars);
        else
          program.fail(op, "an op that has no meaning on this GPU");
      });
}
