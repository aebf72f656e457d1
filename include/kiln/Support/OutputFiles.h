//===- OutputFiles.h - Files that appear whole or not at all ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_OUTPUTFILES_H
#define KILN_SUPPORT_OUTPUTFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace kiln {

/// Fails if `path` cannot be written: a folder, or in a folder that is missing
/// or read-only. Called before the work, not after it; also protects the path.
llvm::Error checkOutput(llvm::StringRef path);

/// Removes the temporary files beside `path` should the process end by itself.
void protectOutput(llvm::StringRef path);
/// Removes them now; may be called by a signal handler.
void removeProtectedOutputs();

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

} // namespace kiln

#endif // KILN_SUPPORT_OUTPUTFILES_H
