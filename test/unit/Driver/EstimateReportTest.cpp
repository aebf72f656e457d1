//===- EstimateReportTest.cpp - Output of kiln estimate -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "lib/Driver/Tables/EstimateReport.h"
#include "AutoMesh.h"
#include "Models.h"
#include "kiln/ErrorCodes/Internal.h"
#include "kiln/ErrorCodes/Usage.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::estimate;
using namespace kiln::test;

namespace {
ProgramTime programOf(const char *name, double seconds, double tokens) {
  ProgramTime time;
  time.name = name;
  time.seconds = seconds;
  time.kernels = seconds / 2;
  time.compute = seconds / 4;
  time.memory = seconds / 8;
  time.steps = 1e-5;
  time.collectives = seconds / 10;
  time.tokens = tokens;
  time.limit = Limit::Memory;
  return time;
}

Candidate candidateOf(int64_t tp, double seconds, const char *why = "") {
  Candidate one;
  one.mesh.tp = tp;
  one.fits = *why == 0;
  one.seconds = seconds;
  one.why = why;
  Prediction prediction;
  prediction.mesh = one.mesh;
  prediction.memory.weights = double(uint64_t(8) << 30) / double(tp);
  prediction.memory.activations = double(1 << 20);
  prediction.programs = {programOf("prefill", seconds, 1000),
                         programOf("decode", 0.01, 1)};
  one.prediction = prediction;
  return one;
}

/// Returns an estimate of a decoder on two ranks.
Estimate estimateOf() {
  Estimate estimate;
  estimate.model = "model.onnx";
  estimate.topology.name = "pair";
  estimate.topology.device.name = "GPU";
  estimate.topology.device.target = "sm_90a";
  estimate.topology.device.memoryBytes = double(uint64_t(80) << 30);
  estimate.topology.devicesPerNode = 2;
  estimate.topology.node.name = "NVLink";
  estimate.dims = {{"rows", 1}, {"capacity", 2048}};
  estimate.chosen = candidateOf(2, 0.1);
  estimate.chosen.prediction->memory.replicated = 1024;
  CollectiveCount count;
  count.kind = CollectiveKind::AllReduce;
  count.algorithm = Algorithm::Ring;
  count.bytes = 2048;
  count.count = 24;
  count.seconds = 0.002;
  estimate.chosen.prediction->programs[0].counts = {count};
  return estimate;
}

std::string textOf(const Estimate &estimate) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printEstimate(os, estimate);
  return text;
}

void expectIn(const std::string &text, llvm::StringRef part) {
  EXPECT_TRUE(llvm::StringRef(text).contains(part)) << part.str() << "\nin\n" << text;
}

TEST(EstimateReportTest, BeginsWithModelAndTopology) {
  Estimate estimate = estimateOf();
  expectIn(textOf(estimate), "model.onnx on pair: 1 node of 2 x GPU, NVLink\n"
                             "  dims     rows=1,capacity=2048\n");
  estimate.topology.nodes = 4;
  estimate.topology.network.name = "InfiniBand";
  estimate.dims.clear();
  expectIn(textOf(estimate), "4 nodes of 2 x GPU, NVLink, InfiniBand between nodes\n"
                             "  dims     all fixed\n");
}

TEST(EstimateReportTest, SaysWhetherItFits) {
  Estimate estimate = estimateOf();
  std::string text = textOf(estimate);
  expectIn(text, "  mesh     tp=2, 2 ranks\n");
  expectIn(text, "  fits     yes: 4.00 GiB per rank of 80.0 GiB\n");
  expectIn(text,
           "weights 4.00 GiB (1.00 KiB of them on all ranks of a stage), state 0 B, "
           "activations 1.00 MiB");
  estimate.chosen.fits = false;
  estimate.chosen.prediction->memory.workspace = 4096;
  text = textOf(estimate);
  expectIn(text, "  fits     no: ");
  expectIn(text, ", workspace 4.00 KiB per thread\n");
}

TEST(EstimateReportTest, ProgramsHaveTheirTimes) {
  Estimate estimate = estimateOf();
  std::string text = textOf(estimate);
  expectIn(text, "  prefill  100 ms, 10.0 K tokens/s; bound by ");
  expectIn(text,
           "kernels 50.0 ms (computing alone 25.0 ms, memory alone 12.5 ms, start of "
           "steps 10.0 us), collectives 10.0 ms\n");
  expectIn(text, "24 all-reduce (ring) of 2.00 KiB: 2.00 ms\n");
  expectIn(text, "  decode   10.0 ms, 100 tokens/s");
  EXPECT_FALSE(llvm::StringRef(text).contains("bubble"));
  EXPECT_FALSE(llvm::StringRef(text).contains("simulated"));
}

TEST(EstimateReportTest, StagesWait) {
  Estimate estimate = estimateOf();
  estimate.options.runs = 8;
  estimate.chosen.prediction->programs[0].waiting = 0.25;
  std::string text = textOf(estimate);
  expectIn(text, "100 ms for 8 runs");
  expectIn(text, "a stage waits for others for 25 % of the time (bubble)\n");
}

TEST(EstimateReportTest, SimulationsAreBesideTheirProgram) {
  Estimate estimate = estimateOf();
  estimate.simulated = {0.12, 0.02};
  estimate.hidden = {0.5, 0};
  std::string text = textOf(estimate);
  expectIn(text, "simulated 120 ms, communication hidden 50 %\n");
  expectIn(text, "simulated 20.0 ms\n");
  llvm::json::Object object = estimateJson(estimate);
  EXPECT_EQ(object.getArray("simulated_seconds")->size(), 2u);
}

TEST(EstimateReportTest, CostsAreOfTokens) {
  Estimate estimate = estimateOf();
  estimate.currency = "EUR";
  estimate.devicePrice = 3.6; // 0.001 per second and device
  std::string text = textOf(estimate);
  // Two devices, 0.1 seconds, 1000 tokens: 0.2 per million.
  expectIn(text, "  cost     0.2 EUR per million tokens of prefill\n");
  expectIn(text, "  cost     20 EUR per million tokens of decode\n");
  llvm::json::Object object = estimateJson(estimate);
  EXPECT_EQ(object.getString("currency"), "EUR");
  EXPECT_NEAR(*object.getObject("cost_per_million_tokens")->getNumber("prefill"), 0.2,
              1e-12);
}

TEST(EstimateReportTest, RankingsSayWhyNot) {
  Estimate estimate = estimateOf();
  Candidate impossible;
  impossible.mesh.pp = 2;
  impossible.why = "too few layers";
  estimate.ranking = {estimate.chosen, candidateOf(1, 0.2, "slower by 2.00x"),
                      impossible};
  std::string text = textOf(estimate);
  expectIn(text, "meshes of 2 ranks, the best first:\n");
  expectIn(text, "slower by 2.00x\n");
  expectIn(text, "too few layers\n");
  llvm::json::Object object = estimateJson(estimate);
  const llvm::json::Array &ranking = *object.getArray("ranking");
  ASSERT_EQ(ranking.size(), 3u);
  EXPECT_EQ(ranking[1].getAsObject()->getString("why_not"), "slower by 2.00x");
  EXPECT_EQ(ranking[2].getAsObject()->getBoolean("possible"), false);
  EXPECT_EQ(ranking[2].getAsObject()->get("memory"), nullptr);
}

TEST(EstimateReportTest, RankingsOfNothingArePrintedAsNothing) {
  Candidate impossible;
  std::string text;
  llvm::raw_string_ostream os(text);
  printRanking(os, impossible);
  printRanking(os, {});
  EXPECT_EQ(text, "");
}

TEST(EstimateReportTest, JsonHasTheChosenMesh) {
  llvm::json::Object object = estimateJson(estimateOf());
  EXPECT_EQ(object.getString("model"), "model.onnx");
  EXPECT_EQ(object.getObject("dims")->getInteger("capacity"), 2048);
  EXPECT_EQ(object.getObject("topology")->getInteger("devices_per_node"), 2);
  const llvm::json::Object &chosen = *object.getObject("chosen");
  EXPECT_EQ(chosen.getString("mesh"), "tp=2");
  EXPECT_EQ(chosen.getInteger("tp"), 2);
  EXPECT_EQ(chosen.getInteger("cp"), 1);
  EXPECT_EQ(chosen.getInteger("ranks"), 2);
  EXPECT_EQ(chosen.getBoolean("fits"), true);
  EXPECT_EQ(chosen.get("why_not"), nullptr);
  EXPECT_EQ(chosen.getObject("memory")->getInteger("weights_bytes"), int64_t(4) << 30);
  const llvm::json::Object &prefill = *(*chosen.getArray("programs"))[0].getAsObject();
  EXPECT_EQ(prefill.getNumber("seconds"), 0.1);
  EXPECT_EQ((*prefill.getArray("collectives"))[0].getAsObject()->getInteger("count"), 24);
}

TEST(EstimateReportTest, ContextMeshesNameBothFactors) {
  Estimate estimate = estimateOf();
  estimate.chosen.mesh.tp = 8;
  estimate.chosen.mesh.division = Division::Context;
  estimate.chosen.mesh.weightRanks = 2;
  const llvm::json::Object object = estimateJson(estimate);
  EXPECT_EQ(object.getObject("chosen")->getInteger("tp"), 2);
  EXPECT_EQ(object.getObject("chosen")->getInteger("cp"), 4);
}

/// Names of models and files may contain any bytes.
TEST(EstimateReportTest, NamesStayOnTheirLine) {
  Estimate estimate = estimateOf();
  estimate.model = "evil\nname\xff";
  estimate.dims = {{"a\nb", 1}};
  std::string text = textOf(estimate);
  expectIn(text, "evil\\nname");
  expectIn(text, "a\\nb=1");
  llvm::json::Object object = estimateJson(estimate);
  EXPECT_TRUE(llvm::json::isUTF8(*object.getString("model")));
}

//===----------------------------------------------------------------------===//
// Meshes that are found
//===----------------------------------------------------------------------===//

TEST(AutoMeshTest, RanksNeedDevices) {
  Topology topology = estimateOf().topology;
  EXPECT_EQ(messageOf(checkDevices("kiln compile: --ranks", 2, topology)), "");
  Diagnosis problem = problemOf(checkDevices("kiln compile: --ranks", 3, topology));
  EXPECT_EQ(problem.code, ErrorCode::BadUsage);
  EXPECT_EQ(problem.expected, "at most 2");
  EXPECT_EQ(problem.found, "3");
}

class ChooseMeshTest : public testing::Test {
protected:
  void SetUp() override {
    options.input = folder / "m.onnxtxt";
    options.dims = {{"batch", 1, 8}};
    options.mesh.shard = "auto";
    options.mesh.ranks = 2;
    writeFile(options.input, mlpText());
  }
  TempFolder folder;
  CompileOptions options;
};

TEST_F(ChooseMeshTest, AutoNeedsRanksAndATopology) {
  options.mesh.ranks = 0;
  EXPECT_EQ(problemOf(chooseMesh(options, "epyc9654x2")).found, "no --ranks");
  options.mesh.ranks = 2;
  EXPECT_EQ(problemOf(chooseMesh(options, "")).found, "no --topology");
  EXPECT_EQ(problemOf(chooseMesh(options, folder / "none.json")).code !=
                ErrorCode::Internal,
            true);
}

TEST_F(ChooseMeshTest, RanksNeedDevicesOfTheTopology) {
  options.mesh.ranks = 64;
  Diagnosis problem = problemOf(chooseMesh(options, "epyc9654x2"));
  EXPECT_EQ(problem.where, "kiln compile: --ranks");
}

TEST_F(ChooseMeshTest, TheBestMeshIsTaken) {
  std::vector<Candidate> ranking = valueOf(chooseMesh(options, "epyc9654x2"));
  ASSERT_GE(ranking.size(), 2u);
  EXPECT_EQ(options.mesh.shard, ranking[0].mesh.str());
  EXPECT_EQ(ranking[0].mesh.ranks(), 2);
  EXPECT_EQ(ranking[0].why, "");
  EXPECT_EQ(options.mesh.overlap, ranking[0].mesh.overlap());
  EXPECT_EQ(options.mesh.microBatches, ranking[0].mesh.microBatches());
}

TEST_F(ChooseMeshTest, ModelsThatCannotBeSplitAreErrors) {
  writeFile(options.input, "no model");
  llvm::Expected<std::vector<Candidate>> ranking = chooseMesh(options, "epyc9654x2");
  EXPECT_FALSE(bool(ranking));
  llvm::consumeError(ranking.takeError());
  EXPECT_EQ(options.mesh.shard, "auto");
}
} // namespace
