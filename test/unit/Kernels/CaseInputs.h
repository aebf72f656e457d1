//===- CaseInputs.h - Inputs of a kernel case, and its reference -*- C++ -*-===//
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

/// The given inputs of a case, and random ones, at some sizes.
class CaseInputs {
public:
  CaseInputs(const KernelCase &test, kiln_model *model, const SymbolValues &values);
  CaseInputs(const CaseInputs &) = delete;
  const execution::InputSet &set() const { return *made; }

private:
  std::vector<execution::TensorBuffer> given; ///< which the set points to
  std::optional<execution::InputSet> made;
};

/// The outputs of the model as it is written, in double precision.
std::map<std::string, OracleTensor> referenceOf(const KernelCase &test,
                                                const std::string &source,
                                                const execution::InputSet &inputs);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_CASEINPUTS_H
