//===- toolkit_digests.cpp - Fingerprints from the toolkit's host code ----===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// Prints the lines of toolkit_digests.def with the CUDA toolkit's host code.
//
//===----------------------------------------------------------------------===//
#include "test/sim/arith/digests.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>

using namespace digests;

static void print(const char *name, uint64_t digest) {
  std::printf("DIGEST(%s, 0x%016" PRIx64 ")\n", name, digest);
}

template <class To, class From> static To as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}
static float f32(uint32_t bits) { return as<float>(bits); }
static uint16_t bits(__half h) { return as<uint16_t>(h); }
static uint16_t bits(__nv_bfloat16 h) { return as<uint16_t>(h); }
static __half halfOf(uint32_t bits) { return as<__half>(uint16_t(bits)); }
static __half_raw raw(uint32_t bits) { return as<__half_raw>(uint16_t(bits)); }
static __nv_bfloat16_raw rawBf(uint32_t bits) {
  return as<__nv_bfloat16_raw>(uint16_t(bits));
}

static void narrowFloats() {
#define HALF(mode, function)                                                             \
  print("f32_to_f16_" mode, ofFloats([](uint32_t x) { return bits(function(f32(x))); }))
  HALF("rn", __float2half_rn);
  HALF("rz", __float2half_rz);
  HALF("rm", __float2half_rd);
  HALF("rp", __float2half_ru);
#undef HALF
#define BF(mode, function)                                                               \
  print("f32_to_bf16_" mode, ofFloats([](uint32_t x) { return bits(function(f32(x))); }))
  BF("rn", __float2bfloat16_rn);
  BF("rz", __float2bfloat16_rz);
  BF("rm", __float2bfloat16_rd);
  BF("rp", __float2bfloat16_ru);
#undef BF
  for (bool up : {false, true})
    print(up ? "f32_to_ue8m0_rp" : "f32_to_ue8m0_rz", ofFloats([up](uint32_t x) {
            return __nv_cvt_float_to_e8m0(f32(x), __NV_SATFINITE,
                                          up ? cudaRoundPosInf : cudaRoundZero);
          }));
}

template <class FromFloat, class FromHalf, class FromBf>
static void narrow(const char *name, FromFloat fromFloat, FromHalf fromHalf,
                   FromBf fromBf) {
  char text[64];
  auto label = [&](const char *from) {
    std::snprintf(text, sizeof(text), "%s_to_%s", from, name);
    return text;
  };
  print(label("f32"), ofFloats([&](uint32_t x) { return fromFloat(f32(x)); }));
  print(label("f16"), ofAll(65536, [&](uint32_t x) { return fromHalf(raw(x)); }));
  print(label("bf16"), ofAll(65536, [&](uint32_t x) { return fromBf(rawBf(x)); }));
}

static void smallFormats() {
  narrow(
      "e4m3", [](float x) { return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3); },
      [](__half_raw x) { return __nv_cvt_halfraw_to_fp8(x, __NV_SATFINITE, __NV_E4M3); },
      [](__nv_bfloat16_raw x) {
        return __nv_cvt_bfloat16raw_to_fp8(x, __NV_SATFINITE, __NV_E4M3);
      });
  narrow(
      "e5m2", [](float x) { return __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2); },
      [](__half_raw x) { return __nv_cvt_halfraw_to_fp8(x, __NV_SATFINITE, __NV_E5M2); },
      [](__nv_bfloat16_raw x) {
        return __nv_cvt_bfloat16raw_to_fp8(x, __NV_SATFINITE, __NV_E5M2);
      });
  narrow(
      "e2m3",
      [](float x) { return __nv_cvt_float_to_fp6(x, __NV_E2M3, cudaRoundNearest); },
      [](__half_raw x) {
        return __nv_cvt_halfraw_to_fp6(x, __NV_E2M3, cudaRoundNearest);
      },
      [](__nv_bfloat16_raw x) {
        return __nv_cvt_bfloat16raw_to_fp6(x, __NV_E2M3, cudaRoundNearest);
      });
  narrow(
      "e3m2",
      [](float x) { return __nv_cvt_float_to_fp6(x, __NV_E3M2, cudaRoundNearest); },
      [](__half_raw x) {
        return __nv_cvt_halfraw_to_fp6(x, __NV_E3M2, cudaRoundNearest);
      },
      [](__nv_bfloat16_raw x) {
        return __nv_cvt_bfloat16raw_to_fp6(x, __NV_E3M2, cudaRoundNearest);
      });
  narrow(
      "e2m1",
      [](float x) { return __nv_cvt_float_to_fp4(x, __NV_E2M1, cudaRoundNearest); },
      [](__half_raw x) {
        return __nv_cvt_halfraw_to_fp4(x, __NV_E2M1, cudaRoundNearest);
      },
      [](__nv_bfloat16_raw x) {
        return __nv_cvt_bfloat16raw_to_fp4(x, __NV_E2M1, cudaRoundNearest);
      });
}

static void widen() {
  print("e4m3_to_f16",
        ofAll(256, [](uint32_t x) { return __nv_cvt_fp8_to_halfraw(x, __NV_E4M3).x; }));
  print("e5m2_to_f16",
        ofAll(256, [](uint32_t x) { return __nv_cvt_fp8_to_halfraw(x, __NV_E5M2).x; }));
  print("e2m3_to_f16",
        ofAll(64, [](uint32_t x) { return __nv_cvt_fp6_to_halfraw(x, __NV_E2M3).x; }));
  print("e3m2_to_f16",
        ofAll(64, [](uint32_t x) { return __nv_cvt_fp6_to_halfraw(x, __NV_E3M2).x; }));
  print("e2m1_to_f16",
        ofAll(16, [](uint32_t x) { return __nv_cvt_fp4_to_halfraw(x, __NV_E2M1).x; }));
  print("ue8m0_to_bf16",
        ofAll(256, [](uint32_t x) { return __nv_cvt_e8m0_to_bf16raw(x).x; }));
}

static void integers() {
#define TO(name, function)                                                               \
  print("f16_to_" name,                                                                  \
        ofAll(65536, [](uint32_t x) { return uint64_t(int64_t(function(halfOf(x)))); }))
  TO("s32_rz", __half2int_rz);
  TO("s16_rz", __half2short_rz);
  TO("s64_rz", __half2ll_rz);
#undef TO
#define FROM(name, function, Type)                                                       \
  print("s16_to_f16_" name,                                                              \
        ofAll(65536, [](uint32_t x) { return bits(function(Type(int16_t(x)))); }))
  FROM("rn", __short2half_rn, short);
  FROM("rz", __short2half_rz, short);
  FROM("rm", __short2half_rd, short);
  FROM("rp", __short2half_ru, short);
#undef FROM
}

int main() {
  narrowFloats();
  smallFormats();
  widen();
  integers();
}
