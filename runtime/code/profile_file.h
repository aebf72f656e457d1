//===- profile_file.h - Files that profilers read ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODE_PROFILE_FILE_H
#define KILN_CODE_PROFILE_FILE_H

#include "runtime/base/status.h"
#include <string_view>

namespace kiln::rt {

/// A file in a folder that all users may write to, such as /tmp. Other users' symbolic
/// links are not followed, and other users' files are refused.
class ProfileFile {
public:
  ProfileFile() = default;
  ProfileFile(const ProfileFile &) = delete;
  ~ProfileFile() { close(); }

  /// flags: O_APPEND or O_TRUNC. Errors: KILN-E0003.
  Status open(const std::string &path, int flags);
  Status write(std::string_view bytes);
  void close();
  int descriptor() const { return fd; }

private:
  Status fail(const char *what) const;
  int fd = -1;
  std::string path;
};

} // namespace kiln::rt

#endif // KILN_CODE_PROFILE_FILE_H
