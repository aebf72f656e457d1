//===- Operators.h - What can be imported -----------------------*- C++ -*-===//
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

/// An ONNX operator with a handler, with all versions it is imported in.
struct Operator {
  std::string domain, name; ///< domain: "ai.onnx" for the default one
  std::vector<int> versions;
  /// Element types that the newest version's definition and Kiln both take as the
  /// first input: "f16, f32"; empty where ONNX does not define the op.
  std::string types;
};

/// Sorted by domain and name.
std::vector<Operator> listOperators();
/// Operators without a handler that are imported through the function body in
/// their definition. Sorted.
std::vector<std::string> listFunctionOperators();

} // namespace kiln

#endif // KILN_PIPELINE_OPERATORS_H
