//===- Quantization.cpp - Quantization ops --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// QuantizeLinear and DequantizeLinear become one graph op each; integer matmuls become
// separate ops. docs/rationale/narrow-types.md documents what ONNX leaves open.
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Ops/Quantization.h"
#include "dialects/Types/FloatFormat.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Contraction.h"
#include "lib/Import/Ops/Ops.h"
#include "lib/Import/Types.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::ReduceKind;
using graph::UnaryKind;

enum : unsigned { X, Scale, ZeroPoint };

namespace {
/// Granularity of scales: one for all elements, one per index along `axis`, or one per
/// `block` contiguous elements along it.
struct Blocking {
  std::optional<int64_t> axis, block;
};

/// Operands of QuantizeLinear and DequantizeLinear; the zero point may be null.
struct Scaled {
  Value input, scale, zero;
  Blocking blocking;
};
} // namespace

//===----------------------------------------------------------------------===//
// Ops of the graph
//===----------------------------------------------------------------------===//

static IntegerAttr optionalAttr(Node &n, std::optional<int64_t> value) {
  return value ? n.builder.getI64IntegerAttr(*value) : IntegerAttr();
}

/// Builds the op with these operands; null if a required one is missing.
template <typename OpT, typename... Attrs>
static Value create(Node &n, const Scaled &scaled, Type type, Attrs... attrs) {
  if (!scaled.input || !scaled.scale)
    return {};
  Value input = n.canonical(scaled.input);
  return OpT::create(n.builder, n.loc, graph::makeTensorType(n.dims(input), type), input,
                     n.canonical(scaled.scale),
                     scaled.zero ? n.canonical(scaled.zero) : Value(),
                     optionalAttr(n, scaled.blocking.axis),
                     optionalAttr(n, scaled.blocking.block), attrs...);
}

static bool isFloatOf8Bits(Type type) {
  return isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8;
}

//===----------------------------------------------------------------------===//
// Scales
//===----------------------------------------------------------------------===//

/// Returns true for a single scale, of any rank.
static bool isSingle(Node &n, unsigned input) {
  return llvm::all_of(n.inputDims(input),
                      [](const SymbolicExpr &dim) { return dim.isConstant(1); });
}

static LogicalResult failScale(Node &n, const Twine &expected) {
  return n.fail(ErrorCode::ShapeMismatch, "the scale does not fit the input", expected,
                graph::printDims(n.inputDims(Scale)),
                "give one scale, one per index of the axis, or one per block");
}

/// Determines the granularity of a node's scales; nullopt after an error.
static std::optional<Blocking> findBlocking(Node &n) {
  if (isSingle(n, Scale))
    return Blocking();
  std::optional<int64_t> axis = n.axis(n.intAttr("axis", 1), n.inputRank(X));
  if (!axis)
    return std::nullopt;
  int64_t block = n.intAttr("block_size", 0);
  if (block < 0) {
    (void)n.fail(ErrorCode::NodeInvalid, "block_size is negative", "at least 0",
                 Twine(block), "export the model again");
    return std::nullopt;
  }
  Dims dims = n.inputDims(X), scales = n.inputDims(Scale), expected{dims[*axis]};
  if (block) {
    expected = dims;
    expected[*axis] = dims[*axis].ceilDiv(block);
  }
  bool fits = scales.size() == expected.size();
  for (auto [found, wanted] : llvm::zip(scales, expected))
    fits = fits && n.symbols.unify(found, wanted);
  if (fits)
    return Blocking{*axis, block ? std::optional(block) : std::nullopt};
  (void)failScale(n, graph::printDims(expected) +
                         (block ? " for blocks of " + std::to_string(block)
                                : std::string(" along axis ") + std::to_string(*axis)));
  return std::nullopt;
}

/// Reshapes a scale or zero point to the shape that graph ops take.
static Value parameter(Node &n, Value value, const Blocking &blocking) {
  return value && !blocking.axis && n.rank(value) ? n.reshape(value, {}) : value;
}

static LogicalResult checkZeroPoint(Node &n) {
  if (!n.hasInput(ZeroPoint) || n.inputDims(ZeroPoint) == n.inputDims(Scale) ||
      (isSingle(n, ZeroPoint) && isSingle(n, Scale)))
    return success();
  return n.fail(ErrorCode::ShapeMismatch, "scale and zero point differ in shape",
                graph::printDims(n.inputDims(Scale)),
                graph::printDims(n.inputDims(ZeroPoint)), "give them one shape");
}

/// Returns the zero point. Float8 and i32 have none: known zeros are dropped, and other
/// known values are an error. An unknown value is applied as the formula says.
static FailureOr<Value> zeroPoint(Node &n, Type quantized) {
  if (!n.hasInput(ZeroPoint))
    return Value();
  bool hasNone = isFloatOf8Bits(quantized) || quantized.isInteger(32);
  std::optional<SmallVector<double>> numbers;
  if (hasNone)
    numbers = n.constantNumbers(ZeroPoint);
  if (!numbers)
    return n.input(ZeroPoint);
  if (llvm::all_of(*numbers, [](double number) { return number == 0; }))
    return Value();
  return n.fail(ErrorCode::NodeInvalid, "numbers of this type have no zero point",
                "zeros for " + onnxTypeName(onnxTypeOf(quantized)), "other numbers",
                "leave the zero point out");
}

//===----------------------------------------------------------------------===//
// QuantizeLinear
//===----------------------------------------------------------------------===//

/// Returns the type that an attribute names, `otherwise` without it; null after an error.
static Type typeAttr(Node &n, StringRef name, Type otherwise) {
  int64_t number = n.intAttr(name, 0);
  if (number == 0)
    return otherwise;
  Type type = elementTypeOf(int(number), n.builder.getContext());
  if (!type)
    (void)n.fail(ErrorCode::ElementType, name + " is not supported", kSupportedTypes,
                 onnxTypeName(int(number)), "export the model with a supported type");
  return type;
}

/// Returns true if ONNX's schema of any version allows the type for quantized tensors.
static bool isQuantized(Type type) {
  return type.isInteger(8) || type.isInteger(16) ||
         (graph::isNarrow(type) && !isPowerOfTwoType(type));
}

static Type quantizedType(Node &n) {
  Type byte = n.builder.getIntegerType(8, /*isSigned=*/false);
  Type given = n.hasInput(ZeroPoint) ? n.inputType(ZeroPoint).getElementType() : Type();
  Type type = typeAttr(n, "output_dtype", given ? given : byte);
  if (!type)
    return {};
  if (given && given != type) {
    (void)n.fail(ErrorCode::TypeMismatch, "zero point and output_dtype differ",
                 onnxTypeName(onnxTypeOf(type)), onnxTypeName(onnxTypeOf(given)),
                 "give the zero point the type of the output");
    return {};
  }
  if (isQuantized(type))
    return type;
  (void)n.fail(ErrorCode::ElementType, "numbers are not quantized to this type",
               "int8, uint8, int16, uint16 or a type of fewer bits",
               onnxTypeName(onnxTypeOf(type)), "choose another output_dtype");
  return {};
}

/// Returns the type of the division: that of `precision`, or the wider one of input and
/// scale.
static Type divisionType(Node &n) {
  Type x = n.inputType(X).getElementType(), scale = n.inputType(Scale).getElementType();
  Type f32 = n.builder.getF32Type();
  Type wider = x == scale && (x.isF16() || x.isBF16() || x.isF64()) ? x : f32;
  Type type = typeAttr(n, "precision", wider);
  if (!type || (isa<FloatType>(type) && !graph::isNarrow(type)))
    return type;
  (void)n.fail(ErrorCode::ElementType, "precision is no type to divide in",
               "float, float16, bfloat16 or double", onnxTypeName(onnxTypeOf(type)),
               "choose another precision");
  return {};
}

LogicalResult kiln::import::importQuantizeLinear(Node &n) {
  Type to = quantizedType(n), compute = to ? divisionType(n) : Type();
  if (!compute || failed(checkZeroPoint(n)))
    return failure();
  std::optional<Blocking> blocking = findBlocking(n);
  FailureOr<Value> zero = failure();
  if (!blocking || failed(zero = zeroPoint(n, to)))
    return failure();
  bool overflows = isFloatOf8Bits(to) && n.intAttr("saturate", 1) == 0;
  Scaled scaled{n.cast(n.input(X), compute),
                parameter(n, n.cast(n.input(Scale), compute), *blocking),
                parameter(n, *zero, *blocking), *blocking};
  return n.result(create<graph::QuantizeOp>(n, scaled, to, overflows));
}

Value kiln::import::roundToCodes(Node &n, Value x, Type code) {
  if (!x)
    return {};
  return create<graph::QuantizeOp>(n, {x, n.scalarLike(x, 1), {}, {}}, code,
                                   /*overflows=*/false);
}

//===----------------------------------------------------------------------===//
// DequantizeLinear
//===----------------------------------------------------------------------===//

LogicalResult kiln::import::importDequantizeLinear(Node &n) {
  Type from = n.inputType(X).getElementType();
  Type scale = n.inputType(Scale).getElementType(), f32 = n.builder.getF32Type();
  Type scaleType = graph::isNarrow(scale) ? f32 : scale;
  Type to = typeAttr(n, "output_dtype", scaleType);
  if (!to || failed(checkZeroPoint(n)))
    return failure();
  if (!isa<FloatType>(to) || graph::isNarrow(to))
    return n.fail(ErrorCode::ElementType, "numbers are not dequantized to this type",
                  "float, float16 or bfloat16", onnxTypeName(onnxTypeOf(to)),
                  "choose another output_dtype");
  std::optional<Blocking> blocking = findBlocking(n);
  FailureOr<Value> zero = failure();
  if (!blocking || failed(zero = zeroPoint(n, from)))
    return failure();
  Scaled scaled{n.input(X), parameter(n, n.cast(n.input(Scale), scaleType), *blocking),
                parameter(n, *zero, *blocking), *blocking};
  return n.result(create<graph::DequantizeOp>(n, scaled, to));
}

//===----------------------------------------------------------------------===//
// DynamicQuantizeLinear
//===----------------------------------------------------------------------===//

namespace {
/// Quantized bytes with one scale and zero point, computed at run time.
struct DynamicallyQuantized {
  Value codes, scale, zero;
};
} // namespace

static DynamicallyQuantized quantizeDynamically(Node &n, Value x) {
  if (!x)
    return {};
  Type f32 = n.builder.getF32Type();
  Type byte = n.builder.getIntegerType(8, /*isSigned=*/false);
  constexpr double kMax = 255;
  auto number = [&](double value) { return n.scalar(f32, value); };
  SmallVector<int64_t> all = llvm::to_vector(llvm::seq<int64_t>(0, n.rank(x)));
  Value high =
      n.binary(BinaryKind::max, n.reduce(ReduceKind::max, x, all, false), number(0));
  Value low =
      n.binary(BinaryKind::min, n.reduce(ReduceKind::min, x, all, false), number(0));
  Value range = n.binary(BinaryKind::sub, high, low);
  Value isEmpty = n.compare(CompareKind::equal, range, number(0));
  Value scale =
      n.binary(BinaryKind::div, n.select(isEmpty, number(1), range), number(kMax));
  Value zero =
      n.binary(BinaryKind::sub, number(0), n.binary(BinaryKind::div, low, scale));
  zero =
      n.binary(BinaryKind::min, n.binary(BinaryKind::max, zero, number(0)), number(kMax));
  zero = n.cast(n.unary(UnaryKind::round, zero), byte);
  return {create<graph::QuantizeOp>(n, {x, scale, zero, {}}, byte, /*overflows=*/false),
          scale, zero};
}

LogicalResult kiln::import::importDynamicQuantizeLinear(Node &n) {
  DynamicallyQuantized x = quantizeDynamically(n, n.input(X));
  if (failed(n.result(x.codes)))
    return failure();
  if (n.wantsOutput(1) && failed(n.result(x.scale, 1)))
    return failure();
  return n.wantsOutput(2) ? n.result(x.zero, 2) : success();
}

//===----------------------------------------------------------------------===//
// Integer matmuls
//===----------------------------------------------------------------------===//

namespace {
/// One operand of an integer matmul; the zero point may be null.
struct Factor {
  Value values, zeroPoint;
  bool isLeft;
};
} // namespace

static Factor factorOf(Node &n, unsigned values, unsigned zeroPoint, bool isLeft) {
  return {n.input(values), n.hasInput(zeroPoint) ? n.input(zeroPoint) : Value(), isLeft};
}

/// Reshapes parameters per row of operand A to a column; those per column of operand B
/// broadcast without a reshape.
static Value alongRows(Node &n, Value value, bool isLeft) {
  if (!value || n.rank(value) != 1)
    return value;
  Dims dims = n.dims(value);
  if (dims[0].isConstant(1))
    return n.reshape(value, {});
  return isLeft ? n.reshape(value, {dims[0], 1}) : value;
}

/// Returns an operand minus its zero point, as i32.
static Value centred(Node &n, const Factor &factor) {
  Type i32 = n.builder.getI32Type();
  Value value = n.cast(factor.values, i32);
  if (!factor.zeroPoint)
    return value;
  Value zero = n.cast(alongRows(n, factor.zeroPoint, factor.isLeft), i32);
  return n.binary(BinaryKind::sub, value, zero);
}

static Value integerProduct(Node &n, const Factor &left, const Factor &right) {
  return matmul(n, centred(n, left), centred(n, right));
}

LogicalResult kiln::import::importMatMulInteger(Node &n) {
  return n.result(integerProduct(n, factorOf(n, 0, 2, true), factorOf(n, 1, 3, false)));
}

LogicalResult kiln::import::importQLinearMatMul(Node &n) {
  enum : unsigned { A, AScale, AZero, B, BScale, BZero, YScale, YZero };
  Type f32 = n.builder.getF32Type(), to = n.inputType(YZero).getElementType();
  Value sums =
      integerProduct(n, factorOf(n, A, AZero, true), factorOf(n, B, BZero, false));
  Value product = n.cast(sums, f32);
  auto scaleOf = [&](unsigned input, bool isLeft) {
    return n.cast(alongRows(n, n.input(input), isLeft), f32);
  };
  Value factor = n.binary(BinaryKind::mul, scaleOf(AScale, true), scaleOf(BScale, false));
  factor = n.binary(BinaryKind::div, factor, scaleOf(YScale, true));
  Value rounded = n.unary(UnaryKind::round, n.binary(BinaryKind::mul, product, factor));
  Value zero = n.cast(alongRows(n, n.input(YZero), true), f32);
  return n.result(n.cast(n.binary(BinaryKind::add, rounded, zero), to));
}

//===----------------------------------------------------------------------===//
// Integer matmuls with float results (com.microsoft)
//===----------------------------------------------------------------------===//

/// Checks that there is a single parameter for operand A, as in ONNX Runtime.
static LogicalResult checkSingle(Node &n, unsigned input, StringRef role) {
  if (!n.hasInput(input) || isSingle(n, input))
    return success();
  return n.unsupported(role + " of A with several elements", "one element",
                       graph::printDims(n.inputDims(input)));
}

/// Returns sums * (scale of A * scale of B), plus the bias if there is one.
static Value scaleSums(Node &n, Value sums, Value scaleA, Value scaleB, unsigned bias) {
  Type f32 = n.builder.getF32Type();
  Value factor = n.binary(BinaryKind::mul, n.cast(alongRows(n, scaleA, true), f32),
                          n.cast(alongRows(n, scaleB, false), f32));
  Value y = n.binary(BinaryKind::mul, n.cast(sums, f32), factor);
  if (y && n.hasInput(bias))
    y = n.binary(BinaryKind::add, y, n.cast(n.input(bias), f32));
  return scaleA ? n.cast(y, n.elementType(scaleA)) : y;
}

Value kiln::import::integerProductToFloat(Node &n, const IntegerInputs &inputs) {
  if (failed(checkSingle(n, inputs.scaleA, "a scale")) ||
      failed(checkSingle(n, inputs.zeroA, "a zero point")))
    return {};
  Value sums = integerProduct(n, factorOf(n, inputs.a, inputs.zeroA, true),
                              factorOf(n, inputs.b, inputs.zeroB, false));
  return scaleSums(n, sums, n.input(inputs.scaleA), n.input(inputs.scaleB), inputs.bias);
}

LogicalResult kiln::import::importMatMulIntegerToFloat(Node &n) {
  return n.result(integerProductToFloat(
      n, {.a = 0, .b = 1, .scaleA = 2, .scaleB = 3, .zeroA = 4, .zeroB = 5, .bias = 6}));
}

LogicalResult kiln::import::importDynamicQuantizeMatMul(Node &n) {
  enum : unsigned { A, B, BScale, BZero, Bias };
  DynamicallyQuantized a = quantizeDynamically(n, n.input(A));
  Value sums = integerProduct(n, {a.codes, a.zero, true}, factorOf(n, B, BZero, false));
  return n.result(scaleSums(n, sums, a.scale, n.input(BScale), Bias));
}
