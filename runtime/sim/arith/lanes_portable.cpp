//===- lanes_portable.cpp - The lane loops for the baseline of the compiler ---===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#define KILN_SIM_LANES portableLanes
#define KILN_SIM_LANES_WIDTH 8
#include "runtime/sim/arith/lanes.inc"
