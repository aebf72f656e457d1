//===- CaseInputs.h - Inputs and reference of a kernel case ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_CASEINPUTS_H
#define KILN_TEST_UNIT_KERNELS_CASEINPUTS_H

#include "KernelCase.h"
#include "kiln/Execution/Inputs.h"

namespace kiln::test {

/// A case's given inputs and random ones, for some symbol values.
class CaseInputs {
public:
  CaseInputs(const KernelCase &test, kiln_model *model, const SymbolValues &values);
  CaseInputs(const CaseInputs &) = delete;
  const execution::InputSet &set() const { return *made; }

private:
  std::vector<execution::TensorBuffer> given; ///< storage of the set
  std::optional<execution::InputSet> made;
};

/// Returns the outputs of the original model, in double precision.
std::map<std::string, OracleTensor> referenceOf(const KernelCase &test,
                                                const std::string &source,
                                                const execution::InputSet &inputs);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_CASEINPUTS_H
