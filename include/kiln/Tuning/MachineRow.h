//===- MachineRow.h - A measured row of the table of CPUs -------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TUNING_MACHINEROW_H
#define KILN_TUNING_MACHINEROW_H

#include "kiln/Target/MachineModel.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>

namespace kiln::tuning {

/// Figures of one core of the machine at hand, as HostCpu has them.
struct MachineFigures {
  double gigahertz = 0;
  /// Cycles of a load that depends on the one before it, by the bytes that all touch.
  llvm::SmallVector<std::pair<int64_t, double>> latencies;
  /// As the system says; or of the latencies, if it says nothing or more than twice that.
  int64_t l2Bytes = 0;
  /// Bytes per second of reads as kernels read weights: in four streams, and in one, by
  /// how many bytes ahead of the loads non-temporal prefetches are; 0: none.
  struct Prefetch {
    int64_t bytes = 0;
    double fourStreams = 0, oneStream = 0;
  };
  llvm::SmallVector<Prefetch> prefetches;
  int64_t streamBytes = 0;
  double multiplies = 0, instructions = 0, memoryBytes = 0, bf16Dots = 0;
};

/// Measures the machine in some seconds, with vectors of the instruction set, which it
/// must have. Errors: KILN-E0700.
llvm::Expected<MachineFigures> measureMachine(HostIsa isa);

/// Returns the size up to which loads take less than twice the cycles of those of the
/// first size, which is one that only the second cache holds.
int64_t l2BytesOf(llvm::ArrayRef<std::pair<int64_t, double>> latencies);
/// Returns the distance at which both ways of reading gain the most over four streams
/// without prefetches; 0 if either gains less than 3 %.
int64_t streamBytesOf(llvm::ArrayRef<MachineFigures::Prefetch> prefetches);

/// Prints figures as a row of lib/Target/HostModels.cpp. The names of `row` count for
/// nothing.
void printRow(llvm::raw_ostream &os, llvm::StringRef name, llvm::StringRef tuneCpu,
              const HostCpu &row);

} // namespace kiln::tuning

#endif // KILN_TUNING_MACHINEROW_H
