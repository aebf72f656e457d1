//===- PhaseOptionsTest.cpp -----------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kiln/Transforms/Graph/PhaseOptions.h"
#include "kiln/Pipeline/Compile.h"
#include "llvm/Support/Error.h"
#include <gtest/gtest.h>

using namespace kiln;

namespace {
/// Returns the error of a text; empty if it is valid.
std::string problemOf(llvm::StringRef text) {
  return llvm::toString(PhaseOptions::parse(text).takeError());
}

TEST(PhaseOptions, DefaultsAreNoText) {
  EXPECT_EQ(PhaseOptions().str(), "");
  PhaseOptions read = llvm::cantFail(PhaseOptions::parse(""));
  EXPECT_EQ(read.str(), "");
  EXPECT_TRUE(read.state.enabled);
  EXPECT_EQ(read.targets.names, std::vector<std::string>{"native"});
  EXPECT_EQ(read.mesh.axes.ranks(), 1);
}

TEST(PhaseOptions, TextsAreReadAndWritten) {
  for (const char *text :
       {"targets={sm_80,sm_90a} batch-invariant=true configs=a.cfg",
        "configs={a folder/a.cfg}",
        "precision=int4 rules={/head=f32,*/mlp/*=int8} algorithm=mse activations=bf16",
        "precision=bf16 kv=int8", "observe=maxima:3:1024", "shard=pp=2,sp=2",
        "shard=tp=2,dcp=2", "shard=sp=1", "shard=pp=3 micro-batches=2",
        "shard=tp=4 overlap=3",
        "state-pairs={a=b,c=d} keep-inputs={mask} state-dims={rows=1..4} tokens=1..4",
        "state=false clamp-indices=true memory-limit=0"}) {
    llvm::Expected<PhaseOptions> options = PhaseOptions::parse(text);
    ASSERT_TRUE(bool(options)) << text << llvm::toString(options.takeError());
    EXPECT_EQ(options->str(), text);
  }
}

TEST(PhaseOptions, FieldsHaveTheValues) {
  PhaseOptions options = llvm::cantFail(PhaseOptions::parse(
      "rules={/head=f32} precision=int8 observe=values:2:7 shard=pp=2,tp=3 "
      "memory-limit=12"));
  EXPECT_EQ(options.precision.rules[0].nodes, "/head");
  EXPECT_EQ(options.precision.observation->what, Observed::Values);
  EXPECT_EQ(options.precision.observation->first, 2u);
  EXPECT_EQ(options.precision.observation->elements, 7u);
  EXPECT_EQ(options.mesh.axes.pp, 2);
  EXPECT_EQ(options.mesh.axes.tp, 3);
  EXPECT_EQ(options.limits.memory, 12u);
}

TEST(PhaseOptions, WrongTextsAreNamedErrors) {
  for (auto [text, words] :
       {std::pair("precisions=int4", "precisions"),
        {"overlap=0", "overlap: has no such value"},
        {"overlap=many", "found 'many'"},
        {"shard=tp=0", "shard: has no such value"},
        {"state=maybe", "state: has no such value"},
        {"observe=rows:0:1", "observe: has no such value"},
        {"memory-limit=big", "memory-limit: has no such value"},
        {"precision=int9", "no precision has this name"},
        {"kv=int8 state=false", "there is no cache without state"},
        {"state-pairs={a=b} state=false", "there is a pair to make state of"},
        {"overlap=2", "is for collectives of tensor-parallel ranks"},
        {"micro-batches=2 shard=tp=2", "is for stages of a pipeline"}}) {
    std::string problem = problemOf(text);
    EXPECT_NE(problem.find("KILN-E0001"), std::string::npos) << text << problem;
    EXPECT_NE(problem.find(words), std::string::npos) << text << problem;
  }
}

/// Options for several ranks are allowed in a compile for one rank.
TEST(PhaseOptions, OfOneRankFitEachOther) {
  CompileOptions options;
  options.mesh.ranks = options.mesh.overlap = 2;
  options.limits.memory = 1;
  ASSERT_FALSE(bool(options.check()));
  CompileOptions one = onOneRank(options);
  EXPECT_FALSE(bool(one.check()));
  EXPECT_EQ(one.str(), "");
}
} // namespace
