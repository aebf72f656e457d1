//===- SampleError.h - Errors about samples ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_SAMPLEERROR_H
#define KILN_EXECUTION_SAMPLEERROR_H

#include "kiln/ErrorCodes/Internal.h"
#include "kiln/ErrorCodes/Machine.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

namespace kiln::execution {

/// Makes an error KILN-E0126.
inline llvm::Error sampleError(llvm::StringRef where, const llvm::Twine &what,
                               const llvm::Twine &expected, const llvm::Twine &found,
                               const llvm::Twine &fix) {
  return makeError({ErrorCode::CalibrationInvalid, where.str(), what.str(),
                    expected.str(), found.str(), fix.str()});
}

/// Converts an error into KILN-E0126, as the file or the run that failed belongs to the
/// sample. Out-of-memory errors, missing files and internal errors are kept.
inline llvm::Error asSampleError(llvm::Error error, llvm::StringRef sample = {}) {
  Diagnosis diagnosis = takeDiagnosis(std::move(error));
  if (!llvm::is_contained({ErrorCode::OutOfMemory, ErrorCode::FileNotFound,
                           ErrorCode::FileReadFailed, ErrorCode::Internal},
                          diagnosis.code))
    diagnosis.code = ErrorCode::CalibrationInvalid;
  if (!sample.empty())
    diagnosis.where = (sample + ": " + diagnosis.where).str();
  return makeError(std::move(diagnosis));
}

} // namespace kiln::execution

#endif // KILN_EXECUTION_SAMPLEERROR_H
