//===- isa.h - Which build of the lane loops runs ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lane loops are compiled once per ISA. All versions give the same bits and differ only
// in speed. The ISA is selected once per process.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_ARITH_ISA_H
#define KILN_SIM_ARITH_ISA_H

#include <cstdint>

namespace kiln::sim::arith {

enum class Isa : uint8_t { Portable, Avx2, Avx512 };

/// Best ISA of this CPU: Avx512 means F, BW, CD, DQ and VL; Avx2 includes FMA.
Isa bestIsa();

/// KILN_SIM_ISA=portable|avx2|avx512, or bestIsa(). A name that is unknown, or that
/// this CPU cannot run, is reported once on stderr and bestIsa() is used.
Isa chosenIsa();

const char *isaName(Isa isa);

} // namespace kiln::sim::arith

#endif // KILN_SIM_ARITH_ISA_H
