//===- Host.cpp - Tile programs to machine code ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles each kernel to its own module and object: kernels are compiled in parallel,
// and their bytes do not depend on other kernels.
//
//===----------------------------------------------------------------------===//

#include "kiln/Target/Host.h"
#include "../EqualModules.h"
#include "../ParallelJobs.h"
#include "EmitObject.h"
#include "FlatImage.h"
#include "dialects/Tile/Tile.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Activity.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/ThreadTime.h"
#include "kiln/Target/Kernels.h"
#include "kiln/Target/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

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
  ExpandMathPassOptions math;
  math.features = llvm::to_vector(features);
  pm.addPass(createExpandMathPass(math));
  pm.addPass(mlir::createCSEPass());
  pm.addPass(createLowerToLLVMPass());
}

namespace {
/// A kernel and the object it is compiled to.
struct KernelJob {
  mlir::Operation *kernel;
  llvm::SmallString<0> object;
  double seconds = 0;
};
} // namespace

/// Name of every kernel in the cache: suffixes of real names depend on the other kernels.
static constexpr llvm::StringLiteral kCachedName = "kernel";

/// Returns the hash of everything that determines an object: the target, and the kernel
/// without its name and locations.
static std::string cacheKey(tile::KernelOp kernel, const TargetInfo &target) {
  std::string text = target.name + '\n' + llvm::join(target.features, ",") + '\n';
  llvm::raw_string_ostream os(text);
  kernel->print(os, mlir::OpPrintingFlags().useLocalScope());
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(text)));
}

/// Lowers a module with one kernel. It was verified after code generation and is verified
/// here once at the end: verifying after each pass would take a third of the time.
static llvm::LogicalResult lowerKernel(mlir::ModuleOp module, const TargetInfo &target) {
  mlir::PassManager pm(module.getContext());
  pm.enableVerifier(false);
  buildHostPipeline(pm, target.features);
  return llvm::success(mlir::succeeded(pm.run(module)) &&
                       mlir::succeeded(mlir::verify(module)));
}

static llvm::Error compileKernel(KernelJob &job, const TargetInfo &target,
                                 const HostOptions &options,
                                 llvm::function_ref<bool(llvm::StringRef)> claim) {
  std::string name = mlir::SymbolTable::getSymbolName(job.kernel).str();
  Activity activity("kernel '" + name + "' for " + target.name);
  ThreadTime time(job.seconds);
  mlir::OwningOpRef<mlir::ModuleOp> module = isolateKernel(job.kernel);
  std::string key;
  if (options.cache && mlir::isa<tile::KernelOp>(job.kernel)) {
    auto copy = *module->getOps<tile::KernelOp>().begin();
    copy.setSymName(kCachedName);
    key = cacheKey(copy, target);
    if (std::optional<std::string> found = options.cache->find(key)) {
      job.object = *found;
      return llvm::Error::success();
    }
  }
  if (mlir::failed(lowerKernel(*module, target)))
    return makeError({ErrorCode::NotLowerable, "kernel '" + name + "'",
                      "it cannot be lowered to target '" + target.name + "'", "", "",
                      "see the errors above"});
  auto isWanted = [&](llvm::StringRef hash) {
    return claim(hash) || options.cache || options.texts;
  };
  if (llvm::Error error =
          host::emitObject(*module, target, name, options.texts, job.object, isWanted))
    return error;
  if (!key.empty())
    options.cache->add(key, job.object);
  return llvm::Error::success();
}

/// Loads all dialects now: MLIR forbids it while several threads work.
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
  llvm::SmallVector<mlir::Operation *> ops;
  for (tile::KernelOp kernel : module.getOps<tile::KernelOp>())
    ops.push_back(kernel);
  if (!ops.empty())
    return compileToHostImage(ops, target, image, options);
  image = HostImage();
  image.features = target.features;
  return llvm::Error::success();
}

llvm::Error kiln::compileToHostImage(llvm::ArrayRef<mlir::Operation *> kernels,
                                     const TargetInfo &target, HostImage &image,
                                     const HostOptions &options) {
  mlir::MLIRContext *context = kernels.front()->getContext();
  host::prepareEmission(context);
  loadDialects(context);
  std::vector<KernelJob> jobs;
  for (mlir::Operation *kernel : kernels)
    jobs.push_back({kernel, {}, 0});
  EqualModules modules(jobs.size());
  llvm::Error error = runJobs(context, jobs.size(), [&](size_t i) {
    auto claim = [&](llvm::StringRef hash) { return modules.claim(i, hash); };
    return compileKernel(jobs[i], target, options, claim);
  });
  if (error)
    return error;
  image = HostImage();
  image.features = target.features;
  llvm::StringMap<uint64_t> offsets; // of objects already in the image
  for (size_t i = 0; i < jobs.size(); ++i) {
    llvm::StringRef object = jobs[modules.ownerOf(i)].object;
    auto [known, isNew] = offsets.try_emplace(object);
    std::string name = mlir::SymbolTable::getSymbolName(jobs[i].kernel).str();
    if (!isNew) {
      image.entries.push_back({name, known->second, jobs[i].seconds});
      continue;
    }
    if (llvm::Error error = host::appendObject(image, object))
      return error;
    image.entries.back().name = name;
    image.entries.back().seconds = jobs[i].seconds;
    known->second = image.entries.back().offset;
  }
  return llvm::Error::success();
}
