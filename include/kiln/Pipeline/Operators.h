//===- Operators.h - Importable operators -----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PIPELINE_OPERATORS_H
#define KILN_PIPELINE_OPERATORS_H

#include <string>
#include <vector>

namespace kiln {

/// An ONNX operator with a handler, with all versions that can be imported.
struct Operator {
  std::string domain, name; ///< domain: "ai.onnx" for the default one
  std::vector<int> versions;
  /// Element types that both ONNX's newest version and Kiln allow for the first input:
  /// "f16, f32"; empty if ONNX does not define the op.
  std::string types;
};

/// Returns operators sorted by domain and name.
std::vector<Operator> listOperators();
/// Returns the operators without a handler that are imported through the function body of
/// their definition, sorted.
std::vector<std::string> listFunctionOperators();

} // namespace kiln

#endif // KILN_PIPELINE_OPERATORS_H
