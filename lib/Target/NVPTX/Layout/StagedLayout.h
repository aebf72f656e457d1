//===- StagedLayout.h - Swizzled tiles in shared memory ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line is a row or a column that is contiguous in global memory. Lines are cut into
// segments of at most 128 bytes; a stage holds the first segment of every line, then the
// second of every line, and so on. Within a segment, 16-byte chunks are permuted by xor
// with the line's index, as in the hardware's swizzle modes of 32, 64 and 128 bytes (PTX
// ISA, "Tensor swizzling modes"): the same chunk of eight lines then covers all 32 banks,
// which ldmatrix and wgmma read, and so do a line's chunks, which copies write. If
// threads read 4-byte words instead, eight contiguous ones of each of four lines, pairs
// of chunks are permuted. Like Layout, the map is linear over GF(2): offset(a ^ b) =
// offset(a) ^ offset(b).
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
  /// Bytes that one thread copies; also a row of an 8x8 matrix of ldmatrix.
  static constexpr int64_t kChunkBytes = 16;
  /// Maximum segment length.
  static constexpr int64_t kMostPieceBytes = 128;

  enum class Reader { Matrices, Words };

  /// Lays out `lines` lines of `lineBytes` bytes: powers of two, 16 bytes or more.
  StagedLayout(int64_t lines, int64_t lineBytes, Reader reader = Reader::Matrices);

  int64_t bytes() const { return lines * lineBytes; }
  /// Returns the swizzle mode: 16 (no swizzle), 32, 64 or 128.
  int64_t pieceBytes() const { return piece; }
  /// Returns the alignment of a stage in bytes. The swizzle pattern repeats after as many
  /// bytes, so address bits can replace offset bits.
  int64_t alignment() const { return 8 * piece; }

  /// Returns the offset of a byte of a line without the swizzle. Each bit of the
  /// arguments is one bit of the offset.
  int64_t plain(int64_t line, int64_t byte) const;
  /// The swizzle xors the chunk-selecting bits among bits 4, 5 and 6 of an offset with
  /// bits 7, 8 and 9 (for words, bits 5 and 6 with 7 and 8):
  /// offset ^ (offset >> shift() & chunkMask()).
  int64_t chunkMask() const { return std::max<int64_t>(piece - together, 0); }
  int64_t shift() const { return together == kChunkBytes ? 3 : 2; }
  int64_t swizzle(int64_t plain) const {
    return plain ^ (plain >> shift() & chunkMask());
  }
  int64_t offset(int64_t line, int64_t byte) const { return swizzle(plain(line, byte)); }

private:
  int64_t lines, lineBytes, piece;
  int64_t together; ///< bytes that are permuted as a unit
};

} // namespace kiln::nvptx

#endif // KILN_LIB_TARGET_NVPTX_LAYOUT_STAGEDLAYOUT_H
