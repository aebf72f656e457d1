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
#include "ScaledLayout.h"
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
  ProductQuantizer(func::FuncOp main, const PrecisionPolicy &options,
                   PolicyReader &policy, bool expandsFloat8)
      : main(main), options(options), policy(policy), expandsFloat8(expandsFloat8),
        builder(main.getContext()) {}
  PrecisionReport run();

private:
  void quantize(MatmulOp op);
  void toFloat8(MatmulOp op, const WeightFormat &format);
  void report(Operation *op, const WeightFormat &format, const std::string &text,
              Value before, uint64_t bytes);
  /// What parts of a weight are made from; `factor` and `unit` may be null.
  struct Source {
    Value matrix, factor, unit;
    const WeightFormat &format;
    int64_t block;
  };
  QuantizedWeight weight(const Source &source);
  Type scaleType(const WeightFormat &format);
  Value part(QuantizedPart part, const Source &source);
  /// AWQ: multiplies the rows of the weight; the activations are to be multiplied by what
  /// it returns, [K].
  Value balance(Source &source, Value hessian);
  /// What calibration knows of a product's activations; null: nothing.
  const CalibratedInput *calibrated(Location loc) const;
  Value matrix(const CalibratedInput &input);

  func::FuncOp main;
  const PrecisionPolicy &options;
  PolicyReader &policy;
  bool expandsFloat8;
  OpBuilder builder;
  ActivationQuantizer activations;
  llvm::DenseMap<const CalibratedInput *, WeightOp> matrices;
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

Value ProductQuantizer::part(QuantizedPart part, const Source &source) {
  const WeightFormat &format = source.format;
  return QuantizeWeightOp::create(
      builder, source.matrix.getLoc(), part, source.matrix, source.factor, source.unit,
      format.bits, source.block, scaleType(format), format.isE2m1,
      /*clip=*/part != QuantizedPart::multipliers && options.algorithm != "rtn");
}

QuantizedWeight ProductQuantizer::weight(const Source &source) {
  QuantizedWeight result;
  result.panels = part(QuantizedPart::codes, source);
  result.scales = part(QuantizedPart::scales, source);
  if (!source.format.isE2m1)
    result.zeros = part(QuantizedPart::zeros, source);
  return result;
}

const CalibratedInput *ProductQuantizer::calibrated(Location loc) const {
  if (!options.calibrates() || !options.calibration)
    return nullptr;
  for (const std::string &node : nodeNames(loc))
    if (auto found = options.calibration->find(node); found != options.calibration->end())
      return found->second.get();
  return nullptr;
}

/// A weight by itself, which only @bake reads.
Value ProductQuantizer::matrix(const CalibratedInput &input) {
  auto type = RankedTensorType::get({input.k, input.k}, builder.getF32Type());
  WeightOp &weight = matrices[&input];
  if (!weight) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(main);
    std::string name = "calibration." + std::to_string(matrices.size());
    weight = WeightOp::create(
        builder, main.getLoc(), name, type, builder.getStringAttr(kCalibrationFile),
        builder.getI64IntegerAttr(0),
        builder.getI64IntegerAttr(type.getNumElements() * sizeof(float)),
        builder.getStringAttr(input.hash));
  }
  return GetWeightOp::create(builder, main.getLoc(), type, weight.getSymName());
}

Value ProductQuantizer::balance(Source &source, Value hessian) {
  Location loc = source.matrix.getLoc();
  source.factor = hessian;
  Value multipliers = part(QuantizedPart::multipliers, source);
  source.factor = Value();
  Value column = reshapeTo(builder, loc, multipliers, {getDims(multipliers)[0], 1});
  source.matrix = BinaryOp::create(builder, loc, BinaryKind::mul, source.matrix, column);
  Value one = makeSplat(builder, loc, builder.getF32Type(), 1);
  return BinaryOp::create(builder, loc, BinaryKind::div, one, multipliers);
}

static uint64_t bytesOf(Value weight) {
  auto type = cast<RankedTensorType>(weight.getType());
  return type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void ProductQuantizer::report(Operation *op, const WeightFormat &format,
                              const std::string &text, Value before, uint64_t bytes) {
  log.lowered(op, format.name, text, "weight: " + text);
  PrecisionEntry &entry = log.report.back();
  CastOp widened = asWidenedWeight(before);
  entry.bytesBefore = bytesOf(widened ? widened.getInput() : before);
  entry.bytesAfter = bytes;
}

/// The scale multiplies the activations and not the product, whose readers (halves of
/// gates, epilogues) are then those of every format.
void ProductQuantizer::toFloat8(MatmulOp op, const WeightFormat &format) {
  builder.setInsertionPoint(op);
  LayoutWriter w(builder, op.getLoc());
  Type f32 = builder.getF32Type();
  // NVFP4's number per weight, with which a twelfth of the largest magnitude is 448.
  Value unit = QuantizeWeightOp::create(
      builder, op.getLoc(), QuantizedPart::unit, op.getRhs(), /*factor=*/Value(),
      /*unit=*/Value(), /*bits=*/4, /*block=*/16, builder.getType<Float8E4M3FNType>(),
      /*e2m1=*/true, /*clip=*/false);
  Value scale = w.binary(BinaryKind::mul, unit, w.number(12, f32));
  Value weight = w.cast(w.binary(BinaryKind::div, op.getRhs(), scale),
                        builder.getType<Float8E4M3FNType>());
  Value lhs = w.binary(BinaryKind::mul, op.getLhs(), scale);
  auto widened = cast<CastOp>(w.cast(weight, f32).getDefiningOp());
  if (!expandsFloat8)
    widened->setAttr(kInKernelAttr, builder.getUnitAttr());
  std::string text =
      (format.text + (expandsFloat8 ? ", expanded when compiling: a target has "
                                      "no kernel that reads it"
                                    : ", activations in f32"))
          .str();
  report(op, format, text, op.getRhs(),
         expandsFloat8 ? bytesOf(op.getRhs()) : bytesOf(weight));
  op.getLhsMutable().assign(lhs);
  op.getRhsMutable().assign(widened);
}

void ProductQuantizer::quantize(MatmulOp op) {
  if (StringRef why = whyNotQuantized(op); !why.empty())
    return log.kept(op, why);
  const WeightFormat *format = findWeightFormat(policy.precisionOf(op.getLoc()));
  if (!format)
    return log.kept(op, PrecisionLog::kPolicy);
  if (format->isFloat8)
    return toFloat8(op, *format);
  auto k = getDims(op.getLhs()).back().getConstant();
  int64_t block = format->blockFor(k.value_or(0));
  if (block == 0) {
    int64_t smallest = format->minBlock > 0 ? format->minBlock : format->block;
    return log.kept(op, "its K is no multiple of " + std::to_string(smallest) +
                            ", the steps that have a scale");
  }
  builder.setInsertionPoint(op);
  Source source{op.getRhs(), Value(), Value(), *format, block};
  if (op.getTransposeB())
    source.matrix = swapLastTwo(builder, op.getLoc(), source.matrix);
  const CalibratedInput *input = calibrated(op.getLoc());
  bool hasSamples = input && input->k == *k;
  Value left = op.getLhs();
  if (hasSamples && options.algorithm == "awq")
    left = BinaryOp::create(builder, op.getLoc(), BinaryKind::mul, left,
                            balance(source, matrix(*input)));
  QuantizedActivation lhs = activations.get(left, block);
  Value scales = lhs.scales;
  if (format->hasUnit) {
    source.unit = part(QuantizedPart::unit, source);
    // Of the few numbers that a scale of the product consists of, these are f32.
    scales = BinaryOp::create(builder, op.getLoc(), BinaryKind::mul, scales, source.unit);
  }
  if (hasSamples && options.algorithm == "gptq")
    source.factor = matrix(*input);
  QuantizedWeight rhs = weight(source);
  auto product = ScaledMatmulOp::create(
      builder, op.getLoc(), lhs.codes, scales, lhs.totals, rhs.panels, rhs.scales,
      rhs.zeros, format->bits, *getDims(source.matrix)[1].getConstant(), format->isE2m1);
  std::string text = format->text.str() + ", activations in 8 bits";
  if (options.algorithm != "rtn")
    text += options.calibrates() && !hasSamples ? ", not calibrated"
                                                : ", by " + options.algorithm;
  report(op, *format, text, op.getRhs(),
         bytesOf(rhs.panels) + bytesOf(rhs.scales) +
             (rhs.zeros ? bytesOf(rhs.zeros) : 0));
  op.getResult().replaceAllUsesWith(product);
  op.erase();
}

PrecisionReport ProductQuantizer::run() {
  SmallVector<Operation *> ops;
  main.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    if (auto matmul = dyn_cast<MatmulOp>(op))
      quantize(matmul);
    else if (isa<ScaledMatmulOp>(op))
      (void)policy.precisionOf(op->getLoc()); // read codes already, and has been reported
    else if (isa<AttentionOp>(op))
      log.kept(op, "attention is computed in f32");
    else
      log.keepReduction(op);
  return std::move(log.report);
}

FailureOr<PrecisionReport> kiln::quantizeProducts(func::FuncOp main,
                                                  const PrecisionPolicy &policy,
                                                  bool expandsFloat8) {
  PolicyReader reader(policy);
  PrecisionReport report = ProductQuantizer(main, policy, reader, expandsFloat8).run();
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
                       std::shared_ptr<const Calibration> calibration,
                       PrecisionReport *report)
      : QuantizeProductsPassBase(options), calibration(std::move(calibration)),
        report(report) {}

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto policy = PrecisionPolicy::fromOptions(precision, *rules);
    policy.algorithm = algorithm;
    policy.calibration = calibration;
    if (reportedInvalid(module.getLoc(), policy))
      return signalPassFailure();
    auto main = module.lookupSymbol<func::FuncOp>("main");
    if (!main)
      return;
    FailureOr<PrecisionReport> entries = quantizeProducts(main, policy, expandsFloat8);
    if (failed(entries))
      return signalPassFailure();
    numQuantized += countLowered(*entries);
    if (report)
      llvm::append_range(*report, *entries);
  }

private:
  std::shared_ptr<const Calibration> calibration;
  PrecisionReport *report = nullptr;
};
} // namespace

std::unique_ptr<Pass> kiln::createQuantizeProductsPass(const PrecisionPolicy &policy,
                                                       PrecisionReport *report,
                                                       bool expandsFloat8) {
  QuantizeProductsPassOptions options;
  options.expandsFloat8 = expandsFloat8;
  options.precision = policy.precision;
  llvm::append_range(options.rules, policy.ruleOptions());
  options.algorithm = policy.algorithm;
  return std::make_unique<QuantizeProductsPass>(options, policy.calibration, report);
}
