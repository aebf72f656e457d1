//===- QuantizeProducts.cpp - Products of codes of few bits ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/rationale/quantization.md says why blocks, scales and layouts are as they are.
//
//===----------------------------------------------------------------------===//

#include "Match.h"
#include "PrecisionLog.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_QUANTIZEPRODUCTSPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kPass = "kiln-quantize-products";
/// Steps of K that have one scale, and columns of a panel.
static constexpr int64_t kBlock = 32, kWidth = 16;

namespace {
/// Ops one after the other, all of the same place in the model.
class Writer {
public:
  Writer(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  Value number(double value, Type type) { return makeSplat(b, loc, type, value); }
  Value number(double value) { return number(value, b.getF32Type()); }
  Value unary(UnaryKind kind, Value x) { return UnaryOp::create(b, loc, kind, x); }
  Value binary(BinaryKind kind, Value x, Value y) {
    return BinaryOp::create(b, loc, kind, x, y);
  }
  Value reduce(ReduceKind kind, Value x, int64_t axis, bool keepDims) {
    return ReduceOp::create(b, loc, kind, x, ArrayRef<int64_t>{axis}, keepDims);
  }
  Value cast(Value x, Type type) {
    return CastOp::create(b, loc, llvm::cast<RankedTensorType>(x.getType()).clone(type),
                          x);
  }
  Value reshape(Value x, ArrayRef<SymbolicExpr> dims) {
    return reshapeTo(b, loc, x, dims);
  }
  Value transpose(Value x, ArrayRef<int64_t> order) {
    return TransposeOp::create(b, loc, x, order);
  }
  /// Position `at` of the last dim, which goes.
  Value last(Value x, int64_t at);
  /// Columns of zeros behind a matrix, up to so many.
  Value padColumns(Value matrix, int64_t columns);

  OpBuilder &b;
  Location loc;
};

struct QuantizedActivation {
  Value codes, scales, totals;
};

struct QuantizedWeight {
  Value panels, scales, zeros;
};

class ProductQuantizer {
public:
  ProductQuantizer(func::FuncOp main, int64_t bits)
      : main(main), bits(bits), builder(main.getContext()) {}
  PrecisionReport run();

private:
  void quantize(MatmulOp op);
  QuantizedActivation activation(Value value);
  QuantizedWeight weight(Value matrix);
  /// [K / B, N] in the panels of the weight.
  Value blockPanels(Writer &w, Value matrix);

  func::FuncOp main;
  int64_t bits;
  OpBuilder builder;
  DenseMap<Value, QuantizedActivation> activations;
  PrecisionLog log{kPass, "quantize"};
};
} // namespace

Value Writer::last(Value x, int64_t at) {
  Dims dims = getDims(x), starts(dims.size(), 0);
  dims.back() = 1;
  starts.back() = at;
  Value one = SliceOp::create(b, loc, makeTensorType(dims, elementTypeOf(x)), x,
                              makeShape(b.getContext(), starts),
                              SmallVector<int64_t>(dims.size(), 1));
  dims.pop_back();
  return reshape(one, dims);
}

Value Writer::padColumns(Value matrix, int64_t columns) {
  Dims dims = getDims(matrix);
  int64_t missing = columns - *dims[1].getConstant();
  if (missing == 0)
    return matrix;
  Value zeros =
      makeSplat(b, loc, elementTypeOf(matrix), 0.0, {*dims[0].getConstant(), missing});
  Value parts[] = {matrix, zeros};
  return ConcatOp::create(b, loc, parts, b.getI64IntegerAttr(1));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Signed codes x / s with s = max |x| / 127 of each block: symmetric, found in every
/// run. A block of zeros has scale 0; NaN and infinity reach the result through the
/// scale.
QuantizedActivation ProductQuantizer::activation(Value value) {
  auto [it, isNew] = activations.try_emplace(value);
  if (!isNew)
    return it->second;
  if (Operation *op = value.getDefiningOp())
    builder.setInsertionPointAfter(op);
  else
    builder.setInsertionPointToStart(value.getParentBlock());
  Writer w(builder, value.getLoc());
  Dims dims = getDims(value), blocks = dims;
  blocks.back() = *dims.back().exactDiv(SymbolicExpr(kBlock));
  Dims rows = blocks;
  rows.push_back(kBlock);
  int64_t axis = dims.size();
  Value x = w.reshape(value, rows);
  Value largest = w.reduce(ReduceKind::max, w.unary(UnaryKind::abs, x), axis, true);
  Value scale = w.binary(BinaryKind::mul, largest, w.number(1.0 / 127));
  // Blocks below 1e-36 come out smaller than they are: 127 over them is no number.
  Value inverse = w.binary(BinaryKind::div, w.number(127),
                           w.binary(BinaryKind::max, largest, w.number(1e-36)));
  Value codes = w.cast(w.unary(UnaryKind::round, w.binary(BinaryKind::mul, x, inverse)),
                       builder.getI8Type());
  Value totals =
      w.reduce(ReduceKind::sum, w.cast(codes, builder.getI32Type()), axis, false);
  return activations[value] = {w.reshape(codes, dims), w.reshape(scale, blocks), totals};
}

Value ProductQuantizer::blockPanels(Writer &w, Value matrix) {
  int64_t rows = *getDims(matrix)[0].getConstant(),
          columns = *getDims(matrix)[1].getConstant();
  Value panels = w.reshape(matrix, {rows, columns / kWidth, kWidth});
  return w.transpose(panels, {1, 0, 2});
}

/// Unsigned codes w / t + z with t and z from the least and largest weight of each block,
/// rounded to nearest (RTN).
QuantizedWeight ProductQuantizer::weight(Value matrix) {
  Writer w(builder, matrix.getLoc());
  int64_t k = *getDims(matrix)[0].getConstant(), n = *getDims(matrix)[1].getConstant();
  int64_t columns = llvm::alignTo(n, kWidth), blocks = k / kBlock;
  double top = (1 << bits) - 1;
  Value x = w.reshape(w.padColumns(matrix, columns), {blocks, kBlock, columns});
  // Zero is a code, so that zeros stay zeros.
  Value high =
      w.binary(BinaryKind::max, w.reduce(ReduceKind::max, x, 1, true), w.number(0));
  Value low =
      w.binary(BinaryKind::min, w.reduce(ReduceKind::min, x, 1, true), w.number(0));
  Value wide =
      w.binary(BinaryKind::mul, w.binary(BinaryKind::sub, high, low), w.number(1 / top));
  Value stored = w.cast(wide, builder.getBF16Type());
  Value scale =
      w.binary(BinaryKind::max, w.cast(stored, builder.getF32Type()), w.number(1e-36));
  auto clamp = [&](Value value) {
    return w.binary(BinaryKind::min, w.binary(BinaryKind::max, value, w.number(0)),
                    w.number(top));
  };
  Type byte = builder.getIntegerType(8, /*isSigned=*/false);
  Value zero = clamp(w.unary(
      UnaryKind::round, w.unary(UnaryKind::neg, w.binary(BinaryKind::div, low, scale))));
  Value codes =
      w.cast(clamp(w.binary(
                 BinaryKind::add,
                 w.unary(UnaryKind::round, w.binary(BinaryKind::div, x, scale)), zero)),
             byte);
  Dims perBlock{blocks, columns};
  QuantizedWeight result;
  result.scales = blockPanels(w, w.reshape(stored, perBlock));
  result.zeros = blockPanels(w, w.reshape(w.cast(zero, byte), perBlock));
  int64_t panels = columns / kWidth;
  if (bits == 8) {
    Value words = w.reshape(codes, {k / 4, 4, panels, kWidth});
    result.panels = w.transpose(words, {2, 0, 3, 1});
    return result;
  }
  Value words = w.reshape(codes, {k / 8, 2, 4, panels, kWidth});
  words = w.transpose(words, {3, 0, 4, 2, 1});
  result.panels =
      w.binary(BinaryKind::add, w.last(words, 0),
               w.binary(BinaryKind::mul, w.last(words, 1), w.number(16, byte)));
  return result;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Why a product is left; empty if it is quantized.
static StringRef refusal(MatmulOp op) {
  if (!elementTypeOf(op.getLhs()).isF32())
    return "the model gives this type";
  if (isCompileTime(op.getLhs()))
    return isCompileTime(op.getRhs()) ? "it is computed once, by the compiler"
                                      : "its left operand is a weight";
  if (!isCompileTime(op.getRhs()))
    return "neither operand is a weight";
  if (op.getTransposeA())
    return "its left operand is transposed";
  if (rankOf(op.getRhs()) != 2)
    return "its weight is no matrix";
  auto k = getDims(op.getLhs()).back().getConstant();
  if (!k || *k == 0 || *k % kBlock)
    return "its K is no multiple of 32, the steps that have a scale";
  return {};
}

void ProductQuantizer::quantize(MatmulOp op) {
  if (StringRef why = refusal(op); !why.empty())
    return log.kept(op, why);
  QuantizedActivation lhs = activation(op.getLhs());
  builder.setInsertionPoint(op);
  Value matrix = op.getRhs();
  if (op.getTransposeB())
    matrix = swapLastTwo(builder, op.getLoc(), matrix);
  QuantizedWeight rhs = weight(matrix);
  auto product = ScaledMatmulOp::create(builder, op.getLoc(), lhs.codes, lhs.scales,
                                        lhs.totals, rhs.panels, rhs.scales, rhs.zeros,
                                        bits, *getDims(matrix)[1].getConstant());
  std::string format = "int" + std::to_string(bits);
  log.lowered(op, format, "weights in blocks of 32, activations in 8 bits",
              "weight in " + format + ", activations in 8 bits, blocks of 32");
  op.getResult().replaceAllUsesWith(product);
  op.erase();
}

PrecisionReport ProductQuantizer::run() {
  SmallVector<Operation *> ops;
  main.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (auto matmul = dyn_cast<MatmulOp>(op))
      quantize(matmul);
    else if (isa<AttentionOp>(op))
      log.kept(op, "attention is computed in f32");
    else
      log.keepReduction(op);
  return std::move(log.report);
}

PrecisionReport kiln::quantizeProducts(func::FuncOp main, int64_t bits) {
  return ProductQuantizer(main, bits).run();
}

namespace {
class QuantizeProductsPass
    : public kiln::impl::QuantizeProductsPassBase<QuantizeProductsPass> {
public:
  using QuantizeProductsPassBase::QuantizeProductsPassBase;
  QuantizeProductsPass(const QuantizeProductsPassOptions &options,
                       PrecisionReport *report)
      : QuantizeProductsPassBase(options), report(report) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (bits != 4 && bits != 8) {
      emitError(module.getLoc(), "kiln-quantize-products: expected 4 or 8 bits, found ")
          << int64_t(bits);
      return signalPassFailure();
    }
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main)
      return;
    PrecisionReport entries = quantizeProducts(main, bits);
    numQuantized +=
        llvm::count_if(entries, [](auto &entry) { return entry.was != entry.became; });
    if (report)
      *report = std::move(entries);
  }

private:
  PrecisionReport *report = nullptr;
};
} // namespace

std::unique_ptr<Pass> kiln::createQuantizeProductsPass(int64_t bits,
                                                       PrecisionReport *report) {
  QuantizeProductsPassOptions options;
  options.bits = bits;
  return std::make_unique<QuantizeProductsPass>(options, report);
}
