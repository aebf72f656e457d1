//===- package_bytes.cpp - The bytes of a package in memory ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/package/package_bytes.h"
#include "runtime/base/chunk_hash.h"
#include <algorithm>
#include <cctype>
#include <cstring>
#include <vector>

using namespace kiln::rt;

Status PackageBytes::open(const std::string &path, const Options &options,
                          PackageBytes &out) {
  PackageBytes bytes;
  bytes.name = path;
  KILN_TRY(File::open(path, bytes.file));
  KILN_TRY(Mapping::reserve(bytes.file.size(), path, bytes.memory));
  KILN_TRY(bytes.readFile(options));
  if (!bytes.mapped)
    bytes.file = File();
  out = std::move(bytes);
  return {};
}

Status PackageBytes::copy(const void *data, size_t size, const std::string &name,
                          const Options &options, PackageBytes &out) {
  PackageBytes bytes;
  bytes.name = name;
  KILN_TRY(Mapping::reserve(size, name, bytes.memory));
  KILN_TRY(bytes.memory.makeWritable(0, size, name));
  if (size)
    std::memcpy(bytes.memory.data(), data, size);
  bytes.memory.makeReadOnly();
  KILN_TRY(bytes.checkExpected(options));
  KILN_TRY(Container::parse({bytes.memory.data(), size}, name, bytes.table));
  out = std::move(bytes);
  return {};
}

Status PackageBytes::readFile(const Options &options) {
  // What follows the largest table is read when the table says where it is.
  size_t head =
      std::min<uint64_t>(file.size(), sizeof(format::Header) +
                                          format::maxSections * sizeof(format::Section));
  size_t first = options.inMemory ? file.size() : head;
  KILN_TRY(memory.makeWritable(0, first, name));
  KILN_TRY(file.read(memory.data(), first, 0));
  KILN_TRY(checkExpected(options));
  KILN_TRY(Container::parse({memory.data(), memory.size()}, name, table));
  const format::Section &weights = *table.find(format::Weights);
  if (!options.inMemory) {
    KILN_TRY(readAround(weights));
    KILN_TRY(mapWeights(weights, options.guard));
  }
  memory.makeReadOnly();
  return {};
}

/// All but the pages of the weights. Their last page belongs to them: what else may lie
/// in it is read by nobody who has not compared its hash.
Status PackageBytes::readAround(const format::Section &weights) {
  uint64_t begin = weights.offset;
  uint64_t end =
      std::min<uint64_t>(file.size(), format::alignUp(begin + weights.size, pageSize()));
  if (!weights.size)
    begin = end = file.size();
  KILN_TRY(memory.makeWritable(0, begin, name));
  KILN_TRY(file.read(memory.data(), begin, 0));
  if (end == file.size())
    return {};
  KILN_TRY(memory.makeWritable(end, file.size() - end, name));
  return file.read(memory.data() + end, file.size() - end, end);
}

Status PackageBytes::mapWeights(const format::Section &weights, bool guarded) {
  if (!weights.size)
    return {};
  // Sections are aligned to 4 KiB; a system with larger pages has to read them.
  if (weights.offset % pageSize() != 0) {
    KILN_TRY(memory.makeWritable(0, memory.size(), name));
    return file.read(memory.data() + weights.offset, weights.size, weights.offset);
  }
  uint8_t *place = memory.data() + weights.offset;
  KILN_TRY(file.mapAt(place, weights.offset, weights.size));
  mapped = true;
  if (guarded)
    guard = BusGuard(place, format::alignUp(weights.size, pageSize()));
  return {};
}

//===----------------------------------------------------------------------===//
// Hashes
//===----------------------------------------------------------------------===//

Status PackageBytes::checkExpected(const Options &options) const {
  if (!options.expected)
    return {};
  std::string wanted = options.expected;
  std::ranges::transform(wanted, wanted.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  if (wanted.size() != 64 ||
      wanted.find_first_not_of("0123456789abcdef") != std::string::npos)
    return Failure{Code::BadUsage,
                   name,
                   "the expected SHA-256 is none",
                   "64 hexadecimal digits",
                   "\"" + wanted + "\"",
                   "give what sha256sum prints for the package"};
  Sha256 hash;
  if (file.isOpen() && !options.inMemory) {
    std::vector<uint8_t> buffer(hashChunkBytes);
    for (uint64_t at = 0; at < file.size(); at += buffer.size()) {
      size_t size = std::min<uint64_t>(buffer.size(), file.size() - at);
      KILN_TRY(file.read(buffer.data(), size, at));
      hash.update(buffer.data(), size);
    }
  } else {
    hash.update(memory.data(), memory.size());
  }
  std::string found = toHex(hash.finish());
  if (found == wanted)
    return {};
  return Failure{Code::PackageUnexpected,
                 name,
                 "this is not the package that was asked for",
                 "sha256 " + wanted,
                 "sha256 " + found,
                 "use the package with that hash, or correct the hash"};
}

const void *PackageBytes::readWeights(uint64_t offset, size_t size,
                                      uint8_t *buffer) const {
  uint64_t place = weights().offset + offset;
  if (!mapped)
    return memory.data() + place;
  return file.read(buffer, size, place).ok() ? buffer : nullptr;
}

Status PackageBytes::compareWeights(bool wasRead, const Sha256Digest &digest) const {
  if (!wasRead)
    return changed("a file that cannot be read to its end");
  KILN_TRY(checkUnchanged());
  return table.compare(weights(), digest);
}

//===----------------------------------------------------------------------===//
// Changes of the file
//===----------------------------------------------------------------------===//

Failure PackageBytes::changed(const char *found) const {
  return {Code::PackageChanged,
          name,
          "the package was written to while it was in use",
          "the file as it was when it was loaded",
          found,
          "replace a package by renaming a new file over it, and load it again; or "
          "load it into memory (in_memory)"};
}

Status PackageBytes::checkUnchanged() const {
  if (guard.hit())
    return changed("a shorter file");
  if (!mapped)
    return {};
  switch (file.change()) {
  case File::Change::None:
    return {};
  case File::Change::Size:
    return changed("another size");
  case File::Change::Content:
    return changed("another time of modification");
  }
  return {};
}
