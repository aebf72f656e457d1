//===- Compile.cpp - From a model to a package ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Pipeline/Compile.h"
#include "ApplyAnnotations.h"
#include "Bubble.h"
#include "Compiler.h"
#include "Dump.h"
#include "FusedReport.h"
#include "KernelTimes.h"
#include "PassInstruments.h"
#include "PrecisionRecord.h"
#include "RemarkLog.h"
#include "SourceRecord.h"
#include "Weights.h"
#include "dialects/Graph/MicroBatches.h"
#include "dialects/Graph/Reports.h"
#include "dialects/Graph/SymbolBounds.h"
#include "dialects/Tile/Tile.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Pipeline/Registration.h"
#include "kiln/Planning/Passes.h"
#include "kiln/Planning/PrintPlan.h"
#include "kiln/Reference/VerifyEach.h"
#include "kiln/Support/Clock.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "runtime/base/sha256.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace kiln;
using namespace mlir;

Compiler::Compiler(const CompileOptions &options, CompileReport &report)
    : options(options), report(report), phaseOptions(options),
      // Verifying around each pass needs one pass at a time.
      context(options.threads == 1 || options.verifyEach ||
                      options.passPrinting.printsIr()
                  ? MLIRContext::Threading::DISABLED
                  : MLIRContext::Threading::ENABLED) {
  DialectRegistry registry;
  registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  TargetInfo::resolveNative(phaseOptions.targets.names);
  timing.setEnabled(options.passPrinting.timing);
  allPhases = timing.getRootScope();
}

//===----------------------------------------------------------------------===//
// Progress, errors, dumps
//===----------------------------------------------------------------------===//

llvm::Error Compiler::reported() {
  if (firstError)
    return makeError(*firstError);
  Diagnosis diagnosis;
  diagnosis.where = report.phases.back().name;
  diagnosis.what = "the phase failed without saying why";
  diagnosis.fix = "report this with the command that shows it";
  return makeError(diagnosis);
}

/// Returns the text of a module without locations, so that equal compiles give equal
/// bytes.
static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return text;
}

/// Returns the text without the name of the model's file and without reports, so that
/// packages do not depend on the file's name. Names of external data are part of the
/// model.
static std::string anonymousTextOf(ModuleOp module, StringRef input) {
  OwningOpRef<ModuleOp> copy = module.clone();
  removeLaterPhases(*copy);
  StringRef name = llvm::sys::path::filename(input);
  for (auto weight : copy->getOps<graph::WeightOp>())
    if (weight.getFile() == name)
      weight.setFile("<model>");
  return textOf(*copy);
}

static llvm::Error writeText(const std::string &path,
                             function_ref<void(raw_ostream &)> print) {
  std::error_code code;
  llvm::ToolOutputFile file(path, code, llvm::sys::fs::OF_Text);
  if (!code) {
    print(file.os());
    file.os() << '\n';
    file.os().flush();
    code = file.os().error();
    file.os().clear_error();
  }
  if (code) {
    Diagnosis diagnosis;
    diagnosis.code = ErrorCode::OutputNotWritable;
    diagnosis.where = path;
    diagnosis.what = "the file cannot be written";
    diagnosis.found = code.message();
    return makeError(std::move(diagnosis));
  }
  file.keep();
  return llvm::Error::success();
}

llvm::Error Compiler::dump(const Phase &phase) {
  auto printModule = [&](raw_ostream &os) {
    (*model.module)->print(os, OpPrintingFlags().enableDebugInfo());
  };
  auto printPipeline = [&](raw_ostream &os) { os << pipelineOf(phase); };
  if (!options.saveTemps.empty()) {
    if (std::error_code code = llvm::sys::fs::create_directories(options.saveTemps)) {
      Diagnosis diagnosis;
      diagnosis.code = ErrorCode::OutputNotWritable;
      diagnosis.where = options.saveTemps;
      diagnosis.what = "the folder cannot be made";
      diagnosis.found = code.message();
      return makeError(std::move(diagnosis));
    }
    SmallString<128> path(options.saveTemps);
    llvm::sys::path::append(path, Twine(&phase - getPhases().begin()) + "-" + phase.name);
    if (llvm::Error error = writeText((path + ".mlir").str(), printModule))
      return error;
    if (llvm::Error error = writeText((path + ".passes").str(), printPipeline))
      return error;
  }
  if (options.compileTo == phase.name)
    return writeText(options.output, printModule);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Phases
//===----------------------------------------------------------------------===//

std::vector<std::string> kiln::gpuTargets() {
  std::vector<std::string> targets;
  for (StringRef name : TargetInfo::names())
    if (isGpuTarget(name.str()))
      targets.push_back(name.str());
  return targets;
}

llvm::Error Compiler::checkOptions() {
  if (llvm::Error error = phaseOptions.check())
    return error;
  report.mesh = phaseOptions.mesh.axes;
  // --range asks for static scales, which need calibration.
  if (!options.precision.range.empty() && !options.precision.ranges &&
      options.precision.quantizes())
    return makeError({ErrorCode::BadUsage, "--range",
                      "no samples have been run, of which static scales follow",
                      "ranges of activations that calibration found", "none",
                      "run the model on samples (--calib), or leave --range out"});
  const std::vector<std::string> &targets = options.targets.names;
  for (const std::string &target : targets)
    if (llvm::Error error = TargetInfo::get(target).takeError())
      return error;
  if (options.targets.cubin && llvm::none_of(targets, isGpuTarget))
    return makeError({ErrorCode::BadUsage, "--cubin", "no target is a GPU",
                      "an sm_ target", llvm::join(targets, ", "),
                      "name a GPU with --target, or leave --cubin out"});
  if (llvm::Error error = checkPhase("--compile-to", options.compileTo))
    return error;
  if (options.printPipeline == "all")
    return llvm::Error::success();
  return checkPhase("--print-pipeline", options.printPipeline);
}

llvm::Error Compiler::checkPhase(StringRef option, StringRef name) {
  if (name.empty() || findModulePhase(name))
    return llvm::Error::success();
  return makeError(
      {ErrorCode::BadUsage, option.str(), "no phase has this name", modulePhaseNames(),
       name.str(),
       ("choose one of these, or leave " + option + " out for a package").str()});
}

/// Computes the hash that sha256sum prints, so that the model a package was made from can
/// be identified.
llvm::Error Compiler::hashSource() {
  auto file = llvm::MemoryBuffer::getFile(options.input, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (file) {
    sourceHash =
        rt::toHex(rt::sha256((*file)->getBufferStart(), (*file)->getBufferSize()));
    return llvm::Error::success();
  }
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::FileReadFailed;
  diagnosis.where = options.input;
  diagnosis.what = "the file cannot be read";
  diagnosis.found = file.getError().message();
  return makeError(std::move(diagnosis));
}

import::ImportOptions Compiler::importOptions() const {
  import::ImportOptions result;
  for (const DimRange &range : options.dims)
    result.dims.push_back({range.name, range.lo, range.hi});
  // A package that observes matmuls is compiled without state, but `dims` may name dims
  // of the state.
  if (options.state.enabled || options.precision.observation)
    result.laterDims = {"rows", "capacity", "sequence", "tokens"};
  result.pastIsState = options.state.enabled;
  result.pastIsEmpty = options.precision.observation.has_value();
  for (const auto &[name, text] : options.frozen)
    result.frozen.push_back({name, {}, {}, text});
  result.keptInputs = options.state.keptInputs;
  result.outputs = options.outputs;
  result.externalDataFrom = options.externalDataFrom;
  result.keepGoing = purpose == Purpose::Check;
  result.hashWeights = purpose == Purpose::Package;
  result.allowsAbsentData = purpose == Purpose::Estimate;
  return result;
}

/// Whether an output may be logits of bytes, [.., .., 256].
static bool hasByteLogits(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  return main && llvm::any_of(main.getResultTypes(), [](Type type) {
           graph::Dims dims = graph::getDims(type);
           return dims.size() == 3 && dims[2].isConstant(256);
         });
}

void Compiler::takeModel(import::ImportedModel imported) {
  model = std::move(imported);
  for (const DimRange &range : options.dims) {
    if (!llvm::is_contained(model.dimsLeft, range.name))
      continue;
    std::string text = (Twine(range.lo) + ".." + Twine(range.hi)).str();
    if (range.name == "tokens")
      phaseOptions.state.tokens = text;
    else if (!llvm::is_contained(phaseOptions.state.dims, range.name + "=" + text))
      phaseOptions.state.dims.push_back(range.name + "=" + text); // else: from a dump
  }
  for (const import::ImportedSymbol &symbol : model.symbols) {
    report.dims.push_back({symbol.name, symbol.lo, symbol.hi});
    if (!symbol.given)
      report.defaults.push_back(symbol.name);
  }
  report.dependentDims = model.dependentDims;
  report.nodes = model.nodes;
  report.hasByteLogits = hasByteLogits(*model.module);
}

llvm::Error Compiler::import() {
  FailureOr<import::ImportedModel> imported =
      import::importModel(options.input, importOptions(), context);
  if (failed(imported))
    return reported();
  takeModel(std::move(*imported));
  if (purpose != Purpose::Package)
    return llvm::Error::success();
  if (sourceHash.empty())
    if (llvm::Error error = hashSource())
      return error;
  graph::setReport(*model.module, graph::kSourceAttr,
                   SourceRecord::of(options, sourceHash));
  writeWeightBounds(model);
  recordSamples(*model.module, options.precision);
  return options.annotations
             ? applyAnnotations(*model.module, *options.annotations, report.mesh)
             : llvm::Error::success();
}

/// Adds the dims of state, which the imported model does not have, to the report.
void Compiler::reportStateDims() {
  report.dims.clear();
  report.defaults.clear();
  for (auto symbol : model.module->getOps<graph::SymbolOp>()) {
    std::string name = symbol.getSymName().str();
    report.dims.push_back({name, int64_t(symbol.getMin()), int64_t(symbol.getMax())});
    if (llvm::none_of(options.dims,
                      [&](const DimRange &dim) { return dim.name == name; }))
      report.defaults.push_back(name);
  }
}

std::string Compiler::pipelineOf(const Phase &phase) {
  PassManager pm(&context, ModuleOp::getOperationName());
  phase.addTo(pm, phaseOptions);
  std::string text;
  llvm::raw_string_ostream os(text);
  pm.printAsTextualPipeline(os);
  return text;
}

std::string Compiler::allPipelines() {
  std::string text;
  for (const Phase &phase : getPhases())
    if (phase.build)
      text += (text.empty() ? "" : "\n") + phase.name.str() + " " + pipelineOf(phase);
  return text;
}

llvm::Error Compiler::printPipeline() {
  return writeText(options.output, [&](raw_ostream &os) {
    for (const Phase &phase : getPhases())
      if (phase.name == options.printPipeline)
        os << pipelineOf(phase);
    if (options.printPipeline == "all")
      os << allPipelines();
  });
}

LogicalResult Compiler::runPasses(const Phase &phase) {
  PassManager pm(&context);
  phase.addTo(pm, phaseOptions, analyses);
  printPasses(pm, options.passPrinting);
  TimingScope time = allPhases.nest(phase.name);
  pm.enableTiming(time);
  // In a compile of MiniLM, MLIR's verifier takes 2.2 % of the CPU time behind every pass
  // and 1.7 % behind every phase, most of it for kernels.
  pm.enableVerifier(options.verifyEach);
  if (!options.verifyEach)
    return failed(pm.run(*model.module)) ? failure() : verify(*model.module);
  if (!phase.isEvaluated)
    return pm.run(*model.module);
  // Exporters spell sqrt(2) and the like as f32: raising replaces them by the exact
  // constants, which changes results by about 1e-9.
  reference::VerifyEachOptions evaluation;
  evaluation.tolerance = 1e-6;
  return reference::runVerified(pm, *model.module, evaluation);
}

llvm::Error Compiler::runPhase(const Phase &phase) {
  if (options.progress)
    options.progress(phase.name);
  report.phases.push_back({phase.name.str(), 0});
  double started = now();
  if (phase.before)
    if (llvm::Error error = (this->*phase.before)())
      return error;
  if (phase.build && failed(runPasses(phase)))
    return reported();
  report.phases.back().seconds = now() - started;
  return phase.after ? (this->*phase.after)() : llvm::Error::success();
}

llvm::Error Compiler::reportGraph() {
  countFused(*model.module, report);
  if (options.state.enabled)
    reportStateDims();
  return llvm::Error::success();
}

llvm::Error Compiler::keepGraph() {
  if (purpose == Purpose::Package)
    kernelGraph = anonymousTextOf(*model.module, options.input);
  return llvm::Error::success();
}

llvm::Error Compiler::printPlan() {
  if (!options.printPlanAt)
    return llvm::Error::success();
  return succeeded(printPlans(*model.module, *options.printPlanAt, llvm::outs()))
             ? llvm::Error::success()
             : reported();
}

llvm::Error Compiler::makeImages() {
  llvm::Expected<Images> made =
      compileImages(*model.module, options.saveTemps, options.targets.cubin,
                    options.cache ? &options.cache->kernels : nullptr);
  if (!made)
    return firstError ? (llvm::consumeError(made.takeError()), reported())
                      : made.takeError();
  images = std::move(*made);
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Package
//===----------------------------------------------------------------------===//

std::string Compiler::provenance(const std::string &graphText,
                                 const reference::QuantizationErrors *errors) const {
  llvm::json::Array targets, dims;
  for (const package::TargetImage &target : images.targets)
    targets.push_back(target.name);
  auto add = [&](const DimRange &range) {
    dims.push_back(
        llvm::json::Object{{"name", range.name}, {"lo", range.lo}, {"hi", range.hi}});
  };
  llvm::for_each(report.dims, add);
  // A dim fixed to one value is no symbol, but the provenance lists it.
  for (const DimRange &range : options.dims)
    if (range.lo == range.hi)
      add(range);
  llvm::json::Array rules, sharding, pipelined;
  for (const CompileReport::PipelinedProgram &one : report.pipelined)
    pipelined.push_back(llvm::json::Object{{"program", one.name},
                                           {"micro_batches", one.microBatches},
                                           {"bubble", one.bubble}});
  for (const PrecisionRule &rule : options.precision.rules)
    rules.push_back(
        llvm::json::Object{{"nodes", rule.nodes}, {"precision", rule.precision}});
  for (const ShardEntry &entry : report.sharding)
    sharding.push_back(llvm::json::Object{{"op", entry.op},
                                          {"node", entry.node},
                                          {"split", entry.split},
                                          {"why", entry.why}});
  llvm::json::Object object{
      {"compiler", "kiln " KILN_VERSION},
      {"model",
       llvm::json::Object{{"sha256", sourceHash}, {"nodes", int64_t(report.nodes)}}},
      {"targets", std::move(targets)},
      {"dims", std::move(dims)},
      {"memory_limit", int64_t(options.limits.memory.value_or(0))},
      {"precision", options.precision.precision},
      {"precision_rules", std::move(rules)},
      {"cache", options.precision.cache},
      {"activations", options.precision.activations},
      {"algorithm", options.precision.algorithm},
      {"range", options.precision.range},
      // Properties of the package for its users, independent of options.
      {"batch_invariant", report.variants == 0},
      {"clamp_indices", options.indices.clamp},
      {"precision_report", precisionJson(report.precision, errors)},
      {"predicted_speedup", predictedJson(report.predicted)},
      {"ranks", report.mesh.ranks()},
      {"mesh", llvm::json::Object{{"tp", report.mesh.tp},
                                  {"cp", report.mesh.cp},
                                  {"pp", report.mesh.pp},
                                  {"sequence", report.mesh.sequence},
                                  {"divides_caches", report.mesh.dividesCaches}}},
      {"pipelined", std::move(pipelined)},
      {"sharding_report", std::move(sharding)},
      {"graph", graphText},
  };
  llvm::json::Object labels, description, metadata;
  for (const auto &[key, value] : options.labels)
    labels[key] = value;
  for (const auto &[key, value] : model.description) {
    StringRef name = key;
    bool isOwn = name.consume_front("metadata.");
    // Strings of models may be invalid UTF-8; JSON requires UTF-8.
    (isOwn ? metadata : description)[llvm::json::fixUTF8(name)] =
        llvm::json::fixUTF8(value);
  }
  description["metadata"] = std::move(metadata);
  object["description"] = std::move(description);
  object["labels"] = std::move(labels);
  if (options.accuracy)
    object["accuracy"] = options.accuracy->toJson();
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::formatv("{0:2}", llvm::json::Value(std::move(object)));
  return text;
}

/// Adds the arenas of one rank. All programs use the same arenas, one after the other.
void Compiler::addArenas() {
  int64_t others = weightsOfOthers(*model.module);
  graph::SymbolRanges ranges(*model.module);
  std::map<plan::ArenaKind, graph::Dims> sizes;
  for (auto program : model.module->getOps<plan::ProgramOp>()) {
    uint64_t steps = 0;
    for (Operation &op : program.getBody().front())
      steps += plan::isStep(&op);
    report.steps = std::max(report.steps, steps);
    for (auto arena : program.getBody().getOps<plan::ArenaOp>())
      for (graph::SymbolicExpr size : graph::getDims(arena.getSizes())) {
        if (arena.getKind() == plan::ArenaKind::weights)
          size = size - graph::SymbolicExpr(others);
        if (!llvm::is_contained(sizes[arena.getKind()], size))
          sizes[arena.getKind()].push_back(size);
      }
  }
  for (const auto &[kind, dims] : sizes) {
    CompileReport::Arena entry{plan::stringifyArenaKind(kind).str(), "", 0};
    for (const graph::SymbolicExpr &size : dims)
      entry.formula += (entry.formula.empty() ? "" : ", ") + size.str();
    if (dims.size() > 1)
      entry.formula = "max(" + entry.formula + ")";
    // kiln-build-plan has verified that every buffer has a bound.
    entry.maxBytes = ranges.maxOf(dims).value_or(std::numeric_limits<int64_t>::max());
    report.arenas.push_back(std::move(entry));
  }
}

/// Operations per byte of traffic at which memory and compute take equally long: f32 on a
/// few cores, and 16 bits on a data-center GPU.
static constexpr double kCpuOperations = 10, kGpuOperations = 200;

void Compiler::addStages() {
  if (report.mesh.pp == 1)
    return;
  graph::SymbolRanges ranges(*model.module);
  report.stageWeights = weightsOfStages(*model.module);
  for (auto program : model.module->getOps<plan::ProgramOp>()) {
    uint64_t count =
        llvm::count_if(program.getOps<plan::CollectiveOp>(), plan::isHandover);
    report.handovers = std::max(report.handovers, count);
    std::string name = program.getName().value_or("main").str();
    auto parts = model.module->lookupSymbol(name)->getAttrOfType<IntegerAttr>(
        graph::kMicroBatchesAttr);
    bool hasGpu = llvm::any_of(options.targets.names, isGpuTarget);
    report.pipelined.push_back(
        {name, parts ? parts.getInt() : 1,
         bubbleOf(program, ranges, hasGpu ? kGpuOperations : kCpuOperations)});
  }
}

llvm::Error Compiler::fillReport() {
  ModuleOp module = *model.module;
  report.precision =
      graph::readReport<PrecisionEntry>(module, graph::kPrecisionReportAttr);
  report.sharding = graph::readReport<ShardEntry>(module, graph::kShardReportAttr);
  report.observed = graph::readReport<ObservedInput>(module, graph::kObservedAttr);
  report.indices = graph::getReport<IndexReport>(module, graph::kIndexReportAttr)
                       .value_or(IndexReport());
  bool isFirst = true;
  for (const package::TargetImage &target : images.targets) {
    report.targets.push_back(target.name);
    if (target.isGpu)
      continue;
    if (isFirst)
      report.features = target.features;
    llvm::erase_if(report.features, [&](const std::string &feature) {
      return !llvm::is_contained(target.features, feature);
    });
    isFirst = false;
  }
  report.predicted = predictSpeeds(report.precision, report.targets);
  addArenas();
  addStages();
  addKernelTimes(*model.module, images, report);
  report.kernels = images.kernels.size();
  for (const auto &kernel : images.kernels)
    report.variants += kernel.second.variants.size();
  return llvm::Error::success();
}

static llvm::Error toError(const package::WriteError &error) {
  return makeError({static_cast<ErrorCode::ID>(error.code), error.where, error.what,
                    error.expected, error.found, error.fix});
}

/// Writes the provenance padded with spaces. Quantization errors are known only after the
/// weights, which follow it in the file, are written; the text is then made again with
/// these errors.
void Compiler::reserveProvenance(package::PackageContents &contents,
                                 const reference::QuantizationErrors &errors) const {
  constexpr size_t kPerNumber = 24; // maximum characters of a double
  contents.provenance = provenance(kernelGraph, nullptr);
  size_t size = contents.provenance.size() + kPerNumber * report.precision.size();
  contents.provenance.resize(size, ' ');
  contents.finalProvenance = [this, &errors, size] {
    std::string text = provenance(kernelGraph, &errors);
    text.resize(std::max(size, text.size()), ' ');
    return text;
  };
}

llvm::Error Compiler::writePackage() {
  reference::QuantizationErrors errors;
  WeightSources sources = makeWeightSources(model, options.precision, &errors);
  package::PackageContents contents;
  reserveProvenance(contents, errors);
  std::vector<fb::PlanT> plans;
  for (auto program : model.module->getOps<plan::ProgramOp>()) {
    plans.push_back(
        package::serializePlan(*model.module, program, images.kernels, images.targets));
    if (options.limits.graphMemory)
      plans.back().graph_memory = *options.limits.graphMemory;
  }
  contents.plan = std::move(plans.front());
  contents.otherPlans.assign(std::make_move_iterator(plans.begin() + 1),
                             std::make_move_iterator(plans.end()));
  contents.hostImages = std::move(images.hostImages);
  contents.unwindTables = std::move(images.unwindTables);
  contents.ptx = std::move(images.ptx);
  contents.cubins = std::move(images.cubins);
  contents.weights = listWeights(*model.module, sources, errors,
                                 options.cache ? &options.cache->weights : nullptr);
  package::WriteReport written;
  package::WriteResult result = package::writePackage(options.output, contents, &written);
  if (result)
    return toError(*result);
  report.outputBytes = written.fileBytes;
  return llvm::Error::success();
}

llvm::Error Compiler::run(StringRef warning) {
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (options.diagnose)
      options.diagnose(diagnostic);
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !firstError)
      firstError = diagnosisOf(diagnostic);
    return success();
  });
  if (!warning.empty())
    emitWarning(UnknownLoc::get(&context)) << options.input << ": " << warning;
  if (llvm::Error error = logRemarks(context, options, report))
    return error;
  if (llvm::Error error = checkOptions())
    return error;
  const Phase *next;
  if (llvm::Error error = begin().moveInto(next))
    return error;
  // Only now are the options of pipelines complete.
  if (llvm::Error error = checkPassNames(options.passPrinting, allPipelines()))
    return error;
  if (!options.printPipeline.empty())
    return printPipeline();
  for (; next != getPhases().end() && options.compileTo != (next - 1)->name; ++next)
    if (llvm::Error error = runAndDump(*next))
      return error;
  return llvm::Error::success();
}

llvm::Expected<const Phase *> Compiler::begin() {
  if (options.resume)
    return resume();
  const Phase *first = getPhases().begin();
  if (llvm::Error error = runAndDump(*first))
    return std::move(error);
  return first + 1;
}

llvm::Error Compiler::runAndDump(const Phase &phase) {
  if (llvm::Error error = runPhase(phase))
    return error;
  return phase.build ? dump(phase) : llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Check
//===----------------------------------------------------------------------===//

llvm::Error Compiler::runModulePhases() {
  for (const Phase &phase : getPhases())
    if (phase.build)
      if (llvm::Error error = runPhase(phase))
        return error;
  return llvm::Error::success();
}

void Compiler::check(std::vector<Diagnosis> &problems) {
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      problems.push_back(diagnosisOf(diagnostic));
      firstError = problems.front();
    }
    return success();
  });
  purpose = Purpose::Check;
  llvm::Error error = checkOptions();
  if (!error)
    error = runModulePhases();
  llvm::StringSet<> kernels;
  if (!error)
    model.module->walk([&](tile::KernelOp kernel) {
      if (!kernel.getReplaces())
        kernels.insert(kernel.getSymName());
    });
  report.kernels = kernels.size();
  // Reported errors are in `problems` already.
  if (error && problems.empty())
    problems.push_back(takeDiagnosis(std::move(error)));
  else
    llvm::consumeError(std::move(error));
}

CompileOptions kiln::onOneRank(CompileOptions options) {
  options.mesh = {};
  options.annotations.reset();
  options.limits.memory.reset();
  return options;
}
