//===- device.h - What every device implements ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface between sessions (runtime/session), which handle names, shapes and
// symbols, and devices, which handle memory and kernels. To add a device, derive from
// each class and add a line to findDevice (find_device.cpp).
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

/// Max bytes of each arena, input and output of the plan at the dims that a session
/// allows; 0 for arenas that the session does not allocate.
struct Capacities {
  std::vector<uint64_t> arenas, inputs, outputs;
  uint64_t collective = 0; ///< max bytes of an operand or a result of any collective
};

/// One session's memory and prepared launches. Not thread-safe.
class DeviceSession {
public:
  virtual ~DeviceSession() = default;

  /// Allocates every arena of the session, one allocation each, or uses those of `owner`,
  /// which runs another program of the model, has capacities for both and outlives this
  /// session; null: there is none. layout, symbols: the plan at some dims of the session;
  /// choices: number of different dims.
  virtual Status allocate(const Capacities &capacities, const DeviceSession *owner,
                          const Layout &layout, std::span<const int64_t> symbols,
                          uint64_t choices) = 0;

  /// Allocates memory again that trim has freed; called before `bind`. Errors: as
  /// allocate; KILN-E0700 if arenas exceed the machine's memory and runs with these dims
  /// would need more than is available.
  virtual Status checkMemory(const Layout &) { return {}; }

  /// Prepares all pointers and grids for these dims, which the memory checker has
  /// accepted. Allocates nothing.
  virtual void bind(const Layout &layout, std::span<const int64_t> symbols) noexcept = 0;

  /// Runs the steps on the caller's memory, one place per model input and output, unless
  /// `control` ends the run early. Allocates only if it fails, or in the first run in
  /// which the caller does not want an output that the steps write. Errors: KILN-E0713
  /// and E0714 among others.
  virtual Status run(std::span<const TensorPlace> inputs,
                     std::span<const TensorPlace> outputs, RunControl &control) = 0;

  /// Frees the memory that no later run reads. Errors: KILN-E0001 if the device does not
  /// support it.
  virtual Status trim() = 0;
  /// Whether the last bound pointers are still valid.
  virtual bool isBound() const = 0;

  virtual Status resetState() = 0;
  /// Read and write bytes of the state arena, ordered after earlier runs and before later
  /// ones.
  virtual Status readState(uint64_t offset, std::span<uint8_t> to) = 0;
  virtual Status writeState(uint64_t offset, std::span<const uint8_t> from) = 0;
  /// Copies state; the two ranges must not overlap.
  virtual Status copyState(uint64_t from, uint64_t to, uint64_t bytes) = 0;
  /// See kiln_session_set_stream and kiln_session_synchronize.
  virtual Status setStream(void *stream) = 0;
  virtual Status synchronize() = 0;
  virtual const kiln_device_info &info() const = 0;
  /// Describes the launch of an existing step at the bound dims.
  virtual Status stepLaunch(size_t step, kiln_step_launch &out) const = 0;
  virtual uint32_t threads() const = 0;
  /// See kiln_session_step_times and kiln_arena_usage::measured.
  virtual const uint64_t *stepTimes() const = 0;
  virtual uint64_t measuredBytes(size_t arena) const = 0;
};

class Device {
public:
  virtual ~Device() = default;
  /// Creates a session. group: its rank. Errors: KILN-E0702 if the device supports only
  /// one rank.
  virtual Status createSession(const kiln_model &model,
                               const kiln_session_options &options,
                               const ProcessGroup &group,
                               std::unique_ptr<DeviceSession> &out) = 0;
};

} // namespace kiln::rt

#endif // KILN_DEVICE_DEVICE_H
