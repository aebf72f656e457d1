//===- check.h - The commands of gpu-check ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_CHECK_H
#define KILN_GPU_CHECK_CHECK_H

#include "tools/gpu_check/options.h"

namespace kiln::gpucheck {

/// Runs the command; returns the exit status. Throws Failure.
int runCommand(Options options);

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_CHECK_H
