//===- BuildPlan.cpp - From a graph of kernels to a plan ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "dialects/Graph/Ranks.h"
#include "kiln/Analysis/VerifyPrograms.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/Planning/Passes.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/Mesh.h"
#include "kiln/Support/PassOptions.h"

namespace kiln {
#define GEN_PASS_DEF_BUILDPLANPASS
#include "kiln/Planning/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;
using plan::ArenaKind;

static constexpr ArenaKind kArenas[] = {ArenaKind::weights, ArenaKind::input,
                                        ArenaKind::output,  ArenaKind::activations,
                                        ArenaKind::state,   ArenaKind::workspace};

namespace {
/// Writes a Program as plan ops.
class Writer {
public:
  Writer(const Program &program, const WeightPlaces &places, const SymbolRanges &ranges,
         int64_t stages)
      : program(program), places(places), ranges(ranges), main(program.function),
        stages(stages), builder(main.getContext()) {}

  plan::ProgramOp write();

private:
  ShapeAttr expr(const SymbolicExpr &value) {
    return makeShape(builder.getContext(), {value});
  }
  FlatSymbolRefAttr name(unsigned buffer) {
    return FlatSymbolRefAttr::get(builder.getContext(),
                                  "b" + std::to_string(newIndex[buffer]));
  }
  ArrayAttr names(ArrayRef<unsigned> buffers) {
    return builder.getArrayAttr(
        llvm::map_to_vector(buffers, [&](unsigned b) -> Attribute { return name(b); }));
  }
  void orderBuffers();
  void writeArena(ArenaKind kind);
  SmallVector<SymbolicExpr> sizesOf(ArenaKind kind);
  void writeBuffer(unsigned index);
  void writeStep(const Step &step);
  void writeTransfer(const Step &step);
  void writeCollective(const Step &step);
  IntegerAttr stageAttr(int64_t stage) {
    return stage == kAllStages ? IntegerAttr() : builder.getI64IntegerAttr(stage);
  }
  /// Returns null for all ranks of a stage.
  DenseI64ArrayAttr ranksAttr(MeshAxis axis) {
    bool isAll = axis == MeshAxis{ranksOf(main->getParentOfType<ModuleOp>())};
    return isAll ? DenseI64ArrayAttr()
                 : builder.getDenseI64ArrayAttr({axis.size, axis.stride});
  }
  void writeVariants(const KernelCode &code, plan::LaunchOp launch);

  const Program &program;
  const WeightPlaces &places;
  const SymbolRanges &ranges;
  func::FuncOp main;
  int64_t stages;
  OpBuilder builder;
  SmallVector<unsigned> order;    // buffers, each after those that it refers to
  SmallVector<unsigned> newIndex; // buffer -> position in `order`
  SmallVector<SymbolicExpr> scratch;
};
} // namespace

void Writer::orderBuffers() {
  order = program.inOrder();
  newIndex.resize(order.size());
  for (auto [position, buffer] : llvm::enumerate(order))
    newIndex[buffer] = position;
}

SmallVector<SymbolicExpr> Writer::sizesOf(ArenaKind kind) {
  if (kind == ArenaKind::workspace)
    return scratch;
  if (kind == ArenaKind::activations || kind == ArenaKind::state)
    return arenaSize(program, kind, ranges);
  // Includes weights that only other programs read; all are in one section.
  if (kind == ArenaKind::weights)
    return {places.bytes};
  // Other arenas are the concatenation of their buffers.
  SymbolicExpr sum;
  for (const Buffer &buffer : program.buffers)
    if (buffer.arena == kind && buffer.alias < 0)
      sum += buffer.size.alignTo(64);
  return {sum};
}

void Writer::writeArena(ArenaKind kind) {
  SmallVector<SymbolicExpr> sizes = sizesOf(kind);
  if (sizes.empty())
    sizes.push_back(0);
  plan::ArenaOp::create(builder, main.getLoc(), stringifyArenaKind(kind), kind,
                        makeShape(builder.getContext(), sizes));
}

void Writer::writeBuffer(unsigned index) {
  const Buffer &buffer = program.buffers[index];
  MLIRContext *context = builder.getContext();
  auto arena = FlatSymbolRefAttr::get(context, stringifyArenaKind(buffer.arena));
  bool isWeight = buffer.arena == ArenaKind::weights;
  bool isTensor = buffer.arena == ArenaKind::input || buffer.arena == ArenaKind::output ||
                  isState(buffer);
  plan::BufferOp::create(
      builder, main.getLoc(), name(index).getAttr(), arena, expr(buffer.size),
      builder.getI64IntegerAttr(buffer.first), builder.getI64IntegerAttr(buffer.last),
      buffer.above.empty() ? ArrayAttr() : names(buffer.above),
      buffer.alias >= 0 ? name(buffer.alias) : FlatSymbolRefAttr(),
      isWeight ? builder.getI64IntegerAttr(buffer.weightOffset) : IntegerAttr(),
      buffer.rankStride ? builder.getI64IntegerAttr(buffer.rankStride) : IntegerAttr(),
      buffer.rankStride ? ranksAttr(buffer.rankAxis) : DenseI64ArrayAttr(),
      stageAttr(buffer.stage), isTensor ? TypeAttr::get(buffer.type) : TypeAttr(),
      buffer.source.empty() ? StringAttr() : builder.getStringAttr(buffer.source),
      buffer.check);
}

/// Writes a copy within a rank's memory, or a handover to other stages.
void Writer::writeTransfer(const Step &step) {
  FlatSymbolRefAttr from = name(step.reads[0]);
  if (step.kind == Step::Copy) {
    plan::CopyOp::create(builder, main.getLoc(), from, name(step.writes[0]),
                         stageAttr(step.stage));
    return;
  }
  const Buffer &buffer = program.buffers[step.reads[0]];
  MLIRContext *context = builder.getContext();
  auto kind = step.takers == kAllStages ? plan::CollectiveKind::broadcast
                                        : plan::CollectiveKind::permute;
  plan::CollectiveOp::create(
      builder, main.getLoc(), plan::CollectiveKindAttr::get(context, kind),
      ReduceKindAttr(), from, from, TypeAttr::get(builder.getI8Type()), expr(1),
      expr(buffer.size), builder.getStrArrayAttr({buffer.source}), stageAttr(step.stage),
      DenseI64ArrayAttr(), FlatSymbolRefAttr(), FlatSymbolRefAttr(), IntegerAttr(),
      stageAttr(step.takers));
}

void Writer::writeStep(const Step &step) {
  if (!step.op)
    return writeTransfer(step);
  if (collectiveRanks(step.op))
    return writeCollective(step);
  auto kernel = cast<KernelOp>(step.op);
  for (const SymbolicExpr &bytes : step.code.scratch)
    if (!bytes.isConstant(0))
      addMaximum(scratch, bytes.alignTo(64));
  auto symbol = kernel.getCodeAttr()
                    ? kernel.getCodeAttr()
                    : FlatSymbolRefAttr::get(builder.getContext(), kernel.getHero());
  auto optional = [&](std::optional<unsigned> buffer) {
    return buffer ? name(*buffer) : FlatSymbolRefAttr();
  };
  auto launch = plan::LaunchOp::create(
      builder, kernel.getLoc(), symbol, names(step.reads), names(step.writes),
      makeShape(builder.getContext(), step.code.grids), expr(kernel.getBytes()),
      expr(kernel.getFlops()), kernel.getNodesAttr(), optional(step.workspace),
      optional(step.tickets), ArrayAttr(), stageAttr(step.stage));
  if (!step.code.variants.empty())
    writeVariants(step.code, launch);
}

/// Writes a collective with the elements that one rank contributes or receives, as
/// [outer, inner], where `inner` begins at the axis; for an all-to-all, the elements for
/// one other rank.
void Writer::writeCollective(const Step &step) {
  Operation *op = step.op;
  auto kind = plan::CollectiveKind::all_reduce;
  int64_t axis = 0;
  Dims part = getDims(op->getOperand(0));
  ReduceKindAttr reduction;
  if (auto reduce = dyn_cast<AllReduceOp>(op)) {
    reduction = reduce.getKindAttr();
  } else if (auto gather = dyn_cast<AllGatherOp>(op)) {
    kind = plan::CollectiveKind::all_gather;
    axis = gather.getAxis();
  } else if (auto exchange = dyn_cast<AllToAllOp>(op)) {
    kind = plan::CollectiveKind::all_to_all;
    axis = exchange.getAxis();
    part[axis] = *part[axis].exactDiv(exchange.getRanks());
  } else {
    auto scatter = cast<ReduceScatterOp>(op);
    kind = plan::CollectiveKind::reduce_scatter;
    axis = scatter.getAxis();
    part = getDims(scatter.getResult());
    reduction = scatter.getKindAttr();
  }
  plan::CollectiveOp::create(
      builder, op->getLoc(), plan::CollectiveKindAttr::get(builder.getContext(), kind),
      reduction, name(step.reads[0]), name(step.writes[0]),
      TypeAttr::get(cast<RankedTensorType>(op->getOperand(0).getType()).getElementType()),
      expr(numElements(ArrayRef(part).take_front(axis))),
      expr(numElements(ArrayRef(part).drop_front(axis))),
      builder.getStrArrayAttr({describe(op->getLoc())}), stageAttr(step.stage),
      ranksAttr(axisOfCollective(op)),
      op->getAttrOfType<FlatSymbolRefAttr>(kPeerKernelAttr),
      op->getAttrOfType<FlatSymbolRefAttr>(kSplitPeerKernelAttr),
      step.join ? builder.getI64IntegerAttr(step.join) : IntegerAttr(), IntegerAttr());
}

void Writer::writeVariants(const KernelCode &code, plan::LaunchOp launch) {
  MLIRContext *context = builder.getContext();
  SmallVector<Attribute> list;
  for (const KernelCode::Variant &one : code.variants) {
    SmallVector<Attribute> when;
    for (const KernelCode::Bound &bound : one.when)
      when.push_back(plan::BoundAttr::get(context, expr(bound.value), bound.max));
    list.push_back(
        plan::VariantAttr::get(context, FlatSymbolRefAttr::get(context, one.kernel),
                               one.target, builder.getArrayAttr(when), expr(one.grid)));
  }
  launch.setVariantsAttr(builder.getArrayAttr(list));
}

plan::ProgramOp Writer::write() {
  orderBuffers();
  builder.setInsertionPointAfter(main);
  bool isEntry = main.getName() != "main";
  auto op = plan::ProgramOp::create(
      builder, main.getLoc(), isEntry ? main.getNameAttr() : StringAttr(),
      stages > 1 ? builder.getI64IntegerAttr(stages) : IntegerAttr());
  Block &block = op.getBody().emplaceBlock();
  builder.setInsertionPointToStart(&block);
  for (const Step &step : program.steps)
    writeStep(step);
  // Arenas and buffers precede the steps, but the scratch sizes are known only after
  // these.
  builder.setInsertionPointToStart(&block);
  for (ArenaKind kind : kArenas)
    writeArena(kind);
  for (unsigned index : order)
    writeBuffer(index);
  return op;
}

//===----------------------------------------------------------------------===//
// Memory limit
//===----------------------------------------------------------------------===//

/// Returns INT64_MAX, which exceeds any limit, if there is no bound.
static int64_t maxOf(const SymbolRanges &ranges, ArrayRef<SymbolicExpr> exprs) {
  return ranges.maxOf(exprs).value_or(std::numeric_limits<int64_t>::max());
}

/// Returns text like "12.5 MiB: node 'ffn' (MatMul, opset 17)" for the largest buffers.
static std::string largestBuffers(const Program &program, const SymbolRanges &ranges) {
  SmallVector<std::pair<int64_t, unsigned>> sizes;
  for (auto [i, buffer] : llvm::enumerate(program.buffers))
    if (buffer.alias < 0)
      sizes.push_back({maxOf(ranges, buffer.size), i});
  llvm::sort(sizes, [](auto a, auto b) {
    return std::make_pair(-a.first, a.second) < std::make_pair(-b.first, b.second);
  });
  std::string text;
  for (auto [bytes, i] : ArrayRef(sizes).take_front(5)) {
    const Buffer &buffer = program.buffers[i];
    text += (text.empty() ? "" : ", ") + std::to_string(bytes) + " bytes of " +
            stringifyArenaKind(buffer.arena).str() + " '" + buffer.source + "'";
  }
  return text;
}

/// Checks the memory limit of one rank. `others` is the bytes of weights that this rank
/// does not have.
static LogicalResult checkLimit(plan::ProgramOp op, const Program &program,
                                int64_t others, const SymbolRanges &ranges,
                                uint64_t limit) {
  uint64_t total = 0;
  for (auto arena : op.getBody().getOps<plan::ArenaOp>())
    total =
        llvm::SaturatingAdd(total, uint64_t(maxOf(ranges, getDims(arena.getSizes()))));
  total -= others;
  if (limit == 0 || total <= limit)
    return success();
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::MemoryLimit;
  diagnosis.where = "memory plan";
  diagnosis.what = "some of the dims need up to " + std::to_string(total) +
                   " bytes; largest contributors: " + largestBuffers(program, ranges);
  diagnosis.expected = "at most " + std::to_string(limit) + " bytes";
  diagnosis.found = std::to_string(total);
  diagnosis.fix = "narrow the envelope with --dims, or raise --memory-limit";
  return emitError(op.getLoc(), diagnosis);
}

namespace {
class BuildPlanPass : public kiln::impl::BuildPlanPassBase<BuildPlanPass> {
public:
  BuildPlanPass() = default;
  explicit BuildPlanPass(BuildPlanPassOptions options, FindCode findCode = nullptr)
      : BuildPlanPassBase(std::move(options)), findCode(std::move(findCode)) {}
  LogicalResult initialize(MLIRContext *context) override {
    return checkOption(*this, stages, 1, Mesh::kMaxPlannedRanks, context);
  }

  void runOnOperation() override {
    SmallVector<func::FuncOp> functions = programsOf(getOperation());
    if (functions.empty())
      return warnOfNothing(*this, getOperation(), "program");
    if (failed(verifyPrograms(getOperation())))
      return signalPassFailure();
    SymbolRanges ranges(getOperation());
    WeightPlaces places(getOperation());
    std::vector<Program> programs;
    for (func::FuncOp function : functions) {
      FailureOr<Program> program = assignBuffers(function, places);
      if (failed(program))
        return signalPassFailure();
      programs.push_back(std::move(*program));
    }
    if (stages > 1 && failed(assignStages(programs, stages)))
      return signalPassFailure();
    if (microBatches)
      llvm::for_each(programs, orderWaves);
    if (overlap)
      for (Program &program : programs)
        scheduleSteps(program, ranges);
    SmallVector<plan::ProgramOp> plans;
    for (Program &program : programs) {
      if (failed(lay(program, ranges)))
        return signalPassFailure();
      plans.push_back(Writer(program, places, ranges, stages).write());
    }
    int64_t others = weightsOfOthers(getOperation());
    for (auto [op, program] : llvm::zip(plans, programs))
      if (failed(checkLimit(op, program, others, ranges, memoryLimit)))
        return signalPassFailure();
  }

private:
  /// Assigns an offset to each buffer.
  LogicalResult lay(Program &program, const SymbolRanges &ranges) {
    assignLifetimes(program);
    if (failed(addWorkspaces(program, findCode, ranges)) ||
        failed(checkEnvelope(program.function, program)))
      return failure();
    packArena(program, ArenaKind::activations, ranges);
    packArena(program, ArenaKind::state, ranges);
    numInPlace += program.numInPlace;
    return success();
  }

  FindCode findCode;
};
} // namespace

std::unique_ptr<Pass> kiln::createBuildPlanPass(BuildPlanPassOptions options,
                                                FindCode findCode) {
  return std::make_unique<BuildPlanPass>(options, std::move(findCode));
}
