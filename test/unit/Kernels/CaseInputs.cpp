//===- CaseInputs.cpp - Inputs and reference of a kernel case -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseInputs.h"
#include "Models.h"
#include "kiln/Execution/Numbers.h"
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::execution;
using namespace kiln::test;

/// Returns the given inputs, of one dim or of constant dims.
static std::vector<TensorBuffer> givenInputs(const KernelCase &test, kiln_model *model) {
  std::vector<TensorBuffer> buffers;
  for (unsigned i = 0; i < inputCount(model); ++i) {
    const kiln_tensor_info &info = *kiln_model_input(model, i);
    auto given = test.given.find(info.name);
    if (given == test.given.end())
      continue;
    const std::vector<double> &values = given->second;
    std::vector<int64_t> shape{static_cast<int64_t>(values.size())};
    if (info.rank > 1) {
      shape.clear();
      for (unsigned d = 0; d < info.rank; ++d)
        shape.push_back(std::stoll(info.dims[d].expr));
    }
    buffers.emplace_back(info.name, info.dtype, shape);
    EXPECT_EQ(buffers.back().elements(), values.size());
    for (size_t e = 0; e < values.size(); ++e)
      writeElement(info.dtype, buffers.back().data(), e, values[e]);
  }
  EXPECT_EQ(buffers.size(), test.given.size());
  return buffers;
}

CaseInputs::CaseInputs(const KernelCase &test, kiln_model *model,
                       const SymbolValues &values)
    : given(givenInputs(test, model)) {
  InputSettings settings{"kernel case", {}, values, 1};
  for (const TensorBuffer &buffer : given)
    settings.tensors.push_back(buffer.tensor());
  made = valueOf(InputSet::create(model, settings));
}

std::map<std::string, OracleTensor> kiln::test::referenceOf(const KernelCase &test,
                                                            const std::string &source,
                                                            const InputSet &inputs) {
  std::map<std::string, TensorBytes> bytes;
  for (const kiln_tensor &tensor : inputs.tensors())
    bytes[tensor.name] = TensorBytes(static_cast<const char *>(tensor.data), tensor.size);
  return valueOf(evaluateModel(source, test.dims, bytes, inputs.symbols()));
}
