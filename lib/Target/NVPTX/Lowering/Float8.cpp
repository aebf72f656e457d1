//===- Float8.cpp - f8E4M3FN to f32 ---------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A weight that is read once needs few instructions other than the conversion, so the
// conversion decides the throughput: 2 instructions per value with cvt, 6 with bit
// operations, of which one is a multiplication and two handle NaN.
//
//===----------------------------------------------------------------------===//

#include "Float8.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

namespace {
class Widening {
public:
  explicit Widening(ImplicitLocOpBuilder &b) : b(b) {}

  /// Returns the first `count` bytes as one integer of 8 * count bits; null if they are
  /// not aligned elements of one loaded vector.
  Value joined(ArrayRef<Value> bytes, size_t count);
  /// Converts the f8E4M3FN in the top byte of a word to f32.
  Value fromHighest(Value word);
  std::pair<Value, Value> byInstruction(Value pair);
  Value word(int64_t value) { return arith::ConstantIntOp::create(b, value, 32); }
  Value number(float value) {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
  }

  ImplicitLocOpBuilder &b;
};
} // namespace

/// Returns the vector that a value is an element of, and its index.
static std::pair<Value, int64_t> placeOf(Value byte) {
  auto extract = byte.getDefiningOp<LLVM::ExtractElementOp>();
  auto at = extract ? getConstantIntValue(extract.getPosition()) : std::nullopt;
  return at ? std::pair(extract.getVector(), *at) : std::pair(Value(), int64_t(0));
}

Value Widening::joined(ArrayRef<Value> bytes, size_t count) {
  if (bytes.size() < count)
    return {};
  auto [vector, first] = placeOf(bytes.front());
  if (!vector || first % count)
    return {};
  for (size_t i = 1; i < count; ++i)
    if (placeOf(bytes[i]) != std::pair(vector, first + int64_t(i)))
      return {};
  int64_t length = cast<VectorType>(vector.getType()).getNumElements();
  if (length % count)
    return {};
  Type integer = b.getIntegerType(8 * count);
  if (length == int64_t(count))
    return LLVM::BitcastOp::create(b, integer, vector);
  Value words =
      LLVM::BitcastOp::create(b, VectorType::get(length / count, integer), vector);
  return LLVM::ExtractElementOp::create(b, words, word(first / count));
}

/// Keeps the sign and moves exponent and mantissa to their place in f32, which gives the
/// value times 2^-120, also if it is subnormal. Magnitudes above 448 are NaN.
Value Widening::fromHighest(Value bits) {
  constexpr int64_t kSignAndFields = int32_t(0x87f00000);
  bits = arith::ShRSIOp::create(b, bits, word(4));
  bits = arith::AndIOp::create(b, bits, word(kSignAndFields));
  Value value = arith::MulFOp::create(
      b, arith::BitcastOp::create(b, b.getF32Type(), bits), number(0x1p120f));
  Value isNaN =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OGT,
                            math::AbsFOp::create(b, value).getResult(), number(448));
  Value none = number(std::numeric_limits<float>::quiet_NaN());
  return arith::SelectOp::create(b, isNaN, none, value);
}

/// Converts by way of f16, which represents every f8E4M3FN value exactly.
std::pair<Value, Value> Widening::byInstruction(Value pair) {
  Type halves = VectorType::get(2, b.getF16Type());
  Value both =
      LLVM::CallIntrinsicOp::create(
          b, halves, b.getStringAttr("llvm.nvvm.e4m3x2.to.f16x2.rn"), ValueRange{pair})
          .getResult(0);
  auto at = [&](int64_t i) -> Value {
    Value half = LLVM::ExtractElementOp::create(b, both, word(i));
    return arith::ExtFOp::create(b, b.getF32Type(), half);
  };
  return {at(0), at(1)};
}

Values nvptx::widenE4m3(ImplicitLocOpBuilder &b, const GpuInfo &gpu,
                        ArrayRef<Value> bytes) {
  Widening widening(b);
  Values numbers;
  while (numbers.size() < bytes.size()) {
    ArrayRef<Value> left = bytes.drop_front(numbers.size());
    if (gpu.hasFloat8) {
      Value pair = widening.joined(left, 2);
      auto [first, second] = widening.byInstruction(
          pair ? pair : arith::ExtUIOp::create(b, b.getI16Type(), left.front()));
      numbers.push_back(first);
      if (pair)
        numbers.push_back(second);
    } else if (Value word = widening.joined(left, 4)) {
      for (int64_t up : {24, 16, 8, 0}) {
        Value highest =
            up ? arith::ShLIOp::create(b, word, widening.word(up)).getResult() : word;
        numbers.push_back(widening.fromHighest(highest));
      }
    } else {
      Value wide = arith::ExtUIOp::create(b, b.getI32Type(), left.front());
      numbers.push_back(
          widening.fromHighest(arith::ShLIOp::create(b, wide, widening.word(24))));
    }
  }
  return numbers;
}
