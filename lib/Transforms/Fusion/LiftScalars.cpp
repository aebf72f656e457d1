//===- LiftScalars.cpp - Lifts scalars that differ between kernels --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BakedConstants.h"
#include "LiftedOperands.h"
#include "dialects/Graph/KernelText.h"
#include "kiln/Transforms/Fusion/Passes.h"

#include <cmath>

namespace kiln {
#define GEN_PASS_DEF_LIFTSCALARSPASS
#include "kiln/Transforms/Fusion/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Whether a constant allows better code for the user: LLVM specializes powers by their
/// exponent.
static bool isBetterKnown(Operation *user) {
  auto binary = dyn_cast<BinaryOp>(user);
  return binary && binary.getKind() == BinaryKind::pow;
}

/// Whether the constant is a scalar of a type that kernels compute in. Constants that
/// represent infinity in masks stay visible to code generation and readers.
static bool isScalar(ConstantOp constant) {
  constexpr double kMasks = 1e4;
  auto elements = dyn_cast<DenseFPElementsAttr>(constant.getValue());
  if (!elements || elements.empty() || !elements.isSplat() ||
      isNarrow(elements.getElementType()) ||
      llvm::any_of(constant->getUsers(), isBetterKnown))
    return false;
  double value = elements.getSplatValue<APFloat>().convertToDouble();
  return std::abs(value) < kMasks; // false for NaN
}

/// Returns a text for scalar constants, so that kernels that differ only in scalars have
/// equal texts.
static std::optional<std::string> textOfScalar(Operation &op) {
  auto constant = dyn_cast<ConstantOp>(op);
  return constant && isScalar(constant) ? std::optional<std::string>("") : std::nullopt;
}

static SmallVector<ConstantOp> scalarsOf(KernelOp kernel) {
  return llvm::filter_to_vector(kernel.getBlock().getOps<ConstantOp>(), isScalar);
}

//===----------------------------------------------------------------------===//
// One kernel
//===----------------------------------------------------------------------===//

/// Returns the constant's only element, or the constant itself if it has no more.
static ElementsAttr elementOf(ConstantOp constant) {
  auto elements = cast<DenseFPElementsAttr>(constant.getValue());
  if (elements.getNumElements() == 1)
    return elements;
  auto type = RankedTensorType::get({}, elements.getElementType());
  return DenseElementsAttr::get(type, elements.getSplatValue<Attribute>());
}

/// Replaces equal constants of the body by one operand; returns the constant before the
/// kernel that becomes the operand.
static ConstantOp lift(KernelOp kernel, ArrayRef<ConstantOp> equal) {
  ConstantOp first = equal.front();
  ConstantOp given = addConstantOperand(kernel, first.getLoc(), elementOf(first));
  Value argument = kernel.getBlock().getArguments().back();
  for (ConstantOp constant : equal) {
    Value value = argument;
    OpBuilder builder(constant);
    if (constant.getType() != argument.getType())
      value =
          BroadcastOp::create(builder, constant.getLoc(), constant.getType(), argument);
    constant.replaceAllUsesWith(value);
    constant.erase();
  }
  return given;
}

static SmallVector<ConstantOp> lift(KernelOp kernel, ArrayRef<ValueNumbers> operands) {
  SmallVector<ConstantOp> scalars = scalarsOf(kernel), given;
  for (const ValueNumbers &numbers : operands)
    given.push_back(lift(kernel, llvm::map_to_vector(numbers, [&](size_t number) {
                           return scalars[number];
                         })));
  return given;
}

//===----------------------------------------------------------------------===//
// Kernels that are equal except for scalars
//===----------------------------------------------------------------------===//

static SmallVector<Attribute> valuesOf(KernelOp kernel) {
  return llvm::map_to_vector(scalarsOf(kernel), [](ConstantOp constant) -> Attribute {
    return constant.getValue();
  });
}

namespace {
class LiftScalarsPass : public kiln::impl::LiftScalarsPassBase<LiftScalarsPass> {
public:
  using LiftScalarsPassBase::LiftScalarsPassBase;
  explicit LiftScalarsPass(KernelCodegen codegen) : codegen(std::move(codegen)) {}

  void runOnGraph() override;
  void getDependentDialects(DialectRegistry &registry) const override {
    LiftScalarsPassBase::getDependentDialects(registry);
    if (codegen.dialects)
      codegen.dialects(registry);
  }

private:
  void share(ArrayRef<KernelOp> kernels, BakedConstants &baked);

  KernelCodegen codegen;
};
} // namespace

void LiftScalarsPass::share(ArrayRef<KernelOp> kernels, BakedConstants &baked) {
  SmallVector<ValueNumbers> operands =
      differingValues(llvm::map_to_vector(kernels, valuesOf));
  if (operands.empty() ||
      !canEmitLifted(kernels.front(), codegen.canEmit,
                     [&](KernelOp trial) { return lift(trial, operands); }))
    return;
  numKernels += kernels.size();
  for (KernelOp kernel : kernels)
    for (ConstantOp constant : lift(kernel, operands)) {
      baked.replace(constant);
      ++numScalars;
    }
}

void LiftScalarsPass::runOnGraph() {
  BakedConstants baked(getOperation(), "scalar");
  auto text = [](KernelOp kernel) { return kernelText(kernel, textOfScalar); };
  for (ArrayRef<KernelOp> kernels : kernelsByText(getOperation(), text))
    share(kernels, baked);
}

std::unique_ptr<Pass> kiln::createLiftScalarsPass(KernelCodegen codegen) {
  return std::make_unique<LiftScalarsPass>(std::move(codegen));
}
