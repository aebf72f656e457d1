//===- FloatFormat.h - Floats of 16 bits and fewer --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the bits of a small float mean, and its conversions to and from f64, which
// holds every value of every format. docs/rationale/narrow-types.md has the
// layouts and the rules.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SUPPORT_FLOATFORMAT_H
#define KILN_SUPPORT_FLOATFORMAT_H

#include "mlir/IR/BuiltinTypes.h"

#include <cstdint>

namespace kiln {

/// Which patterns are no finite numbers.
enum class FloatSpecials : uint8_t {
  InfinityAndNaN, ///< the largest exponent, as IEEE 754 has it
  LastIsNaN,      ///< all bits of exponent and mantissa (suffix FN of 8 bits)
  MinusZeroIsNaN, ///< the sign alone; there is no -0 (suffix FNUZ)
  None,           ///< every pattern is a number (suffix FN of 6 and 4 bits)
};

/// sign, exponent, mantissa from the top; subnormals at exponent 0.
struct FloatFormat {
  int exponentBits, mantissaBits, bias;
  FloatSpecials specials;

  int width() const { return 1 + exponentBits + mantissaBits; }
  uint32_t signBit() const { return 1u << (exponentBits + mantissaBits); }
  /// Exponent and mantissa of the largest finite number.
  uint32_t maxFinite() const;
  /// Exponent and mantissa of what is too large: infinity, else NaN, else the
  /// largest number.
  uint32_t overflow() const;
  /// The pattern of NaN by its sign; zero where there is none, as ml_dtypes has it.
  uint32_t nan(bool negative) const;
  bool operator==(const FloatFormat &) const = default;
};

inline constexpr FloatFormat kF16{5, 10, 15, FloatSpecials::InfinityAndNaN};
inline constexpr FloatFormat kBF16{8, 7, 127, FloatSpecials::InfinityAndNaN};
inline constexpr FloatFormat kF8E4M3FN{4, 3, 7, FloatSpecials::LastIsNaN};
inline constexpr FloatFormat kF8E5M2{5, 2, 15, FloatSpecials::InfinityAndNaN};
inline constexpr FloatFormat kF8E4M3FNUZ{4, 3, 8, FloatSpecials::MinusZeroIsNaN};
inline constexpr FloatFormat kF8E5M2FNUZ{5, 2, 16, FloatSpecials::MinusZeroIsNaN};
inline constexpr FloatFormat kF6E2M3FN{2, 3, 1, FloatSpecials::None};
inline constexpr FloatFormat kF6E3M2FN{3, 2, 3, FloatSpecials::None};
inline constexpr FloatFormat kF4E2M1FN{2, 1, 1, FloatSpecials::None};

/// The format of a float type of 16 bits and fewer; null for all other types, and for
/// f8E8M0FNU, which has functions of its own.
const FloatFormat *floatFormatOf(mlir::Type type);

/// Name of a format's type in MLIR's text.
llvm::StringRef floatFormatName(const FloatFormat &format);

/// The format by the name of its type in MLIR's text ("f8E4M3FN"); null as above.
const FloatFormat *floatFormatNamed(llvm::StringRef name);

/// The float type of 16 bits or fewer with this name, f8E8M0FNU included; null if there
/// is none.
mlir::FloatType floatTypeNamed(llvm::StringRef name, mlir::MLIRContext *context);

/// True for floats of 8 bits and fewer, f8E8M0FNU included.
bool isNarrowFloat(mlir::Type type);

/// True for the element types of the MX formats (OCP Microscaling Formats v1.0, table 1).
bool isMicroscalingType(mlir::Type type);

/// True for the float of 8 bits that kernels multiply and widen in registers, f8E4M3FN:
/// memory and registers hold its bytes as i8. The others are converted through tables.
bool isFloat8(mlir::Type type);
mlir::FloatType float8Type(mlir::MLIRContext *context);

/// True for the float of 4 bits that kernels multiply, f4E2M1FN, as codes in words.
bool isFloat4(mlir::Type type);
mlir::FloatType float4Type(mlir::MLIRContext *context);

/// True for the scales of the MX formats, f8E8M0FNU: every number is a power of two (OCP
/// Microscaling Formats v1.0, section 5.4).
bool isPowerOfTwoType(mlir::Type type);
mlir::FloatType powerOfTwoType(mlir::MLIRContext *context);

/// The type of numbers of a format, one of those above.
mlir::FloatType floatTypeOf(const FloatFormat &format, mlir::MLIRContext *context);

/// Rounds once, to nearest even. What is too large becomes the largest number
/// if `saturates`, else `overflow()`.
uint16_t encode(double value, const FloatFormat &format, bool saturates = false);
/// Bits above the format's width mean nothing.
double decode(uint16_t bits, const FloatFormat &format);

/// Codes of f4E2M1FN as whole numbers that are not negative, which is how products of
/// quantized operands take them: twice the number, and 12 (its largest, doubled) added.
inline constexpr int kE2m1Zero = 12;
int e2m1FromZero(uint8_t code);

/// How a number that is no power of two becomes one.
enum class ScaleRounding : uint8_t { Up, Down, Nearest };

/// f8E8M0FNU, the scale of the MX formats: 2^(byte - 127), 255 is NaN; it has
/// neither sign nor zero. The magnitude is rounded, halves up. What then is too
/// large or too small becomes the next number if `saturates`, else NaN.
uint8_t encodeScale(double value, ScaleRounding rounding, bool saturates);
double decodeScale(uint8_t byte);

/// How a cast to a float of 8 or fewer bits rounds and treats numbers out of its range.
struct CastRules {
  bool saturates = true;
  ScaleRounding rounding = ScaleRounding::Up; ///< of f8E8M0FNU
};

/// Returns the rules of a graph.cast. A template, for this library does not depend on the
/// dialect.
template <typename CastOpT> CastRules castRulesOf(CastOpT op) {
  using Given = typename decltype(op.getRounding())::value_type;
  static_assert(int(ScaleRounding::Up) == int(Given::up) &&
                int(ScaleRounding::Down) == int(Given::down) &&
                int(ScaleRounding::Nearest) == int(Given::nearest));
  return {!op.getOverflows(),
          static_cast<ScaleRounding>(op.getRounding().value_or(Given::up))};
}

} // namespace kiln

#endif // KILN_SUPPORT_FLOATFORMAT_H
