//===- PackageWriter.cpp - Writes a package -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All section sizes are known before the first byte is written, but their hashes only
// after the last. The header and the section table are first written as zeros and then
// overwritten.
//
//===----------------------------------------------------------------------===//
#include "kiln/Package/PackageWriter.h"
#include "runtime/base/chunk_hash.h"
#include "runtime/base/output_file.h"
#include "runtime/package/format.h"
#include <algorithm>
#include <cstring>

using namespace kiln::package;
namespace rt = kiln::rt;
namespace format = kiln::rt::format;

WeightSink::~WeightSink() = default;

Weight kiln::package::weightFromMemory(std::string name, uint64_t offset,
                                       const void *data, uint64_t size) {
  return {std::move(name), offset, size,
          [data, size](WeightSink &sink) { return sink.write(data, size); }};
}

static WriteResult convert(const rt::Status &status) {
  if (status.ok())
    return std::nullopt;
  const rt::Failure &f = status.failure();
  return WriteError{
      static_cast<unsigned>(f.code), f.where, f.what, f.expected, f.found, f.fix};
}

namespace {
/// Buffers small writes and hashes one section at a time.
class Writer final : public WeightSink {
public:
  explicit Writer(rt::OutputFile &file) : file(file) { buffer.reserve(bufferSize); }

  WriteResult write(const void *data, size_t size) override {
    if (limited && size > limit - position)
      return overrun(size);
    hash.update(data, size);
    position += size;
    if (buffer.size() + size > bufferSize)
      if (WriteResult failed = flush())
        return failed;
    if (size >= bufferSize)
      return convert(file.write(data, size));
    auto *bytes = static_cast<const char *>(data);
    buffer.insert(buffer.end(), bytes, bytes + size);
    return std::nullopt;
  }

  WriteResult padTo(uint64_t offset) {
    static const char zeros[4096] = {};
    while (position < offset)
      if (WriteResult failed =
              write(zeros, std::min<uint64_t>(sizeof zeros, offset - position)))
        return failed;
    return std::nullopt;
  }

  WriteResult flush() {
    WriteResult result = convert(file.write(buffer.data(), buffer.size()));
    buffer.clear();
    return result;
  }

  /// Writes a weight; fails if it writes more or fewer bytes than announced.
  WriteResult produce(const Weight &weight) {
    limited = true;
    limit = position + weight.size;
    name = &weight.name;
    WriteResult result = weight.produce(*this);
    limited = false;
    if (!result && position != limit)
      result = WriteError{513,
                          "weight \"" + weight.name + "\"",
                          "fewer bytes were written than announced",
                          std::to_string(weight.size) + " bytes",
                          std::to_string(weight.size - (limit - position)) + " bytes",
                          "report this defect"};
    return result;
  }

  void startSection() { hash = rt::ChunkHash(); }
  rt::Sha256Digest finishSection() { return hash.finish(); }

private:
  WriteResult overrun(size_t size) const {
    return WriteError{513,
                      "weight \"" + *name + "\"",
                      "more bytes were written than announced",
                      std::to_string(limit - position) + " more bytes",
                      std::to_string(size) + " bytes",
                      "report this defect"};
  }

  static constexpr size_t bufferSize = 1 << 20;
  rt::OutputFile &file;
  std::vector<char> buffer;
  rt::ChunkHash hash;
  uint64_t position = 0;
  bool limited = false;
  uint64_t limit = 0;
  const std::string *name = nullptr;
};

/// Section table of the file, in file order.
class SectionTable {
public:
  explicit SectionTable(size_t count) {
    end = sizeof(format::Header) + count * sizeof(format::Section);
  }
  void add(format::SectionType type, uint32_t index, uint64_t size, uint64_t alignment) {
    uint64_t offset = format::alignUp(end, alignment);
    sections.push_back({type, index, offset, size, alignment, {}});
    end = offset + size;
  }
  std::vector<format::Section> sections;
  uint64_t end;
};
} // namespace

static WriteResult checkWeights(const std::vector<Weight> &weights) {
  uint64_t end = 0;
  for (const Weight &w : weights) {
    if (w.offset < end || w.offset % format::weightAlignment != 0 ||
        w.offset > UINT64_MAX / 4 || w.size > UINT64_MAX / 4)
      return WriteError{513,
                        "weight \"" + w.name + "\"",
                        "its place in the package is wrong",
                        "a multiple of 64 from " + std::to_string(end),
                        "offset " + std::to_string(w.offset),
                        "report this defect"};
    end = w.offset + w.size;
  }
  return std::nullopt;
}

static format::Header makeHeader(const SectionTable &table, uint32_t version) {
  format::Header header{};
  std::memcpy(header.magic, format::magic, sizeof header.magic);
  header.version = version;
  header.headerSize = sizeof header;
  header.fileSize = table.end;
  header.sectionCount = static_cast<uint32_t>(table.sections.size());
  header.sectionSize = sizeof(format::Section);
  rt::Sha256 hash;
  hash.update(&header, sizeof header);
  hash.update(table.sections.data(), table.sections.size() * sizeof(format::Section));
  rt::Sha256Digest digest = hash.finish();
  std::memcpy(header.digest, digest.data(), sizeof header.digest);
  return header;
}

static WriteResult writeWeights(Writer &writer, const std::vector<Weight> &weights,
                                uint64_t base) {
  for (const Weight &w : weights) {
    if (WriteResult failed = writer.padTo(base + w.offset))
      return failed;
    if (WriteResult failed = writer.produce(w))
      return failed;
  }
  return std::nullopt;
}

/// Bytes of a section that is in memory; empty for the weights section.
using Piece = std::pair<const void *, size_t>;

static WriteResult writeSections(Writer &writer, SectionTable &table,
                                 const std::vector<Piece> &pieces,
                                 const std::vector<Weight> &weights) {
  for (size_t i = 0; i < table.sections.size(); ++i) {
    format::Section &section = table.sections[i];
    if (WriteResult failed = writer.padTo(section.offset))
      return failed;
    writer.startSection();
    WriteResult failed = section.type == format::Weights
                             ? writeWeights(writer, weights, section.offset)
                             : writer.write(pieces[i].first, pieces[i].second);
    if (failed)
      return failed;
    rt::Sha256Digest digest = writer.finishSection();
    std::memcpy(section.hash, digest.data(), digest.size());
  }
  return writer.flush();
}

/// Overwrites a section; the writer must have flushed its buffer to the file.
static WriteResult replace(rt::OutputFile &file, format::Section &section,
                           const std::string &bytes) {
  if (bytes.size() != section.size)
    return WriteError{513,
                      "the provenance",
                      "its size has changed while weights were written",
                      std::to_string(section.size) + " bytes",
                      std::to_string(bytes.size()) + " bytes",
                      "report this defect"};
  rt::ChunkHash hash;
  hash.update(bytes.data(), bytes.size());
  rt::Sha256Digest digest = hash.finish();
  std::memcpy(section.hash, digest.data(), digest.size());
  return convert(file.writeAt(bytes.data(), bytes.size(), section.offset));
}

static WriteResult writeFile(const std::string &path, SectionTable &table,
                             const std::vector<Piece> &pieces,
                             const PackageContents &contents, uint32_t version) {
  rt::OutputFile file;
  if (WriteResult failed = convert(rt::OutputFile::create(path, file)))
    return failed;
  Writer writer(file);
  if (WriteResult failed = writeSections(writer, table, pieces, contents.weights))
    return failed;
  if (contents.finalProvenance)
    if (WriteResult failed =
            replace(file, table.sections.front(), contents.finalProvenance()))
      return failed;
  format::Header header = makeHeader(table, version);
  if (WriteResult failed = convert(file.writeAt(&header, sizeof header, 0)))
    return failed;
  if (WriteResult failed = convert(
          file.writeAt(table.sections.data(),
                       table.sections.size() * sizeof(format::Section), sizeof header)))
    return failed;
  return convert(file.commit());
}

static std::vector<flatbuffers::DetachedBuffer>
packPlans(const PackageContents &contents) {
  std::vector<flatbuffers::DetachedBuffer> plans;
  auto pack = [&](const kiln::fb::PlanT &plan) {
    flatbuffers::FlatBufferBuilder builder;
    builder.Finish(kiln::fb::Plan::Pack(builder, &plan), kiln::fb::PlanIdentifier());
    plans.push_back(builder.Release());
  };
  pack(contents.plan);
  for (const kiln::fb::PlanT &plan : contents.otherPlans)
    pack(plan);
  return plans;
}

WriteResult kiln::package::writePackage(const std::string &path,
                                        const PackageContents &contents,
                                        WriteReport *report) {
  if (WriteResult failed = checkWeights(contents.weights))
    return failed;
  std::vector<flatbuffers::DetachedBuffer> plans = packPlans(contents);
  std::vector<Piece> pieces = {{contents.provenance.data(), contents.provenance.size()}};
  SectionTable table(2 + plans.size() + contents.hostImages.size() +
                     contents.unwindTables.size() + contents.ptx.size() +
                     contents.cubins.size());
  table.add(format::Provenance, 0, pieces[0].second, 64);
  for (size_t i = 0; i < plans.size(); ++i) {
    table.add(format::Plan, static_cast<uint32_t>(i), plans[i].size(), 64);
    pieces.push_back({plans[i].data(), plans[i].size()});
  }
  // Before the images: unwind tables mostly fit in the padding before the page-aligned
  // images.
  for (size_t i = 0; i < contents.unwindTables.size(); ++i) {
    const std::string &bytes = contents.unwindTables[i];
    table.add(format::UnwindTable, static_cast<uint32_t>(i), bytes.size(), 8);
    pieces.push_back({bytes.data(), bytes.size()});
  }
  for (size_t i = 0; i < contents.hostImages.size(); ++i) {
    table.add(format::HostImage, static_cast<uint32_t>(i), contents.hostImages[i].size(),
              format::pageAlignment);
    pieces.push_back({contents.hostImages[i].data(), contents.hostImages[i].size()});
  }
  for (size_t i = 0; i < contents.ptx.size(); ++i) {
    table.add(format::Ptx, static_cast<uint32_t>(i), contents.ptx[i].size(), 64);
    pieces.push_back({contents.ptx[i].data(), contents.ptx[i].size()});
  }
  for (size_t i = 0; i < contents.cubins.size(); ++i) {
    table.add(format::Cubin, static_cast<uint32_t>(i), contents.cubins[i].size(), 64);
    pieces.push_back({contents.cubins[i].data(), contents.cubins[i].size()});
  }
  uint64_t weightBytes = contents.weights.empty() ? 0
                                                  : contents.weights.back().offset +
                                                        contents.weights.back().size;
  table.add(format::Weights, 0, weightBytes, format::pageAlignment);

  if (WriteResult failed =
          writeFile(path, table, pieces, contents,
                    contents.plan.ranks > 1 ? format::ranksVersion : format::version))
    return failed;
  if (report) {
    rt::Sha256Digest digest;
    std::memcpy(digest.data(), table.sections[1].hash, digest.size());
    *report = {table.end, weightBytes, rt::toHex(digest)};
  }
  return std::nullopt;
}
