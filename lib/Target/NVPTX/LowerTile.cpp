//===- LowerTile.cpp - Tile programs to threads ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structure: the function, its arguments, control flow.
//
//===----------------------------------------------------------------------===//

#include "AsyncLowering.h"
#include "MemoryOrder.h"
#include "TensorMap.h"
#include "../AffineToArith.h"
#include "../LoweringMath.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/NVPTX.h"
#include "kiln/abi.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

TileLowering::TileLowering(tile::KernelOp kernel, const TargetInfo &target)
    : kernel(kernel), target(target), b(kernel.getLoc(), kernel.getContext()) {}
TileLowering::~TileLowering() = default;

//===----------------------------------------------------------------------===//
// Helpers
//===----------------------------------------------------------------------===//

Type nvptx::memoryType(Type element) {
  if (element.isInteger(1) || element.isBF16())
    return IntegerType::get(element.getContext(), element.isBF16() ? 16 : 8);
  return element;
}

Value TileLowering::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

static std::optional<int64_t> constant(Value value) { return getConstantIntValue(value); }

Value TileLowering::add(Value lhs, Value rhs) { return addIndices(b, lhs, rhs); }
Value TileLowering::mul(Value lhs, Value rhs) { return multiplyIndices(b, lhs, rhs); }
Value TileLowering::toI64(Value value) { return indexToI64(b, value); }

Value TileLowering::gep(Value pointer, Type element, Value offset) {
  if (constant(offset) == 0)
    return pointer;
  return LLVM::GEPOp::create(b, pointer.getType(), memoryType(element), pointer,
                             LLVM::GEPArg(toI64(offset)));
}

TileLowering::Values TileLowering::scalarsOf(ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) { return scalar(value); });
}

TileLowering::Values TileLowering::flatten(ValueRange values) {
  Values lowered;
  for (Value value : values) {
    if (isa<tile::PendingType, tile::OperandType>(value.getType()))
      llvm::append_range(lowered, fragments.find(value)->second.registers);
    else if (isa<tile::FragType>(value.getType()))
      llvm::append_range(lowered, fragment(value).registers);
    else
      lowered.push_back(scalar(value));
  }
  return lowered;
}

void TileLowering::bind(ValueRange values, ValueRange lowered) {
  for (Value value : values) {
    if (isa<tile::FragType, tile::PendingType, tile::OperandType>(value.getType())) {
      Layout layout = layoutOf(value.getType());
      int64_t count = layout.numRegisters();
      if (isa<tile::OperandType>(value.getType()))
        count /= 2; // two elements in one
      define(value, {layout, Values(lowered.take_front(count))});
      lowered = lowered.drop_front(count);
    } else {
      scalars.map(value, lowered.front());
      lowered = lowered.drop_front(1);
    }
  }
}

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

Value TileLowering::mapArgument(unsigned number) {
  Block &entry = function.getBody().front();
  return entry.getArgument(entry.getNumArguments() - async->maps().size() + number);
}

void TileLowering::fail(Operation *op, StringRef what) {
  if (!failed)
    kiln::emitError(op->getLoc(),
                    {ErrorCode::NotLowerable,
                     "kernel '" + kernel.getSymName().str() + "'", what.str(), "",
                     op->getName().getStringRef().str(), ""});
  failed = true;
}

//===----------------------------------------------------------------------===//
// Function
//===----------------------------------------------------------------------===//

/// One parameter of eight bytes per buffer, then per symbol, then for the workspace
/// and the tickets if there are any (kiln/abi.h).
LLVM::LLVMFuncOp TileLowering::createFunction() {
  MLIRContext *context = b.getContext();
  SmallVector<Type> inputs(kernel.getNumBuffers(),
                           LLVM::LLVMPointerType::get(context, 1));
  inputs.append(kernel.getNumSymbols(), b.getI64Type());
  if (kernel.getWorkspace())
    inputs.append(2, LLVM::LLVMPointerType::get(context, 1));
  if (async)
    inputs.append(async->maps().size(), LLVM::LLVMPointerType::get(context));
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), inputs);
  auto created = LLVM::LLVMFuncOp::create(b, kernel.getSymName(), type);
  created->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), b.getUnitAttr());
  for (unsigned i = 0; i < kernel.getNumBuffers(); ++i)
    created.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                       b.getI64IntegerAttr(KILN_CUDA_BUFFER_ALIGNMENT));
  for (unsigned i = 0; kernel.getWorkspace() && i < 2; ++i)
    created.setArgAttr(workspaceArgument() + i, LLVM::LLVMDialect::getAlignAttrName(),
                       b.getI64IntegerAttr(KILN_CUDA_BUFFER_ALIGNMENT));
  int32_t threads = kernel.getThreads().value_or(0);
  created->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                   b.getDenseI32ArrayAttr({threads}));
  if (async)
    async->describe(created);
  return created;
}

void TileLowering::bindArguments(Block &entry) {
  for (auto [i, argument] : llvm::enumerate(
           kernel.getBlock().getArguments().take_front(kernel.getNumBuffers())))
    buffers[argument] = {entry.getArgument(i), Space::Global, KILN_CUDA_BUFFER_ALIGNMENT};
  for (auto [i, argument] : llvm::enumerate(kernel.getSymbolArguments())) {
    Value value = entry.getArgument(kernel.getNumBuffers() + i);
    scalars.map(argument,
                arith::IndexCastOp::create(b, b.getIndexType(), value).getResult());
  }
  thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  Value block = NVVM::BlockIdXOp::create(b, b.getI32Type());
  scalars.map(kernel.getTask(),
              arith::IndexCastUIOp::create(b, b.getIndexType(), block).getResult());
}

/// Bytes of parameters that every driver takes.
static constexpr int64_t kParameterBytes = 4096;

void TileLowering::checkLimits() {
  int64_t bytes = 8 * (workspaceArgument() + (kernel.getWorkspace() ? 2 : 0));
  if (async)
    bytes = llvm::alignTo(bytes, kMapAlignment) + async->maps().size() * kMapBytes;
  if (bytes > kParameterBytes)
    fail(kernel, "more buffers and symbols than a launch has parameters");
}

/// How many blocks a multiprocessor is to hold at least, which says how many registers a
/// thread may have. Left to itself the assembler prefers one block more to registers, and
/// spills; null: it finds enough.
std::optional<int64_t> TileLowering::residentBlocks(int64_t threads) {
  if (async)
    return std::nullopt;
  // One block with all its sums in registers is worth more than two that spill: on
  // tensor cores, and where the sums of one product wait for another's.
  llvm::SmallDenseSet<Type> sums;
  kernel->walk([&](tile::MmaOp op) { sums.insert(op.getType()); });
  bool onTensorCores = false;
  kernel->walk([&](tile::MmaOp op) { onTensorCores |= op.getMmaSync(); });
  if (onTensorCores || sums.size() > 1)
    return 1;
  // Sums and tiles of multiply-adds, and addresses of rows that are changed.
  constexpr int64_t kEnoughRegisters = 128;
  bool isScatter = isa_and_nonnull<tile::ScatterConfigAttr>(kernel.getConfigAttr());
  if (sums.empty() && !isScatter)
    return std::nullopt;
  int64_t registers = kEnoughRegisters * threads;
  return std::max<int64_t>(target.gpu->registersPerMultiprocessor / registers, 1);
}

LLVM::LLVMFuncOp TileLowering::run() {
  if (!kernel.getThreads()) {
    fail(kernel, "a kernel that states no threads");
    return {};
  }
  if (!verifyLayouts(kernel) || !verifyBarriers(kernel, *target.gpu) ||
      !verifyShared(kernel, *target.gpu))
    return {};
  if (llvm::any_of(kernel.getBlock(), llvm::IsaPred<tile::WarpSpecializeOp>)) {
    async = std::make_unique<AsyncLowering>(*this);
    if (!async->findMaps())
      fail(kernel, "a copy of what is no tensor");
  }
  checkLimits();
  if (failed)
    return {};
  b.setInsertionPoint(kernel);
  function = createFunction();
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  bindArguments(*entry);
  team = wholeBlock();
  if (std::optional<int64_t> blocks = residentBlocks(*kernel.getThreads()))
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      b.getI32IntegerAttr(*blocks));
  if (async)
    lowerBlock(kernel.getBlock());
  else
    lowerTask();
  if (failed) {
    function.erase();
    return {};
  }
  LLVM::ReturnOp::create(b, ValueRange());
  function->setAttr(kSharedBytesAttr, kernel->getAttr(kSharedBytesAttr));
  return function;
}

/// What computes addresses and asks caches for what lies there.
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

/// Prefetches come before the wait: what L2 holds is what any multiprocessor wrote last,
/// so that bytes which come early are right even where an earlier kernel changes them.
void TileLowering::lowerTask() {
  bool prefetches = false, waited = false;
  kernel->walk([&](tile::PrefetchOp) { prefetches = true; });
  for (Operation &op : kernel.getBlock().without_terminator()) {
    if (!waited && !(prefetches && isEarly(&op))) {
      waitForEarlierKernels();
      waited = true;
    }
    b.setLoc(op.getLoc());
    lower(&op);
    if (failed)
      return;
  }
  if (!waited)
    waitForEarlierKernels();
}

/// Such a kernel may be launched before the ones it depends on end. Every thread waits
/// until they have, whatever it does then: so the end of a kernel means the end of all
/// that were before it, and memory can be used again. Kernels behind this one may come.
void TileLowering::waitForEarlierKernels() {
  if (target.gpu->hasDependentLaunch)
    assembly({}, {}, "griddepcontrol.wait;\ngriddepcontrol.launch_dependents;",
             "~{memory}");
}

void TileLowering::lowerScratch(tile::ScratchOp op) {
  Value offset = scalar(op.getOffset());
  int64_t alignment = std::min<int64_t>(knownDivisor(op.getOffset()), 16);
  buffers[op] = {gep(sharedFor(op), b.getI8Type(), offset), Space::Shared, alignment};
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void TileLowering::lowerBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    b.setLoc(op.getLoc());
    lower(&op);
    if (failed)
      return;
  }
}

void TileLowering::lowerFor(scf::ForOp op) {
  Value lower = scalar(op.getLowerBound()), step = scalar(op.getStep());
  Team outer = team;
  auto size = op->getAttrOfType<IntegerAttr>(tile::kTeamAttr);
  if (size && size.getInt() < team.threads) {
    if (op.getNumResults() > 0)
      return fail(op, "a loop that teams share carries nothing");
    int64_t teams = team.threads / size.getInt();
    team = splitBlock(size.getInt());
    lower = add(lower, mul(team.number, step));
    step = mul(step, index(teams));
  }
  auto loop = scf::ForOp::create(b, lower, scalar(op.getUpperBound()), step,
                                 flatten(op.getInitArgs()));
  scalars.map(op.getInductionVar(), loop.getInductionVar());
  bind(op.getRegionIterArgs(), loop.getRegionIterArgs());
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    diverged = true; // where the lanes are, is not known
    lowerBlock(*op.getBody());
    if (failed)
      return;
    if (loop.getNumResults() > 0)
      scf::YieldOp::create(b, flatten(op.getBody()->getTerminator()->getOperands()));
  }
  team = outer;
  diverged = true; // where the lanes are, is not known
  bind(op.getResults(), loop.getResults());
}

void TileLowering::lowerIf(scf::IfOp op) {
  auto branch = scf::IfOp::create(b, loweredTypes(op.getResultTypes()),
                                  scalar(op.getCondition()), !op.getElseRegion().empty());
  OpBuilder::InsertionGuard guard(b);
  for (auto [from, to] : llvm::zip(op->getRegions(), branch->getRegions())) {
    if (from.empty())
      continue;
    b.setInsertionPointToStart(&to.front());
    diverged = true; // where the lanes are, is not known
    lowerBlock(from.front());
    if (failed)
      return;
    if (op.getNumResults() > 0)
      scf::YieldOp::create(b, flatten(from.front().getTerminator()->getOperands()));
  }
  diverged = true; // where the lanes are, is not known
  bind(op.getResults(), branch.getResults());
}

void TileLowering::lowerSwitch(scf::IndexSwitchOp op) {
  auto branch =
      scf::IndexSwitchOp::create(b, loweredTypes(op.getResultTypes()),
                                 scalar(op.getArg()), op.getCases(), op.getNumCases());
  OpBuilder::InsertionGuard guard(b);
  for (auto [from, to] : llvm::zip(op->getRegions(), branch->getRegions())) {
    b.setInsertionPointToStart(&to.emplaceBlock());
    diverged = true; // where the lanes are, is not known
    lowerBlock(from.front());
    if (failed)
      return;
    scf::YieldOp::create(b, flatten(from.front().getTerminator()->getOperands()));
  }
  diverged = true; // where the lanes are, is not known
  bind(op.getResults(), branch.getResults());
}

void TileLowering::lowerApply(Operation *op) {
  auto apply = cast<affine::AffineApplyOp>(op);
  AffineMap map = apply.getAffineMap();
  scalars.map(apply.getResult(),
              expandAffine(b, map.getResult(0), scalarsOf(apply.getOperands()),
                           map.getNumDims()));
}

//===----------------------------------------------------------------------===//
// Dispatch
//===----------------------------------------------------------------------===//

void TileLowering::lower(Operation *op) {
  if (async && async->lower(op))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp op) { lowerFor(op); })
      .Case([&](scf::IfOp op) { lowerIf(op); })
      .Case([&](scf::IndexSwitchOp op) { lowerSwitch(op); })
      .Case([&](affine::AffineApplyOp op) { lowerApply(op); })
      .Case([&](tile::ScratchOp op) { lowerScratch(op); })
      .Case([&](tile::WorkspaceOp op) { lowerWorkspace(op); })
      .Case([&](tile::TicketOp op) { lowerTicket(op); })
      .Case([&](tile::SyncThreadsOp) { barrier(); })
      .Case([&](tile::ViewOp op) { lowerView(op); })
      .Case([&](tile::LoadOp op) { lowerLoad(op); })
      .Case([&](tile::StoreOp op) { lowerStore(op); })
      .Case([&](tile::GatherOp op) { lowerGather(op); })
      .Case([&](tile::ScatterOp op) { lowerScatter(op); })
      .Case([&](tile::StageOp op) { lowerStage(op); })
      .Case([&](tile::PipelineOp op) { lowerPipeline(op); })
      .Case([&](tile::MmaOp op) { lowerMma(op); })
      .Case([&](tile::PrefetchOp op) { lowerPrefetch(op); })
      .Case([&](tile::FillOp op) {
        define(op, splat(op.getType(), scalar(op.getValue())));
      })
      .Case([&](tile::MapOp op) { lowerMap(op); })
      .Case([&](tile::ReduceOp op) { lowerReduce(op); })
      .Case([&](tile::BroadcastOp op) { lowerBroadcast(op); })
      .Case([&](tile::ConvertOp op) { lowerConvert(op); })
      .Case([&](tile::ConvertLayoutOp op) { lowerConvertLayout(op); })
      .Case([&](tile::IotaOp op) { lowerIota(op); })
      .Case([&](tile::SelectRangeOp op) { lowerSelectRange(op); })
      .Case([&](tile::ExtractOp op) { lowerExtract(op); })
      .Default([&](Operation *op) {
        if (isa<arith::ArithDialect, math::MathDialect>(op->getDialect()))
          b.clone(*op, scalars);
        else
          fail(op, "an op that has no meaning on this GPU");
      });
}
