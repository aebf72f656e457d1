//===- MachineLoops.cpp - Loops that measure a core -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of instructions are in assembly, because a compiler would unroll, merge or drop
// them.
//
//===----------------------------------------------------------------------===//

#include "MachineLoops.h"
#include <immintrin.h>

using namespace kiln::tuning;

uint64_t kiln::tuning::multiplyChain(int64_t rounds, uint64_t value) {
  for (int64_t i = 0; i < rounds; ++i)
    __asm__ volatile("imul %0, %0\n imul %0, %0\n imul %0, %0\n imul %0, %0\n"
                     "imul %0, %0\n imul %0, %0\n imul %0, %0\n imul %0, %0\n"
                     : "+r"(value));
  return value;
}

const void *const *kiln::tuning::follow(const void *const *place, int64_t steps) {
  for (int64_t i = 0; i < steps; ++i)
    place = static_cast<const void *const *>(*place);
  return place;
}

// Registers 0 to 11 are sums, 12 and 13 operands.
#define KILN_FMA(V, N) "vfmadd231ps %%" V "12, %%" V "13, %%" V #N "\n"
#define KILN_BF16(V, N) "vdpbf16ps %%" V "12, %%" V "13, %%" V #N "\n"
#define KILN_ADD(V, N) "vpaddd %%" V "12, %%" V #N ", %%" V #N "\n"
#define KILN_SIX(OP, V, A, B, C, D, E, F)                                                \
  OP(V, A) OP(V, B) OP(V, C) OP(V, D) OP(V, E) OP(V, F)
#define KILN_MULTIPLIES(V)                                                               \
  KILN_SIX(KILN_FMA, V, 0, 1, 2, 3, 4, 5) KILN_SIX(KILN_FMA, V, 6, 7, 8, 9, 10, 11)
#define KILN_BF16_DOTS(V)                                                                \
  KILN_SIX(KILN_BF16, V, 0, 1, 2, 3, 4, 5) KILN_SIX(KILN_BF16, V, 6, 7, 8, 9, 10, 11)
#define KILN_INSTRUCTIONS(V)                                                             \
  KILN_FMA(V, 0)                                                                         \
  KILN_ADD(V, 6) KILN_FMA(V, 1) KILN_ADD(V, 7) KILN_FMA(V, 2) KILN_ADD(V, 8)             \
      KILN_FMA(V, 3) KILN_ADD(V, 9) KILN_FMA(V, 4) KILN_ADD(V, 10) KILN_FMA(V, 5)        \
          KILN_ADD(V, 11)
#define KILN_LOOP(BODY)                                                                  \
  __asm__ volatile("vzeroall\n1:\n" BODY "dec %0\n jnz 1b\n vzeroupper\n"                \
                   : "+r"(rounds)                                                        \
                   :                                                                     \
                   : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",     \
                     "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14",        \
                     "xmm15", "cc")

void kiln::tuning::runMix(Mix mix, int64_t rounds, bool isWide) {
  if (mix == Mix::Bf16Dots)
    KILN_LOOP(KILN_BF16_DOTS("zmm"));
  else if (mix == Mix::Multiplies && isWide)
    KILN_LOOP(KILN_MULTIPLIES("zmm"));
  else if (mix == Mix::Multiplies)
    KILN_LOOP(KILN_MULTIPLIES("ymm"));
  else if (isWide)
    KILN_LOOP(KILN_INSTRUCTIONS("zmm"));
  else
    KILN_LOOP(KILN_INSTRUCTIONS("ymm"));
}

namespace {
/// Where the streams of a buffer are.
struct Streams {
  const char *data;
  size_t bytes;  ///< of each
  int64_t ahead; ///< bytes of each; 0: no prefetches
};
} // namespace

template <size_t kStreams>
__attribute__((target("avx512f"))) static float readWide(Streams streams) {
  __m512 sums[kStreams] = {};
  for (size_t at = 0; at < streams.bytes; at += 64)
    for (size_t s = 0; s < kStreams; ++s) {
      const char *line = streams.data + s * streams.bytes + at;
      if (streams.ahead)
        _mm_prefetch(line + streams.ahead, _MM_HINT_NTA);
      sums[s] += _mm512_loadu_ps(line);
    }
  __m512 sum = {};
  for (__m512 one : sums)
    sum += one;
  return _mm512_reduce_add_ps(sum);
}

template <size_t kStreams>
__attribute__((target("avx2"))) static float readNarrow(Streams streams) {
  __m256 sums[2 * kStreams] = {};
  for (size_t at = 0; at < streams.bytes; at += 64)
    for (size_t s = 0; s < kStreams; ++s) {
      const char *line = streams.data + s * streams.bytes + at;
      if (streams.ahead)
        _mm_prefetch(line + streams.ahead, _MM_HINT_NTA);
      sums[2 * s] += _mm256_loadu_ps(reinterpret_cast<const float *>(line));
      sums[2 * s + 1] += _mm256_loadu_ps(reinterpret_cast<const float *>(line + 32));
    }
  __m256 sum = {};
  for (__m256 one : sums)
    sum += one;
  return sum[0];
}

float kiln::tuning::readStreams(const char *data, size_t bytes, bool inFour,
                                int64_t ahead, bool isWide) {
  size_t count = inFour ? 4 : 1;
  Streams all{data, bytes / count / 64 * 64, ahead / int64_t(count)};
  if (isWide)
    return inFour ? readWide<4>(all) : readWide<1>(all);
  return inFour ? readNarrow<4>(all) : readNarrow<1>(all);
}
