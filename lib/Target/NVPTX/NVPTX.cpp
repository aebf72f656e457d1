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
#include "dialects/Tile/TileHints.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Activity.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/ThreadTime.h"
#include "kiln/Target/Kernels.h"
#include "kiln/Target/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace kiln;

/// True if fragments have layouts; a kernel that no pass has been on has none.
static bool findsLayouts(mlir::Operation *kernel) {
  bool hasAll = true, hasOne = false;
  kernel->walk([&](mlir::Operation *op) {
    for (mlir::Type type : op->getResultTypes())
      if (auto fragment = mlir::dyn_cast<tile::FragType>(type)) {
        hasAll &= bool(fragment.getLayout());
        hasOne = true;
      }
  });
  return hasAll && hasOne;
}

NVPTXProgress NVPTXProgress::of(mlir::Operation *kernel) {
  NVPTXProgress progress;
  kernel->walk([&](tile::WarpSpecializeOp) { progress.isPartitioned = true; });
  progress.hasLayouts = findsLayouts(kernel);
  progress.hasOffsets = kernel->hasAttr(tile::kSharedBytesAttr);
  return progress;
}

void kiln::buildNVPTXPipeline(mlir::OpPassManager &pm, llvm::StringRef target,
                              NVPTXProgress progress) {
  if (!progress.isPartitioned && !progress.hasLayouts)
    pm.addPass(createPartitionWarpsPass({target.str()}));
  if (!progress.hasLayouts)
    pm.addPass(createAssignLayoutsPass({target.str()}));
  if (!progress.hasOffsets) {
    pm.addPass(createPipelineCopiesPass({target.str()}));
    pm.addPass(createAllocateSharedPass({target.str()}));
  }
  pm.addPass(createInsertBarriersPass({target.str()}));
  pm.addPass(createLowerTileToNVVMPass({target.str()}));
  pm.addPass(createExpandMathPass());
  pm.addPass(mlir::createCSEPass());
  pm.addPass(createLowerToLLVMPass());
}

namespace {
/// A kernel and the PTX it is compiled to.
struct KernelJob {
  mlir::Operation *kernel;
  PtxKernel result;
};
} // namespace

static llvm::Error notLowerable(llvm::StringRef kernel, const TargetInfo &target) {
  return makeError({ErrorCode::NotLowerable, "kernel '" + kernel.str() + "'",
                    "it cannot be lowered to target '" + target.name + "'", "", "",
                    "see the errors above"});
}

/// Takes what lowering left as attributes of the function. False if it is no kernel.
static bool takeAttributes(mlir::LLVM::LLVMFuncOp function, PtxKernel &result) {
  if (!function)
    return false;
  auto shared = function->getAttrOfType<mlir::IntegerAttr>(tile::kSharedBytesAttr);
  auto threads = function->getAttrOfType<mlir::DenseI32ArrayAttr>(
      mlir::NVVM::NVVMDialect::getReqntidAttrName());
  if (!shared || !threads || threads.empty())
    return false;
  result.sharedBytes = shared.getInt();
  function->removeAttr(tile::kSharedBytesAttr);
  result.threads = threads.asArrayRef()[0];
  if (auto maps = function->getAttrOfType<mlir::ArrayAttr>(tile::kTensorMapsAttr))
    llvm::append_range(result.maps, maps.getAsRange<tile::TensorMapAttr>());
  function->removeAttr(tile::kTensorMapsAttr);
  return true;
}

static llvm::Error compileKernel(KernelJob &job, const TargetInfo &target,
                                 const NVPTXOptions &options,
                                 llvm::function_ref<bool(llvm::StringRef)> claim) {
  PtxKernel &result = job.result;
  result.name = mlir::SymbolTable::getSymbolName(job.kernel).str();
  Activity activity("kernel '" + result.name + "' for " + target.name);
  ThreadTime time(result.seconds);
  mlir::OwningOpRef<mlir::ModuleOp> module = isolateKernel(job.kernel);
  mlir::PassManager pm(job.kernel->getContext());
  buildNVPTXPipeline(pm, target.name, NVPTXProgress::of(job.kernel));
  if (mlir::failed(pm.run(*module)) ||
      !takeAttributes(module->lookupSymbol<mlir::LLVM::LLVMFuncOp>(result.name), result))
    return notLowerable(result.name, target);
  result.waits = target.gpu->hasDependentLaunch;
  auto isWanted = [&](llvm::StringRef hash) { return claim(hash) || options.texts; };
  return nvptx::emitPtx(*module, target, result.name, options.texts, result.text,
                        isWanted);
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
  llvm::SmallVector<mlir::Operation *> ops;
  for (tile::KernelOp kernel : module.getOps<tile::KernelOp>())
    ops.push_back(kernel);
  kernels.clear();
  return ops.empty() ? llvm::Error::success()
                     : compileToPtx(ops, target, kernels, options);
}

llvm::Error kiln::compileToPtx(llvm::ArrayRef<mlir::Operation *> ops,
                               const TargetInfo &target, std::vector<PtxKernel> &kernels,
                               const NVPTXOptions &options) {
  mlir::MLIRContext *context = ops.front()->getContext();
  nvptx::prepareEmission(context);
  loadDialects(context, target);
  std::vector<KernelJob> jobs;
  for (mlir::Operation *kernel : ops)
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
