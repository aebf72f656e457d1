//===- sha256.cpp - SHA-256 -----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/sha256.h"
#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

using namespace kiln::rt;

alignas(16) static constexpr uint32_t roundConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2};

static uint32_t loadBigEndian(const uint8_t *p) {
  return uint32_t(p[0]) << 24 | uint32_t(p[1]) << 16 | uint32_t(p[2]) << 8 |
         uint32_t(p[3]);
}

static void transformPortable(uint32_t state[8], const uint8_t *block, size_t count) {
  for (; count; --count, block += 64) {
    uint32_t w[64];
    for (int i = 0; i < 16; ++i)
      w[i] = loadBigEndian(block + 4 * i);
    for (int i = 16; i < 64; ++i) {
      uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
      uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4],
             f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; ++i) {
      uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
      uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + roundConstants[i] + w[i];
      uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
      uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
  }
}

#if defined(__x86_64__)
// The state is kept in two registers, ABEF and CDGH, the layout that sha256rnds2 expects.
__attribute__((target("sha,sse4.1,ssse3"))) static void
transformShaNi(uint32_t state[8], const uint8_t *block, size_t count) {
  const __m128i byteSwap = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
  auto load = [](const void *p) {
    return _mm_loadu_si128(static_cast<const __m128i *>(p));
  };
  __m128i dcba = _mm_shuffle_epi32(load(state), 0xb1);
  __m128i hgfe = _mm_shuffle_epi32(load(state + 4), 0x1b);
  __m128i abef = _mm_alignr_epi8(dcba, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, dcba, 0xf0);
  for (; count; --count, block += 64) {
    const __m128i abefIn = abef, cdghIn = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i)
      w[i] = _mm_shuffle_epi8(load(block + 16 * i), byteSwap);
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; ++i) {
      __m128i &now = w[i & 3];
      if (i >= 4) {
        // Computes w[t] from w[t-16], w[t-15], w[t-7] and w[t-2], four words at a time.
        __m128i m = _mm_sha256msg1_epu32(now, w[(i + 1) & 3]);
        m = _mm_add_epi32(m, _mm_alignr_epi8(w[(i + 3) & 3], w[(i + 2) & 3], 4));
        now = _mm_sha256msg2_epu32(m, w[(i + 3) & 3]);
      }
      __m128i k = _mm_add_epi32(now, load(roundConstants + 4 * i));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, k);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(k, 0x0e));
    }
    abef = _mm_add_epi32(abef, abefIn);
    cdgh = _mm_add_epi32(cdgh, cdghIn);
  }
  __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i *>(state), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i *>(state + 4),
                   _mm_alignr_epi8(dchg, feba, 8));
}

static bool hasShaInstructions() {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1))
    return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & (1u << 29));
}
#endif

Sha256::Sha256(bool portable)
    : transform(transformPortable),
      state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19} {
#if defined(__x86_64__)
  static const bool sha = hasShaInstructions();
  if (sha && !portable)
    transform = transformShaNi;
#else
  (void)portable;
#endif
}

void Sha256::update(const void *data, size_t size) {
  if (!size)
    return;
  auto *bytes = static_cast<const uint8_t *>(data);
  total += size;
  if (pendingSize) {
    size_t take = std::min(size, sizeof pending - pendingSize);
    std::memcpy(pending + pendingSize, bytes, take);
    pendingSize += take, bytes += take, size -= take;
    if (pendingSize < sizeof pending)
      return;
    transform(state, pending, 1);
    pendingSize = 0;
  }
  transform(state, bytes, size / 64);
  pendingSize = size % 64;
  std::memcpy(pending, bytes + (size - pendingSize), pendingSize);
}

Sha256Digest Sha256::finish() {
  uint64_t bits = total * 8;
  const uint8_t one = 0x80;
  const uint8_t zeros[64] = {};
  update(&one, 1);
  update(zeros, (64 + 56 - pendingSize) % 64);
  uint8_t length[8];
  for (int i = 0; i < 8; ++i)
    length[i] = uint8_t(bits >> (56 - 8 * i));
  update(length, 8);
  Sha256Digest digest;
  for (int i = 0; i < 32; ++i)
    digest[i] = uint8_t(state[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

Sha256Digest kiln::rt::sha256(const void *data, size_t size) {
  Sha256 hash;
  hash.update(data, size);
  return hash.finish();
}

std::string kiln::rt::toHex(const Sha256Digest &digest) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(64);
  for (uint8_t byte : digest) {
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}
