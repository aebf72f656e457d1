//===- lanes_avx512.cpp - The lane loops for AVX-512 ---===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#define KILN_SIM_LANES avx512Lanes
#define KILN_SIM_LANES_WIDTH 16
#include "runtime/sim/arith/lanes.inc"
