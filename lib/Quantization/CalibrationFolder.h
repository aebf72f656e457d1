//===- CalibrationFolder.h - What a calibration has found so far -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_QUANTIZATION_CALIBRATIONFOLDER_H
#define KILN_LIB_QUANTIZATION_CALIBRATIONFOLDER_H

#include "kiln/Pipeline/Compile.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <optional>

namespace kiln::quantization {

/// X^T X of some inputs of products, over the first samples.
struct PartialSums {
  uint64_t samples = 0;
  std::vector<std::vector<double>> sums;
};

/// Files of a calibration: finished matrices, which are mapped when they are needed, and
/// sums on the way to them. A file appears whole or not at all, and ends with hashes of
/// its contents and of what it was made from.
class CalibrationFolder {
public:
  /// A file without a name: whoever ends the process leaves nothing behind.
  static llvm::Expected<std::unique_ptr<CalibrationFolder>> temporary();
  /// `path` is made if it is not there. `key` says what is calibrated on what; a folder
  /// of another key, or of other files, is KILN-E0126.
  static llvm::Expected<std::unique_ptr<CalibrationFolder>> open(const std::string &path,
                                                                 std::string key);
  CalibrationFolder(const CalibrationFolder &) = delete;
  CalibrationFolder &operator=(const CalibrationFolder &) = delete;
  ~CalibrationFolder();

  /// The matrix of input `number`, [k, k], or [k] of largest magnitudes.
  llvm::Expected<std::shared_ptr<const CalibratedInput>>
  storeMatrix(uint64_t number, int64_t k, llvm::ArrayRef<float> matrix) const;
  /// Finds a matrix of so many elements. Null if it is not there; KILN-E0126 if damaged.
  llvm::Expected<std::shared_ptr<const CalibratedInput>>
  findMatrix(uint64_t number, int64_t k, uint64_t elements) const;
  /// Stores the sums of inputs from `first` on.
  llvm::Error storeSums(uint64_t first, const PartialSums &sums) const;
  /// Inputs of so many elements each; nullopt if there are none, KILN-E0126 if they are
  /// damaged.
  llvm::Expected<std::optional<PartialSums>>
  findSums(uint64_t first, llvm::ArrayRef<uint64_t> sizes) const;
  void removeSums(uint64_t first) const;

private:
  CalibrationFolder(std::string path, std::string key, int nameless = -1)
      : path(std::move(path)), key(std::move(key)), nameless(nameless) {}
  std::string fileOf(llvm::StringRef kind, uint64_t number) const;
  bool isTemporary() const { return nameless >= 0; }
  /// Appends to the file without a name; where the bytes are.
  llvm::Expected<uint64_t> append(llvm::ArrayRef<uint8_t> bytes) const;

  std::string path, key;
  int nameless; ///< the file descriptor; -1 if the files of the folder have names
  mutable std::atomic<uint64_t> used = 0; ///< of that file
};

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_CALIBRATIONFOLDER_H
