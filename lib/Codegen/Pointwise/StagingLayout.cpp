//===- StagingLayout.cpp - Layout of staged tiles in scratch --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the padding between lines that minimizes bank conflicts of a warp's accesses,
// simulated for the layouts that the lowering uses (Layout::stream, Layout::row).
//
//===----------------------------------------------------------------------===//

#include "StagingLayout.h"

#include <set>

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

StagingLayout::StagingLayout(ArrayRef<int64_t> tile, ArrayRef<int64_t> line,
                             ArrayRef<int64_t> row, Order order)
    : order(order), line(line), row(row), tile(tile), inLine(tile.size(), 0),
      ofLines(tile.size(), 0) {
  auto isIn = [](ArrayRef<int64_t> run) {
    return [=](int64_t loop) { return llvm::is_contained(run, loop); };
  };
  llvm::copy_if(line, std::back_inserter(acrossRows), std::not_fn(isIn(row)));
  llvm::copy_if(row, std::back_inserter(acrossLines), std::not_fn(isIn(line)));
  lineLength = count(line);
  rowLength = count(row);
  bool isOperands = order == Order::Operand;
  auto place = [&](ArrayRef<int64_t> loops, SmallVector<int64_t> &strides) {
    int64_t stride = 1;
    for (int64_t loop : loops) {
      strides[loop] = stride;
      stride *= tile[loop];
    }
  };
  place(isOperands ? line : row, inLine);
  place(isOperands ? acrossLines : acrossRows, ofLines);
}

std::optional<int64_t> StagingLayout::fragmentLoop() const {
  if (acrossLines.empty())
    return std::nullopt;
  if (llvm::is_contained(acrossLines, row.back()))
    return row.back();
  return *llvm::max_element(acrossLines,
                            [&](int64_t a, int64_t b) { return tile[a] < tile[b]; });
}

int64_t StagingLayout::count(ArrayRef<int64_t> loops) const {
  int64_t product = 1;
  for (int64_t loop : loops)
    product *= tile[loop];
  return product;
}

int64_t StagingLayout::address(ArrayRef<int64_t> loops, int64_t position,
                               int64_t pitch) const {
  int64_t sum = 0;
  for (int64_t loop : loops) {
    sum += position % tile[loop] * stride(loop, pitch);
    position /= tile[loop];
  }
  return sum;
}

//===----------------------------------------------------------------------===//
// Bank conflicts
//===----------------------------------------------------------------------===//

/// Returns the bank conflicts of an access by a warp: per phase, the maximum number of
/// words that one bank serves, minus one. Wide accesses take several phases. `addresses`
/// has one address per thread.
static int64_t conflictsOf(ArrayRef<int64_t> addresses, int64_t bytes,
                           const GpuInfo &gpu) {
  int64_t word = gpu.sharedBankBytes, banks = gpu.sharedBanks, sum = 0;
  size_t perPhase = std::max<int64_t>(banks * word / std::max(bytes, word), 1);
  for (size_t first = 0; first < addresses.size(); first += perPhase) {
    std::vector<std::set<int64_t>> words(banks);
    for (int64_t address : addresses.slice(first).take_front(perPhase))
      for (int64_t at = address / word; at * word < address + bytes; ++at)
        words[at % banks].insert(at);
    size_t max = 1;
    for (const std::set<int64_t> &bank : words)
      max = std::max(max, bank.size());
    sum += max - 1;
  }
  return sum;
}

PitchCost kiln::codegen::choosePad(const StagingLayout &layout, int64_t length,
                                   const WarpAccesses &warp, int64_t bytes,
                                   const GpuInfo &gpu) {
  bool isOperands = layout.order == StagingLayout::Order::Operand;
  std::optional<PitchCost> best;
  for (int64_t pad = 0; pad * bytes < kLineBytes; ++pad) {
    PitchCost cost{pad};
    int64_t pitch = length + pad;
    // Contiguous elements of a thread are one access if the pitch keeps them aligned.
    auto add = [&](int64_t vector, bool isContiguous,
                   function_ref<int64_t(int64_t thread, int64_t part)> addressOf) {
      int64_t width =
          isContiguous ? std::min({vector, gpu.accessBytes / bytes, pitch & -pitch}) : 1;
      for (int64_t part = 0; part < vector; part += width) {
        SmallVector<int64_t> addresses;
        for (int64_t thread = 0; thread < gpu.warpThreads; ++thread)
          addresses.push_back(addressOf(thread, part) * bytes);
        cost.conflicts += conflictsOf(addresses, width * bytes, gpu);
      }
      cost.accesses += vector / width;
    };
    add(warp.lineVector, isOperands, [&](int64_t thread, int64_t part) {
      int64_t element = thread * warp.lineVector + part;
      return layout.address(layout.line, element % layout.lineLength, pitch) +
             layout.address(layout.acrossLines, element / layout.lineLength, pitch);
    });
    add(warp.rowVector, !isOperands, [&](int64_t thread, int64_t part) {
      int64_t column = thread % warp.group * warp.rowVector + part;
      return layout.address(layout.row, column % layout.rowLength, pitch) +
             layout.address(layout.acrossRows, thread / warp.group, pitch);
    });
    if (!best || cost < *best)
      best = cost;
  }
  return *best;
}
