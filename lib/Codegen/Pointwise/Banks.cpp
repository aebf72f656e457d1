//===- Banks.cpp - Where elements lie in shared memory --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Banks.h"

#include <set>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

int64_t kiln::codegen::commonRun(ArrayRef<NeighbourAccess> accesses, const GpuInfo &gpu) {
  int64_t run = gpu.accessBytes;
  for (const NeighbourAccess &access : accesses)
    run = std::min({run, gpu.accessBytes / access.bytes, access.divisor});
  return run;
}

int64_t kiln::codegen::narrowest(ArrayRef<NeighbourAccess> accesses) {
  int64_t bytes = kLineBytes;
  for (const NeighbourAccess &access : accesses)
    bytes = std::min(bytes, access.bytes);
  return bytes;
}

int64_t kiln::codegen::conflictsOf(ArrayRef<int64_t> addresses, int64_t bytes,
                                   const GpuInfo &gpu) {
  int64_t word = gpu.sharedBankBytes, banks = gpu.sharedBanks, sum = 0;
  size_t perPhase = std::max<int64_t>(banks * word / std::max(bytes, word), 1);
  for (size_t first = 0; first < addresses.size(); first += perPhase) {
    std::vector<std::set<int64_t>> words(banks);
    for (int64_t address : addresses.slice(first).take_front(perPhase))
      for (int64_t at = address / word; at * word < address + bytes; ++at)
        words[at % banks].insert(at);
    size_t most = 1;
    for (const std::set<int64_t> &bank : words)
      most = std::max(most, bank.size());
    sum += most - 1;
  }
  return sum;
}
