//===- IndexCheckKernel.cpp - Kernels that check indices ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The position and the value of an index are packed into one integer, so that one
// reduction finds both: the minimum of position * 2^bits + value is at the first invalid
// index.
//
//===----------------------------------------------------------------------===//

#include "IndexCheckKernel.h"
#include "kiln/Support/Error.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static bool isInMain(Value value) {
  return isa<func::FuncOp>(value.getParentBlock()->getParentOp());
}

/// Returns the value of @main that equals a value in a kernel: an operand or a result;
/// null if it is only within the kernel.
static Value asValueOfMain(Value value) {
  if (isInMain(value))
    return value;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto kernel = cast<KernelOp>(argument.getOwner()->getParentOp());
    return kernel.getOperand(argument.getArgNumber());
  }
  auto kernel = cast<KernelOp>(value.getDefiningOp()->getParentOp());
  for (OpOperand &yielded : kernel.getBlock().getTerminator()->getOpOperands())
    if (yielded.get() == value)
      return kernel.getResult(yielded.getOperandNumber());
  return {};
}

static void collectInputs(Value value, llvm::SmallDenseSet<Value> &seen,
                          llvm::SetVector<Value> &inputs) {
  if (!seen.insert(value).second)
    return;
  if (Value known = asValueOfMain(value)) {
    inputs.insert(known);
    return;
  }
  for (Value operand : value.getDefiningOp()->getOperands())
    collectInputs(operand, seen, inputs);
}

llvm::SetVector<Value> kiln::findCheckInputs(Value index) {
  llvm::SmallDenseSet<Value> seen;
  llvm::SetVector<Value> inputs;
  collectInputs(index, seen, inputs);
  return inputs;
}

/// Returns the number of bits for the value of an index when `count` positions are packed
/// with it: all bits that positions do not need, limited so that no packed value reaches
/// the one for "no invalid index".
static int64_t chooseBits(const SymbolicExpr &count, const SymbolRanges &symbols) {
  constexpr int64_t kMaxBits = 48, kMinBits = 20, kUsable = 62;
  std::optional<int64_t> maximum = symbols.maxOf(count);
  if (!maximum)
    return kMinBits;
  int64_t places = llvm::Log2_64_Ceil(static_cast<uint64_t>(*maximum) + 1);
  return std::clamp(kUsable - places, kMinBits, kMaxBits);
}

namespace {
class CheckBuilder {
public:
  CheckBuilder(OpBuilder &builder, ArrayRef<IndexCheckPart> parts,
               const SymbolRanges &symbols);
  IndexCheckKernels build();

private:
  void openKernel();
  void openKernel(ArrayRef<Value> inputs, ArrayRef<SymbolicExpr> resultDims);
  Value reduceMin(Value value, int64_t axis, bool keepDims) {
    return ReduceOp::create(b, loc, ReduceKind::min, value, ArrayRef<int64_t>{axis},
                            keepDims);
  }
  Value clone(Value value);
  Value scalar(int64_t number);
  Value scalar(const SymbolicExpr &number);
  Value binary(BinaryKind kind, Value lhs, Value rhs) {
    return BinaryOp::create(b, loc, kind, lhs, rhs);
  }
  Value reshape(Value value, ArrayRef<SymbolicExpr> dims);
  Value flatIndices(const IndexCheckPart &part);
  Value join(ArrayRef<Value> values);
  Value placesAndValues(Value indices);
  DictionaryAttr describe(const IndexCheckPart &part);

  OpBuilder &outside;
  OpBuilder b; ///< inserts into the kernel's body
  Location loc;
  ArrayRef<IndexCheckPart> parts;
  SmallVector<SymbolicExpr> counts; ///< number of indices per part
  SymbolicExpr total;
  int64_t bits;
  bool isLarge;
  SmallVector<KernelOp, 2> kernels;
  IRMapping inBody;
};
} // namespace

/// Returns the number of indices that a part checks.
static SymbolicExpr countOf(const IndexCheckPart &part) {
  SymbolicExpr all = numElements(getDims(part.index));
  auto step = part.input ? part.input.getAs<IntegerAttr>("step") : IntegerAttr();
  return step ? all.floorDiv(step.getInt()) : all;
}

CheckBuilder::CheckBuilder(OpBuilder &builder, ArrayRef<IndexCheckPart> parts,
                           const SymbolRanges &symbols)
    : outside(builder), b(builder), loc(parts.front().node), parts(parts) {
  for (const IndexCheckPart &part : parts) {
    counts.push_back(countOf(part));
    total += counts.back();
  }
  bits = chooseBits(total, symbols);
  isLarge = parts.size() == 1 && isLargeCheck(parts.front(), symbols);
}

/// Returns the last dim that is not always 1; nullopt for a single index.
static std::optional<SymbolicExpr> innerDim(const IndexCheckPart &part) {
  Dims dims = getDims(part.index);
  for (const SymbolicExpr &dim : llvm::reverse(dims))
    if (!dim.isConstant(1))
      return dim;
  return std::nullopt;
}

bool kiln::isLargeCheck(const IndexCheckPart &part, const SymbolRanges &symbols) {
  constexpr int64_t kOneTask = 1 << 15;
  std::optional<SymbolicExpr> inner = innerDim(part);
  if (part.input || !inner)
    return false;
  SymbolicExpr count = countOf(part);
  std::optional<int64_t> maximum = symbols.maxOf(count);
  return (!maximum || *maximum > kOneTask) && count.exactDiv(*inner).has_value();
}

void CheckBuilder::openKernel(ArrayRef<Value> inputs, ArrayRef<SymbolicExpr> resultDims) {
  llvm::SetVector<Attribute> nodes;
  SmallVector<Location> locations;
  for (const IndexCheckPart &part : parts) {
    locations.push_back(part.node);
    if (auto entry = part.input ? part.input.getAs<StringAttr>("node") : StringAttr())
      nodes.insert(entry);
    else
      nodes.insert(b.getStringAttr(kiln::describe(part.node)));
  }
  RankedTensorType result = makeTensorType(resultDims, b.getI64Type());
  kernels.push_back(
      KernelOp::create(outside, outside.getFusedLoc(locations), TypeRange(result), "row",
                       inputs, b.getArrayAttr(nodes.getArrayRef()), FlatSymbolRefAttr()));
  Block &block = kernels.back().getBody().emplaceBlock();
  for (Value input : inputs)
    inBody.map(input, block.addArgument(input.getType(), input.getLoc()));
  b.setInsertionPointToStart(&block);
}

void CheckBuilder::openKernel() {
  llvm::SetVector<Value> inputs;
  for (const IndexCheckPart &part : parts)
    inputs.insert_range(findCheckInputs(part.index));
  SymbolicExpr results = 1;
  if (isLarge)
    results = *total.exactDiv(*innerDim(parts.front()));
  openKernel(inputs.getArrayRef(), {results});
}

Value CheckBuilder::clone(Value value) {
  if (Value known = inBody.lookupOrNull(value))
    return known;
  if (Value known = asValueOfMain(value)) {
    inBody.map(value, inBody.lookup(known));
    return inBody.lookup(value);
  }
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    clone(operand);
  b.clone(*op, inBody);
  return inBody.lookup(value);
}

Value CheckBuilder::scalar(int64_t number) {
  auto type = RankedTensorType::get({}, b.getI64Type());
  return ConstantOp::create(b, loc, DenseElementsAttr::get(type, number));
}

Value CheckBuilder::scalar(const SymbolicExpr &number) {
  if (std::optional<int64_t> constant = number.getConstant())
    return scalar(*constant);
  auto type = RankedTensorType::get({}, b.getI64Type());
  return DimsOp::create(b, loc, type, makeShape(b.getContext(), {number}));
}

Value CheckBuilder::reshape(Value value, ArrayRef<SymbolicExpr> dims) {
  RankedTensorType type = makeTensorType(dims, getElementTypeOrSelf(value));
  return type == value.getType() ? value : ReshapeOp::create(b, loc, type, value);
}

/// Returns the indices as a vector of i64.
Value CheckBuilder::flatIndices(const IndexCheckPart &part) {
  Value value = clone(part.index);
  SymbolicExpr count = countOf(part);
  if (auto step = part.input ? part.input.getAs<IntegerAttr>("step") : IntegerAttr()) {
    int64_t first = part.input.getAs<IntegerAttr>("first").getInt();
    value = reshape(value, {count, step.getInt()});
    value = SliceOp::create(
        b, loc, makeTensorType({count, 1}, getElementTypeOrSelf(value)), value,
        makeShape(b.getContext(), {0, first}), ArrayRef<int64_t>{1, 1});
  }
  value = reshape(value, {count});
  RankedTensorType wide = makeTensorType({count}, b.getI64Type());
  return value.getType() == wide ? value : CastOp::create(b, loc, wide, value);
}

Value CheckBuilder::join(ArrayRef<Value> values) {
  return values.size() == 1 ? values.front()
                            : ConcatOp::create(b, loc, values, b.getI64IntegerAttr(0));
}

Value CheckBuilder::placesAndValues(Value indices) {
  int64_t half = int64_t(1) << (bits - 1);
  Value place =
      IotaOp::create(b, loc, makeTensorType({total}, b.getI64Type()),
                     b.getI64IntegerAttr(0), b.getF64FloatAttr(0), b.getF64FloatAttr(1));
  Value value = binary(BinaryKind::min, binary(BinaryKind::max, indices, scalar(-half)),
                       scalar(half - 1));
  return binary(BinaryKind::add,
                binary(BinaryKind::mul, place, scalar(int64_t(1) << bits)),
                binary(BinaryKind::add, value, scalar(half)));
}

DictionaryAttr CheckBuilder::describe(const IndexCheckPart &part) {
  if (part.input) {
    SmallVector<NamedAttribute> fields(part.input.getValue());
    int64_t number = cast<BlockArgument>(part.index).getArgNumber();
    fields.push_back(b.getNamedAttr("input", b.getI64IntegerAttr(number)));
    return b.getDictionaryAttr(fields);
  }
  DictionaryAttr rows =
      describeIndexRows(b.getContext(), IndexSource{}, part.rows, part.node);
  SmallVector<NamedAttribute> fields(rows.getValue());
  fields.push_back(
      b.getNamedAttr("dims", makeShape(b.getContext(), getDims(part.index))));
  return b.getDictionaryAttr(fields);
}

IndexCheckKernels CheckBuilder::build() {
  openKernel();
  SmallVector<Value> indices, limits;
  SmallVector<Attribute> descriptions;
  for (auto [part, count] : llvm::zip(parts, counts)) {
    indices.push_back(flatIndices(part));
    Value rows = scalar(part.rows);
    limits.push_back(
        parts.size() == 1
            ? rows
            : BroadcastOp::create(b, loc, makeTensorType({count}, b.getI64Type()), rows));
    descriptions.push_back(describe(part));
  }
  Value index = join(indices), rows = join(limits);
  Value isBelow = CompareOp::create(b, loc, CompareKind::less, index,
                                    binary(BinaryKind::sub, scalar(0), rows));
  Value isAbove = CompareOp::create(b, loc, CompareKind::greater_equal, index, rows);
  Value first = SelectOp::create(b, loc, binary(BinaryKind::logical_or, isBelow, isAbove),
                                 placesAndValues(index),
                                 scalar(std::numeric_limits<int64_t>::max()));
  if (isLarge) {
    SymbolicExpr inner = *innerDim(parts.front());
    first = reshape(first, {*total.exactDiv(inner), inner});
    YieldOp::create(b, loc, reduceMin(first, 1, /*keepDims=*/false));
    first = kernels.back().getResult(0);
    openKernel({first}, {1});
    first = inBody.lookup(first);
  }
  YieldOp::create(b, loc, reduceMin(first, 0, /*keepDims=*/true));
  return {kernels,
          b.getDictionaryAttr({b.getNamedAttr("bits", b.getI64IntegerAttr(bits)),
                               b.getNamedAttr("parts", b.getArrayAttr(descriptions))})};
}

IndexCheckKernels kiln::buildIndexCheck(OpBuilder &builder,
                                        ArrayRef<IndexCheckPart> parts,
                                        const SymbolRanges &symbols) {
  return CheckBuilder(builder, parts, symbols).build();
}
