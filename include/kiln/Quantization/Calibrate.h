//===- Calibrate.h - Samples through a model --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_QUANTIZATION_CALIBRATE_H
#define KILN_QUANTIZATION_CALIBRATE_H

#include "kiln/Pipeline/Compile.h"

namespace kiln::quantization {

class CalibrationFolder;

struct CalibrationSettings {
  std::string path;               ///< a text, a .npz file or a folder
  std::string option = "--calib"; ///< that names it
  std::string state;              ///< folder that keeps what was found; empty: none
  std::string device = "cpu";     ///< on which the samples run
  uint64_t samples = 128;         ///< of a text, at most
  uint64_t window = 512;          ///< bytes of a sample of a text, at most
  uint64_t memory = 1 << 30;      ///< bytes that sums may take
};

struct CalibrationResult {
  std::shared_ptr<const CalibrationFolder> folder; ///< where the matrices lie
  std::shared_ptr<const Calibration> calibration;  ///< of matrices; null: of ranges
  std::shared_ptr<const ActivationRanges> ranges;
  uint64_t inputs = 0; ///< of products, different ones
  uint64_t samples = 0;
  std::string warning;  ///< that samples say too little; empty: they do not
  uint64_t passes = 0;  ///< over the samples
  uint64_t resumed = 0; ///< runs of a sample that an earlier process had done
  uint64_t bytes = 0;   ///< most of sums and of what is made from them at once; of ranges
                        ///< of histograms and the values of a run
};

/// Finds what the samples say of the products of `options.input`. The model is compiled
/// for this machine in full precision (for another device than "cpu": for the GPUs among
/// options.targets; KILN-E0001 if there are none), without state, and run on samples:
///  - of a text, windows that are spread over it evenly, a byte per token, each from an
///    empty cache; for models over bytes only;
///  - of a .npz file, arrays by the names of inputs: one sample if they have as many dims
///    as the inputs, else as many samples as the first dim of all of them says;
///  - of a folder, NAME.npy for inputs of that name, or folders of such, a sample each,
///  in
///    the order of their names.
/// Other inputs are made up as by kiln run, but positions count from 0; dims that no
/// array decides are as small as they can be. All rows count, padding as well. Sums of
/// X^T X that do not fit `memory` at once are found in several passes. The result does
/// not depend on the number of threads, nor on where a calibration with a `state` was
/// stopped and went on. Errors: KILN-E0126 for samples that do not fit the model or make
/// numbers that are none, and for a `state` of something else; those of compiling and
/// running.
llvm::Expected<CalibrationResult> calibrate(const CompileOptions &options,
                                            const CalibrationSettings &settings);

/// Finds the ranges that `options.precision.range` asks for. Histograms have the
/// values of all samples, so that a `state` needs no sample again. KILN-E0126 as well if
/// all values of a product are 0, which says nothing of its scale.
llvm::Expected<CalibrationResult> calibrateRanges(const CompileOptions &options,
                                                  const CalibrationSettings &settings);

} // namespace kiln::quantization

#endif // KILN_QUANTIZATION_CALIBRATE_H
