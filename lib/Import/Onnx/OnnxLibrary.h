//===- OnnxLibrary.h - The parts of the ONNX library in use -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ONNX library throws, MLIR is built without exceptions. Every call into
// the former is made in OnnxLibrary.cpp, which lets no exception out.
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

/// Facts about an operator at an opset version, from the library's schemas.
struct OpSchema {
  int sinceVersion = 0;
  bool deprecated = false;
  bool hasFunction = false;
};
/// nullopt: no such operator at that version.
std::optional<OpSchema> findSchema(llvm::StringRef domain, llvm::StringRef op, int opset);
/// Every version at which the operator changed, up to the newest.
llvm::SmallVector<int> schemaVersions(llvm::StringRef domain, llvm::StringRef op);
/// Returns the element types that the definition allows for the first input, as
/// "tensor(float)"; empty: no definition or no input.
std::vector<std::string> firstInputTypes(llvm::StringRef domain, llvm::StringRef op,
                                         int opset);
/// Names of the default domain's ops whose newest definition has a function body.
std::vector<std::string> opsWithFunctions();
/// The newest opset version of a domain the library knows; 0 for none.
int newestOpset(llvm::StringRef domain);

/// Checks the counts of inputs and outputs and the attributes; the message of
/// the library if they are wrong.
std::optional<std::string> checkAgainstSchema(const onnx::NodeProto &node, int opset);
/// Checks the element types of the inputs (ONNX numbers, 0: no input).
struct TypeConflict {
  std::string expected, found;
};
std::optional<TypeConflict> checkTypes(const onnx::NodeProto &node, int opset,
                                       llvm::ArrayRef<int> elementTypes);

/// The default of an attribute by the schema; null if it has none.
const onnx::AttributeProto *defaultAttribute(llvm::StringRef domain, llvm::StringRef op,
                                             int opset, llvm::StringRef name);

/// The body of an operator that ONNX defines as a function. `types` are those
/// of the inputs (unset: absent). Null if there is none for these inputs.
std::unique_ptr<onnx::FunctionProto> functionBody(const onnx::NodeProto &node, int opset,
                                                  llvm::ArrayRef<onnx::TypeProto> types);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_ONNX_ONNXLIBRARY_H
