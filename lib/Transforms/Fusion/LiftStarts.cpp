//===- LiftStarts.cpp - Common code for the steps of an unrolled loop -----===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BakedConstants.h"
#include "LiftedOperands.h"
#include "dialects/Graph/KernelText.h"
#include "kiln/Transforms/Fusion/Passes.h"
#include "llvm/ADT/DenseSet.h"

namespace kiln {
#define GEN_PASS_DEF_LIFTSTARTSPASS
#include "kiln/Transforms/Fusion/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Minimum number of kernels to merge. For fewer kernels, faster code with constant
/// offsets is worth the compile time.
static constexpr size_t kMinShared = 8;

namespace {
/// A dim of a slice that keeps one element at a constant index.
struct Start {
  SliceOp slice;
  unsigned dim;
  int64_t index;
};
} // namespace

/// Returns the index if the slice has one element at a constant index in this dim.
static std::optional<int64_t> knownStart(SliceOp slice, unsigned dim) {
  Dims sizes = getDims(slice.getResult()), starts = getDims(slice.getStarts());
  return sizes[dim].isConstant(1) ? starts[dim].getConstant() : std::nullopt;
}

static SmallVector<Start> startsOf(KernelOp kernel) {
  SmallVector<Start> starts;
  for (SliceOp slice : kernel.getBlock().getOps<SliceOp>())
    for (unsigned dim = 0; dim < slice.getSteps().size(); ++dim)
      if (std::optional<int64_t> index = knownStart(slice, dim))
        starts.push_back({slice, dim, *index});
  return starts;
}

/// Returns a text for slices, so that kernels that differ only in starts have equal
/// texts.
static std::optional<std::string> textOfSlice(Operation &op) {
  auto slice = dyn_cast<SliceOp>(op);
  if (!slice)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream os(text);
  Dims starts = getDims(slice.getStarts());
  for (unsigned dim = 0; dim < starts.size(); ++dim) {
    if (!knownStart(slice, dim))
      os << starts[dim].str() << ' ' << slice.getSteps()[dim];
    os << ',';
  }
  return text;
}

/// Pointwise and row kernels load single elements. Other kernels copy tiles whose offsets
/// must be constants.
static std::string textWithoutStarts(KernelOp kernel) {
  bool readsElements = kernel.getHero() == "pointwise" || kernel.getHero() == "row";
  return readsElements ? kernelText(kernel, textOfSlice) : kernelText(kernel);
}

/// Replaces equal starts of the body by one operand; returns the constant before the
/// kernel that becomes the operand.
static ConstantOp liftStart(KernelOp kernel, ArrayRef<Start> equal) {
  OpBuilder builder(kernel.getContext());
  Location loc = SliceOp(equal.front().slice).getLoc();
  auto type = RankedTensorType::get({1}, builder.getI64Type());
  ConstantOp given = addConstantOperand(
      kernel, loc, DenseElementsAttr::get(type, ArrayRef(equal.front().index)));
  Value argument = kernel.getBlock().getArguments().back();
  for (Start start : equal) {
    SliceOp slice = start.slice;
    builder.setInsertionPoint(slice);
    Value one = GatherOp::create(builder, slice.getLoc(), slice.getInput(), argument,
                                 int64_t(start.dim));
    Dims starts = getDims(slice.getStarts());
    starts[start.dim] = 0;
    slice.getInputMutable().assign(one);
    slice.setStartsAttr(makeShape(kernel.getContext(), starts));
  }
  return given;
}

static void dropWholeSlices(KernelOp kernel) {
  for (SliceOp slice : llvm::to_vector(kernel.getBlock().getOps<SliceOp>()))
    if (slice.getInput().getType() == slice.getType() &&
        llvm::all_of(slice.getSteps(), [](int64_t step) { return step == 1; })) {
      slice.replaceAllUsesWith(slice.getInput());
      slice.erase();
    }
}

static SmallVector<ConstantOp> liftStarts(KernelOp kernel,
                                          ArrayRef<ValueNumbers> operands) {
  SmallVector<Start> starts = startsOf(kernel);
  SmallVector<ConstantOp> given;
  for (const ValueNumbers &numbers : operands)
    given.push_back(liftStart(kernel, llvm::map_to_vector(numbers, [&](size_t number) {
                                return starts[number];
                              })));
  dropWholeSlices(kernel);
  return given;
}

static SmallVector<Attribute> indicesOf(KernelOp kernel) {
  Builder builder(kernel.getContext());
  return llvm::map_to_vector(startsOf(kernel), [&](const Start &start) -> Attribute {
    return builder.getI64IntegerAttr(start.index);
  });
}

namespace {
class LiftStartsPass : public kiln::impl::LiftStartsPassBase<LiftStartsPass> {
public:
  using LiftStartsPassBase::LiftStartsPassBase;
  explicit LiftStartsPass(KernelCodegen codegen) : codegen(std::move(codegen)) {}

  void runOnGraph() override;
  void getDependentDialects(DialectRegistry &registry) const override {
    LiftStartsPassBase::getDependentDialects(registry);
    if (codegen.dialects)
      codegen.dialects(registry);
  }

private:
  KernelCodegen codegen;
};
} // namespace

void LiftStartsPass::runOnGraph() {
  BakedConstants baked(getOperation(), "start");
  for (ArrayRef<KernelOp> kernels : kernelsByText(getOperation(), textWithoutStarts)) {
    auto indices = llvm::map_to_vector(kernels, indicesOf);
    SmallVector<ValueNumbers> operands = differingValues(indices);
    // Equal kernels, as in several layers, have common code anyway.
    llvm::DenseSet<SmallVector<Attribute>> different(indices.begin(), indices.end());
    if (different.size() < kMinShared ||
        !canEmitLifted(kernels.front(), codegen.canEmit,
                       [&](KernelOp trial) { return liftStarts(trial, operands); }))
      continue;
    numKernels += kernels.size();
    for (KernelOp kernel : kernels)
      for (ConstantOp constant : liftStarts(kernel, operands))
        baked.replace(constant);
  }
}

std::unique_ptr<Pass> kiln::createLiftStartsPass(KernelCodegen codegen) {
  return std::make_unique<LiftStartsPass>(std::move(codegen));
}
