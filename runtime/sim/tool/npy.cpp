//===- npy.cpp - Arrays in NumPy's file format ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tool/npy.h"

#include <charconv>
#include <fstream>
#include <string_view>

using namespace kiln::sim::tool;

static constexpr std::string_view magic = "\x93NUMPY";
static constexpr uint64_t maxBytes = uint64_t(1) << 38;

std::string kiln::sim::tool::npyType(const std::string &name) {
  static constexpr std::pair<std::string_view, std::string_view> types[] = {
      {"i8", "|i1"},  {"u8", "|u1"},  {"i16", "<i2"}, {"u16", "<u2"},
      {"i32", "<i4"}, {"u32", "<u4"}, {"i64", "<i8"}, {"u64", "<u8"},
      {"f16", "<f2"}, {"f32", "<f4"}, {"f64", "<f8"}};
  for (auto [plain, numpy] : types)
    if (name == plain)
      return std::string(numpy);
  return "";
}

unsigned kiln::sim::tool::elementBytes(const std::string &type) {
  if (type.size() != 3 || (type[0] != '<' && type[0] != '|') ||
      std::string_view("iufb").find(type[1]) == std::string_view::npos)
    return 0;
  unsigned bytes = unsigned(type[2] - '0');
  return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 ? bytes : 0;
}

bool kiln::sim::tool::byteCount(const Array &array, uint64_t &bytes) {
  bytes = elementBytes(array.type);
  for (uint64_t dim : array.shape)
    if (__builtin_mul_overflow(bytes, dim, &bytes) || bytes > maxBytes)
      return false;
  return true;
}

namespace {

/// Returns the value of a key in the header, which is the text of a Python dictionary.
std::string_view valueOf(std::string_view header, std::string_view key) {
  size_t at = header.find("'" + std::string(key) + "':");
  if (at == std::string_view::npos)
    return "";
  std::string_view value = header.substr(at + key.size() + 3);
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  return value;
}

bool parseShape(std::string_view text, std::vector<uint64_t> &shape) {
  if (text.empty() || text[0] != '(')
    return false;
  text = text.substr(1, text.find(')') - 1);
  while (true) {
    size_t start = text.find_first_not_of(" ,");
    if (start == std::string_view::npos)
      return true;
    text.remove_prefix(start);
    uint64_t dim = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), dim);
    if (error != std::errc() || shape.size() == 32)
      return false;
    shape.push_back(dim);
    text.remove_prefix(size_t(end - text.data()));
  }
}

bool parseHeader(std::string_view header, Array &array) {
  std::string_view type = valueOf(header, "descr");
  if (type.size() < 5 || type[0] != '\'')
    return false;
  array.type = type.substr(1, 3);
  return elementBytes(array.type) &&
         valueOf(header, "fortran_order").starts_with("False") &&
         parseShape(valueOf(header, "shape"), array.shape);
}

} // namespace

bool kiln::sim::tool::readNpy(const std::string &path, Array &array,
                              std::string &problem) {
  auto fail = [&](const char *what) {
    problem = path + ": " + what;
    return false;
  };
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return fail("cannot be read");
  char head[8];
  if (!file.read(head, sizeof head) || std::string_view(head, 6) != magic)
    return fail("is not a .npy file");
  unsigned lengthBytes = head[6] == 1 ? 2 : 4;
  unsigned char raw[4] = {};
  if (!file.read(reinterpret_cast<char *>(raw), lengthBytes))
    return fail("the header is cut off");
  uint32_t length = raw[0] | raw[1] << 8 | raw[2] << 16 | uint32_t(raw[3]) << 24;
  if (length > 65536)
    return fail("the header is too long");
  std::string header(length, '\0');
  if (!file.read(header.data(), length))
    return fail("the header is cut off");
  if (!parseHeader(header, array))
    return fail("must hold plain little-endian numbers in C order");
  uint64_t bytes = 0;
  if (!byteCount(array, bytes))
    return fail("is larger than any device");
  std::streampos start = file.tellg();
  file.seekg(0, std::ios::end);
  if (uint64_t(file.tellg() - start) != bytes)
    return fail("the data are not as long as the shape says");
  file.seekg(start);
  array.bytes.resize(bytes);
  return file.read(reinterpret_cast<char *>(array.bytes.data()),
                   std::streamsize(bytes)) ||
         fail("cannot be read");
}

bool kiln::sim::tool::writeNpy(const std::string &path, const Array &array,
                               std::string &problem) {
  constexpr size_t alignment = 64, fixed = 10;
  std::string shape;
  for (uint64_t dim : array.shape)
    shape += std::to_string(dim) + ", ";
  std::string header = "{'descr': '" + array.type +
                       "', 'fortran_order': False, 'shape': (" + shape + "), }";
  while ((fixed + header.size() + 1) % alignment != 0)
    header += ' ';
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  file << magic << '\x01' << '\0' << char(header.size() & 0xFF)
       << char(header.size() >> 8) << header;
  file.write(reinterpret_cast<const char *>(array.bytes.data()),
             std::streamsize(array.bytes.size()));
  file.close();
  if (!file)
    problem = path + ": cannot be written";
  return bool(file);
}
