//===- checker.cpp - Independent proof of a memory plan -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/package/checker.h"
#include "runtime/package/format.h"
#include <algorithm>

using namespace kiln::rt;

Failure MemoryChecker::fail(const std::string &part, std::string what,
                            std::string expected, std::string found) const {
  return {Code::PlanMemory,    where + ": " + part, std::move(what),
          std::move(expected), std::move(found),    "compile the model again"};
}

static bool isPlaced(kiln_arena_kind kind) {
  return kind == KILN_ARENA_ACTIVATIONS || kind == KILN_ARENA_STATE;
}

Status MemoryChecker::prepare(const Plan &plan, uint64_t size, const std::string &name) {
  where = name;
  weightsSize = size;
  size_t n = plan.buffers.size();
  lives.assign(n, {});
  written.assign(n, false);
  firstMade.assign(n, -1);
  current.assign(n, -1);
  lastWrite.assign(n, 0);
  readUntil.assign(n, 0);
  writtenUntil.assign(n, 0);
  members.assign(n, {});
  for (uint32_t i = 0; i < n; ++i)
    members[plan.buffers[i].storage].push_back(i);
  findWriters(plan);
  KILN_TRY(walkSteps(plan));
  KILN_TRY(checkOutputs(plan));
  sortStorages(plan);
  return {};
}

void MemoryChecker::findWriters(const Plan &plan) {
  for (const Step &s : plan.steps)
    for (uint32_t b : s.writes) {
      written[b] = true;
      int64_t &first = firstMade[plan.buffers[b].storage];
      first = first < 0 ? b : first;
    }
}

/// Returns the buffer whose write produced the value that reading `buffer` expects:
/// `buffer` itself if a step writes it; otherwise it is a view, and the buffer that it
/// views.
int64_t MemoryChecker::valueOf(const Plan &plan, uint32_t buffer) const {
  while (!written[buffer] && plan.buffers[buffer].aliasOf >= 0)
    buffer = static_cast<uint32_t>(plan.buffers[buffer].aliasOf);
  kiln_arena_kind kind = plan.kindOf(buffer);
  bool given = kind == KILN_ARENA_INPUT || kind == KILN_ARENA_STATE;
  return written[buffer] || given ? buffer : firstMade[buffer];
}

Status MemoryChecker::walkSteps(const Plan &plan) {
  uint32_t steps = static_cast<uint32_t>(plan.steps.size());
  for (uint32_t i = 0; i < plan.buffers.size(); ++i) {
    if (plan.buffers[i].storage != i)
      continue;
    kiln_arena_kind kind = plan.kindOf(i);
    if (kind == KILN_ARENA_INPUT || kind == KILN_ARENA_STATE)
      current[i] = i;
    if (kind == KILN_ARENA_STATE) { // read by the next run
      lives[i].extend(0);
      lives[i].extend(steps);
    }
  }
  for (uint32_t s = 0; s < steps; ++s) {
    for (uint32_t b : plan.steps[s].reads)
      KILN_TRY(read(plan, s, b));
    for (uint32_t b : plan.steps[s].writes)
      KILN_TRY(write(plan, s, b));
    if (plan.steps[s].workspace >= 0)
      KILN_TRY(write(plan, s, static_cast<uint32_t>(plan.steps[s].workspace)));
    if (plan.steps[s].collective && plan.steps[s].collective->join)
      KILN_TRY(runBeside(plan, s));
  }
  return {};
}

/// Extends the lifetimes of a collective's buffers to the step that waits for it.
Status MemoryChecker::runBeside(const Plan &plan, uint32_t step) {
  const Step &s = plan.steps[step];
  uint32_t join = s.collective->join;
  if (join <= step || join > plan.steps.size())
    return fail(plan.stepName(step), "it is waited for where it has not begun",
                "a step behind it", "step " + std::to_string(join));
  for (uint32_t buffer : {s.reads[0], s.writes[0]}) {
    const Buffer &b = plan.buffers[buffer];
    if (b.lastStep + 1 < join)
      return fail(plan.stepName(step),
                  "it may still use " + plan.bufferName(buffer) + " outside its lifetime",
                  "step " + std::to_string(b.lastStep + 1),
                  "a wait at step " + std::to_string(join));
    lives[b.storage].extend(join - 1);
  }
  readUntil[plan.buffers[s.reads[0]].storage] = join;
  writtenUntil[plan.buffers[s.writes[0]].storage] = join;
  return {};
}

Status MemoryChecker::read(const Plan &plan, uint32_t step, uint32_t buffer) {
  if (plan.kindOf(buffer) == KILN_ARENA_WEIGHTS)
    return {};
  const Buffer &b = plan.buffers[buffer];
  if (current[b.storage] < 0)
    return fail(plan.stepName(step),
                "it reads " + plan.bufferName(buffer) + " before it is written");
  if (current[b.storage] != valueOf(plan, buffer))
    return fail(plan.stepName(step),
                "it reads " + plan.bufferName(buffer) +
                    " after its storage was overwritten",
                "its value",
                "that of " + plan.bufferName(static_cast<uint32_t>(current[b.storage])));
  if (step < b.firstStep || step > b.lastStep)
    return fail(plan.stepName(step),
                "it reads " + plan.bufferName(buffer) + " outside its lifetime",
                "steps " + std::to_string(b.firstStep) + " to " +
                    std::to_string(b.lastStep),
                "step " + std::to_string(step));
  if (writtenUntil[b.storage] > step)
    return fail(plan.stepName(step), "it reads " + plan.bufferName(buffer) +
                                         " while a collective may still write it");
  lives[b.storage].extend(step);
  return {};
}

Status MemoryChecker::write(const Plan &plan, uint32_t step, uint32_t buffer) {
  const Buffer &b = plan.buffers[buffer];
  kiln_arena_kind kind = plan.kindOf(buffer);
  if (kind == KILN_ARENA_WEIGHTS || kind == KILN_ARENA_INPUT)
    return fail(plan.stepName(step),
                "it writes " + plan.bufferName(buffer) + ", which is read-only");
  if (step < b.firstStep || step > b.lastStep)
    return fail(plan.stepName(step),
                "it writes " + plan.bufferName(buffer) + " outside its lifetime",
                "steps " + std::to_string(b.firstStep) + " to " +
                    std::to_string(b.lastStep),
                "step " + std::to_string(step));
  if (lastWrite[b.storage] == step + 1)
    return fail(plan.stepName(step),
                "it writes the storage of " + plan.bufferName(buffer) + " twice");
  if (std::max(readUntil[b.storage], writtenUntil[b.storage]) > step)
    return fail(plan.stepName(step), "it writes " + plan.bufferName(buffer) +
                                         " while a collective may still use it");
  lastWrite[b.storage] = step + 1;
  current[b.storage] = buffer;
  lives[b.storage].extend(step);
  return {};
}

Status MemoryChecker::checkOutputs(const Plan &plan) {
  for (const Tensor &t : plan.outputs) {
    if (plan.kindOf(t.buffer) == KILN_ARENA_WEIGHTS)
      continue;
    uint32_t storage = plan.buffers[t.buffer].storage;
    if (current[storage] < 0 || current[storage] != valueOf(plan, t.buffer))
      return fail("output \"" + t.name + "\"",
                  current[storage] < 0 ? "it is never written"
                                       : "its storage is overwritten later",
                  "the value of " + plan.bufferName(t.buffer));
    // An output that must be copied out is read after the last step.
    lives[storage].extend(static_cast<uint32_t>(plan.steps.size()));
  }
  return {};
}

void MemoryChecker::sortStorages(const Plan &plan) {
  order.clear();
  for (uint32_t i = 0; i < plan.buffers.size(); ++i)
    if (plan.buffers[i].storage == i && lives[i].used() && isPlaced(plan.kindOf(i)))
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    uint32_t arenaA = plan.buffers[a].arena, arenaB = plan.buffers[b].arena;
    if (arenaA != arenaB)
      return arenaA < arenaB;
    return lives[a].first != lives[b].first ? lives[a].first < lives[b].first : a < b;
  });
}

Status MemoryChecker::check(const Plan &plan, const Layout &layout,
                            std::span<uint32_t> scratch) const {
  KILN_TRY(checkWeights(plan, layout));
  KILN_TRY(checkTensors(plan, layout));
  KILN_TRY(checkSteps(plan, layout));
  return checkPlaces(plan, layout, scratch);
}

Status MemoryChecker::checkWeights(const Plan &plan, const Layout &layout) const {
  for (uint32_t i = 0; i < plan.buffers.size(); ++i) {
    if (plan.kindOf(i) != KILN_ARENA_WEIGHTS)
      continue;
    uint64_t offset = layout.offset(i), size = layout.size(plan, i);
    // Extent at the last rank; the format's limits on ranks and strides exclude overflow.
    uint64_t stride = plan.buffers[i].rankStride,
             last = stride * (plan.sizeOf(plan.buffers[i].rankAxis) - 1);
    if (offset % format::weightAlignment != 0 || offset > weightsSize ||
        stride > weightsSize || last > weightsSize - offset ||
        size > weightsSize - offset - last || (stride && stride < size))
      return fail(plan.bufferName(i),
                  "the weight is outside the weights section "
                  "or misaligned",
                  "an end of at most " + std::to_string(weightsSize),
                  "offset " + std::to_string(offset) + " and " + std::to_string(size) +
                      " bytes");
  }
  return {};
}

Status MemoryChecker::checkTensors(const Plan &plan, const Layout &layout) const {
  auto check = [&](const Tensor &t, const char *noun) -> Status {
    uint64_t bytes = layout.tensorBytes(t);
    uint64_t size = layout.size(plan, t.buffer);
    uint32_t storage = plan.buffers[t.buffer].storage;
    kiln_arena_kind kind = plan.kindOf(t.buffer);
    // A view of the caller's memory must not be larger than the tensor.
    if (kind == KILN_ARENA_INPUT || kind == KILN_ARENA_OUTPUT)
      for (uint32_t member : members[storage])
        size = std::max(size, layout.size(plan, member));
    if (size != bytes)
      return fail(noun + ("\"" + t.name + "\""), "its buffer does not have its size",
                  std::to_string(bytes) + " bytes", std::to_string(size) + " bytes");
    return {};
  };
  for (const Tensor &t : plan.inputs)
    KILN_TRY(check(t, "input "));
  for (const Tensor &t : plan.outputs)
    KILN_TRY(check(t, "output "));
  return {};
}

Status MemoryChecker::checkSteps(const Plan &plan, const Layout &layout) const {
  int64_t workspace = 0;
  for (const Arena &a : plan.arenas)
    if (a.kind == KILN_ARENA_WORKSPACE)
      workspace = layout.value(a.size);
  for (const Kernel &k : plan.kernels)
    if (layout.value(k.scratch) > workspace)
      return fail("kernel \"" + k.name + "\"", "its scratch exceeds the workspace arena",
                  "at most " + std::to_string(workspace) + " bytes",
                  std::to_string(layout.value(k.scratch)) + " bytes");
  for (uint32_t s = 0; s < plan.steps.size(); ++s) {
    const Step &step = plan.steps[s];
    if (step.kind == StepKind::Launch) {
      KILN_TRY(checkWorkspace(plan, layout, s));
      continue;
    }
    if (step.kind == StepKind::Collective) {
      KILN_TRY(checkCollective(plan, layout, s));
      continue;
    }
    uint64_t from = layout.size(plan, step.reads[0]);
    uint64_t to = layout.size(plan, step.writes[0]);
    if (from != to)
      return fail(plan.stepName(s), "it copies between different sizes",
                  std::to_string(to) + " bytes", std::to_string(from) + " bytes");
  }
  return {};
}

/// Checks that operand and result of a collective have the bytes of its elements,
/// multiplied by the number of ranks of a group where these are gathered, scattered or
/// exchanged.
Status MemoryChecker::checkCollective(const Plan &plan, const Layout &layout,
                                      uint32_t s) const {
  const Step &step = plan.steps[s];
  const Collective &c = *step.collective;
  int64_t one = static_cast<int64_t>(kiln_dtype_size(c.dtype));
  int64_t outer = layout.value(c.outer), inner = layout.value(c.inner), all = 0;
  bool valid = outer >= 0 && inner >= 0 && !__builtin_mul_overflow(one, outer, &one) &&
               !__builtin_mul_overflow(one, inner, &one) &&
               !__builtin_mul_overflow(one, int64_t(plan.sizeOf(c.axis)), &all);
  bool exchanges = c.kind == CollectiveKind::AllToAll;
  bool givesAll = exchanges || c.kind == CollectiveKind::ReduceScatter;
  bool getsAll = exchanges || c.kind == CollectiveKind::AllGather;
  auto from = static_cast<uint64_t>(givesAll ? all : one);
  auto to = static_cast<uint64_t>(getsAll ? all : one);
  if (valid && layout.size(plan, step.reads[0]) == from &&
      layout.size(plan, step.writes[0]) == to)
    return {};
  return fail(plan.stepName(s), "its elements do not fill what it reads and writes",
              std::to_string(layout.size(plan, step.reads[0])) + " and " +
                  std::to_string(layout.size(plan, step.writes[0])) + " bytes",
              std::to_string(outer) + " x " + std::to_string(inner) + ' ' +
                  kiln_dtype_name(c.dtype));
}

/// Checks that a workspace is as large as the blocks of any target and variant need.
Status MemoryChecker::checkWorkspace(const Plan &plan, const Layout &layout,
                                     uint32_t s) const {
  constexpr uint64_t ticketBytes = 4;
  const Step &step = plan.steps[s];
  auto check = [&](int32_t buffer, int32_t count, uint64_t unit,
                   const char *noun) -> Status {
    uint64_t size = layout.size(plan, static_cast<uint32_t>(buffer));
    int64_t needed = layout.value(static_cast<ExprIndex>(count));
    if (needed >= 0 && static_cast<uint64_t>(needed) <= size / unit)
      return {};
    return fail(plan.stepName(s),
                std::string("its kernel needs more ") + noun + " than " +
                    plan.bufferName(static_cast<uint32_t>(buffer)) + " has",
                "at most " + std::to_string(size / unit), std::to_string(needed));
  };
  auto checkBlock = [&](const Block &block) -> Status {
    if (!block.hasWorkspace())
      return {};
    KILN_TRY(check(step.workspace, block.workspace, 1, "bytes of workspace"));
    return check(step.tickets, block.tickets, ticketBytes, "tickets");
  };
  for (const Block &block : plan.kernels[step.kernel].blocks)
    KILN_TRY(checkBlock(block));
  for (const Variant &variant : plan.kernels[step.kernel].variants)
    KILN_TRY(checkBlock(variant.block));
  return {};
}

/// Bytes of a storage: those of its largest buffer.
uint64_t MemoryChecker::extent(const Plan &plan, const Layout &layout,
                               uint32_t storage) const {
  uint64_t size = 0;
  for (uint32_t member : members[storage])
    size = std::max(size, layout.size(plan, member));
  return size;
}

bool MemoryChecker::intersect(const Plan &plan, const Layout &layout, uint32_t a,
                              uint32_t b) const {
  uint64_t sizeA = extent(plan, layout, a), sizeB = extent(plan, layout, b);
  uint64_t beginA = layout.offset(a), beginB = layout.offset(b);
  return sizeA && sizeB && beginA < beginB + sizeB && beginB < beginA + sizeA;
}

Status MemoryChecker::checkPlaces(const Plan &plan, const Layout &layout,
                                  std::span<uint32_t> active) const {
  size_t count = 0;
  uint32_t arena = UINT32_MAX;
  for (uint32_t storage : order) {
    const Arena &home = plan.arenas[plan.buffers[storage].arena];
    uint64_t end = layout.offset(storage) + extent(plan, layout, storage);
    if (end > static_cast<uint64_t>(layout.value(home.size)))
      return fail(plan.bufferName(storage),
                  std::string("it reaches beyond arena ") +
                      kiln_arena_kind_name(home.kind),
                  "an end of at most " + std::to_string(layout.value(home.size)),
                  std::to_string(end));
    if (plan.buffers[storage].arena != arena) {
      arena = plan.buffers[storage].arena;
      count = 0;
    }
    for (size_t i = 0; i < count;) {
      uint32_t other = active[i];
      if (lives[other].last < lives[storage].first) {
        active[i] = active[--count];
        continue;
      }
      // States of two pipeline stages are on different ranks and may overlap.
      int32_t stage = plan.buffers[storage].stage, its = plan.buffers[other].stage;
      bool isOneRank = stage == its || stage < 0 || its < 0;
      if (isOneRank && intersect(plan, layout, storage, other))
        return fail(plan.bufferName(storage),
                    "it overlaps " + plan.bufferName(other) +
                        ", which is live at the same time",
                    "separate bytes",
                    "offsets " + std::to_string(layout.offset(storage)) + " and " +
                        std::to_string(layout.offset(other)) + " at step " +
                        std::to_string(lives[storage].first));
      ++i;
    }
    active[count++] = storage;
  }
  return {};
}

Status MemoryChecker::proveCorners(const Plan &plan, uint64_t size,
                                   const std::string &name) {
  KILN_TRY(prepare(plan, size, name));
  Layout layout(plan);
  std::vector<uint32_t> scratch(order.size());
  for (bool upper : {false, true}) {
    KILN_TRY(layout.compute(plan, corner(plan.symbols, upper), where));
    KILN_TRY(check(plan, layout, scratch));
  }
  return checkBounds(plan);
}

/// Checks that the sizes of all arenas, inputs and outputs are bounded over all dims.
Status MemoryChecker::checkBounds(const Plan &plan) const {
  Envelope envelope(plan, envelopeOf(plan.symbols));
  uint64_t bytes;
  for (const Arena &a : plan.arenas)
    KILN_TRY(envelope.maxBytes(a.size, where + ": arena " + kiln_arena_kind_name(a.kind),
                               bytes));
  for (const auto *tensors : {&plan.inputs, &plan.outputs})
    for (const Tensor &t : *tensors)
      KILN_TRY(envelope.maxBytes(t, where + ": tensor \"" + t.name + "\"", bytes));
  return {};
}
