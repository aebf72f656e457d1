//===- session.cpp - kiln.Session -----------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "session.h"
#include "arrays.h"
#include "errors.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <nanobind/stl/string.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace nb = nanobind;
using namespace kiln::python;

/// Whether a dim is fixed; it prints as a number.
static bool isFixed(const Dim &dim) {
  return dim.expr.find_first_not_of("0123456789") == std::string::npos;
}

nb::object Tensor::shape() const {
  nb::list list;
  for (const Dim &dim : dims)
    isFixed(dim) ? list.append(dim.min) : list.append(nb::str(dim.expr.c_str()));
  return nb::tuple(list);
}

std::string Tensor::type() const {
  std::string text = dtype + "[";
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i ? ", " : "") + dims[i].expr;
  return text + "]";
}

std::string Tensor::repr() const { return "<kiln.Tensor " + name + ": " + type() + ">"; }

std::string Dim::repr() const {
  std::string range = " in " + std::to_string(min) + ".." + std::to_string(max);
  return "<kiln.Dim " + expr + (isFixed(*this) ? "" : range) + ">";
}

std::string Arena::repr() const {
  return "<kiln.Arena " + kind + ": at most " + std::to_string(maxBytes) + " bytes, " +
         formula + ">";
}

Session::Session(const std::string &path, const LoadConfig &loading, SessionConfig config)
    : Session(loadModel(path, loading, /*inspect=*/false), std::move(config)) {}

Session::Session(std::shared_ptr<kiln_model> model, SessionConfig settings)
    : model(std::move(model)), config(std::move(settings)) {
  std::vector<kiln_dim_range> ranges;
  for (const SessionConfig::Range &range : config.dims)
    ranges.push_back({range.name.c_str(), range.lo, range.hi});
  kiln_session_options options = KILN_SESSION_OPTIONS_INIT;
  options.device = config.device.c_str();
  options.threads = config.threads;
  options.dims = ranges.data();
  options.dim_count = ranges.size();
  options.measure_memory = config.measureMemory;
  options.no_graph = !config.graph;
  options.graph_memory = config.graphMemory;
  options.profile = config.profile;
  if (config.observer.is_valid()) {
    observer = std::make_shared<StepObserver>();
    options.observer = StepObserver::observe;
    options.observer_user = observer.get();
  }
  options.workers = config.workers.get();
  config.ranks ? createGroup(options) : createSession(options);
  name = kiln_model_entry_name(this->model.get(), 0);
}

void Session::createSession(const kiln_session_options &options) {
  kiln_session *created = nullptr;
  kiln_status *status;
  {
    nb::gil_scoped_release released; // on a GPU the driver compiles the code
    status = kiln_session_create(model.get(), &options, &created);
  }
  check(status);
  session = {created, kiln_session_release};
}

/// Returns the number of threads of a rank. A group does not limit the number that it is
/// given, and ranks that compete for CPUs delay each other, so this uses no more threads
/// than there are CPUs; each process may have all CPUs for itself.
static uint32_t threadsOfRank(uint32_t threads, uint32_t ranks, bool processes) {
  if (!threads)
    return 0;
  uint32_t cpus = threads;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    cpus = static_cast<uint32_t>(CPU_COUNT(&set));
  return processes ? std::min(std::max(threads / ranks, 1u), cpus)
                   : std::max(std::min(threads, cpus) / ranks, 1u);
}

void Session::createGroup(const kiln_session_options &options) {
  uint32_t ranks = *config.ranks ? *config.ranks : kiln_model_rank_count(model.get());
  kiln_group_options own = KILN_GROUP_OPTIONS_INIT;
  own.ranks = ranks;
  own.device = options.device;
  own.threads = threadsOfRank(options.threads, ranks, config.processes);
  own.timeout_ms = config.timeout;
  own.dims = options.dims;
  own.dim_count = options.dim_count;
  own.measure_memory = options.measure_memory;
  own.no_graph = options.no_graph;
  own.graph_memory = options.graph_memory;
  own.profile = options.profile;
  own.observer = observer ? StepObserver::observeRank : nullptr;
  own.observer_user = options.observer_user;
  kiln_group *created = nullptr;
  kiln_status *status;
  {
    nb::gil_scoped_release released;
    status = config.processes ? kiln_group_join(model.get(), &own, nullptr, &created)
                              : kiln_group_create(model.get(), &own, &created);
  }
  check(status);
  group = {created, kiln_group_release};
  session = {group, kiln_group_session(created, kiln_group_rank(created))};
}

Session Session::entry(const std::string &wanted) const {
  kiln_session *found = nullptr;
  kiln_model *view = nullptr;
  check(kiln_session_entry(open(), wanted.c_str(), &found));
  check(kiln_model_entry(model.get(), wanted.c_str(), &view));
  return {std::shared_ptr<kiln_model>(model, view),
          std::shared_ptr<kiln_session>(held(), found),
          group,
          observer,
          wanted,
          config};
}

std::vector<std::string> Session::entries() const {
  std::vector<std::string> names;
  for (size_t i = 0; i < kiln_model_entry_count(model.get()); ++i)
    names.emplace_back(kiln_model_entry_name(model.get(), i));
  return names;
}

const std::shared_ptr<kiln_session> &Session::held() const {
  if (session)
    return session;
  raise(1, "kiln.Session", "the session is closed", "an open session",
        "a use after close() or the end of its with statement",
        "create another, or use it before it is closed");
}

uint32_t Session::ranks() const {
  open();
  return group ? kiln_group_ranks(group.get()) : 1;
}

uint32_t Session::ownRank() const {
  open();
  return group ? kiln_group_rank(group.get()) : 0;
}

kiln_session *Session::rank(uint32_t number) const {
  if (number >= ranks())
    raise(1, "kiln.Group", "there is no such rank", "0 to " + std::to_string(ranks() - 1),
          std::to_string(number), "give the number of a rank");
  if (!group)
    return open();
  if (kiln_session *found = kiln_group_session(group.get(), number))
    return found;
  raise(1, "kiln.Group", "the rank is another process", std::to_string(ownRank()),
        std::to_string(number), "ask that process, or make a group of threads");
}

std::vector<kiln_session *> Session::localRanks() const {
  std::vector<kiln_session *> local;
  for (uint32_t number = 0; number < ranks(); ++number)
    if (!config.processes || number == ownRank())
      local.push_back(rank(number));
  return local;
}

void Session::close() {
  session.reset();
  group.reset();
}

/// Returns "<kiln.Session model.kiln on cpu (x86-64-v4, 2 threads): ids int64[batch, seq]
/// -> ...>".
std::string Session::repr() const {
  std::string text = config.ranks ? "<kiln.Group " : "<kiln.Session ";
  text += kiln_model_path(model.get());
  if (!session)
    return text + " (closed)>";
  text += std::string(" on ") + device().name + " (" + device().target + ", " +
          (ranks() > 1 ? std::to_string(ranks()) + " ranks, " : "") +
          std::to_string(threads()) + " threads): ";
  const char *separator = "";
  for (const std::vector<Tensor> &side : {inputs(), outputs()}) {
    for (const Tensor &tensor : side) {
      text += separator + tensor.name + " " + tensor.type();
      separator = ", ";
    }
    separator = " -> ";
  }
  return text + ">";
}

Session Session::clone() const { return Session(model, config).entry(name); }

Session Session::timed() const {
  SessionConfig own = config;
  own.observer.reset();
  own.profile = true;
  return Session(model, std::move(own)).entry(name);
}

nb::tuple Session::stepTimes() const {
  const uint64_t *times = kiln_session_step_times(open());
  nb::list steps;
  for (size_t i = 0; const kiln_step_info *info = kiln_model_step(model.get(), i); ++i) {
    nb::list nodes;
    for (size_t n = 0; n < info->node_count; ++n)
      nodes.append(info->nodes[n]);
    steps.append(nb::make_tuple(info->kernel, info->hero, nodes, times ? times[i] : 0));
  }
  return nb::make_tuple(name, steps);
}

int SessionTraversal::traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self))
    Py_VISIT(nb::inst_ptr<Session>(self)->config.observer.ptr());
  return 0;
}

int SessionTraversal::clear(PyObject *self) {
  if (nb::inst_ready(self))
    nb::inst_ptr<Session>(self)->config.observer.reset();
  return 0;
}

namespace {
/// The `poll` callback of a run: ends the run if a signal has arrived or the token was
/// cancelled. Checking for signals needs the GIL, so only Python's main thread does it,
/// and rarely.
class RunWatch {
public:
  explicit RunWatch(const CancelToken *token)
      : token(token), isMain(syscall(SYS_gettid) == getpid()) {}
  static int poll(void *self) { return static_cast<RunWatch *>(self)->mustEnd(); }
  /// Throws the exception that the signal handler raised.
  void rethrow() {
    if (!type)
      return;
    PyErr_Restore(type, value, trace);
    throw nb::python_error();
  }

private:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::duration period = std::chrono::milliseconds(40);

  bool mustEnd() {
    if (token && token->isCancelled())
      return true;
    if (!isMain || Clock::now() < next)
      return false;
    next = Clock::now() + period;
    nb::gil_scoped_acquire acquired;
    if (PyErr_CheckSignals() == 0)
      return false;
    PyErr_Fetch(&type, &value, &trace);
    return true;
  }

  const CancelToken *token;
  bool isMain;
  Clock::time_point next = Clock::now() + period;
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
};
} // namespace

static uint64_t deadlineOf(std::optional<double> timeout) {
  constexpr double forever = 1e9; // seconds
  if (!timeout || *timeout >= forever)
    return 0;
  if (std::isnan(*timeout))
    throw nb::value_error("timeout: expected seconds, found nan");
  return kiln_deadline_after(static_cast<uint64_t>(std::max(*timeout, 0.0) * 1e9));
}

void Session::launch(const std::vector<kiln_tensor> &given,
                     const std::vector<kiln_tensor> &wanted, RunEnd end) {
  // Copies keep them alive: another thread may close the session meanwhile.
  std::shared_ptr<kiln_session> running = held();
  std::shared_ptr<kiln_group> ranks = group;
  RunWatch watch(end.token);
  StepObserver::Run observed(observer, model.get(), config.observer);
  kiln_run_options options = KILN_RUN_OPTIONS_INIT;
  options.entry = name.c_str();
  options.deadline_ns = deadlineOf(end.timeout);
  options.poll = RunWatch::poll;
  options.poll_user = &watch;
  kiln_status *status;
  {
    nb::gil_scoped_release released;
    status = ranks ? kiln_group_run_with(ranks.get(), &options, given.data(),
                                         given.size(), wanted.data(), wanted.size())
                   : kiln_session_run_with(running.get(), &options, given.data(),
                                           given.size(), wanted.data(), wanted.size());
  }
  std::unique_ptr<kiln_status, void (*)(kiln_status *)> owned(status, kiln_status_free);
  watch.rethrow();
  observed.rethrow();
  check(owned.release());
}

void Session::cancel() {
  std::shared_ptr<kiln_session> running = held();
  group ? kiln_group_cancel(group.get()) : kiln_session_cancel(running.get());
}

static DTypes dtypesOf(kiln_model *model) {
  DTypes types;
  for (size_t i = 0; i < kiln_model_input_count(model); ++i)
    types[kiln_model_input(model, i)->name] = kiln_model_input(model, i)->dtype;
  return types;
}

/// Returns the indices of these outputs, by name, or of all outputs.
std::vector<size_t> Session::chooseOutputs(nb::handle names) const {
  std::vector<size_t> chosen;
  size_t count = kiln_model_output_count(model.get());
  if (names.is_none())
    for (size_t i = 0; i < count; ++i)
      chosen.push_back(i);
  if (names.is_none())
    return chosen;
  std::string known;
  for (size_t i = 0; i < count; ++i)
    known +=
        (i ? ", \"" : "\"") + std::string(kiln_model_output(model.get(), i)->name) + "\"";
  for (nb::handle one : names) {
    std::string wanted;
    if (!nb::try_cast(one, wanted))
      throw nb::type_error(
          ("outputs: a name is text, found " + textOf(nb::repr(one))).c_str());
    size_t place = 0;
    while (place < count && wanted != kiln_model_output(model.get(), place)->name)
      ++place;
    if (place == count)
      raise(600, "output \"" + wanted + "\"", "the model has no such output", known,
            wanted, "use one of those names");
    if (std::ranges::find(chosen, place) != chosen.end())
      raise(607, "output \"" + wanted + "\"", "it is given twice", "once", "twice",
            "give every name once");
    chosen.push_back(place);
  }
  return chosen;
}

/// Raises an error if the arguments are in onnxruntime's order: output names first.
static void refuseNamesFirst(nb::handle inputs, nb::handle outputs) {
  bool isNames =
      inputs.is_none() || PyList_Check(inputs.ptr()) || PyTuple_Check(inputs.ptr());
  if (isNames && nb::hasattr(outputs, "items"))
    throw nb::type_error(
        "inputs: expected a dict of names and arrays first, then the "
        "names of outputs; onnxruntime's run(names, feeds) is run(feeds, "
        "names) here, and run(None, feeds) is run(feeds)");
}

nb::dict Session::run(nb::handle inputs, nb::handle outputs, RunEnd end) {
  refuseNamesFirst(inputs, outputs);
  void *stream = device().stream;
  Arrays arrays(inputs, /*output=*/false, stream, dtypesOf(model.get()));
  const std::vector<kiln_tensor> &given = arrays.tensors();
  nb::dict results;
  if (nb::hasattr(outputs, "items")) {
    Arrays places(outputs, /*output=*/true, stream);
    launch(given, places.tensors(), end);
    places.copyBack();
    results.update(outputs);
    return results;
  }
  if (!outputs.is_none() && !PyList_Check(outputs.ptr()) && !PyTuple_Check(outputs.ptr()))
    throw nb::type_error(("outputs: expected a list of names, or a dict of names and "
                          "arrays, found " +
                          textOf(outputs.type().attr("__name__")))
                             .c_str());
  return nb::cast<nb::dict>(runForNew(given, chooseOutputs(outputs), 1, end)[0]);
}

nb::list Session::runAllRanks(nb::handle inputs) {
  Arrays arrays(inputs, /*output=*/false, device().stream, dtypesOf(model.get()));
  if (config.processes)
    raise(1, "kiln.Group.run_all_ranks",
          "ranks are processes, and have outputs of their own", "a group of threads",
          "processes=True", "use run");
  return runForNew(arrays.tensors(), chooseOutputs(nb::none()), ranks(), {});
}

/// Runs into new arrays, and returns the outputs of `count` ranks.
nb::list Session::runForNew(const std::vector<kiln_tensor> &given,
                            const std::vector<size_t> &chosen, uint32_t count,
                            RunEnd end) {
  std::vector<kiln_shape> shapes(kiln_model_output_count(model.get()));
  kiln_session *alone = open();
  check(group ? kiln_group_output_shapes(group.get(), name.c_str(), given.data(),
                                         given.size(), shapes.data(), shapes.size())
              : kiln_session_output_shapes(alone, given.data(), given.size(),
                                           shapes.data(), shapes.size()));
  nb::list results;
  std::vector<kiln_tensor> wanted;
  for (uint32_t rank = 0; rank < count; ++rank) {
    nb::dict own;
    for (size_t i : chosen) {
      OutputArray created(*kiln_model_output(model.get(), i), shapes[i]);
      wanted.push_back(created.tensor);
      own[created.tensor.name] = created.array;
    }
    results.append(own);
  }
  launch(given, wanted, end);
  return results;
}

void Session::setStream(std::optional<intptr_t> stream) {
  // Other libraries use 0 for the default stream, which is CU_STREAM_LEGACY here: NULL
  // means the session's own stream.
  constexpr intptr_t legacy = 1;
  if (stream == 0)
    stream = legacy;
  // A copy keeps it alive: another thread may close the session meanwhile.
  std::shared_ptr<kiln_session> running = held();
  kiln_status *status;
  {
    nb::gil_scoped_release released; // it waits for runs in progress
    status = kiln_session_set_stream(running.get(),
                                     reinterpret_cast<void *>(stream.value_or(0)));
  }
  check(status);
}

intptr_t Session::stream() const { return reinterpret_cast<intptr_t>(device().stream); }

void Session::synchronize() {
  // A copy keeps it alive: another thread may close the session meanwhile.
  std::shared_ptr<kiln_session> running = held();
  kiln_status *status;
  {
    nb::gil_scoped_release released;
    status = kiln_session_synchronize(running.get());
  }
  check(status);
}

void Session::checkWeights() {
  std::shared_ptr<kiln_session> running = held();
  kiln_status *status;
  {
    nb::gil_scoped_release released; // it reads the unread weights of the file
    status = kiln_model_check_weights(model.get());
  }
  check(status);
}

void Session::trim() {
  std::shared_ptr<kiln_session> running = held();
  for (kiln_session *one : localRanks())
    check(kiln_session_trim(one));
}

void Session::resetState() {
  kiln_session *alone = open();
  check(group ? kiln_group_reset_state(group.get()) : kiln_session_reset_state(alone));
}

uint64_t Session::stateBytes(size_t index, std::optional<uint32_t> only) const {
  kiln_shape shape;
  kiln_session *of = rank(only.value_or(ownRank()));
  check(kiln_session_state_shape(of, index, &shape));
  return shape.bytes;
}

nb::bytes Session::readState(size_t index, uint64_t offset, uint64_t size,
                             std::optional<uint32_t> only) {
  std::string bytes(std::min(size, stateBytes(index, only)), 0);
  kiln_session *from = rank(only.value_or(ownRank()));
  check(kiln_session_read_state(from, index, offset, bytes.data(), bytes.size()));
  return nb::bytes(bytes.data(), bytes.size());
}

void Session::writeState(size_t index, uint64_t offset, nb::bytes data,
                         std::optional<uint32_t> only) {
  std::vector<kiln_session *> to = localRanks();
  if (only)
    to = {rank(*only)};
  for (kiln_session *one : to)
    check(kiln_session_write_state(one, index, offset, data.data(), data.size()));
}

void Session::copyRow(size_t from, size_t to) {
  for (kiln_session *one : localRanks())
    check(kiln_session_copy_row(one, from, to));
}

/// Loads a model to query it, without code for this machine.
static std::shared_ptr<kiln_model> inspect(const std::string &path) {
  kiln_model_options options = KILN_MODEL_OPTIONS_INIT;
  options.inspect_only = 1;
  options.trust_weights = 1;
  kiln_model *loaded = nullptr;
  check(kiln_model_load(path.c_str(), &options, &loaded));
  return {loaded, kiln_model_release};
}

uint32_t kiln::python::rankCountOf(const std::string &path) {
  return kiln_model_rank_count(inspect(path).get());
}

nb::dict kiln::python::symbolsOf(const std::string &path) {
  std::shared_ptr<kiln_model> model = inspect(path);
  nb::dict ranges;
  for (size_t e = 0; e < kiln_model_entry_count(model.get()); ++e) {
    kiln_model *entry = nullptr;
    check(kiln_model_entry(model.get(), kiln_model_entry_name(model.get(), e), &entry));
    for (size_t i = 0; const kiln_symbol_info *info = kiln_model_symbol(entry, i); ++i)
      ranges[info->name] = nb::make_tuple(info->min, info->max);
  }
  return ranges;
}

Tensor kiln::python::describe(const kiln_tensor_info &info) {
  Tensor tensor{info.name, numpyName(info.dtype), {}};
  for (uint32_t i = 0; i < info.rank; ++i)
    tensor.dims.push_back({info.dims[i].expr, info.dims[i].min, info.dims[i].max});
  return tensor;
}

std::vector<Tensor> Session::inputs() const {
  std::vector<Tensor> list;
  for (size_t i = 0; i < kiln_model_input_count(model.get()); ++i)
    list.push_back(describe(*kiln_model_input(model.get(), i)));
  return list;
}

std::vector<Tensor> Session::outputs() const {
  std::vector<Tensor> list;
  for (size_t i = 0; i < kiln_model_output_count(model.get()); ++i)
    list.push_back(describe(*kiln_model_output(model.get(), i)));
  return list;
}

std::vector<Tensor> Session::states() const {
  std::vector<Tensor> list;
  for (size_t i = 0; i < kiln_model_state_count(model.get()); ++i)
    list.push_back(describe(*kiln_model_state(model.get(), i)));
  return list;
}

nb::dict Session::symbols() const {
  nb::dict ranges;
  for (size_t i = 0; const kiln_symbol_info *info = kiln_session_symbol(open(), i); ++i)
    ranges[info->name] = nb::make_tuple(info->min, info->max);
  return ranges;
}

std::string Session::provenance() const {
  size_t length = 0;
  const char *text = kiln_model_provenance(model.get(), &length);
  return {text, length};
}

std::vector<Arena> Session::memory() const {
  std::vector<Arena> list;
  for (size_t i = 0; i < kiln_model_arena_count(model.get()); ++i) {
    const kiln_arena_info &info = *kiln_model_arena(model.get(), i);
    kiln_arena_usage usage;
    check(kiln_session_arena(open(), i, &usage));
    list.push_back({kiln_arena_kind_name(info.kind), info.formula, info.max_bytes,
                    usage.capacity, usage.formula, usage.high_water, usage.measured});
  }
  return list;
}
