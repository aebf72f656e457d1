//===- AccuracyOptions.h - kiln compile --accuracy --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_ACCURACYOPTIONS_H
#define KILN_LIB_DRIVER_ACCURACYOPTIONS_H

#include "kiln/Quantization/Accuracy.h"
#include "lib/Driver/Support/Options.h"

namespace kiln::driver {

void declareAccuracyOptions(OptionTable &table, quantization::AccuracySettings &settings);

/// Checks that the options are compatible. A budget without its own samples uses
/// `calibration`, the samples of --calib, which may be empty. Errors: KILN-E0001.
llvm::Error checkAccuracy(quantization::AccuracySettings &settings,
                          const CompileOptions &options, const std::string &calibration);

/// Prints the accuracy lines of the compile's report.
void printAccuracy(llvm::raw_ostream &os, const quantization::AccuracyBudget &budget,
                   const AccuracyRecord &record);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_ACCURACYOPTIONS_H
