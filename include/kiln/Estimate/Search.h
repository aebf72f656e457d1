//===- Search.h - Search for the fastest mesh -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_ESTIMATE_SEARCH_H
#define KILN_ESTIMATE_SEARCH_H

#include "kiln/Estimate/CostModel.h"
#include "kiln/Support/Error.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>

namespace kiln::estimate {

/// Makes the workload of one rank of a stage for mesh.tp and mesh.division; must be
/// thread-safe. The error says why the model cannot be divided so.
using MakeWorkload = std::function<llvm::Expected<Workload>(const MeshShape &mesh)>;

struct SearchOptions {
  int64_t runs = 1; ///< consecutive runs, pipelined through the stages
  /// Decoders: number of decode steps per prefill.
  int64_t newTokens = 128;
  /// Number of parts of a run: micro-batches for pipelines, overlapped parts for ranks
  /// that divide weights (without pp and cp).
  int64_t microBatches = 1, overlap = 1;
  /// Whether the best meshes are also ranked with several parts, where that saves time.
  bool triesParts = false;
};

/// A mesh with its rank in the search.
struct Candidate {
  MeshShape mesh;
  /// nullopt if the mesh is impossible; `why` is then the reason.
  std::optional<Prediction> prediction;
  bool fits = false;
  double seconds = 0; ///< per request: a prefill and newTokens steps, or one run
  std::string why;    ///< why it is slower than the best; empty for the best
};

/// Predicts meshes of a model on a topology. A workload is made once for all numbers of
/// stages (with micro-batches, for all numbers above one).
class Searcher {
public:
  Searcher(const Topology &topology, MakeWorkload make, SearchOptions options)
      : topology(topology), make(std::move(make)), options(options) {}

  /// Predicts one mesh, whether it fits or not; with the options' number of parts if the
  /// mesh has one part.
  Candidate predict(MeshShape mesh);
  /// Returns every mesh of `ranks` ranks, the best first: meshes that fit, by time, then
  /// meshes that do not fit, by memory, then impossible ones.
  std::vector<Candidate> rank(int64_t ranks);

  /// Returns the best mesh for each number of ranks up to `devices`: powers of two, and
  /// `devices`.
  std::vector<Candidate> counts(int64_t devices);

  /// Returns the workload; null if the model cannot be divided so.
  const Workload *workload(const MeshShape &mesh);
  /// Returns why the model cannot be divided so; null if it can.
  const Diagnosis *problem(const MeshShape &mesh);

private:
  struct Made {
    std::optional<Workload> workload;
    std::optional<Diagnosis> problem;
  };
  MeshShape withGivenParts(MeshShape mesh) const;
  const Made &made(const MeshShape &mesh);
  const Made *refusedFor(const MeshShape &mesh);
  void makeAll(llvm::ArrayRef<MeshShape> meshes);
  std::vector<Candidate> meshes(int64_t ranks);
  std::vector<MeshShape> shapes(int64_t ranks) const;
  void addDividedCaches(const Candidate &whole, std::vector<Candidate> &list);
  void addParts(std::vector<Candidate> &list);
  void addPartsOf(Candidate whole, std::vector<Candidate> &list);
  double requestSeconds(const Prediction &prediction) const;
  std::string reasonAgainst(const Candidate &one, const Candidate &best) const;

  const Topology &topology;
  MakeWorkload make;
  SearchOptions options;
  /// Division, weightRanks, dividesCaches, overlap, micro-batches, tp.
  using Key = std::tuple<Division, int64_t, bool, int64_t, int64_t, int64_t>;
  std::map<Key, Made> workloads;
  std::mutex mutex; ///< guards `workloads`; the thread that adds a key makes its workload
};

} // namespace kiln::estimate

#endif // KILN_ESTIMATE_SEARCH_H
