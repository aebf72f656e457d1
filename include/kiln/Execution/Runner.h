//===- Runner.h - A session or a group of ranks -----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_EXECUTION_RUNNER_H
#define KILN_EXECUTION_RUNNER_H

#include "kiln/Execution/SessionSettings.h"
#include <functional>
#include <mutex>

typedef struct kiln_group kiln_group;

namespace kiln::execution {

/// Called before and after each step of each rank, by one thread at a time
/// (kiln_step_observer). Ranks that wait for one that is being looked at do so for as
/// long as it takes.
using StepObserver = std::function<void(uint32_t rank, size_t step, bool after,
                                        llvm::ArrayRef<kiln_buffer_view> reads,
                                        llvm::ArrayRef<kiln_buffer_view> writes)>;

/// Runs one entry of a model: in a session, or on the ranks that its package is for.
/// Copies share the memory and the states. Where a launcher (mpirun, srun, torchrun) has
/// started this process as one of several it is one rank: all of them run the same
/// command, and rank 0 alone prints and writes files.
class Runner {
public:
  /// As the entry that the model is. options: those of `settings`, or more of them. In a
  /// process of a rank other than 0 stdout is nowhere from then on.
  static llvm::Expected<Runner> create(kiln_model *model, const SessionSettings &settings,
                                       const kiln_session_options &options,
                                       StepObserver observer = nullptr);
  /// Makes a runner of another entry with the same states.
  llvm::Expected<Runner> entry(const char *name) const;

  /// A rank's session, to ask and for its states. All ranks have the same shapes.
  kiln_session *session() const { return sessions[0]; }
  /// Sessions of all ranks in this process.
  llvm::ArrayRef<kiln_session *> localRanks() const { return sessions; }
  size_t rankCount() const;
  /// Threads of all ranks together.
  uint32_t threads() const;
  /// Whether this process prints and writes what all ranks have found.
  bool isFirst() const;
  /// Gives rank 0's answer on all ranks: none goes on alone.
  llvm::Expected<bool> agree(bool own) const;

  /// outputs: of rank 0, or of this process's rank, which are the same.
  kiln_status *run(llvm::ArrayRef<kiln_tensor> inputs,
                   llvm::ArrayRef<kiln_tensor> outputs) const;
  llvm::Error resetState() const;

private:
  struct Observing {
    std::mutex mutex;
    StepObserver call;
    void of(uint32_t rank, size_t step, int after, const kiln_buffer_view *reads,
            size_t readCount, const kiln_buffer_view *writes, size_t writeCount);
  };

  llvm::Error openSession(kiln_model *model, const kiln_session_options &options);
  llvm::Error openGroup(kiln_model *model, uint32_t ranks,
                        const SessionSettings &settings,
                        const kiln_session_options &options);
  llvm::Error joinGroup(kiln_model *model, uint32_t rank, uint32_t ranks,
                        const SessionSettings &settings,
                        const kiln_session_options &options);

  std::shared_ptr<Observing> observing; ///< null: nobody looks
  std::shared_ptr<void> owner;          ///< of the session or group
  kiln_group *group = nullptr;          ///< null: there is one session
  std::string name;                     ///< of the entry
  std::vector<kiln_session *> sessions; ///< of this process, by rank, as the entry
};

} // namespace kiln::execution

#endif // KILN_EXECUTION_RUNNER_H
