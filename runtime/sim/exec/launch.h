//===- launch.h - One kernel launch on the modelled GPU ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface between the driver (driver/), which owns handles, streams and errors, and the
// interpreter (exec/), which owns blocks and warps. launch/run.h starts a launch.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_LAUNCH_H
#define KILN_SIM_EXEC_LAUNCH_H

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::sim {

class AddressSpace;
struct DeviceProfile; // profile/profile.h

/// Properties of a kernel, for cuFuncGetAttribute and occupancy.
struct KernelInfo {
  std::string name;
  std::vector<uint32_t> parameterSizes, parameterOffsets; ///< bytes, in order
  uint32_t parameterBytes = 0;
  uint32_t registers = 0; ///< per thread, an estimate from the live registers of the PTX
  uint32_t staticShared = 0;  ///< bytes per block
  uint32_t localBytes = 0;    ///< bytes per thread
  uint32_t maxThreads = 1024; ///< per block: .maxntid or the device's limit
  std::array<uint32_t, 3> requiredThreads = {}; ///< .reqntid, 0 if absent
  std::array<uint32_t, 3> requiredCluster = {}; ///< .reqnctapercluster, 0 if absent
  uint32_t minBlocksPerSm = 0;
  uint32_t ptxVersion = 0, targetSm = 0; ///< 90 for PTX 9.0; 90 for sm_90 and sm_90a
};

/// A loaded module: decoded kernels and its variables in the address space. Immutable
/// after loading, except for the bytes of its variables; shared by threads.
class Code {
public:
  virtual ~Code() = default;
  virtual std::vector<std::string> kernels() const = 0;
  /// Returns null if the module has no such .entry.
  virtual const KernelInfo *kernel(std::string_view name) const = 0;
  struct Global {
    uint64_t address = 0, size = 0;
  };
  /// Returns a module-scope .global or .const variable; size 0 if there is none.
  virtual Global global(std::string_view name) const = 0;
};

/// Bytes moved and operations computed by a launch; the driver layer models its time with
/// them.
struct LaunchCost {
  uint64_t globalBytes = 0; ///< accessed by threads and copies
  uint64_t tensorFlops = 0, f32Flops = 0, warpInstructions = 0;
};

/// By device: number of its blocks, counted from its first launch, that completed before
/// some event. Only counted for devices with peers.
using OverBlocks = std::array<uint32_t, 32>;

/// Result as the driver reports it: `cuda` is a CUresult, 0 for success.
struct Outcome {
  int cuda = 0;
  std::string message;  ///< printed on stderr by the driver layer; ends without newline
  LaunchCost cost = {}; ///< of run(); all zeros are legal: only the launch overhead takes
                        ///< time
  uint32_t over = 0;    ///< the device's OverBlocks after the launch; 0 if not counted
  bool ok() const { return cuda == 0; }
};

/// Parses, checks and decodes PTX text for a device. Errors: 218 CUDA_ERROR_INVALID_PTX,
/// 222 UNSUPPORTED_PTX_VERSION, 209 NO_BINARY_FOR_GPU, 2 OUT_OF_MEMORY. The message has
/// one line per problem with the PTX line and token.
Outcome loadCode(std::string_view ptx, int device, const DeviceProfile &profile,
                 AddressSpace &memory, std::shared_ptr<Code> &out);

struct Launch {
  const Code *code = nullptr;
  const KernelInfo *kernel = nullptr;
  int device = 0;
  const DeviceProfile *profile = nullptr;
  AddressSpace *memory = nullptr;
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1}, cluster = {1, 1, 1};
  uint32_t dynamicShared = 0;
  std::vector<uint8_t> parameters; ///< parameterBytes, laid out as the kernel declares
  bool cooperative = false;
  /// Launched with programmatic stream serialisation: griddepcontrol is allowed.
  bool programmatic = false;
  /// Blocks of other devices that completed before the launch.
  OverBlocks known = {};
  std::shared_ptr<const Code> owner; ///< owner of the code, for reports of later launches
};

/// Checks the launch against the kernel and the profile: sizes, limits, cluster
/// shape, cooperative residency. Errors: 1 INVALID_VALUE, 701 LAUNCH_OUT_OF_RESOURCES,
/// 720 COOPERATIVE_LAUNCH_TOO_LARGE, 912 INVALID_CLUSTER_SIZE.
Outcome checkLaunch(const Launch &launch);

namespace exec {
struct Grid;
class Observer;
using DetectorFactory = std::unique_ptr<Observer> (*)(Grid &grid);

/// See run in launch/run.h. makeDetector creates the detector of memory ordering; called
/// if the code's checks need it.
Outcome run(const Launch &launch, DetectorFactory makeDetector);
} // namespace exec

/// Number of blocks resident on one SM, limited by threads, registers, shared memory and
/// block slots.
uint32_t residentBlocksPerSm(const KernelInfo &kernel, const DeviceProfile &profile,
                             uint32_t threads, uint64_t dynamicShared);

/// An environment variable with an invalid value.
struct EnvironmentMistake {
  std::string variable; ///< its name; empty if there is no mistake
  std::string found;    ///< its value, or a description of the error
  std::string expected; ///< valid values

  explicit operator bool() const { return !variable.empty(); }
  /// "KILN_SIM_ISA: expected portable, avx2 or avx512, found 'sse'".
  std::string text() const {
    return variable + ": expected " + expected + ", found " + found;
  }
};

/// Returns the first invalid KILN_SIM_ variable that the interpreter reads. The caller
/// must check before it starts the interpreter.
EnvironmentMistake environmentMistake();

} // namespace kiln::sim

#endif // KILN_SIM_EXEC_LAUNCH_H
