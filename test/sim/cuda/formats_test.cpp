//===- formats_test.cpp - The formats' oracle against the toolkit's headers ===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/formats.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>
#include <gtest/gtest.h>

#include <cstring>

using namespace kiln::sim::programs;

namespace {

float fromBits(uint32_t bits) {
  float out;
  std::memcpy(&out, &bits, sizeof out);
  return out;
}

/// Calls visit for every 251st float, of both signs (a prime: covers all exponents and
/// endings).
template <typename Visit> void eachFloat(Visit visit) {
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 251)
    visit(fromBits(uint32_t(bits)));
}

bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

double fromRaw(__half_raw raw) { return __half2float(__half(raw)); }

TEST(Formats, DecodeAllPatterns) {
  for (uint32_t code = 0; code < 65536; ++code) {
    ASSERT_TRUE(same(Half.decode(code), __half2float(__half(__half_raw{uint16_t(code)}))))
        << code;
    ASSERT_TRUE(same(Bfloat16.decode(code),
                     __bfloat162float(__nv_bfloat16(__nv_bfloat16_raw{uint16_t(code)}))))
        << code;
  }
  for (uint32_t code = 0; code < 256; ++code) {
    EXPECT_TRUE(same(E4m3.decode(code),
                     fromRaw(__nv_cvt_fp8_to_halfraw(uint8_t(code), __NV_E4M3))))
        << code;
    EXPECT_TRUE(same(E5m2.decode(code),
                     fromRaw(__nv_cvt_fp8_to_halfraw(uint8_t(code), __NV_E5M2))))
        << code;
  }
  for (uint32_t code = 0; code < 64; ++code) {
    EXPECT_TRUE(same(E3m2.decode(code),
                     fromRaw(__nv_cvt_fp6_to_halfraw(uint8_t(code), __NV_E3M2))))
        << code;
    EXPECT_TRUE(same(E2m3.decode(code),
                     fromRaw(__nv_cvt_fp6_to_halfraw(uint8_t(code), __NV_E2M3))))
        << code;
  }
  for (uint32_t code = 0; code < 16; ++code)
    EXPECT_TRUE(same(E2m1.decode(code),
                     fromRaw(__nv_cvt_fp4_to_halfraw(uint8_t(code), __NV_E2M1))))
        << code;
}

TEST(Formats, EncodeHalves) {
  eachFloat([](float x) {
    ASSERT_EQ(Half.encode(x, false), __half_raw(__float2half_rn(x)).x) << x;
    ASSERT_EQ(Half.encodeTowardZero(x), __half_raw(__float2half_rz(x)).x) << x;
    ASSERT_EQ(Half.encodeDown(x), __half_raw(__float2half_rd(x)).x) << x;
    ASSERT_EQ(Half.encodeUp(x), __half_raw(__float2half_ru(x)).x) << x;
    ASSERT_EQ(Bfloat16.encode(x, false), __nv_bfloat16_raw(__float2bfloat16_rn(x)).x)
        << x;
    ASSERT_EQ(Bfloat16.encodeTowardZero(x), __nv_bfloat16_raw(__float2bfloat16_rz(x)).x)
        << x;
    ASSERT_EQ(Bfloat16.encodeDown(x), __nv_bfloat16_raw(__float2bfloat16_rd(x)).x) << x;
    ASSERT_EQ(Bfloat16.encodeUp(x), __nv_bfloat16_raw(__float2bfloat16_ru(x)).x) << x;
  });
}

TEST(Formats, EncodeSmall) {
  auto small = [](const Format &format, float x) {
    return std::isnan(x) ? format.largest() : format.encode(x, true);
  };
  eachFloat([&](float x) {
    ASSERT_EQ(E4m3.encode(x, true), __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3))
        << x;
    ASSERT_EQ(E4m3.encode(x, false), __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3))
        << x;
    ASSERT_EQ(E5m2.encode(x, true), __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2))
        << x;
    ASSERT_EQ(E5m2.encode(x, false), __nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E5M2))
        << x;
    ASSERT_EQ(small(E3m2, x), __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest)) << x;
    ASSERT_EQ(small(E2m3, x), __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest)) << x;
    ASSERT_EQ(small(E2m1, x), __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest)) << x;
  });
}

} // namespace
