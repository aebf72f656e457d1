//===- BadInputTest.cpp - Malformed models are refused with a code --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelMaker.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

#include <random>

using namespace kiln::test;

/// Expects that the import fails and its first error begins with `code` and contains
/// `text`.
static void expectError(const Outcome &outcome, const char *code, const char *text) {
  EXPECT_TRUE(mlir::failed(outcome.model));
  EXPECT_EQ(outcome.error.rfind(code, 0), 0u) << outcome.error;
  EXPECT_NE(outcome.error.find(text), std::string::npos) << outcome.error;
  EXPECT_NE(outcome.error.find("; fix: "), std::string::npos) << outcome.error;
}

TEST(BadInput, NotAModel) {
  expectError(*importBytes(""), "KILN-E0100", "the file is empty");
  expectError(*importBytes("PK\x03\x04 a zip archive"), "KILN-E0100",
              "malformed data at byte");
  expectError(*importBytes("{\"model\": 1}"), "KILN-E0100", "this is not an ONNX model");
  expectError(*importBytes(std::string("\x08\x08", 2)), "KILN-E0100", "found no graph");
}

TEST(BadInput, Truncated) {
  std::string bytes = linearModel(4).SerializeAsString();
  expectError(*importBytes(llvm::StringRef(bytes).drop_back(20)), "KILN-E0101",
              "the file ends inside the model");
}

TEST(BadInput, EveryTruncationIsAnError) {
  std::string bytes = linearModel(4).SerializeAsString();
  for (size_t size = 0; size < bytes.size(); ++size) {
    auto outcome = importBytes(llvm::StringRef(bytes).take_front(size));
    EXPECT_TRUE(mlir::failed(outcome->model)) << size;
    EXPECT_EQ(outcome->error.rfind("KILN-E01", 0), 0u) << size << ": " << outcome->error;
  }
}

TEST(BadInput, EveryFlippedByteIsHandled) {
  std::string bytes = linearModel(4).SerializeAsString();
  std::mt19937 random(1);
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = char(changed[at] ^ char(1 << random() % 8));
    auto outcome = importBytes(changed);
    if (mlir::failed(outcome->model))
      EXPECT_EQ(outcome->error.rfind("KILN-E01", 0), 0u) << at << ": " << outcome->error;
  }
}

TEST(BadInput, MissingInitializer) {
  onnx::ModelProto model = linearModel(4);
  model.mutable_graph()->clear_initializer();
  expectError(*importProto(model), "KILN-E0110",
              "node 'product' (MatMul, opset 17): nothing defines the value 'w'");
}

TEST(BadInput, BytesDoNotMatchTheShape) {
  for (int64_t inner : {4, 1000}) { // in the proto, and in an external file
    onnx::ModelProto model = linearModel(inner);
    weightOf(model).mutable_raw_data()->pop_back();
    std::string size = std::to_string(inner * 12), less = std::to_string(inner * 12 - 1);
    expectError(
        *importProto(model), "KILN-E0112",
        ("initializer 'w': the data do not match the shape of the tensor; expected " +
         size + " bytes for float[" + std::to_string(inner) + ", 3], found " + less)
            .c_str());
  }
}

TEST(BadInput, ElementsDoNotMatchTheShape) {
  onnx::ModelProto model = linearModel(4);
  weightOf(model).clear_raw_data();
  weightOf(model).add_float_data(1);
  expectError(*importProto(model), "KILN-E0112",
              "expected 12 elements for float[4, 3], found 1");
}

TEST(BadInput, ImpossibleDims) {
  for (int64_t dim : {int64_t(-2), int64_t(1) << 40, INT64_MAX, INT64_MIN}) {
    onnx::ModelProto model = linearModel(4);
    weightOf(model).set_dims(0, dim);
    expectError(*importProto(model), "KILN-E0113", "the dims of a tensor are impossible");
    model = linearModel(4);
    model.mutable_graph()
        ->mutable_input(0)
        ->mutable_type()
        ->mutable_tensor_type()
        ->mutable_shape()
        ->mutable_dim(1)
        ->set_dim_value(dim);
    expectError(*importProto(model), "KILN-E0113", "input 'x'");
  }
}

TEST(BadInput, UnsupportedTypes) {
  onnx::ModelProto model = linearModel(4);
  auto *type =
      model.mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::STRING);
  expectError(*importProto(model), "KILN-E0114", "found string");
  type->set_elem_type(99);
  expectError(*importProto(model), "KILN-E0114", "found type 99");
  type->set_elem_type(onnx::TensorProto::FLOAT);
  type->clear_shape();
  expectError(*importProto(model), "KILN-E0115", "a tensor of unknown rank");
}

TEST(BadInput, NamesThatAreNoText) {
  onnx::ModelProto model = linearModel(4);
  model.mutable_graph()->mutable_node(0)->set_name("\xff\xfe");
  expectError(*importProto(model), "KILN-E0125", "a name is malformed");
}

TEST(BadInput, EndlessFunctions) {
  onnx::ModelProto model = linearModel(4);
  model.mutable_opset_import()->Add()->set_domain("my");
  model.mutable_opset_import(1)->set_version(1);
  onnx::FunctionProto &function = *model.add_functions();
  function.set_name("f");
  function.set_domain("my");
  function.add_input("a");
  function.add_output("b");
  *function.add_opset_import() = model.opset_import(1);
  onnx::NodeProto &call = *function.add_node();
  call.set_op_type("f");
  call.set_domain("my");
  call.add_input("a");
  call.add_output("b");
  onnx::NodeProto &node = *model.mutable_graph()->mutable_node(0);
  node.set_op_type("f");
  node.set_domain("my");
  node.mutable_input()->RemoveLast();
  expectError(*importProto(model), "KILN-E0124", "functions call each other too deeply");
}

TEST(BadInput, ComputedShapesHaveLimits) {
  auto outcome =
      importBytes("<ir_version: 8, opset_import: [\"\" : 17]>\n"
                  "g (float[1] x) => (float[n] y) <int64[3] s = {2000000, 2000000, "
                  "2000000}> { y = Expand(x, s) }",
                  /*text=*/true);
  expectError(*outcome, "KILN-E0113", "the result is too large");
}

TEST(BadInput, DeepTextIsRefused) {
  std::string text = "<ir_version: 8, opset_import: [\"\" : 17]> g (";
  for (int i = 0; i < 100000; ++i)
    text += "seq(";
  expectError(*importBytes(text, /*text=*/true), "KILN-E0102", "brackets nested");
}

TEST(BadInput, MissingFile) {
  TemporaryFolder folder;
  expectError(*importPath(folder.path("none.onnx")), "KILN-E0002", "cannot be opened");
  expectError(*importPath(folder.str()), "KILN-E0004", "a regular file");
}
