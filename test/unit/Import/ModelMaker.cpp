//===- ModelMaker.cpp - Small models for the importer's tests -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelMaker.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace kiln;
using namespace kiln::test;

static void addValue(onnx::ValueInfoProto &value, const char *name, const char *dim,
                     int64_t size) {
  value.set_name(name);
  auto *type = value.mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  type->mutable_shape()->add_dim()->set_dim_param(dim);
  type->mutable_shape()->add_dim()->set_dim_value(size);
}

onnx::ModelProto test::linearModel(int64_t inner) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  onnx::GraphProto &graph = *model.mutable_graph();
  graph.set_name("g");
  addValue(*graph.add_input(), "x", "batch", inner);
  addValue(*graph.add_output(), "y", "batch", 3);
  onnx::NodeProto &node = *graph.add_node();
  node.set_name("product");
  node.set_op_type("MatMul");
  node.add_input("x");
  node.add_input("w");
  node.add_output("y");
  onnx::TensorProto &weight = *graph.add_initializer();
  weight.set_name("w");
  weight.set_data_type(onnx::TensorProto::FLOAT);
  weight.add_dims(inner);
  weight.add_dims(3);
  std::string data(inner * 12, '\0');
  for (size_t i = 0; i < data.size(); i += 4)
    data[i] = char(i / 4 % 251 + 1);
  weight.set_raw_data(data);
  return model;
}

onnx::TensorProto &test::weightOf(onnx::ModelProto &model) {
  return *model.mutable_graph()->mutable_initializer(0);
}

template <typename Import> static std::unique_ptr<Outcome> run(Import import) {
  auto outcome = std::make_unique<Outcome>();
  mlir::ScopedDiagnosticHandler handler(
      &outcome->context, [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
            outcome->error.empty())
          outcome->error = diagnostic.str();
        outcome->messages += diagnostic.str() + "\n";
        return mlir::success();
      });
  outcome->model = import(outcome->context);
  return outcome;
}

std::unique_ptr<Outcome> test::importProto(const onnx::ModelProto &model,
                                           llvm::StringRef folder,
                                           const import::ImportOptions &options) {
  std::string bytes = model.SerializeAsString();
  return run([&](mlir::MLIRContext &context) {
    return import::importBytes(llvm::arrayRefFromStringRef(bytes), "test.onnx", false,
                               folder, options, context);
  });
}

std::unique_ptr<Outcome> test::importBytes(llvm::StringRef bytes, bool text) {
  return run([&](mlir::MLIRContext &context) {
    return import::importBytes(llvm::arrayRefFromStringRef(bytes), "test.onnx", text, "",
                               {}, context);
  });
}

std::unique_ptr<Outcome> test::importPath(llvm::StringRef path) {
  return run(
      [&](mlir::MLIRContext &context) { return import::importModel(path, {}, context); });
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = std::filesystem::temp_directory_path() / "kiln-import-XXXXXX";
  root = ::mkdtemp(pattern.data()) ? pattern : "";
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(root, ignored);
}

void TemporaryFolder::write(llvm::StringRef name, llvm::StringRef content) const {
  std::ofstream(path(name), std::ios::binary).write(content.data(), content.size());
}
