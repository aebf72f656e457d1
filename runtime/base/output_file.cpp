//===- output_file.cpp - Files that appear whole or not at all ------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/output_file.h"
#include "runtime/base/file_size_signal.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace kiln::rt;

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

/// Whether `name` is `base` followed by ".PID-NUMBER.tmp".
static bool isTemporaryOf(std::string_view base, std::string_view name) {
  constexpr std::string_view end = ".tmp";
  if (!name.starts_with(base) || !name.ends_with(end) ||
      name.size() < base.size() + end.size() + 4 || name[base.size()] != '.')
    return false;
  name = name.substr(base.size() + 1, name.size() - base.size() - 1 - end.size());
  size_t dash = name.find('-');
  return dash != name.npos && dash > 0 && dash + 1 < name.size() &&
         name.find_first_not_of("0123456789-") == name.npos;
}

/// Removes a temporary file that no process has locked. The writer of a temporary file
/// holds its lock (flock), which the system releases when the process ends in whatever
/// way.
static void removeIfAbandoned(int folder, const char *name) {
  int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0)
    return;
  struct stat info{};
  if (flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &info) == 0 &&
      S_ISREG(info.st_mode))
    unlinkat(folder, name, 0);
  close(file);
}

void OutputFile::removeAbandoned() const {
  size_t slash = path.rfind('/');
  std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
  std::string base = slash == path.npos ? path : path.substr(slash + 1);
  DIR *entries = opendir(folder.c_str());
  if (!entries)
    return;
  while (const dirent *entry = readdir(entries))
    if (isTemporaryOf(base, entry->d_name))
      removeIfAbandoned(dirfd(entries), entry->d_name);
  closedir(entries);
}

/// Locks a new file; false if another process has already removed it as abandoned.
static bool lock(int file) {
  struct stat info{};
  // On a file system without locks, temporary files of killed processes stay.
  return flock(file, LOCK_EX | LOCK_NB) != 0 ||
         (fstat(file, &info) == 0 && info.st_nlink > 0);
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
  out.removeAbandoned();
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 100; ++attempt) {
    char suffix[64];
    std::snprintf(suffix, sizeof suffix, ".%ld-%u.tmp", static_cast<long>(getpid()),
                  counter.fetch_add(1));
    std::string name = path + suffix;
    out.fd = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (out.fd >= 0 && lock(out.fd)) {
      out.temporary = name;
      return {};
    }
    if (out.fd >= 0) {
      close(out.fd);
      out.fd = -1;
      continue;
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

/// Syncs the folder, so that the rename is on the disk. Errors are ignored: if a power
/// cut undoes the rename, the old file is still complete.
static void syncFolder(const std::string &path) {
  size_t slash = path.rfind('/');
  std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
  int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  fsync(fd);
  close(fd);
}

Status OutputFile::commit() {
  if (!temporary.empty() && fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP)
    return fail("the output cannot be written", errno);
  int closed = close(fd); // a network file system may report a write error here
  fd = -1;
  if (closed != 0)
    return fail("the output cannot be written", errno);
  if (temporary.empty())
    return {};
  if (rename(temporary.c_str(), path.c_str()) != 0)
    return fail("the output cannot be replaced", errno);
  temporary.clear();
  syncFolder(path);
  return {};
}
