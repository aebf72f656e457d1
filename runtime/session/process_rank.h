//===- process_rank.h - One rank among processes ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SESSION_PROCESS_RANK_H
#define KILN_SESSION_PROCESS_RANK_H

#include "runtime/collective/transports.h"
#include "runtime/session/group.h"

namespace kiln::rt {

/// A group of processes, of which this process is one rank.
class ProcessRank final : public kiln_group {
public:
  /// Description of the run that a rank is about to begin, which all ranks compare.
  struct RunHeader {
    uint32_t entry;  ///< index of the program
    uint32_t error;  ///< error code of invalid inputs; 0: valid
    uint64_t inputs; ///< hash of the inputs
  };

  static Status join(kiln_model &model, const kiln_group_options &options,
                     const kiln_join_options &wanted, kiln_group *&out);
  Status run(const char *entry, std::span<const kiln_tensor> inputs,
             std::span<const kiln_tensor> outputs, const RunLimits &limits) override;
  void cancel() override { own->cancel(); }
  Status outputShapes(const char *entry, std::span<const kiln_tensor> inputs,
                      std::span<kiln_shape> out) override;
  Status resetState() override;
  Status broadcast(void *data, size_t bytes) override;
  uint32_t size() const override { return group.size(); }
  uint32_t rank() const override { return group.rank(); }
  kiln_session *session(uint32_t rank) const override {
    return rank == group.rank() ? own.get() : nullptr;
  }

private:
  Status open(kiln_model &model, const kiln_group_options &options);
  Status runWith(kiln_session &program, uint32_t number,
                 std::span<const kiln_tensor> inputs,
                 std::span<const kiln_tensor> outputs, const RunLimits &limits);
  Status find(const char *entry, size_t &out) const;
  static void observe(void *self, size_t step, int after, const kiln_buffer_view *,
                      size_t, const kiln_buffer_view *, size_t);

  Status agreeOn(const RunHeader &own);

  std::unique_ptr<HostBackend> backend;
  ProcessGroup group;             ///< the session's group, without stamps
  std::vector<RunHeader> headers; ///< by rank
  std::unique_ptr<ThreadPool> pool;
  std::unique_ptr<kiln_session> own;
  kiln_rank_observer observer = nullptr;
  void *observerUser = nullptr;
  std::atomic<Use> busy{Use::None};
};

} // namespace kiln::rt

#endif // KILN_SESSION_PROCESS_RANK_H
