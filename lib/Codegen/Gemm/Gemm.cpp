//===- Gemm.cpp - GEMM kernels --------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GemmAnalysis.h"
#include "Gemv.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"
#include "lib/Codegen/Gemm/Config/ScaledConfig.h"
#include "lib/Codegen/Gemm/Config/TensorConfig.h"
#include "lib/Codegen/Gemm/Gpu/GpuGemm.h"
#include "lib/Codegen/Gemm/Gpu/ScaledGemm.h"
#include "lib/Codegen/Gemm/Host/HostGemm.h"
#include "lib/Codegen/Gemm/Program/GemmTensors.h"
#include "lib/Codegen/Gemm/Program/Rows.h"

#include <limits>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static constexpr StringLiteral kRows = "rows";

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static int64_t defaultWidth(graph::KernelOp kernel) {
  for (Operation &op : kernel.getBlock())
    if (ProductOp product = ProductOp::of(&op))
      return gemmPanelWidth(getElementTypeOrSelf(product.getResult().getType()));
  return gemmPanelWidth(Float32Type::get(kernel.getContext()));
}

/// Returns the panel widths that suit every target: the default for unpacked operands,
/// and packed panels at full width.
static GemmProgram::Lanes defaultLanes(graph::KernelOp kernel) {
  return {defaultWidth(kernel), std::numeric_limits<int64_t>::max()};
}

/// Returns the reason why a GPU has no kernel for a GEMM of quantized operands; empty if
/// it has.
static std::string whyNoScaledGemm(const GemmProgram::ScaledOperands &scaled,
                                   const GpuInfo &gpu) {
  constexpr int64_t kShortest = 16; // K of one MMA
  if (!gpu.hasMmaSync)
    return "a product of quantized operands needs mma.sync";
  if (scaled.block % kShortest)
    return "a scale belongs to " + std::to_string(scaled.block) +
           " steps of K; products of quantized operands for GPUs have a multiple of " +
           std::to_string(kShortest);
  return "";
}

GemmPrograms::GemmPrograms(graph::KernelOp kernel)
    : kernel(kernel), widths(defaultLanes(kernel)) {
  std::string why;
  general(why);
}

const GemmProgram *GemmPrograms::find(GemmProgram::Lanes lanes, std::string &why) const {
  std::lock_guard<std::mutex> lock(mutex);
  auto [entry, isNew] = built.try_emplace({lanes.unpacked, lanes.maxPacked});
  Built &found = entry->second;
  if (isNew)
    found.program = GemmProgram::build(kernel, lanes, found.why);
  if (!found.program)
    why = found.why;
  return found.program.get();
}

const GemmProgram *GemmPrograms::forTarget(const TargetInfo &target,
                                           std::string &why) const {
  const GemmProgram *program = general(why);
  GemmProgram::Lanes lanes = widths;
  if (!target.gpu) {
    // Hosts need other tiles only if a packed panel is wider than theirs.
    bool isSame = program && !(program->isPacked && program->width > lanes.unpacked);
    lanes.maxPacked = lanes.unpacked;
    return isSame ? program : find(lanes, why);
  }
  if (program && program->scaled) {
    why = whyNoScaledGemm(*program->scaled, *target.gpu);
    if (!why.empty())
      return nullptr;
  }
  if (!program || !target.gpu->hasMmaSync || program->isPacked ||
      !program->fitsTensorCores())
    return program;
  auto columns = graph::getDims(program->op.getResult()).back().getConstant();
  int64_t bytes = tile::elementBytes(program->rhs->storage);
  int64_t width = lanes.unpacked;
  for (lanes.unpacked = tensorPanelWidth(columns, bytes); lanes.unpacked > width;
       lanes.unpacked /= 2) {
    std::string reason;
    if (const GemmProgram *other = find(lanes, reason))
      return other;
  }
  return program;
}

//===----------------------------------------------------------------------===//
// Problems and models
//===----------------------------------------------------------------------===//

/// Assumed number of batches where it is known at run time only.
static constexpr int64_t kTypicalBatch = 8;

static GemmProblem problemOf(const GemmProgram &program, const TargetInfo &target) {
  GemmProblem problem;
  for (const Loop &loop : program.batch) {
    problem.batch *= loop.extent.getConstant().value_or(kTypicalBatch);
    problem.isBatchKnown &= loop.extent.getConstant().has_value();
  }
  problem.operandBytes = tile::elementBytes(program.lhs->storage);
  problem.onTensorCores =
      target.gpu && target.gpu->hasMmaSync && program.fitsTensorCores();
  problem.dot = program.dotProduct(target);
  problem.m = knownRows(program);
  problem.hasConstantRows = program.row.extent.isConstant();
  problem.allowSplitK = problem.hasConstantRows || program.maxRows;
  if (auto panels = program.panelCount().getConstant())
    problem.n = *panels * program.width;
  problem.k = program.k.extent.getConstant();
  problem.accumulatorBytes = tile::elementBytes(program.accumulator);
  problem.rhsBytes = tile::elementBytes(program.rhs->storage);
  problem.isPacked = program.isPacked;
  problem.width = program.width;
  problem.panelsPerPack = program.panelsPerPack;
  if (program.scaled) {
    problem.scaleBlock = program.scaled->block;
    problem.codeBits = program.scaled->bits();
    problem.multipliesCodes = program.scaled->lhsTotals != nullptr;
  }
  if (program.rhsScales)
    problem.rhsScaleBlock = program.rhsScales->block;
  problem.hasHalves = program.second != nullptr;
  problem.epilogueCost = program.epilogueCost();
  problem.deal = program.deal();
  problem.resultRun = program.resultRun(problem.resultRun);
  problem.hasTensorOperands = hasTensorOperands(program);
  describeGemv(program, problem);
  return problem;
}

/// Returns the program for launches of at most `maxRows` rows; nullopt: any number.
static GemmProgram limited(const GemmProgram &program, std::optional<int64_t> maxRows) {
  GemmProgram own = program;
  own.maxRows = maxRows;
  return own;
}

static std::optional<int64_t> maxRows(const CodeRequest &request) {
  return maxOf(request.variant, kRows);
}

GemmProblem GemmAnalysis::problem(const CodeRequest &request) const {
  std::string why;
  const GemmProgram *program = programs.forTarget(request.target, why);
  return program ? problemOf(limited(*program, maxRows(request)), request.target)
                 : GemmProblem();
}

Attribute kiln::codegen::chooseGpuConfig(MLIRContext *context, const GemmProblem &problem,
                                         const TargetInfo &target) {
  auto groups = rankWarpgroupGemmConfigs(context, problem, target);
  if (!groups.empty())
    return groups.front();
  if (auto gemv = chooseGemvConfig(context, problem, target))
    return gemv;
  auto blocks = rankBlockGemmConfigs(context, problem, target);
  return blocks.empty() ? Attribute() : blocks.front();
}

int64_t kiln::codegen::gpuConfigCost(const GemmProblem &problem, const TargetInfo &target,
                                     Attribute config) {
  if (auto groups = dyn_cast<tile::WarpgroupGemmConfigAttr>(config))
    return warpgroupGemmCost(problem, target, groups);
  if (auto gemv = dyn_cast<tile::GemvConfigAttr>(config))
    return gemvCycles(problem, target, gemv);
  auto block = cast<tile::BlockGemmConfigAttr>(config);
  if (problem.scaleBlock)
    return scaledGemmCycles(problem, target, block);
  return problem.onTensorCores ? tensorGemmCycles(problem, target, block)
                               : blockGemmCycles(problem, target, block);
}

double kiln::codegen::gpuConfigTime(const GemmProblem &problem, const TargetInfo &target,
                                    Attribute config) {
  const GpuModel &machine = target.gpu->model;
  int64_t cost = gpuConfigCost(problem, target, config);
  // The cost of warpgroup configs is in columns times steps of K.
  if (isa<tile::WarpgroupGemmConfigAttr>(config))
    cost *= machine.wgmmaColumnCycles;
  return machine.nanoseconds(double(cost));
}

/// Returns true if the config `few` for few rows is worth a variant of its own beside
/// `more`. Models of different kinds of config have no common unit; if the kinds differ,
/// the selection has already compared them.
static bool tellsApart(const GemmProblem &problem, const TargetInfo &target,
                       Attribute few, Attribute more) {
  constexpr int64_t kShare = 16; // fraction of the cycles within which the model is not
                                 // accurate
  if (few.getTypeID() != more.getTypeID())
    return true;
  int64_t cost = gpuConfigCost(problem, target, more);
  return gpuConfigCost(problem, target, few) < cost - cost / kShare;
}

std::vector<Quantity> GemmAnalysis::quantities() const {
  std::string why;
  return {{kRows.str(), programs.general(why)->row.extent}};
}

SmallVector<Variant> GemmAnalysis::variants(const TargetInfo &target) const {
  std::string why;
  const GemmProgram *program = programs.forTarget(target, why);
  SmallVector<Variant> variants;
  if (!program || !target.gpu)
    return variants;
  Attribute more = chooseGpuConfig(context, problemOf(*program, target), target);
  if (!more)
    return variants;
  SmallVector<int64_t> bounds = rowBounds(*program);
  for (int64_t bound : llvm::reverse(bounds)) {
    GemmProblem problem = problemOf(limited(*program, bound), target);
    Attribute few = chooseGpuConfig(context, problem, target);
    if (!few || !tellsApart(problem, target, few, more))
      continue;
    variants.insert(variants.begin(), Variant{{Bound{kRows.str(), bound}}});
    more = few;
  }
  return variants;
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

static FailureOr<tile::KernelOp> emitForGpu(graph::KernelOp kernel, GemmProgram &program,
                                            const TargetInfo &target, OpBuilder &builder,
                                            Attribute config) {
  if (!config)
    config = chooseGpuConfig(builder.getContext(), problemOf(program, target), target);
  if (!config) {
    kiln::emitError(kernel.getLoc(),
                    {ErrorCode::KernelNotEmittable, "",
                     "no tile of this product fits " + target.name,
                     "a tile that its registers and shared memory hold", "none", ""});
    return failure();
  }
  if (auto gemv = dyn_cast<tile::GemvConfigAttr>(config))
    return GemvEmitter(builder, kernel, program, gemv)
        .prefetchWeights(target.gpu->hasDependentLaunch)
        .emit();
  if (program.scaled)
    return ScaledGemm(builder, kernel, program, cast<tile::BlockGemmConfigAttr>(config))
        .emit();
  GpuGemm gemm(builder, kernel, program, *target.gpu);
  if (auto groups = dyn_cast<tile::WarpgroupGemmConfigAttr>(config))
    return gemm.emit(groups);
  return gemm.emit(cast<tile::BlockGemmConfigAttr>(config));
}

FailureOr<tile::KernelOp> GemmAnalysis::emit(graph::KernelOp kernel,
                                             const CodeRequest &request,
                                             OpBuilder &builder, Attribute config) const {
  std::string why;
  const TargetInfo &target = request.target;
  const GemmProgram *known = programs.forTarget(target, why);
  if (!known)
    return kiln::emitError(kernel.getLoc(),
                           {ErrorCode::KernelNotEmittable, "", why,
                            "one matmul between views and elementwise ops", "", ""});
  GemmProgram program = limited(*known, maxRows(request));
  if (target.gpu)
    return emitForGpu(kernel, program, target, builder, config);
  if (!config)
    config = rankGemmConfigs(context, problemOf(program, target), target).front();
  return HostGemm(builder, kernel, program, cast<tile::GemmConfigAttr>(config), target)
      .emit();
}
