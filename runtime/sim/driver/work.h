//===- work.h - What streams and graphs are made of -------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One description of a piece of work, whether it is enqueued in a stream, captured, or a
// graph's node.
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
  void *handle = nullptr; ///< as the program named it: a CUfunction or a CUkernel
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint32_t dynamicShared = 0;
  std::vector<uint8_t> parameters;
  AttributeMap attributes;

  /// Launch attributes in effect.
  bool flag(CUlaunchAttributeID id) const;
  std::array<uint32_t, 3> cluster() const;
};

/// One end of a copy. `host` memory is known to nobody but the program.
struct Side {
  bool host = false;
  uint64_t start = 0, pitch = 0, slice = 0; ///< of the first byte, rows, planes
};

struct CopyWork {
  CUDA_MEMCPY3D params = {}; ///< as asked for
  Side from, to;
  uint64_t width = 0, height = 0, depth = 0;
  /// The bytes of pageable host memory, taken when the copy was enqueued.
  std::shared_ptr<std::vector<uint8_t>> staged;
};

struct FillWork {
  CUDA_MEMSET_NODE_PARAMS params = {};
};

struct HostWork {
  CUhostFn function = nullptr;
  void *userData = nullptr;
  /// The older form; `stream` is what it gets.
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

/// Carries kernels, copies, fills and host functions out; the others are orders to the
/// engine. Without the runtime's mutex.
/// `known`: what it is ordered behind.
Result perform(const Work &work, Device &device, const OverBlocks &known);

/// Throws what the driver says of a launch that cannot be.
void checkKernel(const KernelWork &work);
/// Fills the sides in and checks them; throws.
CopyWork makeCopy(const CUDA_MEMCPY3D &params);
CopyWork makeCopy(const CUDA_MEMCPY2D &params);
/// One row.
CopyWork makeCopy(CUmemorytype toType, uint64_t to, CUmemorytype fromType, uint64_t from,
                  size_t bytes);
FillWork makeFill(const CUDA_MEMSET_NODE_PARAMS &params);

/// The parameters of a launch in one block of bytes, from either form of arguments.
std::vector<uint8_t> packParameters(const KernelInfo &kernel, void **parameters,
                                    void **extra);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_WORK_H
