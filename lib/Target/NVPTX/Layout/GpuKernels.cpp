//===- GpuKernels.cpp - Helpers of passes over GPU kernels ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuKernels.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"

using namespace mlir;
using namespace kiln;

LogicalResult nvptx::forEachGpuKernel(
    ModuleOp module, StringRef target,
    function_ref<LogicalResult(tile::KernelOp, const GpuInfo &)> body) {
  llvm::Expected<TargetInfo> info = TargetInfo::get(target);
  if (!info)
    return kiln::emitError(module.getLoc(), takeDiagnosis(info.takeError()));
  if (!info->gpu)
    return success();
  for (auto kernel : module.getOps<tile::KernelOp>())
    if (failed(body(kernel, *info->gpu)))
      return failure();
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
