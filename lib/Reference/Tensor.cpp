//===- Tensor.cpp - Values of the reference evaluator ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Reference/Tensor.h"
#include "Rounding.h"
#include "Storage.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Types/FloatFormat.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace kiln;
using namespace kiln::reference;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Types and shapes
//===----------------------------------------------------------------------===//

bool reference::isSupported(Type type) {
  if (isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type) || graph::isNarrow(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return false;
  switch (integer.getWidth()) {
  case 1:
    return integer.isSignless();
  case 8:
  case 16:
  case 32:
  case 64:
    return true;
  default:
    return false;
  }
}

bool reference::isUnsigned(Type type) {
  return type.isUnsignedInteger() || type.isInteger(1);
}

std::optional<int64_t> reference::countElements(ArrayRef<int64_t> shape) {
  constexpr int64_t kLimit = int64_t(1) << 46;
  int64_t count = 1;
  for (int64_t dim : shape)
    if (dim < 0)
      return std::nullopt;
  for (int64_t dim : shape)
    if (llvm::MulOverflow(count, dim, count) || count > kLimit)
      return std::nullopt;
  return count;
}

Shape reference::stridesOf(ArrayRef<int64_t> shape) {
  Shape strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0; stride *= shape[i])
    strides[i] = stride;
  return strides;
}

/// Returns the value of the low bits; types of 8 bits or more are truncated by their
/// storage.
static int64_t lowBits(int64_t value, Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  if (width >= 8)
    return value;
  return isUnsigned(type) ? value & llvm::maskTrailingOnes<uint64_t>(width)
                          : llvm::SignExtend64(value, width);
}

//===----------------------------------------------------------------------===//
// Making tensors
//===----------------------------------------------------------------------===//

Tensor Tensor::borrow(Type elementType, ArrayRef<int64_t> shape, const void *bytes,
                      std::shared_ptr<const void> owner) {
  assert(isSupported(elementType) && "element type that cannot be evaluated");
  Tensor tensor;
  tensor.elementType = elementType;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.numElements = countElements(shape).value();
  tensor.bytes = static_cast<const char *>(bytes);
  tensor.owner = std::move(owner);
  return tensor;
}

Tensor Tensor::allocate(Type elementType, ArrayRef<int64_t> shape, bool wide) {
  Tensor tensor = borrow(elementType, shape, nullptr);
  tensor.wide = wide && tensor.isFloat();
  size_t size = tensor.numElements * tensor.getElementBytes();
  // Allocates doubles, so that the memory is aligned for every element type.
  auto memory = std::make_shared_for_overwrite<double[]>(llvm::divideCeil(size, 8));
  tensor.bytes = reinterpret_cast<const char *>(memory.get());
  tensor.owner = std::move(memory);
  return tensor;
}

Tensor Tensor::fromDoubles(Type elementType, ArrayRef<int64_t> shape,
                           ArrayRef<double> values) {
  Type type = isa<FloatType>(elementType) ? elementType
                                          : Float64Type::get(elementType.getContext());
  Tensor tensor = allocate(type, shape, /*wide=*/true);
  assert(static_cast<int64_t>(values.size()) == tensor.numElements);
  llvm::copy(values, tensor.mutableDataAs<double>());
  return type == elementType ? tensor : tensor.convert(elementType);
}

Tensor Tensor::fromInts(Type elementType, ArrayRef<int64_t> shape,
                        ArrayRef<int64_t> values) {
  Tensor tensor = allocate(elementType, shape);
  assert(static_cast<int64_t>(values.size()) == tensor.numElements);
  withInteger(elementType, [&](auto zero) {
    auto *out = tensor.mutableDataAs<decltype(zero)>();
    for (auto [i, value] : llvm::enumerate(values))
      out[i] = static_cast<decltype(zero)>(lowBits(value, elementType));
  });
  return tensor;
}

/// Booleans in an attribute are packed bits.
static Tensor booleansOf(DenseElementsAttr attr, Type elementType) {
  std::vector<int64_t> values;
  for (bool value : attr.getValues<bool>())
    values.push_back(value);
  return Tensor::fromInts(elementType, attr.getType().getShape(), values);
}

/// Narrow integers in an attribute have one byte each, zero-extended.
static Tensor narrowIntegersOf(DenseElementsAttr attr, Type elementType) {
  std::vector<int64_t> values;
  for (const llvm::APInt &value : attr.getValues<llvm::APInt>())
    values.push_back(static_cast<int64_t>(value.getZExtValue()));
  return Tensor::fromInts(elementType, attr.getType().getShape(), values);
}

std::optional<Tensor> Tensor::fromAttr(ElementsAttr attr) {
  Type type = attr.getShapedType().getElementType();
  ArrayRef<int64_t> shape = attr.getShapedType().getShape();
  if (!isSupported(type))
    return std::nullopt;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return std::nullopt;
    return borrow(type, shape, blob->getData().data());
  }
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense)
    return std::nullopt;
  if (type.isInteger(1))
    return booleansOf(dense, type);
  if (isa<IntegerType>(type) && graph::isNarrow(type))
    return narrowIntegersOf(dense, type);
  if (!dense.isSplat())
    return borrow(type, shape, dense.getRawData().data());
  Tensor tensor = allocate(type, shape);
  ArrayRef<char> value = dense.getRawData();
  for (int64_t i = 0; i < tensor.numElements; ++i)
    llvm::copy(value, tensor.mutableData() + i * value.size());
  return tensor;
}

//===----------------------------------------------------------------------===//
// Reading elements
//===----------------------------------------------------------------------===//

int64_t Tensor::getElementBytes() const {
  return wide ? sizeof(double) : graph::elementBytes(elementType);
}

double Tensor::getDouble(int64_t i) const {
  if (wide || elementType.isF64())
    return load<double>(bytes, i);
  if (elementType.isF32())
    return load<float>(bytes, i);
  if (isPowerOfTwoType(elementType))
    return decodeScale(load<uint8_t>(bytes, i));
  if (const FloatFormat *format = floatFormatOf(elementType))
    return decode(format->width() > 8 ? load<uint16_t>(bytes, i) : load<uint8_t>(bytes, i),
                  *format);
  int64_t value = getInt(i);
  return isUnsigned(elementType) ? static_cast<double>(static_cast<uint64_t>(value))
                                 : static_cast<double>(value);
}

int64_t Tensor::getInt(int64_t i) const {
  int64_t value = 0;
  withInteger(elementType, [&](auto zero) { value = load<decltype(zero)>(bytes, i); });
  return lowBits(value, elementType);
}

std::vector<int64_t> Tensor::ints() const {
  std::vector<int64_t> values(numElements);
  withInteger(elementType, [&](auto zero) {
    for (int64_t i = 0; i < numElements; ++i)
      values[i] = lowBits(load<decltype(zero)>(bytes, i), elementType);
  });
  return values;
}

Tensor Tensor::widen() const {
  assert(isFloat() && "only floats are widened");
  bool aligned = reinterpret_cast<uintptr_t>(bytes) % alignof(double) == 0;
  if (wide || (elementType.isF64() && aligned)) {
    Tensor same = *this;
    same.wide = true;
    return same;
  }
  Tensor result = allocate(elementType, shape, /*wide=*/true);
  auto *out = result.mutableDataAs<double>();
  if (elementType.isF32())
    for (int64_t i = 0; i < numElements; ++i)
      out[i] = load<float>(bytes, i);
  else
    for (int64_t i = 0; i < numElements; ++i)
      out[i] = getDouble(i);
  return result;
}

ArrayRef<double> Tensor::doubles() const {
  assert(wide && "widen() first");
  return {reinterpret_cast<const double *>(bytes), static_cast<size_t>(numElements)};
}

Tensor Tensor::withShape(ArrayRef<int64_t> newShape) const {
  assert(countElements(newShape) == numElements && "a shape of another size");
  Tensor same = *this;
  same.shape.assign(newShape.begin(), newShape.end());
  return same;
}

Tensor Tensor::slice(int64_t begin, ArrayRef<int64_t> newShape) const {
  int64_t count = countElements(newShape).value();
  assert(begin >= 0 && begin + count <= numElements && "elements that do not exist");
  Tensor part = *this;
  part.shape.assign(newShape.begin(), newShape.end());
  part.numElements = count;
  part.bytes += begin * getElementBytes();
  return part;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Converts f64 to floats of 16 bits or fewer.
static Tensor encoded(const Tensor &input, Type type, const CastRules &rules) {
  Tensor result = Tensor::allocate(type, input.getShape());
  ArrayRef<double> values = input.doubles();
  const FloatFormat *format = floatFormatOf(type);
  for (auto [i, value] : llvm::enumerate(values))
    if (!format)
      result.mutableDataAs<uint8_t>()[i] =
          encodeScale(value, rules.rounding, rules.saturates);
    else if (format->width() > 8)
      result.mutableDataAs<uint16_t>()[i] = encode(value, *format);
    else
      result.mutableDataAs<uint8_t>()[i] = encode(value, *format, rules.saturates);
  return result;
}

Tensor Tensor::rounded() const {
  if (!wide)
    return *this;
  if (elementType.isF64()) {
    Tensor same = *this;
    same.wide = false;
    return same;
  }
  if (!elementType.isF32())
    return encoded(*this, elementType, {});
  Tensor result = allocate(elementType, shape);
  for (auto [i, value] : llvm::enumerate(doubles()))
    result.mutableDataAs<float>()[i] = static_cast<float>(value);
  return result;
}

/// Returns true if `to` represents every value of `from`.
static bool holdsAll(FloatType to, FloatType from) {
  auto range = [](FloatType type) {
    return llvm::APFloat::semanticsMaxExponent(type.getFloatSemantics());
  };
  return to.getFPMantissaWidth() >= from.getFPMantissaWidth() && range(to) >= range(from);
}

/// Converts f32 to bf16 with the same bits as encode(): the upper half, rounded to
/// nearest even.
static uint16_t toBF16(uint32_t bits) {
  constexpr uint32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000;
  if ((bits & kMagnitude) > kInfinity)
    return (bits >> 16 & 0x8000) | 0x7fc0;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/// Converts bf16 to f32 with the same bits as decode().
static uint32_t fromBF16(uint16_t half) {
  constexpr uint32_t kMagnitude = 0x7fff, kInfinity = 0x7f80;
  uint32_t bits = (half & kMagnitude) > kInfinity ? (half & 0x8000) | 0x7fc0 : half;
  return bits << 16;
}

/// Converts between f32 and bf16 directly, not through f64: weights pass through here on
/// their way into a package.
static std::optional<Tensor> storedToStored(const Tensor &input, Type type) {
  Type from = input.getElementType();
  int64_t count = input.getNumElements();
  if (input.isWide() || !((from.isF32() && type.isBF16()) || (from.isBF16() && type.isF32())))
    return std::nullopt;
  Tensor result = Tensor::allocate(type, input.getShape());
  if (type.isBF16())
    for (int64_t i = 0; i < count; ++i)
      result.mutableDataAs<uint16_t>()[i] = toBF16(load<uint32_t>(input.data(), i));
  else
    for (int64_t i = 0; i < count; ++i)
      result.mutableDataAs<uint32_t>()[i] = fromBF16(load<uint16_t>(input.data(), i));
  return result;
}

static Tensor floatToFloat(const Tensor &input, Type type, const CastRules &rules) {
  if (std::optional<Tensor> result = storedToStored(input, type))
    return *result;
  Tensor wide = input.widen();
  if (graph::isNarrow(type))
    return encoded(wide, type, rules);
  Tensor result = Tensor::fromDoubles(type, input.getShape(), wide.doubles());
  bool exact = holdsAll(cast<FloatType>(type), cast<FloatType>(input.getElementType()));
  return exact ? result : result.rounded();
}

static Tensor floatToInteger(const Tensor &input, Type type) {
  std::vector<int64_t> values(input.getNumElements());
  Tensor wide = input.widen();
  unsigned width = type.getIntOrFloatBitWidth();
  for (auto [i, value] : llvm::enumerate(wide.doubles()))
    values[i] = width == 1         ? value != 0
                : isUnsigned(type) ? static_cast<int64_t>(truncateUnsigned(value, width))
                                   : truncateSigned(value, width);
  return Tensor::fromInts(type, input.getShape(), values);
}

static Tensor integerToFloat(const Tensor &input, Type type, const CastRules &rules) {
  std::vector<double> values(input.getNumElements());
  bool noSign = isUnsigned(input.getElementType());
  for (auto [i, value] : llvm::enumerate(input.ints())) {
    if (type.isF64())
      values[i] = input.getDouble(i);
    else
      values[i] = noSign ? toDoubleSticky(static_cast<uint64_t>(value)) : toDoubleSticky(value);
  }
  Tensor wide = Tensor::fromDoubles(type, input.getShape(), values);
  return graph::isNarrow(type) ? encoded(wide, type, rules) : wide.rounded();
}

static Tensor integerToInteger(const Tensor &input, Type type) {
  std::vector<int64_t> values = input.ints();
  if (type.isInteger(1))
    for (int64_t &value : values)
      value = value != 0;
  return Tensor::fromInts(type, input.getShape(), values);
}

Tensor Tensor::convert(Type type, const CastRules &rules) const {
  if (type == elementType)
    return *this;
  if (isFloat())
    return isa<FloatType>(type) ? floatToFloat(*this, type, rules)
                                : floatToInteger(*this, type);
  return isa<FloatType>(type) ? integerToFloat(*this, type, rules)
                              : integerToInteger(*this, type);
}

std::vector<char> Tensor::toBytes(Type type) const {
  Tensor result = convert(type).rounded();
  return {result.data(), result.data() + numElements * result.getElementBytes()};
}

DenseElementsAttr Tensor::toAttr() const {
  auto type = RankedTensorType::get(shape, elementType);
  if (elementType.isInteger(1)) {
    SmallVector<bool> values;
    for (int64_t i = 0; i < numElements; ++i)
      values.push_back(getInt(i) != 0);
    return DenseElementsAttr::get(type, values);
  }
  std::vector<char> raw = toBytes();
  if (graph::isNarrow(elementType))
    for (char &byte : raw) // equal attributes have equal bytes
      byte &= llvm::maskTrailingOnes<uint8_t>(elementType.getIntOrFloatBitWidth());
  return DenseElementsAttr::getFromRawBuffer(type, raw);
}
