//===- CudaFloatTest.cpp - Small floats against CUDA's headers ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares with the CUDA toolkit's conversions on the host, for every f16 and bf16, a
// sample of all f32, and f64 next to midpoints. FloatFormatTest checks NaN: for a format
// without NaN, CUDA gives the largest value and ml_dtypes zero.
//
//===----------------------------------------------------------------------===//

#include "dialects/Types/FloatFormat.h"
#include "gtest/gtest.h"

#if KILN_HAS_CUDA_FLOATS
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <bit>
#include <cmath>

using namespace kiln;

/// Calls `check` with f64 values that f32, f16 or bf16 represent, and others near
/// midpoints.
template <typename Check> static void forManyNumbers(Check check) {
  for (uint32_t bits = 0; bits < 1 << 16; ++bits)
    for (const FloatFormat &from : {kF16, kBF16})
      check(decode(bits, from));
  // A prime step covers all exponents and all kinds of low bits.
  for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 9973)
    check(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  for (uint32_t bits = 0; bits + 1 < 256; ++bits)
    for (const FloatFormat &of : {kF8E4M3FN, kF8E5M2, kF6E2M3FN, kF6E3M2FN, kF4E2M1FN}) {
      double half = (decode(bits, of) + decode(bits + 1, of)) / 2;
      for (double value : {half, std::nextafter(half, 0), std::nextafter(half, INFINITY)})
        check(value);
    }
}

TEST(CudaFloats, EightBits) {
  forManyNumbers([](double x) {
    if (std::isnan(x))
      return;
    for (auto [format, kind] :
         {std::pair(kF8E4M3FN, __NV_E4M3), std::pair(kF8E5M2, __NV_E5M2)})
      for (auto [saturates, mode] :
           {std::pair(true, __NV_SATFINITE), std::pair(false, __NV_NOSAT)})
        ASSERT_EQ(encode(x, format, saturates), __nv_cvt_double_to_fp8(x, mode, kind))
            << x;
  });
}

TEST(CudaFloats, SixAndFourBits) {
  forManyNumbers([](double x) {
    if (std::isnan(x))
      return;
    ASSERT_EQ(encode(x, kF6E2M3FN),
              __nv_cvt_double_to_fp6(x, __NV_E2M3, cudaRoundNearest))
        << x;
    ASSERT_EQ(encode(x, kF6E3M2FN),
              __nv_cvt_double_to_fp6(x, __NV_E3M2, cudaRoundNearest))
        << x;
    ASSERT_EQ(encode(x, kF4E2M1FN),
              __nv_cvt_double_to_fp4(x, __NV_E2M1, cudaRoundNearest))
        << x;
  });
}

TEST(CudaFloats, Scales) {
  forManyNumbers([](double x) {
    if (std::isnan(x))
      return;
    for (auto [rounding, mode] : {std::pair(ScaleRounding::Up, cudaRoundPosInf),
                                  std::pair(ScaleRounding::Down, cudaRoundZero)})
      ASSERT_EQ(encodeScale(x, rounding, true),
                __nv_cvt_double_to_e8m0(x, __NV_SATFINITE, mode))
          << x;
  });
}
#else
TEST(CudaFloats, AreCompared) {
  GTEST_SKIP()
      << "the CUDA toolkit's cuda_fp8.h, cuda_fp6.h and cuda_fp4.h are not there";
}
#endif
