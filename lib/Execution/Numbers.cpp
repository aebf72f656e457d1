//===- Numbers.cpp - Conversion of elements to double ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Execution/Numbers.h"
#include "dialects/Types/FloatFormat.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"
#include <cstdint>

using namespace kiln;
using namespace kiln::execution;
using namespace llvm;

bool kiln::execution::isFloat(kiln_dtype dtype) {
  return dtype <= KILN_DTYPE_F64 ||
         (dtype >= KILN_DTYPE_F8E4M3FN && dtype <= KILN_DTYPE_F4E2M1FN);
}

/// Returns the format of a float of 8 bits or fewer; null for f8E8M0FNU and other types.
static const kiln::FloatFormat *narrowFormat(kiln_dtype dtype) {
  bool isNarrow = dtype >= KILN_DTYPE_F8E4M3FN && dtype <= KILN_DTYPE_F4E2M1FN;
  // The runtime's names are those of MLIR in lower case.
  return isNarrow ? floatFormatNamed(kiln_dtype_name(dtype)) : nullptr;
}

static bool isNarrowInteger(kiln_dtype dtype) {
  return dtype >= KILN_DTYPE_I4 && dtype <= KILN_DTYPE_U2;
}

/// Returns the value of a narrow integer's low bits.
static int64_t lowBits(kiln_dtype dtype, double value) {
  auto bits = static_cast<uint64_t>(static_cast<int64_t>(value));
  unsigned width = dtype == KILN_DTYPE_I4 || dtype == KILN_DTYPE_U4 ? 4 : 2;
  bool isSigned = dtype == KILN_DTYPE_I4 || dtype == KILN_DTYPE_I2;
  return isSigned ? SignExtend64(bits, width)
                  : static_cast<int64_t>(bits & maskTrailingOnes<uint64_t>(width));
}

static const fltSemantics &halfSemantics(kiln_dtype dtype) {
  return dtype == KILN_DTYPE_BF16 ? APFloat::BFloat() : APFloat::IEEEhalf();
}

static double fromHalf(kiln_dtype dtype, uint16_t bits) {
  APFloat value(halfSemantics(dtype), APInt(16, bits));
  bool exact;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
  return value.convertToDouble();
}

static uint16_t toHalf(kiln_dtype dtype, double number) {
  APFloat value(number);
  bool exact;
  value.convert(halfSemantics(dtype), APFloat::rmNearestTiesToEven, &exact);
  return static_cast<uint16_t>(value.bitcastToAPInt().getZExtValue());
}

/// Calls `fn` with a null pointer of the element's C++ type.
template <typename Fn> static auto withType(kiln_dtype dtype, Fn fn) {
  switch (dtype) {
  case KILN_DTYPE_F64:
    return fn(static_cast<double *>(nullptr));
  case KILN_DTYPE_I8:
  case KILN_DTYPE_I4:
  case KILN_DTYPE_I2:
    return fn(static_cast<int8_t *>(nullptr));
  case KILN_DTYPE_I16:
    return fn(static_cast<int16_t *>(nullptr));
  case KILN_DTYPE_I32:
    return fn(static_cast<int32_t *>(nullptr));
  case KILN_DTYPE_I64:
    return fn(static_cast<int64_t *>(nullptr));
  case KILN_DTYPE_U8:
  case KILN_DTYPE_U4:
  case KILN_DTYPE_U2:
  case KILN_DTYPE_BOOL:
    return fn(static_cast<uint8_t *>(nullptr));
  case KILN_DTYPE_U16:
  case KILN_DTYPE_F16:
  case KILN_DTYPE_BF16:
    return fn(static_cast<uint16_t *>(nullptr));
  case KILN_DTYPE_U32:
    return fn(static_cast<uint32_t *>(nullptr));
  case KILN_DTYPE_U64:
    return fn(static_cast<uint64_t *>(nullptr));
  default:
    return fn(static_cast<float *>(nullptr));
  }
}

static bool isHalf(kiln_dtype dtype) {
  return dtype == KILN_DTYPE_F16 || dtype == KILN_DTYPE_BF16;
}

double kiln::execution::readElement(kiln_dtype dtype, const void *data, uint64_t index) {
  if (isHalf(dtype))
    return fromHalf(dtype, static_cast<const uint16_t *>(data)[index]);
  if (dtype == KILN_DTYPE_F8E8M0FNU)
    return decodeScale(static_cast<const uint8_t *>(data)[index]);
  if (const FloatFormat *format = narrowFormat(dtype))
    return decode(static_cast<const uint8_t *>(data)[index], *format);
  if (isNarrowInteger(dtype))
    return static_cast<double>(lowBits(dtype, static_cast<const uint8_t *>(data)[index]));
  return withType(dtype, [&](auto *type) {
    return static_cast<double>(
        static_cast<const decltype(type)>(const_cast<void *>(data))[index]);
  });
}

void kiln::execution::writeElement(kiln_dtype dtype, void *data, uint64_t index,
                                   double value) {
  if (isHalf(dtype)) {
    static_cast<uint16_t *>(data)[index] = toHalf(dtype, value);
    return;
  }
  auto *byte = static_cast<uint8_t *>(data) + index;
  if (dtype == KILN_DTYPE_F8E8M0FNU) {
    *byte = encodeScale(value, ScaleRounding::Nearest, /*saturates=*/true);
    return;
  }
  if (const FloatFormat *format = narrowFormat(dtype)) {
    *byte = static_cast<uint8_t>(encode(value, *format, /*saturates=*/true));
    return;
  }
  if (isNarrowInteger(dtype))
    value = static_cast<double>(lowBits(dtype, value));
  withType(dtype, [&](auto *type) {
    using T = std::remove_pointer_t<decltype(type)>;
    static_cast<T *>(data)[index] = static_cast<T>(value);
  });
}
