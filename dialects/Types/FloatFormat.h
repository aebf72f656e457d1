//===- FloatFormat.h - Floats of at most 16 bits ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats of small floats and conversions to and from f64, which contains every value of
// each format. docs/rationale/narrow-types.md has the layouts and the rules.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DIALECTS_TYPES_FLOATFORMAT_H
#define KILN_DIALECTS_TYPES_FLOATFORMAT_H

#include "mlir/IR/BuiltinTypes.h"

#include <cstdint>

namespace kiln {

/// Bit patterns that are not finite numbers.
enum class FloatSpecials : uint8_t {
  InfinityAndNaN, ///< all patterns with the largest exponent, as in IEEE 754
  LastIsNaN,      ///< all bits of exponent and mantissa set (suffix FN of 8 bits)
  MinusZeroIsNaN, ///< only the sign bit set; there is no -0 (suffix FNUZ)
  None,           ///< none (suffix FN of 6 and 4 bits)
};

/// A format with sign, exponent and mantissa from the top bit down; exponent 0 means
/// subnormal.
struct FloatFormat {
  int exponentBits, mantissaBits, bias;
  FloatSpecials specials;

  int width() const { return 1 + exponentBits + mantissaBits; }
  uint32_t signBit() const { return 1u << (exponentBits + mantissaBits); }
  /// Exponent and mantissa bits of the largest finite number.
  uint32_t maxFinite() const;
  /// Exponent and mantissa bits of values that overflow: infinity, else NaN, else the
  /// largest number.
  uint32_t overflow() const;
  /// Bit pattern of NaN with this sign; zero if the format has no NaN, as in ml_dtypes.
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

/// Returns the format of a float type of at most 16 bits; null for all other types, and
/// for f8E8M0FNU, which has its own functions.
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

/// Rounds once, to nearest even. Overflow gives the largest number if `saturates`, else
/// `overflow()`.
uint16_t encode(double value, const FloatFormat &format, bool saturates = false);
/// Decodes a bit pattern; bits above the format's width are ignored.
double decode(uint16_t bits, const FloatFormat &format);

/// Offset that maps f4E2M1FN to non-negative integers for quantized matmuls: twice the
/// value plus 12, which is twice the largest value.
inline constexpr int kE2m1Zero = 12;
int e2m1FromZero(uint8_t code);

/// Rounding of scales to a power of two.
enum class ScaleRounding : uint8_t { Up, Down, Nearest };

/// f8E8M0FNU, the scale of the MX formats: 2^(byte - 127), 255 is NaN; it has neither
/// sign nor zero. The magnitude is rounded, halves up. Overflow and underflow give the
/// nearest scale if `saturates`, else NaN.
uint8_t encodeScale(double value, ScaleRounding rounding, bool saturates);
double decodeScale(uint8_t byte);

/// Rounding and overflow of a cast to a float of at most 8 bits.
struct CastRules {
  bool saturates = true;
  ScaleRounding rounding = ScaleRounding::Up; ///< for f8E8M0FNU
};

/// Returns the rules of a graph.cast. It is a template because this library does not
/// depend on the dialect.
template <typename CastOpT> CastRules castRulesOf(CastOpT op) {
  using Given = typename decltype(op.getRounding())::value_type;
  static_assert(int(ScaleRounding::Up) == int(Given::up) &&
                int(ScaleRounding::Down) == int(Given::down) &&
                int(ScaleRounding::Nearest) == int(Given::nearest));
  return {!op.getOverflows(),
          static_cast<ScaleRounding>(op.getRounding().value_or(Given::up))};
}

} // namespace kiln

#endif // KILN_DIALECTS_TYPES_FLOATFORMAT_H
