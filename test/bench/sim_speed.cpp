//===- sim_speed.cpp - How fast the simulated GPU runs ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the simulated warp instructions per second of CPU time for loops of ALU
// instructions, and of shared and global accesses. KILN_SIM_CHECK and KILN_SIM_ISA
// apply.
//
//===----------------------------------------------------------------------===//

#include "test/sim/exec/harness.h"

#include <cstdio>
#include <ctime>

using namespace kiln::sim;
using namespace kiln::sim::test;

namespace {
struct Load {
  const char *name;
  std::string body; ///< PTX that the loop repeats
  unsigned instructions;
};

constexpr unsigned Copies = 8, Iterations = 20000;

std::string loopOf(const std::string &body) {
  std::string text =
      "mov.u32 %r0, %i; mov.u32 %r1, 3; mov.u32 %r2, 5; mov.u32 %r9, 0;\n"
      "mov.f32 %f0, 0f3F800000; mov.f32 %f1, 0f3F000000; mov.f32 %f2, %f0;\n"
      "mov.u32 %r10, s; mad.lo.u32 %r11, %i, 4, %r10; mad.lo.u32 %r12, %i, 2, %r10;\n"
      "mad.lo.u32 %r13, %i, 16, %r10; mad.wide.u32 %d0, %i, 36, %a;\n"
      "st.shared.v4.u32 [%r13], {%r0, %r0, %r0, %r0}; bar.sync 0;\nL:\n";
  for (unsigned i = 0; i < Copies; ++i)
    text += body;
  return text + "add.u32 %r9, %r9, 1; setp.lt.u32 %p0, %r9, " +
         std::to_string(Iterations) +
         ";\n@%p0 bra L;\nbar.sync 0; add.u32 %r0, %r0, %r2; st.global.u32 [%pc], %r0;\n";
}

double seconds(Machine &machine, uint64_t address) {
  // CPU time of this process, which other work on the machine does not affect.
  std::clock_t start = std::clock();
  Outcome outcome = machine.run("k", {.block = {128}}, address, address, address);
  if (!outcome.ok())
    printf("%s\n", outcome.message.c_str());
  return double(std::clock() - start) / CLOCKS_PER_SEC;
}
} // namespace

int main() {
  setenv("KILN_SIM_THREADS", "1", 1);
  const Load loads[] = {
      {"integer",
       "mad.lo.u32 %r0, %r0, %r1, %r2; xor.b32 %r2, %r0, %r1;\n"
       "add.u32 %r1, %r1, %r2; shl.b32 %r3, %r0, 3;\n",
       4},
      {"f32",
       "fma.rn.f32 %f0, %f0, %f1, %f2; add.f32 %f3, %f0, %f1;\n"
       "mul.f32 %f4, %f3, %f1; sub.f32 %f3, %f4, %f2;\n",
       4},
      {"shared", "ld.shared.u32 %r3, [%r11]; st.shared.u32 [%r11], %r0;\n", 2},
      {"global", "ld.global.u32 %r3, [%pa]; st.global.u32 [%pa], %r3;\n", 2},
      // Two bytes per lane, lanes 36 bytes apart, as in rows of matrices.
      {"halves", "ld.shared.u16 %h0, [%r12]; st.shared.u16 [%r12], %h0;\n", 2},
      {"scattered", "ld.global.u32 %r3, [%d0]; st.global.u32 [%d0], %r3;\n", 2},
      {"ldmatrix",
       "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r3, %r4, %r5, %r6}, [%r13];\n", 1},
  };
  for (const Load &load : loads) {
    Machine machine;
    Outcome outcome = machine.load(".shared .align 16 .b8 s[2048];\n" +
                                   kernelOf("k", loopOf(load.body)));
    if (!outcome.ok()) {
      printf("%s\n", outcome.message.c_str());
      return 1;
    }
    auto buffer = machine.zeros<uint32_t>(4096);
    double best = 1e9;
    for (int n = 0; n < 3; ++n)
      best = std::min(best, seconds(machine, buffer.address()));
    double count = 4.0 * Iterations * (Copies * load.instructions + 3);
    printf("%-8s %7.1f M warp instructions/s\n", load.name, count / best / 1e6);
  }
}
