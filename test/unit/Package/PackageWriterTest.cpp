//===- PackageWriterTest.cpp ----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TestPackage.h"
#include "kiln/abi.h"
#include "runtime/base/chunk_hash.h"
#include "runtime/package/format.h"
#include <cstring>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace kiln::test;
using namespace kiln::package;
namespace format = kiln::rt::format;

class Writer : public testing::Test {
protected:
  unsigned write(const PackageContents &contents) {
    error = writePackage(path, contents, &report);
    return error ? error->code : 0;
  }
  TempFolder folder;
  std::string path = folder / "m.kiln";
  WriteResult error;
  WriteReport report;
};

static Weight produced(const char *name, uint64_t offset, uint64_t size,
                       uint64_t actual) {
  return {name, offset, size, [actual](WeightSink &sink) -> WriteResult {
            for (uint64_t i = 0; i < actual; ++i) {
              char byte = char(i * 7);
              if (WriteResult failed = sink.write(&byte, 1))
                return failed;
            }
            return std::nullopt;
          }};
}

TEST_F(Writer, SameContentsSameBytes) {
  ASSERT_EQ(write(scaleModel()), 0u);
  std::string first = readFile(path);
  std::string plan = report.sha256;
  ASSERT_EQ(write(scaleModel()), 0u);
  EXPECT_EQ(readFile(path), first);
  EXPECT_EQ(report.sha256, plan);
  EXPECT_EQ(report.fileBytes, first.size());
  EXPECT_EQ(listFolder(folder.path), std::vector<std::string>{"m.kiln"});
}

TEST_F(Writer, SectionsAreWhereTheTableSays) {
  auto contents = scaleModel();
  contents.weights.push_back(produced("late", 4096, 100, 100));
  ASSERT_EQ(write(contents), 0u);
  EXPECT_EQ(report.weightBytes, 4196u);
  std::string bytes = readFile(path);
  format::Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  ASSERT_EQ(header.sectionCount, 4u);
  for (unsigned i = 0; i < 4; ++i) {
    format::Section s;
    std::memcpy(&s, bytes.data() + sizeof header + i * sizeof s, sizeof s);
    EXPECT_EQ(s.offset % s.alignment, 0u);
    auto digest = kiln::rt::chunkHash(bytes.data() + s.offset, s.size);
    EXPECT_EQ(std::memcmp(digest.data(), s.hash, 32), 0);
    if (s.type == format::Weights) {
      EXPECT_EQ(s.offset % 4096, 0u);
      EXPECT_EQ(bytes.substr(s.offset + 8, 4088), std::string(4088, '\0'));
      EXPECT_EQ(bytes[s.offset + 4097], 7);
    }
  }
  EXPECT_FALSE(own(kiln_package_check(path.c_str())));
}

TEST_F(Writer, WeightsLargerThanTheBuffer) {
  auto contents = scaleModel();
  std::string big(5 << 20, 'w');
  contents.weights.push_back(weightFromMemory("big", 64, big.data(), 5 << 20));
  contents.weights.push_back(produced("small", 64 + (5 << 20), 1000, 1000));
  ASSERT_EQ(write(contents), 0u);
  EXPECT_FALSE(own(kiln_package_check(path.c_str())));
}

TEST_F(Writer, NoImagesNoWeights) {
  PackageContents contents;
  contents.plan.abi_version = KILN_HOST_ABI_VERSION;
  ASSERT_EQ(write(contents), 0u);
  EXPECT_EQ(loadCode(path), 0u);
}

TEST_F(Writer, InconsistentWeights) {
  auto with = [&](Weight w) {
    auto contents = scaleModel();
    contents.weights.push_back(std::move(w));
    return write(contents);
  };
  EXPECT_EQ(with(produced("w", 0, 4, 4)), 513u); // overlaps the first
  EXPECT_EQ(with(produced("w", 65, 4, 4)), 513u);
  EXPECT_EQ(with(produced("w", UINT64_MAX - 63, 4, 4)), 513u);
  EXPECT_EQ(with(produced("short", 64, 4, 3)), 513u);
  EXPECT_EQ(error->found, "3 bytes");
  EXPECT_EQ(with(produced("long", 64, 4, 5)), 513u);
  EXPECT_TRUE(listFolder(folder.path).empty());
}

TEST_F(Writer, ErrorsOfWeightsAreHandedOn) {
  auto contents = scaleModel();
  contents.weights.push_back({"w", 64, 4, [](WeightSink &) -> WriteResult {
                                return WriteError{2, "weights.bin", "gone", "", "", ""};
                              }});
  EXPECT_EQ(write(contents), 2u);
  EXPECT_EQ(error->where, "weights.bin");
  EXPECT_TRUE(listFolder(folder.path).empty());
}

TEST_F(Writer, OutputsThatCannotBeWritten) {
  path = folder / "no/such/m.kiln";
  EXPECT_EQ(write(scaleModel()), 3u);
  path = folder.path;
  EXPECT_EQ(write(scaleModel()), 3u);
  path = "/dev/full";
  EXPECT_EQ(write(scaleModel()), 701u);
}

TEST_F(Writer, FullDiskLeavesTheOldFile) {
  ASSERT_EQ(write(scaleModel()), 0u);
  std::string old = readFile(path);
  auto contents = scaleModel();
  contents.weights.push_back(produced("big", 64, 3 << 20, 3 << 20));
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = {1 << 20, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  unsigned code = write(contents);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(code, 701u);
  EXPECT_EQ(error->where, path);
  EXPECT_EQ(readFile(path), old);
  EXPECT_EQ(listFolder(folder.path), std::vector<std::string>{"m.kiln"});
}

TEST_F(Writer, ModelsInUseSurviveAnOverwrite) {
  ASSERT_EQ(write(scaleModel()), 0u);
  ModelPtr model = loadModel(path);
  ASSERT_EQ(write(stateModel()), 0u);
  SessionPtr session = makeSession(model.get());
  FloatTensor x("x", {1, 2}), y("y", {1, 2}), sum("sum", {1});
  kiln_tensor in = x.tensor(), out[] = {y.tensor(), sum.tensor()};
  EXPECT_FALSE(own(kiln_session_run(session.get(), &in, 1, out, 2)));
  EXPECT_EQ(y.data[0], scaled(x.data[0]));
}
