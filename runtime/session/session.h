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
/// those of the others, the memory and the states.
struct kiln_session {
  using Status = kiln::rt::Status;

  /// first: of the same model; null: it is the first itself.
  explicit kiln_session(kiln_model &model, kiln_session *first = nullptr);
  ~kiln_session();

  /// group: the session's rank; of as many as the package is for. Errors: as
  /// kiln_session_create.
  static Status create(kiln_model &model, const kiln_session_options &options,
                       const kiln::rt::ProcessGroup &group, kiln_session *&out);
  Status run(std::span<const kiln_tensor> inputs, std::span<const kiln_tensor> outputs,
             const kiln::rt::RunLimits &limits = {});
  /// Ends the run in progress, of any program; for any thread and signal handlers.
  void cancel() { first.control.cancel(); }
  /// Takes back the rows that the last run has added, where it failed on another rank.
  void takeBack() { first.states.takeBackCounts(model.plan, inputs); }
  /// A run of one rank among processes: agree(the result of the checks) waits for the
  /// other ranks. The session is busy from the checks to the end, or another call could
  /// bind other dims in between. Calls nothing if the session is busy already.
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
  /// Computes the output shapes of a model, without memory for a session.
  static Status outputShapesOf(kiln_model &model, std::span<const kiln_tensor> inputs,
                               std::span<kiln_shape> out);
  /// Calls back with the states of the session, which no run changes meanwhile.
  template <typename Call> Status withStates(Call call) {
    kiln::rt::BusyGuard guard(first.busy);
    KILN_TRY(guard.check());
    return call(first.states);
  }
  Status stateShape(size_t index, kiln_shape &out) const {
    return first.states.shape(index, out);
  }

  /// Calls back with the device of each program, while none runs.
  template <typename Call> Status withDevices(Call call) {
    kiln::rt::BusyGuard guard(first.busy);
    KILN_TRY(guard.check());
    for (size_t i = 0; i < count(); ++i)
      KILN_TRY(call(*program(i).device));
    return {};
  }
  /// The session of a program of the model, by its name. Errors: KILN-E0619.
  Status find(const char *entry, kiln_session *&out);
  bool isFirst() const { return &first == this; }
  bool isInGroup() const { return first.inGroup; }
  Status stepLaunch(size_t step, kiln_step_launch &out) const;
  /// Null during a run.
  const uint64_t *stepTimes() const;
  /// Memory that the last run used; may be read by any thread.
  Status arenaUsage(size_t index, kiln_arena_usage &out) const {
    return usage.find(index, out);
  }

  /// The number of the program of that name. Errors: KILN-E0619.
  Status findIndex(const char *entry, size_t &out) const {
    return model.findProgram(entry, out);
  }
  const kiln_tensor_info &outputInfo(size_t index) const {
    return model.info.outputs.infos[index];
  }
  /// Bytes that no dims of the session exceed.
  const kiln::rt::Capacities &bytes() const { return capacities; }
  size_t count() const { return 1 + first.others.size(); }
  kiln_session &program(size_t index) const {
    return index ? *first.others[index - 1] : first;
  }

  /// Whether a group owns the session, which it releases itself and runs with its others
  /// only; of the first program.
  bool inGroup = false;
  std::vector<kiln_symbol_info> ranges; ///< the session's envelope
  std::unique_ptr<kiln::rt::DeviceSession> device;

private:
  /// Where a symbol's value comes from: the first input dim that is just it.
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
  std::vector<std::unique_ptr<kiln_session>> others; ///< of the first
  std::vector<Source> sources;                       ///< per symbol
  std::vector<int64_t> symbols;                      ///< values bound last
  std::vector<int64_t> boundDims; ///< of all inputs, one after the other
  bool bound = false;
  bool ran = false;
  kiln::rt::Usage usage;
  kiln::rt::Layout layout;
  std::vector<uint32_t> checkerScratch;
  kiln::rt::Capacities capacities;
  std::vector<const kiln_tensor *> inputs, outputs; ///< of the run at hand
  std::vector<kiln::rt::TensorPlace> inputData, outputData;
  std::vector<uint64_t> inputBytes, outputBytes;
  // Of the first, for all programs.
  kiln::rt::States states;
  kiln::rt::RunControl control;
  std::atomic<kiln::rt::Use> busy{kiln::rt::Use::None};
};

#endif // KILN_SESSION_SESSION_H
