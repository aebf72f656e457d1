//===- Resume.cpp - Compiles that go on from a dump -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Pipeline/Resume.h"
#include "Compiler.h"
#include "Dump.h"
#include "SourceRecord.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Reports.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Pipeline/Phases.h"
#include "kiln/Pipeline/Registration.h"
#include "kiln/Transforms/Graph/CompileRecord.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace kiln;
using namespace mlir;

bool kiln::isModuleFile(StringRef path) {
  return path.ends_with(".mlir") || path.ends_with(".mlirbc");
}

static llvm::Error refuseDump(const std::string &path, std::string what,
                              std::string expected, std::string found) {
  return makeError({ErrorCode::DumpUnreadable, path, std::move(what), std::move(expected),
                    std::move(found),
                    "write the dump with kiln compile --compile-to or --save-temps"});
}

/// Checks who wrote the module, and that it is of the phase asked for.
static llvm::Error checkRecord(const CompileRecord &record, const std::string &path,
                               StringRef phase) {
  if (std::optional<Diagnosis> other = record.checkVersion(path))
    return makeError(*other);
  if (!findModulePhase(record.phase))
    return refuseDump(path, "its record names no phase", modulePhaseNames(),
                      "'" + record.phase + "'");
  if (phase.empty() || phase == record.phase)
    return llvm::Error::success();
  return makeError(
      {ErrorCode::LevelViolation, path, "the dump is of another phase",
       "one behind phase " + phase.str(), "one behind phase " + record.phase,
       "write --compile-from=" + record.phase + ", or leave --compile-from out"});
}

/// Finds the model: where the compile found it, seen from the current folder, or else
/// from the dump's.
static llvm::Expected<std::string> findModel(const std::string &model,
                                             const std::string &dump) {
  SmallString<256> beside(llvm::sys::path::parent_path(dump));
  llvm::sys::path::append(beside, model);
  for (StringRef path : {StringRef(model), StringRef(beside)})
    if (llvm::sys::fs::exists(path))
      return path.str();
  return makeError({ErrorCode::FileNotFound, dump, "the dump's model is not there",
                    "'" + model + "', seen from the current or from the dump's folder",
                    "no such file",
                    "run kiln where the model was compiled, or write its path into "
                    "graph.source of the dump"});
}

static llvm::Error checkPhaseName(StringRef phase) {
  if (phase.empty() || findModulePhase(phase))
    return llvm::Error::success();
  return makeError({ErrorCode::BadUsage, "--compile-from", "no phase has this name",
                    modulePhaseNames(), phase.str(),
                    "choose one of these, or leave --compile-from out"});
}

/// Sets the options that the module records.
static llvm::Error takeOptions(ModuleOp module, const CompileRecord &record,
                               CompileOptions &options) {
  llvm::Expected<PhaseOptions> read = PhaseOptions::parse(record.options);
  if (!read)
    return read.takeError();
  static_cast<PhaseOptions &>(options) = std::move(*read);
  readSamples(module, options.precision);
  auto source = graph::getReport<SourceRecord>(module, graph::kSourceAttr);
  if (!source)
    return refuseDump(options.input, "it does not say of which model it is",
                      "graph.source", "none");
  source->setOptions(options);
  if (lacksSamples(options.precision))
    return makeError({ErrorCode::DumpModelChanged, options.input,
                      "what samples gave was not kept",
                      "--calib-state DIR of the compile", "none",
                      "compile the model with --calib-state DIR"});
  options.resume = {options.input, record.phase, source->sha256};
  return findModel(source->model, options.input).moveInto(options.input);
}

llvm::Error kiln::takeDump(CompileOptions &options, StringRef phase) {
  if (llvm::Error error = checkPhaseName(phase))
    return error;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  DialectRegistry registry;
  registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  llvm::Expected<OwningOpRef<ModuleOp>> module = readDump(options.input, context);
  if (!module)
    return module.takeError();
  auto record = graph::getReport<CompileRecord>(**module, graph::kCompileAttr);
  if (!record)
    return refuseDump(options.input, "it does not say which compile wrote it",
                      "graph.compile, with the version and the options", "none");
  if (llvm::Error error = checkRecord(*record, options.input, phase))
    return error;
  return takeOptions(**module, *record, options);
}

//===----------------------------------------------------------------------===//
// Compiler
//===----------------------------------------------------------------------===//

/// In place of the module that was imported.
llvm::Error Compiler::takeDumpOf(const Phase &last) {
  llvm::Expected<OwningOpRef<ModuleOp>> dump = readDump(options.resume->dump, context);
  if (!dump)
    return dump.takeError();
  if (llvm::Error error = checkWeights(**dump, *model.module))
    return error;
  model.module = std::move(*dump);
  return &last == findModulePhase("plan") ? checkLaunches(*model.module)
                                          : llvm::Error::success();
}

/// Editors of a dump may break what later phases count on.
llvm::Error Compiler::checkResumed(const Phase &last) {
  if (!last.verify)
    return llvm::Error::success();
  PassManager pm(&context);
  last.verify(pm);
  return failed(pm.run(*model.module)) ? reported() : llvm::Error::success();
}

llvm::Expected<const Phase *> Compiler::resume() {
  const Phase *last = findModulePhase(options.resume->phase);
  if (const Phase *end = findModulePhase(options.compileTo); end && end <= last)
    return makeError({ErrorCode::BadUsage, "--compile-to",
                      "the dump is behind this phase",
                      "a phase after " + last->name.str(), options.compileTo,
                      "choose a later phase, or leave --compile-to out for a package"});
  report.phases.push_back({"import", 0});
  if (llvm::Error error = hashSource())
    return std::move(error);
  if (sourceHash != options.resume->sha256)
    return makeError({ErrorCode::DumpModelChanged, options.input,
                      "the model is not the one that was compiled",
                      options.resume->sha256, sourceHash,
                      "bring that one back, or compile this model"});
  if (llvm::Error error = import())
    return std::move(error);
  if (llvm::Error error = takeDumpOf(*last))
    return std::move(error);
  for (const Phase &phase : llvm::make_range(getPhases().begin(), last + 1))
    if (phase.after)
      if (llvm::Error error = (this->*phase.after)())
        return std::move(error);
  if (llvm::Error error = checkResumed(*last))
    return std::move(error);
  return last + 1;
}
