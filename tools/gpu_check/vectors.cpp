//===- vectors.cpp - Products written down --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/vectors.h"
#include "tools/gpu_check/failure.h"
#include <charconv>
#include <fstream>
#include <sstream>

using namespace kiln::gpucheck;

static std::string hex(const Format &format, const std::vector<uint32_t> &elements) {
  std::string out;
  for (uint32_t element : elements)
    for (int shift = format.bits - 4; shift >= 0; shift -= 4)
      out += "0123456789abcdef"[element >> shift & 15];
  return out;
}

void kiln::gpucheck::writeVectors(const std::string &path, const VectorFile &file) {
  const Product &p = *file.product;
  std::ofstream out(path, std::ios::binary);
  out << "kiln-vectors 1\ninstruction " << p.instruction() << "\ndevice "
      << file.capability << ' ' << file.device << '\n';
  for (const Vector &v : file.vectors) {
    out << "vector " << v.pattern << ' ' << v.index << "\na " << hex(p.a, v.operands.a)
        << "\nb " << hex(p.b, v.operands.b) << "\nc " << hex(p.sum, v.operands.c)
        << "\nd " << hex(p.sum, v.device) << '\n';
    if (!v.simulated.empty())
      out << "s " << hex(p.sum, v.simulated) << '\n';
  }
  out.close();
  if (!out)
    throw Failure(Machine, "KILN-E0003", path, "the vectors cannot be written",
                  "a folder with room", "a failed write", "choose another --out folder");
}

namespace {
/// Reads a file line by line, checking each line's keyword.
class Reader {
public:
  explicit Reader(const std::string &path) : path(path), in(path, std::ios::binary) {
    if (!in)
      throw Failure(BadFile, "KILN-E0002", path, "the vectors cannot be opened",
                    "a file of gpu-check", "none that can be read", "check the path");
  }

  VectorFile read() {
    VectorFile file;
    if (line("kiln-vectors") != "1")
      refuse("version 1", rest);
    file.product = findProduct(line("instruction"));
    if (!file.product)
      refuse("an instruction of products.def", rest);
    std::istringstream device(line("device"));
    if (!(device >> file.capability) || !std::getline(device >> std::ws, file.device))
      refuse("a compute capability and a name", rest);
    next();
    while (!ended)
      file.vectors.push_back(vector(*file.product));
    if (file.vectors.empty())
      refuse("a vector", "the end of the file");
    return file;
  }

private:
  Vector vector(const Product &p) {
    Vector out;
    if (keyword != "vector")
      refuse("vector", keyword);
    std::istringstream words(rest);
    if (!(words >> out.pattern >> out.index))
      refuse("a pattern and a number", rest);
    out.operands.a = elements("a", p.a, p.m * p.k);
    out.operands.b = elements("b", p.b, p.n * p.k);
    out.operands.c = elements("c", p.sum, p.m * p.n);
    out.device = elements("d", p.sum, p.m * p.n);
    next();
    if (!ended && keyword == "s") {
      out.simulated = parse(p.sum, p.m * p.n);
      next();
    }
    return out;
  }

  void next() {
    std::string text;
    ended = !std::getline(in, text);
    ++number;
    size_t space = text.find(' ');
    keyword = text.substr(0, space);
    rest = space == std::string::npos ? "" : text.substr(space + 1);
  }
  const std::string &line(const char *wanted) {
    next();
    if (ended || keyword != wanted)
      refuse(wanted, ended ? "the end of the file" : keyword);
    return rest;
  }
  std::vector<uint32_t> elements(const char *wanted, const Format &format, int count) {
    line(wanted);
    return parse(format, count);
  }
  std::vector<uint32_t> parse(const Format &format, int count) {
    size_t digits = size_t(format.hexDigits());
    std::string expected =
        std::to_string(count) + " elements of " + std::to_string(digits) + " hex digits";
    if (rest.size() != digits * size_t(count))
      refuse(expected, std::to_string(rest.size()) + " characters");
    std::vector<uint32_t> out(size_t(count), 0);
    for (size_t i = 0; i < out.size(); ++i) {
      const char *from = rest.data() + i * digits;
      if (std::from_chars(from, from + digits, out[i], 16).ptr != from + digits)
        refuse(expected, std::string(from, digits));
    }
    return out;
  }
  [[noreturn]] void refuse(const std::string &expected, const std::string &found) {
    throw Failure(BadFile, "KILN-E0004", path + " line " + std::to_string(number),
                  "the vectors are malformed", expected, "'" + found + "'",
                  "write the file again with gpu-check run --freeze");
  }

  std::string path;
  std::ifstream in;
  std::string keyword, rest;
  bool ended = false;
  int number = 0;
};
} // namespace

VectorFile kiln::gpucheck::readVectors(const std::string &path) {
  return Reader(path).read();
}
