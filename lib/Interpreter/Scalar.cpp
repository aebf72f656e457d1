//===- Scalar.cpp - Scalars, their bits and their memory ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalar.h"
#include "dialects/Tile/Tile.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace kiln;
using namespace kiln::interpreter;
using namespace mlir;

unsigned interpreter::widthOf(Type type) {
  return type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
}

static llvm::APFloat converted(Type type, double value) {
  llvm::APFloat result(value);
  bool losesInfo;
  result.convert(cast<FloatType>(type).getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return result;
}

Scalar interpreter::roundTo(Type type, double value) {
  if (type.isF64())
    return Scalar::ofFloat(value);
  if (type.isF32())
    return Scalar::ofFloat(static_cast<float>(value));
  return fromBits(type, converted(type, value).bitcastToAPInt().getZExtValue());
}

Scalar interpreter::wrapTo(Type type, int64_t value) {
  unsigned width = widthOf(type);
  if (width == 1)
    return Scalar::ofInt(value & 1);
  return Scalar::ofInt(width == 64 ? value : llvm::SignExtend64(value, width));
}

int64_t interpreter::asSigned(Type type, Scalar value) {
  return widthOf(type) == 1 ? -value.i : value.i;
}

uint64_t interpreter::asUnsigned(Type type, Scalar value) {
  return static_cast<uint64_t>(value.i) & llvm::maskTrailingOnes<uint64_t>(widthOf(type));
}

uint64_t interpreter::toBits(Type type, Scalar value) {
  if (!isa<FloatType>(type))
    return asUnsigned(type, value);
  if (type.isF32()) // keeps the payload of a NaN
    return llvm::bit_cast<uint32_t>(static_cast<float>(value.f));
  return converted(type, value.f).bitcastToAPInt().getZExtValue();
}

Scalar interpreter::fromBits(Type type, uint64_t bits) {
  if (!isa<FloatType>(type))
    return wrapTo(type, static_cast<int64_t>(bits));
  if (type.isF32())
    return Scalar::ofFloat(llvm::bit_cast<float>(static_cast<uint32_t>(bits)));
  if (type.isF64())
    return Scalar::ofFloat(llvm::bit_cast<double>(bits));
  const llvm::fltSemantics &semantics = cast<FloatType>(type).getFloatSemantics();
  llvm::APFloat value(semantics, llvm::APInt(type.getIntOrFloatBitWidth(), bits));
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return Scalar::ofFloat(value.convertToDouble());
}

Scalar interpreter::loadScalar(Type type, const char *memory) {
  uint64_t bits = 0;
  std::memcpy(&bits, memory, tile::elementBytes(type)); // the host is little endian
  return fromBits(type, bits);
}

void interpreter::storeScalar(Type type, Scalar value, char *memory) {
  uint64_t bits = toBits(type, value);
  std::memcpy(memory, &bits, tile::elementBytes(type));
}
