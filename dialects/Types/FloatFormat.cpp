//===- FloatFormat.cpp - Floats of 16 bits and fewer ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Types/FloatFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>

using namespace kiln;

namespace {
/// A format (null for f8E8M0FNU) and its MLIR type.
struct FormatType {
  const FloatFormat *format;
  llvm::StringLiteral name; ///< its name in MLIR syntax
  bool (*isTypeOf)(mlir::Type);
  mlir::FloatType (*get)(mlir::MLIRContext *);
};
} // namespace

template <typename T>
static constexpr FormatType rowOf(const FloatFormat *format, llvm::StringLiteral name) {
  return {format, name, [](mlir::Type type) { return llvm::isa<T>(type); },
          [](mlir::MLIRContext *context) -> mlir::FloatType { return T::get(context); }};
}

static constexpr FormatType kTypes[] = {
    rowOf<mlir::Float16Type>(&kF16, "f16"),
    rowOf<mlir::BFloat16Type>(&kBF16, "bf16"),
    rowOf<mlir::Float8E4M3FNType>(&kF8E4M3FN, "f8E4M3FN"),
    rowOf<mlir::Float8E5M2Type>(&kF8E5M2, "f8E5M2"),
    rowOf<mlir::Float8E4M3FNUZType>(&kF8E4M3FNUZ, "f8E4M3FNUZ"),
    rowOf<mlir::Float8E5M2FNUZType>(&kF8E5M2FNUZ, "f8E5M2FNUZ"),
    rowOf<mlir::Float8E8M0FNUType>(nullptr, "f8E8M0FNU"),
    rowOf<mlir::Float6E2M3FNType>(&kF6E2M3FN, "f6E2M3FN"),
    rowOf<mlir::Float6E3M2FNType>(&kF6E3M2FN, "f6E3M2FN"),
    rowOf<mlir::Float4E2M1FNType>(&kF4E2M1FN, "f4E2M1FN"),
};

/// Returns the first row of which `isWanted` is true; null if there is none.
template <typename Fn> static const FormatType *findRow(Fn isWanted) {
  const auto *row = llvm::find_if(kTypes, isWanted);
  return row == std::end(kTypes) ? nullptr : row;
}

const FloatFormat *kiln::floatFormatOf(mlir::Type type) {
  const auto *row = findRow([&](const FormatType &row) { return row.isTypeOf(type); });
  return row ? row->format : nullptr;
}

const FloatFormat *kiln::floatFormatNamed(llvm::StringRef name) {
  const auto *row = findRow(
      [&](const FormatType &row) { return row.name.equals_insensitive(name); });
  return row ? row->format : nullptr;
}

static const FormatType &rowOf(const FloatFormat &format) {
  const auto *row =
      findRow([&](const FormatType &row) { return row.format && *row.format == format; });
  assert(row && "every format has a type");
  return *row;
}

llvm::StringRef kiln::floatFormatName(const FloatFormat &format) {
  return rowOf(format).name;
}

mlir::FloatType kiln::floatTypeOf(const FloatFormat &format, mlir::MLIRContext *context) {
  return rowOf(format).get(context);
}

mlir::FloatType kiln::floatTypeNamed(llvm::StringRef name, mlir::MLIRContext *context) {
  const auto *row = findRow([&](const FormatType &row) { return row.name == name; });
  return row ? row->get(context) : mlir::FloatType();
}

bool kiln::isNarrowFloat(mlir::Type type) {
  auto number = llvm::dyn_cast<mlir::FloatType>(type);
  return number && number.getWidth() <= 8 &&
         findRow([&](const FormatType &row) { return row.isTypeOf(type); });
}

bool kiln::isMicroscalingType(mlir::Type type) {
  return llvm::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type, mlir::Float6E2M3FNType,
                   mlir::Float6E3M2FNType, mlir::Float4E2M1FNType>(type);
}

bool kiln::isFloat8(mlir::Type type) { return llvm::isa<mlir::Float8E4M3FNType>(type); }

mlir::FloatType kiln::float8Type(mlir::MLIRContext *context) {
  return mlir::Float8E4M3FNType::get(context);
}

bool kiln::isFloat4(mlir::Type type) { return llvm::isa<mlir::Float4E2M1FNType>(type); }

mlir::FloatType kiln::float4Type(mlir::MLIRContext *context) {
  return mlir::Float4E2M1FNType::get(context);
}

bool kiln::isPowerOfTwoType(mlir::Type type) {
  return llvm::isa<mlir::Float8E8M0FNUType>(type);
}

mlir::FloatType kiln::powerOfTwoType(mlir::MLIRContext *context) {
  return mlir::Float8E8M0FNUType::get(context);
}

static uint32_t infinityOf(const FloatFormat &format) {
  return ((1u << format.exponentBits) - 1) << format.mantissaBits;
}

uint32_t FloatFormat::maxFinite() const {
  switch (specials) {
  case FloatSpecials::InfinityAndNaN:
    return infinityOf(*this) - 1;
  case FloatSpecials::LastIsNaN:
    return signBit() - 2;
  default:
    return signBit() - 1;
  }
}

uint32_t FloatFormat::overflow() const {
  switch (specials) {
  case FloatSpecials::InfinityAndNaN:
    return infinityOf(*this);
  case FloatSpecials::LastIsNaN:
    return signBit() - 1;
  case FloatSpecials::MinusZeroIsNaN:
    return signBit();
  case FloatSpecials::None:
    break;
  }
  return maxFinite();
}

uint32_t FloatFormat::nan(bool negative) const {
  uint32_t sign = negative ? signBit() : 0;
  switch (specials) {
  case FloatSpecials::InfinityAndNaN:
    return sign | infinityOf(*this) | (1u << (mantissaBits - 1));
  case FloatSpecials::LastIsNaN:
    return sign | (signBit() - 1);
  case FloatSpecials::MinusZeroIsNaN:
    return signBit();
  case FloatSpecials::None:
    break;
  }
  return sign ^ signBit();
}

static constexpr int kF64Bias = 1023, kF64MantissaBits = 52;

/// Returns 2^exponent for an exponent in f64's range. Many millions of weights pass
/// through these functions, and std::ldexp would dominate their run time.
static double powerOfTwo(int exponent) {
  return llvm::bit_cast<double>(uint64_t(exponent + kF64Bias) << kF64MantissaBits);
}

/// Returns the exponent of a positive value. Values subnormal in f64 are below every
/// format's range, so their exponent need not be exact.
static int exponentOf(double value) {
  return int(llvm::bit_cast<uint64_t>(value) >> kF64MantissaBits) - kF64Bias;
}

/// Rounds a value below 2^51 to the nearest integer, ties to even.
static double roundEven(double value) {
  constexpr double kMagic = 0x1.8p52;
  return (value + kMagic) - kMagic;
}

/// Returns exponent and mantissa bits of a positive value, as if the exponent were
/// unbounded.
static uint32_t roundedBits(double value, const FloatFormat &format) {
  // In units of the last place the value is an integer plus the part to round; a carry
  // out of the mantissa increments the exponent, as it should.
  int exponent = std::max(exponentOf(value), 1 - format.bias);
  auto units = static_cast<uint32_t>(
      roundEven(value * powerOfTwo(format.mantissaBits - exponent)));
  return (static_cast<uint32_t>(exponent + format.bias - 1) << format.mantissaBits) +
         units;
}

uint16_t kiln::encode(double value, const FloatFormat &format, bool saturates) {
  bool negative = std::signbit(value);
  if (std::isnan(value))
    return format.nan(negative);
  value = std::fabs(value);
  // Twice the largest power of two is beyond every finite value; this also limits shift
  // amounts.
  bool isFar = value >= powerOfTwo((1 << format.exponentBits) - format.bias);
  uint32_t bits = isFar ? ~0u : value == 0 ? 0 : roundedBits(value, format);
  if (bits > format.maxFinite())
    bits = saturates ? format.maxFinite() : format.overflow();
  bool hasSign = bits != 0 || format.specials != FloatSpecials::MinusZeroIsNaN;
  return bits | (negative && hasSign ? format.signBit() : 0);
}

double kiln::decode(uint16_t bits, const FloatFormat &format) {
  uint32_t magnitude = bits & (format.signBit() - 1);
  bool negative = bits & format.signBit();
  if (format.specials == FloatSpecials::MinusZeroIsNaN && negative && magnitude == 0)
    return NAN;
  double value = NAN;
  uint32_t mantissa = magnitude & ((1u << format.mantissaBits) - 1);
  int exponent = static_cast<int>(magnitude >> format.mantissaBits);
  if (magnitude <= format.maxFinite())
    value = exponent == 0 ? mantissa * powerOfTwo(1 - format.bias - format.mantissaBits)
                          : (mantissa + (1u << format.mantissaBits)) *
                                powerOfTwo(exponent - format.bias - format.mantissaBits);
  else if (format.specials == FloatSpecials::InfinityAndNaN && mantissa == 0)
    value = INFINITY;
  return negative ? -value : value;
}

static constexpr int kScaleBias = 127, kMaxScale = 254, kScaleNaN = 255;

/// Returns the exponent of the power of two that a positive value is rounded to.
static int roundedExponent(double value, ScaleRounding rounding) {
  int exponent = std::ilogb(value);
  double fraction = std::ldexp(value, -exponent); // in [1, 2)
  switch (rounding) {
  case ScaleRounding::Up:
    return exponent + (fraction > 1);
  case ScaleRounding::Nearest:
    return exponent + (fraction >= 1.5);
  case ScaleRounding::Down:
    break;
  }
  return exponent;
}

int kiln::e2m1FromZero(uint8_t code) {
  return kE2m1Zero + static_cast<int>(2 * decode(code, kF4E2M1FN));
}

uint8_t kiln::encodeScale(double value, ScaleRounding rounding, bool saturates) {
  if (std::isnan(value))
    return kScaleNaN;
  value = std::fabs(value);
  int byte = std::isinf(value) ? kMaxScale + 1
             : value == 0      ? -1
                               : roundedExponent(value, rounding) + kScaleBias;
  if (byte >= 0 && byte <= kMaxScale)
    return static_cast<uint8_t>(byte);
  return saturates ? std::clamp(byte, 0, kMaxScale) : kScaleNaN;
}

double kiln::decodeScale(uint8_t byte) {
  return byte == kScaleNaN ? NAN : std::ldexp(1.0, byte - kScaleBias);
}
