//===- file.h - Files and memory mappings -----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_FILE_H
#define KILN_BASE_FILE_H

#include "runtime/base/status.h"
#include <cstddef>
#include <cstdint>
#include <utility>

namespace kiln::rt {

/// A range of memory from mmap, unmapped on destruction.
class Mapping {
public:
  Mapping() = default;
  Mapping(void *data, size_t size) : base(data), length(size) {}
  Mapping(Mapping &&other) noexcept { *this = std::move(other); }
  Mapping &operator=(Mapping &&other) noexcept {
    std::swap(base, other.base);
    std::swap(length, other.length);
    return *this;
  }
  ~Mapping();

  uint8_t *data() const { return static_cast<uint8_t *>(base); }
  size_t size() const { return length; }

  /// Reserves address space without memory. what: for error messages.
  static Status reserve(size_t size, const std::string &what, Mapping &out);
  /// Backs the pages of [offset, offset + size) with writable memory; pages that already
  /// have memory keep their content.
  Status makeWritable(size_t offset, size_t size, const std::string &what);
  void makeReadOnly();

private:
  void *base = nullptr;
  size_t length = 0;
};

/// A regular file opened for reading, or a range of one. Knows its size and whether it
/// has been modified since.
class File {
public:
  enum class Change { None, Size, Content };

  static Status open(const std::string &path, File &out);
  /// Opens `length` bytes from `offset` of a file whose descriptor the caller has, and
  /// may close; length 0: up to the end of the file. name: for error messages. Errors:
  /// KILN-E0001, E0002.
  static Status part(int fd, uint64_t offset, uint64_t length, const std::string &name,
                     File &out);
  File() = default;
  File(File &&other) noexcept { *this = std::move(other); }
  File &operator=(File &&other) noexcept;
  ~File();

  uint64_t size() const { return bytes; }
  const std::string &path() const { return name; }
  bool isOpen() const { return fd >= 0; }
  /// Offset of this range in its file.
  uint64_t begin() const { return first; }
  /// Returns how the file has changed since it was opened. Content: its modification time
  /// differs.
  Change change() const;

  /// Maps [0, size) read-only and private. An empty file gives an empty mapping.
  Status map(Mapping &out) const;
  /// Maps [offset, offset + size) read-only and private over the pages at `place`;
  /// `place` and begin() + offset are multiples of the page size.
  Status mapAt(void *place, uint64_t offset, size_t size) const;
  Status read(void *data, size_t size, uint64_t offset) const;

private:
  Status look(const char *fix);

  int fd = -1;
  uint64_t first = 0, bytes = 0;
  uint64_t wholeBytes = 0;      ///< size of the entire file
  int64_t modified[2] = {0, 0}; ///< seconds, nanoseconds
  std::string name;
};

/// Copies code into memory that can be executed and is never writable and executable at
/// once. A copy rather than a mapping of the file, which may change after its hash was
/// checked. what: for error messages.
Status copyExecutable(const void *code, size_t size, const std::string &what,
                      Mapping &out);

/// Whether allocatePages falls back to address space without committed memory if the
/// system refuses to commit it.
enum class Promise { Memory, AddressesIfRefused };

/// Allocates `size` bytes of zeroed memory followed by a guard page that traps on access.
/// what: for error messages, "arena activations of model.kiln".
Status allocatePages(size_t size, const std::string &what, Mapping &out,
                     Promise promise = Promise::Memory);

size_t pageSize();

inline bool isAligned(const void *data, uint64_t alignment) {
  return reinterpret_cast<uintptr_t>(data) % alignment == 0;
}
/// Returns the error for memory of the caller that is not aligned.
Failure misaligned(const std::string &where, const char *what, const void *data,
                   uint64_t alignment, const char *fix);

} // namespace kiln::rt

#endif // KILN_BASE_FILE_H
