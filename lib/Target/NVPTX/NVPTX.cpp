//===- NVPTX.cpp - Tile programs to PTX -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits one PTX text per kernel: kernels are compiled in parallel, their bytes do not
// depend on other kernels of the module, and a driver can load them one by one.
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/NVPTX.h"
#include "../EqualModules.h"
#include "../ParallelJobs.h"
#include "Assemble.h"
#include "EmitPtx.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Activity.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/ThreadTime.h"
#include "kiln/Target/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace kiln;

void kiln::buildNVPTXPipeline(mlir::OpPassManager &pm, llvm::StringRef target) {
  pm.addPass(createPartitionWarpsPass({target.str()}));
  pm.addPass(createAssignLayoutsPass({target.str()}));
  pm.addPass(createPipelineCopiesPass({target.str()}));
  pm.addPass(createAllocateSharedPass({target.str()}));
  pm.addPass(createInsertBarriersPass({target.str()}));
  pm.addPass(createLowerTileToNVVMPass({target.str()}));
  pm.addPass(createExpandMathPass());
  pm.addPass(mlir::createCSEPass());
  pm.addPass(createLowerToLLVMPass());
}

namespace {
/// A kernel and the PTX it is compiled to.
struct KernelJob {
  tile::KernelOp kernel;
  PtxKernel result;
};
} // namespace

static llvm::Error compileKernel(KernelJob &job, const TargetInfo &target,
                                 const NVPTXOptions &options,
                                 llvm::function_ref<bool(llvm::StringRef)> claim) {
  Activity activity("kernel '" + job.kernel.getSymName() + "' for " + target.name);
  ThreadTime time(job.result.seconds);
  mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create(job.kernel.getLoc()));
  module->push_back(job.kernel->clone());
  mlir::PassManager pm(job.kernel.getContext());
  buildNVPTXPipeline(pm, target.name);
  PtxKernel &result = job.result;
  result.name = job.kernel.getSymName().str();
  if (mlir::failed(pm.run(*module)))
    return makeError({ErrorCode::NotLowerable, "kernel '" + result.name + "'",
                      "it cannot be lowered to target '" + target.name + "'", "", "",
                      "see the errors above"});
  auto function = module->lookupSymbol<mlir::LLVM::LLVMFuncOp>(result.name);
  auto shared = function->getAttrOfType<mlir::IntegerAttr>(kSharedBytesAttr);
  result.sharedBytes = shared.getInt();
  function->removeAttr(kSharedBytesAttr);
  result.threads = function
                       ->getAttrOfType<mlir::DenseI32ArrayAttr>(
                           mlir::NVVM::NVVMDialect::getReqntidAttrName())
                       .asArrayRef()[0];
  if (auto maps = function->getAttrOfType<mlir::ArrayAttr>(kTensorMapsAttr))
    llvm::append_range(result.maps, maps.getAsRange<tile::TensorMapAttr>());
  function->removeAttr(kTensorMapsAttr);
  result.waits = target.gpu->hasDependentLaunch;
  std::string dump =
      options.dumpFolder.empty() ? "" : options.dumpFolder + "/" + result.name;
  return nvptx::emitPtx(*module, target, dump, result.text, [&](llvm::StringRef hash) {
    return claim(hash) || !dump.empty();
  });
}

static void replaceAll(std::string &text, llvm::StringRef from, llvm::StringRef to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// Loads all dialects now: MLIR forbids it while several threads work.
static void loadDialects(mlir::MLIRContext *context, const TargetInfo &target) {
  mlir::DialectRegistry registry;
  mlir::OpPassManager pm(mlir::ModuleOp::getOperationName());
  buildNVPTXPipeline(pm, target.name);
  pm.getDependentDialects(registry);
  context->appendDialectRegistry(registry);
  for (llvm::StringRef name : registry.getDialectNames())
    context->getOrLoadDialect(name);
}

llvm::Error kiln::compileToPtx(mlir::ModuleOp module, const TargetInfo &target,
                               std::vector<PtxKernel> &kernels,
                               const NVPTXOptions &options) {
  mlir::MLIRContext *context = module.getContext();
  nvptx::prepareEmission(context);
  loadDialects(context, target);
  std::vector<KernelJob> jobs;
  for (tile::KernelOp kernel : module.getOps<tile::KernelOp>())
    jobs.push_back({kernel, {}});
  EqualModules modules(jobs.size());
  llvm::Error error = runJobs(context, jobs.size(), [&](size_t i) {
    auto claim = [&](llvm::StringRef hash) { return modules.claim(i, hash); };
    return compileKernel(jobs[i], target, options, claim);
  });
  if (error)
    return error;
  kernels.clear();
  for (size_t i = 0; i < jobs.size(); ++i) {
    PtxKernel &kernel = kernels.emplace_back(jobs[i].result);
    if (kernel.text.empty())
      kernel.text = jobs[modules.ownerOf(i)].result.text;
    replaceAll(kernel.text, nvptx::kEmittedName, kernel.name);
  }
  if (!options.cubin)
    return llvm::Error::success();
  return runJobs(context, kernels.size(), [&](size_t i) {
    return nvptx::assemble(kernels[i].text, target.name, kernels[i].cubin);
  });
}
