//===- Comparisons.h - Outputs of two devices, or of a model ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differences are failures of the current test.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_COMPARISONS_H
#define KILN_TEST_UNIT_KERNELS_COMPARISONS_H

#include "kiln/Execution/OutputSet.h"
#include "kiln/Pipeline/Oracle.h"

namespace kiln::test {

void expectSameBits(const execution::OutputSet &found,
                    const execution::OutputSet &expected, const char *why);

/// No element is further away than `part` of the largest expected one.
void expectNear(const execution::OutputSet &found, const execution::OutputSet &expected,
                double part);

/// No element is further from the reference than `part` of the largest one, or of 1.
void expectNear(const execution::OutputSet &found,
                const std::map<std::string, OracleTensor> &expected, double part);

/// The root mean square of the differences is at most this part of that of the reference;
/// 0: within the limit of `kiln verify --model` for matmuls in these precisions.
void expectRms(const execution::OutputSet &found,
               const std::map<std::string, OracleTensor> &expected,
               llvm::ArrayRef<std::string> precisions, double part);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_COMPARISONS_H
