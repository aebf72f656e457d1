//===- GpuBackendsTest.cpp - Backends that a GPU rank opens ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/device/cuda/gpu_backends.h"
#include <cstdlib>
#include <gmock/gmock.h>

using namespace kiln::rt;
using namespace kiln::rt::cuda;
using testing::HasSubstr;

namespace {
/// A backend that needs no GPU and records whether it was requested by name.
class FakeBackend final : public DeviceBackend {
public:
  explicit FakeBackend(const char *name) : text(name) {}
  const char *name() const override { return text; }
  bool supports(const CollectiveCall &) const override { return false; }
  Status health(uint32_t) override { return {}; }
  Status begin(RunForm &) override { return {}; }
  Status enqueue(const CollectiveCall &, void *, const Where &) override { return {}; }
  void abort() override {}
  bool runsBeside() const override { return false; }
  const char *advice() const override { return "none"; }

private:
  const char *text;
};

Status openFast(const GpuRank &, bool isRequired, std::unique_ptr<DeviceBackend> &out) {
  out = std::make_unique<FakeBackend>(isRequired ? "fast, required" : "fast");
  return {};
}
Status openAbsent(const GpuRank &, bool isRequired, std::unique_ptr<DeviceBackend> &out) {
  if (isRequired)
    return Failure{Code::DeviceUnavailable, "absent", "there is none"};
  out = std::make_unique<FakeBackend>("absent");
  return {};
}

/// Returns the names of the backends that KILN_COLLECTIVES opens, or the error.
std::string opened(const char *wanted) {
  setenv("KILN_COLLECTIVES", wanted, 1);
  constexpr GpuBackend table[] = {{"fast", openFast}, {"absent", openAbsent}};
  std::shared_ptr<GpuBackends> backends;
  Status status = GpuBackends::open({nullptr, {}, 2}, table, backends);
  if (!status.ok())
    return status.message();
  std::string text;
  for (const auto &each : backends->all())
    text += std::string(each->name()) + ";";
  return text;
}

TEST(GpuBackends, AreThoseThatAreAskedFor) {
  EXPECT_EQ(opened(""), "fast;absent;");
  EXPECT_EQ(opened("auto"), "fast;absent;");
  EXPECT_EQ(opened("host"), "");
  EXPECT_EQ(opened("fast"), "fast, required;");
  EXPECT_THAT(opened("absent"), HasSubstr("KILN-E0702: absent: there is none"));
  EXPECT_THAT(opened("FAST"),
              HasSubstr("expected host, absent, fast or auto, found FAST"));
}

TEST(GpuBackends, OfThisLibrary) {
  ASSERT_EQ(gpuBackends().size(), 2u);
  EXPECT_STREQ(gpuBackends()[0].name, "peer"); // preferred, for small all-reduces
  EXPECT_STREQ(gpuBackends()[1].name, "nccl");
}

TEST(GpuBackends, AreTheSameOnAllRanks) {
  EXPECT_TRUE(checkSameBackends(std::vector<uint32_t>{2, 2, 2}).ok());
  Status status = checkSameBackends(std::vector<uint32_t>{0, 0, 1});
  EXPECT_EQ(status.code(), Code::CollectiveMismatch);
  EXPECT_THAT(status.message(), HasSubstr("rank 2: it has another KILN_COLLECTIVES"));
}
} // namespace
