//===- SettingsTest.cpp - Options that several commands have --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AccuracyOptions.h"
#include "ModelOptions.h"
#include "Models.h"
#include "SessionOptions.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::execution;
using namespace kiln::quantization;
using namespace kiln::test;

namespace {
using Words = std::vector<const char *>;

/// Parses words with a table that `declare` fills; returns "" or the error message.
template <typename Declare> std::string parsedBy(Words words, Declare declare) {
  OptionTable table("run", "[options]", "");
  declare(table);
  llvm::Expected<OptionTable::Outcome> outcome = table.parse(words);
  return outcome ? "" : messageOf(outcome.takeError());
}

void expectRefused(const std::string &message, llvm::StringRef part) {
  EXPECT_TRUE(llvm::StringRef(message).starts_with("KILN-E0001")) << message;
  EXPECT_TRUE(llvm::StringRef(message).contains(part)) << message;
}

//===----------------------------------------------------------------------===//
// Sessions
//===----------------------------------------------------------------------===//

class SessionOptionsTest : public testing::Test {
protected:
  std::string parse(Words words) {
    return parsedBy(std::move(words), [&](OptionTable &table) {
      declareSessionOptions(table, settings, inputs);
      declareRanks(table, settings);
      declareTimeout(table, settings);
    });
  }
  SessionSettings settings;
  InputSettings inputs{"kiln run"};
};

TEST_F(SessionOptionsTest, FillTheSettings) {
  EXPECT_EQ(parse({"--input",    "ids=@a.npy", "-i",        "x=y=@b=@c.npy",
                   "--device",   "sim",        "--entry",   "decode",
                   "--no-graph", "-t",         "3",         "--dims",
                   "batch=2",    "--dims",     "seq=5",     "--seed",
                   "9",          "--expect",   "00ff",      "--trust-weights",
                   "--ranks",    "2",          "--timeout", "60"}),
            "");
  EXPECT_EQ(inputs.files,
            (std::vector<TensorFile>{{"ids", "a.npy"}, {"x=y", "b=@c.npy"}}))
      << "the first =@ separates";
  EXPECT_EQ(inputs.dims, (SymbolValues{{"batch", 2}, {"seq", 5}}));
  EXPECT_EQ(inputs.seed, 9u);
  EXPECT_EQ(settings.device, "sim");
  EXPECT_EQ(settings.entry, "decode");
  EXPECT_TRUE(settings.noGraph);
  EXPECT_EQ(settings.threads, 3u);
  EXPECT_EQ(settings.expect, "00ff");
  EXPECT_TRUE(settings.trustWeights);
  EXPECT_EQ(settings.ranks, 2u);
  EXPECT_EQ(settings.timeout, 60u);
}

TEST_F(SessionOptionsTest, DefaultsAreACpuWithAllThreads) {
  EXPECT_EQ(parse({}), "");
  EXPECT_EQ(settings.device, "cpu");
  EXPECT_EQ(settings.threads, 0u);
  EXPECT_EQ(settings.ranks, 0u);
  EXPECT_FALSE(settings.noGraph || settings.trustWeights);
}

TEST_F(SessionOptionsTest, RefuseWrongValues) {
  for (const char *text : {"ids", "ids=a.npy", "=@a.npy", "ids=@"})
    expectRefused(parse({"--input", text}), "kiln run: --input: is not a tensor and a");
  expectRefused(parse({"--threads", "0"}), "from 1 to 4096");
  expectRefused(parse({"--dims", "batch=1..2"}), "kiln run: --dims: needs one value");
  expectRefused(parse({"--seed", "-1"}), "--seed");
  expectRefused(parse({"--ranks", "0"}), "--ranks");
  expectRefused(parse({"--timeout", "86401"}), "from 1 to 86400");
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

class ModelOptionsTest : public testing::Test {
protected:
  std::string parse(Words words, const char *command = "compile") {
    return parsedBy(std::move(words), [&](OptionTable &table) {
      declareModelOptions(table, command, options);
    });
  }
  CompileOptions options;
};

TEST_F(ModelOptionsTest, FillTheOptions) {
  EXPECT_EQ(parse({"--target",
                   "native,sm_90a",
                   "--dims",
                   "batch=1..8",
                   "--dims",
                   "seq=4",
                   "--precision",
                   "int4",
                   "--activations",
                   "bf16",
                   "--kv",
                   "int8",
                   "--batch-invariant",
                   "--ranks",
                   "4",
                   "--shard",
                   "pp=2,tp=2",
                   "--overlap",
                   "2",
                   "--micro-batches",
                   "3",
                   "--memory-limit",
                   "1GiB",
                   "--state",
                   "a=b,c=d",
                   "--keep-input",
                   "mask",
                   "--freeze",
                   "flag=true",
                   "--freeze",
                   "n=3",
                   "--external-data-from",
                   "/data"}),
            "");
  EXPECT_EQ(options.targets.names, (std::vector<std::string>{"native", "sm_90a"}));
  ASSERT_EQ(options.dims.size(), 2u);
  EXPECT_EQ(options.dims[1].lo, 4);
  EXPECT_EQ(options.precision.precision, "int4");
  EXPECT_EQ(options.precision.activations, "bf16");
  EXPECT_EQ(options.precision.cache, "int8");
  EXPECT_TRUE(options.targets.batchInvariant);
  EXPECT_EQ(options.mesh.ranks, 4);
  EXPECT_EQ(options.mesh.shard, "pp=2,tp=2");
  EXPECT_EQ(options.mesh.overlap, 2);
  EXPECT_EQ(options.mesh.microBatches, 3);
  EXPECT_EQ(options.limits.memory, uint64_t(1) << 30);
  EXPECT_EQ(options.state.pairs, (std::vector<std::string>{"a=b", "c=d"}));
  EXPECT_EQ(options.state.keptInputs, std::vector<std::string>{"mask"});
  EXPECT_TRUE(options.state.enabled);
  ASSERT_EQ(options.frozen.size(), 2u);
  EXPECT_EQ(options.frozen[1], (std::pair<std::string, std::string>("n", "3")));
  EXPECT_EQ(options.externalDataFrom, "/data");
}

TEST_F(ModelOptionsTest, StateCanBeTurnedOff) {
  EXPECT_EQ(parse({"--no-state"}), "");
  EXPECT_FALSE(options.state.enabled);
}

/// The order of options does not matter: specific ones override --precision.
TEST_F(ModelOptionsTest, OptionsMayComeInAnyOrder) {
  EXPECT_EQ(parse({"--kv", "fp8", "--activations", "f16", "--precision", "int8"}), "");
  EXPECT_EQ(options.precision.precision, "int8");
  EXPECT_EQ(options.precision.cache, "fp8");
  EXPECT_EQ(options.precision.activations, "f16");
}

TEST_F(ModelOptionsTest, RefuseWrongValues) {
  expectRefused(parse({"--target", "native,"}), "--target: has an empty entry");
  expectRefused(parse({"--dims", "batch"}), "kiln compile: --dims: is not a range");
  expectRefused(parse({"--ranks", "0"}), "--ranks: is not a number of ranks");
  expectRefused(parse({"--ranks", "65"}), "1 to 64");
  expectRefused(parse({"--overlap", "17"}), "--overlap: is not a number of parts");
  expectRefused(parse({"--micro-batches", "x"}), "expected 1 to 16, found 'x'");
  expectRefused(parse({"--memory-limit", "much"}), "--memory-limit: is not a size");
  expectRefused(parse({"--freeze", "flag"}), "--freeze: is not an input with its value");
  expectRefused(parse({"--freeze", "=1"}), "found '=1'");
  expectRefused(parse({"--precision", "int3"}), "int3");
  expectRefused(parse({"--activations", "int3"}), "int3");
  expectRefused(parse({"--kv", "int3"}), "int3");
  expectRefused(parse({"--shard", "tp=2,zz=2"}), "--shard");
}

TEST_F(ModelOptionsTest, MeshesOfATopologyAreForCompile) {
  EXPECT_EQ(parse({"--shard", "auto"}), "");
  EXPECT_EQ(options.mesh.shard, "auto");
  expectRefused(parse({"--shard", "auto"}, "check"), "kiln check: --shard");
}

TEST_F(ModelOptionsTest, PoliciesAreReadFromFiles) {
  TempFolder folder;
  std::string path = folder / "p.json";
  writeFile(path,
            R"({"precision": "int8", "rules": [{"nodes": "head", "precision": "f32"}]})");
  EXPECT_EQ(parse({"--kv", "int8", "--precision", path.c_str()}), "");
  EXPECT_EQ(options.precision.precision, "int8");
  ASSERT_EQ(options.precision.rules.size(), 1u);
  EXPECT_EQ(options.precision.rules[0].nodes, "head");
  EXPECT_EQ(options.precision.cache, "int8");
  writeFile(path, "{");
  EXPECT_NE(parse({"--precision", path.c_str()}), "");
  std::string none = folder / "none.json";
  EXPECT_NE(parse({"--precision", none.c_str()}).find("KILN-E0002"), std::string::npos);
}

TEST_F(ModelOptionsTest, EstimatesHaveNoTargetsAndRanks) {
  auto estimated = [&](Words words) {
    return parsedBy(std::move(words),
                    [&](OptionTable &table) { declareEstimateOptions(table, options); });
  };
  EXPECT_EQ(estimated({"--dims", "batch=4", "--micro-batches", "2"}), "");
  EXPECT_EQ(options.mesh.microBatches, 2);
  expectRefused(estimated({"--target", "native"}), "unknown option");
  expectRefused(estimated({"--ranks", "2"}), "unknown option");
  expectRefused(estimated({"--overlap", "0"}), "kiln estimate: --overlap");
}

//===----------------------------------------------------------------------===//
// Accuracy
//===----------------------------------------------------------------------===//

class AccuracyOptionsTest : public testing::Test {
protected:
  AccuracyOptionsTest() {
    options.precision.precision = "int4";
    options.targets.names = {"native"};
  }
  std::string parse(Words words) {
    settings = AccuracySettings();
    return parsedBy(std::move(words),
                    [&](OptionTable &table) { declareAccuracyOptions(table, settings); });
  }
  std::string check(const std::string &calibration = "") {
    return messageOf(checkAccuracy(settings, options, calibration));
  }
  TempFolder folder;
  CompileOptions options;
  AccuracySettings settings;
};

TEST_F(AccuracyOptionsTest, FillTheSettings) {
  EXPECT_EQ(parse({"--accuracy", "kl<=0.1:samples", "--policy-out", "p.json"}), "");
  ASSERT_TRUE(settings.budget);
  EXPECT_EQ(settings.budget->condition, "kl<=0.1");
  EXPECT_EQ(settings.budget->samples, "samples");
  EXPECT_EQ(settings.policyOut, "p.json");
  EXPECT_EQ(check(), "");
  EXPECT_EQ(parse({}), "");
  EXPECT_EQ(check(), "");
  expectRefused(parse({"--accuracy", "bleu<=1"}), "no metric has this name");
}

TEST_F(AccuracyOptionsTest, APolicyIsThatOfABudget) {
  EXPECT_EQ(parse({"--policy-out", "p.json"}), "");
  expectRefused(check(), "--policy-out: there is no policy to write");
}

TEST_F(AccuracyOptionsTest, BudgetsAreOfQuantizedWeights) {
  EXPECT_EQ(parse({"--accuracy", "max<=1"}), "");
  options.precision.precision = "bf16";
  expectRefused(check(), "nothing is quantized");
}

TEST_F(AccuracyOptionsTest, BudgetsAreMeasuredOnThisCpu) {
  EXPECT_EQ(parse({"--accuracy", "max<=1"}), "");
  options.targets.names = {"sm_90a"};
  expectRefused(check(), "expected a target that is a CPU, found sm_90a");
  options.targets.names = {"sm_90a", "native"};
  EXPECT_EQ(check(), "");
}

TEST_F(AccuracyOptionsTest, BudgetsAreOfPackages) {
  EXPECT_EQ(parse({"--accuracy", "max<=1"}), "");
  options.compileTo = "graph";
  expectRefused(check(), "found --compile-to graph");
}

TEST_F(AccuracyOptionsTest, PerplexityIsOfAText) {
  EXPECT_EQ(parse({"--accuracy", "ppl<=1%"}), "");
  expectRefused(check(), "expected ppl<=1%:FILE.txt");
  EXPECT_EQ(check("text.txt"), "");
  EXPECT_EQ(settings.budget->samples, "text.txt") << "that of --calib";
  EXPECT_EQ(parse({"--accuracy", "ppl<=1%:own.txt"}), "");
  EXPECT_EQ(check("text.txt"), "");
  EXPECT_EQ(settings.budget->samples, "own.txt");
}

TEST_F(AccuracyOptionsTest, PoliciesNeedAPlace) {
  std::string path = folder / "none/p.json";
  EXPECT_EQ(parse({"--accuracy", "max<=1", "--policy-out", path.c_str()}), "");
  EXPECT_NE(check().find("KILN-E0003"), std::string::npos);
}

std::string accuracyText(const AccuracyRecord &record) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printAccuracy(os, valueOf(AccuracyBudget::parse(record.budget)), record);
  return text;
}

TEST_F(AccuracyOptionsTest, ReportsSayWhatWasFound) {
  AccuracyRecord record;
  record.budget = "ppl<=1%";
  record.samples = "100 tokens of a text";
  record.quantized = 0.05;
  record.measured = 0.0084;
  record.predicted = 0.009;
  EXPECT_EQ(accuracyText(record),
            "  accuracy perplexity +0.840 % (ppl<=1%) on 100 tokens of a text\n");
  record.blames = {{{"a"}, 0.03, 10, true}, {{"b", "c"}, 0.01, 10, false}};
  EXPECT_EQ(accuracyText(record),
            "  accuracy perplexity +0.840 % (ppl<=1%) on 100 tokens of a text\n"
            "           1 of 3 products in f32: perplexity +5.000 % without, perplexity "
            "+0.900 % predicted by their blame\n");
}
} // namespace
