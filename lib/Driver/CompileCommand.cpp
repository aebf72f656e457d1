//===- CompileCommand.cpp - kiln compile ----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccuracyOptions.h"
#include "AutoMesh.h"
#include "Command.h"
#include "CompileSummary.h"
#include "DebugOptions.h"
#include "ModelOptions.h"
#include "kiln/Pipeline/Annotations.h"
#include "kiln/Pipeline/Compile.h"
#include "kiln/Pipeline/Phases.h"
#include "kiln/Pipeline/Resume.h"
#include "kiln/Quantization/Calibrate.h"
#include "kiln/Support/Clock.h"
#include "lib/Driver/Support/Interrupt.h"
#include "lib/Driver/Support/Progress.h"
#include "lib/Driver/Support/TimeLimit.h"
#include "lib/Driver/Support/Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

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
  std::string epilog =
      "Phases that leave IR, in order:\n" + describeModulePhases() +
      "--compile-to, --compile-from and --print-pipeline take one of them, --save-temps\n"
      "writes all; each is --kiln-PHASE-pipeline of kiln-opt (docs/hacking/opt.md).\n\n"
      "Without --dims a leading dim named like a batch gets 1..64, one named like a\n"
      "past 0..512 and any other symbol 1..512; what the model needs changes them, with\n"
      "a warning. The ranges chosen are printed.\n";
  table.epilog(epilog);
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
    printSummary({settings.compile, report, settings.ranking, settings.accuracy.budget,
                  calibrations, now() - begin, settings.verbose});
    warnOfCompile(settings.compile, report);
  }
  return 0;
}

int driver::runCompile(Arguments arguments) {
  return runCommand(arguments, parseCompile, compileAndReport);
}
