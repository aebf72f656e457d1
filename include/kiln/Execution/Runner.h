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
/// (kiln_step_observer). Ranks that wait for a rank whose step is being observed do not
/// time out.
using StepObserver = std::function<void(uint32_t rank, size_t step, bool after,
                                        llvm::ArrayRef<kiln_buffer_view> reads,
                                        llvm::ArrayRef<kiln_buffer_view> writes)>;

/// Runs one entry point of a model: in a session, or on the ranks that its package is
/// compiled for. Copies of a runner share memory and states. If a launcher (mpirun, srun,
/// torchrun) started this process as one of several, the process is one rank: all of them
/// run the same command, and only rank 0 prints and writes files.
class Runner {
public:
  /// Makes a runner of the entry point that `model` selects. options: those of
  /// `settings`, perhaps with additions. In a process with a rank other than 0, stdout is
  /// discarded from then on.
  static llvm::Expected<Runner> create(kiln_model *model, const SessionSettings &settings,
                                       const kiln_session_options &options,
                                       StepObserver observer = nullptr);
  /// Makes a runner of another entry point with the same states.
  llvm::Expected<Runner> entry(const char *name) const;

  /// Returns one rank's session, for queries and for its states. All ranks have the same
  /// shapes.
  kiln_session *session() const { return sessions[0]; }
  /// Returns the sessions of all ranks in this process.
  llvm::ArrayRef<kiln_session *> localRanks() const { return sessions; }
  size_t rankCount() const;
  /// Number of threads of all ranks together.
  uint32_t threads() const;
  /// Whether this process prints and writes the results of all ranks.
  bool isFirst() const;
  /// Returns rank 0's value on all ranks, so that all of them take the same branch.
  llvm::Expected<bool> agree(bool own) const;

  /// Runs all ranks. outputs: those of rank 0, or of this process's rank; they are equal.
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

  std::shared_ptr<Observing> observing; ///< null: no observer
  std::shared_ptr<void> owner;          ///< keeps the session or group alive
  kiln_group *group = nullptr;          ///< null: a single session
  std::string name;                     ///< name of the entry point
  std::vector<kiln_session *> sessions; ///< sessions of this process, by rank, of the
                                        ///< entry point
};

} // namespace kiln::execution

#endif // KILN_EXECUTION_RUNNER_H
