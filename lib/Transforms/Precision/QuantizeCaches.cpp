//===- QuantizeCaches.cpp - Quantizes caches to 8 bits --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// docs/rationale/quantization.md explains why there is one scale per head and position.
//
//===----------------------------------------------------------------------===//

#include "PrecisionLog.h"
#include "ScaledOperands.h"
#include "dialects/Graph/Reports.h"
#include "dialects/Types/FloatFormat.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Reference/ResultChange.h"
#include "kiln/Support/Error.h"
#include "kiln/Transforms/Bake/ScaledLayout.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_QUANTIZECACHESPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kQuantizeCachesPass = "kiln-quantize-caches";

namespace {
class CacheQuantizer {
public:
  CacheQuantizer(func::FuncOp main, StringRef format)
      : main(main), format(format), b(main.getContext()),
        code(format == "fp8" ? Type(float8Type(b.getContext())) : Type(b.getI8Type())) {}
  PrecisionReport run();

private:
  void quantize(KvWriteOp write);
  void scaleReaders();
  Value addState(Type type, StringRef name);

  func::FuncOp main;
  StringRef format;
  OpBuilder b;
  Type code;
  SmallVector<KvWriteOp> caches;
  llvm::MapVector<Value, Value> scales; ///< scales of caches, by the cache's new value
  PrecisionLog log{kQuantizeCachesPass, "quantize"};
};
} // namespace

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

static KvWriteOp cacheOf(Value value) { return value.getDefiningOp<KvWriteOp>(); }

/// Returns why a cache is not quantized, ignoring the other cache of its readers; empty
/// if it can be.
static std::string whyNot(func::FuncOp main, KvWriteOp write) {
  auto state = dyn_cast<BlockArgument>(write.getState());
  if (!state || !main.getArgAttr(state.getArgNumber(), kStateAttr) || !state.hasOneUse())
    return "it is no state that is written once";
  Type type = elementTypeOf(state);
  if (!isa<FloatType>(type) || type.getIntOrFloatBitWidth() <= 8)
    return "it is of 8 bits already";
  if (rankOf(state) != 4 || write.getAxis() != 2)
    return "its positions are not the third of four dims";
  if (!getDims(state)[3].getConstant())
    return "the size of its heads is not known";
  for (OpOperand &use : write.getResult().getUses()) {
    auto op = dyn_cast<AttentionOp>(use.getOwner());
    bool isKeyOrValue = use.getOperandNumber() == 1 || use.getOperandNumber() == 2;
    if (!isa<func::ReturnOp>(use.getOwner()) && !(op && isKeyOrValue))
      return (use.getOwner()->getName().stripDialect() + " reads it beside attention")
          .str();
  }
  return "";
}

/// Drops caches whose readers read another cache that is not quantized.
static void dropHalves(SmallVectorImpl<KvWriteOp> &caches, PrecisionLog &log) {
  auto isPaired = [&](KvWriteOp write) {
    return llvm::all_of(write->getUsers(), [&](Operation *user) {
      auto op = dyn_cast<AttentionOp>(user);
      return !op || (llvm::is_contained(caches, cacheOf(op.getKey())) &&
                     llvm::is_contained(caches, cacheOf(op.getValue())));
    });
  };
  for (auto it = caches.begin();
       (it = llvm::find_if_not(caches, isPaired)) != caches.end();) {
    log.kept(*it, "an attention reads it beside one that is no cache of 8 bits");
    caches.erase(it);
  }
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// Adds an argument for a state; its result is added when it has been written.
Value CacheQuantizer::addState(Type type, StringRef name) {
  auto attributes =
      b.getDictionaryAttr(b.getNamedAttr(kStateAttr, b.getStringAttr(name)));
  unsigned number = main.getNumArguments();
  (void)main.insertArgument(number, type, attributes, main.getLoc());
  return main.getArgument(number);
}

/// Quantizes rows before they are written, each head and position separately.
void CacheQuantizer::quantize(KvWriteOp write) {
  auto state = cast<BlockArgument>(write.getState());
  auto name = main.getArgAttrOfType<StringAttr>(state.getArgNumber(), kStateAttr);
  Dims dims = getDims(state), rows = getDims(write.getRows());
  b.setInsertionPoint(write);
  LayoutWriter w(b, write.getLoc());
  Value wide = w.cast(write.getRows(), b.getF32Type());
  auto [codes, rowScales] = quantizeBlocks(b, wide, *dims[3].getConstant(), code);
  log.lowered(write, format, "a scale per head and position",
              "rows in " + format.str() + ", with a scale per head and position");
  auto type = makeTensorType(dims, code);
  state.setType(type);
  write.getRowsMutable().assign(w.reshape(codes, rows));
  write.getResult().setType(type);
  dims.pop_back();
  rows.pop_back();
  Value scaleState =
      addState(makeTensorType(dims, b.getF32Type()), (name.getValue() + ".scales").str());
  scales[write.getResult()] = KvWriteOp::create(
      b, write.getLoc(), scaleState, w.reshape(rowScales, rows), write.getStarts(),
      write.getCounts(), write.getAxis(), write.getRing());
}

void CacheQuantizer::scaleReaders() {
  for (auto op : llvm::to_vector(main.front().getOps<AttentionOp>())) {
    auto key = scales.find(op.getKey()), value = scales.find(op.getValue());
    if (key == scales.end())
      continue;
    op.getKeyScalesMutable().assign(key->second);
    op.getValueScalesMutable().assign(value->second);
  }
}

PrecisionReport CacheQuantizer::run() {
  for (auto write : main.front().getOps<KvWriteOp>()) {
    std::string why = whyNot(main, write);
    if (why.empty())
      caches.push_back(write);
    else
      log.kept(write, why);
  }
  dropHalves(caches, log);
  auto ret = cast<func::ReturnOp>(main.front().getTerminator());
  for (KvWriteOp write : caches)
    quantize(write);
  scaleReaders();
  for (auto [cache, written] : scales) {
    auto state = cast<KvWriteOp>(written.getDefiningOp()).getState();
    auto name = main.getArgAttr(cast<BlockArgument>(state).getArgNumber(), kStateAttr);
    (void)main.insertResult(main.getNumResults(), written.getType(),
                            b.getDictionaryAttr(b.getNamedAttr(kStateAttr, name)));
    ret.getOperandsMutable().append(written);
  }
  main.setFunctionType(FunctionType::get(
      main.getContext(), main.front().getArgumentTypes(), ret->getOperandTypes()));
  for (PrecisionEntry &entry : log.report)
    entry.op = PrecisionEntry::kCache;
  return std::move(log.report);
}

PrecisionReport kiln::quantizeCaches(func::FuncOp main, StringRef format) {
  return CacheQuantizer(main, format).run();
}

namespace {
class QuantizeCachesPass : public kiln::impl::QuantizeCachesPassBase<QuantizeCachesPass>,
                           public reference::ChangesResults {
public:
  using QuantizeCachesPassBase::QuantizeCachesPassBase;
  void runOnGraph() override {
    PrecisionPolicy policy;
    policy.cache = format;
    if (reportedInvalid(getOperation().getLoc(), policy))
      return signalPassFailure();
    auto main = mainOf(getOperation());
    if (!main || format.empty())
      return;
    if (main.front().getOps<KvWriteOp>().empty()) {
      kiln::emitError(main.getLoc(),
                      {ErrorCode::BadUsage, "--kv", "the model has no cache",
                       "a decoder whose pasts and presents become state", "none",
                       "leave --kv out"});
      return signalPassFailure();
    }
    PrecisionReport entries = quantizeCaches(main, format);
    numQuantized += countLowered(entries);
    addToReport(getOperation(), kPrecisionReportAttr, entries);
  }
  reference::ResultChange resultChange(ModuleOp) override { return {.tolerance = 1e-1}; }
};
} // namespace

