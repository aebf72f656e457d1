//===- Layout.h - Which thread holds which element --------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linear layout over bits (GF(2)): the element's index in its fragment (row-major;
// extents are powers of two) is the xor of one basis element per set bit of the
// register's index and of the thread's index in its group. Triton's linear layouts are
// the same construction. All data movement between threads, registers and shared memory
// is derived from this class. Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LAYOUT_LAYOUT_H
#define KILN_LIB_TARGET_NVPTX_LAYOUT_LAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace kiln::nvptx {

class Layout {
public:
  using Bases = llvm::SmallVector<uint32_t, 8>;

  /// Takes the basis element of each register bit and of each thread bit; it is 0 for a
  /// thread bit whose two halves hold the same elements.
  Layout(int64_t rows, int64_t columns, Bases registers, Bases threads);

  /// Layout of a fragment of rank 1: `run` contiguous elements per thread, then the
  /// threads, then further registers. If there are fewer elements than threads, the first
  /// threads hold them and the others hold copies.
  static Layout row(int64_t columns, int64_t threads, int64_t run);
  /// Layout of threads in a grid of `threadRows` rows. Each thread holds rows /
  /// threadRows rows and the corresponding number of columns: contiguous ones, or, if
  /// dealt, distributed cyclically with the grid's height or width as stride.
  static Layout grid(int64_t rows, int64_t columns, int64_t threads, int64_t threadRows,
                     bool dealtRows = false, bool dealtColumns = false);
  /// Layout of a fragment whose rows are contiguous in memory: that of all its elements
  /// as one row.
  static Layout stream(int64_t rows, int64_t columns, int64_t threads, int64_t run);
  /// Accumulator layout of mma.m16n8: a grid of warps, columns first; each warp holds
  /// adjacent 16x8 tiles in registers, columns first. Warps beyond the number of tiles
  /// hold copies.
  static Layout mmaAccumulator(int64_t rows, int64_t columns, int64_t warpRows,
                               int64_t warpColumns);
  /// Accumulator layout of tile.scaled_mma, which one warp computes: 16 columns as two
  /// mma.m16n8, one for the even and one for the odd columns.
  static Layout scaledAccumulator(int64_t rows);
  /// Register layout of a 16-bit KxN operand B for that accumulator: a warp holds the
  /// columns of its tiles, and all warps in a column of the grid hold the same.
  static Layout mmaRight(int64_t k, const Layout &accumulator);

  int64_t rows() const { return int64_t(1) << rowBits; }
  int64_t columns() const { return int64_t(1) << columnBits; }
  int64_t elements() const { return rows() * columns(); }
  int64_t numRegisters() const { return int64_t(1) << registerBases.size(); }
  int64_t numThreads() const { return int64_t(1) << threadBases.size(); }
  llvm::ArrayRef<uint32_t> registers() const { return registerBases; }
  llvm::ArrayRef<uint32_t> threads() const { return threadBases; }

  /// Returns the layout of one column of this layout, as a fragment of rank 1 with one
  /// element per row. Registers that differ in the column only become one.
  Layout columnSlice() const;
  /// Returns the layout of one row of this layout, as a fragment of rank 1 with one
  /// element per column. Registers that differ in the row only become one.
  Layout rowSlice() const;
  /// Returns the register of columnSlice() (`ofRows`) or of rowSlice() that has the row
  /// or the column of register `reg`.
  int64_t sliceRegister(int64_t reg, bool ofRows) const;

  /// Returns the element in register `reg` of thread `thread`.
  int64_t element(int64_t reg, int64_t thread) const;
  int64_t row(int64_t element) const { return element >> columnBits; }
  int64_t column(int64_t element) const { return element & (columns() - 1); }

  /// Returns true if every element is held by some thread.
  bool isSurjective() const;
  /// Returns the mask of thread bits that do not change the elements held: threads that
  /// differ in these bits hold copies.
  uint32_t replicatedThreads() const;
  /// Returns the number of contiguous elements of a row in registers 0, 1, ...: the
  /// widest possible access.
  int64_t runLength() const;
  /// Register and thread that hold an element.
  struct Holder {
    int64_t reg, thread;
  };
  std::optional<Holder> find(int64_t element) const;

  /// Data movement that a conversion to another layout needs, the cheapest first.
  enum class Move {
    None,      ///< every thread has its elements in the right registers
    Registers, ///< every thread has its elements, in other registers
    Warp,      ///< every warp has its elements: shuffles
    Shared,    ///< through shared memory
  };
  Move moveTo(const Layout &to, int64_t warpThreads) const;

  /// Returns the maximum number of threads of a warp that hit the same bank, minus one,
  /// when each accesses `bytes` contiguous bytes at `address(element)`, where `element`
  /// is the one in its register `reg`.
  template <typename Address>
  int64_t bankConflicts(int64_t reg, int64_t warpThreads, int64_t bytes,
                        Address address) const {
    llvm::SmallVector<int64_t> addresses;
    for (int64_t t = 0; t < warpThreads; ++t)
      addresses.push_back(address(element(reg, t)));
    return conflicts(addresses, bytes);
  }

  bool operator==(const Layout &other) const = default;

private:
  static int64_t conflicts(llvm::ArrayRef<int64_t> addresses, int64_t bytes);

  unsigned rowBits, columnBits;
  Bases registerBases, threadBases;
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_LAYOUT_H
