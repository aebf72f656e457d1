//===- group.h - Ranks that run a model together ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SESSION_GROUP_H
#define KILN_SESSION_GROUP_H

#include "kiln/group.h"
#include "runtime/collective/stamps.h"
#include "runtime/collective/thread_backend.h"
#include "runtime/device/host/thread_pool.h"
#include "runtime/session/session.h"
#include <condition_variable>
#include <pthread.h>

/// Interface of a group of ranks that run a package, as threads or as processes.
struct kiln_group {
  using Status = kiln::rt::Status;

  virtual ~kiln_group() = default;
  /// Runs an entry of the model; null: the first.
  virtual Status run(const char *entry, std::span<const kiln_tensor> inputs,
                     std::span<const kiln_tensor> outputs,
                     const kiln::rt::RunLimits &limits) = 0;
  /// Ends the run in progress; may be called by any thread and by signal handlers.
  virtual void cancel() = 0;
  virtual Status outputShapes(const char *entry, std::span<const kiln_tensor> inputs,
                              std::span<kiln_shape> out) = 0;
  virtual Status resetState() = 0;
  /// Sends the bytes of rank 0 to all ranks.
  virtual Status broadcast(void *data, size_t bytes) = 0;
  virtual uint32_t size() const = 0;
  /// Rank of the thread that calls run.
  virtual uint32_t rank() const = 0;
  /// Returns a rank's session; null if it is in another process.
  virtual kiln_session *session(uint32_t rank) const = 0;

protected:
  /// Checks options and number of ranks. Errors: KILN-E0621 (too many ranks).
  static Status check(const kiln_model &model, const kiln_group_options &options,
                      uint32_t ranks);
  /// Checks that the device of a rank exists. Errors: KILN-E0702.
  static Status checkDevice(const kiln_group_options &options, uint32_t rank);
  static std::chrono::milliseconds patienceOf(const kiln_group_options &options);
  /// The threads of a rank, and the observer of its steps.
  struct RankThreads {
    uint32_t count;
    std::unique_ptr<kiln::rt::ThreadPool> &pool; ///< set if there are several threads
    kiln_step_observer observer;                 ///< set if the options have one
    void *observerUser;
  };
  /// Creates a rank's session. If KILN_STAMPS names a folder, the rank writes stamps of
  /// its collectives there.
  Status createSession(kiln_model &model, const kiln_group_options &options,
                       kiln::rt::ProcessGroup group, const RankThreads &threads,
                       std::unique_ptr<kiln_session> &out);

private:
  std::vector<std::unique_ptr<kiln::rt::StampRecorder>> stamps; ///< of local ranks
};

namespace kiln::rt {

/// Ranks as threads of this process; rank 0 is the thread that calls run.
class ThreadRanks final : public kiln_group {
public:
  static Status create(kiln_model &model, const kiln_group_options &options,
                       kiln_group *&out);
  ~ThreadRanks() override;
  Status run(const char *entry, std::span<const kiln_tensor> inputs,
             std::span<const kiln_tensor> outputs, const RunLimits &limits) override;
  void cancel() override;
  Status outputShapes(const char *entry, std::span<const kiln_tensor> inputs,
                      std::span<kiln_shape> out) override;
  Status resetState() override;
  Status broadcast(void *, size_t) override { return {}; }
  uint32_t size() const override { return static_cast<uint32_t>(ranks.size()); }
  uint32_t rank() const override { return 0; }
  kiln_session *session(uint32_t rank) const override {
    return rank < size() ? ranks[rank]->session.get() : nullptr;
  }

private:
  struct Rank {
    ThreadRanks *group = nullptr;
    uint32_t number = 0;
    std::unique_ptr<ThreadPool> pool; ///< null: the rank has one thread
    std::unique_ptr<kiln_session> session;
    std::optional<pthread_t> thread;
    Mapping memory;                              ///< for outputs of ranks other than 0
    std::vector<std::vector<kiln_tensor>> spare; ///< outputs in `memory`, by program
    std::span<const kiln_tensor> outputs;        ///< of the current run
    Status result;
  };

  ThreadRanks(uint32_t ranks, std::chrono::milliseconds patience)
      : threads(ranks, patience) {}
  Status addRank(kiln_model &model, const kiln_group_options &options, uint32_t threads);
  Status addSpareOutputs(Rank &rank);
  Status startThreads();
  void assign(size_t program, std::span<const kiln_tensor> outputs);
  void runRank(Rank &rank);
  void loop(Rank &rank);
  Status collect();
  void takeBackRuns();
  Status findProgram(const char *entry, size_t &out) const;
  static void *main(void *rank);
  static void observe(void *rank, size_t step, int after, const kiln_buffer_view *,
                      size_t, const kiln_buffer_view *, size_t);

  ThreadWorld threads;
  std::vector<std::unique_ptr<Rank>> ranks;
  kiln_rank_observer observer = nullptr;
  void *observerUser = nullptr;
  std::atomic<Use> busy{Use::None};

  // The current run; written before `job` is incremented.
  size_t program = 0;
  std::span<const kiln_tensor> inputs;
  RunLimits limits;

  std::mutex mutex;
  std::condition_variable begun, ended;
  uint64_t job = 0;     ///< incremented with every run
  uint32_t running = 0; ///< threads that have not finished the run
  bool stopping = false;
};

} // namespace kiln::rt

#endif // KILN_SESSION_GROUP_H
