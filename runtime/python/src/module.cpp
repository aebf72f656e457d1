//===- module.cpp - The extension module kiln._runtime --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "errors.h"
#include "session.h"
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace kiln::python;

/// An integer of any kind, NumPy's among them; text is none.
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

/// {"batch": (1, 8), "seq": 128}
static std::vector<SessionConfig::Range> rangesOf(const std::optional<nb::dict> &dims) {
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

/// Whether it is a package itself and not the name of one. `bytes` may be either, as a
/// path need not be UTF-8.
static bool isPackage(nb::handle path) {
  if (PyByteArray_Check(path.ptr()) || PyMemoryView_Check(path.ptr()))
    return true;
  return PyBytes_Check(path.ptr()) && PyBytes_Size(path.ptr()) > 8 &&
         std::string_view(PyBytes_AsString(path.ptr()), 8) == "\x89KILN\r\n\x1a";
}

static void initialise(Session *self, nb::handle path, const std::string &device,
                       uint32_t threads, const std::optional<nb::dict> &dims,
                       const std::optional<std::string> &target, bool measureMemory,
                       bool graph, uint64_t graphMemory, bool verifyWeights,
                       bool inMemory, const std::optional<std::string> &expect) {
  LoadConfig load{target, expect, verifyWeights, inMemory, std::nullopt};
  std::string text = "a buffer";
  if (isPackage(path)) {
    load.bytes = nb::borrow(path);
  } else { // as bytes: a path need not be UTF-8
    nb::bytes name =
        nb::borrow<nb::bytes>(nb::module_::import_("os").attr("fsencode")(path));
    text.assign(name.c_str(), name.size());
  }
  refuseNul(text, "path");
  refuseNul(device, "device");
  refuseNul(target.value_or(""), "target");
  refuseNul(expect.value_or(""), "expect");
  new (self) Session(text, load,
                     {device, threads, rangesOf(dims), measureMemory, graph, graphMemory});
}

static void bindDescriptions(nb::module_ &m) {
  nb::class_<Dim>(m, "Dim")
      .def_ro("expr", &Dim::expr)
      .def_ro("min", &Dim::min)
      .def_ro("max", &Dim::max);
  nb::class_<Tensor>(m, "Tensor")
      .def_ro("name", &Tensor::name)
      .def_ro("dtype", &Tensor::dtype)
      .def_prop_ro("shape", &Tensor::shape)
      .def_prop_ro("dims",
                   [](const Tensor &tensor) { return nb::tuple(nb::cast(tensor.dims)); })
      .def("__repr__", &Tensor::repr);
  nb::class_<Arena>(m, "Arena")
      .def_ro("kind", &Arena::kind)
      .def_ro("formula", &Arena::formula)
      .def_ro("max_bytes", &Arena::maxBytes)
      .def_ro("capacity", &Arena::capacity)
      .def_ro("last_formula", &Arena::lastFormula)
      .def_ro("high_water", &Arena::highWater)
      .def_ro("measured", &Arena::measured);
}

NB_MODULE(_runtime, m) {
  // A session that is alive at exit is no leak worth a warning.
  nb::set_leak_warnings(false);
  m.def("runtime_version", [] { return kiln_version(); });
  m.def("set_error_class", setErrorClass);
  bindDescriptions(m);
  nb::class_<Session>(m, "Session")
      .def("__init__", initialise, nb::arg("path"), nb::kw_only(),
           nb::arg("device") = "cpu", nb::arg("threads") = 0,
           nb::arg("dims") = nb::none(), nb::arg("target") = nb::none(),
           nb::arg("measure_memory") = false, nb::arg("graph") = true,
           nb::arg("graph_memory") = 0, nb::arg("verify_weights") = true,
           nb::arg("in_memory") = false, nb::arg("expect") = nb::none())
      .def("run", &Session::run, nb::arg("inputs"), nb::arg("outputs") = nb::none())
      .def("synchronize", &Session::synchronize)
      .def_prop_rw("stream", &Session::stream, &Session::setStream,
                   nb::for_setter(nb::arg("stream").none()))
      .def_prop_ro("device", [](const Session &s) { return s.device().name; })
      .def_prop_ro("gpu", [](const Session &s) { return s.device().gpu; })
      .def_prop_ro("target", [](const Session &s) { return s.device().target; })
      .def("clone", &Session::clone)
      .def("reset_state", &Session::resetState)
      .def_prop_ro("inputs", &Session::inputs)
      .def_prop_ro("outputs", &Session::outputs)
      .def_prop_ro("symbols", &Session::symbols)
      .def_prop_ro("threads", &Session::threads)
      .def_prop_ro("provenance", &Session::provenance)
      .def_prop_ro("memory", &Session::memory);
}
