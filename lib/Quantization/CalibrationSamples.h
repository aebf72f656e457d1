//===- CalibrationSamples.h - Samples of calibrations -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_QUANTIZATION_CALIBRATIONSAMPLES_H
#define KILN_LIB_QUANTIZATION_CALIBRATIONSAMPLES_H

#include "kiln/Execution/Handles.h"
#include "kiln/Execution/Inputs.h"
#include "kiln/Execution/NpzFile.h"
#include "kiln/Quantization/Calibrate.h"
#include "llvm/Support/MemoryBuffer.h"

namespace kiln::quantization {

/// Inputs of one run: files, arrays, or tokens.
struct CalibrationSample {
  std::string name; ///< for error messages
  std::vector<execution::TensorFile> files;
  std::vector<kiln_tensor> tensors; ///< owned by CalibrationSamples
  llvm::StringRef tokens;           ///< bytes
};

/// Samples of --calib: windows of a text, arrays of a .npz file, or folders of .npy
/// files.
class CalibrationSamples {
public:
  static llvm::Expected<CalibrationSamples> read(const CalibrationSettings &settings);

  /// Converts what was read to samples for the model's inputs. `hasByteLogits`: the
  /// original model has an output [.., .., 256]. Errors: KILN-E0126.
  llvm::Error fitTo(kiln_model *model, bool hasByteLogits);
  llvm::ArrayRef<CalibrationSample> all() const { return samples; }
  bool isText() const { return text != nullptr; }
  /// Returns the SHA-256 of all samples.
  llvm::Expected<std::string> hash() const;

private:
  llvm::Error readText(const CalibrationSettings &settings);
  llvm::Error readFolder();
  llvm::Error splitArrays(kiln_model *model);

  std::string path, option;
  std::unique_ptr<llvm::MemoryBuffer> text;
  std::vector<execution::NpzArray> arrays;
  std::vector<std::vector<int64_t>> shapes; ///< shape of a sample, per array
  std::vector<CalibrationSample> samples;
};

/// Returns the input for tokens: integers [batch, sequence] that are neither mask nor
/// positions; null if there is none.
const kiln_tensor_info *tokenInput(kiln_model *model);

/// Checks that an array fits the model's input of its name and has no NaN. Errors:
/// KILN-E0126.
llvm::Error checkSample(kiln_model *model, const std::string &sample,
                        const kiln_tensor &tensor);

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_CALIBRATIONSAMPLES_H
