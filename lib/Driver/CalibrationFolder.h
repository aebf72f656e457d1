//===- CalibrationFolder.h - What a calibration has found so far -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_CALIBRATIONFOLDER_H
#define KILN_LIB_DRIVER_CALIBRATIONFOLDER_H

#include "kiln/Pipeline/Compile.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace kiln::driver {

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
  /// One that is removed with this object.
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
  /// Of so many elements. Null if it is not there; KILN-E0126 if it is damaged.
  llvm::Expected<std::shared_ptr<const CalibratedInput>>
  findMatrix(uint64_t number, int64_t k, uint64_t elements) const;
  /// Of inputs from `first` on.
  llvm::Error storeSums(uint64_t first, const PartialSums &sums) const;
  /// Inputs of so many elements each; nullopt if there are none, KILN-E0126 if they are
  /// damaged.
  llvm::Expected<std::optional<PartialSums>>
  findSums(uint64_t first, llvm::ArrayRef<uint64_t> sizes) const;
  void removeSums(uint64_t first) const;

private:
  CalibrationFolder(std::string path, std::string key, bool isTemporary)
      : path(std::move(path)), key(std::move(key)), isTemporary(isTemporary) {}
  std::string fileOf(llvm::StringRef kind, uint64_t number) const;

  std::string path, key;
  bool isTemporary;
};

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_CALIBRATIONFOLDER_H
