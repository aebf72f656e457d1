//===- StatusTest.cpp -----------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/status.h"
#include "runtime/base/cpu_features.h"
#include <gtest/gtest.h>

using namespace kiln::rt;

TEST(Status, NullIsSuccess) {
  EXPECT_EQ(kiln_status_code(nullptr), 0u);
  EXPECT_EQ(kiln_status_exit_code(nullptr), 0);
  EXPECT_STREQ(kiln_status_message(nullptr), "");
  EXPECT_STREQ(kiln_status_get(nullptr, KILN_STATUS_FIX), "");
  kiln_status_free(nullptr);
}

TEST(Status, MessageHasAllParts) {
  Status s =
      Failure{Code::TensorRank, "input \"x\"", "the rank is wrong", "2", "3", "reshape"};
  EXPECT_STREQ(s.message(), "KILN-E0603: input \"x\": the rank is wrong; "
                            "expected 2, found 3; fix: reshape");
  kiln_status *raw = s.release();
  EXPECT_EQ(kiln_status_code(raw), 603u);
  EXPECT_EQ(kiln_status_exit_code(raw), 2);
  EXPECT_STREQ(kiln_status_get(raw, KILN_STATUS_WHERE), "input \"x\"");
  EXPECT_STREQ(kiln_status_get(raw, KILN_STATUS_EXPECTED), "2");
  kiln_status_free(raw);
}

TEST(Status, EmptyPartsAreLeftOut) {
  EXPECT_STREQ(Status(Failure{Code::Internal, "a", "b"}).message(), "KILN-E0900: a: b");
  EXPECT_STREQ(Status(Failure{Code::Internal, "", "b", "", "c"}).message(),
               "KILN-E0900: b; found c");
}

TEST(Status, MessagesAreOneLine) {
  Status s = Failure{Code::Internal, "a\nb", "c\td", "\x1b[31m", "\x7f\xc3\xa4", "\\n"};
  EXPECT_STREQ(s.message(), "KILN-E0900: a\\nb: c\\td; expected \\x1b[31m, found "
                            "\\x7f\xc3\xa4; fix: \\n");
  kiln_status *raw = s.release();
  EXPECT_STREQ(kiln_status_get(raw, KILN_STATUS_WHERE), "a\\nb");
  kiln_status_free(raw);
}

TEST(Status, OutOfMemoryNeedsNoMemory) {
  kiln_status *s = Status::outOfMemory();
  EXPECT_EQ(kiln_status_code(s), 700u);
  EXPECT_EQ(kiln_status_exit_code(s), 4);
  kiln_status_free(s); // a shared status: no effect
  EXPECT_EQ(kiln_status_code(Status::outOfMemory()), 700u);
}

TEST(Status, DTypes) {
  EXPECT_EQ(kiln_dtype_size(KILN_DTYPE_BF16), 2u);
  EXPECT_EQ(kiln_dtype_size(KILN_DTYPE_BOOL), 1u);
  EXPECT_EQ(kiln_dtype_size(static_cast<kiln_dtype>(KILN_DTYPE_COUNT)), 0u);
  EXPECT_EQ(kiln_dtype_size(KILN_DTYPE_F4E2M1FN), 1u);
  EXPECT_STREQ(kiln_dtype_name(KILN_DTYPE_U64), "u64");
  EXPECT_STREQ(kiln_dtype_name(KILN_DTYPE_F8E8M0FNU), "f8e8m0fnu");
  EXPECT_STREQ(kiln_dtype_name(KILN_DTYPE_U2), "u2");
  EXPECT_STREQ(kiln_dtype_name(static_cast<kiln_dtype>(77)), "?");
}

TEST(CpuFeatures, AgreeWithTheCompiler) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  EXPECT_TRUE(hasCpuFeature("sse2"));
  EXPECT_EQ(hasCpuFeature("avx2"), bool(__builtin_cpu_supports("avx2")));
  EXPECT_EQ(hasCpuFeature("fma"), bool(__builtin_cpu_supports("fma")));
  EXPECT_EQ(hasCpuFeature("bmi2"), bool(__builtin_cpu_supports("bmi2")));
  EXPECT_EQ(hasCpuFeature("avx512f"), bool(__builtin_cpu_supports("avx512f")));
  EXPECT_EQ(hasCpuFeature("avx512vnni"), bool(__builtin_cpu_supports("avx512vnni")));
#endif
  EXPECT_FALSE(hasCpuFeature("no-such-feature"));
}

TEST(CpuFeatures, MissingOnesAreNamed) {
  std::string needed[] = {"one-missing", "sse2", "two-missing"};
  EXPECT_EQ(missingCpuFeatures({needed, 3}), "one-missing, two-missing");
}
