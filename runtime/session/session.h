//===- session.h - One user's way to run a model ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SESSION_SESSION_H
#define KILN_SESSION_SESSION_H

#include "runtime/device/device.h"
#include "runtime/model/model.h"
#include "runtime/session/busy_guard.h"
#include "runtime/session/states.h"
#include "runtime/session/usage.h"

/// Session of one program (entry point) of a model. The session of the first program owns
/// those of the other programs, the memory and the states.
struct kiln_session {
  using Status = kiln::rt::Status;

  /// first: the model's first session; null: this is the first.
  explicit kiln_session(kiln_model &model, kiln_session *first = nullptr);
  ~kiln_session();

  /// Creates a session. group: its rank, in a group of as many ranks as the package has.
  /// Errors: as kiln_session_create.
  static Status create(kiln_model &model, const kiln_session_options &options,
                       const kiln::rt::ProcessGroup &group, kiln_session *&out);
  Status run(std::span<const kiln_tensor> inputs, std::span<const kiln_tensor> outputs,
             const kiln::rt::RunLimits &limits = {});
  /// Ends the run in progress of any program; may be called by any thread and by signal
  /// handlers.
  void cancel() { first.control.cancel(); }
  /// Undoes the row counts of the last run, if it failed on another rank.
  void takeBack() { first.states.takeBackCounts(model.plan, inputs); }
  /// Runs one rank of a group of processes. agree(result of the checks) waits for the
  /// other ranks. The session is busy from the checks to the end, as another call could
  /// otherwise bind other dims in between. Calls nothing if the session is already busy.
  template <typename Agree>
  Status runAgreed(std::span<const kiln_tensor> given,
                   std::span<const kiln_tensor> results,
                   const kiln::rt::RunLimits &limits, Agree agree) {
    kiln::rt::BusyGuard guard(first.busy);
    KILN_TRY(guard.check());
    kiln::rt::RunControl::Scope scope(first.control, limits);
    Status checked = checkAll(given, results);
    Status agreed = agree(checked);
    KILN_TRY(std::move(checked));
    KILN_TRY(std::move(agreed));
    return execute();
  }
  Status outputShapes(std::span<const kiln_tensor> inputs, std::span<kiln_shape> out);
  /// Computes the output shapes of a model without allocating a session's memory.
  static Status outputShapesOf(kiln_model &model, std::span<const kiln_tensor> inputs,
                               std::span<kiln_shape> out);
  /// Calls a function with the session's states, which no run changes meanwhile.
  template <typename Call> Status withStates(Call call) {
    kiln::rt::BusyGuard guard(first.busy);
    KILN_TRY(guard.check());
    return call(first.states);
  }
  Status stateShape(size_t index, kiln_shape &out) const {
    return first.states.shape(index, out);
  }

  /// Calls a function with the device session of each program, while no run is in
  /// progress.
  template <typename Call> Status withDevices(Call call) {
    kiln::rt::BusyGuard guard(first.busy);
    KILN_TRY(guard.check());
    for (size_t i = 0; i < count(); ++i)
      KILN_TRY(call(*program(i).device));
    return {};
  }
  /// Finds the session of a program by name. Errors: KILN-E0619.
  Status find(const char *entry, kiln_session *&out);
  bool isFirst() const { return &first == this; }
  bool isInGroup() const { return first.inGroup; }
  Status stepLaunch(size_t step, kiln_step_launch &out) const;
  /// Returns null during a run.
  const uint64_t *stepTimes() const;
  /// Returns the memory that the last run used; thread-safe.
  Status arenaUsage(size_t index, kiln_arena_usage &out) const {
    return usage.find(index, out);
  }

  /// Finds the index of a program by name. Errors: KILN-E0619.
  Status findIndex(const char *entry, size_t &out) const {
    return model.findProgram(entry, out);
  }
  const kiln_tensor_info &outputInfo(size_t index) const {
    return model.info.outputs.infos[index];
  }
  /// Max bytes over all dims of the session.
  const kiln::rt::Capacities &bytes() const { return capacities; }
  size_t count() const { return 1 + first.others.size(); }
  kiln_session &program(size_t index) const {
    return index ? *first.others[index - 1] : first;
  }

  /// Whether a group owns the session: it releases the session, and runs it only together
  /// with the other ranks' sessions. Set in the first program's session.
  bool inGroup = false;
  std::vector<kiln_symbol_info> ranges; ///< ranges of the symbols in this session
  std::unique_ptr<kiln::rt::DeviceSession> device;

private:
  /// The input dim that determines a symbol's value: the first one that is the symbol
  /// itself.
  struct Source {
    uint32_t input = UINT32_MAX;
    uint32_t dim = 0;
    bool known() const { return input != UINT32_MAX; }
  };

  Status prepare(const kiln_session_options &options, const kiln::rt::ProcessGroup &group,
                 kiln::rt::Device &home);
  Status checkDimNames(std::span<const kiln_dim_range> dims) const;
  Status narrow(std::span<const kiln_dim_range> dims);
  Status findSources();
  Status checkAll(std::span<const kiln_tensor> inputs,
                  std::span<const kiln_tensor> outputs);
  Status execute();
  Status allocate(bool isMeasured);
  Status allocateProgram();
  Status computeCapacities();
  Status bind();
  Status bindSymbols();
  Status checkDims() const;
  bool sameDims() const;
  Status prepareInputs(std::span<const kiln_tensor> inputs);
  Status prepareOutputs(std::span<const kiln_tensor> outputs);
  Status checkInputMemory();
  Status checkHome(const kiln_tensor &tensor, const kiln::rt::Tensor &wanted,
                   const char *noun) const;
  std::string sourceText(uint32_t symbol) const;

  kiln_model &model;
  kiln_session &first;
  std::vector<std::unique_ptr<kiln_session>> others; ///< set in the first session only
  std::vector<Source> sources;                       ///< per symbol
  std::vector<int64_t> symbols;                      ///< values of the last binding
  std::vector<int64_t> boundDims; ///< dims of all inputs, concatenated
  bool bound = false;
  bool ran = false;
  kiln::rt::Usage usage;
  kiln::rt::Layout layout;
  std::vector<uint32_t> checkerScratch;
  kiln::rt::Capacities capacities;
  std::vector<const kiln_tensor *> inputs, outputs; ///< of the current run
  std::vector<kiln::rt::TensorPlace> inputData, outputData;
  std::vector<uint64_t> inputBytes, outputBytes;
  // Set in the first program's session, for all programs.
  kiln::rt::States states;
  kiln::rt::RunControl control;
  std::atomic<kiln::rt::Use> busy{kiln::rt::Use::None};
};

#endif // KILN_SESSION_SESSION_H
