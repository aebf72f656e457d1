//===- GpuKernels.cpp - Helpers of passes over GPU kernels ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuKernels.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/PassOptions.h"

using namespace mlir;
using namespace kiln;

LogicalResult nvptx::forEachGpuKernel(
    const Pass &pass, ModuleOp module, StringRef target,
    function_ref<LogicalResult(tile::KernelOp, const TargetInfo &)> body) {
  llvm::Expected<TargetInfo> info = TargetInfo::get(target);
  if (!info)
    return kiln::emitError(module.getLoc(), takeDiagnosis(info.takeError()));
  SmallVector<tile::KernelOp> kernels;
  module.walk([&](tile::KernelOp kernel) { kernels.push_back(kernel); });
  bool isNone = true;
  for (tile::KernelOp kernel : kernels) {
    auto name = kernel->getParentOfType<ModuleOp>().getSymName();
    std::optional<TargetInfo> own = name ? TargetInfo::find(*name) : std::nullopt;
    const TargetInfo &its = own ? *own : *info;
    if (!its.gpu)
      continue;
    isNone = false;
    if (failed(body(kernel, its)))
      return failure();
  }
  if (isNone)
    warnOfNothing(pass, module, "tile.kernel for a GPU");
  return success();
}

bool nvptx::refuseLevel(Operation *op, StringRef pass, const Twine &what,
                        const Twine &expected, const Twine &found) {
  auto kernel = dyn_cast<tile::KernelOp>(op);
  if (!kernel)
    kernel = op->getParentOfType<tile::KernelOp>();
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::NotLowerable;
  diagnosis.where =
      "kernel '" + kernel.getSymName().str() + "', " + op->getName().getStringRef().str();
  diagnosis.what = what.str();
  diagnosis.expected = expected.str();
  diagnosis.found = found.str();
  diagnosis.fix = ("report this: " + pass + " is wrong").str();
  kiln::emitError(op->getLoc(), diagnosis);
  return false;
}
