//===- profile_test.cpp - Device profiles against published figures -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/profile/profile.h"
#include "runtime/sim/profile/reader.h"
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

using namespace kiln::sim;

namespace {

/// Data sheets and the CUDA programming guide's table of limits by compute capability:
/// KiB of shared memory, GB/s.
struct Published {
  const char *id;
  uint32_t capability, sms, sharedSm, sharedBlock, warps, blocks, cluster, gib, gbps;
};

const Published Table[] = {
    {"a100", 80, 108, 164, 163, 64, 32, 0, 80, 2039},
    {"b200", 100, 148, 228, 227, 64, 32, 8, 180, 7700},
    {"h100", 90, 132, 228, 227, 64, 32, 8, 80, 3350},
    {"h200", 90, 132, 228, 227, 64, 32, 8, 141, 4800},
    {"l40s", 89, 142, 100, 99, 48, 24, 0, 45, 864},
    {"rtx5090", 120, 170, 100, 99, 48, 24, 8, 32, 1792},
};

/// Returns a profile's text with one line replaced; a null replacement drops the line.
std::string edited(const std::string &key, const char *line) {
  std::string text = "id = x\nname = X\ncompute_capability = 9.0\n"
                     "architecture_specific = yes\nmultiprocessors = 2\n"
                     "memory_bytes = 1000\nl2_bytes = 10\nshared_per_block = 10\n"
                     "shared_per_block_optin = 20\nshared_per_sm = 30\n"
                     "shared_reserved = 1\nregisters_per_sm = 4\n"
                     "registers_per_block = 4\nthreads_per_sm = 64\nblocks_per_sm = 2\n"
                     "max_cluster = 1\nmax_cluster_non_portable = 1\nsm_clock_khz = 1\n"
                     "memory_clock_khz = 1\nbus_width_bits = 1\n"
                     "memory_bytes_per_second = 1e9\ndense_f16_flops_per_second = 1\n"
                     "f32_flops_per_second = 1\ndriver_version = 13000\n"
                     "newest_ptx = 9.0\n";
  if (key.empty())
    return text;
  size_t at = text.find(key + " ="), end = text.find('\n', at);
  return text.replace(at, end - at, line ? line : "");
}

std::string errorOf(const std::string &text) {
  DeviceProfile profile;
  std::string error;
  return parseProfile(text, profile, error) ? "" : error;
}

} // namespace

TEST(Profile, AgreesWithPublishedNumbers) {
  ASSERT_EQ(allProfiles().size(), std::size(Table));
  for (const Published &row : Table) {
    SCOPED_TRACE(row.id);
    const DeviceProfile *p = findProfile(row.id);
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(p->computeMajor * 10 + p->computeMinor, row.capability);
    EXPECT_EQ(p->multiprocessors, row.sms);
    EXPECT_EQ(p->sharedPerSm, row.sharedSm << 10);
    EXPECT_EQ(p->sharedPerBlockOptin, row.sharedBlock << 10);
    EXPECT_EQ(p->sharedPerBlockOptin + p->sharedReserved, p->sharedPerSm);
    EXPECT_EQ(p->sharedPerBlock, 48u << 10);
    EXPECT_EQ(p->threadsPerSm, row.warps * 32);
    EXPECT_EQ(p->blocksPerSm, row.blocks);
    EXPECT_EQ(p->registersPerSm, 65536u);
    EXPECT_EQ(p->maxCluster, row.cluster);
    EXPECT_EQ(p->archSpecific, row.capability >= 90);
    EXPECT_NEAR(p->memoryBytes / double(1 << 30), row.gib, 0.02 * row.gib);
    EXPECT_NEAR(p->memoryBytesPerSecond / 1e9, row.gbps, 0.005 * row.gbps);
    // The clock and bus width that the driver reports must give the published bandwidth.
    EXPECT_NEAR(2.0 * p->memoryClockKhz * 1e3 * p->busWidthBits / 8,
                p->memoryBytesPerSecond, 0.03 * p->memoryBytesPerSecond);
    // Two operations per lane and clock, 128 lanes (64 on capability 8.0) per SM; data
    // sheets' boost clocks differ a little from those that the driver reports.
    double lanes = row.capability == 80 ? 64 : 128;
    EXPECT_NEAR(2 * lanes * row.sms * p->smClockKhz * 1e3, p->f32FlopsPerSecond,
                0.03 * p->f32FlopsPerSecond);
  }
}

TEST(Profile, AreSortedAndUnknownOnesAreNull) {
  for (size_t i = 1; i < allProfiles().size(); i++)
    EXPECT_LT(allProfiles()[i - 1].id, allProfiles()[i].id);
  EXPECT_EQ(findProfile("h300"), nullptr);
  EXPECT_EQ(findProfile("H200"), nullptr);
}

TEST(ProfileReader, ReadsAWholeText) {
  DeviceProfile profile;
  std::string error;
  ASSERT_TRUE(parseProfile(edited("", nullptr) + "# end", profile, error)) << error;
  EXPECT_EQ(profile.newestPtx, 90u);
  EXPECT_EQ(profile.computeMajor, 9u);
  EXPECT_TRUE(profile.archSpecific);
  EXPECT_EQ(profile.memoryBytesPerSecond, 1e9);
}

TEST(ProfileReader, NamesWhatIsWrong) {
  EXPECT_EQ(errorOf(edited("l2_bytes", "l2 = 10")), "line 7: unknown key 'l2'");
  EXPECT_EQ(errorOf(edited("l2_bytes", "id = y")), "line 7: 'id' again, first on line 1");
  EXPECT_EQ(errorOf(edited("l2_bytes", "l2_bytes 10")),
            "line 7: expected 'key = value', found 'l2_bytes 10'");
  EXPECT_NE(errorOf(edited("l2_bytes", nullptr)).find("'l2_bytes' is missing"),
            std::string::npos);
  for (const char *bad : {"l2_bytes = -1", "l2_bytes = 4294967296", "l2_bytes = 1 2",
                          "l2_bytes = 1.5", "l2_bytes ="})
    EXPECT_NE(errorOf(edited("l2_bytes", bad)).find("is no value of 'l2_bytes'"),
              std::string::npos)
        << bad;
  EXPECT_NE(errorOf(edited("architecture_specific", "architecture_specific = 1")), "");
  EXPECT_NE(errorOf(edited("newest_ptx", "newest_ptx = 9")), "");
  EXPECT_NE(errorOf(edited("compute_capability", "compute_capability = 9.x")), "");
  EXPECT_NE(errorOf(edited("f32_flops_per_second", "f32_flops_per_second = nan")), "");
}

TEST(ProfileReader, RefusesImpossibleGpus) {
  EXPECT_NE(errorOf(edited("multiprocessors", "multiprocessors = 0")), "");
  EXPECT_NE(errorOf(edited("threads_per_sm", "threads_per_sm = 33")), "");
  EXPECT_NE(errorOf(edited("shared_per_sm", "shared_per_sm = 19")), "");
  EXPECT_NE(errorOf(edited("max_cluster", "max_cluster = 2")), "");
  EXPECT_NE(errorOf(edited("blocks_per_sm", "blocks_per_sm = 0")), "");
}

TEST(ProfileReader, ReadsFiles) {
  std::string path = testing::TempDir() + "own.profile";
  std::ofstream(path) << edited("", nullptr);
  DeviceProfile profile;
  std::string error;
  EXPECT_TRUE(readProfileFile(path, profile, error)) << error;
  std::ofstream(path) << "id = x";
  EXPECT_FALSE(readProfileFile(path, profile, error));
  EXPECT_EQ(error.rfind(path + ": line 1", 0), 0u) << error;
  remove(path.c_str());
  EXPECT_FALSE(readProfileFile(path, profile, error));
  EXPECT_EQ(error, path + ": expected a file with a profile, found nothing");
  for (const char *other : {"/", "/dev/zero"}) {
    EXPECT_FALSE(readProfileFile(other, profile, error));
    EXPECT_EQ(error, std::string(other) +
                         ": expected a file with a profile, found something else");
  }
  std::ofstream(path) << std::string((1 << 20) + 1, '\n');
  EXPECT_FALSE(readProfileFile(path, profile, error));
  EXPECT_NE(error.find("at most 1 MiB"), std::string::npos) << error;
  remove(path.c_str());
}
