//===- harness.h - Running small kernels in tests ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_SIM_EXEC_HARNESS_H
#define KILN_TEST_SIM_EXEC_HARNESS_H

#include "runtime/sim/launch/run.h"
#include "runtime/sim/memory/memory.h"
#include "runtime/sim/profile/profile.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

namespace kiln::sim::test {

/// Sets an environment variable in its scope.
class Setting {
public:
  Setting(const char *name, const std::string &value);
  ~Setting();

private:
  std::string name, old;
  bool had;
};

/// A device buffer of T.
template <class T> struct Buffer {
  std::shared_ptr<Allocation> allocation;
  uint64_t address() const { return allocation->address; }
  T *data() const { return reinterpret_cast<T *>(allocation->bytes); }
  T &operator[](size_t i) const { return data()[i]; }
};

/// One modelled GPU with its memory.
class Machine {
public:
  explicit Machine(const char *profile = "h200") : profile(findProfile(profile)) {}

  /// Allocates uninitialised bytes.
  template <class T> Buffer<T> fresh(size_t count) {
    return {memory.allocate(Allocation::Kind::Global, 0, count * sizeof(T))};
  }
  template <class T> Buffer<T> zeros(size_t count) {
    return upload(std::vector<T>(count));
  }
  template <class T> Buffer<T> upload(const std::vector<T> &values) {
    Buffer<T> buffer = fresh<T>(values.size());
    memcpy(buffer.allocation->bytes, values.data(), values.size() * sizeof(T));
    buffer.allocation->markWritten(0, values.size() * sizeof(T));
    return buffer;
  }

  /// Loads a module; adds the header unless the text has one.
  Outcome load(const std::string &ptx, const std::string &target = "sm_90a");

  struct Shape {
    std::array<uint32_t, 3> grid = {1, 1, 1}, block = {32, 1, 1}, cluster = {1, 1, 1};
    uint32_t dynamicShared = 0;
    bool cooperative = false;
  };
  template <class... Args>
  Outcome run(const std::string &kernel, const Shape &shape, const Args &...args) {
    Launch launch;
    if (!prepare(kernel, shape, launch))
      return {};
    size_t index = 0;
    (put(launch, index++, args), ...);
    return kiln::sim::run(launch);
  }

  AddressSpace memory;
  const DeviceProfile *profile;
  std::shared_ptr<Code> code;

private:
  bool prepare(const std::string &kernel, const Shape &shape, Launch &launch);
  template <class T> void put(Launch &launch, size_t index, const T &value) {
    ASSERT_LT(index, launch.kernel->parameterOffsets.size());
    ASSERT_EQ(sizeof(T), launch.kernel->parameterSizes[index]);
    memcpy(launch.parameters.data() + launch.kernel->parameterOffsets[index], &value,
           sizeof(T));
  }
};

/// Returns a kernel whose body has %tid.x in %i, the kernel's pointers in %a, %b, %c and
/// the thread's elements of `bytes` bytes at [%pa], [%pb], [%pc].
std::string kernelOf(const std::string &name, const std::string &body,
                     unsigned bytes = 4);

} // namespace kiln::sim::test

#endif // KILN_TEST_SIM_EXEC_HARNESS_H
