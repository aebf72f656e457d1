//===- file.cpp - Files and memory mappings -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/file.h"
#include "runtime/base/log.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace kiln::rt;

size_t kiln::rt::pageSize() {
  static const size_t size = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

Failure kiln::rt::misaligned(const std::string &where, const char *what, const void *data,
                             uint64_t alignment, const char *fix) {
  return {Code::BadUsage,
          where,
          what,
          "an address that is a multiple of " + std::to_string(alignment),
          std::to_string(reinterpret_cast<uintptr_t>(data) % alignment) +
              " bytes beyond one",
          fix};
}

Mapping::~Mapping() {
  if (base)
    munmap(base, length);
}

static Status
outOfMemory(const std::string &what, size_t size,
            const char *fix = "free memory or raise the limit (ulimit -v)") {
  rlimit limit{};
  std::string found = "the system refused it";
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    found = "an address space limit of " + std::to_string(limit.rlim_cur) + " bytes";
  return Failure{Code::OutOfMemory,
                 what,
                 "memory cannot be allocated",
                 std::to_string(size) + " bytes",
                 found,
                 fix};
}

/// Records size and modification time of the file that has just been opened.
Status File::look(const char *fix) {
  struct stat info{};
  if (fd < 0 || fstat(fd, &info) != 0)
    return Failure{Code::FileNotFound,          name,
                   "the file cannot be opened", "a readable file",
                   std::strerror(errno),        fix};
  if (!S_ISREG(info.st_mode))
    return Failure{Code::FileNotFound,
                   name,
                   "this is not a regular file",
                   "a regular file",
                   S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe",
                   "name the file itself"};
  bytes = wholeBytes = static_cast<uint64_t>(info.st_size);
  modified[0] = info.st_mtim.tv_sec;
  modified[1] = info.st_mtim.tv_nsec;
  return {};
}

Status File::open(const std::string &path, File &out) {
  File file;
  file.name = path;
  // With O_NONBLOCK, opening a FIFO does not wait for a writer.
  file.fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  KILN_TRY(file.look("check the path and its permissions"));
  out = std::move(file);
  return {};
}

Status File::part(int fd, uint64_t offset, uint64_t length, const std::string &name,
                  File &out) {
  File file;
  file.name = name;
  int mode = fcntl(fd, F_GETFL);
  if (mode >= 0 && (mode & O_ACCMODE) != O_WRONLY && !(mode & O_PATH))
    file.fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  else
    errno = EBADF; // the error of a read of a closed file
  KILN_TRY(file.look("open the file for reading, and close it after the call"));
  if (offset > file.bytes || length > file.bytes - offset)
    return Failure{Code::BadUsage,
                   name,
                   "the range is not within the file",
                   "an end of at most " + std::to_string(file.bytes),
                   "offset " + std::to_string(offset) + " and " + std::to_string(length) +
                       " bytes",
                   "give the place of the package in the file"};
  file.first = offset;
  file.bytes = length ? length : file.bytes - offset;
  out = std::move(file);
  return {};
}

File &File::operator=(File &&other) noexcept {
  std::swap(fd, other.fd);
  std::swap(first, other.first);
  std::swap(bytes, other.bytes);
  std::swap(wholeBytes, other.wholeBytes);
  std::swap(modified, other.modified);
  std::swap(name, other.name);
  return *this;
}

File::~File() {
  if (fd >= 0)
    close(fd);
}

static Status readFailed(const std::string &path, const char *what) {
  return Failure{Code::FileReadFailed,
                 path,
                 what,
                 "",
                 std::strerror(errno),
                 "check the disk and the file system"};
}

Status File::map(Mapping &out) const {
  if (!bytes) {
    out = Mapping();
    return {};
  }
  void *data = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED)
    return errno == ENOMEM ? outOfMemory(name, bytes)
                           : readFailed(name, "the file cannot be mapped");
  out = Mapping(data, bytes);
  return {};
}

Status File::read(void *data, size_t size, uint64_t offset) const {
  auto *to = static_cast<uint8_t *>(data);
  while (size) {
    ssize_t got = pread(fd, to, size, static_cast<off_t>(first + offset));
    if (got < 0 && errno == EINTR)
      continue;
    if (got == 0)
      errno = ENODATA;
    if (got <= 0)
      return readFailed(name, "the file cannot be read");
    to += got, offset += got, size -= got;
  }
  return {};
}

Status File::mapAt(void *place, uint64_t offset, size_t size) const {
  void *data = mmap(place, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd,
                    static_cast<off_t>(first + offset));
  if (data != MAP_FAILED)
    return {};
  return errno == ENOMEM ? outOfMemory(name, size)
                         : readFailed(name, "the file cannot be mapped");
}

File::Change File::change() const {
  struct stat info{};
  if (fstat(fd, &info) != 0)
    return Change::Content;
  if (static_cast<uint64_t>(info.st_size) != wholeBytes)
    return Change::Size;
  bool same = info.st_mtim.tv_sec == modified[0] && info.st_mtim.tv_nsec == modified[1];
  return same ? Change::None : Change::Content;
}

Status Mapping::reserve(size_t size, const std::string &what, Mapping &out) {
  if (!size) {
    out = Mapping();
    return {};
  }
  void *data = mmap(nullptr, size, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED)
    return outOfMemory(what, size);
  out = Mapping(data, size);
  return {};
}

Status Mapping::makeWritable(size_t offset, size_t size, const std::string &what) {
  size_t lead = offset % pageSize();
  if (size && mprotect(data() + offset - lead, size + lead, PROT_READ | PROT_WRITE) != 0)
    return outOfMemory(what, size);
  return {};
}

void Mapping::makeReadOnly() {
  if (base)
    mprotect(base, length, PROT_READ);
}

/// Names a mapping in /proc/self/maps, which profilers and crash reports read. Linux
/// kernels without names of anonymous memory return an error, which is ignored.
static void nameMapping(void *data, size_t size) {
  prctl(PR_SET_VMA, PR_SET_VMA_ANON_NAME, data, size, "kiln-kernels");
}

/// Maps code from a memory file (memfd) as executable, for systems that forbid making
/// writable pages executable (MemoryDenyWriteExecute of systemd, PR_SET_MDWE): pages of a
/// memory file are executable from the start.
static void *mapFromMemory(const void *code, size_t size) {
  int fd = memfd_create("kiln-kernels", MFD_CLOEXEC);
  if (fd < 0)
    return MAP_FAILED;
  auto *from = static_cast<const char *>(code);
  size_t done = 0;
  for (ssize_t got = 1; done < size && got > 0; done += got > 0 ? size_t(got) : 0)
    got = write(fd, from + done, size - done);
  void *data = done < size
                   ? MAP_FAILED
                   : mmap(nullptr, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
  close(fd);
  return data;
}

Status kiln::rt::copyExecutable(const void *code, size_t size, const std::string &what,
                                Mapping &out) {
  void *data =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED)
    return outOfMemory(what, size);
  Mapping copy(data, size);
  std::memcpy(data, code, size);
  nameMapping(data, size);
  if (mprotect(data, size, PROT_READ | PROT_EXEC) == 0) {
    out = std::move(copy);
    return {};
  }
  int refused = errno;
  data = mapFromMemory(code, size);
  if (data == MAP_FAILED)
    return Failure{Code::ImageNotExecutable,
                   what,
                   "the code of the package cannot be made executable",
                   "a system that lets a process map code",
                   std::strerror(refused),
                   "relax the security policy that forbids it"};
  out = Mapping(data, size);
  writeLog(KILN_LOG_INFO, "kiln.code.mapped_from_memory",
           "no page may become executable: the code was mapped from a file in memory",
           {{"kiln.code.size", double(size)}});
  return {};
}

Status kiln::rt::allocatePages(size_t size, const std::string &what, Mapping &out,
                               Promise promise) {
  constexpr int access = PROT_READ | PROT_WRITE, flags = MAP_PRIVATE | MAP_ANONYMOUS;
  const char *fix =
      "narrow the session's dims, free memory or raise the limit (ulimit -v)";
  size_t page = pageSize();
  if (size > SIZE_MAX / 2)
    return outOfMemory(what, size, fix);
  size_t usable = (size + page - 1) / page * page;
  void *data = mmap(nullptr, usable + page, access, flags, -1, 0);
  if (data == MAP_FAILED && promise == Promise::AddressesIfRefused)
    data = mmap(nullptr, usable + page, access, flags | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED)
    return outOfMemory(what, size, fix);
  Mapping memory(data, usable + page);
  // A guard page: code that runs past its end traps instead of executing other data.
  mprotect(memory.data() + usable, page, PROT_NONE);
  out = std::move(memory);
  return {};
}
