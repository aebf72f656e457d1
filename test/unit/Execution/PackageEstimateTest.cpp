//===- PackageEstimateTest.cpp - Estimates of a package's plan ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Execution/PackageEstimate.h"
#include "Models.h"
#include "kiln/ErrorCodes/Usage.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;

namespace {
class PackageEstimateTest : public testing::Test {
protected:
  PackageWorkload describe(const package::PackageContents &contents,
                           const std::vector<DimRange> &dims = {}) {
    writeModel(path, contents);
    return valueOf(describePackage(path, dims, *TargetInfo::find("x86-64-v3")));
  }
  Diagnosis refused(const std::vector<DimRange> &dims) {
    return problemOf(describePackage(path, dims, *TargetInfo::find("x86-64-v3")));
  }
  TempFolder folder;
  std::string path = folder / "m.kiln";
};

using Dims = std::vector<std::pair<std::string, int64_t>>;

TEST_F(PackageEstimateTest, DimsAreTheLargestByDefault) {
  PackageWorkload found = describe(scaleModel());
  EXPECT_EQ(found.workload.dims, (Dims{{"batch", 4}, {"seq", 256}}));
  EXPECT_EQ(found.workload.ranks, 1);
  ASSERT_EQ(found.workload.programs.size(), 1u);
  const estimate::Program &program = found.workload.programs[0];
  EXPECT_EQ(program.name, "main");
  EXPECT_EQ(program.steps.size(), 5u);
  EXPECT_EQ(program.inputBytes, 4 * 256 * 4);
  EXPECT_EQ(program.outputBytes, 4 * 256 * 4 + 4 * 4);
  EXPECT_EQ(program.workspaceBytes, 256 * 4) << "of a thread";
  EXPECT_EQ(program.tokens, 0) << "no input of integers";
  EXPECT_EQ(found.staged.weightBytes, std::vector<double>{8});
  EXPECT_EQ(found.staged.programs[0].stages, std::vector<int64_t>(5, 0));
}

TEST_F(PackageEstimateTest, TheEndOfARangeCounts) {
  PackageWorkload found =
      describe(scaleModel(), {{"seq", 1, 16}, {"batch", 2, 2}, {"unknown", 1, 2}});
  EXPECT_EQ(found.workload.dims, (Dims{{"batch", 2}, {"seq", 16}}));
  EXPECT_EQ(found.workload.programs[0].inputBytes, 2 * 16 * 4);
}

TEST_F(PackageEstimateTest, DimsMustBeInTheEnvelope) {
  describe(scaleModel());
  for (int64_t size : {0, 257}) {
    Diagnosis problem = refused({{"seq", 0, size}});
    EXPECT_EQ(problem.code, ErrorCode::BadUsage);
    EXPECT_EQ(problem.where, "kiln estimate: --dims");
    EXPECT_EQ(problem.expected, "1 to 256");
    EXPECT_EQ(problem.found, std::to_string(size));
  }
}

TEST_F(PackageEstimateTest, RanksHaveTheirPartOfTheWeights) {
  PackageWorkload found = describe(ranksModel(2), {{"seq", 8, 8}, {"batch", 1, 1}});
  EXPECT_EQ(found.workload.ranks, 2);
  EXPECT_EQ(found.mesh.tp, 2);
  EXPECT_EQ(found.mesh.pp, 1);
  size_t collectives = 0;
  for (const estimate::Step &step : found.workload.programs[0].steps)
    if (step.kind == estimate::Step::Kind::Collective) {
      ++collectives;
      bool gathers = step.collective == estimate::CollectiveKind::AllGather;
      // The partial sums of both ranks; or the reduced tensor, once.
      EXPECT_EQ(step.bytes, gathers ? 2 * 4.0 : 8 * 4.0);
    }
  EXPECT_EQ(collectives, 2u);
}

TEST_F(PackageEstimateTest, TheMeshIsThatOfTheProvenance) {
  package::PackageContents contents = ranksModel(4);
  contents.provenance = R"({"mesh": {"tp": 2, "pp": 2, "sequence": true}})";
  estimate::MeshShape mesh = describe(contents).mesh;
  EXPECT_EQ(mesh.tp, 2);
  EXPECT_EQ(mesh.pp, 2);
  EXPECT_EQ(mesh.division, Division::Sequence);
  contents.provenance = R"({"mesh": {"tp": 2, "cp": 2, "divides_caches": true}})";
  mesh = describe(contents).mesh;
  EXPECT_EQ(mesh.tp, 4) << "ranks of a stage";
  EXPECT_EQ(mesh.weightRanks, 2);
  EXPECT_EQ(mesh.division, Division::Context);
  EXPECT_TRUE(mesh.dividesCaches);
}

TEST_F(PackageEstimateTest, MicroBatchesAreRefused) {
  package::PackageContents contents = scaleModel();
  contents.provenance = R"({"pipelined": [{"micro_batches": 1}, {"micro_batches": 4}]})";
  writeModel(path, contents);
  Diagnosis problem = refused({});
  EXPECT_EQ(problem.what, "is a package with micro-batches");
  contents.provenance = R"({"pipelined": [{"micro_batches": 1}]})";
  EXPECT_EQ(describe(contents).workload.programs.size(), 1u);
}

TEST_F(PackageEstimateTest, FilesMustBePackages) {
  EXPECT_EQ(refused({}).code, ErrorCode::FileNotFound);
  writeFile(path, "no package");
  EXPECT_EQ(exitStatus(refused({}).code), 3);
}

/// Matmul FLOPs of two matmuls, which do not count as other operations.
TEST_F(PackageEstimateTest, ProductsAreCountedApart) {
  compileText(folder, "m", mlpText());
  PackageWorkload found =
      valueOf(describePackage(path, {{"batch", 4, 4}}, *TargetInfo::find("x86-64-v3")));
  double products = 0;
  for (const estimate::Step &step : found.workload.programs[0].steps) {
    EXPECT_EQ(step.kind, estimate::Step::Kind::Kernel);
    EXPECT_GT(step.bytes, 0);
    products += step.productFlops;
  }
  EXPECT_GE(products, 2.0 * 4 * (kMlpIn * kMlpHidden + kMlpHidden * kMlpOut));
}
} // namespace
