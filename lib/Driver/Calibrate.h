//===- Calibrate.h - Samples through a model --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_CALIBRATE_H
#define KILN_LIB_DRIVER_CALIBRATE_H

#include "Inputs.h"
#include "kiln/Pipeline/Compile.h"
#include "llvm/Support/MemoryBuffer.h"

namespace kiln::driver {

struct CalibrationSettings {
  std::string path;               ///< a text, or a folder
  uint64_t samples = 128;         ///< of a text, at most
  uint64_t window = 512;          ///< bytes of a sample of a text, at most
  std::string option = "--calib"; ///< that names the path, for messages
};

/// Inputs of one run: files, or tokens.
struct CalibrationSample {
  std::string name;
  std::vector<TensorFile> files;
  llvm::StringRef tokens; ///< bytes
};

struct CalibrationSamples {
  std::unique_ptr<llvm::MemoryBuffer> text; ///< null: the samples are files
  std::vector<CalibrationSample> all;
};

/// What the path holds; see calibrate().
llvm::Expected<CalibrationSamples> readSamples(const CalibrationSettings &settings);
/// Fails unless the model takes the bytes of a text as tokens.
llvm::Error checkBytes(kiln_model *model, const std::string &path);
/// The inputs of a model without state for a sample. `option` is for messages.
llvm::Expected<InputSet> sampleInputs(kiln_model *model, const CalibrationSample &sample,
                                      const std::string &option);

/// What the samples say of the products of `options.input`. The model is compiled for
/// this machine in full precision, without state, and run on samples:
///  - of a text, windows that are spread over it evenly, a byte per token, each from an
///    empty cache; for models over bytes only;
///  - of a folder, NAME.npy for inputs of that name, or folders of such, a sample each,
///  in
///    the order of their names. Other inputs are made up as by kiln run, but positions
///    count from 0; dims that no file decides are as small as they can be.
/// All rows count, padding as well. The result does not depend on the number of threads.
/// Errors: KILN-E0126 for samples that do not fit the model or make numbers that are
/// none, and those of compiling and running.
llvm::Expected<std::shared_ptr<const Calibration>>
calibrate(const CompileOptions &options, const CalibrationSettings &settings);

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_CALIBRATE_H
