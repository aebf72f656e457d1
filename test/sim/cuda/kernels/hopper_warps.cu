// Matrix stores and transposes by a warp, an elected lane, registers moved between
// warpgroups. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hopper.h"

extern "C" __global__ void store_matrices(const unsigned *in, unsigned *plain,
                                          unsigned *transposed) {
  __shared__ alignas(16) unsigned rows[2][32 * 4];
  unsigned r[4];
  for (int i = 0; i < 4; ++i)
    r[i] = in[i * 32 + threadIdx.x];
  unsigned at = sharedAddress(&rows[0][threadIdx.x * 4]),
           other = sharedAddress(&rows[1][threadIdx.x * 4]);
  asm volatile(
      "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(at),
      "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
      : "memory");
  asm volatile(
      "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
          other),
      "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3])
      : "memory");
  __syncwarp();
  for (int i = 0; i < 4; ++i) {
    plain[threadIdx.x * 4 + i] = rows[0][threadIdx.x * 4 + i];
    transposed[threadIdx.x * 4 + i] = rows[1][threadIdx.x * 4 + i];
  }
}

extern "C" __global__ void move_matrix(const unsigned *in, unsigned *out) {
  unsigned moved;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
               : "=r"(moved)
               : "r"(in[threadIdx.x]));
  out[threadIdx.x] = moved;
}

extern "C" __global__ void elect(unsigned *out) {
  unsigned leader = 0, elected = 0;
  if (threadIdx.x % 32 >= 5)
    asm volatile("{\n\t.reg .pred me;\n\telect.sync %0|me, 0xffffffe0;\n\tselp.u32 %1, "
                 "1, 0, me;\n\t}"
                 : "=r"(leader), "=r"(elected));
  out[threadIdx.x] = elected ? 100 + leader : 0;
}
