//===- OnnxLibrary.h - Wrappers of the ONNX library -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ONNX library throws exceptions, and MLIR is built without them. All calls of the
// library are in OnnxLibrary.cpp, which lets no exception escape.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_ONNX_ONNXLIBRARY_H
#define KILN_LIB_IMPORT_ONNX_ONNXLIBRARY_H

#include "lib/Import/Onnx/Proto.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln::import {

/// Parses ONNX text.
llvm::Error parseText(llvm::StringRef source, llvm::StringRef path,
                      onnx::ModelProto &model);

/// Properties of an operator at an opset version, from the library's schemas.
struct OpSchema {
  int sinceVersion = 0;
  bool deprecated = false;
  bool hasFunction = false;
};
/// Returns nullopt if there is no such operator at that version.
std::optional<OpSchema> findSchema(llvm::StringRef domain, llvm::StringRef op, int opset);
/// Types of the values of a model, by ONNX's shape inference as far as it gets.
std::vector<onnx::ValueInfoProto> inferTypes(onnx::ModelProto model);
/// True if ONNX's checker accepts a model.
bool isWellFormed(const onnx::ModelProto &model);
/// Every version at which the operator changed, up to the newest.
llvm::SmallVector<int> schemaVersions(llvm::StringRef domain, llvm::StringRef op);
/// Returns the element types that the schema allows for the first input, such as
/// "tensor(float)"; empty: no schema or no input.
std::vector<std::string> firstInputTypes(llvm::StringRef domain, llvm::StringRef op,
                                         int opset);
/// Returns the default domain's ops whose newest schema has a function body.
std::vector<std::string> opsWithFunctions();
/// Returns the newest opset version of a domain that the library knows; 0: none.
int newestOpset(llvm::StringRef domain);

/// Checks the numbers of inputs and outputs and the attributes; returns the library's
/// message if they are wrong.
std::optional<std::string> checkAgainstSchema(const onnx::NodeProto &node, int opset);
/// Mismatch of an input's element type.
struct TypeConflict {
  std::string expected, found;
};
std::optional<TypeConflict> checkTypes(const onnx::NodeProto &node, int opset,
                                       llvm::ArrayRef<int> elementTypes);

/// Returns the default of an attribute in the schema; null if it has none.
const onnx::AttributeProto *defaultAttribute(llvm::StringRef domain, llvm::StringRef op,
                                             int opset, llvm::StringRef name);

/// Returns the body of an operator that ONNX defines as a function; null if there is none
/// for these inputs. `types` are the inputs' types (unset: absent).
std::unique_ptr<onnx::FunctionProto> functionBody(const onnx::NodeProto &node, int opset,
                                                  llvm::ArrayRef<onnx::TypeProto> types);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_ONNX_ONNXLIBRARY_H
