//===- MappedFile.h - Model and weight files, read by mmap ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_ONNX_MAPPEDFILE_H
#define KILN_LIB_IMPORT_ONNX_MAPPEDFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace kiln::import {

/// Range of bytes in a file.
struct ByteRange {
  uint64_t offset = 0, length = 0;
};

/// A regular file mapped read-only, or bytes in memory. Files are not copied, so that
/// weights only take address space.
class MappedFile {
public:
  /// Opens a file that the user named; follows links.
  static llvm::Expected<std::unique_ptr<MappedFile>> open(llvm::StringRef path);
  /// Opens `location`, which a model names, in `folder` only: relative, without "..", and
  /// without symbolic links, except that the last component may be a link to a file in
  /// the folder or in `linkedFolder` (if not empty). `where` is the location for errors.
  static llvm::Expected<std::unique_ptr<MappedFile>>
  openBeneath(llvm::StringRef folder, llvm::StringRef location,
              llvm::StringRef linkedFolder, llvm::StringRef where);
  static std::unique_ptr<MappedFile> fromMemory(llvm::ArrayRef<uint8_t> bytes);

  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  llvm::ArrayRef<uint8_t> bytes() const { return {data, size}; }
  /// Returns the bytes of a range that was checked to be inside.
  llvm::ArrayRef<uint8_t> bytes(ByteRange range) const {
    return bytes().slice(range.offset, range.length);
  }

private:
  MappedFile() = default;
  static llvm::Expected<std::unique_ptr<MappedFile>> map(int fd, llvm::StringRef path);

  const uint8_t *data = nullptr;
  size_t size = 0;
  bool mapped = false;
};

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_ONNX_MAPPEDFILE_H
