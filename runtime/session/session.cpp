//===- session.cpp - One user's way to run a model ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/session/session.h"
#include "runtime/device/find_device.h"
#include "runtime/model/tensors.h"
#include "runtime/session/api_guard.h"
#include <algorithm>

using namespace kiln::rt;

kiln_session::kiln_session(kiln_model &model, kiln_session *first)
    : ranges(model.info.symbols), model(model), first(first ? *first : *this),
      sources(model.plan.symbols.size()), symbols(model.plan.symbols.size()),
      layout(model.plan), checkerScratch(model.checker.placed().size()),
      inputs(model.plan.inputs.size()), outputs(model.plan.outputs.size()),
      inputData(inputs.size()), outputData(outputs.size()), inputBytes(inputs.size()),
      outputBytes(outputs.size()) {
  size_t dims = 0;
  for (const Tensor &t : model.plan.inputs)
    dims += t.dims.size();
  boundDims.resize(dims);
  if (isFirst())
    kiln_model_retain(&model);
}

kiln_session::~kiln_session() {
  others.clear(); // they use the memory of this session
  device.reset();
  if (isFirst())
    kiln_model_release(&model);
}

static std::string ranksText(uint32_t count) {
  return std::to_string(count) + (count == 1 ? " rank" : " ranks");
}

Status kiln_session::create(kiln_model &any, const kiln_session_options &options,
                            const ProcessGroup &group, kiln_session *&out) {
  kiln_model &model = *any.first;
  if (model.plan.ranks != group.size())
    return Failure{Code::GroupRanks,
                   model.path,
                   "the package is for another number of ranks",
                   ranksText(model.plan.ranks),
                   group.size() == 1 ? "one session" : ranksText(group.size()),
                   model.plan.ranks == 1
                       ? std::string("ask for one rank")
                       : "run it as a group of " + ranksText(model.plan.ranks) +
                             " (kiln run --ranks, kiln.Group, kiln_group_create)"};
  if (model.inspectOnly)
    return Failure{Code::ModelInspectOnly,
                   model.path,
                   "the model was loaded for inspection only",
                   "",
                   "",
                   "load it without inspect_only"};
  Device *home = nullptr;
  KILN_TRY(findDevice(options.device, home));
  auto session = std::make_unique<kiln_session>(model);
  for (size_t i = 1; i < model.programCount(); ++i)
    session->others.push_back(
        std::make_unique<kiln_session>(model.program(i), session.get()));
  KILN_TRY(session->checkDimNames({options.dims, options.dim_count}));
  for (size_t i = 0; i < session->count(); ++i)
    KILN_TRY(session->program(i).prepare(options, group, *home));
  if (session->device->info().ordinal >= 0 && (options.workers || options.allocator))
    return misuse("kiln_session_create",
                  "workers and allocators are for sessions on the CPU");
  KILN_TRY(session->allocate(options.measure_memory != 0));
  session->states.open(model.plan, session->layout, model.plan.stageOf(group.rank()),
                       *session->device);
  KILN_TRY(model.bytes.checkUnchanged()); // a GPU has copied the weights now
  // A GPU session copies the weights now, and a rank must not delay the others in the
  // first run.
  if (session->device->info().ordinal >= 0 || group.size() > 1)
    KILN_TRY(model.weightsCheck.wait());
  out = session.release();
  return {};
}

Status kiln_session::prepare(const kiln_session_options &options,
                             const ProcessGroup &group, Device &home) {
  KILN_TRY(narrow({options.dims, options.dim_count}));
  // Before findSources: its error is more specific for a dim that no input has.
  KILN_TRY(States::fixSizes(model.plan, {options.dims, options.dim_count}, ranges));
  KILN_TRY(findSources());
  return home.createSession(model, options, group, device);
}

Status kiln_session::find(const char *entry, kiln_session *&out) {
  size_t index;
  KILN_TRY(model.findProgram(entry, index));
  out = &program(index);
  return {};
}

static std::string rangeText(int64_t lo, int64_t hi) {
  return std::to_string(lo) + ".." + std::to_string(hi);
}

/// Returns advice for dims outside of the package's range: how to compile for them; ""
/// for dims that no package can have.
static std::string compileText(const kiln_symbol_info &package, int64_t lo, int64_t hi) {
  constexpr int64_t end = int64_t(1) << 31;
  if (lo < 0 || hi >= end)
    return "";
  return std::string(", or compile with --dims ") + package.name + "=" +
         rangeText(std::min(lo, package.min), std::max(hi, package.max)) +
         ", which says if the model cannot";
}

/// Checks that every name is a dim of one of the programs.
Status kiln_session::checkDimNames(std::span<const kiln_dim_range> dims) const {
  std::vector<std::string> known;
  for (size_t i = 0; i < count(); ++i)
    for (const kiln_symbol_info &range : program(i).ranges)
      if (std::ranges::find(known, range.name) == known.end())
        known.emplace_back(range.name);
  for (const kiln_dim_range &d : dims) {
    std::string name = d.name ? d.name : "", list;
    if (std::ranges::find(known, name) != known.end())
      continue;
    for (const std::string &one : known)
      list += (list.empty() ? "" : ", ") + one;
    return Failure{Code::SessionDims,
                   "dim \"" + name + "\"",
                   "the model has no such dim",
                   list.empty() ? "none, its dims are fixed" : list,
                   name,
                   "use a name from kiln inspect"};
  }
  return {};
}

Status kiln_session::narrow(std::span<const kiln_dim_range> dims) {
  std::vector<bool> seen(ranges.size());
  for (const kiln_dim_range &d : dims) {
    std::string name = d.name;
    auto known = std::ranges::find(ranges, name, &kiln_symbol_info::name);
    if (known == ranges.end())
      continue; // a dim of another program
    size_t i = static_cast<size_t>(known - ranges.begin());
    std::string where = "dim \"" + name + "\"";
    if (seen[i])
      return Failure{Code::SessionDims,    where, "it is given twice", "", "",
                     "give every dim once"};
    seen[i] = true;
    if (d.lo > d.hi)
      return Failure{
          Code::SessionDims,     where,
          "the range is empty",  "a part of " + rangeText(ranges[i].min, ranges[i].max),
          rangeText(d.lo, d.hi), "give the smaller end first"};
    if (d.lo < ranges[i].min || d.hi > ranges[i].max)
      return Failure{Code::SessionDims,
                     where,
                     "the range is not within the model's",
                     "a part of " + rangeText(ranges[i].min, ranges[i].max),
                     rangeText(d.lo, d.hi),
                     "give a part of the model's range" +
                         compileText(ranges[i], d.lo, d.hi)};
    ranges[i].min = d.lo;
    ranges[i].max = d.hi;
  }
  return {};
}

Status kiln_session::findSources() {
  const Plan &plan = model.plan;
  for (uint32_t i = 0; i < plan.inputs.size(); ++i)
    for (uint32_t d = 0; d < plan.inputs[i].dims.size(); ++d) {
      const Expr &e = plan.exprs[plan.inputs[i].dims[d]];
      if (e.kind == ExprKind::Symbol && !sources[e.lhs].known())
        sources[e.lhs] = {i, d};
    }
  for (size_t s = 0; s < sources.size(); ++s)
    if (!sources[s].known() && ranges[s].min != ranges[s].max)
      return Failure{Code::SymbolUnbound,
                     std::string("dim \"") + ranges[s].name + "\"",
                     "no input has a dim that determines it",
                     "one value for the session",
                     rangeText(ranges[s].min, ranges[s].max),
                     "give one value: " + std::string(ranges[s].name) + "=" +
                         rangeText(ranges[s].max, ranges[s].max)};
  return {};
}

/// Allocates the arenas of the first program large enough for every program: two never
/// run at once.
Status kiln_session::allocate(bool isMeasured) {
  for (size_t i = 0; i < count(); ++i)
    KILN_TRY(program(i).computeCapacities());
  for (auto &other : others)
    for (size_t a = 0; a < capacities.arenas.size(); ++a)
      capacities.arenas[a] = std::max(capacities.arenas[a], other->capacities.arenas[a]);
  for (auto &other : others)
    other->capacities.arenas = capacities.arenas;
  for (size_t i = 0; i < count(); ++i)
    program(i).usage.open(program(i).model.plan, capacities.arenas, isMeasured);
  for (size_t i = 0; i < count(); ++i)
    KILN_TRY(program(i).allocateProgram());
  for (auto &other : others)
    KILN_TRY(checkStatePlaces(model.plan, layout, other->model.plan, other->layout,
                              model.path));
  return {};
}

Status kiln_session::allocateProgram() {
  for (bool upper : {false, true}) {
    for (size_t s = 0; s < ranges.size(); ++s)
      symbols[s] = upper ? ranges[s].max : ranges[s].min;
    KILN_TRY(layout.compute(model.plan, symbols, model.path));
  }
  return device->allocate(capacities, isFirst() ? nullptr : first.device.get(), layout,
                          symbols, countChoices(ranges));
}

/// Computes the max bytes over all dims of the session.
Status kiln_session::computeCapacities() {
  const Plan &plan = model.plan;
  std::vector<Bounds> symbolBounds;
  for (const kiln_symbol_info &range : ranges)
    symbolBounds.push_back({range.min, range.max});
  Envelope envelope(plan, symbolBounds);
  for (const Arena &arena : plan.arenas) {
    uint64_t &bytes = capacities.arenas.emplace_back(0);
    if (arena.kind >= KILN_ARENA_ACTIVATIONS)
      KILN_TRY(envelope.maxBytes(
          arena.size, std::string("arena ") + kiln_arena_kind_name(arena.kind), bytes));
  }
  for (const Tensor &t : plan.inputs)
    KILN_TRY(
        envelope.maxBytes(t, tensorName("input", t), capacities.inputs.emplace_back(0)));
  for (const Tensor &t : plan.outputs)
    KILN_TRY(envelope.maxBytes(t, tensorName("output", t),
                               capacities.outputs.emplace_back(0)));
  for (const Step &step : plan.steps)
    if (step.collective)
      for (uint32_t buffer : {step.reads[0], step.writes[0]}) {
        uint64_t bytes = 0;
        KILN_TRY(
            envelope.maxBytes(plan.buffers[buffer].size, plan.bufferName(buffer), bytes));
        capacities.collective = std::max(capacities.collective, bytes);
      }
  return {};
}

//===----------------------------------------------------------------------===//
// Binding of dims
//===----------------------------------------------------------------------===//

bool kiln_session::sameDims() const {
  size_t n = 0;
  for (const kiln_tensor *t : inputs)
    for (uint32_t d = 0; d < t->rank; ++d)
      if (t->shape[d] != boundDims[n++])
        return false;
  return true;
}

std::string kiln_session::sourceText(uint32_t symbol) const {
  const Source &from = sources[symbol];
  if (!from.known())
    return std::string(ranges[symbol].name) + " is fixed for the session";
  return std::string(ranges[symbol].name) + " = " + std::to_string(symbols[symbol]) +
         " from dim " + std::to_string(from.dim) + " of " +
         tensorName("input", model.plan.inputs[from.input]);
}

/// Returns advice for a value outside of the session's range: another session if the
/// package has code for it, otherwise another package.
static std::string wayInto(const kiln_symbol_info &session, const kiln_symbol_info &package,
                           int64_t value) {
  std::string own = "use dims in " + rangeText(session.min, session.max);
  if (value < package.min || value > package.max)
    return own + compileText(package, value, value);
  bool isFixed = session.min == session.max;
  std::string range =
      rangeText(std::min(session.min, value), std::max(session.max, value));
  return own + ", or create the session with dims " + session.name + "=" +
         (isFixed ? std::to_string(value) : range);
}

Status kiln_session::bindSymbols() {
  for (size_t s = 0; s < symbols.size(); ++s) {
    const Source &from = sources[s];
    const kiln_symbol_info &range = ranges[s];
    symbols[s] = from.known() ? inputs[from.input]->shape[from.dim] : range.min;
    if (symbols[s] < range.min || symbols[s] > range.max)
      return Failure{Code::DimOutsideEnvelope,
                     tensorName("input", model.plan.inputs[from.input]) + ", dim " +
                         std::to_string(from.dim),
                     std::string("the dim ") + range.name + " is outside its range",
                     rangeText(range.min, range.max),
                     std::to_string(symbols[s]),
                     wayInto(range, model.info.symbols[s], symbols[s])};
  }
  return {};
}

Status kiln_session::checkDims() const {
  const Plan &plan = model.plan;
  for (size_t i = 0; i < inputs.size(); ++i)
    for (uint32_t d = 0; d < inputs[i]->rank; ++d) {
      ExprIndex e = plan.inputs[i].dims[d];
      if (inputs[i]->shape[d] == layout.value(e))
        continue;
      std::string expected = std::to_string(layout.value(e));
      if (plan.exprs[e].kind == ExprKind::Symbol)
        expected += " (" + sourceText(plan.exprs[e].lhs) + ")";
      else if (plan.exprs[e].kind != ExprKind::Const)
        expected +=
            " (" + plan.text(e) + " at " + symbolsText(plan.symbols, symbols) + ")";
      std::string fix = "give arrays whose dims agree";
      bool mayBroadcast = layout.value(e) == 1 || inputs[i]->shape[d] == 1;
      if (plan.exprs[e].kind == ExprKind::Symbol && mayBroadcast)
        fix += ", or where the model broadcasts it, compile with --dims " +
               std::string(ranges[plan.exprs[e].lhs].name) + "=1";
      return Failure{Code::DimMismatch,
                     tensorName("input", plan.inputs[i]) + ", dim " + std::to_string(d),
                     "the dim is wrong",
                     expected,
                     std::to_string(inputs[i]->shape[d]),
                     fix};
    }
  return {};
}

/// Prepares the session for the dims of `inputs`.
Status kiln_session::bind() {
  if (bound && (!device || device->isBound()) && sameDims())
    return {};
  bound = false;
  KILN_TRY(bindSymbols());
  KILN_TRY(layout.compute(model.plan, symbols, model.path));
  KILN_TRY(checkDims());
  KILN_TRY(model.checker.check(model.plan, layout, checkerScratch));
  if (device) {
    KILN_TRY(device->checkMemory(layout));
    device->bind(layout, symbols);
  }
  usage.forget();
  size_t n = 0;
  for (const kiln_tensor *t : inputs)
    for (uint32_t d = 0; d < t->rank; ++d)
      boundDims[n++] = t->shape[d];
  bound = true;
  return {};
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Status kiln_session::prepareInputs(std::span<const kiln_tensor> given) {
  const std::vector<Tensor> &wanted = model.plan.inputs;
  KILN_TRY(States::checkGiven(model.plan, given));
  KILN_TRY(matchTensors(given, wanted, "input", inputs));
  KILN_TRY(checkComplete(inputs, wanted, "input", given.size()));
  for (size_t i = 0; i < inputs.size(); ++i) {
    KILN_TRY(checkType(*inputs[i], wanted[i], "input"));
    KILN_TRY(checkRank(*inputs[i], wanted[i], "input"));
  }
  return bind();
}

/// Checks that the device has the kind of memory that the tensor claims to be in.
Status kiln_session::checkHome(const kiln_tensor &tensor, const Tensor &wanted,
                               const char *noun) const {
  if (tensor.memory > KILN_MEMORY_DEVICE)
    return Failure{Code::BadUsage,
                   tensorName(noun, wanted),
                   "its kind of memory is unknown",
                   "a value of kiln_memory",
                   std::to_string(tensor.memory),
                   "see kiln/runtime.h"};
  if (tensor.memory != KILN_MEMORY_DEVICE || device->info().ordinal >= 0)
    return {};
  return Failure{Code::TensorDevice,
                 tensorName(noun, wanted),
                 "its memory is on a GPU, the session on the CPU",
                 "host memory",
                 "device memory",
                 "copy it to the host, or create the session with device cuda"};
}

Status kiln_session::checkInputMemory() {
  for (size_t i = 0; i < inputs.size(); ++i) {
    inputBytes[i] = layout.tensorBytes(model.plan.inputs[i]);
    inputData[i] = {inputs[i]->data, inputs[i]->memory};
    KILN_TRY(checkMemory(*inputs[i], model.plan.inputs[i], inputBytes[i], "input"));
    KILN_TRY(checkHome(*inputs[i], model.plan.inputs[i], "input"));
  }
  return {};
}

/// Checks indices in host memory before anything is computed. Indices in GPU memory are
/// checked by kernels of the model.
static Status checkIndicesOf(const Plan &plan, const Layout &layout,
                             std::span<const kiln_tensor *const> inputs, bool isOnGpu) {
  for (const IndexRows &indices : plan.indexRows) {
    const kiln_tensor &given = *inputs[indices.input];
    if (given.memory == KILN_MEMORY_HOST || !isOnGpu)
      KILN_TRY(checkIndices(given, plan.inputs[indices.input], indices,
                            layout.value(indices.rows)));
  }
  return {};
}

Status kiln_session::prepareOutputs(std::span<const kiln_tensor> given) {
  const std::vector<Tensor> &wanted = model.plan.outputs;
  KILN_TRY(matchTensors(given, wanted, "output", outputs));
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputData[i] = {};
    outputBytes[i] = 0;
    if (!outputs[i] || !outputs[i]->data)
      continue; // unwanted output
    const kiln_tensor &t = *outputs[i];
    KILN_TRY(checkType(t, wanted[i], "output"));
    if (t.shape) {
      KILN_TRY(checkRank(t, wanted[i], "output"));
      for (uint32_t d = 0; d < t.rank; ++d)
        if (int64_t dim = layout.value(wanted[i].dims[d]); t.shape[d] != dim)
          return Failure{
              Code::DimMismatch,
              tensorName("output", wanted[i]) + ", dim " + std::to_string(d),
              "the dim is wrong",
              std::to_string(dim),
              std::to_string(t.shape[d]),
              "give memory of the expected shape, which kiln_session_output_shapes "
              "and output_shapes of kiln.Model tell"};
    }
    outputBytes[i] = layout.tensorBytes(wanted[i]);
    outputData[i] = {t.data, t.memory};
    KILN_TRY(checkMemory(t, wanted[i], outputBytes[i], "output"));
    KILN_TRY(checkHome(t, wanted[i], "output"));
  }
  return {};
}

static bool overlap(const void *a, uint64_t sizeA, const void *b, uint64_t sizeB) {
  auto beginA = reinterpret_cast<uintptr_t>(a);
  auto beginB = reinterpret_cast<uintptr_t>(b);
  return sizeA && sizeB && beginA < beginB + sizeB && beginB < beginA + sizeA;
}

namespace {
/// The caller's tensors for the inputs or outputs of a plan.
struct Given {
  const char *noun;
  std::span<const Tensor> tensors;
  std::span<const TensorPlace> places;
  std::span<const uint64_t> bytes;
};
} // namespace

/// Checks that output `o` does not overlap the first `count` tensors of `others`.
static Status checkApart(const Given &outputs, size_t o, const Given &others,
                         size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (overlap(outputs.places[o].data, outputs.bytes[o], others.places[i].data,
                others.bytes[i]))
      return Failure{Code::TensorOverlap,
                     tensorName("output", outputs.tensors[o]),
                     "its memory overlaps that of " +
                         tensorName(others.noun, others.tensors[i]),
                     "separate memory",
                     "shared bytes",
                     "give every output memory of its own"};
  return {};
}

Status kiln_session::checkAll(std::span<const kiln_tensor> given,
                              std::span<const kiln_tensor> results) {
  KILN_TRY(prepareInputs(given));
  KILN_TRY(checkInputMemory());
  KILN_TRY(checkIndicesOf(model.plan, layout, inputs, device->info().ordinal >= 0));
  KILN_TRY(first.states.checkCounts(model.plan, layout, inputs));
  KILN_TRY(prepareOutputs(results));
  Given to{"output", model.plan.outputs, outputData, outputBytes};
  for (size_t o = 0; o < outputData.size(); ++o) {
    KILN_TRY(checkApart(to, o, {"input", model.plan.inputs, inputData, inputBytes},
                        inputData.size()));
    KILN_TRY(checkApart(to, o, to, o));
  }
  return model.first->weightsCheck.wait();
}

Status kiln_session::execute() {
  Status done = device->run(inputData, outputData, first.control);
  bool hasRun = done.ok() || done.code() == Code::IndexOutOfRange; // after all steps
  ran |= hasRun;
  if (hasRun)
    first.states.addCounts(model.plan, inputs);
  else
    first.states.takeBack(model.plan, inputs);
  if (hasRun)
    usage.publish(model.plan, layout, *device);
  KILN_TRY(std::move(done));
  // Checking after the run detects changes of the file both before and during it.
  return device->info().ordinal < 0 ? model.first->bytes.checkUnchanged() : Status();
}

Status kiln_session::run(std::span<const kiln_tensor> given,
                         std::span<const kiln_tensor> results, const RunLimits &limits) {
  BusyGuard guard(first.busy);
  KILN_TRY(guard.check());
  RunControl::Scope scope(first.control, limits);
  if (first.control.mustStop())
    return first.control.failure("before its first step");
  KILN_TRY(checkAll(given, results));
  return execute();
}

Status kiln_session::outputShapes(std::span<const kiln_tensor> given,
                                  std::span<kiln_shape> out) {
  BusyGuard guard(first.busy);
  KILN_TRY(guard.check());
  const std::vector<Tensor> &tensors = model.plan.outputs;
  if (out.size() != tensors.size())
    return Failure{Code::TensorMissing,
                   "output shapes",
                   "the array does not have one place per output",
                   std::to_string(tensors.size()),
                   std::to_string(out.size()),
                   "ask kiln_model_output_count"};
  KILN_TRY(prepareInputs(given));
  for (size_t i = 0; i < tensors.size(); ++i) {
    out[i].rank = static_cast<uint32_t>(tensors[i].dims.size());
    for (uint32_t d = 0; d < out[i].rank; ++d)
      out[i].dims[d] = layout.value(tensors[i].dims[d]);
    out[i].bytes = layout.tensorBytes(tensors[i]);
  }
  return {};
}

Status kiln_session::outputShapesOf(kiln_model &model, std::span<const kiln_tensor> given,
                                    std::span<kiln_shape> out) {
  kiln_session asked(model);
  KILN_TRY(States::fixSizes(model.plan, {}, asked.ranges));
  KILN_TRY(asked.findSources());
  return asked.outputShapes(given, out);
}

Status kiln_session::stepLaunch(size_t step, kiln_step_launch &out) const {
  ReadGuard guard(first.busy);
  KILN_TRY(guard.check());
  if (step < model.plan.steps.size() && ran && bound)
    return device->stepLaunch(step, out);
  return Failure{Code::BadUsage,
                 "kiln_session_step_launch",
                 ran ? "the index is out of range" : "the session has not run yet",
                 "less than " + std::to_string(model.plan.steps.size()),
                 std::to_string(step),
                 ran ? "ask kiln_model_step_count" : "run it first"};
}

const uint64_t *kiln_session::stepTimes() const {
  ReadGuard guard(first.busy);
  return guard.check().ok() ? device->stepTimes() : nullptr;
}
