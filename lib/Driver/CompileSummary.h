//===- CompileSummary.h - What a compile prints at its end ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_COMPILESUMMARY_H
#define KILN_LIB_DRIVER_COMPILESUMMARY_H

#include "kiln/Pipeline/Compile.h"
#include "kiln/Quantization/Accuracy.h"
#include "kiln/Quantization/Calibrate.h"
#include "lib/Driver/AutoMesh.h"

namespace kiln::driver {

/// A compile that has ended with a package.
struct CompileSummary {
  const CompileOptions &options;
  const CompileReport &report;
  llvm::ArrayRef<estimate::Candidate> ranking; ///< of --shard auto, else empty
  const std::optional<quantization::AccuracyBudget> &budget;
  llvm::ArrayRef<quantization::CalibrationResult> calibrations;
  double seconds = 0;   ///< wall time
  bool verbose = false; ///< every node, phase and slow kernel
};

/// Prints the summary to stdout.
void printSummary(const CompileSummary &summary);

/// Prints warnings to stderr: memory that default ranges of dims need, caches that GPUs
/// expand, and matmuls that the cost model predicts to become slower.
void warnOfCompile(const CompileOptions &options, const CompileReport &report);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_COMPILESUMMARY_H
