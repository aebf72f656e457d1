//===- Describe.cpp - A model as a workload for estimates -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Pipeline/Describe.h"
#include "Compiler.h"
#include "dialects/Plan/Plan.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/Estimate/Collectives.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;
using estimate::Arithmetic;
using BufferValue = estimate::Value;

namespace {
/// FLOPs of the matmuls and attentions in a kernel, and the type that they multiply.
struct KernelProducts {
  Arithmetic arithmetic = Arithmetic::F32;
  SymbolicExpr flops;
};

/// Converts the plans of a module to a workload.
class Describer {
public:
  Describer(ModuleOp module, bool tokensGiven) : module(module) {
    for (auto symbol : module.getOps<SymbolOp>()) {
      bool isStep = symbol.getSymName() == "tokens" && !tokensGiven;
      sizes[symbol.getSymName()] = isStep ? symbol.getMin() : symbol.getMax();
    }
    for (KernelOp kernel : kernelsOf(module))
      addProducts(kernel);
  }
  estimate::Workload run(int64_t ranks);

private:
  double eval(const SymbolicExpr &expr) const {
    return static_cast<double>(
        expr.evaluate([&](StringAttr name) { return sizes.lookup(name); }).value_or(0));
  }
  double eval(ShapeAttr shape) const { return eval(getDims(shape).front()); }
  void addProducts(KernelOp kernel);
  estimate::Program program(plan::ProgramOp op);
  void addArena(plan::ArenaOp arena, estimate::Program &out);
  void addBuffer(plan::BufferOp buffer, estimate::Program &out);
  void addLaunch(plan::LaunchOp launch, estimate::Program &out);
  void addCollective(plan::CollectiveOp op, estimate::Program &out);
  std::vector<unsigned> buffers(ArrayAttr names) const;
  std::string nameOf(ArrayAttr nodes, StringRef otherwise) const;

  ModuleOp module;
  llvm::StringMap<int64_t> sizes;
  llvm::StringMap<KernelProducts> products; ///< by name of the code
  llvm::StringMap<int64_t> states;          ///< key of each state, by name
  llvm::StringMap<unsigned> numbers;        ///< index of each buffer of the current
                                            ///< program
  llvm::StringMap<plan::BufferOp> ops;      ///< op of each buffer of the current program
  int64_t ranks = 1;
};
} // namespace

static Arithmetic arithmeticOf(Type element, bool tf32) {
  if (element.isF32())
    return tf32 ? Arithmetic::TF32 : Arithmetic::F32;
  if (element.isF16() || element.isBF16())
    return Arithmetic::F16;
  if (isa<FloatType>(element))
    return element.getIntOrFloatBitWidth() <= 8 ? Arithmetic::F8 : Arithmetic::F32;
  return Arithmetic::I8;
}

Arithmetic kiln::arithmeticOf(StringRef precision, const TargetInfo &target) {
  if (const WeightFormat *format = findWeightFormat(precision)) {
    if (!format->isStoredAsFloat8())
      return Arithmetic::I8;
    return target.gpu ? Arithmetic::TF32 : Arithmetic::F32;
  }
  return llvm::StringSwitch<Arithmetic>(precision)
      .Case("tf32", Arithmetic::TF32)
      .Cases({"bf16", "f16"}, Arithmetic::F16)
      .Default(Arithmetic::F32);
}

/// Adds the FLOPs of a kernel once per code, as kernels with equal bodies have the same
/// code.
void Describer::addProducts(KernelOp kernel) {
  if (!kernel.getCodeAttr())
    return;
  auto [it, isNew] = products.try_emplace(kernel.getCodeAttr().getValue());
  if (!isNew)
    return;
  for (Operation &op : kernel.getBlock()) {
    auto cost = dyn_cast<CostOpInterface>(op);
    if (!cost || !isa<MatmulOp, ScaledMatmulOp, AttentionOp>(op))
      continue;
    auto matmul = dyn_cast<MatmulOp>(op);
    Type element = getElementTypeOrSelf(op.getOperand(0).getType());
    it->second.arithmetic = arithmeticOf(element, matmul && matmul.getTf32());
    it->second.flops += cost.getFlops();
  }
}

std::vector<unsigned> Describer::buffers(ArrayAttr names) const {
  std::vector<unsigned> list;
  for (auto name : names.getAsRange<FlatSymbolRefAttr>())
    list.push_back(numbers.lookup(name.getValue()));
  return list;
}

std::string Describer::nameOf(ArrayAttr nodes, StringRef otherwise) const {
  return nodes && !nodes.empty() ? cast<StringAttr>(nodes[0]).str() : otherwise.str();
}

void Describer::addArena(plan::ArenaOp arena, estimate::Program &out) {
  double bytes = 0;
  for (const SymbolicExpr &size : getDims(arena.getSizes()))
    bytes = std::max(bytes, eval(size));
  switch (arena.getKind()) {
  case plan::ArenaKind::input:
    out.inputBytes = bytes;
    break;
  case plan::ArenaKind::output:
    out.outputBytes = bytes;
    break;
  case plan::ArenaKind::activations:
    out.activationBytes = bytes;
    break;
  case plan::ArenaKind::workspace:
    out.workspaceBytes = bytes;
    break;
  default: // other arenas are counted by buffer
    break;
  }
}

static BufferValue::Kind kindOf(StringRef arena) {
  return llvm::StringSwitch<BufferValue::Kind>(arena)
      .Case("weights", BufferValue::Kind::Weight)
      .Case("state", BufferValue::Kind::State)
      .Case("input", BufferValue::Kind::Input)
      .Case("output", BufferValue::Kind::Output)
      .Default(BufferValue::Kind::Activation);
}

void Describer::addBuffer(plan::BufferOp buffer, estimate::Program &out) {
  numbers[buffer.getSymName()] = static_cast<unsigned>(out.values.size());
  ops[buffer.getSymName()] = buffer;
  BufferValue value;
  value.kind = kindOf(buffer.getArena());
  value.bytes = eval(buffer.getSize());
  if (value.kind == BufferValue::Kind::Weight) {
    value.key = static_cast<int64_t>(*buffer.getOffset());
    value.isDivided = buffer.getStride().has_value();
  }
  if (value.kind == BufferValue::Kind::State) {
    plan::BufferOp storage = buffer;
    while (storage.getAlias())
      storage = ops.lookup(*storage.getAlias());
    // Arrival counters of kernels have no name; each program has its own.
    std::string name = storage.getSource() ? storage.getSource()->str()
                                           : out.name + "/" + storage.getSymName().str();
    value.key = states.try_emplace(name, int64_t(states.size())).first->second;
    value.bytes = eval(storage.getSize());
  }
  // The first integer input of a model holds the tokens.
  auto type = buffer.getType() ? dyn_cast<RankedTensorType>(*buffer.getType())
                               : RankedTensorType();
  if (value.kind == BufferValue::Kind::Input && type &&
      type.getElementType().isInteger() && type.getRank() > 0 && out.tokens == 0)
    out.tokens = eval(numElements(getDims(type)));
  out.values.push_back(value);
}

void Describer::addLaunch(plan::LaunchOp launch, estimate::Program &out) {
  estimate::Step step;
  step.name = nameOf(launch.getNodesAttr(), launch.getKernel());
  step.bytes = eval(launch.getBytes());
  const KernelProducts &product = products[launch.getKernel()];
  step.arithmetic = product.arithmetic;
  step.productFlops = eval(product.flops);
  step.otherFlops = std::max(0.0, eval(launch.getFlops()) - step.productFlops);
  step.reads = buffers(launch.getReads());
  step.writes = buffers(launch.getWrites());
  out.steps.push_back(std::move(step));
}

/// Adds a collective. The plan has the size of one rank's part; the entire tensor is that
/// size times the number of parts.
void Describer::addCollective(plan::CollectiveOp op, estimate::Program &out) {
  estimate::Step step;
  step.kind = estimate::Step::Kind::Collective;
  step.name = nameOf(op.getNodesAttr(), plan::stringifyCollectiveKind(op.getKind()));
  if (auto group = op.getRanks()) {
    step.groupSize = (*group)[0];
    step.groupStride = (*group)[1];
  }
  step.bytes = eval(op.getOuter()) * eval(op.getInner()) *
               static_cast<double>(elementBytes(op.getElement()));
  if (op.getKind() == plan::CollectiveKind::all_gather ||
      op.getKind() == plan::CollectiveKind::reduce_scatter ||
      op.getKind() == plan::CollectiveKind::all_to_all)
    step.bytes *= static_cast<double>(step.groupSize ? step.groupSize : ranks);
  step.collective = estimate::collectiveOf(plan::stringifyCollectiveKind(op.getKind()));
  step.reads = {numbers.lookup(op.getFrom())};
  step.writes = {numbers.lookup(op.getTo())};
  if (op.getJoin())
    step.join = static_cast<unsigned>(*op.getJoin());
  out.steps.push_back(std::move(step));
}

estimate::Program Describer::program(plan::ProgramOp op) {
  estimate::Program out;
  out.name = op.getName() ? op.getName()->str() : "main";
  numbers.clear();
  ops.clear();
  for (Operation &one : op.getBody().front()) {
    if (auto arena = dyn_cast<plan::ArenaOp>(one))
      addArena(arena, out);
    else if (auto buffer = dyn_cast<plan::BufferOp>(one))
      addBuffer(buffer, out);
    else if (auto launch = dyn_cast<plan::LaunchOp>(one))
      addLaunch(launch, out);
    else if (auto collective = dyn_cast<plan::CollectiveOp>(one))
      addCollective(collective, out);
    else if (auto copy = dyn_cast<plan::CopyOp>(one)) {
      estimate::Step step;
      step.kind = estimate::Step::Kind::Copy;
      step.name = "copy";
      step.reads = {numbers.lookup(copy.getFrom())};
      step.writes = {numbers.lookup(copy.getTo())};
      step.bytes = 2 * out.values[step.reads[0]].bytes;
      out.steps.push_back(std::move(step));
    }
  }
  return out;
}

estimate::Workload Describer::run(int64_t ranks) {
  this->ranks = ranks;
  estimate::Workload workload;
  workload.ranks = ranks;
  for (auto symbol : module.getOps<SymbolOp>())
    workload.dims.emplace_back(symbol.getSymName().str(),
                               sizes.lookup(symbol.getSymName()));
  for (auto op : module.getOps<plan::ProgramOp>())
    workload.programs.push_back(program(op));
  return workload;
}

//===----------------------------------------------------------------------===//
// The phases
//===----------------------------------------------------------------------===//

llvm::Error Compiler::planOnPaper(const estimate::MeshShape &mesh) {
  if (llvm::Error error = options.precision.check())
    return error;
  for (const std::string &target : options.targets.names)
    if (llvm::Error error = TargetInfo::get(target).takeError())
      return error;
  bool isContext = mesh.division == Division::Context;
  MeshOptions &ranks = phaseOptions.mesh;
  ranks.axes = Mesh();
  ranks.axes.tp = isContext ? mesh.weightRanks : mesh.tp;
  ranks.axes.cp = isContext ? mesh.tp / mesh.weightRanks : 1;
  ranks.axes.sequence = mesh.division == Division::Sequence;
  ranks.axes.dividesCaches = mesh.dividesCaches;
  ranks.overlap = mesh.overlap();
  if (isContext && mesh.microBatches() > 1)
    return makeError({ErrorCode::ShardImpossible, mesh.str(),
                      "micro-batches are not combined with context parallelism", "", "",
                      "leave out --micro-batches or cp"});
  // Estimates cut stages on the workload, so here the steps stay in the order of
  // micro-batches.
  ranks.microBatches = mesh.microBatches();
  return runModulePhases();
}

llvm::Expected<estimate::Workload> Compiler::describe(const estimate::MeshShape &mesh) {
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !firstError)
      firstError = diagnosisOf(diagnostic);
    return success();
  });
  purpose = Purpose::Estimate;
  if (llvm::Error error = planOnPaper(mesh))
    return std::move(error);
  bool tokensGiven = llvm::any_of(
      options.dims, [](const DimRange &dim) { return dim.name == "tokens"; });
  return Describer(*model.module, tokensGiven).run(mesh.tp);
}

llvm::Expected<estimate::Workload> kiln::describe(const CompileOptions &options,
                                                  const estimate::MeshShape &mesh) {
  CompileReport report;
  return Compiler(options, report).describe(mesh);
}
