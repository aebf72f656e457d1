//===- WeightsTest.cpp - Weights are not copied on import -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelMaker.h"
#include "dialects/Graph/Graph.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace kiln;
using namespace kiln::test;

static graph::WeightOp onlyWeight(Outcome &outcome) {
  return *outcome.model->module->getOps<graph::WeightOp>().begin();
}

static std::string hashOf(llvm::StringRef bytes) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(bytes)),
                     /*LowerCase=*/true);
}

TEST(Weights, RawDataIsReferredToInTheModelFile) {
  onnx::ModelProto model = linearModel(1000);
  std::string bytes = model.SerializeAsString(), raw = weightOf(model).raw_data();
  auto outcome = importProto(model);
  ASSERT_TRUE(mlir::succeeded(outcome->model)) << outcome->messages;
  graph::WeightOp weight = onlyWeight(*outcome);
  EXPECT_EQ(weight.getFile(), "test.onnx");
  EXPECT_EQ(weight.getLength(), 12000);
  EXPECT_EQ(bytes.substr(*weight.getOffset(), 12000), raw);
  EXPECT_EQ(weight.getHash(), hashOf(raw));
  EXPECT_TRUE(outcome->model->inlineWeights.empty());
}

TEST(Weights, PackedFloatsAreReferredToInTheModelFile) {
  onnx::ModelProto model = linearModel(1000);
  weightOf(model).clear_raw_data();
  for (int i = 0; i < 3000; ++i)
    weightOf(model).add_float_data(float(i) + 0.5f);
  std::string bytes = model.SerializeAsString();
  auto outcome = importProto(model);
  ASSERT_TRUE(mlir::succeeded(outcome->model)) << outcome->messages;
  graph::WeightOp weight = onlyWeight(*outcome);
  EXPECT_EQ(weight.getFile(), "test.onnx");
  float second;
  std::memcpy(&second, bytes.data() + *weight.getOffset() + 4, 4);
  EXPECT_EQ(second, 1.5f);
}

TEST(Weights, TypedDataIsDecodedOnce) {
  onnx::ModelProto model = linearModel(1000);
  weightOf(model).clear_raw_data();
  weightOf(model).set_data_type(onnx::TensorProto::FLOAT16);
  for (int i = 0; i < 3000; ++i)
    weightOf(model).add_int32_data(0x3c00);
  auto *input =
      model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type();
  input->set_elem_type(onnx::TensorProto::FLOAT16);
  model.mutable_graph()
      ->mutable_output(0)
      ->mutable_type()
      ->mutable_tensor_type()
      ->set_elem_type(onnx::TensorProto::FLOAT16);
  auto outcome = importProto(model);
  ASSERT_TRUE(mlir::succeeded(outcome->model)) << outcome->messages;
  EXPECT_EQ(onlyWeight(*outcome).getFile(), import::kInlineFile);
  EXPECT_EQ(outcome->model->inlineWeights.size(), 6000u);
  EXPECT_EQ(onlyWeight(*outcome).getHash(),
            hashOf({outcome->model->inlineWeights.data(), 6000}));
}

TEST(Weights, SmallTensorsAreConstants) {
  auto outcome = importProto(linearModel(4));
  ASSERT_TRUE(mlir::succeeded(outcome->model)) << outcome->messages;
  EXPECT_TRUE(outcome->model->module->getOps<graph::WeightOp>().empty());
}

/// Encodes a tag and a length of the protobuf wire format.
static std::string field(unsigned number, uint64_t length) {
  std::string out(1, char(number << 3 | 2));
  for (; length >= 128; length >>= 7)
    out += char(length | 128);
  return out + char(length);
}

TEST(Weights, FilesBeyond2GiBAndNoMemoryForThem) {
  // A sparse file: 3 GiB of zeros as raw_data of an unused initializer, followed
  // by the rest of the model.
  constexpr uint64_t kBytes = uint64_t(3) << 30;
  TemporaryFolder folder;
  onnx::ModelProto model = linearModel(1000);
  onnx::TensorProto big;
  big.set_name("big");
  big.set_data_type(onnx::TensorProto::FLOAT);
  big.add_dims(kBytes / 4 / 1024);
  big.add_dims(1024);
  std::string graph = model.graph().SerializeAsString(), head = big.SerializeAsString();
  std::string rawTag = field(9, kBytes);
  std::string tensorTag = field(5, head.size() + rawTag.size() + kBytes);
  std::string graphTag =
      field(7, tensorTag.size() + head.size() + rawTag.size() + kBytes + graph.size());
  onnx::ModelProto outer = model;
  outer.clear_graph();
  std::string path = folder.path("big.onnx");
  std::ofstream file(path, std::ios::binary);
  file << outer.SerializeAsString() << graphTag << tensorTag << head << rawTag;
  file.seekp(std::streamoff(kBytes), std::ios::cur);
  file << graph;
  file.close();
  if (!file)
    GTEST_SKIP() << "no room for a sparse file of 3 GiB";
  auto outcome = importPath(path);
  ASSERT_TRUE(mlir::succeeded(outcome->model)) << outcome->messages;
  EXPECT_GT(*onlyWeight(*outcome).getOffset(), int64_t(kBytes));
}
