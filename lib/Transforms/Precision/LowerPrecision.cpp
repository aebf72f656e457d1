//===- LowerPrecision.cpp - Lowers the precision of matmuls ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/rationale/precision.md explains which values are rounded, and why.
//
//===----------------------------------------------------------------------===//

#include "PrecisionLog.h"
#include "ScaledOperands.h"
#include "dialects/Graph/Reports.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Reference/ResultChange.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_LOWERPRECISIONPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kLowerPrecisionPass = "kiln-lower-precision";

namespace {
/// Precision that matmuls and attentions are lowered to.
struct Precision {
  StringRef name;
  Type storage; ///< type of the operands; null for tf32, which is stored as f32
};

class PrecisionLowering {
public:
  PrecisionLowering(func::FuncOp main, Precision precision, PolicyReader &policy)
      : main(main), precision(precision), policy(policy), builder(main.getContext()) {}
  PrecisionReport run();

private:
  void lower(MatmulOp op);
  void lower(AttentionOp op);
  void narrowMatmul(MatmulOp op);
  void reportWeight(MatmulOp op);
  /// Returns the value rounded to the storage type where its source is defined, before
  /// its views.
  Value narrow(Value value);
  Value narrowSource(Value source);
  /// Narrows states whose new value is rounded.
  void narrowStates();
  void narrowState(CastOp cast, KvWriteOp write, BlockArgument state);
  /// Makes all other users of a rounded activation read the rounded value.
  void shareStored();

  func::FuncOp main;
  Precision precision;
  PolicyReader &policy;
  OpBuilder builder;
  DenseMap<Value, Value> narrowed;
  SmallVector<CastOp> casts; ///< casts of sources
  PrecisionLog log{kLowerPrecisionPass, "lower"};
};
} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A view of a rounded value equals the rounded view. Rounding at the definition allows
/// its kernel to store the narrow type.
Value PrecisionLowering::narrow(Value value) {
  if (elementTypeOf(value) == precision.storage)
    return value;
  auto [it, isNew] = narrowed.try_emplace(value);
  if (!isNew)
    return it->second;
  Operation *op = value.getDefiningOp();
  Value result;
  if (op && isView(op)) {
    Value input = narrow(op->getOperand(0));
    builder.setInsertionPointAfter(op);
    Operation *view = builder.clone(*op);
    view->setOperand(0, input);
    view->getResult(0).setType(
        cast<RankedTensorType>(value.getType()).clone(precision.storage));
    result = view->getResult(0);
  } else {
    result = narrowSource(value);
  }
  return narrowed[value] = result;
}

Value PrecisionLowering::narrowSource(Value source) {
  // A value that was widened from the storage type is narrowed without loss.
  if (CastOp cast = asFloatCast(source);
      cast && isWidening(cast) && elementTypeOf(cast.getInput()) == precision.storage)
    return cast.getInput();
  if (Operation *op = source.getDefiningOp())
    builder.setInsertionPointAfter(op);
  else
    builder.setInsertionPointToStart(source.getParentBlock());
  auto type = cast<RankedTensorType>(source.getType()).clone(precision.storage);
  auto cast = CastOp::create(builder, source.getLoc(), type, source);
  casts.push_back(cast);
  return cast;
}

/// Whether the op is a view without users.
static bool isDeadView(Operation *op) {
  return isView(op) && llvm::all_of(op->getUsers(), isDeadView);
}

static void eraseDeadView(Operation *op) {
  for (Operation *user : llvm::to_vector(op->getUsers()))
    eraseDeadView(user);
  op->erase();
}

/// Rounds the new rows, instead of all rows in every run.
void PrecisionLowering::narrowState(CastOp cast, KvWriteOp write, BlockArgument state) {
  Value rows = narrow(write.getRows());
  auto type = llvm::cast<RankedTensorType>(state.getType()).clone(precision.storage);
  state.setType(type);
  write.getRowsMutable().assign(rows);
  write.getResult().setType(type);
  cast.getResult().replaceAllUsesWith(write.getResult());
}

void PrecisionLowering::narrowStates() {
  SmallVector<CastOp> states;
  for (CastOp cast : casts) {
    auto write = cast.getInput().getDefiningOp<KvWriteOp>();
    auto state = write ? dyn_cast<BlockArgument>(write.getState()) : BlockArgument();
    // Other users read the state in its original type, and rounding would change their
    // operand.
    auto isOther = [&](Operation *user) {
      return user != cast && !isa<func::ReturnOp>(user) && !isDeadView(user);
    };
    if (state && state.hasOneUse() && llvm::none_of(write->getUsers(), isOther))
      states.push_back(cast);
  }
  for (CastOp cast : states) {
    auto write = cast.getInput().getDefiningOp<KvWriteOp>();
    for (Operation *user : llvm::to_vector(write->getUsers()))
      if (isDeadView(user))
        eraseDeadView(user);
    narrowState(cast, write, llvm::cast<BlockArgument>(write.getState()));
    llvm::erase(casts, cast);
    cast.erase();
  }
  if (!states.empty())
    main.setFunctionType(
        FunctionType::get(main.getContext(), main.front().getArgumentTypes(),
                          main.front().getTerminator()->getOperandTypes()));
}

void PrecisionLowering::shareStored() {
  for (CastOp cast : casts) {
    Value source = cast.getInput();
    // Inputs and weights exist in their own type anyway, and outputs keep their type.
    if (!source.getDefiningOp() || isCompileTime(source))
      continue;
    auto isOther = [&](OpOperand &use) {
      return use.getOwner() != cast && !isa<func::ReturnOp>(use.getOwner());
    };
    if (llvm::none_of(source.getUses(), isOther))
      continue;
    builder.setInsertionPointAfter(cast);
    Value widened =
        CastOp::create(builder, source.getLoc(), source.getType(), cast.getResult());
    source.replaceUsesWithIf(widened, isOther);
  }
}

//===----------------------------------------------------------------------===//
// Matmuls
//===----------------------------------------------------------------------===//

void PrecisionLowering::narrowMatmul(MatmulOp op) {
  Value lhs = narrow(op.getLhs()), rhs = narrow(op.getRhs());
  op.getLhsMutable().assign(lhs);
  op.getRhsMutable().assign(rhs);
  // The accumulator stays f32 up to the end of the fused epilogue.
  op.setResultElement(builder.getF32Type());
}

void PrecisionLowering::lower(MatmulOp op) {
  Type type = elementTypeOf(op.getLhs());
  if (!isa<FloatType>(type))
    return;
  if (!type.isF32())
    return log.kept(op, "the model has it in another type than f32, which stays");
  if (isCompileTime(op.getLhs()) && isCompileTime(op.getRhs()))
    return log.kept(op, "it is computed once, by the compiler");
  if (policy.precisionOf(op.getLoc()) == "f32")
    return log.kept(op, PrecisionLog::kPolicy);
  log.lowered(op, precision.name, "sums in f32",
              "operands in " + precision.name.str() + ", sums in f32");
  reportWeight(op);
  if (precision.storage)
    narrowMatmul(op);
  else
    op.setTf32(true);
}

/// Reports the weight, which is stored in the type of the multiplication; tf32 is stored
/// as f32.
void PrecisionLowering::reportWeight(MatmulOp op) {
  PrecisionEntry &entry = log.report.back();
  if (entry.k == 0 || entry.columns == 0)
    return;
  CastOp widened = asWidenedWeight(op.getRhs());
  Type before = elementTypeOf(widened ? widened.getInput() : op.getRhs());
  int64_t bits = precision.storage ? precision.storage.getIntOrFloatBitWidth() : 32;
  entry.stored = {
      precision.storage ? precision.name.str() : "f32", precision.name.str(), {}, bits};
  uint64_t elements = entry.k * entry.columns;
  entry.bytesBefore = elements * before.getIntOrFloatBitWidth() / 8;
  entry.bytesAfter = elements * bits / 8;
}

void PrecisionLowering::lower(AttentionOp op) {
  Type type = elementTypeOf(op.getQuery());
  if (!type.isF32())
    return log.kept(op, "the model has it in another type than f32, which stays");
  if (!precision.storage)
    return log.kept(op, "no attention is computed in tf32");
  if (policy.precisionOf(op.getLoc()) == "f32")
    return log.kept(op, PrecisionLog::kPolicy);
  bool readsCodes = bool(op.getKeyScales());
  Value query = narrow(op.getQuery());
  Value key = readsCodes ? op.getKey() : narrow(op.getKey());
  Value value = readsCodes ? op.getValue() : narrow(op.getValue());
  builder.setInsertionPoint(op);
  auto result = AttentionOp::create(
      builder, op.getLoc(), query, key, value, op.getMask(), op.getLengths(),
      op.getSinks(), op.getKeyScales(), op.getValueScales(), op.getKeep(),
      op.getScaleAttr(), op.getCausalAttr(), op.getFromLengthAttr(),
      op.getMaskedZeroAttr(), op.getNanZeroAttr(), op.getSoftcapAttr(),
      op.getWindowAttr(), op.getMaskHidesAttr());
  Value widened = CastOp::create(builder, op.getLoc(), op.getType(), result);
  log.lowered(op, precision.name, "softmax and sums in f32",
              "operands in " + precision.name.str() + ", softmax and sums in f32");
  op.getResult().replaceAllUsesWith(widened);
  op.erase();
}

PrecisionReport PrecisionLowering::run() {
  SmallVector<Operation *> ops;
  main.walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (auto matmul = dyn_cast<MatmulOp>(op))
      lower(matmul);
    else if (auto attention = dyn_cast<AttentionOp>(op))
      lower(attention);
    else if (isa<ScaledMatmulOp>(op))
      (void)policy.precisionOf(op->getLoc()); // its weight is quantized, but rules may
                                              // match it
    else
      log.keepReduction(op);
  }
  narrowStates();
  shareStored();
  return std::move(log.report);
}

FailureOr<PrecisionReport> kiln::lowerPrecision(func::FuncOp main,
                                                const PrecisionPolicy &policy) {
  StringRef name = policy.floatType();
  if (name.empty())
    return PrecisionReport();
  Type storage = floatType(name, main.getContext());
  PolicyReader reader(policy);
  PrecisionReport report = PrecisionLowering(main, {name, storage}, reader).run();
  if (failed(reader.checkUsed(main.getLoc())))
    return failure();
  return report;
}

namespace {
class LowerPrecisionPass : public kiln::impl::LowerPrecisionPassBase<LowerPrecisionPass>,
                           public reference::ChangesResults {
public:
  using LowerPrecisionPassBase::LowerPrecisionPassBase;
  void runOnGraph() override {
    ModuleOp module = getOperation();
    auto policy = PrecisionPolicy::fromOptions(precision, *rules);
    if (policy.quantizes() || reportedInvalid(module.getLoc(), policy))
      return signalPassFailure();
    auto main = mainOf(module);
    if (!main)
      return;
    FailureOr<PrecisionReport> entries = lowerPrecision(main, policy);
    if (failed(entries))
      return signalPassFailure();
    numLowered += countLowered(*entries);
    addToReport(module, kPrecisionReportAttr, *entries);
  }
  /// The pass rounds by design, and errors accumulate over layers.
  reference::ResultChange resultChange(ModuleOp) override {
    auto policy = PrecisionPolicy::fromOptions(precision, *rules);
    return {.tolerance = policy.floatType() == "bf16" ? 5e-2 : 1e-2};
  }
};
} // namespace

std::unique_ptr<Pass> kiln::createLowerPrecisionPass(const PrecisionPolicy &policy) {
  LowerPrecisionPassOptions options;
  options.precision = policy.precision;
  llvm::append_range(options.rules, policy.ruleOptions());
  return std::make_unique<LowerPrecisionPass>(options);
}
