//===- TuneFile.h - The file that kiln tune writes --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_DRIVER_TUNEFILE_H
#define KILN_LIB_DRIVER_TUNEFILE_H

#include "kiln/Pipeline/Oracle.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace kiln::driver {

/// A kernel's code on the device, which all steps with equal kernels share.
struct TuneProblem {
  std::string key;                ///< as in the configs file
  std::string code;               ///< "matmul_3"
  std::vector<size_t> steps;      ///< of the plan
  std::vector<std::string> lines; ///< candidates; the first is the compiler's choice
  size_t measured = 0;            ///< candidates beside the first that were timed
  size_t refused = 0;             ///< that did not compile or computed something else
  size_t best = 0;                ///< of `lines`
  std::optional<double> fastest;  ///< ratio of the fastest other one, a winner or not
  double ratio = 1;               ///< time of the best over that of the first
  double before = 0, after = 0;   ///< seconds of all its steps in one run
};

/// The lines of problems that have a winner, each under a comment with its times. The
/// compiler's choice for the others is in comments, ready to be edited.
std::string tuneFileText(llvm::ArrayRef<TuneProblem> problems, llvm::StringRef device,
                         llvm::StringRef target, llvm::ArrayRef<SymbolValues> points);

/// Replaces the file in one step: at any moment it is the old one or the new one.
llvm::Error writeAtomically(const std::string &path,
                            llvm::ArrayRef<llvm::StringRef> parts);
llvm::Error writeAtomically(const std::string &path, llvm::StringRef text);
/// KILN-E0701 where a disk or a quota is full, else KILN-E0003.
llvm::Error cannotWrite(const std::string &path, std::error_code code);

/// A file that is removed when it goes out of scope, and when the process is interrupted.
class TemporaryFile {
public:
  static llvm::Expected<TemporaryFile> create(llvm::StringRef suffix);
  TemporaryFile() = default;
  TemporaryFile(TemporaryFile &&other) noexcept;
  TemporaryFile &operator=(TemporaryFile &&other) noexcept;
  ~TemporaryFile();
  const std::string &getPath() const { return path; }

private:
  std::string path;
};

} // namespace kiln::driver

#endif // KILN_LIB_DRIVER_TUNEFILE_H
