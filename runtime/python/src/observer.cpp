//===- observer.cpp - Observers of steps and logs -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "observer.h"
#include "errors.h"
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <stdexcept>

namespace nb = nanobind;
using namespace kiln::python;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

nb::bytes StepBuffer::bytes() const {
  if (!*isValid)
    raise(1, "kiln.StepBuffer", "the observer has returned",
          "a use during the call of the observer", "a use after it",
          "keep the bytes, not the buffer");
  return nb::bytes(static_cast<const char *>(data), size);
}

std::string StepEvent::repr() const {
  return "<kiln.StepEvent " + std::string(after ? "after" : "before") + " step " +
         std::to_string(step) + ": " + kernel + ">";
}

StepObserver::~StepObserver() {
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
}

static std::vector<StepBuffer> buffersOf(const kiln_buffer_view *views, size_t count,
                                         const std::shared_ptr<bool> &isValid) {
  std::vector<StepBuffer> buffers;
  for (size_t i = 0; i < count; ++i)
    buffers.push_back({views[i].name, views[i].bytes, views[i].data, isValid});
  return buffers;
}

void StepObserver::observeRank(void *user, uint32_t rank, size_t step, int after,
                               const kiln_buffer_view *reads, size_t readCount,
                               const kiln_buffer_view *writes, size_t writeCount) {
  auto &self = *static_cast<StepObserver *>(user);
  nb::gil_scoped_acquire acquired;
  if (!self.running) // the garbage collector has cleared the function
    return;
  if (!self.type) {
    auto isValid = std::make_shared<bool>(true);
    try {
      const kiln_step_info &info = *kiln_model_step(self.running, step);
      self.function(StepEvent{step,
                              after != 0,
                              rank,
                              info.kernel,
                              info.hero,
                              {info.nodes, info.nodes + info.node_count},
                              buffersOf(reads, readCount, isValid),
                              buffersOf(writes, writeCount, isValid)});
    } catch (nb::python_error &error) {
      error.restore();
      PyErr_Fetch(&self.type, &self.value, &self.trace);
    }
    *isValid = false;
  }
  if (self.type) // the runtime turns this into an error that ends the run
    throw std::runtime_error("an exception of Python");
}

void StepObserver::observe(void *self, size_t step, int after,
                           const kiln_buffer_view *reads, size_t readCount,
                           const kiln_buffer_view *writes, size_t writeCount) {
  observeRank(self, 0, step, after, reads, readCount, writes, writeCount);
}

StepObserver::Run::Run(std::shared_ptr<StepObserver> given, kiln_model *model,
                       nb::object wanted) {
  if (!given || !wanted.is_valid())
    return;
  if (given->running)
    raise(609, "session", "another thread uses the session", "one run at a time",
          "a run with an observer under way",
          "give each thread a session of its own (clone), or use kiln.Pool");
  observer = std::move(given);
  function = std::move(wanted);
  observer->function = function;
  observer->running = model;
}

StepObserver::Run::~Run() {
  if (observer)
    observer->running = nullptr;
}

void StepObserver::Run::rethrow() {
  if (!observer || !observer->type)
    return;
  PyErr_Restore(observer->type, observer->value, observer->trace);
  observer->type = observer->value = observer->trace = nullptr;
  throw nb::python_error();
}

//===----------------------------------------------------------------------===//
// Logs
//===----------------------------------------------------------------------===//

static nb::object textOf(const char *text) { // may contain a file name
  return nb::steal(PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(strlen(text)),
                                        "backslashreplace"));
}

/// Log callback for the runtime; user: a Python function.
static void forwardLog(void *user, const kiln_log_record *record) {
  if (!nb::is_alive())
    return;
  nb::gil_scoped_acquire acquired;
  nb::object function = nb::borrow(static_cast<PyObject *>(user));
  try {
    nb::dict fields;
    for (size_t i = 0; i < record->field_count; ++i) {
      const kiln_log_field &field = record->fields[i];
      fields[field.key] = field.text ? textOf(field.text) : nb::cast(field.number);
    }
    function(static_cast<int>(record->severity), record->code, record->event,
             textOf(record->text), fields);
  } catch (nb::python_error &error) {
    error.discard_as_unraisable(function);
  }
}

/// Sets the function that is called for each record with severity, code, event, text and
/// fields; None: no function.
static void setLog(nb::object function) {
  static PyObject *held = nullptr; // not released at exit, when the interpreter has ended
  PyObject *before = held, *next = function.is_none() ? nullptr : function.ptr();
  Py_XINCREF(next);
  held = next;
  {
    nb::gil_scoped_release released; // the callback takes the GIL
    kiln_set_log(next ? forwardLog : nullptr, next);
  }
  Py_XDECREF(before);
}

static void publishSymbols(const std::string &to) {
  refuseNul(to, "to");
  check(kiln_publish_symbols(to.c_str()));
}

void kiln::python::bindObservers(nb::module_ &m) {
  nb::class_<StepBuffer>(m, "StepBuffer", "A buffer that a step reads or writes.")
      .def_ro("name", &StepBuffer::name, "The ONNX value or weight; may be \"\".")
      .def_ro("size", &StepBuffer::size, "Its size in bytes.")
      .def("bytes", &StepBuffer::bytes,
           "A copy of its content, during the call of the observer alone.");
  nb::class_<StepEvent>(m, "StepEvent",
                        "What an observer is told: a step begins or has ended.")
      .def_ro("step", &StepEvent::step, "The number of the step in its entry.")
      .def_ro("after", &StepEvent::after, "Whether it has ended.")
      .def_ro("rank", &StepEvent::rank, "The rank of a Group that runs it.")
      .def_ro("kernel", &StepEvent::kernel, "The kernel, or \"copy\", \"all_reduce\" ...")
      .def_ro("hero", &StepEvent::hero, "\"matmul\", \"attention\" ... or \"\".")
      .def_ro("nodes", &StepEvent::nodes, "The ONNX nodes that it computes.")
      .def_ro("reads", &StepEvent::reads, "Buffers that it reads, as StepBuffer.")
      .def_ro("writes", &StepEvent::writes, "Buffers that it writes, as StepBuffer.")
      .def("__repr__", &StepEvent::repr);
  m.def("set_log", setLog, nb::arg("function").none());
  m.def("publish_symbols", publishSymbols, nb::arg("to"),
        "Gives the kernels of all models names in profilers and debuggers: \"map\" "
        "(perf-PID.map), \"jitdump\", \"gdb\", or\nseveral with commas between them. The "
        "environment variable KILN_SYMBOLS does the same.");
}
