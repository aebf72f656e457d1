//===- dependencies.h - Which steps wait for which ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan lists its steps in one order; what a GPU may run side by side follows from
// the memory they touch. The answer holds for all dims of the envelope, so that one
// graph serves them all: buffers of one arena count as the same memory unless the
// plan keeps them apart.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PACKAGE_DEPENDENCIES_H
#define KILN_PACKAGE_DEPENDENCIES_H

#include "runtime/package/plan.h"

namespace kiln::rt {

/// Per step the earlier steps that it must wait for, sorted. Those that another
/// of them waits for already are left out.
std::vector<std::vector<uint32_t>> stepDependencies(const Plan &plan);

} // namespace kiln::rt

#endif // KILN_PACKAGE_DEPENDENCIES_H
