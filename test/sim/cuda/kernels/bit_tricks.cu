// Counting, reversing, permuting and shifting bits; byte-wise sums and products.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

extern "C" __global__ void bits(const unsigned *in, const unsigned *other, unsigned *out,
                                int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned x = in[i], y = other[i];
  unsigned long long wide = (unsigned long long)x << 32 | y;
  unsigned *mine = out + i * 24;
  mine[0] = __popc(x);
  mine[1] = __clz(x);
  mine[2] = __brev(x);
  mine[3] = __ffs(x);
  mine[4] = __popcll(wide);
  mine[5] = __clzll(wide >> y % 40);
  mine[6] = __ffsll(wide & ~0ull << y % 50);
  mine[7] = __brevll(wide) >> 16;
  mine[8] = __byte_perm(x, y, y & 0x7777);
  mine[9] = __funnelshift_l(x, y, y);
  mine[10] = __funnelshift_r(x, y, x);
  mine[11] = __funnelshift_lc(x, y, y % 40);
  mine[12] = __funnelshift_rc(x, y, y % 40);
  mine[13] = __sad(int(x), int(y), 5);
  mine[14] = __usad(x, y, 7);
  mine[15] = __dp4a(int(x), int(y), -3);
  mine[16] = __dp4a(x, y, 9u);
  mine[17] = __dp2a_lo(int(x), int(y), 1);
  mine[18] = __hadd(int(x), int(y)) ^ __rhadd(int(x), int(y));
  mine[19] = x << y % 32 | int(y) >> x % 32;
  mine[20] = __vadd4(x, y) ^ __vavgu4(x, y);
  mine[21] = __vmaxs2(x, y) ^ __vcmpgtu4(x, y);
  mine[22] = __uhadd(x, y);
  mine[23] = (x & y) ^ (x | ~y) ^ (y & 0xff00ff);
}

// Bit fields of any position and width (x, y), some too large.
extern "C" __global__ void fields(const unsigned *in, const unsigned *places,
                                  const unsigned *widths, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned a, b, c, d;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(a) : "r"(in[i]), "r"(places[i]), "r"(widths[i]));
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(b) : "r"(in[i]), "r"(places[i]), "r"(widths[i]));
  asm("bfi.b32 %0, %1, %2, %3, %4;"
      : "=r"(c)
      : "r"(in[i]), "r"(0x12345678), "r"(places[i]), "r"(widths[i]));
  asm("bfind.s32 %0, %1;" : "=r"(d) : "r"(in[i]));
  out[i * 4] = a;
  out[i * 4 + 1] = b;
  out[i * 4 + 2] = c;
  out[i * 4 + 3] = d;
}

// 256-bit addition with carries through four words.
extern "C" __global__ void add_256(const unsigned long long *a,
                                   const unsigned long long *b, unsigned long long *out) {
  int i = threadIdx.x * 4;
  asm("add.cc.u64 %0, %4, %8;\n\taddc.cc.u64 %1, %5, %9;\n\taddc.cc.u64 %2, %6, "
      "%10;\n\taddc.u64 %3, %7, %11;"
      : "=&l"(out[i]), "=&l"(out[i + 1]), "=&l"(out[i + 2]), "=&l"(out[i + 3])
      : "l"(a[i]), "l"(a[i + 1]), "l"(a[i + 2]), "l"(a[i + 3]), "l"(b[i]), "l"(b[i + 1]),
        "l"(b[i + 2]), "l"(b[i + 3]));
}
