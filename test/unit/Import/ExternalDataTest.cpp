//===- ExternalDataTest.cpp - External data, only in the model's folder ---===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelMaker.h"
#include "dialects/Graph/Graph.h"
#include <gtest/gtest.h>

#include <filesystem>

using namespace kiln;
using namespace kiln::test;

namespace {
struct ExternalData : testing::Test {
  TemporaryFolder folder;

  static void addKey(onnx::TensorProto &tensor, const char *key,
                     const std::string &value) {
    auto *entry = tensor.add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }

  /// Returns the model with its weight (1000 x 3 floats) at `location`.
  onnx::ModelProto external(const std::string &location, int64_t inner = 1000) {
    onnx::ModelProto model = linearModel(inner);
    onnx::TensorProto &weight = weightOf(model);
    weight.clear_raw_data();
    weight.set_data_location(onnx::TensorProto::EXTERNAL);
    addKey(weight, "location", location);
    return model;
  }

  void expectError(const onnx::ModelProto &model, const char *code, const char *text) {
    auto outcome = importProto(model, folder.str());
    EXPECT_TRUE(mlir::failed(outcome->model));
    EXPECT_EQ(outcome->error.rfind(code, 0), 0u) << outcome->error;
    EXPECT_NE(outcome->error.find(text), std::string::npos) << outcome->error;
    EXPECT_NE(outcome->error.find("initializer 'w'"), std::string::npos)
        << outcome->error;
  }
};
} // namespace

TEST_F(ExternalData, IsReferredTo) {
  std::filesystem::create_directory(folder.path("data"));
  folder.write("data/w.bin", std::string(12100, 'a'));
  onnx::ModelProto model = external("data/w.bin");
  addKey(weightOf(model), "offset", "100");
  addKey(weightOf(model), "length", "12000");
  auto outcome = importProto(model, folder.str());
  ASSERT_TRUE(mlir::succeeded(outcome->model)) << outcome->messages;
  graph::WeightOp weight = *outcome->model->module->getOps<graph::WeightOp>().begin();
  EXPECT_EQ(weight.getFile(), "data/w.bin");
  EXPECT_EQ(weight.getOffset(), 100);
  EXPECT_EQ(weight.getLength(), 12000);
  EXPECT_EQ(weight.getHash()->size(), 64u);
}

TEST_F(ExternalData, SmallTensorsBecomeConstants) {
  folder.write("w.bin", std::string(48, '\x3f'));
  auto outcome = importProto(external("w.bin", 4), folder.str());
  ASSERT_TRUE(mlir::succeeded(outcome->model)) << outcome->messages;
  EXPECT_TRUE(outcome->model->module->getOps<graph::WeightOp>().empty());
}

TEST_F(ExternalData, Missing) {
  expectError(external("w.bin"), "KILN-E0116", "external data 'w.bin' cannot be opened");
}

TEST_F(ExternalData, Short) {
  folder.write("w.bin", std::string(11999, 'a'));
  expectError(external("w.bin"), "KILN-E0118",
              "expected 12000 bytes at offset 0, found a file of 11999 bytes");
  onnx::ModelProto model = external("w.bin");
  addKey(weightOf(model), "offset", "18446744073709551615");
  expectError(model, "KILN-E0118", "is too short");
}

TEST_F(ExternalData, OutsideTheFolder) {
  folder.write("w.bin", std::string(12000, 'a'));
  expectError(external(folder.path("w.bin")), "KILN-E0117", "an absolute path");
  expectError(external("../" + std::filesystem::path(folder.str()).filename().string() +
                       "/w.bin"),
              "KILN-E0117", "'..'");
  std::filesystem::create_directory(folder.path("a"));
  expectError(external("a/../w.bin"), "KILN-E0117", "'..'");
  expectError(external(""), "KILN-E0117", "an empty path");
}

TEST_F(ExternalData, SymbolicLinks) {
  folder.write("w.bin", std::string(12000, 'a'));
  std::filesystem::create_directory_symlink(folder.str(), folder.path("loop"));
  expectError(external("loop/w.bin"), "KILN-E0117", "the symbolic link 'loop'");
  // Symbolic links are allowed if the file they lead to is in the folder.
  std::filesystem::create_symlink(folder.path("w.bin"), folder.path("link.bin"));
  std::filesystem::create_symlink("link.bin", folder.path("chain.bin"));
  for (const char *name : {"link.bin", "chain.bin"}) {
    auto outcome = importProto(external(name), folder.str());
    EXPECT_TRUE(mlir::succeeded(outcome->model)) << outcome->messages;
  }
  std::filesystem::create_symlink("/etc/passwd", folder.path("out.bin"));
  std::filesystem::create_symlink("self.bin", folder.path("self.bin"));
  expectError(external("out.bin"), "KILN-E0117", "the symbolic link 'out.bin'");
  expectError(external("self.bin"), "KILN-E0117", "the symbolic link 'self.bin'");
}

TEST_F(ExternalData, Keys) {
  folder.write("w.bin", std::string(12000, 'a'));
  onnx::ModelProto model = external("w.bin");
  addKey(weightOf(model), "offset", "-4");
  expectError(model, "KILN-E0119", "offset = '-4'");
  model = external("w.bin");
  addKey(weightOf(model), "mode", "rw");
  expectError(model, "KILN-E0119", "mode = 'rw'");
  model = external("w.bin");
  addKey(weightOf(model), "length", "11996");
  expectError(model, "KILN-E0112", "expected 12000 bytes");
}
