//===- cpu_limits.h - How many CPUs this process may use --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_CPU_LIMITS_H
#define KILN_BASE_CPU_LIMITS_H

#include <cstdint>
#include <string>

namespace kiln::rt {

/// Returns the number of CPUs in the calling thread's affinity mask; at least 1.
uint32_t affinityCpuCount();

/// Number of CPUs that the cgroup quota allows (v1 and v2, the smallest quota of the
/// group and its ancestors), rounded up; UINT32_MAX without a quota. root: prefix of the
/// paths /proc and /sys, not empty only in tests.
uint32_t cgroupCpuLimit(const std::string &root = "");

/// The smaller of affinityCpuCount() and cgroupCpuLimit().
uint32_t allowedCpuCount();

} // namespace kiln::rt

#endif // KILN_BASE_CPU_LIMITS_H
