//===- ModelText.h - ONNX models as text, with weights ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_MODELTEXT_H
#define KILN_TEST_UNIT_KERNELS_MODELTEXT_H

#include "kiln/runtime.h"
#include <string>
#include <vector>

namespace kiln::test {

using Dims = std::vector<std::string>; ///< sizes and names of symbols

/// Returns constant dims of these sizes.
Dims dimsOf(const std::vector<int64_t> &sizes);

/// Returns the name of a type in the text of an ONNX model: "bfloat16".
std::string onnxType(kiln_dtype dtype);

/// Returns `count` normally distributed values, the same for the same seed.
std::vector<double> normals(size_t count, unsigned seed);

/// An ONNX model that is built line by line. Its weights are written to an external data
/// file, as the text format has no 16-bit floats.
class ModelText {
public:
  explicit ModelText(int opset = 17) : opset(opset) {}

  ModelText &input(const std::string &name, kiln_dtype dtype, const Dims &dims);
  ModelText &output(const std::string &name, kiln_dtype dtype, const Dims &dims);
  /// Adds "y = MatMul(a, b)".
  ModelText &node(const std::string &text);
  /// Adds an initializer with values rounded to the type.
  ModelText &weight(const std::string &name, kiln_dtype dtype,
                    const std::vector<int64_t> &shape, const std::vector<double> &values);
  /// Adds an initializer with normally distributed values, rounded to the type.
  ModelText &weight(const std::string &name, kiln_dtype dtype,
                    const std::vector<int64_t> &shape);
  ModelText &integers(const std::string &name, const std::vector<int64_t> &values);

  /// Writes FOLDER/NAME.onnxtxt and the weights next to it; returns its path.
  std::string write(const std::string &folder, const std::string &name) const;

private:
  struct Weight {
    std::string type; ///< including name and dims
    size_t offset, length;
  };
  int opset;
  std::string inputs, outputs, nodes;
  std::vector<Weight> weights;
  std::string bytes;
};

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_MODELTEXT_H
