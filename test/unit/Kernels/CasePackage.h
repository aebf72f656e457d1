//===- CasePackage.h - A kernel case, compiled ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_CASEPACKAGE_H
#define KILN_TEST_UNIT_KERNELS_CASEPACKAGE_H

#include "KernelCase.h"
#include "kiln/Execution/Handles.h"

namespace kiln::test {

/// Compiles the model of a case for some targets. Returns false, with a test failure
/// recorded, on error.
bool compileCase(const KernelCase &test, const std::string &source,
                 const std::vector<std::string> &targets, const std::string &package);

/// Returns the targets of a case's package.
std::vector<std::string> targetsOf(const KernelCase &test);

/// Loads the package's code for one target; "native": for this host.
execution::Model openPackage(const std::string &package, const std::string &target);

/// Checks the case's expectations about its plan, graph and code.
void checkPackage(const KernelCase &test, kiln_model *model);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_CASEPACKAGE_H
