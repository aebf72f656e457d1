//===- Archive.cpp - Valid and invalid archives of arrays -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Archive.h"
#include <gtest/gtest.h>
#include <zlib.h>

using namespace kiln::test;

std::string kiln::test::little(uint64_t value, size_t bytes) {
  std::string text;
  for (size_t i = 0; i < bytes; ++i)
    text += static_cast<char>(value >> (8 * i));
  return text;
}

static std::string deflated(const std::string &contents) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY),
            Z_OK);
  std::string out(deflateBound(&stream, contents.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(contents.data()));
  stream.avail_in = uInt(contents.size());
  stream.next_out = reinterpret_cast<Bytef *>(out.data());
  stream.avail_out = uInt(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

ZipEntry::ZipEntry(std::string name, const std::string &contents, bool deflates)
    : name(std::move(name)), packed(deflates ? deflated(contents) : contents),
      method(deflates ? 8 : 0), size(static_cast<uint32_t>(contents.size())),
      packedSize(static_cast<uint32_t>(packed.size())) {
  auto *bytes = reinterpret_cast<const Bytef *>(contents.data());
  crc = static_cast<uint32_t>(crc32(0, bytes, uInt(contents.size())));
}

std::string kiln::test::zipOf(const std::vector<ZipEntry> &entries,
                              const std::string &comment, std::optional<uint16_t> count) {
  std::string zip, directory;
  for (const ZipEntry &entry : entries) {
    uint32_t offset = entry.offset.value_or(static_cast<uint32_t>(zip.size()));
    std::string sizes = little(entry.crc, 4) + little(entry.packedSize, 4) +
                        little(entry.size, 4) + little(entry.name.size(), 2) +
                        little(entry.extra.size(), 2);
    std::string kind = little(20, 2) + little(entry.flags, 2) + little(entry.method, 2) +
                       little(0, 4); // no date
    zip += "PK\3\4" + kind + sizes + entry.name + entry.extra + entry.packed;
    directory += "PK\1\2" + little(20, 2) + kind + sizes +
                 little(entry.comment.size(), 2) + little(0, 8) + little(offset, 4) +
                 entry.name + entry.extra + entry.comment;
  }
  size_t number = count.value_or(static_cast<uint16_t>(entries.size()));
  return zip + directory + "PK\5\6" + little(0, 4) + little(number, 2) +
         little(number, 2) + little(directory.size(), 4) + little(zip.size(), 4) +
         little(comment.size(), 2) + comment;
}

std::string kiln::test::npyOf(const std::vector<int64_t> &shape,
                              const std::vector<float> &values) {
  std::string dims;
  for (int64_t dim : shape)
    dims += std::to_string(dim) + ",";
  std::string header =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (" + dims + "), }";
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  std::string text = std::string("\x93NUMPY\1\0", 8) + little(header.size(), 2) + header;
  return text.append(reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(float));
}
