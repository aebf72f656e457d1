//===- CalibrationFolder.h - Stored state of calibrations -------*- C++ -*-===//
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

/// X^T X of some inputs of matmuls, over the first samples.
struct PartialSums {
  uint64_t samples = 0;
  std::vector<std::vector<double>> sums;
};

/// Files of a calibration: finished matrices, which are mapped on demand, and partial
/// sums. Files are written atomically, and end with hashes of their contents and of the
/// calibration's key.
class CalibrationFolder {
public:
  /// Creates storage in an unlinked file, which disappears with the process.
  static llvm::Expected<std::unique_ptr<CalibrationFolder>> temporary();
  /// Opens the folder `path`, or creates it. `key` identifies model, samples and
  /// settings; KILN-E0126 for a folder with another key or other files.
  static llvm::Expected<std::unique_ptr<CalibrationFolder>> open(const std::string &path,
                                                                 std::string key);
  CalibrationFolder(const CalibrationFolder &) = delete;
  CalibrationFolder &operator=(const CalibrationFolder &) = delete;
  ~CalibrationFolder();

  /// Stores the matrix of input `number`, [k, k], or its maximum magnitudes, [k].
  llvm::Expected<std::shared_ptr<const CalibratedInput>>
  storeMatrix(uint64_t number, int64_t k, llvm::ArrayRef<float> matrix) const;
  /// Finds a matrix of `elements` elements. Null if it does not exist, KILN-E0126 if it
  /// is damaged.
  llvm::Expected<std::shared_ptr<const CalibratedInput>>
  findMatrix(uint64_t number, int64_t k, uint64_t elements) const;
  /// Stores the sums of the inputs from `first` on.
  llvm::Error storeSums(uint64_t first, const PartialSums &sums) const;
  /// Finds the sums of inputs with these sizes in elements; nullopt if they do not exist,
  /// KILN-E0126 if they are damaged.
  llvm::Expected<std::optional<PartialSums>>
  findSums(uint64_t first, llvm::ArrayRef<uint64_t> sizes) const;
  void removeSums(uint64_t first) const;

private:
  CalibrationFolder(std::string path, std::string key, int nameless = -1)
      : path(std::move(path)), key(std::move(key)), nameless(nameless) {}
  std::string fileOf(llvm::StringRef kind, uint64_t number) const;
  bool isTemporary() const { return nameless >= 0; }
  /// Appends to the unlinked file; returns the offset of the bytes.
  llvm::Expected<uint64_t> append(llvm::ArrayRef<uint8_t> bytes) const;

  std::string path, key;
  int nameless;                           ///< file descriptor of the unlinked file, or -1
  mutable std::atomic<uint64_t> used = 0; ///< bytes used of the unlinked file
};

} // namespace kiln::quantization

#endif // KILN_LIB_QUANTIZATION_CALIBRATIONFOLDER_H
