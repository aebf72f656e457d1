//===- ModelMaker.h - Small models for the importer's tests -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_IMPORT_MODELMAKER_H
#define KILN_TEST_UNIT_IMPORT_MODELMAKER_H

#include "kiln/Import/Import.h"
#include "lib/Import/Onnx/Proto.h"
#include "mlir/IR/MLIRContext.h"

#include <string>

namespace kiln::test {

/// Returns y = MatMul(x [batch, inner], w [inner, 3]); w is an initializer with floats in
/// raw data unless the test changes it.
onnx::ModelProto linearModel(int64_t inner);
onnx::TensorProto &weightOf(onnx::ModelProto &model);

/// Result of an import: the module or the first error.
struct Outcome {
  mlir::MLIRContext context;
  mlir::FailureOr<import::ImportedModel> model = mlir::failure();
  std::string error;    ///< of the first error
  std::string messages; ///< all of them
};
/// Imports the serialized model from memory; external data is looked up in `folder`.
std::unique_ptr<Outcome> importProto(const onnx::ModelProto &model,
                                     llvm::StringRef folder = "",
                                     const import::ImportOptions &options = {});
std::unique_ptr<Outcome> importBytes(llvm::StringRef bytes, bool text = false);
std::unique_ptr<Outcome> importPath(llvm::StringRef path);

/// A folder that is deleted with the object.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  std::string path(llvm::StringRef name) const { return root + "/" + name.str(); }
  const std::string &str() const { return root; }
  void write(llvm::StringRef name, llvm::StringRef content) const;

private:
  std::string root;
};

} // namespace kiln::test

#endif // KILN_TEST_UNIT_IMPORT_MODELMAKER_H
