//===- package_bytes.h - The bytes of a package in memory -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything but the weights is read before it is checked, so that a later change of
// the file reaches neither the plan nor the code. The weights, nearly all of a package,
// are mapped: processes that run the same file have them in memory once. What happens
// to that mapping when somebody writes to the file is decided here, too:
//  - changes that can be seen (size, time of modification) make a run fail;
//  - a page that is gone would raise SIGBUS; see bus_guard.h.
// Weights in memory of the caller are used where they are.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PACKAGE_PACKAGE_BYTES_H
#define KILN_PACKAGE_PACKAGE_BYTES_H

#include "runtime/base/bus_guard.h"
#include "runtime/base/file.h"
#include "runtime/package/container.h"

namespace kiln::rt {

class PackageBytes {
public:
  struct Options {
    bool inMemory = false;
    bool guard = false;             ///< see bus_guard.h
    const char *expected = nullptr; ///< SHA-256 of the whole package, hexadecimal
  };

  /// Where a package is.
  struct Source {
    enum Kind {
      Path,       ///< the name
      Copied,     ///< memory of the caller
      Borrowed,   ///< memory of the caller, of which the weights stay as they are
      Descriptor, ///< a part of an open file
    };
    Kind kind = Path;
    const char *name = nullptr; ///< for messages, too
    std::span<const uint8_t> memory = {};
    int fd = -1;
    uint64_t offset = 0, length = 0; ///< of the part; length 0: up to the end
  };

  /// Reads all but the weights, maps or reads those, and checks header and table. out: a
  /// new one, of no use if this fails. Errors: KILN-E0001, E0002, E0004, E0500 to E0504,
  /// E0515, E0700.
  static Status open(const Source &source, Options options, PackageBytes &out);

  const Container &container() const { return table; }
  uint64_t size() const { return memory.size(); }
  const uint8_t *data() const { return memory.data(); }
  /// The path, or how messages call the bytes.
  const std::string &path() const { return name; }

  /// Compares all sections but the weights with their hashes.
  Status verify() const { return table.verifyAll(/*weights=*/false); }
  const format::Section &weights() const { return *table.find(format::Weights); }
  /// Reads weights as ChunkReader says: by read and not through the mapping, where a file
  /// that shrinks meanwhile would raise SIGBUS. For any thread.
  const void *readWeights(uint64_t offset, size_t size, uint8_t *buffer) const;
  /// Compares the hash of what was read of the weights; false: of what could not be.
  Status compareWeights(bool wasRead, const Sha256Digest &digest) const;
  /// KILN-E0514 if the file of mapped weights was written to since open.
  Status checkUnchanged() const;

private:
  Status find(const Source &source);
  Status borrow(const Options &options);
  Status readAll(const Options &options);
  Status read(uint64_t offset, uint64_t size);
  Status readAround(const format::Section &weights);
  Status placeWeights(const format::Section &weights, bool guard);
  Status checkExpected(const Options &options) const;
  Failure changed(const char *found) const;

  std::string name;
  File file;                      ///< closed unless weights are mapped
  std::span<const uint8_t> given; ///< memory of the caller in place of a file
  Mapping memory;                 ///< the whole package, but weights of the caller
  bool mapped = false;
  Container table;
  BusGuard guard; ///< of mapped weights, or of the caller's memory
};

} // namespace kiln::rt

#endif // KILN_PACKAGE_PACKAGE_BYTES_H
