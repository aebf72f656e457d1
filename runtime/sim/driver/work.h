//===- work.h - Work of streams and graphs ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One description of an operation, whether it is enqueued in a stream, captured, or the
// work of a graph's node.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_WORK_H
#define KILN_SIM_DRIVER_WORK_H

#include "runtime/sim/driver/engine.h"
#include "runtime/sim/driver/objects.h"
#include <variant>

namespace kiln::sim::driver {

struct Graph;
using AttributeMap = std::map<int, CUlaunchAttributeValue>;

struct KernelWork {
  std::shared_ptr<Function> function;
  void *handle = nullptr; ///< the program's CUfunction or CUkernel
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint32_t dynamicShared = 0;
  std::vector<uint8_t> parameters;
  AttributeMap attributes;

  /// Return the value of a launch attribute.
  bool flag(CUlaunchAttributeID id) const;
  std::array<uint32_t, 3> cluster() const;
};

/// One end of a copy. `host`: host memory that the driver did not allocate.
struct Side {
  bool host = false;
  uint64_t start = 0, pitch = 0, slice = 0; ///< first byte; bytes between rows and
                                            ///< between planes
};

struct CopyWork {
  CUDA_MEMCPY3D params = {}; ///< the program's parameters
  Side from, to;
  uint64_t width = 0, height = 0, depth = 0;
  /// Bytes of pageable host memory, copied when the copy was enqueued.
  std::shared_ptr<std::vector<uint8_t>> staged;
};

struct FillWork {
  CUDA_MEMSET_NODE_PARAMS params = {};
};

struct HostWork {
  CUhostFn function = nullptr;
  void *userData = nullptr;
  /// Callback of cuStreamAddCallback; it receives `stream`.
  CUstreamCallback callback = nullptr;
  CUstream stream = nullptr;
};

struct RecordWork {
  std::shared_ptr<Event> event;
};
struct WaitWork {
  std::shared_ptr<Event> event;
};
struct ChildWork {
  std::shared_ptr<Graph> graph;
};
struct FreeWork {
  uint64_t address = 0;
};
struct EmptyWork {};

using Work = std::variant<EmptyWork, KernelWork, CopyWork, FillWork, HostWork, RecordWork,
                          WaitWork, ChildWork, FreeWork>;

/// Executes kernels, copies, fills and host functions without the runtime's mutex; other
/// work only orders operations. `known`: blocks that happened before it.
Result perform(const Work &work, Device &device, const OverBlocks &known);

/// Throws the driver's error for an impossible launch.
void checkKernel(const KernelWork &work);
/// Fills in the sides of a copy and checks them; throws if they are invalid.
CopyWork makeCopy(const CUDA_MEMCPY3D &params);
CopyWork makeCopy(const CUDA_MEMCPY2D &params);
/// Makes a copy of one row.
CopyWork makeCopy(CUmemorytype toType, uint64_t to, CUmemorytype fromType, uint64_t from,
                  size_t bytes);
FillWork makeFill(const CUDA_MEMSET_NODE_PARAMS &params);

/// Packs the parameters of a launch into one buffer, from either form of arguments.
std::vector<uint8_t> packParameters(const KernelInfo &kernel, void **parameters,
                                    void **extra);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_WORK_H
