//===- structs.h - Types of the driver interface ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_API_STRUCTS_H
#define KILN_SIM_DRIVER_API_STRUCTS_H

#include "runtime/sim/driver/api/base_structs.h"
#include "runtime/sim/driver/api/graph_structs.h"

#endif // KILN_SIM_DRIVER_API_STRUCTS_H
