//===- lanes.cpp - Choice of the lane loops --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/lanes.h"

using namespace kiln::sim;
using namespace kiln::sim::arith;

const LaneFunctions &arith::laneFunctions(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::Avx512)
    return avx512Lanes;
  if (isa == Isa::Avx2)
    return avx2Lanes;
#endif
  return portableLanes;
}
