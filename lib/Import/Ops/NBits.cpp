//===- NBits.cpp - Weights packed by ONNX Runtime -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantized values of 2, 4 or 8 bits are packed in bytes, with scales per block. They are
// imported as graph.dequantize of unpacked elements; kiln-raise-scaled-products finds
// their matmuls.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/AccuracyLevel.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Contraction.h"
#include "lib/Import/Ops/Ops.h"
#include "lib/Import/Types.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::ReduceKind;
using graph::UnaryKind;

//===----------------------------------------------------------------------===//
// Packed values
//===----------------------------------------------------------------------===//

static Type unsignedType(Node &n, int64_t bits) {
  return n.builder.getIntegerType(bits, /*isSigned=*/false);
}

/// Returns the element type of quantized values of `bits` bits: graph ops have none below
/// ui4.
static Type packedType(Node &n, int64_t bits) {
  return unsignedType(n, std::max<int64_t>(bits, 4));
}

/// Unpacks the quantized values in the bytes of the last dim, low bits first.
static Value unpack(Node &n, Value bytes, int64_t bits) {
  if (!bytes || bits == 8)
    return bytes;
  int64_t last = n.rank(bytes);
  SmallVector<Value> parts;
  for (int64_t at = 0; at < 8; at += bits) {
    Value part = bytes;
    if (at > 0)
      part = n.binary(BinaryKind::shift_right, part, n.scalarLike(part, at));
    if (at + bits < 8)
      part = n.binary(BinaryKind::bit_and, part, n.scalarLike(part, (1 << bits) - 1));
    parts.push_back(n.unsqueeze(part, last));
  }
  Dims dims = n.dims(bytes);
  dims.back() = dims.back() * SymbolicExpr(8 / bits);
  return n.cast(n.reshape(n.concat(parts, last), dims), packedType(n, bits));
}

/// Returns input `i` in this shape; null after an error, if its number of elements
/// differs.
static Value shaped(Node &n, unsigned i, const Dims &dims, StringRef role) {
  SymbolicExpr count = 1, expected = 1;
  for (const SymbolicExpr &dim : n.inputDims(i))
    count = count * dim;
  for (const SymbolicExpr &dim : dims)
    expected = expected * dim;
  if (count == expected)
    return n.reshape(n.input(i), dims);
  (void)n.fail(ErrorCode::ShapeMismatch, "the " + role + " do not fit the attributes",
               graph::printDims(dims), graph::printDims(n.inputDims(i)),
               "export the model again");
  return {};
}

/// Returns the first `size` elements of the last dim.
static Value truncate(Node &n, Value value, int64_t size) {
  if (!value || n.dims(value).back().isConstant(size))
    return value;
  return n.slice(value, n.rank(value) - 1, 0, size);
}

static bool isBlockSize(int64_t block) {
  return block >= 16 && llvm::isPowerOf2_64(block);
}

//===----------------------------------------------------------------------===//
// MatMulNBits
//===----------------------------------------------------------------------===//

namespace {
/// MatMulNBits with its attributes.
class NBits {
public:
  explicit NBits(Node &n)
      : n(n), k(n.intAttr("K", 0)), columns(n.intAttr("N", 0)),
        block(n.intAttr("block_size", 0)), bits(n.intAttr("bits", 4)) {}

  LogicalResult check();
  /// Returns the weight [N, K] in the type; null after an error.
  Value weight(Type to);
  /// Returns operand A, quantized to i8 by block if the accuracy level requests it.
  Value activations();

private:
  enum : unsigned { A, B, Scales, Zeros, GroupIndex };

  int64_t blocks() const { return llvm::divideCeil(k, block); }
  LogicalResult checkGroups();
  Value spread(Value perBlock);
  Value packedZeros();
  Value dequantize(Value codes, Value scales, Value zeros, int64_t axis, Type to) {
    if (!codes || !scales || !zeros)
      return {};
    auto op = graph::DequantizeOp::create(
        n.builder, n.loc, graph::makeTensorType(n.dims(codes), to), codes, scales, zeros,
        n.builder.getI64IntegerAttr(axis), n.builder.getI64IntegerAttr(block));
    op->setAttr(graph::kAccuracyLevelAttr,
                n.builder.getI64IntegerAttr(n.intAttr("accuracy_level", 0)));
    return op;
  }

  Node &n;
  int64_t k, columns, block, bits;
  bool isReordered = false; ///< a K index may use scales of another block
};
} // namespace

/// Checks g_idx, which assigns a group of scales to each K index.
LogicalResult NBits::checkGroups() {
  if (!n.hasInput(GroupIndex))
    return success();
  auto groups = n.constantNumbers(GroupIndex);
  if (!groups)
    return n.unsupported("MatMulNBits with an order of groups that is computed",
                         "a constant g_idx", "a computed one");
  std::string wrong;
  if (int64_t(groups->size()) != k)
    wrong = std::to_string(groups->size()) + " numbers";
  for (auto [step, group] : llvm::enumerate(*groups)) {
    if (group < 0 || group >= blocks())
      wrong =
          "group " + std::to_string(int64_t(group)) + " for step " + std::to_string(step);
    isReordered |= group != int64_t(step) / block;
  }
  return wrong.empty()
             ? success()
             : n.fail(ErrorCode::NodeInvalid, "g_idx does not fit the attributes",
                      Twine(k) + " numbers from 0 to " + Twine(blocks() - 1), wrong,
                      "export the model again");
}

LogicalResult NBits::check() {
  if (bits != 2 && bits != 4 && bits != 8)
    return n.unsupported("MatMulNBits of so many bits", "2, 4 or 8", Twine(bits));
  if (int64_t layout = n.intAttr("weight_prepacked", 0))
    return n.unsupported("a weight that is packed for one vendor's kernels",
                         "weight_prepacked 0", Twine(layout));
  if (int64_t level = n.intAttr("accuracy_level", 0); level < 0 || level > 4)
    return n.fail(ErrorCode::NodeInvalid, "accuracy_level is unknown", "0 to 4",
                  Twine(level), "correct the attribute");
  if (k < 1 || columns < 1 || !isBlockSize(block))
    return n.fail(
        ErrorCode::NodeInvalid, "the attributes give no weight",
        "K and N of at least 1, and a block_size of 16 or a larger power of two",
        "K " + Twine(k) + ", N " + Twine(columns) + ", block_size " + Twine(block),
        "export the model again");
  if (n.inputRank(A) < 1)
    return n.fail(ErrorCode::ShapeMismatch, "A has no columns", "rank 1 at least",
                  "rank 0", "correct the model");
  if (failed(checkGroups()))
    return failure();
  return n.unify(n.inputDims(A).back(), k, "the columns of A and the attribute K");
}

Value NBits::packedZeros() {
  int64_t perRow = llvm::divideCeil(blocks() * bits, 8);
  return truncate(n, unpack(n, shaped(n, Zeros, {columns, perRow}, "zero points"), bits),
                  blocks());
}

Value NBits::weight(Type to) {
  Dims perBlock{columns, blocks()};
  int64_t perRow = block * bits / 8;
  Value bytes = shaped(n, B, {columns, blocks(), perRow}, "codes");
  if (!bytes)
    return {};
  bytes = n.reshape(bytes, {columns, blocks() * perRow});
  Value codes = truncate(n, unpack(n, bytes, bits), k);
  Value scales = shaped(n, Scales, perBlock, "scales");
  if (!codes || !scales)
    return {};
  Value zeros;
  bool isFloat = n.hasInput(Zeros) && isa<FloatType>(n.inputType(Zeros).getElementType());
  if (isFloat)
    zeros = shaped(n, Zeros, perBlock, "zero points");
  else if (n.hasInput(Zeros))
    zeros = packedZeros();
  else
    zeros = n.fill(perBlock, packedType(n, bits), double(1 << (bits - 1)));
  if (!zeros)
    return {};
  if (!isFloat && !isReordered)
    return dequantize(codes, scales, zeros, 1, to);
  // (value - zero) * scale, for float zeros or groups of scales that are no blocks of K.
  Type f32 = n.builder.getF32Type();
  zeros = n.cast(zeros, f32);
  Value centred = n.binary(BinaryKind::sub, n.cast(codes, f32), spread(zeros));
  return n.cast(n.binary(BinaryKind::mul, centred, spread(n.cast(scales, f32))), to);
}

/// Expands values per block [N, blocks] to values per K index [N, K].
Value NBits::spread(Value perBlock) {
  if (isReordered)
    return n.gather(perBlock, n.input(GroupIndex), 1);
  Value copies = n.broadcast(n.unsqueeze(perBlock, 2), {columns, blocks(), block});
  return truncate(n, n.reshape(copies, {columns, blocks() * block}), k);
}

/// Quantizes activations for accuracy level 4. Levels name the minimum accuracy, so only
/// level 4 changes anything: activations may be quantized in blocks of the weight's size.
/// Blocks of at most 32 are used, which lose less accuracy than larger ones and are
/// supported by kernels; if K is no multiple of the block, activations are not quantized.
Value NBits::activations() {
  Value x = n.input(A);
  int64_t block = std::min<int64_t>(this->block, 32);
  if (n.intAttr("accuracy_level", 0) != 4 || k % block || !x)
    return x;
  Type own = n.elementType(x), f32 = n.builder.getF32Type();
  x = n.canonical(n.cast(x, f32));
  int64_t axis = n.rank(x) - 1;
  Dims rows = n.dims(x);
  rows.back() = k / block;
  rows.push_back(block);
  Value largest = n.reduce(ReduceKind::max, n.unary(UnaryKind::abs, n.reshape(x, rows)),
                           {axis + 1}, false);
  Value scale = n.binary(BinaryKind::mul, largest, n.scalar(f32, 1.0 / 127));
  if (!scale)
    return {};
  auto at = n.builder.getI64IntegerAttr(axis), size = n.builder.getI64IntegerAttr(block);
  auto codes = graph::QuantizeOp::create(
      n.builder, n.loc, graph::makeTensorType(n.dims(x), n.builder.getI8Type()), x, scale,
      Value(), at, size, /*overflows=*/false);
  Value back =
      graph::DequantizeOp::create(n.builder, n.loc, graph::makeTensorType(n.dims(x), f32),
                                  codes, scale, Value(), at, size);
  return n.cast(back, own);
}

LogicalResult kiln::import::importMatMulNBits(Node &n) {
  NBits product(n);
  if (failed(product.check()))
    return failure();
  Value weight = product.weight(n.inputType(0).getElementType());
  if (!weight)
    return failure();
  constexpr unsigned kBias = 5;
  Value y = matmul(n, product.activations(), n.transpose(weight, {1, 0}));
  return n.result(n.hasInput(kBias) ? n.binary(BinaryKind::add, y, n.input(kBias)) : y);
}

//===----------------------------------------------------------------------===//
// GatherBlockQuantized
//===----------------------------------------------------------------------===//

LogicalResult kiln::import::importGatherBlockQuantized(Node &n) {
  enum : unsigned { Data, Indices, Scales, Zeros };
  Type from = n.inputType(Data).getElementType();
  bool isPacked = from.isUnsignedInteger(8);
  int64_t bits = isPacked ? n.intAttr("bits", 4) : 4;
  if (!isPacked && !from.isInteger(4))
    return n.unsupported("GatherBlockQuantized of this type", "int4, uint4 or uint8",
                         onnxTypeName(onnxTypeOf(from)));
  if (bits != 4 && bits != 8)
    return n.unsupported("GatherBlockQuantized of so many bits", "4 or 8", Twine(bits));
  int64_t rank = n.inputRank(Data), block = n.intAttr("block_size", 128);
  auto gathered = n.axis(n.intAttr("gather_axis", 0), rank);
  auto scaled = n.axis(n.intAttr("quantize_axis", 1), rank);
  if (!gathered || !scaled)
    return failure();
  if (!isBlockSize(block) || *gathered == *scaled || (isPacked && *scaled != rank - 1))
    return n.unsupported("GatherBlockQuantized in this form",
                         "a block_size of 16 or a larger power of two along an axis that "
                         "is not gathered, of uint8 the last",
                         "block_size " + Twine(block) + ", gather_axis " +
                             Twine(*gathered) + ", quantize_axis " + Twine(*scaled));
  Value codes = isPacked ? unpack(n, n.input(Data), bits) : n.input(Data);
  if (!codes)
    return failure();
  Dims perBlock = n.dims(codes);
  perBlock[*scaled] = perBlock[*scaled].ceilDiv(block);
  Value scales = shaped(n, Scales, perBlock, "scales"), zeros;
  if (n.hasInput(Zeros)) {
    Dims packed = perBlock;
    if (isPacked && bits == 4)
      packed[*scaled] = packed[*scaled].ceilDiv(2);
    zeros = shaped(n, Zeros, packed, "zero points");
    if (isPacked && zeros) {
      zeros = unpack(n, zeros, bits);
      if (n.dims(zeros) != perBlock)
        zeros = n.slice(zeros, *scaled, 0, perBlock[*scaled]);
    }
    if (!zeros)
      return failure();
  } else if (isPacked) {
    zeros = n.fill(perBlock, n.elementType(codes), double(1 << (bits - 1)));
  }
  // Gathers quantized rows first, and dequantizes only these.
  Value indices = n.input(Indices);
  auto pick = [&](Value table) {
    return table ? n.canonical(n.gather(table, indices, *gathered)) : Value();
  };
  codes = pick(codes);
  scales = pick(scales);
  if (!codes || !scales)
    return failure();
  int64_t axis = *scaled > *gathered ? *scaled + n.inputRank(Indices) - 1 : *scaled;
  return n.result(graph::DequantizeOp::create(
      n.builder, n.loc, graph::makeTensorType(n.dims(codes), n.elementType(scales)),
      codes, scales, pick(zeros), n.builder.getI64IntegerAttr(axis),
      n.builder.getI64IntegerAttr(block)));
}
