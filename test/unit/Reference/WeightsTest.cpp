//===- WeightsTest.cpp - mapped and baked weights -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"
#include "kiln/Reference/Synthesis.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace kiln;
using namespace kiln::reference;

namespace {
/// Provides a folder with "w.bin": 16 bytes, of which the 8 bytes from offset 4 on are
/// 1.5, -2.0.
class Weights : public GraphTest {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kiln-weights", outer));
    folder = outer;
    llvm::sys::path::append(folder, "model");
    ASSERT_FALSE(llvm::sys::fs::create_directory(folder));
    write(folder, "w.bin");
    write(outer, "outside.bin");
  }
  void TearDown() override { llvm::sys::fs::remove_directories(outer); }

  static void write(llvm::SmallString<128> path, llvm::StringRef name) {
    llvm::sys::path::append(path, name);
    std::error_code error;
    llvm::raw_fd_ostream os(path, error);
    float values[4] = {0, 1.5, -2, 0};
    os.write(reinterpret_cast<const char *>(values), sizeof(values));
  }

  static std::string weight(const std::string &file, int64_t offset, int64_t length,
                            const std::string &hash = "h") {
    return "graph.weight @w : tensor<2xf32> {file = \"" + file +
           "\", offset = " + std::to_string(offset) +
           " : i64, length = " + std::to_string(length) + " : i64, hash = \"" + hash +
           "\"}\n";
  }

  /// Returns the value of @w, or the error.
  llvm::Expected<Tensor> get(const std::string &text, bool checkHash = false) {
    module = parse(text);
    MappedWeights weights(folder, checkHash);
    return weights.get(*module->getOps<graph::WeightOp>().begin());
  }

  void expectError(const std::string &text, const std::string &words,
                   bool checkHash = false) {
    llvm::Expected<Tensor> value = get(text, checkHash);
    ASSERT_FALSE(static_cast<bool>(value)) << text;
    std::string message = llvm::toString(value.takeError());
    EXPECT_NE(message.find("KILN-E0255: weight 'w': "), std::string::npos) << message;
    EXPECT_NE(message.find(words), std::string::npos) << message;
  }

  llvm::SmallString<128> outer, folder;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};
} // namespace

TEST_F(Weights, AreMapped) {
  Tensor value = llvm::cantFail(get(weight("w.bin", 4, 8)));
  expectNear(value, {1.5, -2});
}

TEST_F(Weights, BadFilesAreErrors) {
  expectError(weight("missing.bin", 0, 8), "cannot be opened");
  expectError(weight("w.bin", 12, 8), "is too short");
  expectError(weight("w.bin", -8, 8), "is too short");
  expectError(weight("w.bin", INT64_MAX, 8), "is too short");
  expectError(weight("../outside.bin", 0, 8), "is outside the model's folder");
  expectError(weight("a/../../outside.bin", 0, 8), "is outside the model's folder");
  expectError(weight((outer + "/outside.bin").str(), 0, 8),
              "is outside the model's folder");
  expectError("graph.weight @w : tensor<2xf32>", "has no file");
  std::string link = (folder + "/link.bin").str(),
              target = (outer + "/outside.bin").str();
  ASSERT_FALSE(llvm::sys::fs::create_link(target, link));
  expectError(weight("link.bin", 0, 8), "is a link out");
}

TEST_F(Weights, HashesAreCheckedOnRequest) {
  EXPECT_TRUE(static_cast<bool>(get(weight("w.bin", 4, 8))));
  expectError(weight("w.bin", 4, 8), "has changed", /*checkHash=*/true);
  // The SHA-256 of the floats 1.5 and -2.
  std::string hash = "252b3318179cc24998f3670913d52d39085cf65b0dfa98fa523ffeab4b6683fe";
  EXPECT_TRUE(static_cast<bool>(get(weight("w.bin", 4, 8, hash), /*checkHash=*/true)));
}

//===----------------------------------------------------------------------===//
// Baking
//===----------------------------------------------------------------------===//

static constexpr const char *kBake = R"(
  graph.weight @a : tensor<2x3xf32> {file = "a", offset = 0, length = 24, hash = "h"}
  graph.weight @packed : tensor<2x3x1xf32>
  graph.weight @twice : tensor<2x3x1xf32>
  graph.weight @loop : tensor<f32>
  graph.weight @none : tensor<f32>
  func.func @bake() {
    %a = graph.get_weight @a : tensor<2x3xf32>
    %t = graph.transpose %a [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
    %p = graph.pack %t width 1 : (tensor<3x2xf32>) -> tensor<2x3x1xf32>
    graph.set_weight @packed, %p : tensor<2x3x1xf32>
    %q = graph.get_weight @packed : tensor<2x3x1xf32>
    %d = graph.binary add %q, %q : (tensor<2x3x1xf32>, tensor<2x3x1xf32>) -> tensor<2x3x1xf32>
    graph.set_weight @twice, %d : tensor<2x3x1xf32>
    %l = graph.get_weight @loop : tensor<f32>
    graph.set_weight @loop, %l : tensor<f32>
    return
  })";

namespace {
/// Returns 0, 1, 2 ...
class Counting final : public WeightSource {
public:
  llvm::Expected<Tensor> get(graph::WeightOp weight) override {
    auto type = mlir::cast<mlir::RankedTensorType>(weight.getType());
    std::vector<double> values(type.getNumElements());
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = i;
    ++requests;
    return Tensor::fromDoubles(type.getElementType(), type.getShape(), values).rounded();
  }
  int requests = 0;
};
} // namespace

TEST_F(Weights, AreBakedOnRequest) {
  auto bake = parse(kBake);
  Counting files;
  BakedWeights weights(*bake, files);
  EXPECT_EQ(files.requests, 0);
  auto get = [&](llvm::StringRef name) {
    return weights.get(bake->lookupSymbol<graph::WeightOp>(name));
  };
  // [2, 3] transposed and packed into columns is [2, 3] again.
  expectNear(llvm::cantFail(get("packed")), {0, 1, 2, 3, 4, 5});
  EXPECT_EQ(files.requests, 1);
  Tensor twice = llvm::cantFail(get("twice"));
  EXPECT_FALSE(twice.isWide());
  expectNear(twice, {0, 2, 4, 6, 8, 10});
  expectNear(llvm::cantFail(get("a")), {0, 1, 2, 3, 4, 5});
  EXPECT_NE(llvm::toString(get("none").takeError()).find("KILN-E0256"),
            std::string::npos);
  EXPECT_NE(llvm::toString(get("loop").takeError()).find("baked from itself"),
            std::string::npos);
}

TEST_F(Weights, SynthesisedOnesDependOnTheHashOnly) {
  auto text = parse(R"(
    graph.weight @a : tensor<128x256xf32> {file = "x", offset = 0, length = 131072, hash = "h"}
    graph.weight @b : tensor<256x128xf32> {file = "y", offset = 4, length = 131072, hash = "h"}
    graph.weight @c : tensor<128x256xf32> {file = "x", offset = 0, length = 131072, hash = "i"}
    graph.weight @d : tensor<2xf32> {file = "x", offset = 0, length = 8, hash = "j"}
  )");
  Counting files;
  SynthesisedWeights weights(&files);
  auto get = [&](llvm::StringRef name) {
    return llvm::cantFail(weights.get(text->lookupSymbol<graph::WeightOp>(name)));
  };
  EXPECT_EQ(get("a").toBytes(), get("b").toBytes());
  EXPECT_NE(get("a").toBytes(), get("c").toBytes());
  EXPECT_EQ(files.requests, 0);
  expectNear(get("d"), {0, 1}); // small, so its file is read
}

/// A value that is repeatedly added to itself is computed once per step.
TEST_F(Weights, AreBakedInPolynomialTime) {
  std::string text = R"(
  graph.weight @a : tensor<2xf32> {file = "a", offset = 0, length = 8, hash = "x"}
  graph.weight @sum : tensor<2xf32>
  func.func @bake() {
    %v0 = graph.get_weight @a : tensor<2xf32>
)";
  constexpr int kSteps = 20000;
  for (int i = 1; i <= kSteps; ++i) {
    std::string before = "%v" + std::to_string(i - 1);
    text += "    %v" + std::to_string(i) + " = graph.binary " +
            (i <= 60 ? "add " : "max ") + before + ", " + before +
            " : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n";
  }
  text += "    graph.set_weight @sum, %v" + std::to_string(kSteps) +
          " : tensor<2xf32>\n    return\n  }\n";
  auto bake = parse(text);
  Counting files;
  BakedWeights weights(*bake, files);
  Tensor sum = llvm::cantFail(weights.get(bake->lookupSymbol<graph::WeightOp>("sum")));
  EXPECT_EQ(sum.getDouble(1), std::pow(2.0, 60));
  EXPECT_EQ(files.requests, 1);
}

TEST_F(Weights, WhatBecomesAWholeNumberIsRounded) {
  auto bake = parse(R"(
  graph.weight @bucket : tensor<i64>
  func.func @bake() {
    %x = graph.constant dense<2.0> : tensor<f32>
    %c = graph.constant dense<2.7725887> : tensor<f32>
    %8 = graph.constant dense<8.0> : tensor<f32>
    %l = graph.unary log %x : (tensor<f32>) -> tensor<f32>
    %q = graph.binary div %l, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %m = graph.binary mul %q, %8 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %i = graph.cast %m : (tensor<f32>) -> tensor<i64>
    graph.set_weight @bucket, %i : tensor<i64>
    return
  })");
  Counting files;
  BakedWeights weights(*bake, files);
  EXPECT_EQ(llvm::cantFail(weights.get(bake->lookupSymbol<graph::WeightOp>("bucket")))
                .getInt(0),
            2);
}
