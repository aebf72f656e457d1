//===- CompileSummary.cpp - What a compile prints at its end --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompileSummary.h"
#include "AccuracyOptions.h"
#include "kiln/Support/Error.h"
#include "lib/Driver/Support/Report.h"
#include "lib/Driver/Support/Values.h"
#include "lib/Driver/Tables/BubbleText.h"
#include "lib/Driver/Tables/EstimateReport.h"
#include "lib/Driver/Tables/KernelTimeTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <sys/resource.h>
#include <unistd.h>

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::quantization;
using namespace llvm;

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

void driver::printSummary(const CompileSummary &summary) {
  const CompileOptions &options = summary.options;
  const CompileReport &report = summary.report;
  bool phases = summary.verbose;
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
  if (!summary.ranking.empty()) {
    os << "  mesh     " << report.mesh.ranks()
       << " ranks, as --shard auto ranks them (predicted times):\n";
    printRanking(os, summary.ranking);
  }
  if (report.mesh.ranksOfStage() > 1)
    printSharding(os, report, phases);
  if (report.mesh.pp > 1)
    printPipeline(os, report);
  printMemory(os, report, report.mesh.ranks());
  for (const CalibrationResult &calibration : summary.calibrations)
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
  if (options.accuracy && summary.budget)
    printAccuracy(os, *summary.budget, *options.accuracy);
  os << "  time     " << formatSeconds(summary.seconds) << ", peak memory "
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

void driver::warnOfCompile(const CompileOptions &options, const CompileReport &report) {
  warnOfMemory(report);
  warnOfExpandedCaches(options);
  warnOfSlowerProducts(report);
}
