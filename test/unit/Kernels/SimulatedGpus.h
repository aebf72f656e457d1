//===- SimulatedGpus.h - A simulated GPU of every target --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TEST_UNIT_KERNELS_SIMULATEDGPUS_H
#define KILN_TEST_UNIT_KERNELS_SIMULATEDGPUS_H

#include <string>

namespace kiln::test {

/// Makes the simulator the CUDA driver of this process, with a GPU for every target and
/// all detectors. Must be called before the first session is created.
void useSimulatedGpus();

/// Returns the device that runs a target's code: "cuda:2".
std::string deviceOf(const std::string &target);

/// Orders of asynchronous work and of warps, in the syntax of KILN_SIM_SCHEDULE.
inline constexpr const char *kSchedules[] = {"eager,forward", "late,random,7",
                                             "random,reverse,3"};
/// Sets the schedule of all later launches.
void setSchedule(const char *schedule);

} // namespace kiln::test

#endif // KILN_TEST_UNIT_KERNELS_SIMULATEDGPUS_H
