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

Status PackageBytes::open(const Source &source, Options options, PackageBytes &out) {
  KILN_TRY(out.find(source));
  if (source.kind == Source::Borrowed)
    KILN_TRY(out.borrow(options));
  if (source.kind == Source::Copied || source.kind == Source::Borrowed)
    options.inMemory = source.kind == Source::Copied;
  KILN_TRY(out.readAll(options));
  if (!out.mapped)
    out.file = File();
  if (options.inMemory)
    out.given = {};
  return {};
}

/// Opens the file, if there is one, and reserves address space for all bytes.
Status PackageBytes::find(const Source &source) {
  name = source.name;
  given = source.memory;
  if (source.kind == Source::Path)
    KILN_TRY(File::open(name, file));
  if (source.kind == Source::Descriptor)
    KILN_TRY(File::part(source.fd, source.offset, source.length, name, file));
  return Mapping::reserve(file.isOpen() ? file.size() : given.size(), name, memory);
}

Status PackageBytes::borrow(const Options &options) {
  if (!isAligned(given.data(), format::weightAlignment))
    return misaligned(name, "the memory of the package is misaligned", given.data(),
                      format::weightAlignment,
                      "align it, as aligned_alloc and mmap do, or load a copy "
                      "(kiln_model_load_buffer, copy=True)");
  if (options.guard)
    guard = BusGuard(const_cast<uint8_t *>(given.data()), given.size());
  return {};
}

Status PackageBytes::readAll(const Options &options) {
  // Larger tables are read when the header says how large they are.
  size_t head = std::min<uint64_t>(memory.size(),
                                   sizeof(format::Header) +
                                       format::maxSections * sizeof(format::Section));
  KILN_TRY(read(0, options.inMemory ? memory.size() : head));
  KILN_TRY(checkExpected(options));
  KILN_TRY(Container::parse({memory.data(), memory.size()}, name, table));
  const format::Section &weights = *table.find(format::Weights);
  if (!options.inMemory) {
    KILN_TRY(readAround(weights));
    KILN_TRY(placeWeights(weights, options.guard));
  }
  memory.makeReadOnly();
  return {};
}

Status PackageBytes::read(uint64_t offset, uint64_t size) {
  KILN_TRY(memory.makeWritable(offset, size, name));
  if (file.isOpen())
    return file.read(memory.data() + offset, size, offset);
  if (size)
    std::memcpy(memory.data() + offset, given.data() + offset, size);
  return {};
}

/// Reads everything but the pages of the weights. Their last page may contain other data,
/// which nothing reads before its hash has been checked.
Status PackageBytes::readAround(const format::Section &weights) {
  uint64_t all = memory.size(), begin = weights.offset;
  uint64_t end =
      std::min<uint64_t>(all, format::alignUp(begin + weights.size, pageSize()));
  if (!weights.size)
    begin = end = all;
  KILN_TRY(read(0, begin));
  return end == all ? Status() : read(end, all - end);
}

Status PackageBytes::placeWeights(const format::Section &weights, bool guarded) {
  if (!weights.size)
    return {};
  if (!file.isOpen()) {
    table.placeWeights(given.data() + weights.offset);
    return {};
  }
  // Sections are aligned to 4 KiB. If system pages are larger, or the package does not
  // begin at a page, the weights are read instead of mapped.
  if (weights.offset % pageSize() != 0 || file.begin() % pageSize() != 0)
    return read(weights.offset, weights.size);
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
    hash.update(options.inMemory ? memory.data() : given.data(), memory.size());
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
  if (!mapped)
    return table.bytes(weights()).data() + offset;
  return file.read(buffer, size, weights().offset + offset).ok() ? buffer : nullptr;
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
