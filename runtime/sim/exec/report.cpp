//===- report.cpp - Error reports of a launch ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/report.h"

#include "runtime/sim/exec/team.h"

#include <algorithm>
#include <cstdio>

namespace kiln::sim::exec {

namespace {
/// Max warps listed in a report; the others are only counted.
constexpr size_t MaxWarpLines = 64;

std::string dims(const std::array<uint32_t, 3> &d) {
  return "(" + std::to_string(d[0]) + "," + std::to_string(d[1]) + "," +
         std::to_string(d[2]) + ")";
}

std::string kernelName(const Grid &grid) { return grid.kernel->info.name; }

/// Describes a block, with its rank if it is in a cluster.
std::string describeBlock(const Block &block) {
  std::string text = "block " + dims(block.index);
  if (block.cluster->blocks.size() > 1)
    text += " (rank " + std::to_string(block.rank) + " of its cluster)";
  return text;
}

std::string describeSplit(const Warp &warp, const Split &split) {
  std::string text = describeLanes(split.mask) + ": ";
  if (split.wait)
    text += split.wait.describe ? split.wait.describe(split.wait, warp, split) : "waits";
  else
    text += "runs";
  return text + ", at " + describeOp(split.pc);
}

size_t describeWarps(const Cluster &cluster, size_t room, std::string &text) {
  size_t left = 0;
  for (const Block *block : cluster.blocks)
    for (const Warp *warp : block->warps)
      for (unsigned i = 0; i < warp->splitCount; ++i) {
        if (!room) {
          ++left;
          continue;
        }
        --room;
        text += "\n  " + describeBlock(*block) + ", warp " + std::to_string(warp->index) +
                ", " + describeSplit(*warp, warp->splits[i]);
      }
  return left;
}

std::string withSchedule(const Grid &grid, std::string text) {
  Schedule plain;
  if (grid.schedule.text() != plain.text())
    text += "\n  to run it again this way: KILN_SIM_SCHEDULE=" + grid.schedule.text();
  return text;
}

void listWarps(const Worker &worker, std::string &text) {
  size_t room = MaxWarpLines, left = 0;
  for (const std::unique_ptr<Cluster> &cluster : worker.active) {
    size_t before = text.size();
    left += describeWarps(*cluster, room, text);
    room -= std::min(
        room, size_t(std::count(text.begin() + ptrdiff_t(before), text.end(), '\n')));
  }
  if (left)
    text += "\n  and " + std::to_string(left) + " more";
}
} // namespace

std::string hex(uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string describeLanes(Mask mask) {
  if (mask == AllLanes)
    return "all lanes";
  std::string text;
  for (unsigned lane = 0; lane < WarpSize; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    unsigned last = lane;
    while (last + 1 < WarpSize && mask >> (last + 1) & 1)
      ++last;
    text += (text.empty() ? "" : ",") + std::to_string(lane);
    if (last > lane)
      text += "-" + std::to_string(last);
    lane = last;
  }
  bool one = __builtin_popcount(mask) == 1;
  return (one ? "lane " : "lanes ") + text;
}

std::string describeOp(const MicroOp *op) {
  if (!op || !op->info)
    return "the end of the function";
  std::string text =
      "line " + std::to_string(op->info->line) + ": `" + op->info->text + "`";
  if (op->info->function && !op->info->function->source->entry)
    text += " in " + op->info->function->name;
  return text;
}

std::string describeAddress(const Grid &grid, uint64_t address) {
  std::shared_ptr<Allocation> near = grid.memory->find(address);
  bool inside = near != nullptr;
  if (!near)
    near = grid.memory->nearestBelow(address);
  std::string text = hex(address);
  if (!near)
    return text + " is in no allocation";
  std::string what = near->name.empty() ? "allocation #" + std::to_string(near->serial)
                                        : "variable `" + near->name + "`";
  what += " (" + std::to_string(near->size) + " bytes at " + hex(near->address) + ")";
  if (inside)
    return text + " is byte " + std::to_string(address - near->address) + " of " + what;
  uint64_t behind = address - (near->address + near->size);
  return text + " is " + std::to_string(behind) + " bytes behind the end of " + what;
}

void stopLaunch(Grid &grid, int cuda, const std::string &message) {
  std::lock_guard<std::mutex> lock(grid.mutex);
  if (!grid.outcome.ok())
    return;
  grid.outcome.cuda = cuda;
  grid.outcome.message = withSchedule(grid, message);
  grid.stop.store(true);
}

Stop fault(const Origin &origin, int cuda, const std::string &what,
           const std::string &fix) {
  Grid &grid = origin.grid();
  std::string text = what + "\n  kernel " + kernelName(grid) + ", " +
                     describeBlock(*origin.block) + ", warp " +
                     std::to_string(origin.warp) + ", " + describeLanes(origin.mask) +
                     ", " + describeOp(origin.op);
  if (!fix.empty())
    text += "\n  " + fix;
  stopLaunch(grid, cuda, text);
  return Stop::Fault;
}

void reportDeadlock(Worker &worker, const Cluster &cluster) {
  std::string text = "deadlock: kernel " + kernelName(worker.grid) +
                     ": every thread left in " +
                     (cluster.blocks.size() > 1 ? "a cluster" : "a block") + " waits";
  size_t left = describeWarps(cluster, MaxWarpLines, text);
  if (left)
    text += "\n  and " + std::to_string(left) + " more";
  stopLaunch(worker.grid, LaunchFailed, text);
}

void reportLivelock(Worker &worker) {
  std::string text = "livelock: kernel " + kernelName(worker.grid) +
                     ": all threads that can run spin, and nothing changes "
                     "what they read";
  listWarps(worker, text);
  if (uint64_t waiting = worker.team.notStarted())
    text += "\n  " +
            std::to_string(waiting * (worker.grid.blocks / worker.grid.clusters)) +
            " blocks could not start: the kernel needs more of them resident at a time "
            "than fit on the device";
  stopLaunch(worker.grid, LaunchFailed, text);
}

void reportTimeout(Worker &worker, double seconds) {
  char limit[32];
  snprintf(limit, sizeof limit, "%g", seconds);
  std::string text = "timeout: kernel " + kernelName(worker.grid) + ": not done after " +
                     limit + " s (KILN_SIM_TIMEOUT)";
  listWarps(worker, text);
  stopLaunch(worker.grid, 702, text);
}

} // namespace kiln::sim::exec
