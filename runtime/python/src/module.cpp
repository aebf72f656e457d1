//===- module.cpp - The extension module kiln._runtime --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "errors.h"
#include "model.h"
#include "observer.h"
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace kiln::python;

/// Reads an integer of any type, including NumPy's; false for text.
static bool readInteger(nb::handle value, int64_t &out) {
  return PyIndex_Check(value.ptr()) && nb::try_cast(value, out);
}

static bool readRange(nb::handle value, SessionConfig::Range &range) {
  if (readInteger(value, range.lo)) {
    range.hi = range.lo;
    return true;
  }
  bool pair = PyTuple_Check(value.ptr()) || PyList_Check(value.ptr());
  return pair && nb::len(value) == 2 && readInteger(nb::object(value[0]), range.lo) &&
         readInteger(nb::object(value[1]), range.hi);
}

std::vector<SessionConfig::Range>
kiln::python::rangesOf(const std::optional<nb::dict> &dims) {
  std::vector<SessionConfig::Range> ranges;
  if (!dims)
    return ranges;
  for (auto [name, value] : *dims) {
    SessionConfig::Range range;
    if (!nb::try_cast(name, range.name) || !readRange(value, range))
      raise(608, "dim " + textOf(nb::repr(name)), "its range cannot be read",
            "a name with a number or a pair (lo, hi)", textOf(nb::repr(value)),
            "give the range as in {\"batch\": (1, 8)}");
    refuseNul(range.name, "dims");
    ranges.push_back(std::move(range));
  }
  return ranges;
}

/// Whether the argument is a package rather than its path. `bytes` may be either, as a
/// path need not be UTF-8.
static bool isPackage(nb::handle path) {
  if (!PyBytes_Check(path.ptr()))
    return PyObject_CheckBuffer(path.ptr()); // a memoryview, an mmap ...
  return PyBytes_Size(path.ptr()) > 8 &&
         std::string_view(PyBytes_AsString(path.ptr()), 8) == "\x89KILN\r\n\x1a";
}

/// Returns the package's name for error messages; if the package is given as bytes,
/// stores these in `load`.
static std::string nameOf(nb::handle path, LoadConfig &load) {
  std::string text = "a buffer";
  if (path.is_none() != load.fd.has_value())
    throw nb::type_error("path: expected a path, bytes, or in its place fd=");
  if (!load.fd && (load.offset || load.length))
    throw nb::type_error("offset, length: they are of fd=");
  if (load.fd) {
    text = "descriptor " + std::to_string(*load.fd);
  } else if (isPackage(path)) {
    load.bytes = nb::borrow(path);
  } else if (nb::hasattr(path, "read")) { // an open file
    load.bytes = path.attr("read")();
    if (!PyObject_CheckBuffer(load.bytes->ptr()))
      throw nb::type_error(
          "path: the file must be open for bytes, as open(path, \"rb\")");
  } else { // bytes: a path need not be UTF-8
    nb::bytes name =
        nb::borrow<nb::bytes>(nb::module_::import_("os").attr("fsencode")(path));
    text.assign(name.c_str(), name.size());
  }
  refuseNul(text, "path");
  refuseNul(load.target.value_or(""), "target");
  refuseNul(load.expect.value_or(""), "expect");
  return text;
}

/// Stores in `load` where the package's bytes are.
static void placeOf(LoadConfig &load, bool copy, std::optional<int> fd, uint64_t offset,
                    uint64_t length) {
  load.copy = copy;
  load.fd = fd;
  load.offset = offset;
  load.length = length;
}

/// Constructs a Python session or group in place.
template <typename T>
static void construct(T *self, nb::handle path, LoadConfig load, SessionConfig config) {
  std::string text = nameOf(path, load);
  refuseNul(config.device, "device");
  new (self) T(text, load, std::move(config));
}

static void bindModel(nb::module_ &m) {
  nb::class_<Model>(m, "Model", nb::is_weak_referenceable(),
                    "A package, to be asked before there is a session: loading one takes "
                    "no memory for runs, and works for packages of any machine.")
      .def(
          "__init__",
          [](Model *self, nb::handle path, bool verifyWeights,
             const std::optional<std::string> &expect, bool copy, std::optional<int> fd,
             uint64_t offset, uint64_t length) {
            LoadConfig load{std::nullopt, expect, verifyWeights, false};
            placeOf(load, copy, fd, offset, length);
            std::string text = nameOf(path, load);
            new (self) Model(text, load);
          },
          nb::arg("path") = nb::none(), nb::kw_only(), nb::arg("verify_weights") = false,
          nb::arg("expect") = nb::none(), nb::arg("copy") = true,
          nb::arg("fd") = nb::none(), nb::arg("offset") = 0, nb::arg("length") = 0,
          "path: of the package, or the package itself as bytes. verify_weights=True: "
          "also compare the weights with their hash.\nexpect: the SHA-256 that the "
          "package "
          "must have.\ncopy, fd, offset, length: as of Session.")
      .def("entry", &Model::entry, nb::arg("name"),
           "The model as another of its entries, such as \"decode\".")
      .def("output_shapes", &Model::outputShapes, nb::arg("shapes"),
           "The shapes of the outputs for those of the inputs: {\"ids\": (2, 5)} in, "
           "{\"y\": (2, 5, 8)} out.")
      .def("bytes", &Model::bytes, nb::arg("dims") = nb::dict(), nb::arg("threads") = 1,
           "The memory that a session on the CPU allocates for these dims, each a number "
           "or a pair (lo, hi), beside\nthe weights, which sessions share.")
      .def_prop_ro("path", &Model::path, "The path of the package.")
      .def_prop_ro("file_bytes", &Model::fileBytes, "The size of the package.")
      .def_prop_ro("ranks", &Model::ranks, "The number of ranks that it is for.")
      .def_prop_ro("name", &Model::name, "The name of the entry that this tells of.")
      .def_prop_ro("entries", &Model::entries, "The names of all entries.")
      .def_prop_ro("targets", &Model::targets, "The targets that it has code for.")
      .def_prop_ro("inputs", &Model::inputs, "The inputs, as Tensor.")
      .def_prop_ro("outputs", &Model::outputs, "The outputs, as Tensor.")
      .def_prop_ro("states", &Model::states, "What outlives a run, as Tensor.")
      .def_prop_ro("dims", &Model::dims,
                   "The ranges of symbolic dims: {\"batch\": (1, 8)}.")
      .def_prop_ro("provenance", &Model::provenance,
                   "JSON text: model hash, compiler version, options ...")
      .def_prop_ro(
          "description",
          [](const Model &self) { return self.provenanceOf("description"); },
          "What the ONNX model says of itself: \"producer\", \"version\", \"domain\", "
          "\"description\", and its\nmetadata_props as the dict \"metadata\".")
      .def_prop_ro(
          "labels", [](const Model &self) { return self.provenanceOf("labels"); },
          "The texts that were given with kiln compile --label.")
      .def("__repr__", &Model::repr);
}

static nb::object observerOf(nb::handle observer) {
  if (observer.is_none())
    return {};
  if (!PyCallable_Check(observer.ptr()))
    throw nb::type_error("observer: expected a function of a StepEvent");
  return nb::borrow(observer);
}

static void initialise(Session *self, nb::handle path, const std::string &device,
                       uint32_t threads, const std::optional<nb::dict> &dims,
                       const std::optional<std::string> &target, bool measureMemory,
                       bool graph, uint64_t graphMemory, bool verifyWeights,
                       bool inMemory, const std::optional<std::string> &expect, bool copy,
                       std::optional<int> fd, uint64_t offset, uint64_t length,
                       const Workers *workers, nb::handle observer) {
  LoadConfig load{target, expect, verifyWeights, inMemory};
  placeOf(load, copy, fd, offset, length);
  SessionConfig config{device,        threads, rangesOf(dims),
                       measureMemory, graph,   graphMemory};
  config.observer = observerOf(observer);
  if (workers)
    config.workers = workers->held;
  construct(self, path, std::move(load), std::move(config));
}

static void initialiseGroup(Group *self, nb::handle path, uint32_t ranks,
                            const std::string &device, uint32_t threads,
                            const std::optional<nb::dict> &dims,
                            const std::optional<std::string> &target, bool measureMemory,
                            bool graph, uint64_t graphMemory, bool verifyWeights,
                            bool inMemory, const std::optional<std::string> &expect,
                            bool copy, std::optional<int> fd, uint64_t offset,
                            uint64_t length, uint32_t timeout, bool processes,
                            nb::handle observer) {
  LoadConfig load{target, expect, verifyWeights, inMemory};
  placeOf(load, copy, fd, offset, length);
  SessionConfig config{device,        threads, rangesOf(dims),
                       measureMemory, graph,   graphMemory};
  config.ranks = ranks;
  config.timeout = timeout;
  config.processes = processes;
  config.observer = observerOf(observer);
  construct(self, path, std::move(load), std::move(config));
}

static void bindWorkers(nb::module_ &m) {
  nb::class_<Workers>(m, "Workers",
                      "Threads that help the runs of any number of sessions, in turn: "
                      "Session(path, workers=workers).")
      .def(nb::init<uint32_t, const std::optional<std::vector<uint32_t>> &, int>(),
           nb::arg("threads") = 0, nb::kw_only(), nb::arg("cpus") = nb::none(),
           nb::arg("nice") = 0,
           "threads: of a run at most, the caller's included; 0: as many as this process "
           "may use. cpus: the first worker\nruns on the first alone, and so on. nice: "
           "niceness of the workers.")
      .def_prop_ro("threads", &Workers::threads,
                   "Threads of a run at most, the caller's included.");
}

static void bindDescriptions(nb::module_ &m) {
  nb::class_<Dim>(m, "Dim",
                  "A dim of an input or output: a number or an expression over symbols, "
                  "with its range.")
      .def_ro("expr", &Dim::expr, "The expression as text: \"batch\", \"384\".")
      .def_ro("min", &Dim::min, "The smallest size.")
      .def_ro("max", &Dim::max, "The largest size.")
      .def("__repr__", &Dim::repr);
  nb::class_<Tensor>(m, "Tensor", "An input or output of a model.")
      .def_ro("name", &Tensor::name, "The name in the ONNX model.")
      .def_ro("dtype", &Tensor::dtype,
              "The element type as NumPy spells it; \"bfloat16\" for bf16.")
      .def_prop_ro("shape", &Tensor::shape,
                   "Fixed dims as int, others as their expression: (1, \"seq\", 384).")
      .def_prop_ro(
          "dims", [](const Tensor &tensor) { return nb::tuple(nb::cast(tensor.dims)); },
          "Each dim with its range.")
      .def("__repr__", &Tensor::repr);
  nb::class_<Arena>(m, "Arena", "Memory of a session by kind, in bytes.")
      .def_ro("kind", &Arena::kind, "\"weights\", \"activations\" ...")
      .def_ro("formula", &Arena::formula, "The size as a formula over the symbols.")
      .def_ro("max_bytes", &Arena::maxBytes, "What no dims in the ranges exceed.")
      .def_ro("capacity", &Arena::capacity, "What the session allocated.")
      .def_ro("last_formula", &Arena::lastFormula,
              "The formula's value for the dims of the last run.")
      .def_ro("high_water", &Arena::highWater,
              "How far runs wrote, with measure_memory=True.")
      .def_ro("measured", &Arena::measured,
              "How much the last run wrote, with measure_memory=True.")
      .def("__repr__", &Arena::repr);
}

static void bindRuns(nb::class_<Session> &session) {
  session
      .def(
          "run",
          [](Session &self, nb::handle inputs, nb::handle outputs,
             std::optional<double> timeout, const CancelToken *token) {
            return self.run(inputs, outputs, {timeout, token});
          },
          nb::arg("inputs").none(), nb::arg("outputs") = nb::none(), nb::kw_only(),
          nb::arg("timeout") = nb::none(), nb::arg("token") = nb::none(),
          "Runs the model: {name: array} in, {name: array} out.\n\n"
          "Inputs are NumPy arrays or anything with __dlpack__, on the CPU or on the "
          "session's GPU, or lists of\nnumbers. Their type is the declared one or one "
          "whose every value it can hold (int32 for int64).\noutputs: names of those "
          "that are "
          "wanted, [\"y\"], or arrays the results are written to, {\"y\": y}; None: all, "
          "as new NumPy arrays.\ntimeout: seconds, after which the run ends with "
          "KILN-E0714. token: a CancelToken that ends the run with KILN-E0713. Ctrl-C "
          "ends "
          "it, too.")
      .def("cancel", &Session::cancel,
           "Ends the run that another thread has under way: that raises KILN-E0713. "
           "Without one it does nothing.");
}

static PyType_Slot sessionSlots[] = {
    {Py_tp_traverse, reinterpret_cast<void *>(SessionTraversal::traverse)},
    {Py_tp_clear, reinterpret_cast<void *>(SessionTraversal::clear)},
    {0, nullptr}};

static void bindCreation(nb::class_<Session> &session) {
  session.def(
      "__init__", initialise, nb::arg("path") = nb::none(), nb::kw_only(),
      nb::arg("device") = "cpu", nb::arg("threads") = 0, nb::arg("dims") = nb::none(),
      nb::arg("target") = nb::none(), nb::arg("measure_memory") = false,
      nb::arg("graph") = true, nb::arg("graph_memory") = 0,
      nb::arg("verify_weights") = true, nb::arg("in_memory") = false,
      nb::arg("expect") = nb::none(), nb::arg("copy") = true, nb::arg("fd") = nb::none(),
      nb::arg("offset") = 0, nb::arg("length") = 0, nb::arg("workers") = nb::none(),
      nb::arg("observer") = nb::none(),
      "path: of the package, or the package itself as bytes. device: \"cpu\", "
      "\"cuda\", \"cuda:N\", \"sim\", "
      "\"sim:PROFILE\".\nthreads: at most so many; 0: all that this process may use. "
      "dims: narrower ranges, {\"batch\": (1, 4)}, for less memory.\ntarget: of the "
      "package's; None: the best for this machine. measure_memory: see Arena.\n"
      "graph=False: a GPU's kernels one by one. graph_memory: bytes for CUDA "
      "graphs.\n"
      "verify_weights=False: do not compare the weights with their hashes, which "
      "goes on until the first run waits. "
      "in_memory=True: read the weights\ninstead of mapping the file. expect: the "
      "SHA-256 that the package must have.\ncopy=False: use the weights of a package "
      "that is given as bytes where they are, at a multiple of 64 bytes. fd: in "
      "place "
      "of\na path, a descriptor of a file of which the package is the `length` bytes "
      "from `offset` on (0: up to the end). workers:\nthreads for its runs, shared "
      "with other sessions. observer: called with a StepEvent before and after each "
      "step; what it raises ends the run.");
}

static void bindSession(nb::module_ &m) {
  nb::class_<Session> session(
      m, "Session", nb::is_weak_referenceable(), nb::type_slots(sessionSlots),
      "Runs a package. One run at a time; use one session per thread (clone), they share "
      "the weights.\nMay be used in a with statement, which gives its memory back at the "
      "end.");
  bindCreation(session);
  bindRuns(session);
  session
      .def("_timed", &Session::timed) // used by kiln/observing.py
      .def("_step_times", &Session::stepTimes)
      .def("close", &Session::close,
           "Gives the session's memory back; it cannot run any more. Clones go on.")
      .def("__enter__", [](nb::handle self) { return nb::borrow(self); })
      .def(
          "__exit__", [](Session &self, nb::args) { self.close(); },
          nb::arg("args").sig("*args"))
      .def("__repr__", &Session::repr)
      .def("synchronize", &Session::synchronize, "Waits for all runs of the session.")
      .def("check_weights", &Session::checkWeights,
           "Waits until the weights have been compared with their hash, as the first run "
           "does.")
      .def("trim", &Session::trim,
           "Gives the memory of runs back; the next run takes it again. States stay.")
      .def("clone", &Session::clone,
           "Another session of the same loaded model, for another thread.")
      .def("entry", &Session::entry, nb::arg("name"),
           "What runs another entry of the model with this session's memory and states, "
           "such as \"decode\".")
      .def("reset_state", &Session::resetState, "Sets the state of the model to zero.")
      .def("state_bytes", &Session::stateBytes, nb::arg("index"),
           nb::arg("rank") = nb::none(),
           "The bytes of a state in this session. rank: of a Group; None: that of this "
           "process. A rank of a pipeline has none of a state of another stage.")
      .def("read_state", &Session::readState, nb::arg("index"), nb::arg("offset") = 0,
           nb::arg("size") = UINT64_MAX, nb::arg("rank") = nb::none(),
           "Bytes of a state, all of them by default. rank: of a Group; None: that of "
           "this process.")
      .def("write_state", &Session::writeState, nb::arg("index"), nb::arg("offset"),
           nb::arg("data"), nb::arg("rank") = nb::none(),
           "Replaces bytes of a state, of a Group on this rank or, with None, on all.")
      .def("copy_row", &Session::copyRow, nb::arg("source"), nb::arg("target"),
           "Copies all that the states hold of one sequence to another one.");
  session
      .def_prop_rw(
          "stream", &Session::stream, &Session::setStream,
          nb::for_setter(nb::arg("stream").none()),
          "The CUstream of the runs as an integer; 0 on the CPU. May be set to one "
          "of the caller's, or to None.")
      .def_prop_ro(
          "device", [](const Session &s) { return s.device().name; },
          "Where it runs: \"cpu\", \"cuda:0\".")
      .def_prop_ro(
          "gpu", [](const Session &s) { return s.device().gpu; },
          "The GPU as its driver calls it; \"\" on the CPU.")
      .def_prop_ro(
          "target", [](const Session &s) { return s.device().target; },
          "The target of the package whose code runs: \"x86-64-v3\", \"sm_80\".")
      .def_prop_ro("entries", &Session::entries,
                   "The names of the model's entries; a session begins as the first.")
      .def_prop_ro("inputs", &Session::inputs, "The inputs, as Tensor.")
      .def_prop_ro("outputs", &Session::outputs, "The outputs, as Tensor.")
      .def_prop_ro("states", &Session::states,
                   "The tensors that outlive a run, as Tensor.")
      .def_prop_ro(
          "symbols", &Session::symbols,
          "The ranges of symbolic dims this session accepts: {\"batch\": (1, 8)}.")
      .def_prop_ro("threads", &Session::threads, "The number of threads of a run.")
      .def_prop_ro("ranks", &Session::ranks, "How many ranks run; 1 but of a Group.")
      .def_prop_ro("rank", &Session::ownRank,
                   "The rank of this process; 0 unless ranks are processes.")
      .def_prop_ro("provenance", &Session::provenance,
                   "JSON text: model hash, compiler version, options ...")
      .def_prop_ro("memory", &Session::memory,
                   "The memory of the session, or of each rank, as Arena.");
}

static void bindGroup(nb::module_ &m) {
  nb::class_<Group, Session>(
      m, "Group",
      "Runs a package for several ranks, each with its part of the weights, on the CPU "
      "or a GPU each: threads of\nthis process, or processes. A Session otherwise; "
      "states and arenas are those of one rank.")
      .def(
          "__init__", initialiseGroup, nb::arg("path") = nb::none(), nb::kw_only(),
          nb::arg("ranks") = 0, nb::arg("device") = "cpu", nb::arg("threads") = 0,
          nb::arg("dims") = nb::none(), nb::arg("target") = nb::none(),
          nb::arg("measure_memory") = false, nb::arg("graph") = true,
          nb::arg("graph_memory") = 0, nb::arg("verify_weights") = true,
          nb::arg("in_memory") = false, nb::arg("expect") = nb::none(),
          nb::arg("copy") = true, nb::arg("fd") = nb::none(), nb::arg("offset") = 0,
          nb::arg("length") = 0, nb::arg("timeout_ms") = 0, nb::arg("processes") = false,
          nb::arg("observer") = nb::none(),
          "ranks: must be as many as the package is for; 0: as it says. device: \"cpu\"; "
          "\"cuda\": rank R is on\n\"cuda:R\"; \"sim:PROFILE\": each on a GPU that this "
          "process simulates. threads: of all ranks together, of "
          "which each has the same number and 1 at "
          "least; 0: as many as this process may use. timeout_ms: a rank\nthat has "
          "others wait for longer ends the run (KILN-E0711); 0: 5000. "
          "processes=True: this process is one rank,\nwhich torchrun, mpirun or srun has "
          "started with the others. All else as for Session.")
      .def("run_all_ranks", &Group::runAllRanks, nb::arg("inputs"),
           "Runs the model: a list with the outputs of each rank, {name: array}, which "
           "have the same bits.")
      .def(
          "entry",
          [](const Group &group, const std::string &name) {
            return Group(group.entry(name));
          },
          nb::arg("name"),
          "What runs another entry of the model with this group's memory and states.")
      .def(
          "clone", [](const Group &group) { return Group(group.clone()); },
          "Another group of the same loaded model, for another thread.");
}

NB_MODULE(_runtime, m) {
  // Sessions that are alive at exit are no leak that deserves a warning.
  nb::set_leak_warnings(false);
  m.def(
      "runtime_version", [] { return kiln_version(); },
      "The version of the runtime library.");
  m.def("set_error_class", setErrorClass);
  m.def("symbols_of", symbolsOf, nb::arg("path"),
        "The ranges of a package's symbolic dims.");
  m.def("rank_count_of", rankCountOf, nb::arg("path"),
        "The number of ranks that a package is for.");
  nb::class_<CancelToken>(m, "CancelToken",
                          "Ends runs that it is given to, also those that begin later.")
      .def(nb::init<>())
      .def("cancel", &CancelToken::cancel, "For any thread.")
      .def_prop_ro("cancelled", &CancelToken::isCancelled, "Whether cancel was called.");
  bindDescriptions(m);
  bindWorkers(m);
  bindObservers(m);
  bindModel(m);
  bindSession(m);
  bindGroup(m);
}
