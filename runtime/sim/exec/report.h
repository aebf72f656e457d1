//===- report.h - Error reports of a launch ----------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_REPORT_H
#define KILN_SIM_EXEC_REPORT_H

#include "runtime/sim/exec/worker.h"

namespace kiln::sim::exec {

/// Ends the launch with an error that has no location in the kernel.
void stopLaunch(Grid &grid, int cuda, const std::string &message);

/// Reports a deadlock: no warp of the cluster can continue. One line per warp.
void reportDeadlock(Worker &worker, const Cluster &cluster);
/// Reports a livelock: every warp spins and nothing changes.
void reportLivelock(Worker &worker);
void reportTimeout(Worker &worker, double seconds);

/// "lanes 0-3,7", "lane 5", "all lanes".
std::string describeLanes(Mask mask);
/// "line 12: `ld.global.u32 %r1, [%rd2]`".
std::string describeOp(const MicroOp *op);
/// "0x7f0000000100 is 4 bytes behind the end of allocation #3 (256 bytes at 0x...)".
std::string describeAddress(const Grid &grid, uint64_t address);
std::string hex(uint64_t value);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_REPORT_H
