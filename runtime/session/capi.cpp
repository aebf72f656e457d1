//===- capi.cpp - The C interface -----------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the standard library throws in the runtime, when the heap is exhausted; these
// functions turn that into KILN-E0700.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/log.h"
#include "runtime/device/cuda/graph_cache.h"
#include "runtime/session/api_guard.h"
#include "runtime/session/session.h"
#include <algorithm>

using namespace kiln::rt;

template <typename T> static const T *at(const std::vector<T> &all, size_t index) {
  return index < all.size() ? &all[index] : nullptr;
}

namespace {
struct Element {
  kiln_dtype dtype;
  const char *name;
  uint8_t bytes;
};
constexpr Element elements[] = {
#define KILN_ELEMENT(NAME, name, bytes, numpy, npy) {KILN_DTYPE_##NAME, name, bytes},
#include "kiln/dtypes.def"
};
} // namespace

/// Whether the list has all element types in the order of the enumeration.
static constexpr bool inOrder() {
  for (size_t i = 0; i < std::size(elements); ++i)
    if (elements[i].dtype != static_cast<kiln_dtype>(i))
      return false;
  return std::size(elements) == KILN_DTYPE_COUNT;
}
static_assert(inOrder());

kiln_status *kiln::rt::guardedCall(Status (*call)(void *), void *context) {
  CancellationHeld held;
  try {
    return call(context).release();
  } catch (const std::bad_alloc &) {
    return Status::outOfMemory();
  } catch (const std::length_error &) { // a size beyond any memory
    return Status::outOfMemory();
  }
}

extern "C" {

const char *kiln_version(void) { return KILN_VERSION; }

unsigned kiln_api_version(void) { return KILN_RUNTIME_API_VERSION; }

size_t kiln_dtype_size(kiln_dtype dtype) {
  return static_cast<size_t>(dtype) < std::size(elements) ? elements[dtype].bytes : 0;
}

const char *kiln_dtype_name(kiln_dtype dtype) {
  return static_cast<size_t>(dtype) < std::size(elements) ? elements[dtype].name : "?";
}

const char *kiln_arena_kind_name(kiln_arena_kind kind) {
  static const char *const names[] = {"weights",     "input", "output",
                                      "activations", "state", "workspace"};
  return static_cast<size_t>(kind) < 6 ? names[kind] : "?";
}

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

kiln_status *kiln_package_validity(const char *path) {
  return guarded([&]() -> Status {
    if (!path)
      return misuse("kiln_package_validity", "path is NULL");
    PackageBytes bytes;
    int target;
    PackageBytes::Source source;
    source.name = path;
    KILN_TRY(PackageBytes::open(source, {}, bytes));
    const Container &container = bytes.container();
    for (uint32_t i = 0; i < container.count(format::Plan); ++i) {
      Plan plan;
      KILN_TRY(container.verify(*container.find(format::Plan, i)));
      KILN_TRY(loadPlan(container, path, i, plan));
      KILN_TRY(selectTarget(plan, nullptr, path, target));
    }
    return {};
  });
}

kiln_status *kiln_package_check(const char *path) {
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  options.inspect_only = 1;
  kiln_model *model = nullptr;
  kiln_status *status = kiln_model_load(path, &options, &model);
  if (!status)
    kiln_model_release(model);
  return status;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

void kiln_model_retain(kiln_model *model) {
  if (!model)
    return;
  model = model->first;
  model->references.fetch_add(1, std::memory_order_relaxed);
}

void kiln_model_release(kiln_model *model) {
  CancellationHeld held;
  if (model && model->first->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete model->first;
}

size_t kiln_model_entry_count(const kiln_model *model) {
  return model ? model->programCount() : 0;
}
const char *kiln_model_entry_name(const kiln_model *model, size_t i) {
  return i < kiln_model_entry_count(model) ? model->program(i).entryName() : nullptr;
}
const char *kiln_model_current_entry(const kiln_model *model) {
  return model ? model->entryName() : nullptr;
}
kiln_status *kiln_model_entry(kiln_model *model, const char *name, kiln_model **out) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_model_entry", model, out));
    size_t index;
    KILN_TRY(model->findProgram(name, index));
    *out = &model->program(index);
    return {};
  });
}

size_t kiln_model_input_count(const kiln_model *model) {
  return model ? model->info.inputs.infos.size() : 0;
}
size_t kiln_model_output_count(const kiln_model *model) {
  return model ? model->info.outputs.infos.size() : 0;
}
const kiln_tensor_info *kiln_model_input(const kiln_model *model, size_t i) {
  return model ? at(model->info.inputs.infos, i) : nullptr;
}
const kiln_tensor_info *kiln_model_output(const kiln_model *model, size_t i) {
  return model ? at(model->info.outputs.infos, i) : nullptr;
}
size_t kiln_model_state_count(const kiln_model *model) {
  return model ? model->info.states.infos.size() : 0;
}
const kiln_tensor_info *kiln_model_state(const kiln_model *model, size_t i) {
  return model ? at(model->info.states.infos, i) : nullptr;
}
size_t kiln_model_symbol_count(const kiln_model *model) {
  return model ? model->info.symbols.size() : 0;
}
const kiln_symbol_info *kiln_model_symbol(const kiln_model *model, size_t i) {
  return model ? at(model->info.symbols, i) : nullptr;
}
size_t kiln_model_arena_count(const kiln_model *model) {
  return model ? model->info.arenas.size() : 0;
}
const kiln_arena_info *kiln_model_arena(const kiln_model *model, size_t i) {
  return model ? at(model->info.arenas, i) : nullptr;
}
size_t kiln_model_target_count(const kiln_model *model) {
  return model ? model->info.targets.size() : 0;
}
const kiln_target_info *kiln_model_target(const kiln_model *model, size_t i) {
  return model ? at(model->info.targets, i) : nullptr;
}
size_t kiln_model_kernel_count(const kiln_model *model) {
  return model ? model->plan.kernels.size() : 0;
}
const char *kiln_model_kernel_name(const kiln_model *model, size_t kernel) {
  return kernel < kiln_model_kernel_count(model)
             ? model->plan.kernels[kernel].name.c_str()
             : nullptr;
}
const char *kiln_model_kernel_ptx(const kiln_model *model, size_t kernel, size_t target) {
  if (kernel >= kiln_model_kernel_count(model) || target >= model->plan.targets.size() ||
      model->plan.targets[target].kind != TargetKind::Cuda)
    return nullptr;
  return model->ptx(target) + model->plan.kernels[kernel].entries[target];
}
const char *kiln_model_kernel_config(const kiln_model *model, size_t kernel,
                                     size_t target) {
  if (kernel >= kiln_model_kernel_count(model) || target >= model->plan.targets.size())
    return nullptr;
  const Kernel &k = model->plan.kernels[kernel];
  return target < k.configs.size() ? k.configs[target].c_str() : k.config.c_str();
}
size_t kiln_model_variant_count(const kiln_model *model, size_t kernel) {
  return kernel < kiln_model_kernel_count(model) ? model->info.variants[kernel].size()
                                                 : 0;
}
const kiln_variant_info *kiln_model_variant(const kiln_model *model, size_t kernel,
                                            size_t index) {
  if (kernel >= kiln_model_kernel_count(model))
    return nullptr;
  return at(model->info.variants[kernel], index);
}
const char *kiln_model_variant_ptx(const kiln_model *model, size_t kernel, size_t index) {
  if (index >= kiln_model_variant_count(model, kernel))
    return nullptr;
  const Variant &variant = model->plan.kernels[kernel].variants[index];
  return model->ptx(variant.target) + variant.entry;
}
size_t kiln_model_step_count(const kiln_model *model) {
  return model ? model->info.steps.size() : 0;
}
const kiln_step_info *kiln_model_step(const kiln_model *model, size_t i) {
  return model ? at(model->info.steps, i) : nullptr;
}

static Status computeLayout(const char *function, const kiln_model &model,
                            const int64_t *values, Layout &layout) {
  size_t count = model.plan.symbols.size();
  KILN_TRY(present(function, values, count));
  return layout.compute(model.plan, {values, count}, model.path);
}

kiln_status *kiln_model_arena_bytes(const kiln_model *model, size_t index,
                                    const int64_t *symbol_values, uint64_t *out) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_model_arena_bytes", model, out));
    if (index >= model->plan.arenas.size())
      return misuse("kiln_model_arena_bytes", "the index is out of range");
    Layout layout(model->plan);
    KILN_TRY(computeLayout("kiln_model_arena_bytes", *model, symbol_values, layout));
    *out = static_cast<uint64_t>(layout.value(model->plan.arenas[index].size));
    return {};
  });
}

kiln_status *kiln_model_index_rows(const kiln_model *model, size_t input,
                                   const int64_t *symbol_values, int64_t *out) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_model_index_rows", model, out));
    if (input >= model->plan.inputs.size())
      return misuse("kiln_model_index_rows", "the index is out of range");
    Layout layout(model->plan);
    KILN_TRY(computeLayout("kiln_model_index_rows", *model, symbol_values, layout));
    *out = -1;
    for (const IndexRows &indices : model->plan.indexRows)
      if (int64_t rows = layout.value(indices.rows);
          indices.input == input && (*out < 0 || rows < *out))
        *out = rows;
    return {};
  });
}

kiln_status *kiln_model_variant_bounds(const kiln_model *model, size_t kernel,
                                       size_t index, const int64_t *symbol_values,
                                       int64_t *out) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_model_variant_bounds", model, out));
    if (index >= kiln_model_variant_count(model, kernel))
      return misuse("kiln_model_variant_bounds", "the index is out of range");
    Layout layout(model->plan);
    KILN_TRY(computeLayout("kiln_model_variant_bounds", *model, symbol_values, layout));
    for (const Bound &bound : model->plan.kernels[kernel].variants[index].when)
      *out++ = layout.value(bound.value);
    return {};
  });
}

kiln_status *kiln_model_step_cost(const kiln_model *model, size_t index,
                                  const int64_t *symbol_values, kiln_step_cost *out) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_model_step_cost", model, out));
    if (index >= model->plan.steps.size())
      return misuse("kiln_model_step_cost", "the index is out of range");
    Layout layout(model->plan);
    KILN_TRY(computeLayout("kiln_model_step_cost", *model, symbol_values, layout));
    const Step &s = model->plan.steps[index];
    *out = {layout.value(s.grid), layout.value(s.bytes), layout.value(s.flops)};
    return {};
  });
}

const uint32_t *kiln_model_step_dependencies(const kiln_model *model, size_t index,
                                             size_t *count) {
  const std::vector<uint32_t> *found = nullptr;
  try {
    found = model ? at(model->dependencies(), index) : nullptr;
  } catch (const std::bad_alloc &) { // this function returns no status
  }
  if (count)
    *count = found ? found->size() : 0;
  return found ? found->data() : nullptr;
}

kiln_status *kiln_model_graph(const kiln_model *model, kiln_graph_info *out) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_model_graph", model, out));
    const Plan &plan = model->plan;
    kiln_graph_info info = {plan.steps.size(), 0, 0, 0, plan.graphMemory, 0};
    std::vector<size_t> depths;
    for (const std::vector<uint32_t> &before : model->dependencies()) {
      size_t depth = 0;
      for (uint32_t earlier : before)
        depth = std::max(depth, depths[earlier]);
      depths.push_back(depth + 1);
      info.edges += before.size();
      info.depth = std::max(info.depth, depth + 1);
    }
    size_t copies = 0;
    for (uint32_t i = 0; i < plan.outputs.size(); ++i)
      copies += !plan.providesStorage(i);
    info.nodes += copies;
    info.edges += copies * plan.steps.size();
    info.depth += copies ? 1 : 0;
    info.bytes = cuda::graphBytes(info.nodes);
    info.instantiated = cuda::graphInstances(info.nodes, plan.graphMemory,
                                             countChoices(model->info.symbols));
    *out = info;
    return {};
  });
}

const char *kiln_model_provenance(const kiln_model *model, size_t *length) {
  if (length)
    *length = model ? model->info.provenance.size() : 0;
  return model ? model->info.provenance.c_str() : nullptr;
}

const char *kiln_model_path(const kiln_model *model) {
  return model ? model->path.c_str() : nullptr;
}

kiln_status *kiln_model_check_weights(kiln_model *model) {
  return guarded([&]() -> Status {
    if (!model)
      return misuse("kiln_model_check_weights", "the model is NULL");
    return model->first->weightsCheck.wait();
  });
}

uint64_t kiln_model_file_bytes(const kiln_model *model) {
  return model ? model->first->bytes.size() : 0;
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

static void logSession(const kiln_model &model, const kiln_session &session,
                       const LogTimer &timer) {
  if (!isLogged())
    return;
  uint64_t bytes = 0;
  for (uint64_t arena : session.bytes().arenas)
    bytes += arena;
  const char *device = session.device->info().name;
  writeLog(KILN_LOG_DEBUG, "kiln.session.created",
           std::string("created a session on ") + device + " of " + model.path,
           {{"file.path", model.path.c_str()},
            {"kiln.device", device},
            {"kiln.threads", double(session.device->threads())},
            {"kiln.arena_bytes", double(bytes)},
            {"kiln.duration_ms", timer.milliseconds()}});
}

kiln_status *kiln_session_create(kiln_model *model, const kiln_session_options *given,
                                 kiln_session **out) {
  return guarded([&]() -> Status {
    if (!model || !out)
      return misuse("kiln_session_create", "an argument is NULL");
    kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
    KILN_TRY(readOptions(given, options, "kiln_session_create"));
    KILN_TRY(present("kiln_session_create", options.dims, options.dim_count));
    kiln_allocator allocator = KILN_ALLOCATOR_INIT;
    KILN_TRY(readOptions(options.allocator, allocator, "kiln_session_create"));
    if (options.allocator && (!allocator.allocate || !allocator.free))
      return misuse("kiln_session_create", "the allocator lacks a function");
    options.allocator = options.allocator ? &allocator : nullptr;
    if (options.workers && options.parallel_for)
      return misuse("kiln_session_create", "workers and parallel_for exclude each other");
    LogTimer timer;
    KILN_TRY(kiln_session::create(*model, options, {}, *out));
    logSession(*model, **out, timer);
    return {};
  });
}

void kiln_session_release(kiln_session *session) {
  CancellationHeld held;
  if (session && session->isFirst() && !session->isInGroup())
    delete session;
}

kiln_status *kiln_session_entry(kiln_session *session, const char *name,
                                kiln_session **out) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_session_entry", session, out));
    return session->find(name, *out);
  });
}

/// Runs a session that is no rank of a group: a single rank would wait for the others in
/// vain.
static Status runAlone(const char *function, kiln_session &session,
                       std::span<const kiln_tensor> inputs,
                       std::span<const kiln_tensor> outputs,
                       const RunLimits &limits = {}) {
  if (session.isInGroup())
    return misuse(function, "the session is a rank of a group: call kiln_group_run");
  return session.run(inputs, outputs, limits);
}

kiln_status *kiln_session_run_with(kiln_session *session, const kiln_run_options *given,
                                   const kiln_tensor *inputs, size_t input_count,
                                   const kiln_tensor *outputs, size_t output_count) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_session_run_with", session));
    KILN_TRY(present("kiln_session_run_with", inputs, input_count));
    KILN_TRY(present("kiln_session_run_with", outputs, output_count));
    kiln_run_options options = KILN_RUN_OPTIONS_INIT;
    KILN_TRY(readOptions(given, options, "kiln_session_run_with"));
    kiln_session *entry = session;
    if (options.entry)
      KILN_TRY(session->find(options.entry, entry));
    return runAlone("kiln_session_run_with", *entry, {inputs, input_count},
                    {outputs, output_count},
                    {options.deadline_ns, options.poll, options.poll_user});
  });
}

void kiln_session_cancel(kiln_session *session) {
  if (session)
    session->cancel();
}

uint64_t kiln_deadline_after(uint64_t nanoseconds) {
  uint64_t deadline;
  return __builtin_add_overflow(monotonicNow(), nanoseconds, &deadline) ? UINT64_MAX
                                                                        : deadline;
}

kiln_status *kiln_session_run_entry(kiln_session *session, const char *name,
                                    const kiln_tensor *inputs, size_t input_count,
                                    const kiln_tensor *outputs, size_t output_count) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_session_run_entry", session));
    KILN_TRY(present("kiln_session_run_entry", inputs, input_count));
    KILN_TRY(present("kiln_session_run_entry", outputs, output_count));
    kiln_session *entry;
    KILN_TRY(session->find(name, entry));
    return runAlone("kiln_session_run_entry", *entry, {inputs, input_count},
                    {outputs, output_count});
  });
}

kiln_status *kiln_session_output_shapes(kiln_session *session, const kiln_tensor *inputs,
                                        size_t input_count, kiln_shape *out,
                                        size_t count) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_session_output_shapes", session));
    KILN_TRY(present("kiln_session_output_shapes", inputs, input_count));
    KILN_TRY(present("kiln_session_output_shapes", out, count));
    return session->outputShapes({inputs, input_count}, {out, count});
  });
}

kiln_status *kiln_model_output_shapes(const kiln_model *model, const kiln_tensor *inputs,
                                      size_t input_count, kiln_shape *out, size_t count) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_model_output_shapes", model));
    KILN_TRY(present("kiln_model_output_shapes", inputs, input_count));
    KILN_TRY(present("kiln_model_output_shapes", out, count));
    // The cast is safe: only the reference count changes.
    return kiln_session::outputShapesOf(const_cast<kiln_model &>(*model),
                                        {inputs, input_count}, {out, count});
  });
}

kiln_status *kiln_session_run(kiln_session *session, const kiln_tensor *inputs,
                              size_t input_count, const kiln_tensor *outputs,
                              size_t output_count) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_session_run", session));
    KILN_TRY(present("kiln_session_run", inputs, input_count));
    KILN_TRY(present("kiln_session_run", outputs, output_count));
    return runAlone("kiln_session_run", *session, {inputs, input_count},
                    {outputs, output_count});
  });
}

const kiln_device_info *kiln_session_device(const kiln_session *session) {
  return session ? &session->device->info() : nullptr;
}

kiln_status *kiln_session_set_stream(kiln_session *session, void *stream) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_session_set_stream", session));
    return session->withDevices(
        [&](DeviceSession &device) { return device.setStream(stream); });
  });
}

kiln_status *kiln_session_synchronize(kiln_session *session) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_session_synchronize", session));
    return session->withDevices(
        [](DeviceSession &device) { return device.synchronize(); });
  });
}

kiln_status *kiln_session_trim(kiln_session *session) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_session_trim", session));
    return session->withDevices([](DeviceSession &device) { return device.trim(); });
  });
}

kiln_status *kiln_session_step_launch(const kiln_session *session, size_t step,
                                      kiln_step_launch *out) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_session_step_launch", session, out));
    return session->stepLaunch(step, *out);
  });
}

kiln_status *kiln_session_reset_state(kiln_session *session) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_session_reset_state", session));
    return session->withStates([](States &states) { return states.reset(); });
  });
}

kiln_status *kiln_session_state_shape(const kiln_session *session, size_t index,
                                      kiln_shape *out) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_session_state_shape", session, out));
    return session->stateShape(index, *out);
  });
}

kiln_status *kiln_session_read_state(kiln_session *session, size_t index, uint64_t offset,
                                     void *to, size_t size) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_session_read_state", session));
    KILN_TRY(present("kiln_session_read_state", to, size));
    return session->withStates([&](States &states) {
      return states.read(index, offset, {static_cast<uint8_t *>(to), size});
    });
  });
}

kiln_status *kiln_session_write_state(kiln_session *session, size_t index,
                                      uint64_t offset, const void *from, size_t size) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_session_write_state", session));
    KILN_TRY(present("kiln_session_write_state", from, size));
    return session->withStates([&](States &states) {
      return states.write(index, offset, {static_cast<const uint8_t *>(from), size});
    });
  });
}

kiln_status *kiln_session_copy_row(kiln_session *session, size_t from, size_t to) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_session_copy_row", session));
    return session->withStates([&](States &states) { return states.copyRow(from, to); });
  });
}

uint32_t kiln_session_threads(const kiln_session *session) {
  return session ? session->device->threads() : 0;
}

const kiln_symbol_info *kiln_session_symbol(const kiln_session *session, size_t index) {
  return session ? at(session->ranges, index) : nullptr;
}

const uint64_t *kiln_session_step_times(const kiln_session *session) {
  return session ? session->stepTimes() : nullptr;
}

kiln_status *kiln_session_arena(const kiln_session *session, size_t index,
                                kiln_arena_usage *out) {
  return guarded([&]() -> Status {
    KILN_TRY(notNull("kiln_session_arena", session, out));
    return session->arenaUsage(index, *out);
  });
}

} // extern "C"
