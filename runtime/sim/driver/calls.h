//===- calls.h - The functions behind the exported names --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declared from the .def tables, so that no signature is written twice. The functions
// throw Failure; exports.cpp catches it.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_CALLS_H
#define KILN_SIM_DRIVER_CALLS_H

#include "runtime/sim/driver/api/structs.h"

namespace kiln::sim::driver::calls {

using namespace cu;

#define CALL(symbol, variant, base, since, implementation, kind, parameters, arguments)  \
  void implementation parameters;
#include "runtime/sim/driver/api/calls.def"
#include "runtime/sim/driver/api/graph_calls.def"
#undef CALL

} // namespace kiln::sim::driver::calls

#endif // KILN_SIM_DRIVER_CALLS_H
