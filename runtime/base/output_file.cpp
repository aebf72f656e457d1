//===- output_file.cpp - Files that appear whole or not at all ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/output_file.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace kiln::rt;

namespace {
/// A file size limit (ulimit -f) raises SIGXFSZ, which would end the process:
/// hold it back in this thread and let the write fail with EFBIG instead.
class NoFileSizeSignal {
public:
  NoFileSizeSignal() {
    sigset_t pending;
    sigemptyset(&signal);
    sigaddset(&signal, SIGXFSZ);
    sigpending(&pending);
    wasPending = sigismember(&pending, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal, &before);
  }
  ~NoFileSizeSignal() {
    int error = errno;
    const timespec now{};
    if (!wasPending)
      sigtimedwait(&signal, nullptr, &now);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
  }

private:
  sigset_t signal, before;
  bool wasPending;
};
} // namespace

OutputFile::~OutputFile() {
  if (fd >= 0)
    close(fd);
  if (!temporary.empty())
    unlink(temporary.c_str());
}

Status OutputFile::fail(const char *what, int error) const {
  bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return Failure{full ? Code::DiskFull : Code::OutputNotWritable,
                 path,
                 what,
                 full ? "enough space" : "a writable folder",
                 std::strerror(error),
                 full ? "free disk space or choose another folder"
                      : "choose another path or change the permissions"};
}

Status OutputFile::create(const std::string &path, OutputFile &out) {
  out.path = path;
  struct stat info{};
  bool exists = stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode))
    return out.fail("the output is a folder", EISDIR);
  if (exists && !S_ISREG(info.st_mode)) {
    out.fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    return out.fd < 0 ? out.fail("the output cannot be opened", errno) : Status();
  }
  if (exists && access(path.c_str(), W_OK) != 0)
    return out.fail("the output exists and is protected", errno);
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 100; ++attempt) {
    char suffix[64];
    std::snprintf(suffix, sizeof suffix, ".%ld-%u.tmp", static_cast<long>(getpid()),
                  counter.fetch_add(1));
    std::string name = path + suffix;
    out.fd = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (out.fd >= 0) {
      out.temporary = name;
      return {};
    }
    if (errno != EEXIST)
      break;
  }
  return out.fail("the output cannot be created", errno);
}

Status OutputFile::write(const void *data, size_t size) {
  NoFileSizeSignal guard;
  auto *bytes = static_cast<const char *>(data);
  while (size) {
    ssize_t n = ::write(fd, bytes, std::min(size, size_t(1) << 30));
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return fail("the output cannot be written", errno);
    bytes += n;
    size -= static_cast<size_t>(n);
  }
  return {};
}

Status OutputFile::writeAt(const void *data, size_t size, uint64_t offset) {
  if (lseek(fd, static_cast<off_t>(offset), SEEK_SET) < 0)
    return fail("the output cannot be written", errno);
  return write(data, size);
}

Status OutputFile::commit() {
  int closed = close(fd); // may be where a network file system reports an error
  fd = -1;
  if (closed != 0)
    return fail("the output cannot be written", errno);
  if (temporary.empty())
    return {};
  if (rename(temporary.c_str(), path.c_str()) != 0)
    return fail("the output cannot be replaced", errno);
  temporary.clear();
  return {};
}
