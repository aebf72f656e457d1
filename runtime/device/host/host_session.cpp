//===- host_session.cpp - Running a plan on the CPU -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/host/host_session.h"
#include "runtime/model/model.h"
#include "runtime/model/tensors.h"
#include "runtime/package/format.h"
#include <algorithm>
#include <cstring>
#include <ctime>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace kiln::rt;

static constexpr kiln_allocator noAllocator = KILN_ALLOCATOR_INIT;

/// Byte with which measured arenas are filled: four of them are an unlikely float and
/// index.
static constexpr uint8_t fillByte = 0xa5;

namespace {
/// Sets the rounding mode and denormal handling that kernels assume, whatever the host
/// program has set. The pool's workers set the same.
class FloatEnvironment {
#if defined(__x86_64__)
public:
  FloatEnvironment() : saved(_mm_getcsr()) { _mm_setcsr(0x1f80); }
  ~FloatEnvironment() { _mm_setcsr(saved); }

private:
  unsigned saved;
#else
public:
  FloatEnvironment() {}
  ~FloatEnvironment() {}
#endif
};

/// One launch, which its workers run together.
struct Region {
  kiln_host_kernel kernel;
  void *const *buffers;
  const int64_t *symbols;
  int64_t tasks;
  uint8_t *scratch;
  uint32_t scratchPages; ///< pages from one worker's scratch to the next one's
  uint32_t workers;
};

/// A launch that takes so long that its workers poll `control`.
struct LongRegion {
  Region region;
  RunControl *control;
  int64_t parts; ///< number of parts of each worker's tasks
};
} // namespace

/// Calls generated code, which lacks the type information that the sanitizer of function
/// pointers reads in front of a function.
#if defined(__clang__)
__attribute__((no_sanitize("function")))
#endif
static void call(kiln_host_kernel kernel, void *const *buffers, const int64_t *symbols,
                 int64_t begin, int64_t end, void *scratch) {
  kernel(buffers, symbols, begin, end, scratch);
}

static uint32_t chooseThreads(const kiln_session_options &options) {
  if (options.parallel_for)
    return std::min(std::max(options.threads, 1u), 4096u);
  if (options.threads == 1)
    return 1; // needs no thread pool
  uint32_t maximum =
      options.workers ? options.workers->shared->size() : ThreadPool::process().size();
  return options.threads ? std::min(options.threads, maximum) : maximum;
}

HostSession::HostSession(const kiln_model &model, const kiln_session_options &options,
                         const ProcessGroup &group)
    : model(model), plan(model.plan), group(group),
      sharedWorkers(options.workers ? options.workers->shared.get() : nullptr),
      threadCount(chooseThreads(options)),
      callerPool(options.parallel_for, options.parallel_for_user, threadCount),
      observer{options.observer, options.observer_user}, measure(options.measure_memory),
      storageOf(plan.buffers.size()), bufferBytes(plan.buffers.size()),
      allocator(options.allocator ? *options.allocator : noAllocator),
      arenas(std::make_shared<HostArenas>()), needed(plan),
      outputPlaces(plan.outputs.size()), spareOutputs(plan.outputs.size()),
      measured(plan.arenas.size()) {
  kiln_workers_retain(options.workers);
  ownWorkers.reset(options.workers);
  if (model.target >= 0)
    device.target = plan.targets[static_cast<size_t>(model.target)].name.c_str();
  boundSymbols.reserve(plan.symbols.size());
  for (const Kernel &k : plan.kernels) {
    kernelSymbols.push_back(static_cast<uint32_t>(symbolValues.size()));
    symbolValues.resize(symbolValues.size() + k.symbols.size());
  }
  size_t maximum = 0;
  for (const Step &s : plan.steps) {
    addStep(s);
    maximum = std::max(maximum, s.reads.size() + s.writes.size());
  }
  addOutputCopies();
  slots.resize(slotBuffers.size());
  if (options.profile)
    times.resize(plan.steps.size());
  if (observer)
    views.resize(maximum);
}

void HostSession::addSlot(uint32_t buffer) {
  uint32_t slot = static_cast<uint32_t>(slotBuffers.size());
  slotBuffers.push_back(buffer);
  kiln_arena_kind kind = plan.kindOf(buffer);
  bool input = kind == KILN_ARENA_INPUT;
  if (!input && kind != KILN_ARENA_OUTPUT)
    return;
  // The caller passes the memory of the first tensor with this storage.
  const std::vector<Tensor> &tensors = input ? plan.inputs : plan.outputs;
  for (uint32_t i = 0; i < tensors.size(); ++i)
    if (plan.buffers[tensors[i].buffer].storage == plan.buffers[buffer].storage) {
      patches.push_back({slot, i, !input});
      return;
    }
}

void HostSession::addStep(const Step &step) {
  Command command;
  command.slots = static_cast<uint32_t>(slotBuffers.size());
  if (step.kind == StepKind::Launch) {
    command.kernel = reinterpret_cast<kiln_host_kernel>(
        reinterpret_cast<uintptr_t>(model.entry(plan.kernels[step.kernel])));
    command.symbols = kernelSymbols[step.kernel];
  }
  if (step.kind == StepKind::Collective) {
    command.collective = static_cast<int32_t>(collectives.size());
    collectives.push_back(collectiveOf(plan, static_cast<uint32_t>(commands.size())));
  } else {
    command.isSkipped = !plan.runsOn(step, group.rank());
  }
  for (uint32_t b : step.reads)
    addSlot(b);
  for (uint32_t b : step.writes)
    addSlot(b);
  commands.push_back(command);
}

/// Adds copies for outputs whose value is an input, a weight, state, or another output.
void HostSession::addOutputCopies() {
  for (uint32_t i = 0; i < plan.outputs.size(); ++i) {
    if (plan.providesStorage(i))
      continue;
    Command command;
    command.slots = static_cast<uint32_t>(slotBuffers.size());
    addSlot(plan.outputs[i].buffer);
    patches.push_back({static_cast<uint32_t>(slotBuffers.size()), i, true});
    slotBuffers.push_back(noBuffer);
    copies.push_back({i, static_cast<uint32_t>(commands.size())});
    commands.push_back(command);
  }
}

Status HostSession::allocate(const Capacities &capacities, const DeviceSession *owner,
                             const Layout &, std::span<const int64_t>, uint64_t) {
  outputCapacities = capacities.outputs;
  if (!owner)
    return HostArenas::allocate(plan, capacities.arenas, threadCount, measure, allocator,
                                arenas);
  arenas = static_cast<const HostSession &>(*owner).arenas;
  return {};
}

Status HostSession::checkMemory(const Layout &layout) {
  return arenas->prepare(plan, layout);
}

Status HostSession::trim() {
  arenas->trim();
  isPlaced = false;
  for (ArenaMemory &spare : spareOutputs)
    spare = ArenaMemory();
  return {};
}

/// Returns into how many parts to divide a worker's tasks, so that a part takes some
/// milliseconds. Results do not depend on it.
static int64_t partsOf(const Step &step, const Layout &layout, uint32_t workers) {
  constexpr int64_t bytes = 32 << 20, flops = 64 << 20;
  return std::max(layout.value(step.bytes) / bytes, layout.value(step.flops) / flops) /
         workers;
}

/// Returns the number of workers for a step; results do not depend on it. A step that
/// takes one thread one to two microseconds is slower with more, which must be notified
/// first.
uint32_t HostSession::workersOf(const Step &step, const Layout &layout) const {
  constexpr int64_t smallBytes = 32 << 10, smallFlops = 64 << 10;
  bool isSmall =
      layout.value(step.bytes) < smallBytes && layout.value(step.flops) < smallFlops;
  return isSmall ? 1 : threadCount;
}

void HostSession::bind(const Layout &layout, std::span<const int64_t> symbols) noexcept {
  // Kernels only read weights, so the cast causes no write.
  auto *weights = const_cast<uint8_t *>(model.weights());
  isPlaced = true;
  scratch = arenas->scratch();
  scratchPages = static_cast<uint32_t>(arenas->scratchStride() / format::pageAlignment);
  for (uint32_t b = 0; b < plan.buffers.size(); ++b) {
    uint32_t arena = plan.buffers[b].arena;
    uint8_t *base =
        plan.arenas[arena].kind == KILN_ARENA_WEIGHTS ? weights : (*arenas)[arena].data();
    storageOf[b] =
        base ? base + layout.offset(b) + plan.partOf(b, group.rank()) : nullptr;
    bufferBytes[b] = layout.size(plan, b);
  }
  for (size_t s = 0; s < slots.size(); ++s)
    if (slotBuffers[s] != noBuffer)
      slots[s] = storageOf[slotBuffers[s]];
  for (size_t k = 0; k < plan.kernels.size(); ++k)
    for (size_t i = 0; i < plan.kernels[k].symbols.size(); ++i)
      symbolValues[kernelSymbols[k] + i] = symbols[plan.kernels[k].symbols[i]];
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    const Step &step = plan.steps[s];
    commands[s].grid = step.kind == StepKind::Launch
                           ? layout.value(step.grid)
                           : static_cast<int64_t>(bufferBytes[step.writes[0]]);
    commands[s].workers = workersOf(step, layout);
    commands[s].parts = partsOf(step, layout, commands[s].workers);
    if (step.collective) {
      CollectiveCall &call = collectives[static_cast<size_t>(commands[s].collective)];
      call.outer = layout.value(step.collective->outer);
      call.inner = layout.value(step.collective->inner);
    }
  }
  for (const IndexCheck &check : plan.indexChecks)
    if (isLeftOut(check))
      commands[check.step].grid = 0;
  boundSymbols.assign(symbols.begin(), symbols.end());
  for (auto [output, command] : copies)
    commands[command].grid =
        static_cast<int64_t>(layout.tensorBytes(plan.outputs[output]));
}

/// Returns the first task of worker `w`. Computes in 128 bits, as tasks * workers may not
/// fit into 64.
static int64_t firstTask(const Region &r, uint32_t w) {
  return static_cast<int64_t>(static_cast<__int128>(r.tasks) * w / r.workers);
}

static void runTasks(const Region &r, uint32_t worker, int64_t begin, int64_t end) {
  call(r.kernel, r.buffers, r.symbols, begin, end,
       r.scratch + format::pageAlignment * r.scratchPages * worker);
}

static void runWorker(void *argument, uint32_t worker) {
  const Region &r = *static_cast<const Region *>(argument);
  runTasks(r, worker, firstTask(r, worker), firstTask(r, worker + 1));
}

static void runWorkerInParts(void *argument, uint32_t worker) {
  const LongRegion &all = *static_cast<const LongRegion *>(argument);
  int64_t begin = firstTask(all.region, worker);
  int64_t tasks = firstTask(all.region, worker + 1) - begin;
  int64_t parts = std::min(all.parts, tasks);
  for (int64_t part = 0; part < parts && !all.control->mustStop(); ++part)
    runTasks(all.region, worker, begin + tasks * part / parts,
             begin + tasks * (part + 1) / parts);
}

Status HostSession::launch(const Command &command, RunControl &control) {
  void *const *buffers = slots.data() + command.slots;
  if (!command.kernel) {
    if (command.grid)
      std::memmove(buffers[1], buffers[0], static_cast<size_t>(command.grid));
    return {};
  }
  const int64_t *symbols = symbolValues.data() + command.symbols;
  if (command.grid == 0)
    return {};
  uint32_t workers =
      static_cast<uint32_t>(std::min<int64_t>(command.grid, command.workers));
  bool isLong = command.parts > 1;
  if (workers == 1 && !isLong) {
    call(command.kernel, buffers, symbols, 0, command.grid, scratch);
    return {};
  }
  Region region{command.kernel, buffers,      symbols, command.grid,
                scratch,        scratchPages, workers};
  LongRegion inParts{region, &control, command.parts};
  ThreadPool::Body body = isLong ? runWorkerInParts : runWorker;
  void *context = isLong ? static_cast<void *>(&inParts) : &region;
  if (workers == 1)
    body(context, 0);
  else if (callerPool)
    return callerPool.run(workers, body, context);
  else if (sharedWorkers)
    sharedWorkers->run(workers, body, context);
  else if (isLong)
    ThreadPool::process().run(workers, body, context);
  else
    ThreadPool::process().runWithCopies(workers, runWorker, region);
  return {};
}

Status HostSession::runCollective(const Command &command) {
  CollectiveCall call = collectives[static_cast<size_t>(command.collective)];
  call.from = slots[command.slots];
  call.to = slots[command.slots + 1];
  return group.run(call);
}

/// Returns "step 12 of 85".
std::string HostSession::placeOf(size_t command) const {
  return "step " + std::to_string(command) + " of " + std::to_string(commands.size());
}

bool HostSession::isLeftOut(size_t command) const {
  size_t steps = plan.steps.size();
  if (command >= steps)
    return !needed.isOutputWanted(copies[command - steps].first);
  return commands[command].isSkipped || (!observer && !needed.isNeeded(command));
}

Status HostSession::runCommands(RunControl &control) {
  size_t steps = plan.steps.size();
  for (size_t i = 0; i < commands.size(); ++i) {
    if (isLeftOut(i)) {
      if (!times.empty() && i < steps)
        times[i] = 0;
      continue;
    }
    if (control.mustStop())
      return control.failure(placeOf(i));
    bool observed = observer && i < steps;
    if (observed)
      KILN_TRY(observe(i, false));
    bool timed = !times.empty() && i < steps;
    uint64_t begin = timed ? monotonicNow() : 0;
    if (commands[i].collective >= 0)
      KILN_TRY(runCollective(commands[i]));
    else if (Status launched = launch(commands[i], control); !launched.ok())
      return launched;
    group.noteStep();
    if (timed)
      times[i] = monotonicNow() - begin;
    if (observed)
      KILN_TRY(observe(i, true));
  }
  // The last step may have ended early, too.
  return control.mustStop() ? Status(control.failure(placeOf(commands.size())))
                            : Status();
}

/// Sets the memory of outputs. An output that the caller does not want gets memory of the
/// session if a step that is needed otherwise writes it.
Status HostSession::placeOutputs(std::span<const TensorPlace> outputs) {
  bool isChanged = false;
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputPlaces[i] = outputs[i];
    isChanged |= needed.want(i, outputs[i].data || !outputCapacities[i]);
    if (outputs[i].data || !outputCapacities[i])
      continue;
    if (!spareOutputs[i].data())
      KILN_TRY(ArenaMemory::allocate(outputCapacities[i], format::bufferAlignment,
                                     "output \"" + plan.outputs[i].name + "\"", allocator,
                                     Promise::Memory, spareOutputs[i]));
    outputPlaces[i].data = spareOutputs[i].data();
  }
  if (isChanged)
    needed.find();
  return {};
}

Status HostSession::run(std::span<const TensorPlace> inputs,
                        std::span<const TensorPlace> outputs, RunControl &control) {
  KILN_TRY(placeOutputs(outputs));
  for (const Patch &p : patches)
    slots[p.slot] = p.output ? outputPlaces[p.tensor].data : inputs[p.tensor].data;
  if (measure)
    fillArenas();
  {
    FloatEnvironment defaults;
    if (threadCount > 1 && sharedWorkers) {
      SharedWorkers::ActiveScope active(*sharedWorkers);
      KILN_TRY(runCommands(control));
    } else if (threadCount > 1 && !callerPool) {
      ThreadPool::ActiveScope active(ThreadPool::process());
      KILN_TRY(runCommands(control));
    } else {
      KILN_TRY(runCommands(control));
    }
  }
  if (measure)
    measureArenas();
  return readChecks();
}

Status HostSession::readChecks() const {
  for (const IndexCheck &check : plan.indexChecks) {
    if (isLeftOut(check))
      continue;
    int64_t found;
    std::memcpy(&found, storageOf[check.buffer], sizeof found);
    KILN_TRY(readIndexCheck(plan, check, found, boundSymbols));
  }
  return {};
}

kiln_buffer_view HostSession::view(uint32_t buffer, uint32_t slot) const {
  return {plan.buffers[buffer].name.c_str(), slots[slot], bufferBytes[buffer]};
}

Status HostSession::observe(size_t index, bool after) {
  const Step &step = plan.steps[index];
  uint32_t slot = commands[index].slots;
  size_t n = 0;
  for (uint32_t b : step.reads)
    views[n++] = view(b, slot++);
  for (uint32_t b : step.writes)
    views[n++] = view(b, slot++);
  return observer.call(index, after, {views.data(), step.reads.size()},
                       {views.data() + step.reads.size(), step.writes.size()});
}

Status HostSession::resetState() {
  for (const HostArenas::Arena &arena : arenas->all())
    if (arena.kind == KILN_ARENA_STATE && arena.capacity)
      std::memset(arena.data(), 0, arena.capacity);
  return {};
}

uint8_t *HostSession::stateAt(uint64_t offset) {
  for (const HostArenas::Arena &arena : arenas->all())
    if (arena.kind == KILN_ARENA_STATE)
      return arena.data() + offset;
  return nullptr;
}

Status HostSession::readState(uint64_t offset, std::span<uint8_t> to) {
  std::memcpy(to.data(), stateAt(offset), to.size());
  return {};
}

Status HostSession::writeState(uint64_t offset, std::span<const uint8_t> from) {
  std::memcpy(stateAt(offset), from.data(), from.size());
  return {};
}

Status HostSession::copyState(uint64_t from, uint64_t to, uint64_t bytes) {
  std::memcpy(stateAt(to), stateAt(from), bytes);
  return {};
}

Status HostSession::setStream(void *) {
  return Failure{Code::BadUsage,
                 "kiln_session_set_stream",
                 "the session runs on the CPU, which has no streams",
                 "a session on a GPU",
                 "device cpu",
                 "create the session with device cuda"};
}

Status HostSession::stepLaunch(size_t step, kiln_step_launch &out) const {
  out = {commands[step].grid, 0, 0, 0, 0, nullptr};
  return {};
}

void HostSession::fillArenas() {
  for (const HostArenas::Arena &arena : arenas->all())
    if (arena.kind != KILN_ARENA_STATE && arena.capacity)
      std::memset(arena.data(), fillByte, arena.capacity);
}

void HostSession::measureArenas() {
  for (size_t i = 0; i < arenas->all().size(); ++i) {
    const HostArenas::Arena &arena = (*arenas)[i];
    measured[i] = 0;
    if (arena.kind == KILN_ARENA_STATE || !arena.capacity)
      continue;
    bool perThread = arena.kind == KILN_ARENA_WORKSPACE;
    uint64_t part = perThread ? arenas->scratchStride() : arena.capacity;
    for (uint64_t begin = 0; begin < arena.capacity; begin += part) {
      const uint8_t *data = arena.data() + begin;
      uint64_t end = part;
      while (end && data[end - 1] == fillByte)
        --end;
      measured[i] = std::max(measured[i], format::alignUp(end, format::bufferAlignment));
    }
  }
}

namespace {
class HostDevice final : public Device {
  Status createSession(const kiln_model &model, const kiln_session_options &options,
                       const ProcessGroup &group,
                       std::unique_ptr<DeviceSession> &out) override {
    int target;
    if (model.target < 0) // the model was loaded for a GPU
      KILN_TRY(model.selectHostTarget(target));
    out = std::make_unique<HostSession>(model, options, group);
    return {};
  }
};
} // namespace

Device &kiln::rt::hostDevice() {
  static HostDevice device;
  return device;
}
