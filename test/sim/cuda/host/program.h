//===- program.h - GPU access for test programs ------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program is one file of kernels (kernels/NAME.cu, compiled to generated/) and one
// function here that launches them and compares their results with the CPU's. Each has a
// line in programs.def.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_TEST_CUDA_HOST_PROGRAM_H
#define KILN_SIM_TEST_CUDA_HOST_PROGRAM_H

#include "test/sim/cuda/host/driver.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace kiln::sim::programs {

/// Hash (FNV-1a) of every byte downloaded so far, in order: equal hashes mean equal
/// results.
class Digest {
public:
  void add(const void *bytes, size_t count) {
    for (size_t i = 0; i < count; ++i)
      value = (value ^ static_cast<const uint8_t *>(bytes)[i]) * 0x100000001b3;
  }
  uint64_t value = 0xcbf29ce484222325;
};
inline Digest downloads;

/// Device memory of `count` Ts, freed at the end of its scope.
template <typename T> class Buffer {
public:
  /// Allocates without writing.
  explicit Buffer(size_t count) : count(count) {
    require(driver().cuMemAlloc(&pointer, bytes()), "cuMemAlloc");
  }
  explicit Buffer(const std::vector<T> &values) : Buffer(values.size()) {
    upload(values);
  }
  static Buffer zeroed(size_t count) {
    Buffer out(count);
    require(driver().cuMemsetD8(out.pointer, 0, out.bytes()), "cuMemsetD8");
    return out;
  }
  Buffer(Buffer &&other) noexcept : pointer(other.pointer), count(other.count) {
    other.pointer = 0;
  }
  Buffer(const Buffer &) = delete;
  ~Buffer() {
    if (pointer)
      driver().cuMemFree(pointer);
  }

  size_t size() const { return count; }
  size_t bytes() const { return count * sizeof(T); }
  DevicePointer address() const { return pointer; }
  void upload(const std::vector<T> &values) {
    require(driver().cuMemcpyHtoD(pointer, values.data(), values.size() * sizeof(T)),
            "cuMemcpyHtoD");
  }
  std::vector<T> download() const {
    std::vector<T> out(count);
    require(driver().cuMemcpyDtoH(out.data(), pointer, bytes()), "cuMemcpyDtoH");
    downloads.add(out.data(), bytes());
    return out;
  }

private:
  DevicePointer pointer = 0;
  size_t count;
};

struct Dim {
  uint32_t x = 1, y = 1, z = 1;
};

struct Shape {
  Dim grid, block;
  uint32_t shared = 0; ///< dynamic bytes
  Dim cluster = {0, 0, 0};
  bool cooperative = false;
  bool programmatic = false;
  Stream stream = nullptr;
};

/// Returns the value of a kernel argument: the address of a buffer, or the argument
/// itself.
template <typename T> auto argument(const T &value) { return value; }
template <typename T> DevicePointer argument(const Buffer<T> &buffer) {
  return buffer.address();
}

class Kernel {
public:
  Kernel(Function function, std::string name)
      : function(function), name(std::move(name)) {}

  /// Launches and waits; throws Failure on any error.
  template <typename... Arguments>
  void operator()(const Shape &shape, const Arguments &...arguments) const {
    require(tryLaunch(shape, arguments...), name);
    require(driver().cuCtxSynchronize(), name + ", cuCtxSynchronize");
  }
  /// Launches without waiting.
  template <typename... Arguments>
  Result tryLaunch(const Shape &shape, const Arguments &...arguments) const {
    auto values = std::make_tuple(argument(arguments)...);
    return std::apply(
        [&](auto &...each) {
          void *pointers[] = {static_cast<void *>(&each)..., nullptr};
          return launch(shape, pointers);
        },
        values);
  }

private:
  Result launch(const Shape &shape, void **parameters) const;
  Function function;
  std::string name;
};

/// One run of one program: its module and the failures so far.
class Test {
public:
  Test(std::string name, std::string arch, ModuleHandle module)
      : name(std::move(name)), arch(std::move(arch)), module(module) {}

  Kernel kernel(const char *kernelName) const;
  /// Writes to a module variable.
  void setGlobal(const char *variable, const void *source, size_t bytes) const;

  /// Counts a check; prints the first few failures.
  void check(bool ok, const char *format, ...) __attribute__((format(printf, 3, 4)));

  /// Checks that all bits are equal, including NaNs.
  template <typename T>
  void equal(const std::vector<T> &got, const std::vector<T> &want, const char *what) {
    check(got.size() == want.size(), "%s: %zu values, expected %zu", what, got.size(),
          want.size());
    for (size_t i = 0; i < got.size() && i < want.size(); ++i)
      check(!std::memcmp(&got[i], &want[i], sizeof(T)), "%s[%zu] is %s, expected %s",
            what, i, text(got[i]).c_str(), text(want[i]).c_str());
  }
  /// Checks for equal bits, but all NaNs are equal.
  template <typename T>
  void sameNumbers(std::vector<T> got, std::vector<T> want, const char *what) {
    for (auto *values : {&got, &want})
      for (T &value : *values)
        if (std::isnan(value))
          value = std::numeric_limits<T>::quiet_NaN();
    equal(got, want, what);
  }
  /// Checks |got - want| <= absolute + relative * |want|; NaN only where NaN is wanted.
  template <typename T>
  void near(const std::vector<T> &got, const std::vector<double> &want, double absolute,
            double relative, const char *what) {
    check(got.size() == want.size(), "%s: %zu values, expected %zu", what, got.size(),
          want.size());
    for (size_t i = 0; i < got.size() && i < want.size(); ++i)
      check(close(double(got[i]), want[i], absolute + relative * std::fabs(want[i])),
            "%s[%zu] is %.9g, expected %.9g", what, i, double(got[i]), want[i]);
  }

  const std::string name, arch;
  std::mt19937_64 random{20240229}; ///< the same seed in every run
  uint64_t checks = 0, failures = 0;

  /// Returns `count` random integers in [low, high].
  template <typename T> std::vector<T> integers(size_t count, int64_t low, int64_t high) {
    std::vector<T> out(count);
    // Unsigned, as low and high may be the type's limits. 0 means 2^64.
    uint64_t span = uint64_t(high) - uint64_t(low) + 1;
    for (T &value : out)
      value = T(uint64_t(low) + (span ? random() % span : random()));
    return out;
  }
  /// Returns `count` random numbers in [low, high).
  template <typename T> std::vector<T> reals(size_t count, double low, double high) {
    std::vector<T> out(count);
    for (T &value : out)
      value = T(low + (high - low) * double(random() >> 11) * 0x1p-53);
    return out;
  }

private:
  static bool close(double got, double want, double slack) {
    if (std::isnan(want) || std::isinf(want))
      return std::isnan(want) ? std::isnan(got) : got == want;
    return std::fabs(got - want) <= slack;
  }
  template <typename T> static std::string text(const T &value) {
    char out[64] = "?";
    if constexpr (std::is_floating_point_v<T>)
      std::snprintf(out, sizeof out, "%.17g", double(value));
    else if constexpr (sizeof(T) == 16)
      std::snprintf(out, sizeof out, "0x%016llx%016llx",
                    (unsigned long long)(value >> 64), (unsigned long long)value);
    else if constexpr (std::is_integral_v<T>)
      std::snprintf(out, sizeof out, "0x%llx", (unsigned long long)value);
    return out;
  }
  ModuleHandle module;
};

inline uint32_t divideUp(uint64_t value, uint64_t by) {
  return uint32_t((value + by - 1) / by);
}

/// Returns the distance in representable values of float or double; huge if only one is
/// NaN.
template <typename T> double ulps(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b) ? 0 : 1e300;
  auto order = [](T value) {
    Bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? double(std::numeric_limits<Bits>::min()) - double(bits)
                    : double(bits);
  };
  return std::fabs(order(a) - order(b));
}

} // namespace kiln::sim::programs

#endif // KILN_SIM_TEST_CUDA_HOST_PROGRAM_H
