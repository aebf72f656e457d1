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

/// CPUs in the calling thread's affinity mask; at least 1.
uint32_t affinityCpuCount();

/// CPUs worth of time that the cgroup quota allows (v1 and v2, the tightest of
/// the whole hierarchy), rounded up; UINT32_MAX if there is no quota. root: where
/// /proc and /sys are looked for, "" but in tests.
uint32_t cgroupCpuLimit(const std::string &root = "");

/// The smaller of both, at least 1.
uint32_t allowedCpuCount();

} // namespace kiln::rt

#endif // KILN_BASE_CPU_LIMITS_H
