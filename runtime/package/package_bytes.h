//===- package_bytes.h - The bytes of a package in memory -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything but the weights is read into memory before it is checked, so that later
// changes of the file affect neither plan nor code. The weights, most of a package, are
// mapped: processes that run the same file use one copy in memory. Changes of the file
// affect that mapping:
//  - detectable changes (size, modification time) make a run fail;
//  - a truncated page would raise SIGBUS; see bus_guard.h.
//
// Weights in memory of the caller are used in place.
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
    const char *expected = nullptr; ///< SHA-256 of the entire package, hexadecimal
  };

  /// Location of a package.
  struct Source {
    enum Kind {
      Path,       ///< file with this name
      Copied,     ///< memory of the caller, copied
      Borrowed,   ///< memory of the caller; the weights are used in place
      Descriptor, ///< range of an open file
    };
    Kind kind = Path;
    const char *name = nullptr; ///< also for error messages
    std::span<const uint8_t> memory = {};
    int fd = -1;
    uint64_t offset = 0, length = 0; ///< range in the file; length 0: up to the end
  };

  /// Reads all but the weights, maps or reads these, and checks header and table. out:
  /// must be new; not usable after a failure. Errors: KILN-E0001, E0002, E0004, E0500 to
  /// E0504, E0515, E0700.
  static Status open(const Source &source, Options options, PackageBytes &out);

  const Container &container() const { return table; }
  uint64_t size() const { return memory.size(); }
  const uint8_t *data() const { return memory.data(); }
  /// The path, or a name for error messages.
  const std::string &path() const { return name; }

  /// Compares all sections except the weights with their hashes.
  Status verify() const { return table.verifyAll(/*weights=*/false); }
  const format::Section &weights() const { return *table.find(format::Weights); }
  /// Implements ChunkReader for the weights: uses read() rather than the mapping, where
  /// truncating the file meanwhile would raise SIGBUS. Thread-safe.
  const void *readWeights(uint64_t offset, size_t size, uint8_t *buffer) const;
  /// Compares the hash of the weights, or returns the error if they could not be read.
  Status compareWeights(bool wasRead, const Sha256Digest &digest) const;
  /// Returns KILN-E0514 if the file of mapped weights was modified since open.
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
  File file;                      ///< closed if weights are not mapped
  std::span<const uint8_t> given; ///< memory of the caller instead of a file
  Mapping memory;                 ///< the package, without weights of the caller
  bool mapped = false;
  Container table;
  BusGuard guard; ///< for mapped weights, or the caller's memory
};

} // namespace kiln::rt

#endif // KILN_PACKAGE_PACKAGE_BYTES_H
