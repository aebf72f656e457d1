//===- CaseFiles.h - The files of an ONNX node test -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_CONFORMANCE_CASEFILES_H
#define KILN_TEST_CONFORMANCE_CASEFILES_H

#include "kiln/Import/Import.h"
#include "kiln/Reference/Tensor.h"
#include "lib/Import/Onnx/Proto.h"

namespace kiln::test {

/// A tensor of a .pb file; nullopt if it is of a kind the reference lacks.
struct CaseTensor {
  std::vector<char> bytes;
  std::vector<int64_t> shape;
  mlir::Type elementType;

  reference::Tensor borrow() const {
    return reference::Tensor::borrow(elementType, shape, bytes.data());
  }
};

/// One data set of a case: values by the names of the model.
struct CaseData {
  std::vector<std::pair<std::string, CaseTensor>> inputs, outputs;
};

/// Reads test_data_set_N of a case; nullopt if a file holds no tensor (a
/// sequence, an optional value) or one of another element type.
std::optional<CaseData> readData(llvm::StringRef folder, const onnx::GraphProto &graph,
                                 mlir::MLIRContext &context);
bool readModel(llvm::StringRef path, onnx::ModelProto &model);

/// Inputs of integers and small tensors, as constants of the model.
std::vector<import::FrozenInput> frozenInputs(const CaseData &data);

} // namespace kiln::test

#endif // KILN_TEST_CONFORMANCE_CASEFILES_H
