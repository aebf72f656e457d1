//===- dependencies.h - Which steps wait for which ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan lists its steps in one order; which of them a GPU may run concurrently follows
// from the memory that they access. Dependencies hold for all dims of the envelope, so
// that one graph serves them all: two buffers of an arena count as overlapping unless
// the plan orders their offsets.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PACKAGE_DEPENDENCIES_H
#define KILN_PACKAGE_DEPENDENCIES_H

#include "runtime/package/plan.h"

namespace kiln::rt {

/// Returns for each step the earlier steps that it must wait for, sorted, after
/// transitive reduction.
std::vector<std::vector<uint32_t>> stepDependencies(const Plan &plan);

} // namespace kiln::rt

#endif // KILN_PACKAGE_DEPENDENCIES_H
