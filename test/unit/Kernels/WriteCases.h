//===- WriteCases.h - The table as files for other programs -----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_WRITECASES_H
#define KILN_TEST_UNIT_KERNELS_WRITECASES_H

#include "KernelCase.h"

namespace kiln::test {

/// Writes an archive for `gpu-check run --archive FOLDER --only verify`: for every run of
/// a case with code for a GPU target its package, inputs, and the reference's outputs.
/// `kiln verify` also checks the packages. Excludes quantized cases, whose outputs differ
/// from the original model by more than rounding. Failures are recorded in the current
/// test.
void writeCases(const KernelTable &table, const std::string &folder,
                const std::string &gpu);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_WRITECASES_H
