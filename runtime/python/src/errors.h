//===- errors.h - Status to exception ---------------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PYTHON_ERRORS_H
#define KILN_PYTHON_ERRORS_H

#include "kiln/runtime.h"
#include <nanobind/nanobind.h>
#include <string>

namespace kiln::python {

/// Raises kiln.Error if a call of the runtime failed. Needs the GIL.
void check(kiln_status *status);
/// Raises kiln.Error for an error that the bindings detect themselves; KILN-E0602 ...
[[noreturn]] void raise(unsigned code, const std::string &where, const std::string &what,
                        const std::string &expected, const std::string &found,
                        const std::string &fix);
/// Raises ValueError for text with a null byte, at which the C interface would end it.
/// what: "device".
void refuseNul(const std::string &text, const char *what);
/// Converts a Python str for an error message.
std::string textOf(nanobind::handle str);
/// Sets the class of exceptions to raise; called by kiln/errors.py.
void setErrorClass(nanobind::object error);

} // namespace kiln::python

#endif // KILN_PYTHON_ERRORS_H
