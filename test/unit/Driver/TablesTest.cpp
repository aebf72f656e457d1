//===- TablesTest.cpp - Tables of precisions and ranks --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Models.h"
#include "lib/Driver/Tables/PrecisionTable.h"
#include "lib/Driver/Tables/RankTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::execution;
using namespace kiln::test;

namespace {
llvm::json::Object objectOf(llvm::StringRef text) {
  llvm::json::Value value = valueOf(llvm::json::parse(text));
  return std::move(*value.getAsObject());
}

std::string precisionText(llvm::StringRef provenance) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printPrecisionTable(os, objectOf(provenance));
  return text;
}

/// Returns the line that begins with this word, with columns separated by one space.
std::string lineOf(const std::string &text, llvm::StringRef word) {
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    llvm::SmallVector<llvm::StringRef> words;
    llvm::SplitString(line, words);
    if (!words.empty() && words.front() == word)
      return llvm::join(words, " ");
  }
  return "(none)";
}

constexpr llvm::StringLiteral kProvenance = R"({
  "precision": "int4", "algorithm": "gptq", "cache": "int8", "activations": "bf16",
  "range": "max", "graph": "module {}",
  "precision_rules": [{"nodes": "head", "precision": "f32"}],
  "predicted_speedup": [{"target": "sm_90a", "decode": 3.5, "prefill": 1.25},
                        {"target": "x86-64-v3", "decode": 2, "prefill": 1}],
  "precision_report": [
    {"op": "matmul", "node": "node 'up'", "was": "f32", "became": "int4", "why": "policy",
     "weight_bytes_before": 4096, "weight_bytes_after": 640, "weight_error": 0.0512,
     "stored": {"scales": "f16", "block": 32},
     "predicted_speedup": [{"target": "sm_90a", "decode": 3, "prefill": 1.5}]},
    {"op": "matmul", "node": "node 'head'", "was": "f32", "became": "f32", "why": "rule"},
    "not an object"]})";

TEST(PrecisionTableTest, PrintsEveryProduct) {
  std::string text = precisionText(kProvenance);
  EXPECT_TRUE(llvm::StringRef(text).starts_with(
      "precision int4, algorithm gptq, caches in int8, activations in bf16, static "
      "ranges by max\n  head: f32\n"))
      << text;
  EXPECT_NE(
      text.find("node 'up'    f32  int4  4.00 KiB  640 B  f16/32  5.12 %   3.00x    "
                "1.50x  policy\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("node 'head'  f32  f32 "), std::string::npos) << text;
  EXPECT_EQ(lineOf(text, "all"), "all 4.00 KiB 640 B 3.50x 1.25x");
  EXPECT_NE(
      text.find("not measured: sm_90a 3.50x and 1.25x, x86-64-v3 2.00x and 1.00x\n"),
      std::string::npos)
      << text;
}

TEST(PrecisionTableTest, PackagesThatSayNothing) {
  std::string text = precisionText("{}");
  EXPECT_TRUE(llvm::StringRef(text).starts_with("precision , algorithm \n")) << text;
  EXPECT_EQ(lineOf(text, "all"), "(none)");
  EXPECT_EQ(text.find("predicted:"), std::string::npos);
}

TEST(PrecisionTableTest, NamesOfModelsDoNotBreakLines) {
  std::string text = precisionText(
      R"({"precision": "f32\nevil", "precision_rules": [{"nodes": "a\nb", "precision": "f32"}]})");
  EXPECT_NE(text.find("precision f32\\nevil"), std::string::npos) << text;
}

TEST(PrecisionTableTest, JsonHasTheKeysOfPrecisions) {
  llvm::json::Object found = precisionJson(objectOf(kProvenance));
  EXPECT_EQ(found.size(), 8u);
  EXPECT_EQ(found.getString("precision"), "int4");
  EXPECT_EQ(found.get("graph"), nullptr);
  EXPECT_EQ(found.getArray("precision_report")->size(), 3u);
  EXPECT_TRUE(precisionJson(objectOf("{}")).empty());
}

TEST(PrecisionTableTest, LevelsOfMatMulNBitsAreAddedUp) {
  std::string text = precisionText(R"({"precision": "f32", "algorithm": "rtn",
    "precision_report": [
      {"op": "matmul", "accuracy_level": 4, "weight_bytes_after": 1024,
       "stored": {"activations": "int8"},
       "predicted_speedup": [{"decode": 3, "prefill": 2}]},
      {"op": "matmul", "accuracy_level": 4, "weight_bytes_after": 1024,
       "stored": {"activations": "int8"},
       "predicted_speedup": [{"decode": 3, "prefill": 2}]},
      {"op": "matmul", "accuracy_level": 0, "weight_bytes_expanded": 8192,
       "weight_bytes_at_level_4": 1024,
       "predicted_speedup_at_level_4": [{"decode": 3, "prefill": 2}]}]})");
  EXPECT_NE(text.find("MatMulNBits at accuracy level 4: 2 read codes of 2.00 KiB, "
                      "predicted 3.00x decode and 2.00x prefill of expanded weights; "
                      "activations are rounded to 8 bits\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("MatMulNBits at accuracy level 0: 1 read weights expanded to 8.00 "
                      "KiB; at level 4 codes of 1.00 KiB, predicted 3.00x decode and "
                      "2.00x prefill, with activations rounded to 8 bits\n"),
            std::string::npos)
      << text;
}

constexpr llvm::StringLiteral kAccuracy = R"({
  "budget": "kl<=0.5", "samples": "12 samples", "quantized": 2, "measured": 0.25,
  "predicted": 0.3, "blames": [
    {"blame": 1.5, "bytes": 2048, "kept": true, "nodes": ["a"]},
    {"blame": 0.25, "bytes": 1024, "kept": false, "nodes": ["b", "c"]}, 7]})";

std::string accuracyTable(llvm::StringRef accuracy) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printAccuracyTable(os, objectOf(accuracy));
  return text;
}

TEST(AccuracyTableTest, PrintsBlames) {
  std::string text = accuracyTable(kAccuracy);
  EXPECT_TRUE(llvm::StringRef(text).starts_with(
      "accuracy KL divergence 0.25 nats (kl<=0.5) on 12 samples\n"
      "         KL divergence 2 nats before repair, KL divergence 0.3 nats predicted for "
      "it\n"))
      << text;
  EXPECT_EQ(lineOf(text, "1.5"), "1.5 2.00 KiB f32 a");
  EXPECT_EQ(lineOf(text, "0.25"), "0.25 1.00 KiB quantized b, c");
}

TEST(AccuracyTableTest, BudgetsOfOtherVersionsAreLeftOut) {
  EXPECT_EQ(accuracyTable(R"({"budget": "bleu<=1"})"), "");
  EXPECT_EQ(accuracyTable("{}"), "");
}

TEST(AccuracyTableTest, ABudgetThatHeldHasOneLine) {
  EXPECT_EQ(accuracyTable(R"({"budget": "max<=1", "samples": "s", "measured": 0.5})"),
            "accuracy largest relative error 0.5 (max<=1) on s\n");
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

class RankTableTest : public testing::Test {
protected:
  llvm::json::Object tableOf(const package::PackageContents &contents) {
    writeModel(folder / "m.kiln", contents);
    model = loadPackage(folder / "m.kiln");
    return valueOf(rankTableJson(valueOf(entriesOf(model.get()))));
  }
  TempFolder folder;
  Model model;
};

TEST_F(RankTableTest, EveryRankHasItsWeights) {
  llvm::json::Object table = tableOf(ranksModel(2));
  llvm::json::Array &ranks = *table.getArray("ranks");
  ASSERT_EQ(ranks.size(), 2u);
  for (unsigned rank : {0, 1}) {
    EXPECT_EQ(ranks[rank].getAsObject()->getInteger("rank"), rank);
    EXPECT_EQ(ranks[rank].getAsObject()->getInteger("weights_bytes"), 8);
    EXPECT_EQ(ranks[rank].getAsObject()->getInteger("replicated_bytes"), 0);
  }
}

TEST_F(RankTableTest, CollectivesAreOfTheLargestDims) {
  llvm::json::Object table = tableOf(ranksModel(2));
  llvm::json::Array &collectives = *table.getArray("collectives");
  ASSERT_EQ(collectives.size(), 2u);
  EXPECT_EQ(collectives[0].getAsObject()->getString("kind"), "all_gather");
  EXPECT_EQ(collectives[0].getAsObject()->getInteger("step"), 2);
  const llvm::json::Object &reduce = *collectives[1].getAsObject();
  EXPECT_EQ(reduce.getString("kind"), "all_reduce");
  EXPECT_EQ(reduce.getInteger("bytes"), 4 * 256 * 4);
}

TEST_F(RankTableTest, PrintsBoth) {
  llvm::json::Object table = tableOf(ranksModel(2));
  std::string text;
  llvm::raw_string_ostream os(text);
  printRankTable(os, table);
  EXPECT_EQ(lineOf(text, "rank"), "rank weights of them on all ranks");
  EXPECT_EQ(lineOf(text, "1"), "1 8 B 0 B");
  EXPECT_NE(text.find("all_reduce"), std::string::npos) << text;
  EXPECT_NE(text.find("4.00 KiB"), std::string::npos) << text;
}

TEST_F(RankTableTest, OneRankMeetsNobody) {
  llvm::json::Object table = tableOf(scaleModel());
  EXPECT_EQ(table.getArray("ranks")->size(), 1u);
  EXPECT_TRUE(table.getArray("collectives")->empty());
  std::string text;
  llvm::raw_string_ostream os(text);
  printRankTable(os, table);
  EXPECT_EQ(text.find("collective"), std::string::npos) << text;
}
} // namespace
