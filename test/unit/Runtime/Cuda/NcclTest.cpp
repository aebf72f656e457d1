//===- NcclTest.cpp - When ranks use NCCL ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries that are missing or incomplete, and ranks that must agree. Collectives of
// models are tested end to end with the modelled NCCL.
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/nccl_backend.h"
#include <cstdlib>
#include <gmock/gmock.h>

using namespace kiln::rt;
using namespace kiln::rt::cuda;
using testing::HasSubstr;

namespace {
Status open(const char *library, bool simulated = false) {
  setenv("KILN_NCCL_LIBRARY", library, 1);
  std::shared_ptr<const Nccl> nccl;
  return Nccl::open(simulated, nccl);
}

TEST(NcclLibrary, Missing) {
  Status status = open("libno-such-nccl.so");
  EXPECT_EQ(status.code(), Code::DeviceUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("libno-such-nccl.so: NCCL cannot be loaded"));
  EXPECT_THAT(status.message(), HasSubstr("KILN_COLLECTIVES=host"));
}

TEST(NcclLibrary, IsAnother) {
  Status status = open("libc.so.6");
  EXPECT_EQ(status.code(), Code::DriverFunction);
  EXPECT_THAT(status.message(), HasSubstr("the function ncclGetVersion"));
  EXPECT_THAT(status.message(), HasSubstr("fix: install NCCL 2.18 or later"));
  // It is not the modelled NCCL, whatever symbols it has.
  EXPECT_EQ(open("libc.so.6", true).code(), Code::DeviceUnavailable);
}

TEST(NcclLibrary, TypesAndVersions) {
  EXPECT_EQ(ncclTypeOf(KILN_DTYPE_F32), 7);
  EXPECT_EQ(ncclTypeOf(KILN_DTYPE_BF16), 9);
  for (kiln_dtype none : {KILN_DTYPE_I16, KILN_DTYPE_U16, KILN_DTYPE_BOOL,
                          KILN_DTYPE_F8E4M3FN, KILN_DTYPE_U4})
    EXPECT_FALSE(ncclTypeOf(none)) << kiln_dtype_name(none);
  EXPECT_EQ(ncclVersionText(21803), "2.18.3");
  EXPECT_EQ(sizeof(ncclConfig_t), 48u); // size in NCCL 2.18
}

std::vector<NcclOffer> ncclOffers() {
  std::vector<NcclOffer> all(3);
  for (uint8_t rank = 0; rank < 3; ++rank) {
    all[rank].gpu[7] = rank;
    all[rank].version = 22809;
  }
  return all;
}

TEST(NcclRanks, NeedAGpuEachAndOneNccl) {
  EXPECT_EQ(ncclObstacle(ncclOffers()), "");
  std::vector<NcclOffer> all = ncclOffers();
  all[1].version = 0;
  EXPECT_EQ(ncclObstacle(all), "rank 1 has no NCCL");
  all[1].version = 21803;
  EXPECT_EQ(ncclObstacle(all), "rank 1 has NCCL 2.18.3, and rank 0 NCCL 2.28.9");
  all[1].version = 22809;
  all[2].gpu[7] = 1;
  EXPECT_EQ(ncclObstacle(all), "rank 1 and rank 2 share one GPU");
}
} // namespace
