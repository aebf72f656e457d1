//===- nccl_rank.h - A rank's communicators of NCCL -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One between the ranks of a stage, for sums and gathers, and one between ranks of the
// same place in all stages, for what a stage hands on. Ranks agree on them, and find each
// other, by way of the host's communicator. NCCL is never waited for without a bound: its
// calls do not block, and who waits looks at the other ranks, too.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_NCCL_RANK_H
#define KILN_DEVICE_CUDA_NCCL_RANK_H

#include "runtime/collective/communicator.h"
#include "runtime/device/cuda/context.h"
#include "runtime/device/cuda/nccl.h"
#include <functional>
#include <map>
#include <span>

namespace kiln::rt::cuda {

/// Message that each rank sends to all others before the first run, to agree on NCCL.
struct NcclOffer {
  uint8_t gpu[16] = {}; ///< its UUID
  int32_t version = 0;  ///< of NCCL; 0: it has none
  CollectivePath path = CollectivePath::Auto;
};

/// Whether ranks with these offers use NCCL: all ranks decide the same. Errors:
/// KILN-E0702 (NCCL was asked for and cannot be had), E0712 (ranks ask for different
/// ways).
Status agreeOnNccl(std::span<const NcclOffer> offers, bool &out);

/// How ranks carry out a run. NCCL wants all of them to do the same: whether a collective
/// is captured, and the launch of a graph with one, are as collective as itself ("Using
/// NCCL with CUDA Graphs" in its user guide). So all do the greatest that any asks for.
enum class RunForm : uint32_t { Replay, Capture, Steps };

/// All programs of a rank share one.
class NcclRank {
public:
  /// Finds NCCL, as KILN_COLLECTIVES asks. Errors: of readCollectivePath and Nccl::open.
  static Status open(std::shared_ptr<const Context> context, const RankPlace &place,
                     uint32_t ranksPerStage, std::shared_ptr<NcclRank> &out);
  ~NcclRank() { abort(); }
  NcclRank(const NcclRank &) = delete;

  /// Before a run, on the thread of the rank: all ranks meet, and make communicators if
  /// any of them has none. form: what this rank asks for, then what all do.
  Status begin(RunForm &form);
  /// Registers a callback that destroys the CUDA graphs of `owner`, a program, which NCCL
  /// calls were captured into. It runs before communicators are released: NCCL waits for
  /// such graphs from 2.26 on.
  void addGraphs(const void *owner, std::function<void()> drop) {
    graphs[owner] = std::move(drop);
  }
  void removeGraphs(const void *owner) { graphs.erase(owner); }
  /// Whether NCCL carries out a collective: of a type and a layout that it knows.
  bool takes(const CollectiveCall &call) const;
  /// Enqueues it. from, to: on the GPU.
  Status enqueue(const CollectiveCall &call, CUdeviceptr from, CUdeviceptr to,
                 CUstream stream, const std::string &where);
  /// Returns errors of NCCL. Called while a rank waits for its stream.
  Status health(const std::string &where) const;
  /// Destroys the graphs with NCCL's calls and aborts the communicators, also on the GPU.
  void abort();

private:
  struct Comm {
    ncclComm_t handle = nullptr;
    uint32_t size = 1, rank = 0;
    ncclUniqueId id = {}; ///< while it is made
  };

  NcclRank(std::shared_ptr<const Context> context, const RankPlace &place,
           uint32_t ranksPerStage);
  Status negotiate();
  Status connect();
  Status create(Comm &comm);
  Status settle(Comm &comm, ncclResult_t result, const char *call,
                const std::string &where);
  Status handOver(const CollectiveCall &call, const void *in, void *out, CUstream stream,
                  const std::string &where);
  Status allToAll(const CollectiveCall &call, const void *in, void *out, CUstream stream,
                  const std::string &where);
  Status gather(const void *own, void *all, size_t bytes);

  std::shared_ptr<const Context> context;
  RankPlace place;
  const uint32_t perStage;
  CollectivePath path = CollectivePath::Auto;
  std::shared_ptr<const Nccl> nccl; ///< null: none was found
  bool hasAgreed = false, isUsed = false;
  bool hasComms = false;
  Comm stage, across;
  std::map<const void *, std::function<void()>> graphs; ///< by owner
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_NCCL_RANK_H
