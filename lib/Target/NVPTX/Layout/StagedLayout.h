//===- StagedLayout.h - Where a staged tile lies in shared memory -*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is contiguous in global memory, a line, is cut into pieces of at most
// 128 bytes; a slot holds the first piece of every line, then the second of
// every line, and so on. Within a piece, chunks of 16 bytes trade places by the
// number of the line, as the hardware's swizzle modes of 32, 64 and 128 bytes do
// (PTX manual, "Shared memory layout of a tensor copy"): eight lines' chunks at
// one place then lie in all 32 banks, which is what ldmatrix and wgmma read, and
// so do a line's chunks, which is what copies write. Where threads read single
// words of four bytes instead, eight neighbours of each of four lines, pairs of
// chunks trade places. Like Layout, a linear map over bits: the offset of a sum
// (exclusive or) is the sum of the offsets.
// Private to lib/Target/NVPTX.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TARGET_NVPTX_LAYOUT_STAGEDLAYOUT_H
#define KILN_LIB_TARGET_NVPTX_LAYOUT_STAGEDLAYOUT_H

#include <algorithm>
#include <cstdint>

namespace kiln::nvptx {

class StagedLayout {
public:
  /// Bytes that one thread copies and one row of an 8x8 matrix has.
  static constexpr int64_t kChunkBytes = 16;
  /// Bytes of the longest piece.
  static constexpr int64_t kMostPieceBytes = 128;

  enum class Reader { Matrices, Words };

  /// `lines` lines of `lineBytes` bytes: powers of two, 16 bytes at least.
  StagedLayout(int64_t lines, int64_t lineBytes, Reader reader = Reader::Matrices);

  int64_t bytes() const { return lines * lineBytes; }
  /// 16 (nothing trades places), 32, 64 or 128: the swizzle mode.
  int64_t pieceBytes() const { return piece; }
  /// Bytes that a stage begins at a multiple of, so that bits of addresses are bits of
  /// offsets: the pattern repeats after so many bytes.
  int64_t alignment() const { return 8 * piece; }

  /// Offset of a byte of a line as if no chunk traded places. Bits of its
  /// arguments are bits of it.
  int64_t plain(int64_t line, int64_t byte) const;
  /// Bits 4, 5 and 6 of an offset, as far as they choose the chunk, are combined
  /// with bits 7, 8 and 9 (for words, bits 5 and 6 with 7 and 8):
  /// offset ^ (offset >> shift() & chunkMask()).
  int64_t chunkMask() const { return std::max<int64_t>(piece - together, 0); }
  int64_t shift() const { return together == kChunkBytes ? 3 : 2; }
  int64_t swizzle(int64_t plain) const {
    return plain ^ (plain >> shift() & chunkMask());
  }
  int64_t offset(int64_t line, int64_t byte) const { return swizzle(plain(line, byte)); }

private:
  int64_t lines, lineBytes, piece;
  int64_t together; ///< bytes that trade places as one
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_STAGEDLAYOUT_H
