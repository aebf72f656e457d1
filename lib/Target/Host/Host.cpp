//===- Host.cpp - Tile programs to machine code ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One module, one object per kernel, so that kernels are compiled side by side
// and their bytes do not depend on their neighbours.
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/Host.h"
#include "EmitObject.h"
#include "FlatImage.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Support/Activity.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/Passes.h"
#include "mlir/IR/Threading.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace kiln;

const HostImage::Entry *HostImage::find(llvm::StringRef name) const {
  for (const Entry &entry : entries)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

void kiln::buildHostPipeline(mlir::OpPassManager &pm,
                             llvm::ArrayRef<std::string> features) {
  LowerTilePassOptions options;
  options.features = llvm::to_vector(features);
  pm.addPass(createLowerTilePass(options));
  pm.addPass(createExpandMathPass());
  pm.addPass(mlir::createCSEPass());
  pm.addPass(createLowerToLLVMPass());
}

namespace {
/// One kernel and what it becomes.
struct KernelJob {
  tile::KernelOp kernel;
  llvm::SmallString<0> object;
};
} // namespace

static llvm::Error compileKernel(KernelJob &job, const TargetInfo &target,
                                 const HostOptions &options) {
  Activity activity("kernel '" + job.kernel.getSymName() + "' for " + target.name);
  mlir::MLIRContext *context = job.kernel.getContext();
  mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create(job.kernel.getLoc()));
  module->push_back(job.kernel->clone());
  mlir::PassManager pm(context);
  buildHostPipeline(pm, target.features);
  std::string name = job.kernel.getSymName().str();
  if (mlir::failed(pm.run(*module)))
    return makeError({ErrorCode::NotLowerable, "kernel '" + name + "'",
                      "it cannot be lowered to target '" + target.name + "'", "", "",
                      "see the errors above"});
  std::string dump = options.dumpFolder.empty() ? "" : options.dumpFolder + "/" + name;
  return host::emitObject(*module, target, dump, job.object);
}

/// Loading a dialect is not allowed once several threads work.
static void loadDialects(mlir::MLIRContext *context) {
  mlir::DialectRegistry registry;
  mlir::OpPassManager pm(mlir::ModuleOp::getOperationName());
  buildHostPipeline(pm, /*features=*/{});
  pm.getDependentDialects(registry);
  context->appendDialectRegistry(registry);
  for (llvm::StringRef name : registry.getDialectNames())
    context->getOrLoadDialect(name);
}

llvm::Error kiln::compileToHostImage(mlir::ModuleOp module, const TargetInfo &target,
                                     HostImage &image, const HostOptions &options) {
  mlir::MLIRContext *context = module.getContext();
  host::prepareEmission(context);
  loadDialects(context);
  std::vector<KernelJob> jobs;
  for (tile::KernelOp kernel : module.getOps<tile::KernelOp>())
    jobs.push_back({kernel, {}});
  std::vector<std::unique_ptr<Diagnosis>> failures(jobs.size());
  mlir::parallelFor(context, 0, jobs.size(), [&](size_t i) {
    if (llvm::Error error = compileKernel(jobs[i], target, options))
      failures[i] = std::make_unique<Diagnosis>(takeDiagnosis(std::move(error)));
  });
  image = HostImage();
  image.features = target.features;
  for (auto [job, failure] : llvm::zip(jobs, failures)) {
    if (failure)
      return makeError(std::move(*failure));
    if (llvm::Error error = host::appendObject(image, job.object))
      return error;
  }
  return llvm::Error::success();
}
