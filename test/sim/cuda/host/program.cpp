//===- program.cpp - GPU access for test programs -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/sim/cuda/host/program.h"

#include <cstdarg>
#include <cstdio>

namespace kiln::sim::programs {
namespace {
constexpr uint64_t FailuresShown = 5;
constexpr uint32_t SharedWithoutAsking = 48 * 1024;
constexpr uint32_t PortableCluster = 8;
} // namespace

Result Kernel::launch(const Shape &shape, void **parameters) const {
  const Driver &cuda = driver();
  if (shape.shared > SharedWithoutAsking)
    require(
        cuda.cuFuncSetAttribute(function, FunctionMaxDynamicShared, int(shape.shared)),
        name + ", cuFuncSetAttribute");
  const auto &[grid, block] = std::tie(shape.grid, shape.block);
  LaunchAttribute attributes[3];
  uint32_t count = 0;
  if (shape.cluster.x) {
    attributes[count].id = LaunchAttribute::ClusterDimension;
    attributes[count].words[0] = shape.cluster.x;
    attributes[count].words[1] = shape.cluster.y;
    attributes[count++].words[2] = shape.cluster.z;
    if (shape.cluster.x * shape.cluster.y * shape.cluster.z > PortableCluster)
      require(cuda.cuFuncSetAttribute(function, FunctionNonPortableCluster, 1),
              name + ", cuFuncSetAttribute");
  }
  if (shape.cooperative) {
    attributes[count].id = LaunchAttribute::Cooperative;
    attributes[count++].words[0] = 1;
  }
  if (shape.programmatic) {
    attributes[count].id = LaunchAttribute::Programmatic;
    attributes[count++].words[0] = 1;
  }
  if (!count)
    return cuda.cuLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y,
                               block.z, shape.shared, shape.stream, parameters, nullptr);
  LaunchConfig config = {grid.x,  grid.y,       grid.z,       block.x,    block.y,
                         block.z, shape.shared, shape.stream, attributes, count};
  return cuda.cuLaunchKernelEx(&config, function, parameters, nullptr);
}

Kernel Test::kernel(const char *kernelName) const {
  Function function = nullptr;
  require(driver().cuModuleGetFunction(&function, module, kernelName),
          std::string("cuModuleGetFunction ") + kernelName);
  return Kernel(function, kernelName);
}

void Test::setGlobal(const char *variable, const void *source, size_t bytes) const {
  DevicePointer address = 0;
  size_t size = 0;
  require(driver().cuModuleGetGlobal(&address, &size, module, variable),
          std::string("cuModuleGetGlobal ") + variable);
  if (bytes > size)
    throw Failure(std::string(variable) + " has fewer bytes than are written to it");
  require(driver().cuMemcpyHtoD(address, source, bytes), "cuMemcpyHtoD");
}

void Test::check(bool ok, const char *format, ...) {
  ++checks;
  if (ok || ++failures > FailuresShown)
    return;
  std::printf("  %s %s: ", name.c_str(), arch.c_str());
  va_list arguments;
  va_start(arguments, format);
  std::vprintf(format, arguments);
  va_end(arguments);
  std::printf("\n");
}

} // namespace kiln::sim::programs
