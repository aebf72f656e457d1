//===- Search.cpp - Search for the best mesh ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Estimate/Search.h"
#include "kiln/ErrorCodes/Graph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/raw_ostream.h"

#include <tuple>
#include <utility>

using namespace kiln;
using namespace kiln::estimate;
using namespace llvm;

/// Maximum ranks per stage if tp and cp are combined: that of a package
/// (Mesh::kMaxRanks).
static constexpr int64_t kMaxProduct = 64;

static auto divisionOf(const MeshShape &mesh) {
  return std::make_tuple(mesh.division, mesh.weightRanks, mesh.dividesCaches);
}

/// Returns an entry with fewer ranks that is impossible, and so proves that `mesh` is: if
/// a dim is not divisible by tp, it is not by a multiple of tp. Null if none is known.
const Searcher::Made *Searcher::refusedFor(const MeshShape &mesh) {
  for (int64_t tp = 1; tp < mesh.tp; ++tp) {
    auto other =
        workloads.find(std::tuple_cat(divisionOf(mesh), std::make_tuple(1, 1, tp)));
    if (mesh.tp % tp == 0 && other != workloads.end() && other->second.problem &&
        other->second.problem->code == ErrorCode::ShardImpossible)
      return &other->second;
  }
  return nullptr;
}

const Searcher::Made &Searcher::made(const MeshShape &mesh) {
  Key key = std::tuple_cat(divisionOf(mesh),
                           std::make_tuple(mesh.overlap(), mesh.microBatches(), mesh.tp));
  std::unique_lock<std::mutex> lock(mutex);
  auto [it, isNew] = workloads.try_emplace(key);
  if (!isNew)
    return it->second;
  if (const Made *other = refusedFor(mesh)) {
    it->second.problem = other->problem;
    return it->second;
  }
  lock.unlock();
  Expected<Workload> workload = make(mesh);
  if (workload)
    it->second.workload = std::move(*workload);
  else
    it->second.problem = takeDiagnosis(workload.takeError());
  return it->second;
}

/// Makes workloads in parallel. Those of one division are made in order, so that
/// refusedFor() can use earlier results.
void Searcher::makeAll(ArrayRef<MeshShape> meshes) {
  std::map<std::tuple<Division, int64_t, bool>, std::vector<MeshShape>> byDivision;
  for (const MeshShape &mesh : meshes)
    byDivision[divisionOf(mesh)].push_back(withGivenParts(mesh));
  std::vector<std::vector<MeshShape>> groups;
  for (auto &[division, group] : byDivision)
    groups.push_back(std::move(group));
  parallelFor(0, groups.size(), [&](size_t i) {
    for (const MeshShape &mesh : groups[i])
      made(mesh);
  });
}

const Workload *Searcher::workload(const MeshShape &mesh) {
  const Made &one = made(mesh);
  return one.workload ? &*one.workload : nullptr;
}

const Diagnosis *Searcher::problem(const MeshShape &mesh) {
  const Made &one = made(mesh);
  return one.problem ? &*one.problem : nullptr;
}

double Searcher::requestSeconds(const Prediction &prediction) const {
  double seconds = 0;
  for (const ProgramTime &program : prediction.programs)
    seconds +=
        program.seconds * (program.name == "decode" ? double(options.newTokens) : 1.0);
  return seconds;
}

MeshShape Searcher::withGivenParts(MeshShape mesh) const {
  if (mesh.parts == 1 && mesh.pp > 1)
    mesh.parts = options.microBatches;
  else if (mesh.parts == 1 && mesh.tp > 1 && mesh.division != Division::Context)
    mesh.parts = options.overlap;
  return mesh;
}

Candidate Searcher::predict(MeshShape mesh) {
  mesh = withGivenParts(mesh);
  Candidate candidate;
  candidate.mesh = mesh;
  const Made &one = made(mesh);
  if (!one.workload) {
    candidate.why =
        one.problem->what + (one.problem->found.empty() ? "" : ": " + one.problem->found);
    return candidate;
  }
  std::optional<StagedWorkload> staged =
      assignStages(*one.workload, mesh.pp, candidate.why);
  if (!staged)
    return candidate;
  candidate.prediction =
      estimate::predict(*one.workload, *staged, mesh, topology, options.runs);
  candidate.fits = candidate.prediction->memory.total() <= topology.device.memoryBytes;
  candidate.seconds = requestSeconds(*candidate.prediction);
  return candidate;
}

static std::string printed(const char *pattern, double value) {
  std::string text;
  raw_string_ostream(text) << format(pattern, value);
  return text;
}

/// Seconds of a request in collectives and in kernels, and the maximum pipeline bubble.
namespace {
struct Parts {
  double collectives = 0, kernels = 0, waiting = 0;
};
} // namespace

static Parts partsOf(const Prediction &prediction, int64_t newTokens) {
  Parts parts;
  for (const ProgramTime &program : prediction.programs) {
    double runs = program.name == "decode" ? double(newTokens) : 1.0;
    parts.collectives += runs * program.collectives;
    parts.kernels += runs * program.kernels;
    parts.waiting = std::max(parts.waiting, program.waiting);
  }
  return parts;
}

/// Returns the collective with the longest total time.
static std::string slowestCollective(const Prediction &prediction) {
  const CollectiveCount *slowest = nullptr;
  for (const ProgramTime &program : prediction.programs)
    for (const CollectiveCount &count : program.counts)
      if (!slowest || count.seconds > slowest->seconds)
        slowest = &count;
  return slowest ? (nameOf(slowest->kind) + " (" + nameOf(slowest->algorithm) + ")").str()
                 : "collectives";
}

std::string Searcher::reasonAgainst(const Candidate &one, const Candidate &best) const {
  if (!one.fits)
    return "does not fit by " + printed("%.1f GiB", (one.prediction->memory.total() -
                                                     topology.device.memoryBytes) /
                                                        0x1p30);
  if (!best.prediction)
    return "";
  Parts own = partsOf(*one.prediction, options.newTokens);
  Parts other = partsOf(*best.prediction, options.newTokens);
  int64_t ranks = one.mesh.ranks();
  bool leavesNode = ranks > topology.devicesPerNode;
  const std::string &link = leavesNode ? topology.network.name : topology.node.name;
  double moreWaiting = own.waiting - other.waiting;
  if (one.mesh.str() == best.mesh.str())
    return one.mesh.pp > 1       ? "its stages wait longer for each other (bubble)"
           : one.mesh.parts == 1 ? "no products run beside its collectives"
                                 : "fewer products run beside its collectives";
  if (own.collectives - other.collectives > std::max(own.kernels - other.kernels, 0.0))
    return slowestCollective(*one.prediction) + " over " + link + ": " +
           printed("%.0f %%", 100 * own.collectives / (own.collectives + own.kernels)) +
           " of the time in collectives";
  if (moreWaiting > 0.01)
    return "a stage waits for others for " + printed("%.0f %%", 100 * own.waiting) +
           " of the time (bubble)";
  return "kernels take " +
         printed("%.1f times", own.kernels / std::max(other.kernels, 1e-12)) +
         " as long as those of the best";
}

std::vector<Candidate> Searcher::counts(int64_t devices) {
  std::vector<Candidate> list;
  for (int64_t ranks = 1; ranks < devices; ranks *= 2)
    list.push_back(meshes(ranks).front());
  list.push_back(meshes(devices).front());
  for (Candidate &one : list)
    if (one.prediction && !one.fits)
      one.why = reasonAgainst(one, one);
  return list;
}

/// Returns the meshes to consider. If tp and cp are combined, tp divides weights within a
/// node, where links are fast, and a stage has at most as many ranks as a package.
std::vector<MeshShape> Searcher::shapes(int64_t ranks) const {
  std::vector<MeshShape> list;
  for (Division division : {Division::Tensor, Division::Sequence, Division::Context})
    for (int64_t tp = 1; tp <= ranks; ++tp)
      if (ranks % tp == 0 && (tp > 1 || division == Division::Tensor))
        list.push_back({tp, ranks / tp, division});
  for (int64_t weights = 2; weights <= topology.devicesPerNode; ++weights)
    for (int64_t stage = 4; stage <= std::min(ranks, kMaxProduct); ++stage)
      if (ranks % stage == 0 && stage % weights == 0 && stage > weights)
        list.push_back({stage, ranks / stage, Division::Context, weights});
  return list;
}

/// Minimum fraction of a rank's memory that caches must take to try dividing them, which
/// needs plans of its own and adds collectives to each step.
static constexpr double kMinCaches = 0.1;

void Searcher::addDividedCaches(const Candidate &whole, std::vector<Candidate> &list) {
  if (whole.mesh.division != Division::Context || !whole.prediction)
    return;
  const Memory &memory = whole.prediction->memory;
  if (memory.state < kMinCaches * memory.total())
    return;
  MeshShape divided = whole.mesh;
  divided.dividesCaches = true;
  list.push_back(predict(divided));
}

/// Minimum fraction of a request's time that more parts must save to outweigh their extra
/// kernels and launches.
static constexpr double kMinGain = 0.02;

/// Adds the mesh with 2, 4 and 8 parts, as long as each is faster than the one before.
void Searcher::addPartsOf(Candidate whole, std::vector<Candidate> &list) {
  for (int64_t parts : {2, 4, 8}) {
    MeshShape mesh = whole.mesh;
    mesh.parts = parts;
    Candidate candidate = predict(mesh);
    if (!candidate.fits || candidate.seconds > (1 - kMinGain) * whole.seconds)
      return;
    list.push_back(candidate);
    whole = std::move(candidate);
  }
}

/// Adds candidates that split a run into parts, for the best mesh of one stage and for
/// the best pipeline. In one stage parts are ranges of rows (on GPUs, whose collectives
/// have a separate stream); in a pipeline they are micro-batches. Each number of parts
/// needs plans of its own.
void Searcher::addParts(std::vector<Candidate> &list) {
  bool isDone[2] = {};
  std::vector<Candidate> more;
  for (const Candidate &one : list) {
    bool isPipeline = one.mesh.pp > 1;
    bool canHave = one.fits && one.mesh.division != Division::Context &&
                   (isPipeline || (one.mesh.tp > 1 && topology.isGpu()));
    if (canHave && !std::exchange(isDone[isPipeline], true))
      addPartsOf(one, more);
  }
  append_range(list, more);
}

/// Sorts meshes that fit by time, then meshes that do not fit by memory, then impossible
/// ones. Among equals, more ranks per stage come first, then tensor parallelism.
static void sortCandidates(std::vector<Candidate> &list) {
  auto key = [](const Candidate &one) {
    int group = !one.prediction ? 2 : one.fits ? 0 : 1;
    double order = group == 0   ? one.seconds
                   : group == 1 ? one.prediction->memory.total()
                                : 0;
    return std::make_tuple(group, order, -one.mesh.tp, one.mesh.division,
                           one.mesh.weightRanks, one.mesh.dividesCaches, one.mesh.parts);
  };
  sort(list, [&](const Candidate &a, const Candidate &b) { return key(a) < key(b); });
}

/// Returns all meshes, with the number of parts that the options give.
std::vector<Candidate> Searcher::meshes(int64_t ranks) {
  std::vector<MeshShape> given = shapes(ranks);
  makeAll(given);
  std::vector<Candidate> list;
  for (const MeshShape &mesh : given) {
    list.push_back(predict(mesh));
    addDividedCaches(Candidate(list.back()), list);
  }
  sortCandidates(list);
  return list;
}

std::vector<Candidate> Searcher::rank(int64_t ranks) {
  std::vector<Candidate> list = meshes(ranks);
  if (options.triesParts) {
    addParts(list);
    sortCandidates(list);
  }
  for (Candidate &one : list)
    if (one.prediction && (&one != &list.front() || !one.fits))
      one.why = reasonAgainst(one, list.front());
  return list;
}
