//===- group.h - Ranks that run a model together ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SESSION_GROUP_H
#define KILN_SESSION_GROUP_H

#include "kiln/group.h"
#include "runtime/collective/threads.h"
#include "runtime/device/host/thread_pool.h"
#include "runtime/session/session.h"
#include <condition_variable>
#include <pthread.h>

/// Ranks as threads of this process; rank 0 is whoever calls run.
struct kiln_group {
  using Status = kiln::rt::Status;

  ~kiln_group();
  static Status create(kiln_model &model, const kiln_group_options &options,
                       kiln_group *&out);
  /// entry: null for the first.
  Status run(const char *entry, std::span<const kiln_tensor> inputs,
             std::span<const kiln_tensor> outputs);
  Status outputShapes(const char *entry, std::span<const kiln_tensor> inputs,
                      std::span<kiln_shape> out);
  Status resetState();
  uint32_t size() const { return static_cast<uint32_t>(ranks.size()); }
  kiln_session *session(uint32_t rank) const {
    return rank < size() ? ranks[rank]->session.get() : nullptr;
  }

private:
  struct Rank {
    kiln_group *group = nullptr;
    uint32_t number = 0;
    std::unique_ptr<kiln::rt::ThreadPool> pool; ///< null: it runs by itself
    std::unique_ptr<kiln_session> session;
    std::optional<pthread_t> thread;
    kiln::rt::Mapping memory;                    ///< of outputs that nobody asked for
    std::vector<std::vector<kiln_tensor>> spare; ///< these outputs, by program
    std::span<const kiln_tensor> outputs;        ///< of the run at hand
    Status result;
  };

  kiln_group(uint32_t ranks, std::chrono::milliseconds patience)
      : threads(ranks, patience) {}
  Status addRank(kiln_model &model, const kiln_group_options &options, uint32_t threads);
  Status addSpareOutputs(Rank &rank);
  Status startThreads();
  void assign(size_t program, std::span<const kiln_tensor> outputs);
  void runRank(Rank &rank);
  void loop(Rank &rank);
  Status collect();
  Status findProgram(const char *entry, size_t &out) const;
  static void *main(void *rank);
  static void observe(void *rank, size_t step, int after, const kiln_buffer_view *,
                      size_t, const kiln_buffer_view *, size_t);

  kiln::rt::ThreadGroup threads;
  std::vector<std::unique_ptr<Rank>> ranks;
  kiln_rank_observer observer = nullptr;
  void *observerUser = nullptr;
  std::atomic<bool> busy{false};

  // The run at hand; written before `job` grows.
  size_t program = 0;
  std::span<const kiln_tensor> inputs;

  std::mutex mutex;
  std::condition_variable begun, ended;
  uint64_t job = 0;     ///< grows with every run
  uint32_t running = 0; ///< threads that have not finished it
  bool stopping = false;
};

#endif // KILN_SESSION_GROUP_H
