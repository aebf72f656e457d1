//===- TopologyTest.cpp - Topology files ----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Estimate/Topology.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>

using namespace kiln::estimate;

static const char *const kFile = R"({"name": "t", "devices_per_node": 2, "nodes": 3,
  "device": {"name": "D", "target": "sm_80", "memory_gib": 40},
  "link": {"kind": "pcie", "gb_per_s": 16, "latency_us": 4},
  "network": {"kind": "ethernet", "gb_per_s": 2.5, "latency_us": 30,
              "adapters_per_node": 1}})";

static std::string problemOf(const std::string &text) {
  auto topology = parseTopology(text, "t.json");
  return topology ? "none" : llvm::toString(topology.takeError());
}

/// Returns the error for the file with one text replaced.
static std::string problemWith(const std::string &from, const std::string &to) {
  std::string text = kFile;
  size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return problemOf(text.replace(at, from.size(), to));
}

TEST(Topology, ReadsAllFields) {
  Topology topology = llvm::cantFail(parseTopology(kFile, "t.json"));
  EXPECT_EQ(topology.devices(), 6);
  EXPECT_EQ(topology.adapters, 1);
  EXPECT_DOUBLE_EQ(topology.node.rate, 16e9);
  EXPECT_DOUBLE_EQ(topology.network.latency, 30e-6);
  EXPECT_FALSE(topology.node.reachesAll);
  // Two devices share one network adapter.
  EXPECT_DOUBLE_EQ(topology.networkRate(1), 2.5e9);
  EXPECT_DOUBLE_EQ(topology.networkRate(2), 1.25e9);
}

TEST(Topology, RatesThatAreLeftOutAreTheTargets) {
  Topology topology = llvm::cantFail(parseTopology(kFile, "t.json"));
  // From the data sheet of an A100: 1555 GB/s, 312 TFLOPS, 19.5 TFLOPS.
  EXPECT_NEAR(topology.device.memoryRate, 1555e9, 5e9);
  EXPECT_NEAR(topology.device.productRate(Arithmetic::F16), 312e12, 1e12);
  EXPECT_NEAR(topology.device.productRate(Arithmetic::TF32), 156e12, 1e12);
  EXPECT_NEAR(topology.device.productRate(Arithmetic::F32), 19.5e12, 1e11);
  EXPECT_GT(topology.device.stepSeconds, 0);
}

TEST(Topology, EveryProfileCanBeRead) {
  for (const Profile &profile : profiles()) {
    auto topology = readTopology(profile.name);
    ASSERT_TRUE(bool(topology)) << llvm::toString(topology.takeError());
    EXPECT_EQ(topology->name, profile.name);
    EXPECT_GT(topology->device.memoryRate, 1e11);
    for (double rate : topology->device.productRates)
      EXPECT_GE(rate, topology->device.otherRate);
  }
}

TEST(Topology, WrongFieldsAreNamed) {
  EXPECT_EQ(problemOf(kFile), "none");
  struct {
    const char *from, *to, *part;
  } cases[] = {
      {R"("name": "t",)", "", "field 'name' is missing"},
      {R"("name": "t")", R"("name": 7)", "field 'name' is no text"},
      {R"("nodes": 3)", R"("nodes": 0)", "field 'nodes' is out of range"},
      {R"("nodes": 3)", R"("nodes": 2.5)", "field 'nodes' is out of range"},
      {R"("nodes": 3)", R"("node": 3)", "field 'node' is unknown"},
      {R"("sm_80")", R"("sm_10")", "field 'device.target' is no target"},
      {R"("sm_80")", R"("native")", "field 'device.target' is no target"},
      {R"("memory_gib": 40)", R"("memory_gib": -1)", "field 'device.memory_gib'"},
      {R"(, "memory_gib": 40)", "", "field 'device.memory_gib' is missing"},
      {R"("memory_gib": 40)", R"("memory_gib": 40, "tflops": {"f99": 1})",
       "field 'device.tflops.f99' is unknown"},
      {R"("pcie")", R"("usb")", "field 'link.kind' is no kind of link here"},
      {R"("pcie")", R"("ethernet")", "field 'link.kind' is no kind of link here"},
      {R"("gb_per_s": 16)", R"("gb_per_s": "16")", "field 'link.gb_per_s'"},
      {R"("latency_us": 30)", R"("latency_ms": 30)", "field 'network.latency_us'"},
      {R"("adapters_per_node": 1)", R"("adapters_per_node": 3)",
       "field 'network.adapters_per_node'"},
      {R"({"name": "t")", R"([{"name": "t")", "is not JSON"},
  };
  for (const auto &one : cases) {
    std::string text = problemWith(one.from, one.to);
    EXPECT_NE(text.find(one.part), std::string::npos) << one.to << ": " << text;
    EXPECT_NE(text.find("KILN-E0001: t.json"), std::string::npos) << text;
  }
}

TEST(Topology, CpusStateTheirRates) {
  std::string text = kFile;
  text.replace(text.find("sm_80"), 5, "x86-64-v3");
  EXPECT_NE(problemOf(text).find("field 'device.memory_gb_per_s' is missing"),
            std::string::npos);
}

TEST(Topology, NeitherProfileNorFile) {
  auto topology = readTopology("h100x9");
  ASSERT_FALSE(bool(topology));
  std::string text = llvm::toString(topology.takeError());
  EXPECT_NE(text.find("KILN-E0002"), std::string::npos) << text;
  EXPECT_NE(text.find("h100x8, "), std::string::npos) << text;
}
