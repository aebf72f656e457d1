//===- container.cpp - Header and sections of a package -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/package/container.h"
#include "runtime/base/chunk_hash.h"
#include <algorithm>
#include <bit>
#include <cstring>

using namespace kiln::rt;

static_assert(std::endian::native == std::endian::little,
              "the loader reads the package in place");

static const char *const recompile = "compile the model again";

static std::string bytesText(uint64_t n) { return std::to_string(n) + " bytes"; }

std::string kiln::rt::sectionName(const format::Section &section) {
  std::string index = std::to_string(section.index);
  switch (section.type & ~format::optionalSection) {
  case format::Provenance:
    return "provenance section";
  case format::Plan:
    return "plan section" + (section.index ? " " + index : "");
  case format::HostImage:
    return "host image section " + index;
  case format::Weights:
    return "weights section";
  case format::UnwindTable & ~format::optionalSection:
    return "unwind table section " + index;
  case format::Ptx:
    return "PTX section " + index;
  case format::Cubin:
    return "cubin section " + index;
  }
  return "section of type " + std::to_string(section.type);
}

Status Container::parse(std::span<const uint8_t> bytes, const std::string &name,
                        Container &out) {
  Container c;
  c.name = name;
  c.file = bytes;
  format::Header header;
  KILN_TRY(c.checkHeader(header));
  c.sections.resize(header.sectionCount);
  std::memcpy(c.sections.data(), bytes.data() + sizeof(format::Header),
              header.sectionCount * sizeof(format::Section));
  KILN_TRY(c.checkDigest(header));
  KILN_TRY(c.checkSections());
  KILN_TRY(c.checkSet());
  out = std::move(c);
  return {};
}

Failure Container::malformedHeader(const char *field, std::string expected,
                                   std::string found) const {
  return {
      Code::PackageLayout, name + ": header", std::string("the ") + field + " is wrong",
      std::move(expected), std::move(found),  recompile};
}

Status Container::checkHeader(format::Header &header) {
  size_t prefix = std::min(file.size(), sizeof format::magic);
  if (file.empty() || std::memcmp(file.data(), format::magic, prefix) != 0)
    return Failure{Code::NotAPackage,
                   name,
                   "this is not a Kiln package",
                   "a file made by kiln compile",
                   file.empty() ? "an empty file" : "other content",
                   "compile the model first: kiln compile model.onnx -o "
                   "model.kiln"};
  if (file.size() < sizeof(format::Header))
    return Failure{Code::PackageTruncated,  name,
                   "the header is cut off", bytesText(sizeof(format::Header)),
                   bytesText(file.size()),  "copy the package again"};
  std::memcpy(&header, file.data(), sizeof header);
  if (header.version != format::version && header.version != format::ranksVersion)
    return Failure{Code::PackageVersion,
                   name,
                   "the package has another format version",
                   "version " + std::to_string(format::version) + ", or " +
                       std::to_string(format::ranksVersion) + " for several ranks",
                   "version " + std::to_string(header.version),
                   header.version > format::ranksVersion
                       ? "use a newer Kiln or compile the model with this one"
                       : "compile the model again with this Kiln"};
  forRanks = header.version == format::ranksVersion;
  if (header.fileSize != file.size())
    return Failure{Code::PackageTruncated,
                   name,
                   header.fileSize > file.size() ? "the package is cut off"
                                                 : "the package has a tail",
                   bytesText(header.fileSize),
                   bytesText(file.size()),
                   "copy the package again"};
  const struct {
    const char *field;
    uint64_t expected, found;
  } fields[] = {{"size of the header", sizeof(format::Header), header.headerSize},
                {"size of a section's row", sizeof(format::Section), header.sectionSize},
                {"flags", 0, header.flags}};
  for (const auto &[field, expected, found] : fields)
    if (found != expected)
      return malformedHeader(field, std::to_string(expected), std::to_string(found));
  uint64_t room = (file.size() - sizeof(format::Header)) / sizeof(format::Section);
  uint64_t limit = std::min<uint64_t>(format::maxSections, room);
  if (header.sectionCount > limit)
    return malformedHeader("number of sections", "at most " + std::to_string(limit),
                           std::to_string(header.sectionCount));
  return {};
}

Status Container::checkDigest(format::Header header) const {
  uint8_t stored[sizeof header.digest];
  std::memcpy(stored, header.digest, sizeof stored);
  std::memset(header.digest, 0, sizeof header.digest);
  Sha256 hash;
  hash.update(&header, sizeof header);
  hash.update(sections.data(), sections.size() * sizeof(format::Section));
  Sha256Digest digest = hash.finish();
  if (std::memcmp(digest.data(), stored, sizeof stored) != 0)
    return Failure{Code::PackageCorrupt,
                   name + ": header",
                   "the header or section table was changed",
                   "its recorded hash",
                   "another hash",
                   "copy the package again"};
  return {};
}

Status Container::checkSections() const {
  // Sections are sorted by offset, so one pass detects overlaps.
  uint64_t end = sizeof(format::Header) + sections.size() * sizeof(format::Section);
  for (const format::Section &s : sections) {
    std::string where = name + ": " + sectionName(s);
    if (!std::has_single_bit(s.alignment) || s.offset % s.alignment != 0)
      return Failure{Code::PackageLayout,
                     where,
                     "the section is misaligned",
                     "a multiple of " + std::to_string(s.alignment),
                     "offset " + std::to_string(s.offset),
                     recompile};
    if (s.offset < end)
      return Failure{Code::PackageLayout,
                     where,
                     "the section overlaps the one before it",
                     "an offset of at least " + std::to_string(end),
                     "offset " + std::to_string(s.offset),
                     recompile};
    if (s.offset > file.size() || s.size > file.size() - s.offset)
      return Failure{Code::PackageLayout,
                     where,
                     "the section reaches beyond the file",
                     "an end of at most " + std::to_string(file.size()),
                     "offset " + std::to_string(s.offset) + " and " + bytesText(s.size),
                     recompile};
    bool paged = s.type == format::HostImage || s.type == format::Weights;
    if (paged && s.alignment < format::pageAlignment)
      return Failure{Code::PackageLayout,
                     where,
                     "the section cannot be mapped",
                     "an alignment of " + std::to_string(format::pageAlignment),
                     std::to_string(s.alignment),
                     recompile};
    end = s.offset + s.size;
  }
  return {};
}

Status Container::checkSet() const {
  uint32_t seen[7] = {};
  for (const format::Section &s : sections) {
    if (s.type & format::optionalSection)
      continue;
    if (s.type < format::Provenance || s.type > format::Cubin)
      return Failure{Code::PackageLayout,
                     name,
                     "the package has a section this build does not know",
                     "types 1 to 6",
                     "type " + std::to_string(s.type),
                     "use a newer Kiln"};
    bool many = s.type != format::Provenance && s.type != format::Weights;
    if (s.index != seen[s.type]++ || (s.index != 0 && !many))
      return Failure{Code::PackageLayout,
                     name + ": " + sectionName(s),
                     "the section appears twice or out of order",
                     "",
                     "index " + std::to_string(s.index),
                     recompile};
  }
  for (format::SectionType needed : {format::Provenance, format::Plan, format::Weights})
    if (!seen[needed])
      return Failure{Code::PackageLayout,
                     name,
                     "a section is missing",
                     "a " + sectionName({needed, 0, 0, 0, 0, {}}),
                     "none",
                     recompile};
  return {};
}

const format::Section *Container::find(format::SectionType type, uint32_t index) const {
  for (const format::Section &s : sections)
    if (s.type == type && s.index == index)
      return &s;
  return nullptr;
}

uint32_t Container::count(format::SectionType type) const {
  uint32_t n = 0;
  for (const format::Section &s : sections)
    n += s.type == type;
  return n;
}

std::span<const uint8_t> Container::bytes(const format::Section &section) const {
  if (weightsPlace && section.type == format::Weights)
    return {weightsPlace, section.size};
  return file.subspan(section.offset, section.size);
}

Status Container::verify(const format::Section &section) const {
  std::span<const uint8_t> content = bytes(section);
  return compare(section, chunkHash(content.data(), content.size()));
}

Status Container::compare(const format::Section &section,
                          const Sha256Digest &digest) const {
  if (std::memcmp(digest.data(), section.hash, digest.size()) == 0)
    return {};
  Sha256Digest recorded;
  std::memcpy(recorded.data(), section.hash, recorded.size());
  return Failure{Code::PackageCorrupt,      name + ": " + sectionName(section),
                 "the content was changed", "hash " + toHex(recorded),
                 "hash " + toHex(digest),   "copy the package again"};
}

Status Container::verifyAll(bool weights) const {
  for (const format::Section &s : sections)
    if (weights || s.type != format::Weights)
      KILN_TRY(verify(s));
  return {};
}
