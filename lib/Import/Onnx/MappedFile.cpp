//===- MappedFile.cpp - Model and weight files, read by mmap --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Onnx/MappedFile.h"
#include "kiln/ErrorCodes/Model.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Error.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace kiln;
using namespace kiln::import;
using namespace llvm;

namespace {
/// Closes a descriptor at the end of the scope.
struct Descriptor {
  int fd;
  explicit Descriptor(int fd) : fd(fd) {}
  Descriptor(const Descriptor &) = delete;
  ~Descriptor() { reset(-1); }
  void reset(int other) {
    if (fd >= 0)
      ::close(fd);
    fd = other;
  }
};
} // namespace

MappedFile::~MappedFile() {
  if (mapped)
    ::munmap(const_cast<uint8_t *>(data), size);
}

std::unique_ptr<MappedFile> MappedFile::fromMemory(ArrayRef<uint8_t> bytes) {
  std::unique_ptr<MappedFile> file(new MappedFile);
  file->data = bytes.data();
  file->size = bytes.size();
  return file;
}

Expected<std::unique_ptr<MappedFile>> MappedFile::map(int fd, StringRef path) {
  struct stat info;
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
    return makeError({ErrorCode::FileReadFailed, path.str(), "cannot be read",
                      "a regular file", "a folder, device or pipe",
                      "name the model's file"});
  std::unique_ptr<MappedFile> file(new MappedFile);
  file->size = info.st_size;
  if (!file->size)
    return file;
  void *base = ::mmap(nullptr, file->size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (base == MAP_FAILED)
    return makeError({ErrorCode::FileReadFailed, path.str(),
                      "cannot be mapped into memory", "", std::strerror(errno),
                      "check the file and the address space limit"});
  file->data = static_cast<const uint8_t *>(base);
  file->mapped = true;
  return file;
}

Expected<std::unique_ptr<MappedFile>> MappedFile::open(StringRef path) {
  // Without O_NONBLOCK, opening a pipe would block forever.
  Descriptor file(::open(path.str().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.fd < 0)
    return makeError({ErrorCode::FileNotFound, path.str(), "cannot be opened",
                      "a readable model", std::strerror(errno),
                      "check the path and its permissions"});
  return map(file.fd, path);
}

static Error outside(StringRef where, StringRef location, StringRef found) {
  return makeError(
      {ErrorCode::ExternalDataOutside, where.str(),
       "external data '" + location.str() + "' is not inside the model's folder",
       "a relative path without '..' and without symbolic links out of it", found.str(),
       "copy the data beside the model and save the model with that location, or name "
       "the folder that links lead into with --external-data-from"});
}

/// Returns the target of a link, relative to the real path of `folder`; "" if outside.
static std::string endInFolder(StringRef link, StringRef folder) {
  SmallString<256> end, real;
  if (folder.empty() || sys::fs::real_path(link, end) || sys::fs::real_path(folder, real))
    return "";
  StringRef rest = end;
  if (!rest.consume_front(real) || !rest.consume_front("/"))
    return "";
  return rest.str();
}

Expected<std::unique_ptr<MappedFile>> MappedFile::openBeneath(StringRef folder,
                                                              StringRef location,
                                                              StringRef linkedFolder,
                                                              StringRef where) {
  if (location.empty() || location.starts_with("/") || location.contains('\0'))
    return outside(where, location,
                   location.empty() ? "an empty path" : "an absolute path");
  SmallVector<StringRef> parts;
  location.split(parts, '/', -1, /*KeepEmpty=*/false);
  Descriptor at(::open(folder.empty() ? "." : folder.str().c_str(),
                       O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Opens each component with O_NOFOLLOW: nothing can lead out of the folder, even if
  // folders change meanwhile.
  for (auto [i, part] : llvm::enumerate(parts)) {
    if (part == "..")
      return outside(where, location, "'..'");
    bool last = i + 1 == parts.size();
    int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | (last ? O_NONBLOCK : O_DIRECTORY);
    struct stat info;
    if (at.fd >= 0 &&
        ::fstatat(at.fd, part.str().c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISLNK(info.st_mode)) {
      SmallString<256> path(folder);
      sys::path::append(path, location);
      // The link's target is opened like any other file: by a path without links.
      StringRef own = folder.empty() ? "." : folder;
      for (StringRef allowed : {own, linkedFolder})
        if (std::string end = last ? endInFolder(path, allowed) : "";
            !end.empty() && end != location)
          return openBeneath(allowed, end, "", where);
      return outside(where, location, "the symbolic link '" + part.str() + "'");
    }
    int next = at.fd < 0 ? -1 : ::openat(at.fd, part.str().c_str(), flags);
    int error = errno;
    if (next < 0)
      return makeError(
          {ErrorCode::ExternalDataMissing, where.str(),
           "external data '" + location.str() + "' cannot be opened",
           "a file in folder '" + (folder.empty() ? "." : folder.str()) + "'",
           std::strerror(error), "put the file beside the model"});
    at.reset(next);
  }
  return map(at.fd, location);
}
