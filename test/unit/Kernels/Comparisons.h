//===- Comparisons.h - Comparison of outputs --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differences are recorded as failures of the current test.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_COMPARISONS_H
#define KILN_TEST_UNIT_KERNELS_COMPARISONS_H

#include "kiln/Execution/OutputSet.h"
#include "kiln/Pipeline/Oracle.h"

namespace kiln::test {

void expectSameBits(const execution::OutputSet &found,
                    const execution::OutputSet &expected, const char *why);

/// Expects that no element differs by more than `part` of the largest expected one.
void expectNear(const execution::OutputSet &found, const execution::OutputSet &expected,
                double part);

/// Expects that no element differs from the reference by more than `part` of the largest
/// one, or of 1.
void expectNear(const execution::OutputSet &found,
                const std::map<std::string, OracleTensor> &expected, double part);

/// Expects that the root mean square error is at most this fraction of the reference's
/// root mean square; 0: the limit of `kiln verify --model` for matmuls in these
/// precisions.
void expectRms(const execution::OutputSet &found,
               const std::map<std::string, OracleTensor> &expected,
               llvm::ArrayRef<std::string> precisions, double part);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_COMPARISONS_H
