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
#include "ScaledOperands.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_QUANTIZEPRODUCTSPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kPass = "kiln-quantize-products";
/// Steps of K that have one scale.
static constexpr int64_t kBlock = 32;

namespace {
class ProductQuantizer {
public:
  ProductQuantizer(func::FuncOp main, int64_t bits)
      : main(main), bits(bits), builder(main.getContext()) {}
  PrecisionReport run();

private:
  void quantize(MatmulOp op);
  QuantizedWeight weight(Value matrix);

  func::FuncOp main;
  int64_t bits;
  OpBuilder builder;
  ActivationQuantizer activations;
  PrecisionLog log{kPass, "quantize"};
};
} // namespace

/// Rounded to nearest (RTN), in blocks with zero points.
QuantizedWeight ProductQuantizer::weight(Value matrix) {
  auto part = [&](QuantizedPart part) {
    return QuantizeWeightOp::create(builder, matrix.getLoc(), part, matrix, Value(),
                                    Value(), bits, kBlock, builder.getBF16Type());
  };
  return {part(QuantizedPart::codes), part(QuantizedPart::scales),
          part(QuantizedPart::zeros)};
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
  QuantizedActivation lhs = activations.get(op.getLhs(), kBlock);
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
