//===- model.cpp - A loaded package ---------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/model/model.h"
#include "runtime/base/cpu_features.h"
#include "runtime/package/dependencies.h"
#include <algorithm>
#include <sys/mman.h>

using namespace kiln::rt;

Status kiln::rt::loadPlan(const Container &container, const std::string &where,
                          uint32_t index, Plan &out) {
  PlanSurroundings around;
  around.weightsSize = container.find(format::Weights)->size;
  for (uint32_t i = 0; i < container.count(format::HostImage); ++i)
    around.imageSizes.push_back(container.find(format::HostImage, i)->size);
  for (uint32_t i = 0; i < container.count(format::Ptx); ++i)
    around.ptx.push_back(container.bytes(*container.find(format::Ptx, i)));
  for (uint32_t i = 0; i < container.count(format::Cubin); ++i)
    around.cubinSizes.push_back(container.find(format::Cubin, i)->size);
  const format::Section &section = *container.find(format::Plan, index);
  std::string part = where + ": plan" + (index ? " " + std::to_string(index) : "");
  KILN_TRY(decodePlan(container.bytes(section), around, part, out));
  if (container.isForRanks() == (out.ranks > 1))
    return {};
  return Failure{Code::PackageVersion,
                 part,
                 "the package has another format version than its plan",
                 container.isForRanks()
                     ? "2 ranks or more, as version " +
                           std::to_string(format::ranksVersion) + " says"
                     : "1 rank, as version " + std::to_string(format::version) + " says",
                 std::to_string(out.ranks),
                 "compile the model again with this Kiln"};
}

static Failure onlyGpus(const Plan &plan, const std::string &where, const char *name) {
  std::string found;
  for (const Target &t : plan.targets)
    if (!name || t.name == name)
      found += (found.empty() ? "" : ", ") + t.name;
  return {Code::TargetUnsupported,
          where,
          "the package has no code for a CPU",
          "a target such as x86-64-v3",
          "GPU code for " + found,
          "name a GPU with --device, or compile with --target native," + found};
}

static Failure unsupported(const Plan &plan, const std::string &where,
                           const std::vector<int> &refused) {
  std::string expected, found;
  for (int i : refused) {
    const Target &t = plan.targets[static_cast<size_t>(i)];
    expected += (expected.empty() ? "a CPU for " : " or ") + t.name;
    found += (found.empty() ? "a CPU without " : "; without ") +
             missingCpuFeatures(t.features) +
             (refused.size() > 1 ? " (" + t.name + ")" : "");
  }
  return {Code::TargetUnsupported,
          where,
          "the package has no code for this CPU",
          expected,
          found,
          "compile with --target native on this machine, or with an older "
          "target such as x86-64-v3"};
}

Status kiln::rt::selectTarget(const Plan &plan, const char *name,
                              const std::string &where, int &out) {
  int best = -1;
  bool gpus = false;
  std::vector<int> refused;
  std::string known;
  for (size_t i = 0; i < plan.targets.size(); ++i) {
    const Target &t = plan.targets[i];
    known += (known.empty() ? "" : ", ") + t.name;
    if (name && t.name != name)
      continue;
    if (t.kind != TargetKind::Host) {
      gpus = true;
      continue;
    }
    if (!missingCpuFeatures(t.features).empty())
      refused.push_back(static_cast<int>(i));
    else if (best < 0 || t.features.size() > plan.targets[size_t(best)].features.size())
      best = static_cast<int>(i);
  }
  if (best < 0 && !refused.empty())
    return unsupported(plan, where, refused);
  if (best < 0 && gpus)
    return onlyGpus(plan, where, name);
  if (best < 0 && name)
    return Failure{Code::TargetUnknown,
                   where,
                   "the package has no such target",
                   known,
                   name,
                   "choose one of those or compile with --target " + std::string(name)};
  out = best;
  return {};
}

uint64_t kiln::rt::countChoices(std::span<const kiln_symbol_info> ranges) {
  uint64_t count = 1;
  for (const kiln_symbol_info &range : ranges)
    if (__builtin_mul_overflow(count, static_cast<uint64_t>(range.max - range.min) + 1,
                               &count))
      return UINT64_MAX;
  return count;
}

Status kiln_model::mapImage() {
  if (target < 0)
    return {};
  uint32_t index = plan.targets[size_t(target)].image;
  std::span<const uint8_t> code =
      container().bytes(*container().find(format::HostImage, index));
  if (code.empty())
    return {};
  const format::Section *table = container().find(format::UnwindTable, index);
  KILN_TRY(image.map(code, table ? container().bytes(*table) : std::span<const uint8_t>(),
                     path));
  std::vector<const Plan *> programs;
  for (size_t i = 0; i < programCount(); ++i)
    programs.push_back(&program(i).plan);
  names.add(image, std::move(programs), size_t(target));
  return {};
}

/// Whether the model has code for GPUs.
static bool hasGpu(const kiln_model &model) {
  return std::ranges::any_of(model.plan.targets, [&](const Target &t) {
    return t.kind == TargetKind::Cuda &&
           (model.wantedTarget.empty() || t.name == model.wantedTarget);
  });
}

/// Loads program `index`, without selecting a target.
Status kiln_model::finishProgram(uint32_t index) {
  KILN_TRY(loadPlan(container(), path, index, plan));
  return checker.proveCorners(plan, container().find(format::Weights)->size, path);
}

Status kiln_model::selectTargets(const kiln_model_options &options) {
  if (options.target)
    wantedTarget = options.target;
  // Code for this CPU may be missing if there is code for GPUs; the session reports it
  // then.
  Status selected = selectHostTarget(target);
  if (!selected.ok() && (selected.code() != Code::TargetUnsupported || !hasGpu(*this)))
    return selected;
  for (size_t i = 0; i < programCount(); ++i) {
    kiln_model &each = program(i);
    each.target = target;
    each.wantedTarget = wantedTarget;
    if (target >= 0)
      each.plan.useTarget(size_t(target));
  }
  return {};
}

/// Finishes loading when the package's bytes are available.
Status kiln_model::finish(const kiln_model_options &options) {
  KILN_TRY(bytes.verify());
  if (!options.trust_weights)
    weightsCheck.start(bytes);
  KILN_TRY(finishProgram(0));
  std::vector<const Plan *> plans{&plan};
  for (uint32_t i = 1; i < container().count(format::Plan); ++i) {
    kiln_model &other = *others.emplace_back(std::make_unique<kiln_model>());
    other.first = this;
    other.path = path;
    KILN_TRY(other.finishProgram(i));
    plans.push_back(&other.plan);
  }
  KILN_TRY(checkPrograms(plans, path));
  inspectOnly = options.inspect_only != 0;
  if (inspectOnly) {
    KILN_TRY(weightsCheck.wait());
  } else {
    KILN_TRY(selectTargets(options));
    KILN_TRY(mapImage());
    if (uint64_t size = container().find(format::Weights)->size)
      madvise(const_cast<uint8_t *>(weights()), size, MADV_WILLNEED);
  }
  std::span<const uint8_t> text =
      container().bytes(*container().find(format::Provenance));
  for (size_t i = 0; i < programCount(); ++i) {
    kiln_model &each = program(i);
    each.inspectOnly = inspectOnly;
    each.info.fill(each.plan, target);
    each.info.provenance.assign(text.begin(), text.end());
  }
  return {};
}

Status kiln_model::load(const PackageBytes::Source &source,
                        const kiln_model_options &options, kiln_model *&out) {
  auto model = std::make_unique<kiln_model>();
  model->path = source.name;
  KILN_TRY(PackageBytes::open(
      source, {options.in_memory != 0, options.guard_mapping != 0, options.expect_sha256},
      model->bytes));
  KILN_TRY(model->finish(options));
  out = model.release();
  return {};
}

Status kiln_model::selectHostTarget(int &out) const {
  const char *name = wantedTarget.empty() ? nullptr : wantedTarget.c_str();
  return selectTarget(plan, name, path, out);
}

const char *kiln_model::ptx(size_t index) const {
  const format::Section *section =
      container().find(format::Ptx, plan.targets[index].image);
  return reinterpret_cast<const char *>(container().bytes(*section).data());
}

const std::vector<std::vector<uint32_t>> &kiln_model::dependencies() const {
  std::call_once(dependenciesOnce,
                 [&] { stepDependencies = kiln::rt::stepDependencies(plan); });
  return stepDependencies;
}

const uint8_t *kiln_model::weights() const {
  return container().bytes(*container().find(format::Weights)).data();
}

const char *ModelInfo::keep(std::string text) {
  texts.push_back(std::move(text));
  return texts.back().c_str();
}

const char *const *ModelInfo::list(const std::vector<std::string> &strings) {
  std::vector<const char *> &pointers = lists.emplace_back();
  for (const std::string &s : strings)
    pointers.push_back(s.c_str());
  return pointers.data();
}

void ModelInfo::fillTensors(const Plan &plan, const std::vector<Tensor> &from,
                            const Envelope &envelope, Tensors &to) {
  to.dims.reserve(from.size());
  for (const Tensor &t : from) {
    std::vector<kiln_dim_info> &dims = to.dims.emplace_back();
    for (ExprIndex e : t.dims) {
      const Bounds &bounds = envelope.bounds(e);
      // The bound is conservative, so it may be negative; runs refuse negative dims.
      dims.push_back({keep(plan.text(e)), std::max<int64_t>(bounds.min, 0), bounds.max});
    }
    to.infos.push_back(
        {t.name.c_str(), t.dtype, static_cast<uint32_t>(dims.size()), dims.data()});
  }
}

/// Returns the bytes of machine code of all kernels for a target.
static uint64_t cubinBytes(const Plan &plan, size_t target) {
  if (plan.targets[target].kind != TargetKind::Cuda)
    return 0;
  uint64_t bytes = 0;
  for (const Kernel &k : plan.kernels) {
    bytes += k.blocks[target].cubinSize;
    for (const Variant &v : k.variants)
      bytes += v.target == target ? v.block.cubinSize : 0;
  }
  return bytes;
}

void ModelInfo::fill(const Plan &plan, int selectedTarget) {
  Envelope envelope(plan, envelopeOf(plan.symbols));
  // Reserve memory first: strings that are pointed to must not move.
  size_t dims = 0;
  for (const auto *tensors : {&plan.inputs, &plan.outputs, &plan.states})
    for (const Tensor &t : *tensors)
      dims += t.dims.size();
  size_t variantCount = 0, boundCount = 0;
  for (const Kernel &k : plan.kernels) {
    variantCount += k.variants.size();
    for (const Variant &v : k.variants)
      boundCount += v.when.size();
  }
  texts.reserve(dims + plan.arenas.size() + plan.targets.size() + boundCount);
  bounds.reserve(variantCount);
  lists.reserve(plan.targets.size() + plan.steps.size());
  fillTensors(plan, plan.inputs, envelope, inputs);
  fillTensors(plan, plan.outputs, envelope, outputs);
  fillTensors(plan, plan.states, envelope, states);
  for (const Symbol &s : plan.symbols)
    symbols.push_back({s.name.c_str(), s.min, s.max});
  for (const Arena &a : plan.arenas)
    arenas.push_back(
        {a.kind, keep(a.formula.empty() ? plan.text(a.size) : a.formula),
         static_cast<uint64_t>(std::max<int64_t>(envelope.bounds(a.size).max, 0))});
  for (size_t i = 0; i < plan.targets.size(); ++i) {
    const Target &t = plan.targets[i];
    targets.push_back({t.name.c_str(), t.features.size(), list(t.features),
                       keep(t.kind == TargetKind::Host ? missingCpuFeatures(t.features)
                                                       : "a GPU of " + t.name),
                       static_cast<int>(i) == selectedTarget, cubinBytes(plan, i)});
  }
  for (const Step &s : plan.steps) {
    bool launch = s.kind == StepKind::Launch;
    const Kernel *k = launch ? &plan.kernels[s.kernel] : nullptr;
    const char *name = k ? k->name.c_str()
                       : s.kind == StepKind::Collective
                           ? collectiveName(s.collective->kind)
                           : "copy";
    steps.push_back({name, k ? k->hero.c_str() : "", k ? k->config.c_str() : "",
                     s.nodes.size(), list(s.nodes)});
  }
  fillVariants(plan);
}

void ModelInfo::fillVariants(const Plan &plan) {
  for (const Kernel &k : plan.kernels) {
    std::vector<kiln_variant_info> &infos = variants.emplace_back();
    for (const Variant &v : k.variants) {
      std::vector<kiln_bound_info> &when = bounds.emplace_back();
      for (const Bound &bound : v.when)
        when.push_back({keep(plan.text(bound.value)), bound.max});
      infos.push_back(
          {v.name.c_str(), v.config.c_str(), v.target, when.size(), when.data()});
    }
  }
}
