//===- gpu_target.h - Code that a GPU can run --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_GPU_TARGET_H
#define KILN_DEVICE_CUDA_GPU_TARGET_H

#include "runtime/package/plan.h"
#include <string_view>

namespace kiln::rt::cuda {

/// Whether PTX for a target such as sm_80 or sm_90a runs on a GPU of this compute
/// capability (90 for 9.0): a plain target on its own and every later one, "a" on
/// its own only, "f" also on later ones of the same family (PTX ISA, `.target`).
bool runsOn(std::string_view target, int capability);

/// Selects the plan's best target for a GPU: the latest that runs there, and of equal
/// ones the most specific. wanted: the only target to consider, or empty. gpu: for error
/// messages. Errors: KILN-E0510.
Status selectGpuTarget(const Plan &plan, const std::string &wanted, int capability,
                       const std::string &gpu, const std::string &where, size_t &out);

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_GPU_TARGET_H
