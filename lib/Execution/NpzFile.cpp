//===- NpzFile.cpp - NumPy .npz archives ----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/NpzFile.h"
#include "kiln/ErrorCodes/Machine.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Execution/SampleError.h"
#include "kiln/Execution/Status.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/UsageError.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemoryBuffer.h"

#include <zlib.h>

using namespace kiln;
using namespace kiln::execution;
using namespace llvm;
using namespace llvm::support;

// Records of a zip file, as far as they are used (APPNOTE.TXT 4.3).
static constexpr uint32_t kEndMark = 0x06054b50, kEntryMark = 0x02014b50,
                          kLocalMark = 0x04034b50;
static constexpr size_t kEndSize = 22, kEntrySize = 46, kLocalSize = 30;
/// Maximum expansion of deflate.
static constexpr uint64_t kMaxPerByte = 1032;

namespace {
enum class Method : uint16_t { Stored = 0, Deflated = 8 };

/// A file of the archive, from the central directory.
struct Entry {
  std::string name;
  uint16_t flags, method;
  uint32_t crc, packed, size, offset;
};

class ZipReader {
public:
  ZipReader(const std::string &path, StringRef bytes) : path(path), bytes(bytes) {}
  Error readDirectory();
  ArrayRef<Entry> all() const { return entries; }
  /// Returns a file's contents after checking the CRC.
  Expected<std::vector<char>> contents(const Entry &entry) const;

private:
  Error damaged(std::string what, std::string expected, std::string found) const {
    return sampleError(path, std::move(what), std::move(expected), std::move(found),
                       "save the arrays again with numpy.savez");
  }
  uint16_t half(size_t at) const { return endian::read16le(bytes.data() + at); }
  uint32_t word(size_t at) const { return endian::read32le(bytes.data() + at); }
  bool holds(uint64_t at, uint64_t size) const {
    return at <= bytes.size() && size <= bytes.size() - at;
  }
  Expected<size_t> findEnd() const;
  Error readEntry(size_t &at);
  Error checkEntry(const Entry &entry) const;
  Error inflateInto(const Entry &entry, StringRef packed, std::vector<char> &out) const;

  const std::string &path;
  StringRef bytes;
  std::vector<Entry> entries;
};
} // namespace

/// Finds the end record, which only a comment may follow.
Expected<size_t> ZipReader::findEnd() const {
  constexpr size_t kLongestComment = 0xffff;
  if (bytes.size() >= kEndSize)
    for (size_t at = bytes.size() - kEndSize, tried = 0; tried <= kLongestComment;
         --at, ++tried) {
      if (word(at) == kEndMark && half(at + 20) == bytes.size() - at - kEndSize)
        return at;
      if (at == 0)
        break;
    }
  return damaged("this is no .npz file, or it is cut off", "a directory at its end",
                 std::to_string(bytes.size()) + " bytes without one");
}

Error ZipReader::checkEntry(const Entry &entry) const {
  constexpr uint16_t kEncrypted = 1;
  constexpr uint32_t kIn64Bits = 0xffffffff;
  if (entry.flags & kEncrypted)
    return damaged("'" + entry.name + "' is encrypted", "an array", "a password");
  if (is_contained({entry.packed, entry.size, entry.offset}, kIn64Bits))
    return damaged("'" + entry.name + "' is too large", "less than 4 GiB",
                   "4 GiB or more");
  if (!is_contained({uint16_t(Method::Stored), uint16_t(Method::Deflated)}, entry.method))
    return damaged("'" + entry.name + "' is compressed in an unknown way",
                   "stored or deflated", "method " + std::to_string(entry.method));
  bool isPossible = entry.method == uint16_t(Method::Stored)
                        ? entry.size == entry.packed
                        : entry.size <= (entry.packed + uint64_t(1)) * kMaxPerByte;
  if (!isPossible)
    return damaged("the size of '" + entry.name + "' is impossible",
                   "one that fits " + std::to_string(entry.packed) + " stored bytes",
                   std::to_string(entry.size));
  return Error::success();
}

Error ZipReader::readEntry(size_t &at) {
  if (!holds(at, kEntrySize) || word(at) != kEntryMark)
    return damaged("the directory is damaged", "an entry at byte " + std::to_string(at),
                   "none");
  size_t name = half(at + 28), extra = half(at + 30), comment = half(at + 32);
  if (!holds(at + kEntrySize, name + extra + comment))
    return damaged("the directory is damaged", "a whole entry", "a part of one");
  Entry entry{bytes.substr(at + kEntrySize, name).str(),
              half(at + 8),
              half(at + 10),
              word(at + 16),
              word(at + 20),
              word(at + 24),
              word(at + 42)};
  KILN_CHECK(checkEntry(entry));
  entries.push_back(std::move(entry));
  at += kEntrySize + name + extra + comment;
  return Error::success();
}

Error ZipReader::readDirectory() {
  Expected<size_t> end = findEnd();
  if (!end)
    return end.takeError();
  size_t at = word(*end + 16);
  for (size_t i = 0, count = half(*end + 10); i < count; ++i)
    KILN_CHECK(readEntry(at));
  return Error::success();
}

/// `out` must have the size that the entry states.
Error ZipReader::inflateInto(const Entry &entry, StringRef packed,
                             std::vector<char> &out) const {
  z_stream stream{};
  // Negative window bits: raw deflate without a zlib header.
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    return makeError({ErrorCode::OutOfMemory, path, "no memory to unpack an array", "",
                      "", "save the arrays with numpy.savez"});
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  int status = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (status != Z_STREAM_END || stream.avail_out != 0)
    return damaged("'" + entry.name + "' is damaged",
                   std::to_string(out.size()) + " unpacked bytes",
                   std::to_string(out.size() - stream.avail_out));
  return Error::success();
}

Expected<std::vector<char>> ZipReader::contents(const Entry &entry) const {
  size_t at = entry.offset;
  bool hasHeader = holds(at, kLocalSize) && word(at) == kLocalMark;
  // Only the length of the local header matters, because it may omit sizes.
  uint64_t begin = hasHeader ? at + kLocalSize + half(at + 26) + half(at + 28) : 0;
  if (!hasHeader || !holds(begin, entry.packed))
    return damaged("'" + entry.name + "' is cut off",
                   std::to_string(entry.packed) + " bytes", "fewer");
  StringRef packed = bytes.substr(begin, entry.packed);
  std::vector<char> out(entry.size);
  if (entry.method == uint16_t(Method::Stored))
    std::copy(packed.begin(), packed.end(), out.begin());
  else if (Error error = inflateInto(entry, packed, out))
    return std::move(error);
  auto crc = static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef *>(out.data()),
                                         static_cast<uInt>(out.size())));
  if (crc != entry.crc)
    return damaged("'" + entry.name + "' is damaged",
                   "the checksum " + std::to_string(entry.crc), std::to_string(crc));
  return out;
}

Expected<std::vector<NpzArray>> execution::readNpz(const std::string &path) {
  auto file =
      MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return makeError({ErrorCode::FileNotFound, path, "cannot be opened", "a .npz file",
                      file.getError().message(), "check the path of --calib"});
  ZipReader zip(path, (*file)->getBuffer());
  if (Error error = zip.readDirectory())
    return std::move(error);
  std::vector<NpzArray> arrays;
  StringSet<> names;
  for (const Entry &entry : zip.all()) {
    StringRef name = entry.name;
    if (!name.consume_back(".npy") || !names.insert(name).second)
      return sampleError(path, "an entry of the archive is no array of its own",
                         "NAME.npy for inputs of the model", "'" + entry.name + "'",
                         "save the arrays again with numpy.savez");
    Expected<std::vector<char>> contents = zip.contents(entry);
    if (!contents)
      return contents.takeError();
    kiln_npy *array = nullptr;
    std::string where = path + ": " + entry.name;
    if (Error error = toError(
            kiln_npy_parse(where.c_str(), contents->data(), contents->size(), &array)))
      return asSampleError(std::move(error));
    arrays.push_back({name.str(), Npy(array)});
  }
  sort(arrays, [](const NpzArray &a, const NpzArray &b) { return a.name < b.name; });
  return arrays;
}
