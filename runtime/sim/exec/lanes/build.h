//===- lanes/build.h - Opens the region of one instruction set ---*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KILN_SIM_BUILD is portable, avx2 or avx512. Functions of this folder are compiled for
// that instruction set; functions of headers stay portable (and are inlined), so that the
// linker may merge their copies.
//
//===----------------------------------------------------------------------===//

#define KILN_PORTABLE_portable 1
#define KILN_AVX2_avx2 1
#define KILN_AVX512_avx512 1
#define KILN_JOIN2(a, b) a##b
#define KILN_JOIN(a, b) KILN_JOIN2(a, b)

#if KILN_JOIN(KILN_AVX2_, KILN_SIM_BUILD)
#pragma clang attribute push(                                                            \
    __attribute__((target("avx,avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt"))),                  \
    apply_to = function)
#elif KILN_JOIN(KILN_AVX512_, KILN_SIM_BUILD)
#pragma clang attribute push(                                                            \
    __attribute__((target("avx,avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,"    \
                          "avx512cd,avx512dq,avx512vl"))),                               \
    apply_to = function)
#else
#pragma clang attribute push(__attribute__((target("sse2"))), apply_to = function)
#endif
