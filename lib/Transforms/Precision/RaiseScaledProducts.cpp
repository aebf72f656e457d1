//===- RaiseScaledProducts.cpp - Raises quantized matmuls of models -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/rationale/quantization.md explains which matmuls of quantized models are exact,
// and which are as accurate as sums in f32.
//
//===----------------------------------------------------------------------===//

#include "PrecisionLog.h"
#include "ScaledOperands.h"
#include "dialects/Graph/AccuracyLevel.h"
#include "dialects/Graph/Reports.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Transforms/Bake/ScaledLayout.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_RAISESCALEDPRODUCTSPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kRaiseScaledProductsPass = "kiln-raise-scaled-products";
/// Block sizes along K of quantized activations: that of kiln-quantize-products, or half.
static constexpr int64_t kBlock = 32, kSmallBlock = 16;
/// Unquantized activations have no scales, so blocks may be as large as the weight's, up
/// to this size.
static constexpr int64_t kMaxBlock = 128;

namespace {
/// Quantized tensor that represents (code - zero) * scale. `zero` may be null. A right
/// operand is [K, N], or [N, K] if `isFlipped`.
struct Codes {
  Value codes, scale, zero;
  std::optional<int64_t> axis, block;
  bool isFlipped = false;
};

/// A matmul with quantized operands.
struct Match {
  Operation *root = nullptr; ///< op whose result is recomputed
  Value lhs;                 ///< float activations, if `left` is not set
  std::optional<Codes> left; ///< activations that the model quantizes
  Codes right;
  Value expanded; ///< the dequantized right operand as [K, N], or [N, K] if
                  ///< `expandedFlipped`
  bool expandedFlipped = false;
  int64_t k = 0, columns = 0;

  /// Whether the matmul has 16-bit float activations.
  bool hasHalves() const { return lhs && isHalf(elementTypeOf(lhs)) && !left; }
};

class ScaledProductRaiser {
public:
  ScaledProductRaiser(func::FuncOp main, const PrecisionPolicy &policy, bool expandHalves)
      : main(main), options(policy), policy(policy), expandHalves(expandHalves),
        builder(main.getContext()) {}
  PrecisionReport run();

private:
  void raiseFloat(MatmulOp op);
  void raiseInteger(CastOp cast);
  void raise(const Match &match, int64_t block, StringRef why);
  /// Reports that the weight stays dequantized.
  void keep(MatmulOp op, const Match &match, StringRef why);
  QuantizedActivation activation(const Match &match, int64_t block, Value &shift);

  func::FuncOp main;
  const PrecisionPolicy &options;
  PolicyReader policy;
  bool expandHalves; ///< whether weights with f16 or bf16 activations stay dequantized
  OpBuilder builder;
  ActivationQuantizer activations;
  SmallVector<Operation *> raised; ///< ops without uses, erased after all matches
  PrecisionLog log{kRaiseScaledProductsPass, "raise"};
};
} // namespace

//===----------------------------------------------------------------------===//
// Patterns of models
//===----------------------------------------------------------------------===//

static unsigned bitsOf(Value codes) {
  return elementTypeOf(codes).getIntOrFloatBitWidth();
}

static bool isCode(Value value) {
  auto type = dyn_cast<IntegerType>(elementTypeOf(value));
  return type && (type.getWidth() == 4 || type.getWidth() == 8);
}

static Codes codesOf(DequantizeOp op) {
  auto known = [](std::optional<uint64_t> value) {
    return value ? std::optional<int64_t>(*value) : std::nullopt;
  };
  return {op.getInput(), op.getScale(), op.getZeroPoint(), known(op.getAxis()),
          known(op.getBlock())};
}

/// Returns the value before transposes of a matrix; toggles `flips` for each.
static Value behindTransposes(Value value, bool &flips) {
  while (auto transpose = value.getDefiningOp<TransposeOp>()) {
    if (rankOf(value) != 2 || !swapsLastTwo(transpose.getPermutation()))
      break;
    flips = !flips;
    value = transpose.getInput();
  }
  return value;
}

/// Whether scales per tensor, column or block determine one scale for every block of
/// `block` steps of K.
static bool hasBlocks(const Codes &right, int64_t block) {
  int64_t alongK = right.isFlipped ? 1 : 0;
  if (!right.axis)
    return true;
  if (!right.block)
    return *right.axis != alongK;
  return *right.axis == alongK && *right.block % block == 0;
}

/// Whether activations have one scale per tensor, or one per block of the last dim with
/// zero points of 0. Larger blocks are not matched: kernels read the scales of
/// activations step by step.
static bool isActivation(const Codes &left, int64_t block) {
  bool isZero = !left.zero || splatOf(left.zero) == 0.0;
  bool isSigned = !elementTypeOf(left.codes).isUnsignedInteger();
  if (!elementTypeOf(left.scale).isF32() || bitsOf(left.codes) != 8)
    return false;
  if (!left.axis)
    return true;
  return left.block && *left.axis == rankOf(left.codes) - 1 && isZero && isSigned &&
         *left.block == block;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Returns the offset that makes signed elements unsigned; 0 for unsigned ones.
static int64_t offsetOf(Value codes) {
  return elementTypeOf(codes).isUnsignedInteger() ? 0 : int64_t(1) << (bitsOf(codes) - 1);
}

/// Converts quantized elements or zero points of any integer type to unsigned bytes.
static Value makeUnsigned(LayoutWriter &w, Value codes, int64_t offset, Type byte) {
  if (offset == 0)
    return w.cast(codes, byte);
  Type i32 = IntegerType::get(byte.getContext(), 32);
  return w.cast(w.binary(BinaryKind::add, w.cast(codes, i32), w.number(offset, i32)),
                byte);
}

/// Expands scales or zero points to [K / block, N].
static Value spread(LayoutWriter &w, const Codes &right, Value parameter, int64_t block,
                    int64_t k, int64_t columns) {
  if (right.block) {
    Value matrix = right.isFlipped ? w.transpose(parameter, {1, 0}) : parameter;
    // The model's last block may be incomplete.
    return w.takeRows(w.repeat(matrix, 0, *right.block / block), k / block);
  }
  Value row = w.reshape(parameter, {1, right.axis ? columns : 1});
  return w.broadcast(row, {k / block, columns});
}

/// Whether the zero points equal those that graph.scaled_matmul assumes by default.
static bool hasDefaultZeros(const Codes &right) {
  double middle = double(int64_t(1) << (bitsOf(right.codes) - 1));
  std::optional<double> zero = right.zero ? splatOf(right.zero) : 0.0;
  return zero && *zero + double(offsetOf(right.codes)) == middle;
}

static QuantizedWeight weightOf(OpBuilder &b, const Match &match, int64_t block) {
  const Codes &right = match.right;
  LayoutWriter w(b, right.codes.getLoc());
  Type byte = b.getIntegerType(8, /*isSigned=*/false);
  Value codes = right.isFlipped ? w.transpose(right.codes, {1, 0}) : right.codes;
  QuantizedWeight result;
  result.panels =
      w.packCodes(makeUnsigned(w, codes, offsetOf(codes), byte), bitsOf(codes));
  result.scales =
      w.packBlocks(spread(w, right, right.scale, block, match.k, match.columns));
  Type element = b.getIntegerType(bitsOf(codes), /*isSigned=*/false);
  result.format = FormatAttr::get(b.getContext(), element, block,
                                  elementTypeOf(result.scales), !hasDefaultZeros(right));
  if (hasDefaultZeros(right))
    return result;
  Value zero = right.zero;
  if (!zero)
    zero = w.broadcast(w.number(0, elementTypeOf(codes)), getDims(right.scale));
  Value spreadZero = spread(w, right, zero, block, match.k, match.columns);
  result.zeros = w.packBlocks(makeUnsigned(w, spreadZero, offsetOf(codes), byte));
  return result;
}

/// Returns the largest block size that both operands allow; 0 if there is none.
static int64_t blockFor(const Match &match) {
  for (int64_t block = match.hasHalves() ? kMaxBlock : kBlock; block >= kSmallBlock;
       block /= 2)
    if (match.k % block == 0 && hasBlocks(match.right, block) &&
        (!match.left || isActivation(*match.left, block)))
      return block;
  return 0;
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

static StoredWeight storedAs(const Match &match, int64_t block) {
  std::string scales;
  llvm::raw_string_ostream(scales) << elementTypeOf(match.right.scale);
  unsigned bits = bitsOf(match.right.codes);
  std::string activations = "int8";
  if (match.hasHalves())
    activations = floatName(elementTypeOf(match.lhs));
  return {"int" + std::to_string(bits), activations, scales, bits, block,
          !hasDefaultZeros(match.right)};
}

/// Returns the bytes of quantized elements, scales and zero points in panels of 16
/// columns.
static uint64_t bytesOf(const Match &match, int64_t block) {
  uint64_t elements = match.k * llvm::alignTo(match.columns, QuantizeWeightOp::kWidth);
  uint64_t perBlock = elementTypeOf(match.right.scale).getIntOrFloatBitWidth() / 8 +
                      !hasDefaultZeros(match.right);
  return elements * bitsOf(match.right.codes) / 8 + elements / block * perBlock;
}

/// Returns the accuracy level that the importer of MatMulNBits set on the weight's op.
static std::optional<int64_t> levelOf(const Match &match) {
  Operation *weight = match.expanded.getDefiningOp();
  auto level =
      weight ? weight->getAttrOfType<IntegerAttr>(kAccuracyLevelAttr) : IntegerAttr();
  return level ? std::optional(level.getInt()) : std::nullopt;
}

/// Quantizes or converts activations. `shift`: set to the scaled zero point, an f32
/// scalar, if there is one.
QuantizedActivation ScaledProductRaiser::activation(const Match &match, int64_t block,
                                                    Value &shift) {
  if (!match.left)
    return activations.get(match.lhs, block);
  const Codes &left = *match.left;
  LayoutWriter w(builder, left.codes.getLoc());
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  bool isSigned = !elementTypeOf(left.codes).isUnsignedInteger();
  double middle = isSigned ? 0 : 128;
  Value wide = w.cast(left.codes, i32), codes = left.codes;
  if (!isSigned) {
    wide = w.binary(BinaryKind::sub, wide, w.number(middle, i32));
    codes = w.cast(wide, builder.getI8Type());
  }
  std::optional<double> zero = left.zero ? splatOf(left.zero) : 0.0;
  if (zero != middle) {
    Value own = left.zero ? w.cast(w.reshape(left.zero, {}), f32) : w.number(0, f32);
    shift = w.binary(BinaryKind::mul, left.scale,
                     w.binary(BinaryKind::sub, own, w.number(middle, f32)));
  }
  Dims rows = getDims(codes), blocks = rows;
  blocks.back() = match.k / block;
  Value scales = left.block ? left.scale : w.broadcast(left.scale, blocks);
  rows.back() = match.k / block;
  rows.push_back(block);
  return int8Activation(codes, scales, w.sum(w.reshape(wide, rows), rows.size() - 1),
                        block);
}

/// Computes the matmul of the quantized operands, minus the activations' zero point times
/// the sum of each column of the weight.
void ScaledProductRaiser::raise(const Match &match, int64_t block, StringRef why) {
  builder.setInsertionPoint(match.root);
  Location loc = match.root->getLoc();
  Value shift;
  QuantizedActivation lhs =
      match.hasHalves() ? halfActivation(match.lhs) : activation(match, block, shift);
  builder.setInsertionPoint(match.root);
  QuantizedWeight rhs = weightOf(builder, match, block);
  unsigned bits = bitsOf(match.right.codes);
  Value product = scaledMatmul(builder, loc, lhs, rhs, match.columns);
  if (shift) {
    LayoutWriter w(builder, loc);
    Value sums = w.sum(match.expanded, match.expandedFlipped ? 1 : 0);
    Value taken = w.binary(BinaryKind::mul, w.cast(sums, builder.getF32Type()), shift);
    product = w.binary(BinaryKind::sub, product, taken);
  }
  log.lowered(match.root, "int" + std::to_string(bits), why,
              "weight in " + std::to_string(bits) + " bits as the model has it, " +
                  why.str());
  PrecisionEntry &entry = log.report.back();
  entry.k = match.k;
  entry.columns = match.columns;
  entry.stored = storedAs(match, block);
  entry.accuracyLevel = levelOf(match);
  entry.bytesBefore = entry.bytesAfter = bytesOf(match, block); // quantized by the model
  LayoutWriter w(builder, loc);
  Value result = match.root->getResult(0);
  result.replaceAllUsesWith(w.cast(product, elementTypeOf(result)));
  raised.push_back(match.root);
}

void ScaledProductRaiser::keep(MatmulOp op, const Match &match, StringRef why) {
  log.kept(op, why);
  PrecisionEntry &entry = log.report.back();
  entry.k = match.k;
  entry.columns = match.columns;
  entry.accuracyLevel = levelOf(match);
  int64_t block = blockFor(match);
  if (!entry.accuracyLevel || block == 0)
    return;
  entry.atLevel4 = storedAs(match, block);
  entry.bytesAtLevel4 = bytesOf(match, block);
}

//===----------------------------------------------------------------------===//
// Matmuls of floats
//===----------------------------------------------------------------------===//

/// Returns the f32 value that was cast to f16 or bf16 for the matmul alone.
static Value behindNarrowing(Value value) {
  auto cast = value.getDefiningOp<CastOp>();
  bool narrows =
      cast && isHalf(elementTypeOf(value)) && elementTypeOf(cast.getInput()).isF32();
  return narrows ? cast.getInput() : value;
}

void ScaledProductRaiser::raiseFloat(MatmulOp op) {
  bool flips = op.getTransposeB();
  Value rhs = behindTransposes(op.getRhs(), flips);
  auto weight = rhs.getDefiningOp<DequantizeOp>();
  if (!weight || !isCode(weight.getInput()) || !isCompileTime(rhs) ||
      isCompileTime(op.getLhs()))
    return;
  Type type = elementTypeOf(op.getLhs());
  if (op.getTransposeA() || rankOf(rhs) != 2 || rankOf(op.getLhs()) < 2 ||
      !(type.isF32() || isHalf(type)))
    return log.kept(op, "its weight is expanded when compiling: only products of f32, "
                        "f16 and bf16 read codes");
  auto k = getDims(op.getLhs()).back().getConstant();
  Match match{op, op.getLhs(), std::nullopt, codesOf(weight), rhs, flips};
  match.right.isFlipped = flips;
  match.columns = *getDims(rhs)[flips ? 0 : 1].getConstant();
  match.k = k.value_or(0);
  if (!match.k)
    return;
  if (auto left = behindNarrowing(op.getLhs()).getDefiningOp<DequantizeOp>();
      left && isCode(left.getInput())) {
    match.left = codesOf(left);
    if (int64_t block = blockFor(match))
      return raise(match, block, "activations in 8 bits as the model says");
    match.left.reset();
  }
  const WeightFormat *format = findWeightFormat(policy.precisionOf(op.getLoc()));
  if (Type asked = floatType(options.activations, builder.getContext());
      asked && type.isF32() && format && !format->isStoredAsFloat8()) {
    builder.setInsertionPoint(op);
    match.lhs = LayoutWriter(builder, op.getLoc()).cast(match.lhs, asked);
  }
  if (match.hasHalves()) {
    if (expandHalves)
      return log.kept(op,
                      "its weight is expanded when compiling: no target is a GPU, and "
                      "hosts multiply it faster; --precision int4 keeps its codes");
    if (int64_t block = blockFor(match))
      return raise(match, block, "activations in " + floatName(elementTypeOf(match.lhs)));
    return keep(op, match,
                "its weight is expanded when compiling: it has no scale per 16 or 32 "
                "steps of K");
  }
  // Activations of weights that are stored as f8E4M3FN stay f32.
  if (!format || format->isStoredAsFloat8())
    return keep(op, match,
                "its weight is expanded when compiling: the model has no activations of "
                "8 bits, which --precision int8 gives it");
  if (int64_t block = blockFor(match))
    return raise(match, block, "activations in 8 bits");
  keep(op, match,
       "its weight is expanded when compiling: it has no scale per 16 or 32 steps of K");
}

//===----------------------------------------------------------------------===//
// Matmuls of integers
//===----------------------------------------------------------------------===//

/// Matches i32 made from bytes minus an optional zero point.
static std::optional<Codes> centredCodes(Value value) {
  Codes result;
  if (BinaryOp minus = asBinary(value, BinaryKind::sub)) {
    result.zero = minus.getRhs();
    if (auto cast = result.zero.getDefiningOp<CastOp>())
      result.zero = cast.getInput();
    value = minus.getLhs();
  }
  auto cast = value.getDefiningOp<CastOp>();
  if (!cast || !isCode(cast.getInput()) || bitsOf(cast.getInput()) != 8)
    return std::nullopt;
  result.codes = cast.getInput();
  return result;
}

static bool isSingle(Value value) {
  return llvm::all_of(getDims(value), [](auto &dim) { return dim.isConstant(1); });
}

/// Whether every partial sum is an integer that f32 represents exactly.
static bool isExact(const Codes &right, int64_t k) {
  bool isCentred =
      offsetOf(right.codes) != 0 && (!right.zero || splatOf(right.zero) == 0.0);
  int64_t largest = isCentred ? 128 : 255;
  return k <= (int64_t(1) << 24) / (128 * largest);
}

void ScaledProductRaiser::raiseInteger(CastOp cast) {
  auto product = cast.getInput().getDefiningOp<MatmulOp>();
  if (!product || !elementTypeOf(cast.getResult()).isF32() ||
      !elementTypeOf(product.getResult()).isInteger(32) || product.getTransposeA() ||
      product.getTransposeB() || rankOf(product.getRhs()) != 2 ||
      rankOf(product.getLhs()) < 2 || !isCompileTime(product.getRhs()) ||
      isCompileTime(product.getLhs()))
    return;
  std::optional<Codes> left = centredCodes(product.getLhs()),
                       right = centredCodes(product.getRhs());
  auto k = getDims(product.getLhs()).back().getConstant();
  if (!left || !right || !k || !*k || (left->zero && !isSingle(left->zero)))
    return;
  if (!product->hasOneUse() || !isExact(*right, *k))
    return log.kept(product, "sums of its K may not be exact in f32, and are computed in "
                             "i32");
  builder.setInsertionPoint(cast);
  LayoutWriter w(builder, cast.getLoc());
  Type f32 = builder.getF32Type();
  left->scale = right->scale = w.number(1, f32);
  Match match{cast, Value(), left, *right, product.getRhs(), false};
  match.k = *k;
  match.columns = *getDims(product.getRhs())[1].getConstant();
  if (right->zero && !isSingle(right->zero)) {
    match.right.axis = 1;
    match.right.zero = w.reshape(right->zero, {match.columns});
    match.right.scale = w.broadcast(right->scale, {match.columns});
  }
  if (int64_t block = blockFor(match))
    return raise(match, block, "the same bits as sums of integers");
  log.kept(product, "its K is no multiple of 16");
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

PrecisionReport ScaledProductRaiser::run() {
  SmallVector<Operation *> ops;
  main.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (auto matmul = dyn_cast<MatmulOp>(op))
      raiseFloat(matmul);
    else if (auto cast = dyn_cast<CastOp>(op))
      raiseInteger(cast);
  for (Operation *root : raised)
    eraseDead(root);
  return std::move(log.report);
}

PrecisionReport kiln::raiseScaledProducts(func::FuncOp main,
                                          const PrecisionPolicy &policy,
                                          bool expandHalves) {
  return ScaledProductRaiser(main, policy, expandHalves).run();
}

namespace {
class RaiseScaledProductsPass
    : public kiln::impl::RaiseScaledProductsPassBase<RaiseScaledProductsPass> {
public:
  using RaiseScaledProductsPassBase::RaiseScaledProductsPassBase;
  void runOnGraph() override {
    auto policy = PrecisionPolicy::fromOptions(precision, *rules);
    policy.activations = activations;
    if (reportedInvalid(getOperation().getLoc(), policy))
      return signalPassFailure();
    auto main = mainOf(getOperation());
    if (!main)
      return;
    PrecisionReport entries = raiseScaledProducts(main, policy, expandHalves);
    numRaised += countLowered(entries);
    addToReport(getOperation(), kPrecisionReportAttr, entries);
  }
};
} // namespace

std::unique_ptr<Pass> kiln::createRaiseScaledProductsPass(const PrecisionPolicy &policy,
                                                          bool expandHalves) {
  RaiseScaledProductsPassOptions options;
  options.expandHalves = expandHalves;
  options.precision = policy.precision;
  options.activations = policy.activations;
  llvm::append_range(options.rules, policy.ruleOptions());
  return std::make_unique<RaiseScaledProductsPass>(options);
}
