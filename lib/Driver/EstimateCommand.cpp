//===- EstimateCommand.cpp - kiln estimate --------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AutoMesh.h"
#include "Command.h"
#include "ModelOptions.h"
#include "kiln/ErrorCodes/Usage.h"
#include "kiln/Estimate/Prices.h"
#include "kiln/Estimate/Simulator.h"
#include "kiln/Execution/PackageEstimate.h"
#include "kiln/Pipeline/Describe.h"
#include "lib/Driver/Support/Values.h"
#include "lib/Driver/Tables/EstimateReport.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::execution;
using namespace kiln::estimate;
using namespace llvm;

namespace {
struct EstimateSettings {
  CompileOptions compile;
  std::string topology, shard = kAutoMesh.str(), prices, timeline;
  uint64_t ranks = 0, runs = 1, newTokens = 128;
  bool json = false;
};

/// One invocation of `kiln estimate`.
class Estimator {
public:
  explicit Estimator(EstimateSettings &settings) : settings(settings) {}
  Error run();

private:
  Error readFiles();
  Error checkRanks(int64_t ranks) const;
  Error checkTimeline(int64_t ranks) const;
  Error checkOverlap() const;
  Error checkMicroBatches() const;
  Error choose(Searcher &searcher);
  Error chooseGiven(Searcher &searcher);
  Error chooseCount(Searcher &searcher);
  Error simulateChosen(Searcher &searcher);
  Error estimateModel();
  Error estimatePackage();
  Error writeTimeline(ArrayRef<std::pair<std::string, Timeline>> timelines) const;

  EstimateSettings &settings;
  Estimate result;
};
} // namespace

/// With more ranks, the simulation would dominate the time of an estimate.
static constexpr int64_t kMaxSimulatedRanks = 64;

static Expected<OptionTable::Outcome> parseEstimate(Arguments arguments,
                                                    EstimateSettings &settings) {
  OptionTable table("estimate", "MODEL --topology T [options]",
                    "say whether a model fits, how fast it would be and on how many "
                    "devices");
  table.positional("MODEL",
                   "a model, whose external data may be missing, or a package (.kiln)",
                   settings.compile.input);
  std::string names;
  for (const Profile &profile : profiles())
    names += (names.empty()                           ? ""
              : names.size() - names.rfind('\n') > 60 ? ",\n"
                                                      : ", ") +
             profile.name.str();
  static const std::string help =
      "devices, nodes and links: a JSON file (docs/guides/estimate.md), or\n" + names;
  table.text("topology", "T", help, settings.topology);
  table.number("ranks", "N",
               "how many ranks run the model (default: the smallest number that fits)", 1,
               Mesh::kMaxPlannedRanks, settings.ranks);
  table.text("shard", "MESH",
             "how ranks divide the model, as in kiln compile; auto (default): the\n"
             "fastest mesh that fits",
             settings.shard);
  declareEstimateOptions(table, settings.compile);
  table.number("runs", "N",
               "runs that follow each other through the stages of a pipeline (default\n"
               "1, as ranks run them today)",
               1, 1024, settings.runs);
  table.number("new-tokens", "N",
               "of a decoder: steps of decoding per prompt, for the ranking (default "
               "128)",
               0, 1 << 20, settings.newTokens);
  table.text("prices", "FILE", "JSON with the price of an hour of each device",
             settings.prices);
  table.text("timeline", "FILE",
             "simulate each program, and write a track per rank and link as a trace\n"
             "for Chrome and Perfetto",
             settings.timeline);
  table.flag("json", "print the estimate as JSON", settings.json);
  table.epilog("Runs every phase up to the plan for each way to divide a stage among "
               "ranks, at the\n"
               "largest sizes of --dims; reads no weights. Times are lower bounds.\n"
               "Exit status: 0 also if the model does not fit.\n");
  return table.parse(arguments);
}

Error Estimator::readFiles() {
  if (settings.topology.empty())
    return usageError("kiln estimate: --topology", "is missing",
                      "a profile or a file, for example h100x8", "none",
                      "kiln estimate --help lists the profiles");
  if (Error error = readTopology(settings.topology).moveInto(result.topology))
    return error;
  if (!settings.timeline.empty())
    KILN_CHECK(checkOutput(settings.timeline));
  if (settings.prices.empty())
    return Error::success();
  auto file = MemoryBuffer::getFile(settings.prices);
  if (!file)
    return makeError({ErrorCode::FileNotFound, settings.prices, "prices cannot be read",
                      "a readable file", file.getError().message(),
                      "check the path of --prices"});
  Prices prices;
  if (Error error = Prices::parse((*file)->getBuffer(), settings.prices).moveInto(prices))
    return error;
  result.currency = prices.currency;
  double price = 0;
  if (Error error =
          prices.of(result.topology.device.name, settings.prices).moveInto(price))
    return error;
  result.devicePrice = price;
  return Error::success();
}

Error Estimator::checkRanks(int64_t ranks) const {
  return checkDevices("kiln estimate: --ranks", ranks, result.topology);
}

Error Estimator::checkTimeline(int64_t ranks) const {
  if (settings.timeline.empty() || ranks <= kMaxSimulatedRanks)
    return Error::success();
  return usageError("kiln estimate: --timeline", "is for fewer ranks",
                    "at most " + Twine(kMaxSimulatedRanks), Twine(ranks),
                    "choose fewer ranks, or leave --timeline out");
}

/// Estimates the given mesh, or the best one for the given number of ranks.
Error Estimator::chooseGiven(Searcher &searcher) {
  int64_t ranks = static_cast<int64_t>(settings.ranks);
  KILN_CHECK(checkTimeline(ranks));
  if (settings.shard == kAutoMesh) {
    KILN_CHECK(checkRanks(ranks));
    result.ranking = searcher.rank(ranks);
    result.chosen = result.ranking.front();
    return Error::success();
  }
  Expected<Mesh> mesh = Mesh::parse(settings.shard, ranks, "kiln estimate: --shard");
  if (!mesh)
    return mesh.takeError();
  KILN_CHECK(checkRanks(mesh->ranks()));
  result.chosen = searcher.predict({mesh->ranksOfStage(), mesh->pp, mesh->division(),
                                    mesh->cp > 1 ? mesh->tp : 1, mesh->dividesCaches});
  return Error::success();
}

/// Checks that --overlap is used with tp or sp only: with pp and cp, kiln compile has no
/// matmuls to overlap with collectives.
Error Estimator::checkOverlap() const {
  StringRef shard = settings.shard;
  if (settings.compile.mesh.overlap == 1 || shard == kAutoMesh ||
      (!shard.contains("pp") && !shard.contains("cp")))
    return Error::success();
  return usageError("kiln estimate: --overlap", "is for collectives of one mesh",
                    "--shard tp or sp", "--shard " + shard,
                    "choose a mesh, or leave --overlap out");
}

Error Estimator::checkMicroBatches() const {
  StringRef shard = settings.shard;
  if (settings.compile.mesh.microBatches == 1 || shard == kAutoMesh ||
      (shard.contains("pp") && !shard.contains("cp")))
    return Error::success();
  return usageError("kiln estimate: --micro-batches", "is for stages of a pipeline",
                    "a mesh with pp and without cp", "--shard " + shard,
                    "choose --shard pp, or leave --micro-batches out");
}

/// Chooses the smallest number of ranks that fits; if none fits, the one that lacks the
/// least memory.
Error Estimator::chooseCount(Searcher &searcher) {
  result.counts =
      searcher.counts(std::min(result.topology.devices(), Mesh::kMaxPlannedRanks));
  auto found = find_if(result.counts,
                       [](const Candidate &one) { return one.prediction && one.fits; });
  if (found == result.counts.end())
    found = min_element(result.counts, [](const Candidate &a, const Candidate &b) {
      auto bytes = [](const Candidate &one) {
        return one.prediction ? one.prediction->memory.total() : HUGE_VAL;
      };
      return bytes(a) < bytes(b);
    });
  result.ranking = searcher.rank(found->mesh.ranks());
  result.chosen = result.ranking.front();
  return Error::success();
}

Error Estimator::choose(Searcher &searcher) {
  KILN_CHECK(checkOverlap());
  KILN_CHECK(checkMicroBatches());
  bool isCounted = settings.ranks > 0 || settings.shard != kAutoMesh;
  KILN_CHECK(isCounted ? chooseGiven(searcher) : chooseCount(searcher));
  if (result.chosen.prediction)
    return Error::success();
  return refuseMesh(searcher, result.chosen, settings.compile.input);
}

Error Estimator::writeTimeline(
    ArrayRef<std::pair<std::string, Timeline>> timelines) const {
  std::error_code code;
  raw_fd_ostream file(settings.timeline, code);
  if (!code) {
    writeTrace(file, timelines);
    file.flush();
    code = file.error();
    file.clear_error();
  }
  if (!code)
    return Error::success();
  return makeError({ErrorCode::OutputNotWritable, settings.timeline,
                    "the timeline cannot be written", "a writable path", code.message(),
                    "check the path of --timeline"});
}

Error Estimator::simulateChosen(Searcher &searcher) {
  const MeshShape &mesh = result.chosen.mesh;
  KILN_CHECK(checkTimeline(mesh.ranks()));
  if (mesh.ranks() > kMaxSimulatedRanks)
    return Error::success();
  const Workload &workload = *searcher.workload(mesh);
  std::string why;
  std::optional<StagedWorkload> staged = assignStages(workload, mesh.pp, why);
  SimulationOptions options{static_cast<int64_t>(settings.runs),
                            !settings.timeline.empty()};
  std::vector<std::pair<std::string, Timeline>> timelines;
  for (auto [program, stages] : zip(workload.programs, staged->programs)) {
    timelines.emplace_back(program.name,
                           simulate(program, stages, mesh, result.topology, options));
    result.simulated.push_back(timelines.back().second.seconds);
    result.hidden.push_back(timelines.back().second.hidden());
  }
  return settings.timeline.empty() ? Error::success() : writeTimeline(timelines);
}

/// Estimates a package, whose mesh and range of sizes are fixed.
Error Estimator::estimatePackage() {
  Expected<PackageWorkload> package =
      describePackage(settings.compile.input, settings.compile.dims,
                      *TargetInfo::find(result.topology.device.target));
  if (!package)
    return package.takeError();
  int64_t ranks = package->mesh.ranks();
  if (settings.shard != kAutoMesh || (settings.ranks && int64_t(settings.ranks) != ranks))
    return usageError("kiln estimate: --shard", "a package is of one mesh",
                      "no --shard, and " + Twine(ranks) + " --ranks",
                      "--shard " + settings.shard + ", --ranks " + Twine(settings.ranks),
                      "leave both out, or estimate the ONNX model");
  if (!settings.timeline.empty())
    return usageError("kiln estimate: --timeline", "is for models", "an ONNX model",
                      "a package", "estimate the ONNX model");
  KILN_CHECK(checkRanks(ranks));
  result.chosen.mesh = package->mesh;
  result.chosen.prediction =
      predict(package->workload, package->staged, package->mesh, result.topology);
  result.chosen.fits =
      result.chosen.prediction->memory.total() <= result.topology.device.memoryBytes;
  result.dims = package->workload.dims;
  return Error::success();
}

Error Estimator::estimateModel() {
  settings.compile.targets.names = {result.topology.device.target};
  result.options = {static_cast<int64_t>(settings.runs),
                    static_cast<int64_t>(settings.newTokens),
                    settings.compile.mesh.microBatches, settings.compile.mesh.overlap};
  result.options.triesParts = result.options.microBatches == 1 &&
                              result.options.overlap == 1 && settings.shard == kAutoMesh;
  Searcher searcher(
      result.topology,
      [&](const MeshShape &mesh) { return describe(settings.compile, mesh); },
      result.options);
  KILN_CHECK(choose(searcher));
  result.dims = searcher.workload(result.chosen.mesh)->dims;
  return simulateChosen(searcher);
}

Error Estimator::run() {
  KILN_CHECK(readFiles());
  result.model = settings.compile.input;
  bool isPackage = StringRef(settings.compile.input).ends_with(".kiln");
  KILN_CHECK(isPackage ? estimatePackage() : estimateModel());
  if (settings.json)
    outs() << formatv("{0:2}", json::Value(estimateJson(result))) << '\n';
  else
    printEstimate(text(), result);
  return Error::success();
}

static Expected<int> estimateAndReport(EstimateSettings &settings) {
  if (Error error = Estimator(settings).run())
    return std::move(error);
  return 0;
}

int driver::runEstimate(Arguments arguments) {
  return runCommand(arguments, parseEstimate, estimateAndReport);
}
