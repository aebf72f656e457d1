//===- AutoMesh.cpp - --shard auto ----------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AutoMesh.h"
#include "kiln/ErrorCodes/Graph.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/Pipeline/Describe.h"
#include "lib/Driver/Support/Report.h"
#include "lib/Driver/Support/Values.h"

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::estimate;
using namespace llvm;

Error driver::checkDevices(StringRef place, int64_t ranks, const Topology &topology) {
  if (ranks <= topology.devices())
    return Error::success();
  return usageError(place, "are more than the topology has devices",
                    "at most " + Twine(topology.devices()), Twine(ranks),
                    "choose fewer ranks, or a topology with more devices");
}

Error driver::refuseMesh(Searcher &searcher, const Candidate &candidate,
                         StringRef place) {
  if (const Diagnosis *problem = searcher.problem(candidate.mesh))
    return makeError(*problem);
  return makeError({ErrorCode::ShardImpossible, place.str(),
                    "the model cannot be split as " + candidate.mesh.str(),
                    "a mesh that the model can be split by", candidate.why,
                    "choose another mesh or number of ranks"});
}

/// Makes the error for a best mesh that is impossible or does not fit.
static Error refuse(Searcher &searcher, const Candidate &best, const Topology &topology) {
  if (!best.prediction)
    return refuseMesh(searcher, best, "--shard auto");
  auto bytes = [](double number) { return formatBytes(static_cast<uint64_t>(number)); };
  return makeError({ErrorCode::MemoryLimit, "--shard auto",
                    "no mesh of " + std::to_string(best.mesh.ranks()) + " ranks fits",
                    "at most " + bytes(topology.device.memoryBytes) + " per rank",
                    bytes(best.prediction->memory.total()) + " with " + best.mesh.str(),
                    "choose more ranks, or narrow the envelope with --dims"});
}

Expected<std::vector<Candidate>> driver::chooseMesh(CompileOptions &options,
                                                    StringRef name) {
  if (options.mesh.ranks < 1 || name.empty())
    return usageError("kiln compile: --shard", "auto finds a mesh for ranks on devices",
                      "--ranks and --topology",
                      options.mesh.ranks < 1 ? "no --ranks" : "no --topology",
                      "add for example --ranks 2 --topology epyc9654x2");
  Expected<Topology> topology = readTopology(name);
  if (!topology)
    return topology.takeError();
  if (Error error = checkDevices("kiln compile: --ranks", options.mesh.ranks, *topology))
    return std::move(error);
  CompileOptions described = options;
  described.targets.names = {topology->device.target};
  Searcher searcher(
      *topology, [&](const MeshShape &mesh) { return describe(described, mesh); },
      {.microBatches = options.mesh.microBatches,
       .overlap = options.mesh.overlap,
       .triesParts = options.mesh.microBatches == 1 && options.mesh.overlap == 1});
  std::vector<Candidate> ranking = searcher.rank(options.mesh.ranks);
  if (!ranking.front().fits)
    return refuse(searcher, ranking.front(), *topology);
  const MeshShape &mesh = ranking.front().mesh;
  options.mesh.shard = mesh.str();
  options.mesh.overlap = mesh.overlap();
  options.mesh.microBatches = mesh.microBatches();
  return ranking;
}
