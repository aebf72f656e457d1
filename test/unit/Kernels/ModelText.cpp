//===- ModelText.cpp - ONNX models as text, with weights ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelText.h"
#include "TestPackage.h"
#include "kiln/Execution/Numbers.h"
#include "llvm/ADT/StringExtras.h"
#include <random>

using namespace kiln;
using namespace kiln::test;

Dims kiln::test::dimsOf(const std::vector<int64_t> &sizes) {
  Dims dims;
  for (int64_t size : sizes)
    dims.push_back(std::to_string(size));
  return dims;
}

std::string kiln::test::onnxType(kiln_dtype dtype) {
  switch (dtype) {
  case KILN_DTYPE_F32:
    return "float";
  case KILN_DTYPE_F16:
    return "float16";
  case KILN_DTYPE_BF16:
    return "bfloat16";
  case KILN_DTYPE_F64:
    return "double";
  case KILN_DTYPE_BOOL:
    return "bool";
  default:
    break;
  }
  llvm::StringRef name = kiln_dtype_name(dtype); // "i8", "u16"
  return (name[0] == 'u' ? "uint" : "int") + name.drop_front().str();
}

std::vector<double> kiln::test::normals(size_t count, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> distribution;
  std::vector<double> values(count);
  for (double &value : values)
    value = distribution(engine);
  return values;
}

static std::string typed(const std::string &name, const std::string &type,
                         const Dims &dims) {
  std::string shape = dims.empty() ? "" : "[" + llvm::join(dims, ", ") + "]";
  return type + shape + " " + name;
}

static void append(std::string &list, const std::string &item) {
  list += (list.empty() ? "" : ", ") + item;
}

ModelText &ModelText::input(const std::string &name, kiln_dtype dtype, const Dims &dims) {
  append(inputs, typed(name, onnxType(dtype), dims));
  return *this;
}

ModelText &ModelText::output(const std::string &name, kiln_dtype dtype,
                             const Dims &dims) {
  append(outputs, typed(name, onnxType(dtype), dims));
  return *this;
}

ModelText &ModelText::node(const std::string &text) {
  nodes += "  " + text + "\n";
  return *this;
}

ModelText &ModelText::weight(const std::string &name, kiln_dtype dtype,
                             const std::vector<int64_t> &shape,
                             const std::vector<double> &values) {
  size_t size = kiln_dtype_size(dtype), offset = bytes.size();
  bytes.resize(offset + values.size() * size);
  for (size_t i = 0; i < values.size(); ++i)
    execution::writeElement(dtype, bytes.data() + offset, i, values[i]);
  weights.push_back(
      {typed(name, onnxType(dtype), dimsOf(shape)), offset, values.size() * size});
  bytes.resize((bytes.size() + 63) / 64 * 64);
  return *this;
}

ModelText &ModelText::weight(const std::string &name, kiln_dtype dtype,
                             const std::vector<int64_t> &shape) {
  size_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<size_t>(size);
  return weight(name, dtype, shape, normals(count, static_cast<unsigned>(count)));
}

ModelText &ModelText::integers(const std::string &name,
                               const std::vector<int64_t> &values) {
  return weight(name, KILN_DTYPE_I64, {static_cast<int64_t>(values.size())},
                std::vector<double>(values.begin(), values.end()));
}

std::string ModelText::write(const std::string &folder, const std::string &name) const {
  std::string text = "<ir_version: 10, opset_import: [\"\" : " + std::to_string(opset) +
                     ", \"com.microsoft\" : 1]>\nkernel_case (" + inputs + ") => (" +
                     outputs + ")\n";
  for (const Weight &weight : weights)
    text += (&weight == weights.data() ? "<" : ",\n ") + weight.type +
            " = [\"location\": \"" + name + ".bin\", \"offset\": \"" +
            std::to_string(weight.offset) + "\", \"length\": \"" +
            std::to_string(weight.length) + "\"]";
  text += std::string(weights.empty() ? "" : ">\n") + "{\n" + nodes + "}\n";
  writeFile(folder + "/" + name + ".bin", bytes);
  std::string path = folder + "/" + name + ".onnxtxt";
  writeFile(path, text);
  return path;
}
