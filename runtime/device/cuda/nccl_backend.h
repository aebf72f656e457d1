//===- nccl_backend.h - Collectives by NCCL ---------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank has two communicators: `stage` of the ranks of its pipeline stage, for
// collectives within it, and `across` of the ranks at the same position of all stages,
// for transfers between stages. Ranks negotiate them and exchange their ids by
// collectives on the host. No wait for NCCL is unbounded: its calls are nonblocking, and
// a waiting rank checks the health of the others.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_NCCL_BACKEND_H
#define KILN_DEVICE_CUDA_NCCL_BACKEND_H

#include "runtime/device/cuda/gpu_backends.h"
#include "runtime/device/cuda/nccl.h"
#include <map>
#include <span>

namespace kiln::rt::cuda {

/// Message that each rank sends to all others before the first run, to negotiate the use
/// of NCCL.
struct NcclOffer {
  uint8_t gpu[16] = {}; ///< its UUID
  int32_t version = 0;  ///< NCCL version; 0: there is no NCCL
};

/// Returns why ranks with these offers cannot use NCCL; empty if they can.
std::string ncclObstacle(std::span<const NcclOffer> offers);

class NcclBackend final : public DeviceBackend {
public:
  /// Loads NCCL. Errors: those of Nccl::open if the user requested it; otherwise ranks
  /// run without it.
  static Status open(const GpuRank &rank, bool isRequired,
                     std::unique_ptr<DeviceBackend> &out);
  ~NcclBackend() override { abort(); }
  NcclBackend(const NcclBackend &) = delete;

  const char *name() const override { return "nccl"; }
  bool supports(const CollectiveCall &call) const override;
  Status begin(RunForm &form) override;
  Status enqueue(const CollectiveCall &call, void *stream, const Where &where) override;
  Status health(uint32_t step) override;
  /// Aborts the communicators and destroys the graphs: NCCL 2.26 and later waits for
  /// graphs with its calls when it destroys a communicator.
  void abort() override;
  bool runsBeside() const override { return true; }
  const char *advice() const override { return "set NCCL_DEBUG=INFO"; }
  void addGraphs(const void *owner, std::function<void()> drop) override {
    graphs[owner] = std::move(drop);
  }
  void removeGraphs(const void *owner) override { graphs.erase(owner); }

private:
  struct Comm {
    ncclComm_t handle = nullptr;
    uint32_t size = 1, rank = 0;
    ncclUniqueId id = {}; ///< while the communicator is created
  };
  /// A collective with its stream, as NCCL's functions take them.
  struct Operation {
    const CollectiveCall &call;
    CUstream stream;
    const Where &where;
  };

  NcclBackend(const GpuRank &rank, bool isRequired)
      : context(rank.context), group(rank.group), perStage(rank.perStage),
        isRequired(isRequired) {}
  Status negotiate();
  Status connect();
  Status create(Comm &comm);
  Status settle(Comm &comm, ncclResult_t result, const char *call, const Where &where);
  Status split(const Operation &op);
  Status broadcastOrPermute(const Operation &op);
  Status allToAll(const Operation &op);

  const std::shared_ptr<const Context> context;
  const ProcessGroup group;
  const uint32_t perStage;
  const bool isRequired;
  std::shared_ptr<const Nccl> nccl; ///< null: not found
  bool hasAgreed = false, isUsed = false;
  bool hasComms = false;
  Comm stage, across;
  std::map<const void *, std::function<void()>> graphs; ///< by owner
};

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_NCCL_BACKEND_H
