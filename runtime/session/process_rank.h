//===- process_rank.h - One rank among processes ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SESSION_PROCESS_RANK_H
#define KILN_SESSION_PROCESS_RANK_H

#include "runtime/collective/launch.h"
#include "runtime/collective/processes.h"
#include "runtime/session/group.h"

namespace kiln::rt {

/// This process is a rank; the others are processes, too.
class ProcessRank final : public kiln_group {
public:
  static Status join(kiln_model &model, const kiln_group_options &options,
                     const kiln_join_options &wanted, kiln_group *&out);
  Status run(const char *entry, std::span<const kiln_tensor> inputs,
             std::span<const kiln_tensor> outputs, const RunLimits &limits) override;
  void cancel() override { own->cancel(); }
  Status outputShapes(const char *entry, std::span<const kiln_tensor> inputs,
                      std::span<kiln_shape> out) override;
  Status resetState() override;
  Status broadcast(void *data, size_t bytes) override;
  uint32_t size() const override { return processes->size(); }
  uint32_t rank() const override { return processes->rank(); }
  kiln_session *session(uint32_t rank) const override {
    return rank == processes->rank() ? own.get() : nullptr;
  }

private:
  Status open(kiln_model &model, const kiln_group_options &options);
  Status runWith(kiln_session &program, uint32_t number,
                 std::span<const kiln_tensor> inputs,
                 std::span<const kiln_tensor> outputs, const RunLimits &limits);
  Status find(const char *entry, size_t &out) const;
  static void observe(void *self, size_t step, int after, const kiln_buffer_view *,
                      size_t, const kiln_buffer_view *, size_t);

  std::unique_ptr<ProcessGroup> processes;
  std::unique_ptr<ThreadPool> pool;
  std::unique_ptr<kiln_session> own;
  kiln_rank_observer observer = nullptr;
  void *observerUser = nullptr;
  std::atomic<Use> busy{Use::None};
};

} // namespace kiln::rt

#endif // KILN_SESSION_PROCESS_RANK_H
