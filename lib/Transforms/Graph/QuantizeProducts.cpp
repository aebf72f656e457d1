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

namespace {
class ProductQuantizer {
public:
  ProductQuantizer(func::FuncOp main, PolicyReader &policy)
      : main(main), policy(policy), builder(main.getContext()) {}
  PrecisionReport run();

private:
  void quantize(MatmulOp op);
  /// `unit` may be null.
  QuantizedWeight weight(Value matrix, Value unit, const WeightFormat &format);
  Type scaleType(const WeightFormat &format);
  Value part(QuantizedPart part, Value matrix, Value unit, const WeightFormat &format);

  func::FuncOp main;
  PolicyReader &policy;
  OpBuilder builder;
  ActivationQuantizer activations;
  PrecisionLog log{kPass, "quantize"};
};
} // namespace

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

Type ProductQuantizer::scaleType(const WeightFormat &format) {
  if (format.hasUnit)
    return builder.getType<Float8E4M3FNType>();
  return format.isE2m1 ? Type(builder.getType<Float8E8M0FNUType>())
                       : builder.getBF16Type();
}

Value ProductQuantizer::part(QuantizedPart part, Value matrix, Value unit,
                             const WeightFormat &format) {
  return QuantizeWeightOp::create(builder, matrix.getLoc(), part, matrix,
                                  /*factor=*/Value(), unit, format.bits, format.block,
                                  scaleType(format), format.isE2m1);
}

QuantizedWeight ProductQuantizer::weight(Value matrix, Value unit,
                                         const WeightFormat &format) {
  QuantizedWeight result;
  result.panels = part(QuantizedPart::codes, matrix, unit, format);
  result.scales = part(QuantizedPart::scales, matrix, unit, format);
  if (!format.isE2m1)
    result.zeros = part(QuantizedPart::zeros, matrix, unit, format);
  return result;
}

static uint64_t bytesOf(Value weight) {
  auto type = cast<RankedTensorType>(weight.getType());
  return type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Why a product is left, whatever the format; empty if it can be quantized.
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
  return {};
}

void ProductQuantizer::quantize(MatmulOp op) {
  if (StringRef why = refusal(op); !why.empty())
    return log.kept(op, why);
  const WeightFormat *format = findWeightFormat(policy.precisionOf(op.getLoc()));
  if (!format)
    return log.kept(op, PrecisionLog::kPolicy);
  auto k = getDims(op.getLhs()).back().getConstant();
  if (!k || *k == 0 || *k % format->block)
    return log.kept(op, "its K is no multiple of " + std::to_string(format->block) +
                            ", the steps that have a scale");
  QuantizedActivation lhs = activations.get(op.getLhs(), format->block);
  builder.setInsertionPoint(op);
  Value matrix = op.getRhs(), unit;
  if (op.getTransposeB())
    matrix = swapLastTwo(builder, op.getLoc(), matrix);
  Value scales = lhs.scales;
  if (format->hasUnit) {
    unit = part(QuantizedPart::unit, matrix, unit, *format);
    // Of the few numbers that a scale of the product consists of, these are f32.
    scales = BinaryOp::create(builder, op.getLoc(), BinaryKind::mul, scales, unit);
  }
  QuantizedWeight rhs = weight(matrix, unit, *format);
  auto product = ScaledMatmulOp::create(
      builder, op.getLoc(), lhs.codes, scales, lhs.totals, rhs.panels, rhs.scales,
      rhs.zeros, format->bits, *getDims(matrix)[1].getConstant(), format->isE2m1);
  std::string text = format->text.str() + ", activations in 8 bits";
  log.lowered(op, format->name, text, "weight: " + text);
  PrecisionEntry &entry = log.report.back();
  CastOp widened = asWidenedWeight(op.getRhs());
  entry.bytesBefore = bytesOf(widened ? widened.getInput() : op.getRhs());
  entry.bytesAfter =
      bytesOf(rhs.panels) + bytesOf(rhs.scales) + (rhs.zeros ? bytesOf(rhs.zeros) : 0);
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

FailureOr<PrecisionReport> kiln::quantizeProducts(func::FuncOp main,
                                                  const PrecisionPolicy &policy) {
  PolicyReader reader(policy);
  PrecisionReport report = ProductQuantizer(main, reader).run();
  if (failed(reader.checkUsed(main.getLoc())))
    return failure();
  return report;
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
    auto policy = PrecisionPolicy::fromOptions(precision, *rules);
    if (reportedInvalid(module.getLoc(), policy))
      return signalPassFailure();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main)
      return;
    FailureOr<PrecisionReport> entries = quantizeProducts(main, policy);
    if (failed(entries))
      return signalPassFailure();
    numQuantized += countLowered(*entries);
    if (report)
      *report = std::move(*entries);
  }

private:
  PrecisionReport *report = nullptr;
};
} // namespace

std::unique_ptr<Pass> kiln::createQuantizeProductsPass(const PrecisionPolicy &policy,
                                                       PrecisionReport *report) {
  QuantizeProductsPassOptions options;
  options.precision = policy.precision;
  llvm::append_range(options.rules, policy.ruleOptions());
  return std::make_unique<QuantizeProductsPass>(options, report);
}
