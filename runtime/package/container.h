//===- container.h - Header and sections of a package -----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PACKAGE_CONTAINER_H
#define KILN_PACKAGE_CONTAINER_H

#include "runtime/base/sha256.h"
#include "runtime/base/status.h"
#include "runtime/package/format.h"
#include <span>
#include <vector>

namespace kiln::rt {

/// The checked section table of a package. Refers to the bytes, which must outlive it.
class Container {
public:
  /// Checks header and table: magic, version, sizes, hash of the table, types, order,
  /// alignment, sections inside the file and disjoint. Reads no section. name: for error
  /// messages.
  static Status parse(std::span<const uint8_t> bytes, const std::string &name,
                      Container &out);

  /// Finds a section; NULL if there is none.
  const format::Section *find(format::SectionType type, uint32_t index = 0) const;
  uint32_t count(format::SectionType type) const;
  /// Sets another address for the weights than that in the package's bytes.
  void placeWeights(const uint8_t *data) { weightsPlace = data; }
  std::span<const uint8_t> bytes(const format::Section &section) const;

  /// Compares a chunkHash with the hash of a section.
  Status compare(const format::Section &section, const Sha256Digest &digest) const;
  /// Compares the content of a section with its hash.
  Status verify(const format::Section &section) const;
  /// Verifies all sections, or all but the weights.
  Status verifyAll(bool weights) const;
  /// Whether the format version is that of packages for several ranks.
  bool isForRanks() const { return forRanks; }

private:
  Failure malformedHeader(const char *field, std::string expected,
                          std::string found) const;
  Status checkHeader(format::Header &header);
  Status checkDigest(format::Header header) const;
  Status checkSections() const;
  Status checkSet() const;

  std::string name;
  std::span<const uint8_t> file;
  const uint8_t *weightsPlace = nullptr; ///< null: in the package's bytes
  std::vector<format::Section> sections;
  bool forRanks = false;
};

/// Returns "plan", "host image 1" ...
std::string sectionName(const format::Section &section);

} // namespace kiln::rt

#endif // KILN_PACKAGE_CONTAINER_H
