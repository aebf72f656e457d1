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
#include "FusedReport.h"
#include "KernelTimes.h"
#include "PrecisionRecord.h"
#include "Weights.h"
#include "dialects/Graph/MicroBatches.h"
#include "dialects/Graph/SymbolBounds.h"
#include "dialects/Tile/Tile.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Pipeline/Registration.h"
#include "kiln/Planning/Passes.h"
#include "kiln/Reference/VerifyEach.h"
#include "kiln/Support/Clock.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "mlir/IR/Diagnostics.h"
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
    : options(options), report(report),
      // Verifying around each pass needs one pass at a time.
      context(options.threads == 1 || options.verifyEach
                  ? MLIRContext::Threading::DISABLED
                  : MLIRContext::Threading::ENABLED) {
  DialectRegistry registry;
  registerAllDialects(registry);
  context.appendDialectRegistry(registry);
  phaseOptions.targets = options.targets;
  phaseOptions.memoryLimit = options.memoryLimit.value_or(0);
  phaseOptions.precision = options.precision;
  phaseOptions.configs = options.configs;
  phaseOptions.batchInvariant = options.batchInvariant;
  phaseOptions.precisionReport = &report.precision;
  phaseOptions.clampIndices = options.clampIndices;
  if (options.observation) {
    phaseOptions.observed = &report.observed;
    phaseOptions.observation = *options.observation;
  }
  phaseOptions.indexReport = &report.indices;
  phaseOptions.state = options.state;
  phaseOptions.shardReport = &report.sharding;
}

//===----------------------------------------------------------------------===//
// Progress, errors, dumps
//===----------------------------------------------------------------------===//

void Compiler::begin(StringRef phase) {
  if (options.progress)
    options.progress(phase);
  report.phases.push_back({phase.str(), 0});
  started = now();
}

void Compiler::end() { report.phases.back().seconds = now() - started; }

llvm::Error Compiler::reported() {
  if (firstError)
    return makeError(*firstError);
  Diagnosis diagnosis;
  diagnosis.where = report.phases.back().name;
  diagnosis.what = "the phase failed without saying why";
  diagnosis.fix = "report this with the command that shows it";
  return makeError(diagnosis);
}

/// The text of a module without locations: equal compiles give equal bytes.
static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return text;
}

/// The text without the name of the model's file: equal models give equal packages,
/// whatever they are called. Names of external data are part of the model.
static std::string anonymousTextOf(ModuleOp module, StringRef input) {
  OwningOpRef<ModuleOp> copy = module.clone();
  StringRef name = llvm::sys::path::filename(input);
  for (auto weight : copy->getOps<graph::WeightOp>())
    if (weight.getFile() == name)
      weight.setFile("<model>");
  return textOf(*copy);
}

static llvm::Error writeText(const std::string &path, ModuleOp module) {
  std::error_code code;
  llvm::ToolOutputFile file(path, code, llvm::sys::fs::OF_Text);
  if (!code) {
    module->print(file.os(), OpPrintingFlags().enableDebugInfo());
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

llvm::Error Compiler::dump(StringRef phase, unsigned number) {
  if (!options.saveTemps.empty()) {
    if (std::error_code code = llvm::sys::fs::create_directories(options.saveTemps)) {
      Diagnosis diagnosis;
      diagnosis.code = ErrorCode::OutputNotWritable;
      diagnosis.where = options.saveTemps;
      diagnosis.what = "the folder cannot be made";
      diagnosis.found = code.message();
      return makeError(std::move(diagnosis));
    }
    std::string name = std::to_string(number) + "-" + phase.str() + ".mlir";
    SmallString<128> path(options.saveTemps);
    llvm::sys::path::append(path, name);
    if (llvm::Error error = writeText(path.str().str(), *model.module))
      return error;
  }
  if (options.compileTo == phase)
    return writeText(options.output, *model.module);
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
  if (llvm::Error error = options.precision.check())
    return error;
  // Scales that each run finds are not what was asked for.
  if (!options.precision.range.empty() && !options.precision.ranges &&
      options.precision.quantizes())
    return makeError({ErrorCode::BadUsage, "--range",
                      "no samples have been run, of which static scales follow",
                      "ranges of activations that calibration found", "none",
                      "run the model on samples (--calib), or leave --range out"});
  for (const std::string &target : options.targets)
    if (llvm::Error error = TargetInfo::get(target).takeError())
      return error;
  if (!options.precision.cache.empty() && !options.state.enabled)
    return makeError({ErrorCode::BadUsage, "--kv", "there is no cache without state",
                      "--kv or --no-state", "both", "leave one of them out"});
  if (options.cubin && llvm::none_of(options.targets, isGpuTarget))
    return makeError({ErrorCode::BadUsage, "--cubin", "no target is a GPU",
                      "an sm_ target", llvm::join(options.targets, ", "),
                      "name a GPU with --target, or leave --cubin out"});
  if (!options.state.enabled && !options.state.pairs.empty())
    return makeError({ErrorCode::BadUsage, "--no-state",
                      "there is a pair to make state of", "--state or --no-state", "both",
                      "leave one of them out"});
  llvm::Expected<Mesh> mesh = Mesh::parse(options.shard, options.ranks, "--shard");
  if (!mesh)
    return mesh.takeError();
  report.mesh = *mesh;
  phaseOptions.ranks = mesh->tp;
  phaseOptions.division = mesh->sequence ? Division::Sequence : Division::Tensor;
  phaseOptions.contextRanks = mesh->cp;
  phaseOptions.dividesCaches = mesh->dividesCaches;
  phaseOptions.stages = mesh->pp;
  phaseOptions.overlap = options.overlap;
  if (options.overlap > 1 && (mesh->tp == 1 || mesh->pp > 1 || mesh->cp > 1))
    return makeError({ErrorCode::BadUsage, "--overlap",
                      "is for collectives of tensor-parallel ranks",
                      "a mesh of tp or sp alone", "--shard " + options.shard,
                      "choose --shard tp or sp, or leave --overlap out"});
  phaseOptions.microBatches = options.microBatches;
  if (options.microBatches > 1 && (mesh->pp == 1 || mesh->cp > 1))
    return makeError({ErrorCode::BadUsage, "--micro-batches",
                      "is for stages of a pipeline", "a mesh with pp and without cp",
                      "--shard " + options.shard,
                      "choose --shard pp, or leave --micro-batches out"});
  if (options.compileTo.empty() || options.compileTo == "import" ||
      llvm::any_of(getPhases(),
                   [&](const Phase &p) { return p.name == options.compileTo; }))
    return llvm::Error::success();
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::BadUsage;
  diagnosis.where = "--compile-to";
  diagnosis.what = "no phase has this name";
  diagnosis.expected = "import";
  for (const Phase &phase : getPhases())
    diagnosis.expected += ", " + phase.name.str();
  diagnosis.found = options.compileTo;
  diagnosis.fix = "choose one of these, or leave --compile-to out for a package";
  return makeError(std::move(diagnosis));
}

/// As sha256sum prints it: what the package was made from can be found again.
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
  // What observes products is compiled without the state that dims may be of.
  if (options.state.enabled || options.observation)
    result.laterDims = {"rows", "capacity", "sequence", "tokens"};
  result.pastIsState = options.state.enabled;
  result.pastIsEmpty = options.observation.has_value();
  for (const auto &[name, text] : options.frozen)
    result.frozen.push_back({name, {}, {}, text});
  result.keptInputs = options.state.keptInputs;
  result.outputs = options.outputs;
  result.externalDataFrom = options.externalDataFrom;
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

llvm::Error Compiler::finishImport(FailureOr<import::ImportedModel> imported) {
  end();
  if (failed(imported))
    return reported();
  model = std::move(*imported);
  for (const DimRange &range : options.dims) {
    if (!llvm::is_contained(model.dimsLeft, range.name))
      continue;
    std::string text = (Twine(range.lo) + ".." + Twine(range.hi)).str();
    if (range.name == "tokens")
      phaseOptions.state.tokens = text;
    else
      phaseOptions.state.dims.push_back(range.name + "=" + text);
  }
  for (const import::ImportedSymbol &symbol : model.symbols) {
    report.dims.push_back({symbol.name, symbol.lo, symbol.hi});
    if (!symbol.given)
      report.defaults.push_back(symbol.name);
  }
  report.dependentDims = model.dependentDims;
  report.nodes = model.nodes;
  report.hasByteLogits = hasByteLogits(*model.module);
  return llvm::Error::success();
}

llvm::Error Compiler::import() {
  begin("import");
  if (llvm::Error error =
          finishImport(import::importModel(options.input, importOptions(), context)))
    return error;
  if (llvm::Error error = hashSource())
    return error;
  writeWeightBounds(model);
  if (options.annotations)
    if (llvm::Error error =
            applyAnnotations(*model.module, *options.annotations, report.mesh))
      return error;
  // Before anything joins what leads to an index with other steps.
  PassManager pm(&context);
  if (!options.clampIndices)
    pm.addPass(createFindIndexInputsPass());
  if (failed(pm.run(*model.module)))
    return reported();
  return dump("import", 0);
}

/// A number such as -10000, which stands for minus infinity if it replaces scores.
static bool hasFiniteMask(ModuleOp module) {
  constexpr double kAbsorbs = -1e30, kMasks = -1e4;
  auto result = module.walk([&](graph::ConstantOp op) {
    auto elements = dyn_cast<DenseFPElementsAttr>(op.getValue());
    if (!elements || !elements.isSplat())
      return WalkResult::advance();
    double value = elements.getSplatValue<APFloat>().convertToDouble();
    return value > kAbsorbs && value <= kMasks ? WalkResult::interrupt()
                                               : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// Returns the relative error that roundings of a model's 16-bit types may add up to; 0
/// without such types.
static double roundingOf(ModuleOp module) {
  double rounding = 0;
  module.walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        rounding = std::max(rounding, tensor.getElementType().isBF16()  ? 5e-2
                                      : tensor.getElementType().isF16() ? 1e-2
                                                                        : 0.0);
  });
  return rounding;
}

/// A model with state has other dims than the one that was imported.
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

llvm::Error Compiler::runPhase(const Phase &phase) {
  begin(phase.name);
  PassManager pm(&context);
  phase.build(pm, phaseOptions);
  if (phase.name == "graph")
    recordUnfused(context, report);
  bool verify = options.verifyEach && (phase.name == "graph" || phase.name == "kernels");
  // Exporters spell sqrt(2) and the like as f32: raising replaces them by the
  // numbers they stand for, which moves results by some 1e-9.
  reference::VerifyEachOptions tolerance;
  tolerance.tolerance = 1e-6;
  // Rounding is what this pass is for, and errors add up from layer to layer.
  tolerance.passTolerance["kiln-lower-precision"] =
      options.precision.floatType() == "bf16" ? 5e-2 : 1e-2;
  tolerance.passTolerance["kiln-quantize-products"] =
      options.precision.hasFourBits() ? 5e-1 : 1e-1;
  tolerance.passTolerance["kiln-quantize-caches"] = 1e-1;
  // One op rounds once where the ops of its spelling each rounded to 16 bits.
  if (double rounding = verify ? roundingOf(*model.module) : 0)
    for (StringRef name : {"gelu", "layer-norm", "rope", "attention"})
      tolerance.passTolerance["kiln-raise-" + name.str()] = rounding;
  tolerance.movesNonFinite = {"kiln-raise-attention"};
  if (verify && hasFiniteMask(*model.module))
    tolerance.assumesMasks = {"kiln-raise-attention"};
  bool ok = succeeded(verify ? reference::runVerified(pm, *model.module, tolerance)
                             : pm.run(*model.module));
  end();
  if (!ok)
    return reported();
  if (phase.name == "graph") {
    countFused(*model.module, report);
    if (options.state.enabled)
      reportStateDims();
  }
  if (phase.name == "kernels")
    kernelGraph = anonymousTextOf(*model.module, options.input);
  return llvm::Error::success();
}

llvm::Error Compiler::makeImages() {
  begin("image");
  llvm::Expected<Images> made =
      compileImages(*model.module, options.saveTemps, options.cubin,
                    options.cache ? &options.cache->kernels : nullptr);
  end();
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
  // A dim fixed to one value is no symbol any more, yet what the package is for.
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
      {"memory_limit", int64_t(options.memoryLimit.value_or(0))},
      {"precision", options.precision.precision},
      {"precision_rules", std::move(rules)},
      {"cache", options.precision.cache},
      {"activations", options.precision.activations},
      {"algorithm", options.precision.algorithm},
      {"range", options.precision.range},
      // What users of a package may rely on, whatever was asked for.
      {"batch_invariant", report.variants == 0},
      {"clamp_indices", options.clampIndices},
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
    // Models may hold bytes that are no UTF-8; JSON may not.
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

/// Arenas hold any of the programs, one after the other; those of one rank.
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
    // The pass that planned has made sure of a bound for every buffer.
    entry.maxBytes = ranges.maxOf(dims).value_or(std::numeric_limits<int64_t>::max());
    report.arenas.push_back(std::move(entry));
  }
}

/// For each byte that moves, while memory and computing take equally long: of f32 on a
/// few cores, and of 16 bits on a GPU for data centers.
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
    bool hasGpu = llvm::any_of(options.targets, isGpuTarget);
    report.pipelined.push_back(
        {name, parts ? parts.getInt() : 1,
         bubbleOf(program, ranges, hasGpu ? kGpuOperations : kCpuOperations)});
  }
}

void Compiler::fillReport() {
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
}

static llvm::Error toError(const package::WriteError &error) {
  return makeError({static_cast<ErrorCode::ID>(error.code), error.where, error.what,
                    error.expected, error.found, error.fix});
}

/// Writes the provenance, padded with spaces: the errors of codes are known when weights
/// are written, which come after it, so its text is made a second time, with these
/// errors.
void Compiler::reserveProvenance(package::PackageContents &contents,
                                 const reference::QuantizationErrors &errors) const {
  constexpr size_t kPerNumber = 24; // characters of a double
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
  begin("package");
  reference::QuantizationErrors errors;
  WeightSources sources = makeWeightSources(model, options.precision, &errors);
  package::PackageContents contents;
  reserveProvenance(contents, errors);
  std::vector<fb::PlanT> plans;
  for (auto program : model.module->getOps<plan::ProgramOp>()) {
    plans.push_back(
        package::serializePlan(*model.module, program, images.kernels, images.targets));
    if (options.graphMemory)
      plans.back().graph_memory = *options.graphMemory;
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
  end();
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
  if (llvm::Error error = checkOptions())
    return error;
  if (llvm::Error error = import())
    return error;
  if (options.compileTo == "import")
    return llvm::Error::success();
  for (auto [i, phase] : llvm::enumerate(getPhases())) {
    if (llvm::Error error = runPhase(phase))
      return error;
    if (llvm::Error error = dump(phase.name, i + 1))
      return error;
    if (options.compileTo == phase.name)
      return llvm::Error::success();
  }
  if (llvm::Error error = makeImages())
    return error;
  fillReport();
  return writePackage();
}

//===----------------------------------------------------------------------===//
// Check
//===----------------------------------------------------------------------===//

llvm::Error Compiler::checkPhases() {
  import::ImportOptions importing = importOptions();
  importing.keepGoing = true;
  importing.hashWeights = false;
  if (llvm::Error error = checkOptions())
    return error;
  begin("import");
  if (llvm::Error error =
          finishImport(import::importModel(options.input, importing, context)))
    return error;
  for (const Phase &phase : getPhases())
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
  llvm::Error error = checkPhases();
  llvm::StringSet<> kernels;
  if (!error)
    model.module->walk([&](tile::KernelOp kernel) {
      if (!kernel.getReplaces())
        kernels.insert(kernel.getSymName());
    });
  report.kernels = kernels.size();
  // What was reported is among the problems already.
  if (error && problems.empty())
    problems.push_back(takeDiagnosis(std::move(error)));
  else
    llvm::consumeError(std::move(error));
}

CompileOptions kiln::onOneRank(CompileOptions options) {
  options.ranks = 1;
  options.shard = "tp";
  options.annotations.reset();
  options.memoryLimit.reset();
  return options;
}
