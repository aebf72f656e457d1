//===- Search.h - The best mesh for a number of ranks -----------*- C++ -*-===//
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

/// Makes the workload of one of the ranks that share a stage, as mesh.tp and
/// mesh.division say; called from several threads at once. An error is the reason why the
/// model cannot be split so.
using MakeWorkload = std::function<llvm::Expected<Workload>(const MeshShape &mesh)>;

struct SearchOptions {
  int64_t runs = 1; ///< that follow each other through the stages of a pipeline
  /// Decoders: steps of decoding per prefill.
  int64_t newTokens = 128;
  /// Parts of a run of pipelines, and of ranks that divide weights (without pp and cp).
  int64_t microBatches = 1, overlap = 1;
  /// Ranks the best meshes in several parts, too, where these save time.
  bool triesParts = false;
};

/// A mesh of the ranking.
struct Candidate {
  MeshShape mesh;
  /// Empty where the mesh cannot be, whose reason `why` is.
  std::optional<Prediction> prediction;
  bool fits = false;
  double seconds = 0; ///< of a request: a prefill and newTokens steps, or one run
  std::string why;    ///< why it is not the best; empty of the best
};

/// Predicts meshes of a model on a topology. Workloads are made once for all numbers of
/// stages (with micro-batches, of more than one).
class Searcher {
public:
  Searcher(const Topology &topology, MakeWorkload make, SearchOptions options)
      : topology(topology), make(std::move(make)), options(options) {}

  /// One mesh, whether it fits or not; in the parts of the options if it has one.
  Candidate predict(MeshShape mesh);
  /// Every mesh of so many ranks, the best first: those that fit, by their time, then
  /// those that do not, by their memory, then those that cannot be.
  std::vector<Candidate> rank(int64_t ranks);

  /// The best mesh of each number of ranks up to `devices`: powers of two, and all.
  std::vector<Candidate> counts(int64_t devices);

  /// Null where the model cannot be split so.
  const Workload *workload(const MeshShape &mesh);
  /// Why; null where it can.
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
  /// By division, weightRanks, dividesCaches, overlap, micro-batches, and tp.
  using Key = std::tuple<Division, int64_t, bool, int64_t, int64_t, int64_t>;
  std::map<Key, Made> workloads;
  std::mutex mutex; ///< of the map; who adds a key makes its workload
};

} // namespace kiln::estimate

#endif // KILN_ESTIMATE_SEARCH_H
