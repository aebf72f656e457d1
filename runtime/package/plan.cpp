//===- plan.cpp - Decoding of the plan ------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/package/plan.h"
#include "plan_generated.h"
#include <algorithm>
#include <cstring>

using namespace kiln::rt;

template <typename T> static std::vector<T> copy(const flatbuffers::Vector<T> *from) {
  return from ? std::vector<T>(from->begin(), from->end()) : std::vector<T>();
}

static std::string copy(const flatbuffers::String *from) {
  return from ? from->str() : std::string();
}

static std::vector<std::string>
copy(const flatbuffers::Vector<flatbuffers::Offset<flatbuffers::String>> *from) {
  std::vector<std::string> to;
  if (from)
    for (const flatbuffers::String *s : *from)
      to.push_back(s->str());
  return to;
}

static Symbol decode(const kiln::fb::Symbol &s) {
  return {copy(s.name()), s.min(), s.max()};
}

static Expr decode(const kiln::fb::Expr &e) {
  return {static_cast<ExprKind>(e.kind()), e.lhs(), e.rhs(), e.value()};
}

static Arena decode(const kiln::fb::Arena &a) {
  return {static_cast<kiln_arena_kind>(a.kind()), a.size(), copy(a.formula())};
}

static RankAxis decode(const kiln::fb::RankAxis *axis) {
  return axis ? RankAxis{axis->size(), axis->stride()} : RankAxis();
}

static Buffer decode(const kiln::fb::Buffer &b) {
  return {copy(b.name()),  b.arena(),       b.size(),
          b.offset(),      copy(b.above()), b.first_step(),
          b.last_step(),   b.alias_of(),    0,
          b.rank_stride(), b.stage(),       decode(b.rank_axis())};
}

static Tensor decode(const kiln::fb::Tensor &t) {
  return {copy(t.name()), static_cast<kiln_dtype>(t.dtype()), copy(t.dims()), t.buffer()};
}

static TensorMap decode(const kiln::fb::TensorMap &m) {
  return {m.buffer(),        static_cast<kiln_dtype>(m.dtype()),
          m.offset(),        copy(m.extents()),
          copy(m.strides()), copy(m.box()),
          m.swizzle()};
}

static Block decode(const kiln::fb::Block &b) {
  Block block{
      b.threads(),    b.shared(),    {},          b.persistent(), b.waits(), b.cubin(),
      b.cubin_size(), b.workspace(), b.tickets(), b.cluster()};
  if (b.maps())
    for (const kiln::fb::TensorMap *map : *b.maps())
      block.maps.push_back(decode(*map));
  return block;
}

static Variant decode(const kiln::fb::Variant &v) {
  Variant variant{copy(v.name()), copy(v.config()), v.target(),        {},
                  v.entry(),      v.grid(),         decode(*v.block())};
  if (v.when())
    for (const kiln::fb::Bound *bound : *v.when())
      variant.when.push_back({bound->value(), bound->max()});
  return variant;
}

static Kernel decode(const kiln::fb::Kernel &k) {
  Kernel kernel{copy(k.name()),
                copy(k.hero()),
                copy(k.config()),
                copy(k.entries()),
                copy(k.symbols()),
                k.scratch(),
                {},
                {},
                {}};
  if (k.blocks())
    for (const kiln::fb::Block *block : *k.blocks())
      kernel.blocks.push_back(decode(*block));
  if (k.variants())
    for (const kiln::fb::Variant *variant : *k.variants())
      kernel.variants.push_back(decode(*variant));
  if (k.configs())
    for (const flatbuffers::String *config : *k.configs())
      kernel.configs.push_back(copy(config));
  return kernel;
}

static std::optional<Collective> decode(const kiln::fb::Collective *c) {
  if (!c)
    return std::nullopt;
  return Collective{static_cast<CollectiveKind>(c->kind()),
                    static_cast<Reduction>(c->reduction()),
                    static_cast<kiln_dtype>(c->dtype()),
                    c->outer(),
                    c->inner(),
                    c->kernel(),
                    c->split_kernel(),
                    decode(c->rank_axis()),
                    c->join(),
                    c->takers()};
}

static Step decode(const kiln::fb::Step &s) {
  return {static_cast<StepKind>(s.kind()),
          s.kernel(),
          copy(s.reads()),
          copy(s.writes()),
          copy(s.nodes()),
          copy(s.grids()),
          s.grids() && s.grids()->size() ? s.grids()->Get(0) : 0,
          s.bytes(),
          s.flops(),
          s.workspace(),
          s.tickets(),
          decode(s.collective()),
          s.stage()};
}

static Target decode(const kiln::fb::Target &t) {
  return {copy(t.name()), copy(t.features()), t.image(),
          static_cast<TargetKind>(t.kind())};
}

static IndexRows decode(const kiln::fb::IndexRows &r) {
  return {r.input(), r.rows(), r.first(), r.step(), copy(r.node())};
}

static CheckedPart decode(const kiln::fb::CheckedPart &p) {
  return {p.rows(), copy(p.dims()), p.input(), p.first(), p.step(), copy(p.node())};
}

static IndexCheck decode(const kiln::fb::IndexCheck &c) {
  IndexCheck check{c.buffer(), c.step(), c.value_bits(), {}};
  if (c.parts())
    for (const kiln::fb::CheckedPart *part : *c.parts())
      check.parts.push_back(decode(*part));
  return check;
}

template <typename Table, typename T>
static void decodeAll(const flatbuffers::Vector<flatbuffers::Offset<Table>> *from,
                      std::vector<T> &to) {
  if (!from)
    return;
  to.reserve(from->size());
  for (const Table *table : *from)
    to.push_back(decode(*table));
}

bool IndexCheck::isOfInputs() const {
  return std::ranges::all_of(parts, [](const CheckedPart &p) { return p.input >= 0; });
}

bool Kernel::needsWorkspace() const {
  return std::ranges::any_of(blocks, &Block::hasWorkspace) ||
         std::ranges::any_of(variants,
                             [](const Variant &a) { return a.block.hasWorkspace(); });
}

std::vector<uint32_t> Plan::weightsOf(uint32_t rank) const {
  std::vector<uint32_t> found;
  auto add = [&](uint32_t buffer) {
    if (kindOf(buffer) == KILN_ARENA_WEIGHTS)
      found.push_back(buffer);
  };
  for (const Step &step : steps)
    if (step.kind == StepKind::Collective || runsOn(step, rank))
      std::ranges::for_each(step.reads, add);
  for (const Tensor &output : outputs)
    add(output.buffer);
  return found;
}

bool Plan::providesStorage(uint32_t index) const {
  uint32_t buffer = outputs[index].buffer, storage = buffers[buffer].storage;
  auto sharesStorage = [&](const Tensor &t) {
    return buffers[t.buffer].storage == storage;
  };
  return kindOf(buffer) == KILN_ARENA_OUTPUT &&
         std::none_of(outputs.begin(), outputs.begin() + index, sharesStorage);
}

std::string Plan::text(ExprIndex expr) const {
  std::vector<std::string> names;
  for (const Symbol &s : symbols)
    names.push_back(s.name);
  return toText(exprs, expr, names);
}

const char *kiln::rt::collectiveName(CollectiveKind kind) {
  static const char *const names[] = {"all_reduce", "all_gather", "reduce_scatter",
                                      "broadcast",  "all_to_all", "permute"};
  return static_cast<size_t>(kind) < 6 ? names[static_cast<size_t>(kind)] : "?";
}

void Plan::useTarget(size_t index) {
  for (Step &step : steps)
    if (step.kind == StepKind::Launch)
      step.grid = step.grids[index];
}

std::string Plan::bufferName(uint32_t buffer) const {
  const std::string &name = buffers[buffer].name;
  return "buffer " + std::to_string(buffer) + (name.empty() ? "" : " (\"" + name + "\")");
}

std::string Plan::stepName(uint32_t step) const {
  const Step &s = steps[step];
  std::string name = s.kind == StepKind::Copy ? "copy"
                     : s.kind == StepKind::Collective
                         ? collectiveName(s.collective->kind)
                         : "kernel \"" + kernels[s.kernel].name + "\"";
  return "step " + std::to_string(step) + " (" + name + ")";
}

Status kiln::rt::decodePlan(std::span<const uint8_t> bytes,
                            const PlanSurroundings &around, const std::string &where,
                            Plan &out) {
  // Tables of a plan nest at most five deep. Each node of the expression pool is a table,
  // so the limit on their number follows from the bytes, not from FlatBuffers' default.
  flatbuffers::Verifier verifier(bytes.data(), bytes.size(), 8,
                                 static_cast<uint32_t>(bytes.size() / 4 + 1));
  if (bytes.size() < 8 || bytes.size() > FLATBUFFERS_MAX_BUFFER_SIZE ||
      !fb::VerifyPlanBuffer(verifier))
    return Failure{Code::PlanMalformed,
                   where,
                   "the plan is malformed",
                   "a FlatBuffers plan",
                   std::to_string(bytes.size()) + " bytes of something else",
                   "compile the model again"};
  const fb::Plan *root = fb::GetPlan(bytes.data());
  Plan plan;
  plan.abiVersion = root->abi_version();
  decodeAll(root->symbols(), plan.symbols);
  decodeAll(root->exprs(), plan.exprs);
  decodeAll(root->arenas(), plan.arenas);
  decodeAll(root->buffers(), plan.buffers);
  decodeAll(root->inputs(), plan.inputs);
  decodeAll(root->outputs(), plan.outputs);
  decodeAll(root->kernels(), plan.kernels);
  decodeAll(root->steps(), plan.steps);
  decodeAll(root->targets(), plan.targets);
  decodeAll(root->index_rows(), plan.indexRows);
  decodeAll(root->index_checks(), plan.indexChecks);
  decodeAll(root->states(), plan.states);
  if (const fb::Sequences *s = root->sequences())
    plan.sequences = {s->lengths(),  s->counts(), s->added(),
                      s->capacity(), s->ring(),   s->window()};
  plan.graphMemory = root->graph_memory();
  plan.ranks = root->ranks();
  plan.stages = root->stages();
  if (root->name())
    plan.name = root->name()->str();
  KILN_TRY(validatePlan(around, where, plan));
  out = std::move(plan);
  return {};
}
