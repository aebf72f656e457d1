//===- CalibrationSamples.h - What a model is calibrated on -----*- C++ -*-===//
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
  std::string name; ///< for messages
  std::vector<execution::TensorFile> files;
  std::vector<kiln_tensor> tensors; ///< of CalibrationSamples
  llvm::StringRef tokens;           ///< bytes
};

/// The samples of --calib: windows of a text, arrays of a .npz file, or of folders of
/// .npy files.
class CalibrationSamples {
public:
  static llvm::Expected<CalibrationSamples> read(const CalibrationSettings &settings);

  /// Makes samples of what was read, as the inputs of the model are. Errors: KILN-E0126.
  /// `hasByteLogits`: of the model as it was, an output is [.., .., 256].
  llvm::Error fitTo(kiln_model *model, bool hasByteLogits);
  llvm::ArrayRef<CalibrationSample> all() const { return samples; }
  bool isText() const { return text != nullptr; }
  /// SHA-256 of all samples.
  llvm::Expected<std::string> hash() const;

private:
  llvm::Error readText(const CalibrationSettings &settings);
  llvm::Error readFolder();
  llvm::Error splitArrays(kiln_model *model);

  std::string path, option;
  std::unique_ptr<llvm::MemoryBuffer> text;
  std::vector<execution::NpzArray> arrays;
  std::vector<std::vector<int64_t>> shapes; ///< of a sample of each array
  std::vector<CalibrationSample> samples;
};

/// The input that takes tokens: whole numbers [batch, sequence] that are neither a mask
/// nor positions; null: none.
const kiln_tensor_info *tokenInput(kiln_model *model);

/// Checks that an array is what the model takes under its name, and holds no NaN. Errors:
/// KILN-E0126.
llvm::Error checkSample(kiln_model *model, const std::string &sample,
                        const kiln_tensor &tensor);

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_CALIBRATIONSAMPLES_H
