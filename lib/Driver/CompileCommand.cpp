//===- CompileCommand.cpp - kiln compile ----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccuracyOptions.h"
#include "AutoMesh.h"
#include "Command.h"
#include "DebugOptions.h"
#include "ModelOptions.h"
#include "kiln/Pipeline/Annotations.h"
#include "kiln/Pipeline/Compile.h"
#include "kiln/Pipeline/Resume.h"
#include "kiln/Quantization/Calibrate.h"
#include "kiln/Support/Clock.h"
#include "lib/Driver/Support/Interrupt.h"
#include "lib/Driver/Support/Progress.h"
#include "lib/Driver/Support/TimeLimit.h"
#include "lib/Driver/Support/Values.h"
#include "lib/Driver/Tables/BubbleText.h"
#include "lib/Driver/Tables/EstimateReport.h"
#include "lib/Driver/Tables/KernelTimeTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <optional>
#include <sys/resource.h>
#include <unistd.h>

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::quantization;
using namespace llvm;

namespace {
struct CompileSettings {
  CompileOptions compile;
  CalibrationSettings calibration;
  AccuracySettings accuracy;
  DebugSettings debug;
  std::string algorithm;                    ///< empty: as the other options say
  std::string topology;                     ///< of --shard auto
  std::vector<std::string> given;           ///< long names of the options
  std::vector<estimate::Candidate> ranking; ///< the same
  uint64_t threads = 0;
  double timeLimit = 600;
  bool verbose = false;
};
} // namespace

static void declareTargetOptions(OptionTable &table, CompileOptions &options) {
  declareModelOptions(table, "compile", options);
  table.flag(
      "cubin",
      "GPU: also store machine code for exactly the targets named; needs ptxas of\n"
      "the CUDA toolkit in the PATH",
      options.targets.cubin);
  table.value("graph-memory", "SIZE",
              "GPU: what a session may take to keep CUDA graphs ready (default 32MiB)",
              [&](StringRef text) -> Error {
                Expected<uint64_t> bytes =
                    parseBytes("kiln compile: --graph-memory", text);
                if (!bytes)
                  return bytes.takeError();
                options.limits.graphMemory = *bytes;
                return Error::success();
              });
  table.text("configs", "FILE",
             "configs of kernels that replace the compiler's choice, as kiln tune\n"
             "writes them; the same file gives the same package anywhere",
             options.targets.configs);
  table.value(
      "label", "KEY=VALUE",
      "a text of yours in the package, such as the hash of a vocabulary: kiln inspect\n"
      "--json and kiln.Model show it",
      [&options](StringRef text) -> Error {
        auto [key, value] = text.split('=');
        if (key.empty() || !text.contains('=') || !json::isUTF8(text))
          return usageError("kiln compile: --label", "is no label", "KEY=VALUE in UTF-8",
                            "'" + text.take_front(80) + "'",
                            "write for example --label vocabulary=2f1c");
        for (const auto &[known, ignored] : options.labels)
          if (key == known)
            return usageError("kiln compile: --label", "is given twice",
                              "each label once", "'" + key + "' twice", "give it once");
        options.labels.emplace_back(key.str(), value.str());
        return Error::success();
      },
      /*repeat=*/true);
  table.flag("clamp-indices",
             "take an index out of range as the nearest inside (an update there is\n"
             "dropped); by default it is an error of the run",
             options.indices.clamp);
}

static void declareCalibrationOptions(OptionTable &table, CompileSettings &settings) {
  table.text(
      "calib", "PATH",
      "run the model on samples first, so that weights lose what matters least: a\n"
      "text (byte-level models), a .npz file with an array per input, or a folder with\n"
      "NAME.npy per input, or with a folder of such per sample",
      settings.calibration.path);
  table.number("calib-samples", "N", "windows of 512 bytes of a text (default 128)", 1,
               1 << 20, settings.calibration.samples);
  table.text(
      "calib-state", "DIR",
      "keep what is found in this folder while the model runs on samples, and go on\n"
      "from there if the same command was stopped",
      settings.calibration.state);
  table.text(
      "calib-device", "NAME",
      "run the model on samples on this device (default cpu): cuda, cuda:N, sim or\n"
      "sim:PROFILE, for the GPUs among the targets",
      settings.calibration.device);
  table.value(
      "calib-memory", "SIZE",
      "what sums over samples may take at once; if they need more the samples are\n"
      "run several times (default 1GiB)",
      [&](StringRef text) -> Error {
        Expected<uint64_t> bytes = parseBytes("kiln compile: --calib-memory", text);
        if (!bytes)
          return bytes.takeError();
        settings.calibration.memory = *bytes;
        return Error::success();
      });
  table.value(
      "range", "R",
      "with --calib: activations of 8 bits have one scale, a constant, in place of "
      "those\n"
      "that each run finds; it covers max (the largest magnitude of the samples),\n"
      "percentile:P (P % of them, 99.99 by default), or what mse (the squared error) or\n"
      "entropy (the divergence of distributions) says",
      [&settings](StringRef text) {
        settings.compile.precision.range = text.str();
        return settings.compile.precision.check();
      });
  table.text(
      "algorithm", "A",
      "how weights are quantized: rtn (to nearest, the default), mse\n"
      "(ranges with the smallest squared error), gptq (the default with --calib),\n"
      "awq or smoothquant, which also take --calib",
      settings.algorithm);
}

static Expected<OptionTable::Outcome> parseCompile(Arguments arguments,
                                                   CompileSettings &settings) {
  OptionTable table("compile", "M.onnx -o M.kiln [options]",
                    "turn an ONNX model into a package");
  table.positional("M.onnx", "the model (.onnx or .onnxtxt), or its IR (.mlir)",
                   settings.compile.input);
  table.text("output,o", "M.kiln", "the package to write", settings.compile.output);
  declareTargetOptions(table, settings.compile);
  table.text("topology", "T",
             "with --shard auto: devices and links, as in kiln estimate; the mesh with\n"
             "the shortest predicted time is taken, and all are printed",
             settings.topology);
  table.number("threads", "N", "threads of the compiler (default: all)", 1, 1024,
               settings.threads);
  table.value("time-limit", "TIME",
              "fail if the compile takes longer, for example 90s; 0: no limit (default\n"
              "10min)",
              [&](StringRef text) -> Error {
                Expected<double> seconds =
                    parseSeconds("kiln compile: --time-limit", text);
                if (!seconds)
                  return seconds.takeError();
                settings.timeLimit = *seconds;
                return Error::success();
              });
  declareCalibrationOptions(table, settings);
  declareAccuracyOptions(table, settings.accuracy);
  declareDebugOptions(table, settings.compile, settings.debug);
  table.flag("verbose,v", "print phases, remarks and warnings", settings.verbose);
  table.epilog(
      "Without --dims a leading dim named like a batch gets 1..64, one named like a\n"
      "past 0..512 and any other symbol 1..512; what the model needs changes them, with\n"
      "a warning. The ranges chosen are printed.\n");
  Expected<OptionTable::Outcome> outcome = table.parse(arguments);
  settings.given = table.given();
  return outcome;
}

/// Sets the algorithm, and checks that it is compatible with --precision and --calib.
static Error checkAlgorithm(CompileSettings &settings) {
  PrecisionPolicy &precision = settings.compile.precision;
  bool calibrates = !settings.calibration.path.empty();
  bool hasRange = !precision.range.empty();
  if (!settings.algorithm.empty())
    precision.algorithm = settings.algorithm;
  else if (calibrates && (!hasRange || precision.choosesCodes()))
    precision.algorithm = "gptq";
  KILN_CHECK(precision.check());
  KILN_CHECK(precision.checkRange());
  if (hasRange && !calibrates)
    return usageError("kiln compile: --range", "takes samples", "--calib with samples",
                      precision.range + " without --calib", "add --calib");
  if (!precision.activations.empty() && !precision.quantizes())
    return usageError(
        "kiln compile: --activations", "no weights are quantized",
        "--precision with a format of quantized weights", precision.precision,
        "choose --precision " +
            precision.activations.substr(0, precision.activations.find('-')) +
            " for all products in this type");
  if (!calibrates && !settings.calibration.state.empty())
    return usageError("kiln compile: --calib-state", "there is nothing to keep",
                      "--calib", "none", "add --calib");
  if (!calibrates && settings.calibration.device != "cpu")
    return usageError("kiln compile: --calib-device", "there is nothing to run",
                      "--calib", "none", "add --calib");
  if (calibrates != precision.calibrates() && !hasRange)
    return usageError(
        "kiln compile: --algorithm", calibrates ? "takes no samples" : "takes samples",
        calibrates ? "gptq, awq or smoothquant with --calib" : "--calib with samples",
        precision.algorithm + (calibrates ? " with" : " without") + " --calib",
        calibrates ? "leave --calib out" : "add --calib");
  if ((calibrates || !settings.algorithm.empty()) && !precision.quantizes())
    return usageError("kiln compile: --algorithm", "nothing is quantized",
                      "--precision with a format of quantized weights",
                      precision.precision, "add --precision int4");
  return Error::success();
}

/// Determines the mesh for --shard auto or for annotations.
static Error resolveMesh(CompileSettings &settings) {
  if (settings.compile.mesh.shard == kAutoMesh)
    return chooseMesh(settings.compile, settings.topology).moveInto(settings.ranking);
  KILN_CHECK(readAnnotations(settings.compile));
  if (settings.topology.empty())
    return Error::success();
  return usageError("kiln compile: --topology", "there is no mesh to find",
                    "--shard auto", "--shard " + settings.compile.mesh.shard,
                    "add --shard auto, or leave --topology out");
}

/// Options that change how a compile runs and what it prints, not its result.
static constexpr StringLiteral kOfRun[] = {"output",
                                           "threads",
                                           "time-limit",
                                           "verbose",
                                           "quiet",
                                           "verify",
                                           "save-temps",
                                           "compile-from",
                                           "compile-to",
                                           "remarks",
                                           "remarks-file",
                                           "mlir-timing",
                                           "print-pipeline",
                                           "print-plan-at",
                                           "mlir-pass-statistics",
                                           "mlir-print-ir-before",
                                           "mlir-print-ir-after",
                                           "mlir-print-ir-after-change",
                                           "mlir-print-ir-tree-dir"};

/// Sets the options that a dump records. Other options are refused, since the phases that
/// are done did not have them.
static Error resumeDump(CompileSettings &settings) {
  for (const std::string &name : settings.given)
    if (!is_contained(kOfRun, name))
      return usageError("kiln compile: --" + name, "is decided by the dump already",
                        "a model, or a dump without this option",
                        "'" + settings.compile.input + "'",
                        "leave it out, or compile the model with it");
  return takeDump(settings.compile, settings.debug.compileFrom);
}

/// Checks the outputs. `input` is the input as given: --output may name neither a model
/// nor its dump.
static Error checkOutputs(CompileSettings &settings, StringRef input) {
  CompileOptions &options = settings.compile;
  KILN_CHECK(checkDebugSettings(settings.debug, options));
  bool writesText = !options.compileTo.empty() || !options.printPipeline.empty();
  if (options.output.empty()) {
    if (!writesText)
      return usageError("kiln compile", "no output is named", "-o M.kiln", "none",
                        "add -o and the name of the package");
    options.output = "-";
  }
  if (options.output == "-" && !writesText)
    return usageError("kiln compile: --output", "a package does not go to stdout",
                      "the name of a file", "'-'", "add -o and the name of the package");
  if (options.output == "-")
    return Error::success();
  KILN_CHECK(checkOutput(options.output));
  if (sys::fs::equivalent(input, options.output) ||
      sys::fs::equivalent(options.input, options.output))
    return usageError("kiln compile: --output", "would overwrite the model",
                      "another file", "'" + options.output + "'", "choose another name");
  return Error::success();
}

static Error checkSettings(CompileSettings &settings) {
  const std::string input = settings.compile.input;
  settings.compile.threads = static_cast<unsigned>(settings.threads);
  if (isModuleFile(input) || !settings.debug.compileFrom.empty()) {
    KILN_CHECK(resumeDump(settings));
    return checkOutputs(settings, input);
  }
  KILN_CHECK(checkAlgorithm(settings));
  KILN_CHECK(
      checkAccuracy(settings.accuracy, settings.compile, settings.calibration.path));
  KILN_CHECK(checkOutputs(settings, input));
  return resolveMesh(settings);
}

static uint64_t physicalMemory() {
  long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? uint64_t(pages) * uint64_t(bytes) : 0;
}

static double peakMebibytes() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

static std::string dimRangeText(const DimRange &dim) {
  return dim.name + "=" + std::to_string(dim.lo) + ".." + std::to_string(dim.hi);
}

/// Prints the size of quantized weights before and after, and the predicted speedup of
/// their matmuls.
static void printWeightBytes(raw_ostream &os, const CompileReport &report) {
  uint64_t before = 0, after = 0;
  for (const PrecisionEntry &entry : report.precision)
    if (entry.bytesAfter != entry.bytesBefore) { // equal if the model is quantized
                                                 // already
      before += entry.bytesBefore;
      after += entry.bytesAfter;
    }
  if (after)
    os << "           weights of " << formatBytes(before) << " in " << formatBytes(after)
       << '\n';
  for (const PredictedSpeed &speed :
       after ? report.predicted : std::vector<PredictedSpeed>())
    os << "           predicted on " << speed.target << ": products of 1 row "
       << formatv("{0:f2}x", speed.decode) << " as fast as in f32, of 512 rows "
       << formatv("{0:f2}x", speed.prefill) << '\n';
}

static std::string kindOf(const PrecisionEntry &entry) {
  return entry.op == PrecisionEntry::kCache ? "caches" : "products";
}

/// Prints one line per lower format, and one per reason why the precision was not
/// lowered; every node with --verbose.
static void printPrecision(const CompileOptions &options, const CompileReport &report,
                           bool nodes) {
  raw_ostream &os = text();
  std::map<std::string, std::map<std::string, unsigned>> lowered; // format, then op, to
                                                                  // count
  std::map<std::pair<std::string, std::string>, unsigned> kept;
  for (const PrecisionEntry &entry : report.precision)
    if (entry.was != entry.became)
      ++lowered[kindOf(entry) + " in " + entry.became][entry.op];
    else
      ++kept[{entry.op, entry.was + ": " + entry.why}];
  auto counted = [](const auto &pair) {
    return std::to_string(pair.second) + ' ' + pair.first;
  };
  if (lowered.empty())
    lowered["products in " + options.precision.precision];
  for (const auto &[what, ops] : lowered)
    os << "  " << what << ": "
       << (ops.empty() ? "none" : join(map_range(ops, counted), ", ")) << '\n';
  printWeightBytes(os, report);
  for (const auto &[what, count] : kept)
    os << "           " << count << ' ' << what.first << " in " << what.second << '\n';
  for (const PrecisionEntry &entry : report.precision)
    if (nodes)
      os << "           " << entry.op << ' ' << withoutControls(entry.node) << ": "
         << entry.was << " -> " << entry.became << " (" << entry.why << ")\n";
}

/// Prints one line with the memory of the largest run, by arena.
static void printMemory(raw_ostream &os, const CompileReport &report, int64_t ranks) {
  uint64_t total = 0;
  std::vector<std::string> parts;
  for (const CompileReport::Arena &arena : report.arenas) {
    total = SaturatingAdd(total, arena.maxBytes);
    if (arena.maxBytes)
      parts.push_back(arena.kind + " " + formatBytes(arena.maxBytes));
  }
  os << "  memory   at most " << formatBytes(total) << (ranks > 1 ? " of each rank" : "")
     << ": " << join(parts, ", ") << '\n';
}

/// Returns the remarks on what looks like an attention, a norm or an activation, and is
/// computed op by op.
static std::vector<const PassRemark *> unfusedOf(const CompileReport &report) {
  static constexpr StringLiteral kRaising[] = {"kiln-raise-attention", "kiln-raise-gelu",
                                               "kiln-raise-layer-norm",
                                               "kiln-raise-rope"};
  std::vector<const PassRemark *> unfused;
  for (const PassRemark &remark : report.remarks)
    if (remark.kind == PassRemark::Missed && is_contained(kRaising, remark.pass))
      unfused.push_back(&remark);
  return unfused;
}

/// Prints the subgraphs that became one kernel each, such as attention, and one line for
/// each reason why something that looks like one did not.
static void printFused(raw_ostream &os, const CompileReport &report) {
  std::vector<const PassRemark *> unfused = unfusedOf(report);
  if (report.fused.empty() && unfused.empty())
    return;
  auto counted = [](const auto &pair) {
    return std::to_string(pair.second) + ' ' + pair.first;
  };
  os << "  fused    "
     << (report.fused.empty() ? "nothing" : join(map_range(report.fused, counted), ", "))
     << '\n';
  using Reason = std::pair<std::string, std::string>; // rule and text
  MapVector<Reason, std::vector<StringRef>, std::map<Reason, unsigned>> reasons;
  for (const PassRemark *one : unfused)
    reasons[{one->name, one->text()}].push_back(one->node);
  for (const auto &[what, nodes] : reasons) {
    os << "           not " << nodes.size() << ' ' << what.first << ": " << what.second
       << " (" << withoutControls(nodes.front());
    if (nodes.size() > 1)
      os << " and " << nodes.size() - 1 << " more";
    os << ")\n";
  }
}

static std::string behindProducts(const Mesh &mesh) {
  std::string text;
  if (mesh.tp > 1 && mesh.sequence)
    text = "; behind each product by rows a reduce-scatter where its sum is split by "
           "sequence, else an all-reduce";
  else if (mesh.tp > 1)
    text = "; an all-reduce behind each by rows";
  if (mesh.cp > 1)
    text +=
        "; an all-gather of keys and values in front of each attention by context, and "
        "an exchange of rows for heads in front of and behind each by exchanged heads";
  if (mesh.dividesCaches)
    text += ", and an all-reduce behind each by cache";
  if (mesh.tp == 1)
    text += ", and every rank has all weights";
  return text;
}

/// Prints how many matmuls and attentions are divided in which way, and one line per
/// reason why one is not; every node with --verbose.
static void printSharding(raw_ostream &os, const CompileReport &report, bool nodes) {
  std::map<std::string, unsigned> split; // by op and kind of division
  MapVector<StringRef, std::vector<StringRef>> whole;
  for (const ShardEntry &entry : report.sharding)
    if (entry.split == ShardEntry::kReplicated)
      whole[entry.why].push_back(entry.node);
    else
      ++split[entry.op + " by " + entry.split];
  auto counted = [](const auto &pair) {
    return std::to_string(pair.second) + ' ' + pair.first;
  };
  os << "  ranks    " << report.mesh.ranksOfStage() << ": "
     << join(map_range(split, counted), ", ") << behindProducts(report.mesh) << '\n';
  for (const auto &[why, which] : whole)
    os << "           " << which.size()
       << " whole on every rank: " << withoutControls(why) << " ("
       << withoutControls(which.front()) << (which.size() > 1 ? ", ..." : "") << ")\n";
  for (const ShardEntry &entry : report.sharding)
    if (nodes)
      os << "           " << entry.op << ' ' << withoutControls(entry.node) << ": "
         << entry.split << '\n';
}

static void printPipeline(raw_ostream &os, const CompileReport &report) {
  auto megabytes = [](int64_t bytes) {
    return formatBytes(static_cast<uint64_t>(bytes));
  };
  os << "  stages   " << report.mesh.pp << ": weights of "
     << join(map_range(report.stageWeights, megabytes), ", ") << "; " << report.handovers
     << " handovers in a run\n";
  for (const CompileReport::PipelinedProgram &one : report.pipelined)
    os << "           "
       << bubbleText(one.name == "main" ? "a run" : one.name, one.microBatches,
                     one.bubble)
       << '\n';
}

/// Prints how many indices are checked at run time, proved to be in range, or clamped.
static void printIndices(raw_ostream &os, const IndexReport &indices) {
  SmallVector<std::string> parts;
  auto add = [&](unsigned count, const char *what) {
    if (count)
      parts.push_back(std::to_string(count) + what);
  };
  add(indices.beforeRun, " checked before a run");
  add(indices.byModel, " by the model");
  add(indices.proved, " always in range");
  add(indices.clamped, " clamped, as no code can be generated for their check");
  if (!parts.empty())
    os << "  indices  " << join(parts, ", ") << '\n';
}

static void printCalibration(raw_ostream &os, const CalibrationResult &result) {
  if (!result.calibration && !result.ranges)
    return;
  os << "  samples  " << result.samples << ", run " << result.passes
     << (result.passes == 1 ? " time" : " times") << " for " << result.inputs
     << " inputs of products, whose "
     << (result.ranges ? "values and histograms" : "sums") << " took at most "
     << formatBytes(result.bytes) << '\n';
  if (result.resumed)
    os << "           " << result.resumed << " of " << result.passes * result.samples
       << " runs were done already\n";
}

/// Prints dims that depend on other dims, so that a run cannot set them independently.
static void printDependentDims(raw_ostream &os, ArrayRef<std::string> dims, bool all) {
  if (dims.empty())
    return;
  constexpr size_t kShown = 3;
  ArrayRef<std::string> shown = all ? dims : dims.take_front(kShown);
  os << "           and of the model " << withoutControls(join(shown, ", "));
  if (shown.size() < dims.size())
    os << " and " << dims.size() - shown.size() << " more (-v lists them)";
  os << '\n';
}

static void printReport(const CompileSettings &settings, const CompileReport &report,
                        ArrayRef<CalibrationResult> calibrations, double seconds) {
  const CompileOptions &options = settings.compile;
  bool phases = settings.verbose;
  raw_ostream &os = text();
  os << withoutControls(options.output) << ": " << formatBytes(report.outputBytes)
     << " for " << join(report.targets, ", ") << '\n';
  if (!report.features.empty())
    os << "  needs    a CPU with " << join(report.features, ", ") << '\n';
  os << "  dims     "
     << (report.dims.empty()
             ? "all fixed"
             : withoutControls(join(map_range(report.dims, dimRangeText), ",")))
     << '\n';
  printDependentDims(os, report.dependentDims, phases);
  os << "  kernels  " << report.kernels << " different, " << report.steps
     << " steps, from " << report.nodes << " ONNX nodes\n";
  if (report.variants)
    os << "           and " << report.variants
       << " for skinny GEMMs on GPUs: a row's bits depend on how many run\n"
          "           (--batch-invariant keeps one kernel per product)\n";
  printFused(os, report);
  if (!settings.ranking.empty()) {
    os << "  mesh     " << report.mesh.ranks()
       << " ranks, as --shard auto ranks them (predicted times):\n";
    printRanking(os, settings.ranking);
  }
  if (report.mesh.ranksOfStage() > 1)
    printSharding(os, report, phases);
  if (report.mesh.pp > 1)
    printPipeline(os, report);
  printMemory(os, report, report.mesh.ranks());
  for (const CalibrationResult &calibration : calibrations)
    printCalibration(os, calibration);
  if (options.indices.clamp)
    os << "  indices  clamped to what they index, not checked (--clamp-indices)\n";
  else
    printIndices(os, report.indices);
  // A model that is already quantized has low-precision matmuls without --precision.
  bool lowers = any_of(report.precision, [](const PrecisionEntry &entry) {
    return entry.was != entry.became;
  });
  if (lowers || options.precision.precision != "f32" || !options.precision.cache.empty())
    printPrecision(options, report, phases);
  if (options.accuracy && settings.accuracy.budget)
    printAccuracy(os, *settings.accuracy.budget, *options.accuracy);
  os << "  time     " << formatSeconds(seconds) << ", peak memory "
     << formatBytes(static_cast<uint64_t>(peakMebibytes() * 0x1p20)) << '\n';
  if (!phases)
    return;
  for (const CompileReport::Phase &phase : report.phases)
    os << "           " << formatSeconds(phase.seconds) << ' ' << phase.name << '\n';
  printKernelTimes(os, report.kernelTimes);
}

/// Warns that tensor cores of GPUs multiply floats, so a quantized cache saves memory but
/// no time.
static void warnOfExpandedCaches(const CompileOptions &options) {
  std::vector<std::string> gpus = gpuTargets();
  auto gpu = find_if(options.targets.names, [&](const std::string &target) {
    return is_contained(gpus, target);
  });
  StringRef type = options.precision.floatType();
  if (!options.precision.cache.empty() && gpu != options.targets.names.end() &&
      (type == "bf16" || type == "f16"))
    errs() << "warning: attention of " << *gpu << " in " << type
           << " does not read caches in " << options.precision.cache
           << ": every run of this package expands them; attention in f32 reads them as "
              "they are\n";
}

/// Warns if a run with default ranges of dims may need most of the machine's memory.
static void warnOfMemory(const CompileReport &report) {
  uint64_t needed = 0, memory = physicalMemory();
  for (const CompileReport::Arena &arena : report.arenas)
    needed = SaturatingAdd(needed, arena.maxBytes);
  if (report.defaults.empty() || !memory || needed <= memory / 2)
    return;
  std::string ranges;
  for (const DimRange &dim : report.dims)
    if (is_contained(report.defaults, dim.name))
      ranges += (ranges.empty() ? "" : ",") + dimRangeText(dim);
  errs() << "warning: a run could take " << formatBytes(needed)
         << ", more than half of this machine's " << formatBytes(memory)
         << ", with the default ranges " << ranges << "; narrow them with --dims\n";
}

/// Warns of matmuls that the cost model predicts to be slower on a target, with the
/// slowest one.
static void warnOfSlowerProducts(const CompileReport &report, StringRef target) {
  constexpr double kRounding = 0.995;
  unsigned count = 0;
  double slowest = kRounding;
  std::string what;
  for (const PrecisionEntry &entry : report.precision)
    for (const PredictedSpeed &speed : entry.predicted) {
      double own = std::min(speed.decode, speed.prefill);
      if (speed.target != target || own >= kRounding)
        continue;
      ++count;
      if (own >= slowest)
        continue;
      slowest = own;
      what =
          formatv("{0} in {1}: {2:f2}x with {3}", withoutControls(entry.node),
                  entry.became, own, speed.decode < speed.prefill ? "1 row" : "512 rows")
              .str();
    }
  if (count)
    errs() << "warning: the cost model predicts that " << count
           << (count == 1 ? " product is" : " products are") << " slower on " << target
           << " than in f32 (" << what
           << "); a policy or another format avoids it, kiln inspect --precision lists "
              "all\n";
}

/// Warns of predicted slowdowns on all targets.
static void warnOfSlowerProducts(const CompileReport &report) {
  if (isQuiet())
    return;
  for (const std::string &target : report.targets)
    warnOfSlowerProducts(report, target);
}

/// Runs the calibrations and sets their results in the precision policy: matrices for the
/// algorithm, and ranges of activations.
static Error runCalibrations(CompileSettings &settings,
                             std::vector<CalibrationResult> &results) {
  if (settings.calibration.path.empty())
    return Error::success();
  PrecisionPolicy &precision = settings.compile.precision;
  settings.compile.progress("calibrate");
  for (auto [isAsked, find] :
       {std::pair(precision.calibrates(), &quantization::calibrate),
        std::pair(!precision.range.empty(), &quantization::calibrateRanges)}) {
    if (!isAsked)
      continue;
    auto found = find(onOneRank(settings.compile), settings.calibration);
    if (!found)
      return found.takeError();
    results.push_back(std::move(*found));
    if (const std::string &warning = results.back().warning;
        !warning.empty() && !isQuiet())
      errs() << "warning: " << withoutControls(warning) << '\n';
    if (results.back().ranges)
      precision.ranges = results.back().ranges;
    else
      precision.calibration = results.back().calibration;
  }
  return Error::success();
}

/// Searches for a policy that keeps the accuracy budget. Ctrl-C ends the search with its
/// best result.
static Error keepBudget(CompileSettings &settings, double deadline) {
  if (!settings.accuracy.budget)
    return Error::success();
  InterruptWatch watch;
  settings.accuracy.isInterrupted = [&] { return watch.isInterrupted(); };
  return meetBudget(settings.compile, settings.accuracy, deadline);
}

static Expected<int> compileAndReport(CompileSettings &settings) {
  KILN_CHECK(checkSettings(settings));
  double begin = now();
  CompileReport report;
  std::vector<CalibrationResult> calibrations;
  settings.compile.keepRemarks =
      settings.debug.printCounts || !settings.debug.remarksFile.empty();
  if (settings.verbose && settings.compile.remarks.empty())
    settings.compile.remarks = ".";
  DiagnosticReporter reporter(settings.verbose || !settings.compile.remarks.empty());
  settings.compile.diagnose = [&](mlir::Diagnostic &d) {
    // Warnings about the model as a whole are printed without --verbose, too, because
    // they restrict the use of the package.
    bool ofModel = d.getSeverity() == mlir::DiagnosticSeverity::Warning &&
                   isa<mlir::UnknownLoc>(d.getLocation());
    if (!ofModel)
      reporter.handle(d);
    else if (!isQuiet())
      errs() << "warning: " << d << '\n';
  };
  {
    Progress progress(settings.verbose && !isQuiet());
    TimeLimit limit(settings.timeLimit);
    settings.compile.progress = [&](StringRef phase) {
      limit.begin(phase);
      progress.begin(phase);
    };
    KILN_CHECK(runCalibrations(settings, calibrations));
    KILN_CHECK(
        keepBudget(settings, settings.timeLimit > 0 ? begin + settings.timeLimit : 0));
    if (Error error = compile(settings.compile, report))
      return reporter.finish(std::move(error));
  }
  if (!settings.accuracy.policyOut.empty())
    KILN_CHECK(writePolicy(settings.accuracy.policyOut, settings.compile.precision));
  KILN_CHECK(showRemarks(settings.debug, settings.compile, report));
  if (settings.compile.compileTo.empty() && settings.compile.printPipeline.empty()) {
    printReport(settings, report, calibrations, now() - begin);
    warnOfMemory(report);
    warnOfExpandedCaches(settings.compile);
    warnOfSlowerProducts(report);
  }
  return 0;
}

int driver::runCompile(Arguments arguments) {
  return runCommand(arguments, parseCompile, compileAndReport);
}
