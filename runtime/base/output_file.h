//===- output_file.h - Files that appear whole or not at all ----*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_OUTPUT_FILE_H
#define KILN_BASE_OUTPUT_FILE_H

#include "runtime/base/status.h"
#include <cstdint>

namespace kiln::rt {

/// A file that is written under a temporary name in the folder of its path and renamed by
/// commit(); without commit() it is removed. The rename is atomic, and the content is on
/// the disk before it: after a power cut either the old file or the complete new one
/// exists. The next writer of the same path unlinks temporary files of processes that
/// were killed; those of live processes are locked (flock). A path that exists and is no
/// regular file (a device, a pipe) is written directly. Errors: KILN-E0003, E0701.
class OutputFile {
public:
  static Status create(const std::string &path, OutputFile &out);
  OutputFile() = default;
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  ~OutputFile();

  Status write(const void *data, size_t size);
  /// Overwrites bytes already written.
  Status writeAt(const void *data, size_t size, uint64_t offset);
  Status commit();

private:
  Status fail(const char *what, int error) const;
  void removeAbandoned() const;

  int fd = -1;
  std::string path;
  std::string temporary; ///< path of the temporary file; "" if the path is written
                         ///< directly
};

} // namespace kiln::rt

#endif // KILN_BASE_OUTPUT_FILE_H
