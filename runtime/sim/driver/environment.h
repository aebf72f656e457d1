//===- environment.h - Settings from environment variables ------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KILN_SIM_DEVICES, KILN_SIM_MEMORY, KILN_SIM_FAIL, KILN_SIM_DELAY, KILN_SIM_TRACE, and
// the asynchronous part of KILN_SIM_SCHEDULE. Read once, at the first call; README.md
// describes them.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_DRIVER_ENVIRONMENT_H
#define KILN_SIM_DRIVER_ENVIRONMENT_H

#include "runtime/sim/driver/failure.h"
#include "runtime/sim/exec/launch.h"
#include "runtime/sim/profile/profile.h"
#include <cstdint>
#include <string>
#include <vector>

namespace kiln::sim::driver {

/// When enqueued work runs: at once; as late as a wait allows; or either, with streams in
/// random order.
enum class Order : uint8_t { Eager, Late, Random };

struct Environment {
  std::vector<DeviceProfile> devices;
  uint64_t memoryLimit = 0; ///< bytes per device; 0: the profile's
  uint64_t failAt = 0;      ///< number of the call that fails; 0: none
  CUresult failWith = CUDA_ERROR_UNKNOWN;
  uint64_t delayAt = 0, delayBy = 0; ///< number of the call that is delayed, and by how
                                     ///< many ms
  std::string trace;                 ///< file name, "-" for stderr, empty for none
  Order order = Order::Eager;
  uint64_t seed = 1;
  EnvironmentMistake mistake; ///< makes cuInit fail
};

/// Reads the process's environment.
Environment readEnvironment();

/// Overrides KILN_SIM_DEVICES for the next readEnvironment(). Returns a mistake if the
/// text is invalid or the environment was already read with other devices.
EnvironmentMistake chooseDevices(const std::string &devices);

/// Parses bytes: "1234", "64M", "2G". Returns false if the text is no number.
bool parseBytes(const std::string &text, uint64_t &out);
/// Parses a failing call: "12" or "12:OUT_OF_MEMORY" or "12:2".
bool parseFail(const std::string &text, uint64_t &at, CUresult &with);
/// Parses a delayed call: "12:5000" (milliseconds).
bool parseDelay(const std::string &text, uint64_t &at, uint64_t &by);
/// Parses the first and the third item of "late,random,17".
bool parseOrder(const std::string &text, Order &order, uint64_t &seed);

} // namespace kiln::sim::driver

#endif // KILN_SIM_DRIVER_ENVIRONMENT_H
