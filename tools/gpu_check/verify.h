//===- verify.h - Packages against stored results ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GPU_CHECK_VERIFY_H
#define KILN_GPU_CHECK_VERIFY_H

#include "tools/gpu_check/options.h"
#include "tools/gpu_check/report.h"

namespace kiln::gpucheck {

/// Runs every case of the archive's cases.txt on the device, as a CUDA graph and kernel
/// by kernel. The graph's outputs are compared with stored ones, which were computed in
/// double precision; those of the run kernel by kernel must have the same bits as the
/// graph's.
///
/// A line of cases.txt is `NAME PACKAGE TOLERANCE`; TOLERANCE is - for the limit of the
/// output's type. cases/NAME has in<i>.npy and out<i>.npy, where i is the index in the
/// package.
void verifyCases(const Options &options, const std::string &device, Report &report);

} // namespace kiln::gpucheck

#endif // KILN_GPU_CHECK_VERIFY_H
