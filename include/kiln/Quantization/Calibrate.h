//===- Calibrate.h - Calibration with samples -------------------*- C++ -*-===//
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
  std::string option = "--calib"; ///< option that names `path`
  std::string state;              ///< folder in which the calibration is kept; empty:
                                  ///< none
  std::string device = "cpu";     ///< device that runs the samples
  uint64_t samples = 128;         ///< maximum number of samples of a text
  uint64_t window = 512;          ///< maximum size of a sample of a text in bytes
  uint64_t memory = 1 << 30;      ///< maximum bytes of accumulated X^T X
};

struct CalibrationResult {
  std::shared_ptr<const CalibrationFolder> folder; ///< folder of the matrices
  std::shared_ptr<const Calibration> calibration;  ///< calibration by matrices; null: by
                                                   ///< ranges
  std::shared_ptr<const ActivationRanges> ranges;
  uint64_t inputs = 0; ///< number of distinct inputs of matmuls
  uint64_t samples = 0;
  std::string warning;  ///< why there are too few samples; empty: enough
  uint64_t passes = 0;  ///< number of passes over the samples
  uint64_t resumed = 0; ///< runs of samples that an earlier process completed
  uint64_t bytes = 0;   ///< peak memory of accumulated matrices and of the matrices
                        ///< computed from them; for ranges, of histograms and of the
                        ///< values of a run
};

/// Calibrates the matmuls of `options.input` with samples. The model is compiled for this
/// machine in full precision (for a device other than "cpu": for the GPUs among
/// options.targets; KILN-E0001 if there are none), without state, and run on samples:
///  - of a text: windows that are evenly spread over it, one byte per token, each
///    starting with an empty cache; only for models over bytes;
///  - of a .npz file: arrays named like inputs; one sample if they have the rank of the
///    inputs, else the leading dim of all of them counts the samples;
///  - of a folder: files NAME.npy for inputs of that name, or one such folder per sample,
///    in the order of their names.
/// Other inputs are generated as by kiln run, except that positions count from 0; dims
/// that no array determines have their minimum. All rows count, including padding. If the
/// matrices X^T X do not fit into `memory` at once, several passes accumulate them. The
/// result depends neither on the number of threads nor on where a calibration with a
/// `state` was interrupted and resumed. Errors: KILN-E0126 for samples that do not fit
/// the model or give NaN or infinity, and for a `state` of another calibration; those of
/// compiling and running.
llvm::Expected<CalibrationResult> calibrate(const CompileOptions &options,
                                            const CalibrationSettings &settings);

/// Finds the ranges that `options.precision.range` asks for. Histograms contain the
/// values of all samples, so that resuming from a `state` needs no sample again. Also
/// KILN-E0126 if all values of an input are 0, which leaves its scale undefined.
llvm::Expected<CalibrationResult> calibrateRanges(const CompileOptions &options,
                                                  const CalibrationSettings &settings);

} // namespace kiln::quantization

#endif // KILN_QUANTIZATION_CALIBRATE_H
