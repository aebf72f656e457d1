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

  /// Addresses without memory behind them. what: for messages.
  static Status reserve(size_t size, const std::string &what, Mapping &out);
  /// Memory for the pages of [offset, offset + size); what was in it stays.
  Status makeWritable(size_t offset, size_t size, const std::string &what);
  void makeReadOnly();

private:
  void *base = nullptr;
  size_t length = 0;
};

/// A regular file open for reading, or a part of one; knows its size and whether it was
/// written to since.
class File {
public:
  enum class Change { None, Size, Content };

  static Status open(const std::string &path, File &out);
  /// `length` bytes from `offset` of a file that the caller has open, and may close; 0:
  /// up to its end. name: for messages. Errors: KILN-E0001, E0002.
  static Status part(int fd, uint64_t offset, uint64_t length, const std::string &name,
                     File &out);
  File() = default;
  File(File &&other) noexcept { *this = std::move(other); }
  File &operator=(File &&other) noexcept;
  ~File();

  uint64_t size() const { return bytes; }
  const std::string &path() const { return name; }
  bool isOpen() const { return fd >= 0; }
  /// Where it begins in the file that it is a part of.
  uint64_t begin() const { return first; }
  /// Since open. Content: somebody wrote to it, or set its time of modification.
  Change change() const;

  /// Maps [0, size) read-only and private. An empty file gives an empty mapping.
  Status map(Mapping &out) const;
  /// Maps [offset, offset + size) read-only and private in place of the pages at
  /// `place`; that and begin() + offset are multiples of the page size.
  Status mapAt(void *place, uint64_t offset, size_t size) const;
  Status read(void *data, size_t size, uint64_t offset) const;

private:
  Status look(const char *fix);

  int fd = -1;
  uint64_t first = 0, bytes = 0;
  uint64_t wholeBytes = 0;      ///< of the file that it is a part of
  int64_t modified[2] = {0, 0}; ///< seconds, nanoseconds
  std::string name;
};

/// A copy of code that can be executed; never writable and executable at once. A copy,
/// as a file may change after its hash was compared. what: for messages.
Status copyExecutable(const void *code, size_t size, const std::string &what,
                      Mapping &out);

/// Whether a system that refuses to promise the memory may give its addresses alone.
enum class Promise { Memory, AddressesIfRefused };

/// Zeroed memory of `size` bytes followed by a page that traps on access.
/// what: for the message, "arena activations of model.kiln".
Status allocatePages(size_t size, const std::string &what, Mapping &out,
                     Promise promise = Promise::Memory);

size_t pageSize();

inline bool isAligned(const void *data, uint64_t alignment) {
  return reinterpret_cast<uintptr_t>(data) % alignment == 0;
}
/// Describes memory of the caller that is not aligned.
Failure misaligned(const std::string &where, const char *what, const void *data,
                   uint64_t alignment, const char *fix);

} // namespace kiln::rt

#endif // KILN_BASE_FILE_H
