//===- errors.cpp - Status to exception -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "errors.h"
#include <cstdio>
#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace kiln::python;

// Never destroyed: a Python object must not be released after the interpreter has ended.
static nb::object *errorClass = nullptr;

void kiln::python::setErrorClass(nb::object error) {
  delete errorClass;
  errorClass = new nb::object(std::move(error));
}

/// Converts a message to a Python str. It is UTF-8, except perhaps for file names in it.
static nb::object text(const std::string &s) {
  return nb::steal(
      PyUnicode_DecodeUTF8(s.data(), static_cast<Py_ssize_t>(s.size()), "replace"));
}

[[noreturn]] static void raise(unsigned code, int exitCode,
                               const std::string (&parts)[5]) {
  char name[32];
  std::snprintf(name, sizeof name, "KILN-E%04u", code);
  if (!errorClass)
    throw nb::import_error(parts[1].c_str());
  nb::object error = (*errorClass)(name, text(parts[0]), text(parts[1]), text(parts[2]),
                                   text(parts[3]), text(parts[4]), exitCode);
  PyErr_SetObject(errorClass->ptr(), error.ptr());
  throw nb::python_error();
}

std::string kiln::python::textOf(nb::handle str) {
  nb::object bytes = nb::steal(PyUnicode_AsEncodedString(str.ptr(), "utf-8", "replace"));
  if (!bytes)
    throw nb::python_error();
  return {PyBytes_AsString(bytes.ptr()), static_cast<size_t>(PyBytes_Size(bytes.ptr()))};
}

void kiln::python::refuseNul(const std::string &text, const char *what) {
  if (text.find('\0') != std::string::npos)
    throw nb::value_error((std::string(what) + ": embedded null byte").c_str());
}

void kiln::python::check(kiln_status *status) {
  if (!status)
    return;
  const std::string parts[5] = {kiln_status_get(status, KILN_STATUS_WHERE),
                                kiln_status_get(status, KILN_STATUS_WHAT),
                                kiln_status_get(status, KILN_STATUS_EXPECTED),
                                kiln_status_get(status, KILN_STATUS_FOUND),
                                kiln_status_get(status, KILN_STATUS_FIX)};
  unsigned code = kiln_status_code(status);
  int exitCode = kiln_status_exit_code(status);
  kiln_status_free(status);
  ::raise(code, exitCode, parts);
}

void kiln::python::raise(unsigned code, const std::string &where, const std::string &what,
                         const std::string &expected, const std::string &found,
                         const std::string &fix) {
  const std::string parts[5] = {where, what, expected, found, fix};
  ::raise(code, 2, parts);
}
