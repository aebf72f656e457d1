//===- PackageEstimate.cpp - Estimates from a package's plan --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/PackageEstimate.h"
#include "kiln/Estimate/Collectives.h"
#include "kiln/Execution/DimExpr.h"
#include "kiln/Execution/Handles.h"
#include "kiln/Execution/Provenance.h"
#include "kiln/Execution/Status.h"
#include "kiln/Pipeline/Describe.h"
#include "kiln/Support/UsageError.h"
#include "kiln/group.h"
#include "llvm/Support/JSON.h"

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::estimate;
using namespace llvm;

namespace {
/// Reads one program for fixed values of its symbols.
class ProgramReader {
public:
  ProgramReader(kiln_model *model, const std::vector<DimRange> &dims, int64_t ranks,
                estimate::Arithmetic arithmetic)
      : model(model), dims(dims), ranks(ranks), arithmetic(arithmetic) {}
  Error read(Program &out, double &stateBytes);
  std::vector<std::pair<std::string, int64_t>> sizes() const;

private:
  Error findSizes();
  Error readArenas(Program &out, double &stateBytes);
  Error readStep(size_t index, Program &out);
  void readTokens(Program &out);

  kiln_model *model;
  const std::vector<DimRange> &dims;
  int64_t ranks;
  estimate::Arithmetic arithmetic;
  std::vector<int64_t> values; ///< symbol values
};
} // namespace

Error ProgramReader::findSizes() {
  for (size_t i = 0; i < kiln_model_symbol_count(model); ++i) {
    const kiln_symbol_info &symbol = *kiln_model_symbol(model, i);
    StringRef name = symbol.name;
    int64_t size = name == "tokens" ? symbol.min : symbol.max;
    for (const DimRange &dim : dims)
      if (dim.name == name)
        size = dim.hi;
    if (size < symbol.min || size > symbol.max)
      return usageError("kiln estimate: --dims",
                        "the package is for other sizes of " + name,
                        Twine(symbol.min) + " to " + Twine(symbol.max), Twine(size),
                        "choose a size in this range");
    values.push_back(size);
  }
  return Error::success();
}

std::vector<std::pair<std::string, int64_t>> ProgramReader::sizes() const {
  std::vector<std::pair<std::string, int64_t>> list;
  for (auto [i, value] : enumerate(values))
    list.emplace_back(kiln_model_symbol(model, i)->name, value);
  return list;
}

Error ProgramReader::readArenas(Program &out, double &stateBytes) {
  for (size_t i = 0; i < kiln_model_arena_count(model); ++i) {
    uint64_t bytes = 0;
    KILN_CHECK(toError(kiln_model_arena_bytes(model, i, values.data(), &bytes)));
    switch (kiln_model_arena(model, i)->kind) {
    case KILN_ARENA_INPUT:
      out.inputBytes = double(bytes);
      break;
    case KILN_ARENA_OUTPUT:
      out.outputBytes = double(bytes);
      break;
    case KILN_ARENA_ACTIVATIONS:
      out.activationBytes = double(bytes);
      break;
    case KILN_ARENA_WORKSPACE:
      out.workspaceBytes = double(bytes);
      break;
    case KILN_ARENA_STATE:
      stateBytes = std::max(stateBytes, double(bytes));
      break;
    default: // differ between ranks: see kiln_model_rank
      break;
    }
  }
  return Error::success();
}

Error ProgramReader::readStep(size_t index, Program &out) {
  const kiln_step_info &info = *kiln_model_step(model, index);
  Step step;
  step.name = info.node_count ? info.nodes[0] : info.kernel;
  kiln_collective_info collective;
  KILN_CHECK(toError(kiln_model_collective(model, index, values.data(), &collective)));
  if (collective.kind) {
    step.kind = Step::Kind::Collective;
    step.collective = collectiveOf(collective.kind);
    step.groupSize = static_cast<int64_t>(collective.group_size);
    step.groupStride = static_cast<int64_t>(collective.group_stride);
    // The bytes of an all-gather are those that each rank contributes.
    bool isPart = step.collective == CollectiveKind::AllGather;
    step.bytes = double(collective.bytes) *
                 (isPart ? double(step.groupSize ? step.groupSize : ranks) : 1.0);
  } else {
    kiln_step_cost cost;
    KILN_CHECK(toError(kiln_model_step_cost(model, index, values.data(), &cost)));
    bool multiplies = is_contained({"matmul", "attention"}, StringRef(info.hero));
    step.kind = launchesKernel(info) ? Step::Kind::Kernel : Step::Kind::Copy;
    step.arithmetic = arithmetic;
    step.bytes = double(cost.bytes);
    (multiplies ? step.productFlops : step.otherFlops) = double(cost.flops);
  }
  out.steps.push_back(std::move(step));
  return Error::success();
}

Error ProgramReader::read(Program &out, double &stateBytes) {
  const char *entry = kiln_model_current_entry(model);
  out.name = entry && *entry ? entry : "main";
  KILN_CHECK(findSizes());
  KILN_CHECK(readArenas(out, stateBytes));
  for (size_t i = 0; i < kiln_model_step_count(model); ++i)
    KILN_CHECK(readStep(i, out));
  readTokens(out);
  return Error::success();
}

/// Counts the tokens of a run: the elements of the first integer input.
void ProgramReader::readTokens(Program &out) {
  SymbolValues symbols;
  for (const auto &[name, size] : sizes())
    symbols[name] = size;
  for (unsigned i = 0; i < inputCount(model); ++i) {
    const kiln_tensor_info &info = *kiln_model_input(model, i);
    if (info.rank == 0 || !is_contained({KILN_DTYPE_I64, KILN_DTYPE_I32}, info.dtype))
      continue;
    out.tokens = 1;
    for (const kiln_dim_info &dim : ArrayRef(info.dims, info.rank))
      out.tokens *= double(evaluateDim(dim.expr, symbols).value_or(0));
    return;
  }
}

/// Reads the weights of the rank that has the most bytes of them.
static Error readWeights(kiln_model *model, StagedWorkload &staged) {
  for (uint32_t rank = 0; rank < kiln_model_rank_count(model); ++rank) {
    kiln_rank_info info;
    KILN_CHECK(toError(kiln_model_rank(model, rank, &info)));
    if (double(info.weights_bytes) < staged.weightBytes[0])
      continue;
    staged.weightBytes[0] = double(info.weights_bytes);
    staged.replicatedBytes[0] = double(info.replicated_bytes);
  }
  return Error::success();
}

static Expected<MeshShape> meshOf(kiln_model *model, const std::string &path) {
  MeshShape mesh{static_cast<int64_t>(kiln_model_rank_count(model)), 1};
  json::Object provenance = provenanceOf(model);
  const json::Object *axes = provenance.getObject("mesh");
  if (!axes)
    return mesh;
  int64_t tp = axes->getInteger("tp").value_or(mesh.tp);
  int64_t cp = axes->getInteger("cp").value_or(1);
  Division division = cp > 1                                         ? Division::Context
                      : axes->getBoolean("sequence").value_or(false) ? Division::Sequence
                                                                     : Division::Tensor;
  return MeshShape{tp * cp, axes->getInteger("pp").value_or(1), division, cp > 1 ? tp : 1,
                   axes->getBoolean("divides_caches").value_or(false)};
}

Expected<PackageWorkload> execution::describePackage(const std::string &path,
                                                     const std::vector<DimRange> &dims,
                                                     const TargetInfo &target) {
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  options.inspect_only = 1;
  Expected<Model> model = loadModel(path, options);
  if (!model)
    return model.takeError();
  auto entries = entriesOf(model->get());
  if (!entries)
    return entries.takeError();
  PackageWorkload out;
  if (json::Object provenance = provenanceOf(model->get());
      const json::Array *programs = provenance.getArray("pipelined"))
    for (const json::Value &program : *programs)
      if (const json::Object *one = program.getAsObject();
          one && one->getInteger("micro_batches").value_or(1) > 1)
        return usageError("kiln estimate: " + path, "is a package with micro-batches",
                          "a package without", "micro-batches of a pipeline",
                          "estimate the ONNX model with --micro-batches");
  Expected<MeshShape> mesh = meshOf(model->get(), path);
  if (!mesh)
    return mesh.takeError();
  out.mesh = *mesh;
  out.workload.ranks = out.mesh.tp;
  out.staged.weightBytes = out.staged.replicatedBytes = out.staged.stateBytes = {0};
  std::string activations = activationsOf(model->get());
  estimate::Arithmetic arithmetic = arithmeticOf(
      activations.empty() ? precisionsOf(model->get()).front() : activations, target);
  for (kiln_model *entry : *entries) {
    ProgramReader reader(entry, dims, out.mesh.tp, arithmetic);
    out.workload.programs.emplace_back();
    if (Error error = reader.read(out.workload.programs.back(), out.staged.stateBytes[0]))
      return std::move(error);
    for (auto &size : reader.sizes())
      if (!is_contained(out.workload.dims, size))
        out.workload.dims.push_back(size);
    StagedProgram staged;
    staged.stages.assign(out.workload.programs.back().steps.size(), 0);
    out.staged.programs.push_back(std::move(staged));
  }
  if (Error error = readWeights(model->get(), out.staged))
    return std::move(error);
  return out;
}
