//===- Dump.cpp - Modules that a compile wrote ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dump.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Ranks.h"
#include "dialects/Graph/Reports.h"
#include "dialects/Plan/Plan.h"
#include "dialects/Tile/Tile.h"
#include "dialects/Tile/TileHints.h"
#include "kiln/Codegen/Configs.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Support/Error.h"
#include "kiln/Transforms/Graph/Calibration.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/SourceMgr.h"

#include <set>
#include <tuple>

using namespace kiln;
using namespace mlir;

/// Parses a file; a failure is the first error, with its place in the file.
static llvm::Expected<OwningOpRef<ModuleOp>>
parseDump(std::unique_ptr<llvm::MemoryBuffer> buffer, MLIRContext &context) {
  Diagnosis problem{ErrorCode::DumpUnreadable,
                    buffer->getBufferIdentifier().str(),
                    "the file is no module",
                    "MLIR of Kiln's dialects",
                    "",
                    "write the dump with kiln compile --compile-to or --save-temps"};
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error || !problem.found.empty())
      return success();
    problem.found = diagnostic.str();
    if (auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
      problem.where +=
          (":" + Twine(place.getLine()) + ":" + Twine(place.getColumn())).str();
    return success();
  });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sources, ParserConfig(&context));
  if (!module)
    return makeError(std::move(problem));
  return module;
}

llvm::Expected<OwningOpRef<ModuleOp>> kiln::readDump(const std::string &path,
                                                     MLIRContext &context) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return makeError({ErrorCode::FileNotFound, path, "the file cannot be opened",
                      "a readable file", buffer.getError().message(), "check the path"});
  auto module = parseDump(std::move(*buffer), context);
  if (module && graph::programsOf(**module).empty())
    return makeError({ErrorCode::DumpUnreadable, path, "the module has no program",
                      "@main, or the entries of a decoder, with a body", "none",
                      "write the dump with kiln compile --compile-to or --save-temps"});
  return module;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

namespace {
/// Bytes of a file: its name, offset, length and hash.
using FileRange = std::tuple<StringRef, uint64_t, uint64_t, StringRef>;
} // namespace

static FileRange rangeOf(graph::WeightOp weight) {
  return {*weight.getFile(), *weight.getOffset(), *weight.getLength(), *weight.getHash()};
}

llvm::Error kiln::checkWeights(ModuleOp dump, ModuleOp imported) {
  std::set<FileRange> known;
  for (auto weight : imported.getOps<graph::WeightOp>())
    if (weight.getFile())
      known.insert(rangeOf(weight));
  for (auto weight : dump.getOps<graph::WeightOp>()) {
    bool isOfModel = weight.getFile() && weight.getFile() != kCalibrationFile;
    if (!isOfModel || known.count(rangeOf(weight)))
      continue;
    auto [file, offset, length, hash] = rangeOf(weight);
    return makeError(
        {ErrorCode::DumpModelChanged, "weight '" + weight.getSymName().str() + "'",
         "the model does not have these bytes",
         (Twine(length) + " bytes at " + Twine(offset) + " of '" + file +
          "' with the hash " + hash)
             .str(),
         "others", "bring back the file that was compiled, or compile the model again"});
  }
  return llvm::Error::success();
}

static llvm::Error refuseLaunch(Operation *launch, StringRef kernel) {
  return makeError({ErrorCode::LevelViolation, describe(launch->getLoc()),
                    "a launch has no code",
                    "tile.kernel @" + kernel.str() + " in the module of its target",
                    "none", "write the dump again"});
}

static llvm::Error checkLaunch(plan::LaunchOp launch, ArrayRef<ModuleOp> targets) {
  auto isIn = [&](ModuleOp target, StringRef name, bool isVariant) {
    auto kernel = target.lookupSymbol<tile::KernelOp>(name);
    return kernel && kernel.getWhen().has_value() == isVariant;
  };
  if (llvm::none_of(targets, [&](ModuleOp target) {
        return isIn(target, launch.getKernel(), /*isVariant=*/false);
      }))
    return refuseLaunch(launch, launch.getKernel());
  if (!launch.getVariants())
    return llvm::Error::success();
  for (auto variant : launch.getVariants()->getAsRange<plan::VariantAttr>())
    if (variant.getTarget() >= int64_t(targets.size()) ||
        !isIn(targets[variant.getTarget()], variant.getKernel().getValue(),
              /*isVariant=*/true))
      return refuseLaunch(launch, variant.getKernel().getValue());
  return llvm::Error::success();
}

llvm::Error kiln::checkLaunches(ModuleOp module) {
  auto targets = llvm::to_vector(module.getOps<ModuleOp>());
  auto programs = llvm::to_vector(module.getOps<plan::ProgramOp>());
  if (programs.empty())
    return makeError({ErrorCode::LevelViolation, "plan", "the module has no plan",
                      "plan.program", "none", "go on from another phase"});
  for (plan::ProgramOp program : programs)
    for (auto launch : program.getBody().getOps<plan::LaunchOp>())
      if (llvm::Error error = checkLaunch(launch, targets))
        return error;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Earlier phases
//===----------------------------------------------------------------------===//

void kiln::removeLaterPhases(ModuleOp module) {
  graph::removeRecords(module);
  for (Operation &op : llvm::make_early_inc_range(*module.getBody()))
    if (isa<ModuleOp, plan::ProgramOp>(op))
      op.erase();
  for (graph::KernelOp kernel : graph::kernelsOf(module)) {
    kernel.removeCodeAttr();
    kernel->removeDiscardableAttr(tile::kConfigsAttr);
  }
  module.walk([](graph::AllReduceOp op) {
    op->removeAttr(graph::kPeerKernelAttr);
    op->removeAttr(graph::kSplitPeerKernelAttr);
  });
}
