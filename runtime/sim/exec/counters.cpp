//===- counters.cpp - What a launch did, exactly ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/counters.h"

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

/// Cycles beyond one for the lanes of one phase: each bank gives one word a cycle.
uint64_t phaseConflicts(const WarpAccess &a, Mask lanes) {
  uint64_t words[Banks][WarpSize];
  unsigned counts[Banks] = {};
  unsigned most = 0;
  forLanes(lanes, [&](unsigned lane) {
    for (uint32_t at = 0; at < std::max(a.bytes, BankBytes); at += BankBytes) {
      uint64_t word = (a.places[lane].offset + at) / BankBytes;
      unsigned bank = word % Banks;
      uint64_t *end = words[bank] + counts[bank];
      if (std::find(words[bank], end, word) == end && counts[bank] < WarpSize)
        words[bank][counts[bank]++] = word;
      most = std::max(most, counts[bank]);
    }
  });
  return most ? most - 1 : 0;
}

/// 8-byte accesses go by half warps, 16-byte ones by quarters.
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

std::string typeClass(Type type) {
  switch (ptx::info(type).kind) {
  case ptx::TypeClass::Float:
    return type == Type::F64                         ? "f64"
           : ptx::bits(type) / ptx::lanes(type) < 32 ? "f16"
                                                     : "f32";
  default:
    return "integer";
  }
}

std::string classOf(const Instruction &i) {
  if (i.opcode >= Opcode::CpAsync && i.opcode <= Opcode::CpAsyncMbarrierArrive)
    return "async";
  if (i.opcode >= Opcode::MbarrierInit && i.opcode <= Opcode::MbarrierPendingCount)
    return "barrier";
  if (i.opcode >= Opcode::CpAsyncBulk && i.opcode <= Opcode::TensormapCpFenceproxy)
    return "async";
  if (i.opcode >= Opcode::Ldmatrix && i.opcode <= Opcode::WgmmaMma)
    return "matrix";
  switch (i.opcode) {
  case Opcode::Rcp:
  case Opcode::Sqrt:
  case Opcode::Rsqrt:
  case Opcode::Sin:
  case Opcode::Cos:
  case Opcode::Lg2:
  case Opcode::Ex2:
  case Opcode::Tanh:
    return "special";
  case Opcode::Cvt:
  case Opcode::CvtPack:
    return "convert";
  case Opcode::Mov:
  case Opcode::MovPack:
  case Opcode::MovUnpack:
  case Opcode::Cvta:
  case Opcode::Selp:
    return "move";
  case Opcode::Ld:
  case Opcode::Ldu:
    return "load";
  case Opcode::St:
    return "store";
  case Opcode::Atom:
  case Opcode::Red:
    return "atomic";
  default:
    break;
  }
  if (i.opcode >= Opcode::Bra && i.opcode <= Opcode::Pmevent)
    return "control";
  if (i.opcode >= Opcode::Shfl && i.opcode <= Opcode::BarWarpSync)
    return "warp";
  if (i.opcode >= Opcode::BarSync && i.opcode <= Opcode::BarrierClusterWait)
    return "barrier";
  if (i.opcode >= Opcode::Fence && i.opcode <= Opcode::FenceProxyAsyncRestrict)
    return "fence";
  return typeClass(i.type());
}

/// Floating-point operations of one lane; of a warp for matrix products.
uint64_t flopsOf(const Instruction &i, std::string &kind) {
  switch (i.opcode) {
  case Opcode::Mma:
  case Opcode::WmmaMma:
  case Opcode::WgmmaMma: {
    kind = "tensor";
    uint64_t all = 2 * uint64_t(i.shape.m) * i.shape.n * i.shape.k;
    return i.opcode == Opcode::WgmmaMma ? all / 4 : all;
  }
  case Opcode::Add:
  case Opcode::Sub:
  case Opcode::Mul:
  case Opcode::Fma:
  case Opcode::Div:
  case Opcode::Min:
  case Opcode::Max:
    if (!ptx::isFloat(i.type()))
      return 0;
    kind = typeClass(i.type());
    return ptx::lanes(i.type()) * (i.opcode == Opcode::Fma ? 2 : 1);
  default:
    if (classOf(i) != "special")
      return 0;
    kind = "special";
    return ptx::lanes(i.type());
  }
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

std::string triple(const std::array<uint32_t, 3> &v) {
  return "[" + std::to_string(v[0]) + "," + std::to_string(v[1]) + "," +
         std::to_string(v[2]) + "]";
}

std::string spaceText(const AccessCounters::Space &s, const std::string &more) {
  return "{" + number("reads", s.reads) + "," + number("writes", s.writes) + "," +
         number("bytes", s.bytes) + more + "}";
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
  if (&space == &shared)
    bankConflicts += conflicts(a);
  if (&space == &global)
    touchSectors(a);
  return true;
}

bool AccessCounters::access(const RangeAccess &a) {
  Space &space = a.place.space == exec::Space::Shared ? shared : global;
  (a.traits.kind == AccessKind::Write ? space.writes : space.reads) += 1;
  space.bytes += a.bytes;
  if (a.traits.proxy == Proxy::Async)
    asyncBytes += a.bytes;
  if (&space != &global)
    return true;
  uint64_t first = deviceAddress(a.place);
  for (uint64_t s = first / SectorBytes; s <= (first + a.bytes - 1) / SectorBytes; ++s) {
    ++sectors;
    seen.insert(s);
  }
  return true;
}

InstructionCounts countInstructions(const Grid &grid, const ModuleCode &code) {
  InstructionCounts counts;
  for (size_t n = 0; n < grid.executed.size(); ++n) {
    const Executed &e = grid.executed[n];
    if (!e.warps)
      continue;
    const Instruction &i = *code.counted[n]->source;
    counts.warps += e.warps;
    counts.threads += e.lanes;
    counts.classes[classOf(i)] += e.warps;
    std::string kind;
    if (uint64_t flops = flopsOf(i, kind))
      counts.flops[kind] += flops * (kind == "tensor" ? e.warps : e.lanes);
  }
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
         spaceText(a.shared, "," + number("bank_conflicts", a.bankConflicts)) +
         ",\"local\":" + spaceText(a.local, "") + "," + number("atomics", a.atomics) +
         "," + number("async_bytes", a.asyncBytes) + "}\n";
}

void finishCounters(Grid &grid, const ModuleCode &code, const AccessCounters *accesses) {
  if (!code.options.coverageFile.empty()) {
    std::vector<bool> rows(ptx::rows().size());
    for (size_t n = 0; n < grid.executed.size(); ++n)
      if (grid.executed[n].warps && code.counted[n]->source->row)
        rows[code.counted[n]->source->row->index] = true;
    ptx::appendCoverage(code.options.coverageFile, rows);
  }
  if (!accesses)
    return;
  InstructionCounts counts = countInstructions(grid, code);
  appendLine(code.options.countersFile, countersText(grid, counts, *accesses));
  LaunchCost &cost = grid.outcome.cost;
  cost.globalBytes = accesses->distinctSectors() * SectorBytes;
  cost.tensorFlops = counts.flops["tensor"];
  cost.f32Flops = counts.flops["f32"];
  cost.warpInstructions = counts.warps;
}

} // namespace kiln::sim::exec
