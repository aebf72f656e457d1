//===- Layout.cpp - Which thread holds which element ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <set>

using namespace kiln::nvptx;

Layout::Layout(int64_t rows, int64_t columns, Bases registers, Bases threads)
    : rowBits(llvm::Log2_64(rows)), columnBits(llvm::Log2_64(columns)),
      registerBases(std::move(registers)), threadBases(std::move(threads)) {
  assert(llvm::isPowerOf2_64(rows) && llvm::isPowerOf2_64(columns));
}

Layout Layout::row(int64_t columns, int64_t threads, int64_t run) {
  Bases registers, owners;
  int64_t next = 1;
  run = std::min(run, std::max<int64_t>(columns / threads, 1));
  for (; next < run; next *= 2)
    registers.push_back(next);
  for (int64_t thread = 1; thread < threads; thread *= 2) {
    owners.push_back(next < columns ? next : 0);
    if (next < columns)
      next *= 2;
  }
  for (; next < columns; next *= 2)
    registers.push_back(next);
  return Layout(1, columns, registers, owners);
}

Layout Layout::stream(int64_t rows, int64_t columns, int64_t threads, int64_t run) {
  Layout all = row(rows * columns, threads, run);
  return Layout(rows, columns, all.registerBases, all.threadBases);
}

Layout Layout::grid(int64_t rows, int64_t columns, int64_t threads, int64_t threadRows,
                    bool dealtRows, bool dealtColumns) {
  Bases registers, owners;
  int64_t threadColumns = threads / threadRows;
  int64_t height = std::max<int64_t>(rows / threadRows, 1);
  int64_t width = std::max<int64_t>(columns / threadColumns, 1);
  int64_t across = dealtColumns ? std::min(threadColumns, columns) : 1;
  int64_t down = dealtRows ? std::min(threadRows, rows) : 1;
  for (int64_t c = 1; c < width; c *= 2)
    registers.push_back(c * across);
  for (int64_t r = 1; r < height; r *= 2)
    registers.push_back(r * down * columns);
  for (int64_t c = 1; c < threadColumns; c *= 2) {
    int64_t base = dealtColumns ? c : c * width;
    owners.push_back(base < columns ? base : 0);
  }
  for (int64_t r = 1; r < threadRows; r *= 2) {
    int64_t base = dealtRows ? r : r * height;
    owners.push_back(base < rows ? base * columns : 0);
  }
  return Layout(rows, columns, registers, owners);
}

Layout Layout::columnSlice() const {
  Bases registers, owners;
  for (uint32_t base : registerBases)
    if (base >> columnBits)
      registers.push_back(base >> columnBits);
  for (uint32_t base : threadBases)
    owners.push_back(base >> columnBits);
  return Layout(1, rows(), registers, owners);
}

Layout Layout::rowSlice() const {
  Bases registers, owners;
  uint32_t own = columns() - 1;
  for (uint32_t base : registerBases)
    if (base & own)
      registers.push_back(base & own);
  for (uint32_t base : threadBases)
    owners.push_back(base & own);
  return Layout(1, columns(), registers, owners);
}

int64_t Layout::sliceRegister(int64_t reg, bool ofRows) const {
  int64_t slice = 0, bit = 0;
  for (auto [i, base] : llvm::enumerate(registerBases))
    if (ofRows ? base >> columnBits : base & (columns() - 1))
      slice |= (reg >> i & 1) << bit++;
  return slice;
}

Layout Layout::mmaAccumulator(int64_t rows, int64_t columns, int64_t warpRows,
                              int64_t warpColumns) {
  constexpr int64_t kTileRows = 16, kTileColumns = 8;
  // Lane 4g + t holds columns 2t and 2t + 1 of rows g and g + 8.
  uint32_t row = columns;
  Bases registers{1, 8 * row}, owners{2, 4, row, 2 * row, 4 * row};
  int64_t width = std::max(columns / warpColumns, kTileColumns);
  int64_t height = std::max(rows / warpRows, kTileRows);
  for (int64_t c = kTileColumns; c < width; c *= 2)
    registers.push_back(c);
  for (int64_t r = kTileRows; r < height; r *= 2)
    registers.push_back(r * row);
  for (int64_t warp = 1, c = width; warp < warpColumns; warp *= 2, c *= 2)
    owners.push_back(c < columns ? c : 0);
  for (int64_t warp = 1, r = height; warp < warpRows; warp *= 2, r *= 2)
    owners.push_back(r < rows ? r * row : 0);
  return Layout(rows, columns, registers, owners);
}

Layout Layout::scaledAccumulator(int64_t rows) {
  constexpr int64_t kHalfRows = 8;
  constexpr uint32_t kColumns = 16;
  // Lane 4g + t holds columns 4t to 4t + 3 of rows g, g + 8, ...
  Bases registers{1, 2}, owners{4, 8, kColumns, 2 * kColumns, 4 * kColumns};
  for (int64_t r = kHalfRows; r < rows; r *= 2)
    registers.push_back(r * kColumns);
  return Layout(rows, kColumns, registers, owners);
}

Layout Layout::mmaRight(int64_t k, const Layout &accumulator) {
  constexpr int64_t kTileK = 16, kTileColumns = 8, kLaneBits = 5;
  // Lane 4g + t holds K indices 2t, 2t + 1, 2t + 8 and 2t + 9 of column g.
  uint32_t step = accumulator.columns(), ownColumn = step - 1;
  Bases registers{step, 8 * step}, owners{2 * step, 4 * step, 1, 2, 4};
  for (uint32_t base : accumulator.registers())
    if (base < step && base >= kTileColumns)
      registers.push_back(base);
  for (int64_t next = kTileK; next < k; next *= 2)
    registers.push_back(next * step);
  for (uint32_t base : accumulator.threads().drop_front(kLaneBits))
    owners.push_back(base & ownColumn);
  return Layout(k, accumulator.columns(), registers, owners);
}

static int64_t combine(llvm::ArrayRef<uint32_t> bases, int64_t bits) {
  int64_t result = 0;
  for (auto [i, base] : llvm::enumerate(bases))
    if (bits >> i & 1)
      result ^= base;
  return result;
}

int64_t Layout::element(int64_t reg, int64_t thread) const {
  return combine(registerBases, reg) ^ combine(threadBases, thread);
}

namespace {
/// Row echelon form of a matrix over GF(2). Each row has a mask of the source bits
/// (register bits from bit 0, thread bits from bit 32) whose xor gives it.
class Echelon {
public:
  void add(uint32_t value, uint64_t source) {
    reduce(value, source);
    if (value)
      rows.push_back({value, source});
  }
  /// Eliminates the rows' leading bits from `value`, which leaves 0 if the rows span it;
  /// the masks of the rows used are xored into `source`.
  void reduce(uint32_t &value, uint64_t &source) const {
    for (const auto &[pivot, from] : rows)
      if (value & llvm::bit_floor(pivot)) {
        value ^= pivot;
        source ^= from;
      }
  }
  size_t rank() const { return rows.size(); }

private:
  llvm::SmallVector<std::pair<uint32_t, uint64_t>> rows;
};
} // namespace

static Echelon eliminate(llvm::ArrayRef<uint32_t> registers,
                         llvm::ArrayRef<uint32_t> threads) {
  Echelon echelon;
  for (auto [i, base] : llvm::enumerate(registers))
    echelon.add(base, uint64_t(1) << i);
  for (auto [i, base] : llvm::enumerate(threads))
    echelon.add(base, uint64_t(1) << (32 + i));
  return echelon;
}

bool Layout::isSurjective() const {
  return eliminate(registerBases, threadBases).rank() == rowBits + columnBits;
}

uint32_t Layout::replicatedThreads() const {
  uint32_t mask = 0;
  for (auto [i, base] : llvm::enumerate(threadBases))
    if (base == 0)
      mask |= uint32_t(1) << i;
  return mask;
}

int64_t Layout::runLength() const {
  int64_t run = 1;
  for (uint32_t base : registerBases) {
    if (base != run || run >= columns())
      break;
    run *= 2;
  }
  return run;
}

std::optional<Layout::Holder> Layout::find(int64_t element) const {
  uint32_t rest = element;
  uint64_t source = 0;
  eliminate(registerBases, threadBases).reduce(rest, source);
  if (rest)
    return std::nullopt;
  return Holder{int64_t(source & UINT32_MAX), int64_t(source >> 32)};
}

Layout::Move Layout::moveTo(const Layout &to, int64_t warpThreads) const {
  if (registerBases == to.registerBases && threadBases == to.threadBases)
    return Move::None;
  auto spans = [](llvm::ArrayRef<uint32_t> have, llvm::ArrayRef<uint32_t> want) {
    Echelon echelon = eliminate(have, {});
    return llvm::all_of(want, [&](uint32_t value) {
      uint64_t source = 0;
      echelon.reduce(value, source);
      return value == 0;
    });
  };
  // Corresponding thread bits may differ by a combination of the register bits: the
  // thread then has the elements, in other registers.
  auto agree = [&](size_t from) {
    Bases have(registerBases), differences;
    for (size_t i = 0; i < from && i < threadBases.size(); ++i)
      have.push_back(threadBases[i]);
    for (size_t i = 0; i < std::max(threadBases.size(), to.threadBases.size()); ++i) {
      uint32_t a = i < threadBases.size() ? threadBases[i] : 0;
      uint32_t b = i < to.threadBases.size() ? to.threadBases[i] : 0;
      differences.push_back(i < from ? b : a ^ b);
    }
    return spans(have, to.registerBases) && spans(have, differences);
  };
  if (agree(0))
    return Move::Registers;
  return agree(llvm::Log2_64(warpThreads)) ? Move::Warp : Move::Shared;
}

int64_t Layout::conflicts(llvm::ArrayRef<int64_t> addresses, int64_t bytes) {
  // The hardware serves accesses wider than 4 bytes for a half or a quarter of a warp at
  // once.
  constexpr int64_t kBanks = 32, kBankBytes = 4;
  int64_t perPhase =
      std::max<int64_t>(kBanks * kBankBytes / std::max(bytes, kBankBytes), 1);
  int64_t worst = 0;
  for (size_t first = 0; first < addresses.size(); first += perPhase) {
    std::set<int64_t> words[kBanks];
    for (int64_t address : addresses.slice(first).take_front(perPhase))
      for (int64_t word = address / kBankBytes; word * kBankBytes < address + bytes;
           ++word)
        words[word % kBanks].insert(word);
    for (const std::set<int64_t> &bank : words)
      worst = std::max<int64_t>(worst, int64_t(bank.size()) - 1);
  }
  return worst;
}
