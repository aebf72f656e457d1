//===- TuneMachine.cpp - kiln tune --machine ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TuneMachine.h"
#include "kiln/Support/Error.h"
#include "kiln/Target/TargetInfo.h"
#include "kiln/Tuning/MachineRow.h"
#include "lib/Driver/Support/Progress.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace kiln;
using namespace kiln::driver;
using namespace kiln::tuning;
using namespace llvm;

static void printFigures(raw_ostream &os, const MachineFigures &figures) {
  os << format("clock     %.2f GHz\nloads     ", figures.gigahertz);
  for (auto [bytes, cycles] : figures.latencies)
    os << (bytes == figures.latencies.front().first ? "" : ", ")
       << format("%.0f cycles in %d KiB", cycles, int(bytes >> 10));
  os << '\n';
  for (const MachineFigures::Prefetch &one : figures.prefetches) {
    os << format("reads     %.1f GB/s in four streams, %.1f in one, ",
                 one.fourStreams / 1e9, one.oneStream / 1e9);
    if (one.bytes)
      os << "prefetched " << one.bytes << " bytes ahead\n";
    else
      os << "not prefetched\n";
  }
}

Expected<int> driver::tuneMachine() {
  Expected<TargetInfo> native = TargetInfo::get("native");
  if (!native)
    return native.takeError();
  Progress progress(/*always=*/false);
  progress.begin("measuring one core");
  Expected<MachineFigures> figures = measureMachine(native->cpu->isa);
  if (!figures)
    return figures.takeError();
  raw_ostream &os = outs();
  StringRef name = sys::getHostCPUName();
  os << "cpu       " << name << ", target " << native->name << '\n';
  printFigures(os, *figures);
  HostCpu row{"",
              native->cpu->isa,
              "",
              figures->l2Bytes,
              figures->streamBytes,
              figures->multiplies,
              figures->instructions,
              figures->memoryBytes,
              figures->bf16Dots};
  printRow(os << "measured  ", name, name, row);
  printRow(os << "\ncommitted ", native->name, native->tuneCpu, *native->cpu);
  os << '\n';
  return 0;
}
