//===- EmitKernels.cpp - A tile program per distinct kernel ---------------===//
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
  void runOnOperation() override;

private:
  LogicalResult emitFor(StringRef target, ArrayRef<KernelOp> distinct);
  LogicalResult emitVariants(KernelOp kernel, const TargetInfo &info, OpBuilder &builder);
};
} // namespace

LogicalResult EmitKernelsPass::emitFor(StringRef target, ArrayRef<KernelOp> distinct) {
  llvm::Expected<TargetInfo> info = TargetInfo::get(target);
  if (!info)
    return emitError(getOperation().getLoc(), takeDiagnosis(info.takeError()));
  OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
  auto nested = ModuleOp::create(builder, getOperation().getLoc(), target);
  builder.setInsertionPointToEnd(nested.getBody());
  for (KernelOp kernel : distinct) {
    Activity activity("kernel '" + kernel.getCodeAttr().getValue() + "' for " + target);
    FailureOr<tile::KernelOp> emitted = codegen::emitKernel(
        kernel, *info, builder, codegen::configOn(kernel, info->name));
    if (failed(emitted))
      return failure();
    emitted->setSymName(kernel.getCodeAttr().getValue());
    builder.setInsertionPointToEnd(nested.getBody());
    if (failed(emitVariants(kernel, *info, builder)))
      return failure();
  }
  return success();
}

/// Behind the kernel that they replace, in the order of their bounds.
LogicalResult EmitKernelsPass::emitVariants(KernelOp kernel, const TargetInfo &info,
                                            OpBuilder &builder) {
  Block *block = builder.getBlock();
  for (const auto &[variant, config] : codegen::variantsOn(kernel, info.name)) {
    FailureOr<tile::KernelOp> emitted =
        codegen::emitKernel(kernel, info, builder, config, variant);
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
  llvm::StringMap<FlatSymbolRefAttr> known;
  llvm::StringMap<unsigned> perHero;
  SmallVector<KernelOp> distinct;
  for (KernelOp kernel : kernelsOf(getOperation())) {
    auto [it, inserted] = known.try_emplace(codegen::fingerprint(kernel));
    if (inserted) {
      std::string name =
          (kernel.getHero() + "_" + Twine(perHero[kernel.getHero()]++)).str();
      it->second = FlatSymbolRefAttr::get(&getContext(), name);
      distinct.push_back(kernel);
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
