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

  /// Reads all but the weights, maps or reads those, and checks header and table.
  /// Errors: KILN-E0001, E0002, E0004, E0500 to E0504, E0515, E0700.
  static Status open(const std::string &path, const Options &options, PackageBytes &out);
  /// Copies `size` bytes of a package and checks them as `open` does. name: for messages.
  static Status copy(const void *data, size_t size, const std::string &name,
                     const Options &options, PackageBytes &out);

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
  Status readFile(const Options &options);
  Status readAround(const format::Section &weights);
  Status mapWeights(const format::Section &weights, bool guard);
  Status checkExpected(const Options &options) const;
  Failure changed(const char *found) const;

  std::string name;
  File file;      ///< closed unless weights are mapped
  Mapping memory; ///< the whole package
  bool mapped = false;
  Container table;
  BusGuard guard; ///< of the mapped weights
};

} // namespace kiln::rt

#endif // KILN_PACKAGE_PACKAGE_BYTES_H
