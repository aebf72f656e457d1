//===- Archive.h - Valid and invalid archives of arrays ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_MODELS_ARCHIVE_H
#define KILN_TEST_MODELS_ARCHIVE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiln::test {

/// Returns an integer in `bytes` little-endian bytes.
std::string little(uint64_t value, size_t bytes);

/// An entry of a zip file, with all fields of its records.
struct ZipEntry {
  ZipEntry(std::string name, const std::string &contents, bool deflates = false);

  std::string name, packed, extra, comment;
  uint16_t method, flags = 0;
  uint32_t size, packedSize = 0, crc = 0;
  std::optional<uint32_t> offset; ///< in the directory; none: the correct one
};

/// Returns a zip file. `count`: entries according to the end record; none: the correct
/// number.
std::string zipOf(const std::vector<ZipEntry> &entries, const std::string &comment = "",
                  std::optional<uint16_t> count = std::nullopt);

/// Returns the bytes of a .npy file of f32.
std::string npyOf(const std::vector<int64_t> &shape, const std::vector<float> &values);

} // namespace kiln::test

#endif // KILN_TEST_MODELS_ARCHIVE_H
