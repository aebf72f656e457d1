//===- OutputFiles.h - Atomically written files -----------------*- C++ -*-===//
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

/// Fails if `path` cannot be written: it is a folder, or its folder is missing or
/// read-only. Called before the work that produces the file; also protects the path.
llvm::Error checkOutput(llvm::StringRef path);

/// Registers `path` so that its temporary files are removed if the process is
/// interrupted.
void protectOutput(llvm::StringRef path);
/// Removes these temporary files now; may be called by a signal handler.
void removeProtectedOutputs();

/// Replaces a file atomically: at any moment it has the old or the new content.
llvm::Error writeAtomically(const std::string &path,
                            llvm::ArrayRef<llvm::StringRef> parts);
llvm::Error writeAtomically(const std::string &path, llvm::StringRef text);
/// Makes an error: KILN-E0701 if a disk or a quota is full, else KILN-E0003.
llvm::Error cannotWrite(const std::string &path, std::error_code code);

/// A file that is removed when the object is destroyed, or when the process is
/// interrupted.
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
