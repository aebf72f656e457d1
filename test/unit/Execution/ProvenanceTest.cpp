//===- ProvenanceTest.cpp - Provenance records of packages ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Execution/Provenance.h"
#include "Models.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/UsageError.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;

namespace {
class ProvenanceTest : public testing::Test {
protected:
  kiln_model *withText(const std::string &provenance) {
    package::PackageContents contents = scaleModel();
    contents.provenance = provenance;
    writeModel(folder / "m.kiln", contents);
    model = loadPackage(folder / "m.kiln");
    return model.get();
  }
  TempFolder folder;
  Model model;
};

TEST_F(ProvenanceTest, IsAnObject) {
  llvm::json::Object found = provenanceOf(withText(R"({"compiler": "kiln 1", "n": 3})"));
  EXPECT_EQ(found.getString("compiler"), "kiln 1");
  EXPECT_EQ(found.getInteger("n"), 3);
}

TEST_F(ProvenanceTest, OtherTextIsAnEmptyObject) {
  for (const char *text : {"", "[1, 2]", "3", "{\"compiler\": ", "\"text\""})
    EXPECT_TRUE(provenanceOf(withText(text)).empty()) << text;
}

using Names = std::vector<std::string>;

TEST_F(ProvenanceTest, PrecisionsOfAPolicy) {
  EXPECT_EQ(precisionsOf(withText("{}")), Names{"f32"});
  EXPECT_EQ(precisionsOf(withText(R"({"precision": "bf16"})")), Names{"bf16"});
  kiln_model *mixed = withText(
      R"({"precision": "int4", "precision_rules": [{"nodes": "a", "precision": "f32"}, 7,
          {"nodes": "b"}], "activations": "f16"})");
  EXPECT_EQ(precisionsOf(mixed), (Names{"int4", "f32", "f32", "f16"}));
  EXPECT_EQ(activationsOf(mixed), "f16");
  EXPECT_EQ(activationsOf(withText("{}")), "");
}

TEST_F(ProvenanceTest, PackagesWithoutGraphAreErrors) {
  Diagnosis problem = problemOf(graphTextOf(withText(R"({"graph": 3})")));
  EXPECT_EQ(problem.code, ErrorCode::GraphMissing);
  EXPECT_EQ(problem.where, folder / "m.kiln");
  EXPECT_EQ(problemOf(graphOf(model.get())).code, ErrorCode::GraphMissing);
}

TEST_F(ProvenanceTest, GraphsThatCannotBeReadAreErrors) {
  kiln_model *broken = withText(R"({"graph": "module { graph.unknown }"})");
  EXPECT_EQ(valueOf(graphTextOf(broken)), "module { graph.unknown }");
  EXPECT_EQ(problemOf(graphOf(broken)).code, ErrorCode::GraphMissing);
}

TEST_F(ProvenanceTest, CompiledPackagesHaveTheirGraph) {
  compileText(folder, "mlp", mlpText());
  Model compiled = loadPackage(folder / "mlp.kiln");
  PackageGraph graph = valueOf(graphOf(compiled.get()));
  size_t launches = 0;
  for (size_t i = 0; i < kiln_model_step_count(compiled.get()); ++i)
    launches += launchesKernel(*kiln_model_step(compiled.get(), i));
  EXPECT_EQ(graph.kernelCount(), launches);
  EXPECT_EQ(graph.heroOf(0), "matmul");
  EXPECT_EQ(precisionsOf(compiled.get()), Names{"f32"});
  llvm::json::Object provenance = provenanceOf(compiled.get());
  ASSERT_TRUE(provenance.getObject("model"));
  EXPECT_EQ(provenance.getObject("model")->getInteger("nodes"), 3);
}

llvm::Error firstFailure(std::vector<llvm::Error> errors, int &reached) {
  for (llvm::Error &error : errors) {
    ++reached;
    KILN_CHECK(std::move(error));
  }
  return llvm::Error::success();
}

TEST(UsageErrorTest, CheckReturnsTheError) {
  std::vector<llvm::Error> errors;
  errors.push_back(llvm::Error::success());
  errors.push_back(
      usageError("kiln run: --dims", "is wrong", "a number", "'x'", "give one"));
  int reached = 0;
  Diagnosis problem = problemOf(firstFailure(std::move(errors), reached));
  EXPECT_EQ(reached, 2);
  EXPECT_EQ(problem.code, ErrorCode::BadUsage);
  EXPECT_EQ(problem.str(),
            "KILN-E0001: kiln run: --dims: is wrong; expected a number, found "
            "'x'; fix: give one");
}
} // namespace
