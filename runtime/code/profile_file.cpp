//===- profile_file.cpp - Files that profilers read -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/code/profile_file.h"
#include "runtime/base/file_size_signal.h"
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace kiln::rt;

Status ProfileFile::fail(const char *what) const {
  return Failure{Code::OutputNotWritable,
                 path,
                 what,
                 "a file of this user",
                 std::strerror(errno),
                 "remove the file, or change the permissions"};
}

Status ProfileFile::open(const std::string &name, int flags) {
  close();
  path = name;
  fd = ::open(path.c_str(),
              O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | flags, 0600);
  struct stat info{};
  if (fd < 0 || fstat(fd, &info) != 0)
    return fail("the file for profilers cannot be opened");
  if (S_ISREG(info.st_mode) && info.st_uid == geteuid() && info.st_nlink == 1)
    return {};
  close();
  errno = EPERM;
  return fail("the file for profilers is not this user's own");
}

Status ProfileFile::write(std::string_view bytes) {
  NoFileSizeSignal hold;
  while (!bytes.empty()) {
    ssize_t done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return fail("the file for profilers cannot be written");
    bytes.remove_prefix(static_cast<size_t>(done));
  }
  return {};
}

void ProfileFile::close() {
  if (fd >= 0)
    ::close(fd);
  fd = -1;
}
