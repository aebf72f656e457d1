//===- arguments.cpp - Arguments of a kernel, from text -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/tool/arguments.h"

#include <charconv>
#include <cstring>

using namespace kiln::sim::tool;

namespace {

template <typename T>
bool parseScalar(std::string_view text, std::vector<uint8_t> &bytes) {
  T value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return false;
  bytes.resize(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return true;
}

using ScalarParser = bool (*)(std::string_view, std::vector<uint8_t> &);
constexpr std::pair<std::string_view, ScalarParser> scalars[] = {
    {"i8", parseScalar<int8_t>},   {"u8", parseScalar<uint8_t>},
    {"i16", parseScalar<int16_t>}, {"u16", parseScalar<uint16_t>},
    {"i32", parseScalar<int32_t>}, {"u32", parseScalar<uint32_t>},
    {"i64", parseScalar<int64_t>}, {"u64", parseScalar<uint64_t>},
    {"f32", parseScalar<float>},   {"f64", parseScalar<double>}};

/// Parses f32[128,64].
bool parseZeros(const std::string &text, Array &array) {
  size_t open = text.find('[');
  if (open == std::string::npos || text.back() != ']')
    return false;
  array.type = npyType(text.substr(0, open));
  if (array.type.empty())
    return false;
  const char *at = text.data() + open + 1, *end = text.data() + text.size() - 1;
  while (at < end) {
    uint64_t dim = 0;
    auto [next, error] = std::from_chars(at, end, dim);
    if (error != std::errc() || (next != end && *next != ','))
      return false;
    array.shape.push_back(dim);
    at = next == end ? end : next + 1;
  }
  return true;
}

bool endsInNpy(const std::string &text) { return text.ends_with(".npy"); }

} // namespace

bool kiln::sim::tool::parseArgument(const std::string &text, KernelArgument &argument,
                                    std::string &problem) {
  size_t colon = text.rfind(':');
  std::string first = text.substr(0, colon);
  std::string second = colon == std::string::npos ? "" : text.substr(colon + 1);
  for (auto [name, parse] : scalars)
    if (first == name) {
      if (parse(second, argument.scalar))
        return true;
      problem = "`" + text + "`: the value does not fit " + std::string(name);
      return false;
    }
  argument.isBuffer = true;
  argument.output = second;
  if (!second.empty() && !endsInNpy(second)) {
    problem = "`" + text + "`: outputs are .npy files";
    return false;
  }
  if (endsInNpy(first))
    return readNpy(first, argument.array, problem);
  uint64_t bytes = 0;
  if (!parseZeros(first, argument.array) || !byteCount(argument.array, bytes)) {
    problem = "`" + text +
              "`: expected an array file in.npy, a shape such as f32[128,64] or a scalar "
              "such as i32:5";
    return false;
  }
  argument.array.bytes.assign(bytes, 0);
  return true;
}
