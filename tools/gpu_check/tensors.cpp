//===- tensors.cpp - Elements of all types as numbers ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/gpu_check/tensors.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

using namespace kiln::gpucheck;

namespace {
template <typename T> std::vector<double> convert(const void *data, size_t bytes) {
  std::vector<double> out(bytes / sizeof(T));
  for (size_t i = 0; i < out.size(); ++i) {
    T value;
    std::memcpy(&value, static_cast<const char *>(data) + i * sizeof(T), sizeof(T));
    out[i] = static_cast<double>(value);
  }
  return out;
}

double fromHalf(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent == 0    ? std::ldexp(fraction, -24)
                 : exponent == 31 ? (fraction ? std::numeric_limits<double>::quiet_NaN()
                                              : std::numeric_limits<double>::infinity())
                                  : std::ldexp(fraction + 1024, exponent - 25);
  return bits & 0x8000 ? -value : value;
}
double fromBfloat16(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

template <double (*decode)(uint16_t)>
std::vector<double> convert16(const void *data, size_t bytes) {
  std::vector<double> out(bytes / 2);
  for (size_t i = 0; i < out.size(); ++i) {
    uint16_t bits;
    std::memcpy(&bits, static_cast<const char *>(data) + i * 2, 2);
    out[i] = decode(bits);
  }
  return out;
}

/// Converts normal numbers within f16's range, and smaller ones, which become subnormal.
uint16_t toHalf(float value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  double magnitude = std::fabs(double(value));
  int exponent = magnitude > 0 ? std::max(std::ilogb(magnitude), -14) : -14;
  // In units of the last place; std::nearbyint rounds to even.
  double units = std::nearbyint(std::ldexp(magnitude, 10 - exponent));
  uint32_t bits = uint32_t(units) + (uint32_t(exponent + 14) << 10);
  return uint16_t(sign | std::min(bits, 0x7c00u));
}
uint16_t toBfloat16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

template <typename T> void append(std::vector<uint8_t> &bytes, T value) {
  const auto *from = reinterpret_cast<const uint8_t *>(&value);
  bytes.insert(bytes.end(), from, from + sizeof value);
}
} // namespace

std::vector<double> kiln::gpucheck::toNumbers(kiln_dtype dtype, const void *data,
                                              size_t bytes) {
  switch (dtype) {
  case KILN_DTYPE_F32:
    return convert<float>(data, bytes);
  case KILN_DTYPE_F64:
    return convert<double>(data, bytes);
  case KILN_DTYPE_F16:
    return convert16<fromHalf>(data, bytes);
  case KILN_DTYPE_BF16:
    return convert16<fromBfloat16>(data, bytes);
  case KILN_DTYPE_I8:
    return convert<int8_t>(data, bytes);
  case KILN_DTYPE_I16:
    return convert<int16_t>(data, bytes);
  case KILN_DTYPE_I32:
    return convert<int32_t>(data, bytes);
  case KILN_DTYPE_I64:
    return convert<int64_t>(data, bytes);
  case KILN_DTYPE_U16:
    return convert<uint16_t>(data, bytes);
  case KILN_DTYPE_U32:
    return convert<uint32_t>(data, bytes);
  case KILN_DTYPE_U64:
    return convert<uint64_t>(data, bytes);
  case KILN_DTYPE_U8:
  case KILN_DTYPE_BOOL:
    return convert<uint8_t>(data, bytes);
  }
  return {};
}

void kiln::gpucheck::appendNumber(std::vector<uint8_t> &bytes, kiln_dtype dtype,
                                  float value) {
  switch (dtype) {
  case KILN_DTYPE_F16:
    return append(bytes, toHalf(value));
  case KILN_DTYPE_BF16:
    return append(bytes, toBfloat16(value));
  case KILN_DTYPE_F64:
    return append(bytes, double(value));
  default:
    return append(bytes, value);
  }
}

double kiln::gpucheck::largestError(const std::vector<double> &values,
                                    const std::vector<double> &reference,
                                    double minNormal) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (values.size() != reference.size())
    return infinite;
  double squares = 0, largest = 0;
  size_t finite = 0;
  for (double r : reference)
    if (std::isfinite(r)) {
      squares += r * r;
      ++finite;
    }
  double floor = std::max(finite ? std::sqrt(squares / double(finite)) : 0, minNormal);
  for (size_t i = 0; i < values.size(); ++i) {
    double y = values[i], r = reference[i];
    if (y == r || (std::isnan(y) && std::isnan(r)))
      continue;
    double error = std::fabs(y - r) / std::max(std::fabs(r), floor);
    largest = std::max(largest, std::isfinite(error) ? error : infinite);
  }
  return largest;
}

double kiln::gpucheck::minNormalOf(kiln_dtype dtype) {
  return dtype == KILN_DTYPE_F16 ? 0x1p-14 : 0;
}

double kiln::gpucheck::toleranceOf(kiln_dtype dtype) {
  switch (dtype) {
  case KILN_DTYPE_F32:
    return 2e-5;
  case KILN_DTYPE_F16:
    return 2e-3;
  case KILN_DTYPE_BF16:
    return 1.6e-2;
  case KILN_DTYPE_F64:
    return 1e-12;
  default:
    return 0;
  }
}
