//===- gpu_backends.h - Backends of ranks on GPUs ---------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_DEVICE_CUDA_GPU_BACKENDS_H
#define KILN_DEVICE_CUDA_GPU_BACKENDS_H

#include "runtime/collective/process_group.h"
#include "runtime/device/cuda/context.h"
#include <span>
#include <vector>

namespace kiln::rt::cuda {

/// A rank on a GPU, as passed to its backends.
struct GpuRank {
  std::shared_ptr<const Context> context;
  ProcessGroup group;
  uint32_t perStage; ///< ranks per pipeline stage
};

/// A row of the table of GPU backends: a subclass of DeviceBackend.
struct GpuBackend {
  const char *name; ///< in KILN_COLLECTIVES and of the backend
  /// isRequired: the user requested it by name, so it is an error if ranks cannot use it.
  Status (*open)(const GpuRank &rank, bool isRequired,
                 std::unique_ptr<DeviceBackend> &out);
};

/// Returns the table of this library. A collective runs on the first backend that
/// supports it, or else through host memory.
std::span<const GpuBackend> gpuBackends();

/// The backends of a rank, in the order of the table, common to all programs of the rank.
class GpuBackends {
public:
  /// Opens the backends that KILN_COLLECTIVES selects: all (auto), none (host), or one by
  /// its name. Errors: KILN-E0001 (unknown name), and those of the backends.
  static Status open(const GpuRank &rank, std::span<const GpuBackend> table,
                     std::shared_ptr<GpuBackends> &out);
  /// Compares KILN_COLLECTIVES of all ranks in the first run. To be called before each
  /// run on the thread of each rank. Errors: KILN-E0712.
  Status agree();
  std::span<const std::unique_ptr<DeviceBackend>> all() const { return backends; }

private:
  explicit GpuBackends(const ProcessGroup &group) : group(group) {}

  const ProcessGroup group;
  uint32_t wanted = 0; ///< value of KILN_COLLECTIVES: auto, host, or a row of the table
  bool hasAgreed = false;
  std::vector<std::unique_ptr<DeviceBackend>> backends;
};

/// Compares the ranks' values of KILN_COLLECTIVES; all ranks get the same result. Errors:
/// KILN-E0712.
Status checkSameBackends(std::span<const uint32_t> wanted);

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_GPU_BACKENDS_H
