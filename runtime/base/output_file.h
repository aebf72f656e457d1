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

/// Written under a temporary name in the folder of its path and renamed by
/// commit(). Without commit() nothing is left. The rename is atomic, and the content is
/// on the disk before it: a power cut leaves the old file or the whole new one. The next
/// writer of a path unlinks the temporary files of processes that were killed; those of
/// living ones are locked (flock). A path that exists and is no regular file (a device,
/// a pipe) is written directly. Errors: KILN-E0003, E0701.
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
  std::string temporary; ///< "" when written directly
};

} // namespace kiln::rt

#endif // KILN_BASE_OUTPUT_FILE_H
