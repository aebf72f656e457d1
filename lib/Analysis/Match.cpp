//===- Match.cpp - Queries about values -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/Match.h"
#include "dialects/Graph/Ranks.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

using namespace mlir;
using namespace kiln::graph;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static double toDouble(APFloat value) {
  bool lossy;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  return value.convertToDouble();
}

static std::optional<double> attributeNumber(Attribute attribute) {
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return toDouble(number.getValue());
  if (auto number = dyn_cast<IntegerAttr>(attribute)) {
    const APInt &value = number.getValue();
    bool isUnsigned =
        number.getType().isUnsignedInteger() || number.getType().isInteger(1);
    return isUnsigned ? double(value.getZExtValue()) : double(value.getSExtValue());
  }
  return std::nullopt;
}

/// A cast to a condition is evaluated here. The reference evaluator folds other casts
/// that may change the value.
static std::optional<double> splatOfCast(CastOp cast) {
  Type to = elementTypeOf(cast.getResult());
  std::optional<double> number = splatOf(cast.getInput());
  if (!number || asFloatCast(cast.getResult()))
    return number;
  if (to.isInteger(1))
    return double(*number != 0);
  if (isNarrow(to))
    return std::nullopt;
  // Integers in [0, 127] are exact in every type.
  constexpr double kExact = 127;
  bool isSmall = *number == std::trunc(*number) && *number >= 0 && *number <= kExact;
  return isSmall ? number : std::nullopt;
}

/// Returns a + b, a - b or a * b of two splats if it is a small integer, which is exact
/// in all types.
static std::optional<double> splatOfBinary(BinaryOp op) {
  std::optional<double> lhs = splatOf(op.getLhs()),
                        rhs = lhs ? splatOf(op.getRhs()) : std::nullopt;
  if (!rhs)
    return std::nullopt;
  double result = op.getKind() == BinaryKind::add   ? *lhs + *rhs
                  : op.getKind() == BinaryKind::sub ? *lhs - *rhs
                  : op.getKind() == BinaryKind::mul ? *lhs * *rhs
                                                    : NAN;
  constexpr double kExact = 127;
  bool isSmall = result == std::trunc(result) && result >= 0 && result <= kExact;
  return isSmall ? std::optional(result) : std::nullopt;
}

/// Whether the value is computed only from iotas and dims.
static bool followsFromPlaces(Value value) {
  constexpr size_t kMaxOps = 64;
  llvm::SetVector<Operation *> seen;
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    bool isKnown = op && (isa<IotaOp, DimsOp, ConstantOp, FillOp>(op) || isView(op) ||
                          op->hasTrait<kiln::graph::Elementwise>());
    if (!isKnown || seen.size() == kMaxOps)
      return false;
    if (seen.insert(op))
      llvm::append_range(worklist, op->getOperands());
  }
  return true;
}

std::optional<double> kiln::graph::splatOf(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    if (!elements || elements.empty() || !elements.isSplat())
      return std::nullopt;
    return attributeNumber(elements.getSplatValue<Attribute>());
  }
  if (auto fill = dyn_cast<FillOp>(op))
    return attributeNumber(fill.getValue());
  if (isa<ReshapeOp, TransposeOp, BroadcastOp>(op))
    return splatOf(op->getOperand(0));
  if (auto cast = dyn_cast<CastOp>(op))
    return splatOfCast(cast);
  if (auto binary = dyn_cast<BinaryOp>(op))
    return splatOfBinary(binary);
  // A gather from a splat gives that splat for all indices. Indices that depend on inputs
  // must stay, because they are checked.
  auto gather = dyn_cast<GatherOp>(op);
  return gather && followsFromPlaces(gather.getIndices()) ? splatOf(gather.getData())
                                                          : std::nullopt;
}

bool kiln::graph::isAbout(double found, double expected, Type elementType) {
  double tolerance = 1e-5;
  if (auto type = dyn_cast<FloatType>(elementType)) {
    // Half a unit in the last place of the number in that type.
    unsigned precision = APFloat::semanticsPrecision(type.getFloatSemantics());
    tolerance = std::max(tolerance, std::ldexp(1.0, -int(precision)));
  }
  return std::abs(found - expected) <= tolerance * std::abs(expected);
}

bool kiln::graph::isSplatAbout(Value value, double expected) {
  std::optional<double> found = splatOf(value);
  return found && isAbout(*found, expected, elementTypeOf(value));
}

ConstantOp kiln::graph::makeSplat(OpBuilder &builder, Location loc, Type elementType,
                                  double value, ArrayRef<int64_t> dims) {
  auto type = RankedTensorType::get(dims, elementType);
  Attribute element =
      isa<FloatType>(elementType)
          ? Attribute(builder.getFloatAttr(elementType, value))
          : builder.getIntegerAttr(elementType, static_cast<int64_t>(value));
  return ConstantOp::create(builder, loc, DenseElementsAttr::get(type, element));
}

bool kiln::graph::keepsCompileTime(Operation *op) {
  // Collectives and kernels are not evaluated; dims differ from run to run.
  if (isa<KernelOp, DimsOp>(op) || collectiveRanks(op))
    return false;
  return op->getNumResults() == 1 && isPure(op) &&
         cast<RankedTensorType>(op->getResult(0).getType()).hasStaticShape();
}

SmallVector<Operation *> kiln::graph::collectTree(Value value) {
  llvm::SetVector<Operation *> tree;
  SmallVector<Value> worklist{value};
  // A worklist, as models may have chains of any length.
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (op && tree.insert(op))
      llvm::append_range(worklist, op->getOperands());
  }
  SmallVector<Operation *> ordered = tree.takeVector();
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

void kiln::graph::moveTreeBefore(Value value, Operation *op) {
  for (Operation *part : collectTree(value))
    if (!part->isBeforeInBlock(op))
      part->moveBefore(op);
}

bool kiln::graph::isCompileTime(Value value) {
  llvm::SmallPtrSet<Operation *, 8> seen;
  SmallVector<Value> worklist{value};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val().getDefiningOp();
    if (!op || !keepsCompileTime(op))
      return false;
    if (seen.insert(op).second)
      llvm::append_range(worklist, op->getOperands());
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

UnaryOp kiln::graph::asUnary(Value value, UnaryKind kind) {
  auto op = value.getDefiningOp<UnaryOp>();
  return op && op.getKind() == kind ? op : UnaryOp();
}

BinaryOp kiln::graph::asBinary(Value value, BinaryKind kind) {
  auto op = value.getDefiningOp<BinaryOp>();
  return op && op.getKind() == kind ? op : BinaryOp();
}

std::optional<ScalarOperand> kiln::graph::splitScalar(BinaryOp op) {
  std::optional<double> left = splatOf(op.getLhs()), right = splatOf(op.getRhs());
  if (left.has_value() == right.has_value())
    return std::nullopt;
  Value value = left ? op.getRhs() : op.getLhs();
  if (value.getType() != op.getType())
    return std::nullopt;
  return ScalarOperand{value, left ? *left : *right};
}

std::optional<ScalarOperand> kiln::graph::asScaled(Value value) {
  if (BinaryOp mul = asBinary(value, BinaryKind::mul))
    return splitScalar(mul);
  BinaryOp div = asBinary(value, BinaryKind::div);
  if (!div || !isa<FloatType>(elementTypeOf(value)))
    return std::nullopt;
  std::optional<double> divisor = splatOf(div.getRhs());
  if (!divisor || *divisor == 0 || div.getLhs().getType() != div.getType())
    return std::nullopt;
  return ScalarOperand{div.getLhs(), 1 / *divisor};
}

CastOp kiln::graph::asFloatCast(Value value) {
  auto cast = value.getDefiningOp<CastOp>();
  auto isFloat = [](Value value) {
    return isa<FloatType>(elementTypeOf(value)) && !isNarrow(elementTypeOf(value));
  };
  bool floats = cast && isFloat(cast.getInput()) && isFloat(cast.getResult());
  return floats ? cast : CastOp();
}

bool kiln::graph::isWidening(CastOp cast) {
  return elementTypeOf(cast.getInput()).getIntOrFloatBitWidth() <
         elementTypeOf(cast.getResult()).getIntOrFloatBitWidth();
}

CastOp kiln::graph::asWidenedWeight(Value value) {
  if (auto cast = value.getDefiningOp<CastOp>(); cast && cast->hasAttr(kInKernelAttr))
    return cast;
  CastOp cast = asFloatCast(value);
  if (!cast || !elementTypeOf(value).isF32() || !isCompileTime(cast.getInput()))
    return {};
  return elementTypeOf(cast.getInput()).getIntOrFloatBitWidth() == 16 ? cast : CastOp();
}

bool kiln::graph::swapsLastTwo(ArrayRef<int64_t> permutation) {
  int64_t rank = permutation.size();
  if (rank < 2 || permutation[rank - 1] != rank - 2 || permutation[rank - 2] != rank - 1)
    return false;
  for (int64_t i = 0; i + 2 < rank; ++i)
    if (permutation[i] != i)
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Value kiln::graph::reshapeTo(OpBuilder &builder, Location loc, Value value,
                             ArrayRef<SymbolicExpr> dims) {
  RankedTensorType type = makeTensorType(dims, elementTypeOf(value));
  if (type == value.getType())
    return value;
  // Only the last of several reshapes determines the shape.
  while (auto producer = value.getDefiningOp<ReshapeOp>())
    value = producer.getInput();
  if (type == value.getType())
    return value;
  return ReshapeOp::create(builder, loc, type, value);
}

Value kiln::graph::broadcastTo(OpBuilder &builder, Location loc, Value value, Type type) {
  return value.getType() == type
             ? value
             : BroadcastOp::create(builder, loc, type, value).getResult();
}

Value kiln::graph::makeSize(OpBuilder &builder, Location loc, const SymbolicExpr &size,
                            Type elementType) {
  Type i64 = builder.getI64Type();
  Value value = DimsOp::create(builder, loc, makeTensorType({}, i64),
                               makeShape(builder.getContext(), {size}));
  if (!elementType || elementType == i64)
    return value;
  return CastOp::create(builder, loc, makeTensorType({}, elementType), value);
}

Value kiln::graph::swapLastTwo(OpBuilder &builder, Location loc, Value value) {
  int64_t rank = rankOf(value);
  SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (auto producer = value.getDefiningOp<TransposeOp>()) {
    permutation = llvm::to_vector(producer.getPermutation());
    value = producer.getInput();
  }
  std::swap(permutation[rank - 1], permutation[rank - 2]);
  if (llvm::is_sorted(permutation))
    return value;
  return TransposeOp::create(builder, loc, value, permutation);
}

void kiln::graph::replaceAndErase(Operation *op, Value value) {
  op->getResult(0).replaceAllUsesWith(value);
  eraseDead(op);
}

void kiln::graph::eraseDead(Operation *op) {
  SmallVector<Operation *> worklist{op};
  while (!worklist.empty()) {
    Operation *dead = worklist.pop_back_val();
    if (!isOpTriviallyDead(dead))
      continue;
    // An op that is used twice as operand must be pushed once, as it is erased once.
    llvm::SmallPtrSet<Operation *, 4> producers;
    for (Value operand : dead->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        producers.insert(producer);
    dead->erase();
    for (Operation *producer : producers)
      if (!llvm::is_contained(worklist, producer))
        worklist.push_back(producer);
  }
}

func::FuncOp kiln::graph::mainOf(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  return main && main.getBody().hasOneBlock() ? main : func::FuncOp();
}
