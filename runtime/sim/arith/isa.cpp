//===- isa.cpp - Which build of the lane loops runs ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/isa.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

using namespace kiln::sim;
using namespace kiln::sim::arith;

Isa arith::bestIsa() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return Isa::Avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return Isa::Avx2;
#endif
  return Isa::Portable;
}

const char *arith::isaName(Isa isa) {
  static const char *const names[] = {"portable", "avx2", "avx512"};
  return names[static_cast<int>(isa)];
}

static Isa readChoice() {
  Isa best = bestIsa();
  const char *wanted = std::getenv("KILN_SIM_ISA");
  if (!wanted || !*wanted)
    return best;
  for (Isa isa : {Isa::Portable, Isa::Avx2, Isa::Avx512})
    if (std::strcmp(wanted, isaName(isa)) == 0) {
      if (isa <= best)
        return isa;
      std::fprintf(stderr, "kiln-sim: KILN_SIM_ISA=%s, but this CPU has %s at most\n",
                   wanted, isaName(best));
      return best;
    }
  std::fprintf(stderr,
               "kiln-sim: KILN_SIM_ISA=%s is none of portable, avx2, avx512; using %s\n",
               wanted, isaName(best));
  return best;
}

Isa arith::chosenIsa() {
  static const Isa choice = readChoice();
  return choice;
}
