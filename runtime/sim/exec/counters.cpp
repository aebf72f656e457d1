//===- counters.cpp - Exact counters of a launch ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/counters.h"

#include "runtime/sim/exec/cost.h"
#include "runtime/sim/ptx/coverage.h"

#include <algorithm>
#include <cstdio>

namespace kiln::sim::exec {

namespace {
using ptx::Instruction;
using ptx::Opcode;
using ptx::Type;

constexpr uint64_t SectorBytes = 32;
constexpr unsigned Banks = 32, BankBytes = 4;

uint64_t deviceAddress(const Place &place) {
  return place.allocation ? place.allocation->address + place.offset : place.offset;
}

/// Cycles beyond the first for the lanes of one phase: each bank delivers one word per
/// cycle.
uint64_t phaseConflicts(const WarpAccess &a, Mask lanes) {
  uint64_t words[Banks][WarpSize];
  unsigned counts[Banks] = {};
  unsigned maximum = 0;
  forLanes(lanes, [&](unsigned lane) {
    for (uint32_t at = 0; at < std::max(a.bytes, BankBytes); at += BankBytes) {
      uint64_t word = (a.places[lane].offset + at) / BankBytes;
      unsigned bank = word % Banks;
      uint64_t *end = words[bank] + counts[bank];
      if (std::find(words[bank], end, word) == end && counts[bank] < WarpSize)
        words[bank][counts[bank]++] = word;
      maximum = std::max(maximum, counts[bank]);
    }
  });
  return maximum ? maximum - 1 : 0;
}

/// Bank conflicts of an access: 8-byte accesses take half warps, 16-byte ones quarter
/// warps.
uint64_t conflicts(const WarpAccess &a) {
  unsigned phases = a.bytes >= 16 ? 4 : a.bytes >= 8 ? 2 : 1;
  unsigned width = WarpSize / phases;
  uint64_t sum = 0;
  for (unsigned n = 0; n < phases; ++n) {
    Mask part = phases == 1 ? AllLanes : ((Mask(1) << width) - 1) << (n * width);
    sum += phaseConflicts(a, a.origin.mask & part);
  }
  return sum;
}

std::string number(const char *name, uint64_t value) {
  return "\"" + std::string(name) + "\":" + std::to_string(value);
}

std::string object(const std::map<std::string, uint64_t> &values) {
  std::string text;
  for (const auto &[name, value] : values)
    text += (text.empty() ? "" : ",") + number(name.c_str(), value);
  return "{" + text + "}";
}

/// Returns [[line of the PTX, conflicts], ...].
std::string conflictsText(const std::map<unsigned, uint64_t> &lines) {
  std::string text;
  for (auto [line, count] : lines)
    text += (text.empty() ? "[" : ",[") + std::to_string(line) + "," +
            std::to_string(count) + "]";
  return "\"conflict_lines\":[" + text + "]";
}

std::string triple(const std::array<uint32_t, 3> &v) {
  return "[" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," +
         std::to_string(v[2]) + "]";
}

std::string spaceText(const AccessCounters::Space &s, const std::string &more) {
  return "{" + number("reads", s.reads) + "," + number("writes", s.writes) + "," +
         number("bytes", s.bytes) + more + "}";
}

std::string events(const InstructionCounts &counts,
                   std::initializer_list<const char *> names) {
  std::string text;
  for (const char *name : names) {
    auto found = counts.events.find(name);
    text += (text.empty() ? "" : ",") +
            number(name, found == counts.events.end() ? 0 : found->second);
  }
  return text;
}

void appendLine(const std::string &path, const std::string &line) {
  FILE *file = fopen(path.c_str(), "a");
  if (!file) {
    fprintf(stderr, "kiln-sim: KILN_SIM_COUNTERS: cannot write %s\n", path.c_str());
    return;
  }
  fwrite(line.data(), 1, line.size(), file);
  fclose(file);
}
} // namespace

void AccessCounters::touchSectors(const WarpAccess &a) {
  uint64_t here[WarpSize * 4];
  size_t count = 0;
  forLanes(a.origin.mask, [&](unsigned lane) {
    uint64_t first = deviceAddress(a.places[lane]);
    for (uint64_t s = first / SectorBytes; s <= (first + a.bytes - 1) / SectorBytes; ++s)
      if (std::find(here, here + count, s) == here + count && count < std::size(here))
        here[count++] = s;
  });
  sectors += count;
  seen.insert(here, here + count);
}

bool AccessCounters::access(const WarpAccess &a) {
  if (a.space == exec::Space::Const || a.space == exec::Space::Param)
    return true;
  const Place &first = a.places[__builtin_ctz(a.origin.mask)];
  Space &space = first.space == exec::Space::Shared  ? shared
                 : first.space == exec::Space::Local ? local
                                                     : global;
  uint64_t lanes = uint64_t(__builtin_popcount(a.origin.mask));
  bool write = a.traits.kind == AccessKind::Write;
  (write ? space.writes : space.reads) += 1;
  space.bytes += lanes * a.bytes;
  if (a.traits.kind == AccessKind::Atomic)
    atomics += lanes;
  if (&space != &local)
    request(a);
  return true;
}

void AccessCounters::countConflicts(const WarpAccess &a) {
  uint64_t count = conflicts(a);
  if (!count)
    return;
  bankConflicts += count;
  conflictLines[a.origin.op->info->line] += count;
}

void AccessCounters::request(const WarpAccess &a) {
  const Place &first = a.places[__builtin_ctz(a.origin.mask)];
  if (first.space == exec::Space::Shared)
    countConflicts(a);
  else
    touchSectors(a);
}

/// Whether the lanes' ranges form one request of the warp, as with cp.async.
static bool isRequested(const Origin &origin) {
  return origin.op->info->source->opcode == Opcode::CpAsync;
}

bool AccessCounters::access(const RangeAccess &a) {
  // Reading a tensor map is not part of the bytes that a copy moves.
  if (a.traits.proxy == Proxy::Tensormap)
    return true;
  Space &space = a.place.space == exec::Space::Shared ? shared : global;
  (a.traits.kind == AccessKind::Write ? space.writes : space.reads) += 1;
  space.bytes += a.bytes;
  bool copied = a.traits.proxy == Proxy::Async;
  if (copied && isBulkCopy(*a.origin.op->info->source))
    (&space == &global ? copiedGlobal : copiedShared) += a.bytes;
  if (&space != &global || isRequested(a.origin))
    return true;
  uint64_t first = deviceAddress(a.place);
  for (uint64_t s = first / SectorBytes; s <= (first + a.bytes - 1) / SectorBytes; ++s) {
    ++sectors;
    seen.insert(s);
  }
  return true;
}

/// Calls visit(instruction, count) for each instruction that executed.
template <class Visit>
static void forExecuted(const Grid &grid, const ModuleCode &code, Visit visit) {
  for (size_t n = 0; n < grid.executed.size(); ++n)
    if (grid.executed[n].warps)
      for (const OpInfo *info : code.counted[n])
        visit(*info->source, grid.executed[n]);
}

InstructionCounts countInstructions(const Grid &grid, const ModuleCode &code) {
  InstructionCounts counts;
  counts.globalBytes = grid.rangeBytes;
  forExecuted(grid, code, [&](const Instruction &i, const Executed &e) {
    counts.warps += e.warps;
    counts.threads += e.lanes;
    counts.globalBytes += e.lanes * globalBytesOf(i);
    counts.classes[classOf(i)] += e.warps;
    std::string kind;
    if (uint64_t flops = flopsOf(i, kind))
      counts.flops[kind] += flops * (kind == "tensor" ? e.warps : e.lanes);
    if (const char *event = eventOf(i))
      counts.events[event] += countedByWarp(i) ? e.warps : e.lanes;
  });
  return counts;
}

std::string countersText(const Grid &grid, const InstructionCounts &counts,
                         const AccessCounters &a) {
  const KernelInfo &info = grid.kernel->info;
  const Launch &launch = *grid.launch;
  std::string more = "," + number("sectors", a.sectors) + "," +
                     number("distinct_sectors", a.distinctSectors());
  return "{\"kernel\":\"" + info.name + "\",\"grid\":" + triple(grid.grid) +
         ",\"block\":" + triple(grid.block) + ",\"cluster\":" + triple(grid.cluster) +
         "," + number("threads", grid.blocks * grid.threads) + "," +
         number("shared_bytes", info.staticShared + launch.dynamicShared) + "," +
         number("registers", info.registers) + "," +
         number("resident_blocks_per_sm",
                residentBlocksPerSm(info, *launch.profile, grid.threads,
                                    launch.dynamicShared)) +
         "," + number("warp_instructions", counts.warps) + "," +
         number("thread_instructions", counts.threads) +
         ",\"instructions\":" + object(counts.classes) +
         ",\"flops\":" + object(counts.flops) +
         ",\"global\":" + spaceText(a.global, more) + ",\"shared\":" +
         spaceText(a.shared, "," + number("bank_conflicts", a.bankConflicts) + "," +
                                 conflictsText(a.conflictLines)) +
         ",\"local\":" + spaceText(a.local, "") + "," + number("atomics", a.atomics) +
         ",\"barriers\":{" + events(counts, barrierEvents) + "},\"tma\":{" +
         events(counts, copyEvents) + "," + number("global_bytes", a.copiedGlobal) + "," +
         number("shared_bytes", a.copiedShared) + "}}\n";
}

void finishCounters(Grid &grid, const ModuleCode &code, const AccessCounters *accesses) {
  if (!code.options.coverageFile.empty()) {
    std::vector<bool> rows(ptx::rows().size());
    forExecuted(grid, code, [&](const Instruction &i, const Executed &) {
      if (i.row)
        rows[i.row->index] = true;
    });
    ptx::appendCoverage(code.options.coverageFile, rows);
  }
  InstructionCounts counts = countInstructions(grid, code);
  LaunchCost &cost = grid.outcome.cost;
  cost.globalBytes = counts.globalBytes;
  auto flops = [&](const char *kind) {
    auto found = counts.flops.find(kind);
    return found == counts.flops.end() ? 0 : found->second;
  };
  cost.tensorFlops = flops("tensor");
  cost.f32Flops = flops("f32");
  cost.warpInstructions = counts.warps;
  if (accesses)
    appendLine(code.options.countersFile, countersText(grid, counts, *accesses));
}

} // namespace kiln::sim::exec
