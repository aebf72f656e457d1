//===- device.h - What every device implements ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The session (runtime/session) deals with names, shapes and symbols; a device
// with memory and kernels. A new device is one subclass of each class and one
// line in findDevice (find_device.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_DEVICE_H
#define KILN_DEVICE_DEVICE_H

#include "runtime/collective/process_group.h"
#include "runtime/device/run_control.h"
#include "runtime/package/layout.h"
#include <memory>

namespace kiln::rt {

/// The caller's memory of one model input or output in a run.
struct TensorPlace {
  void *data = nullptr;
  kiln_memory memory = KILN_MEMORY_ANY;
};

/// Bytes that no dims of a session exceed, per arena, input and output of the plan; 0 for
/// arenas that are not the session's.
struct Capacities {
  std::vector<uint64_t> arenas, inputs, outputs;
  uint64_t collective = 0; ///< an operand or a result of any collective
};

/// One session's memory and prepared launches. Used by one thread at a time.
class DeviceSession {
public:
  virtual ~DeviceSession() = default;

  /// Allocates every arena of the session, one allocation each, or uses those of `owner`,
  /// which runs another program of the model, was allocated for both and outlives this
  /// one; null: there is none. layout, symbols: the plan at some dims of the session;
  /// choices: how many different dims there are.
  virtual Status allocate(const Capacities &capacities, const DeviceSession *owner,
                          const Layout &layout, std::span<const int64_t> symbols,
                          uint64_t choices) = 0;

  /// Takes memory again that trim gave back. Errors: as allocate; KILN-E0700 where arenas
  /// are larger than the machine's memory and runs of these dims would take more than is
  /// available. Asked before `bind`.
  virtual Status checkMemory(const Layout &) { return {}; }

  /// Prepares all pointers and grids for these dims, for which the memory
  /// checker has passed. Allocates nothing.
  virtual void bind(const Layout &layout, std::span<const int64_t> symbols) noexcept = 0;

  /// Runs the steps on the caller's memory, one place per model input and
  /// output, unless `control` ends it early. Allocates nothing unless it fails, but
  /// memory for an output in the first run that does not want it. Errors: KILN-E0713 and
  /// E0714 among others.
  virtual Status run(std::span<const TensorPlace> inputs,
                     std::span<const TensorPlace> outputs, RunControl &control) = 0;

  /// Gives memory back that outlives no run. Errors: KILN-E0001 where it cannot.
  virtual Status trim() = 0;
  /// Whether what was bound last is still there.
  virtual bool isBound() const = 0;

  virtual Status resetState() = 0;
  /// Bytes of the state arena, behind all runs and in front of later ones.
  virtual Status readState(uint64_t offset, std::span<uint8_t> to) = 0;
  virtual Status writeState(uint64_t offset, std::span<const uint8_t> from) = 0;
  /// The two ranges do not overlap.
  virtual Status copyState(uint64_t from, uint64_t to, uint64_t bytes) = 0;
  /// See kiln_session_set_stream and kiln_session_synchronize.
  virtual Status setStream(void *stream) = 0;
  virtual Status synchronize() = 0;
  virtual const kiln_device_info &info() const = 0;
  /// Describes the launch of a step at the bound dims. The step must exist.
  virtual Status stepLaunch(size_t step, kiln_step_launch &out) const = 0;
  virtual uint32_t threads() const = 0;
  /// See kiln_session_step_times and kiln_arena_usage::measured.
  virtual const uint64_t *stepTimes() const = 0;
  virtual uint64_t measuredBytes(size_t arena) const = 0;
};

class Device {
public:
  virtual ~Device() = default;
  /// group: the session's rank. Errors: KILN-E0702 where the device runs one rank alone.
  virtual Status createSession(const kiln_model &model,
                               const kiln_session_options &options,
                               const ProcessGroup &group,
                               std::unique_ptr<DeviceSession> &out) = 0;
};

} // namespace kiln::rt

#endif // KILN_DEVICE_DEVICE_H
