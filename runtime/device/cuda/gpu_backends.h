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

/// A rank on a GPU, as its backends see it.
struct GpuRank {
  std::shared_ptr<const Context> context;
  ProcessGroup group;
  uint32_t perStage; ///< ranks of a stage of the pipeline
};

/// A row of the table: a subclass of DeviceBackend.
struct GpuBackend {
  const char *name; ///< in KILN_COLLECTIVES; that of the backend
  /// isRequired: it was asked for by name, so ranks that cannot use it are an error.
  Status (*open)(const GpuRank &rank, bool isRequired,
                 std::unique_ptr<DeviceBackend> &out);
};

/// Returns the table of this library. A collective is carried out by the first that
/// supports it, or else through the memory of the host.
std::span<const GpuBackend> gpuBackends();

/// The backends of a rank, in the order of the table. All programs of the rank share
/// them.
class GpuBackends {
public:
  /// Opens those that KILN_COLLECTIVES asks for: all (auto), none (host), or one by its
  /// name. Errors: KILN-E0001 (there is none of that name), and those of the backends.
  static Status open(const GpuRank &rank, std::span<const GpuBackend> table,
                     std::shared_ptr<GpuBackends> &out);
  /// Before a run, on the thread of each rank: compares KILN_COLLECTIVES of all ranks the
  /// first time. Errors: KILN-E0712.
  Status agree();
  std::span<const std::unique_ptr<DeviceBackend>> all() const { return backends; }

private:
  explicit GpuBackends(const ProcessGroup &group) : group(group) {}

  const ProcessGroup group;
  uint32_t wanted = 0; ///< by KILN_COLLECTIVES: auto, host, then the rows of the table
  bool hasAgreed = false;
  std::vector<std::unique_ptr<DeviceBackend>> backends;
};

/// Compares what ranks ask for; all of them find the same. Errors: KILN-E0712.
Status checkSameBackends(std::span<const uint32_t> wanted);

} // namespace kiln::rt::cuda

#endif // KILN_DEVICE_CUDA_GPU_BACKENDS_H
