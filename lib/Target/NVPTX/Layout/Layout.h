//===- Layout.h - Who holds which element of a fragment ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layout is a linear map over bits: the bits of a register's number and of a
// thread's number in its group give, combined by exclusive or, the bits of the
// number of an element in its fragment (row-major; extents are powers of two).
// Every question about moving data between threads, registers and shared
// memory is a question to this one class. Private to lib/Target/NVPTX.
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

  /// The element that each register bit and each thread bit adds; 0 for a
  /// thread bit whose two halves hold the same elements.
  Layout(int64_t rows, int64_t columns, Bases registers, Bases threads);

  /// A fragment of rank 1: `run` neighbours per thread, then the threads, then
  /// further registers. Fewer elements than threads: the first threads hold
  /// them, and the others the same again.
  static Layout row(int64_t columns, int64_t threads, int64_t run);
  /// Threads in a grid of `threadRows` rows, each with `rows / threadRows` rows
  /// and so many columns as are left: neighbours, or, dealt out, those that lie a
  /// grid's height or width apart.
  static Layout grid(int64_t rows, int64_t columns, int64_t threads, int64_t threadRows,
                     bool dealtRows = false, bool dealtColumns = false);
  /// Rows that follow each other in memory: the layout of all their elements as one
  /// row.
  static Layout stream(int64_t rows, int64_t columns, int64_t threads, int64_t run);
  /// The accumulator of mma.m16n8: a grid of warps, columns first, of which each
  /// has neighbouring 16x8 tiles in registers, columns first. Warps beyond the
  /// tiles there are hold the same again.
  static Layout mmaAccumulator(int64_t rows, int64_t columns, int64_t warpRows,
                               int64_t warpColumns);
  /// The accumulator of a product of codes that one warp computes: 16 columns as two
  /// mma.m16n8, of which one has the even and the other the odd ones.
  static Layout scaledAccumulator(int64_t rows);
  /// The right operand, of 16 bits and KxN, of products with that accumulator: a
  /// warp has the columns of its tiles, and every warp of a column of warps the same.
  static Layout mmaRight(int64_t k, const Layout &accumulator);

  int64_t rows() const { return int64_t(1) << rowBits; }
  int64_t columns() const { return int64_t(1) << columnBits; }
  int64_t elements() const { return rows() * columns(); }
  int64_t numRegisters() const { return int64_t(1) << registerBases.size(); }
  int64_t numThreads() const { return int64_t(1) << threadBases.size(); }
  llvm::ArrayRef<uint32_t> registers() const { return registerBases; }
  llvm::ArrayRef<uint32_t> threads() const { return threadBases; }

  /// The layout of one column that this gives: rows alone, as a fragment of rank
  /// 1. Registers that differ in the column only are one.
  Layout columnSlice() const;
  /// The layout of one row that this gives: columns alone, as a fragment of rank 1.
  /// Registers that differ in the row only are one.
  Layout rowSlice() const;
  /// The register of the slice of rows that has the row of a register of this, or of that
  /// of columns which has its column.
  int64_t sliceRegister(int64_t reg, bool ofRows) const;

  /// The element in a register of a thread.
  int64_t element(int64_t reg, int64_t thread) const;
  int64_t row(int64_t element) const { return element >> columnBits; }
  int64_t column(int64_t element) const { return element & (columns() - 1); }

  /// True if every element is held by some thread.
  bool isSurjective() const;
  /// The lowest thread of those that hold the same elements, and the bits by
  /// which the others differ.
  uint32_t replicatedThreads() const;
  /// Neighbours along a row in registers 0, 1, ...: the widest possible access.
  int64_t runLength() const;
  /// A register and thread that hold an element, by elimination.
  struct Holder {
    int64_t reg, thread;
  };
  std::optional<Holder> find(int64_t element) const;

  /// Movement of elements that a conversion to another layout takes, the cheapest first.
  enum class Move {
    None,      ///< every thread has its elements in the right registers
    Registers, ///< every thread has its elements
    Warp,      ///< every warp has its elements: shuffles
    Shared,    ///< through shared memory
  };
  Move moveTo(const Layout &to, int64_t warpThreads) const;

  /// The most threads of a warp that one bank must serve, beyond the first,
  /// when each reads `bytes` neighbouring bytes of the element in `reg`, which
  /// lies at `address(element)`.
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
