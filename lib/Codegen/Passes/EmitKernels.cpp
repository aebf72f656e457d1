//===- EmitKernels.cpp - Tile programs of distinct kernels ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Codegen/Configs.h"
#include "kiln/Codegen/EmitKernel.h"
#include "kiln/Codegen/Passes.h"
#include "kiln/Support/Activity.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/TargetInfo.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/StringMap.h"

namespace kiln {
#define GEN_PASS_DEF_EMITKERNELSPASS
#include "kiln/Codegen/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
class EmitKernelsPass : public kiln::impl::EmitKernelsPassBase<EmitKernelsPass> {
public:
  using EmitKernelsPassBase::EmitKernelsPassBase;
  EmitKernelsPass(const EmitKernelsPassOptions &options, codegen::SharedAnalyses analyses)
      : EmitKernelsPassBase(options), analyses(std::move(analyses)) {}
  void runOnOperation() override;

private:
  /// The first of several equal kernels.
  struct Distinct {
    KernelOp kernel;
    const codegen::KernelAnalysis *analysis;
  };
  LogicalResult emitFor(StringRef target, ArrayRef<Distinct> distinct);
  LogicalResult emitVariants(Distinct one, const TargetInfo &info, OpBuilder &builder);
  FailureOr<tile::KernelOp> emit(Distinct one, const codegen::CodeRequest &request,
                                 OpBuilder &builder, Attribute config);

  codegen::SharedAnalyses analyses = std::make_shared<codegen::KernelAnalyses>();
};
} // namespace

/// A config that stands on the kernel may have been written by hand.
FailureOr<tile::KernelOp> EmitKernelsPass::emit(Distinct one,
                                                const codegen::CodeRequest &request,
                                                OpBuilder &builder, Attribute config) {
  auto problem = config ? one.analysis->checkConfig(request, config) : std::nullopt;
  if (!problem)
    return codegen::emitKernel(*one.analysis, one.kernel, request, builder, config);
  problem->where = "kernel '" + one.kernel.getCodeAttr().getValue().str() + "' for " +
                   request.target.name;
  return kiln::emitError(one.kernel.getLoc(), *problem);
}

LogicalResult EmitKernelsPass::emitFor(StringRef target, ArrayRef<Distinct> distinct) {
  llvm::Expected<TargetInfo> info = TargetInfo::get(target);
  if (!info)
    return emitError(getOperation().getLoc(), takeDiagnosis(info.takeError()));
  OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
  auto nested = ModuleOp::create(builder, getOperation().getLoc(), target);
  builder.setInsertionPointToEnd(nested.getBody());
  for (Distinct one : distinct) {
    KernelOp kernel = one.kernel;
    Activity activity("kernel '" + kernel.getCodeAttr().getValue() + "' for " + target);
    FailureOr<tile::KernelOp> emitted =
        emit(one, {*info}, builder, codegen::configOn(kernel, info->name));
    if (failed(emitted))
      return failure();
    emitted->setSymName(kernel.getCodeAttr().getValue());
    builder.setInsertionPointToEnd(nested.getBody());
    if (failed(emitVariants(one, *info, builder)))
      return failure();
  }
  return success();
}

/// Emits the variants after the kernel that they replace, in the order of their bounds.
LogicalResult EmitKernelsPass::emitVariants(Distinct one, const TargetInfo &info,
                                            OpBuilder &builder) {
  KernelOp kernel = one.kernel;
  Block *block = builder.getBlock();
  for (const auto &[variant, config] : codegen::variantsOn(kernel, info.name)) {
    FailureOr<tile::KernelOp> emitted = emit(one, {info, variant}, builder, config);
    if (failed(emitted))
      return failure();
    std::string name = (kernel.getCodeAttr().getValue() + "_" + variant.suffix()).str();
    emitted->setSymName(name);
    emitted->setReplacesAttr(kernel.getCodeAttr());
    builder.setInsertionPointToEnd(block);
    ++numVariants;
  }
  return success();
}

void EmitKernelsPass::runOnOperation() {
  DenseMap<const codegen::KernelAnalysis *, FlatSymbolRefAttr> known;
  llvm::StringMap<unsigned> perHero;
  SmallVector<Distinct> distinct;
  for (KernelOp kernel : kernelsOf(getOperation())) {
    const codegen::KernelAnalysis *analysis = &analyses->of(kernel);
    auto [it, inserted] = known.try_emplace(analysis);
    if (inserted) {
      std::string name =
          (kernel.getHero() + "_" + Twine(perHero[kernel.getHero()]++)).str();
      it->second = FlatSymbolRefAttr::get(&getContext(), name);
      distinct.push_back({kernel, analysis});
      ++numKernels;
    } else {
      ++numShared;
    }
    kernel.setCodeAttr(it->second);
  }
  SmallVector<std::string> names(targets.begin(), targets.end());
  if (names.empty())
    names.push_back("native");
  for (StringRef target : names)
    if (failed(emitFor(target, distinct)))
      return signalPassFailure();
}

std::unique_ptr<Pass> kiln::createEmitKernelsPass(EmitKernelsPassOptions options,
                                                  codegen::SharedAnalyses analyses) {
  return std::make_unique<EmitKernelsPass>(options, std::move(analyses));
}
