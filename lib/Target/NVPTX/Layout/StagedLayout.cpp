//===- StagedLayout.cpp - Swizzled tiles in shared memory -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StagedLayout.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>

using namespace kiln::nvptx;

StagedLayout::StagedLayout(int64_t lines, int64_t lineBytes, Reader reader)
    : lines(lines), lineBytes(lineBytes), piece(std::min(lineBytes, kMostPieceBytes)),
      together(reader == Reader::Matrices ? kChunkBytes : 2 * kChunkBytes) {
  assert(llvm::isPowerOf2_64(lines) && llvm::isPowerOf2_64(lineBytes));
  assert(lineBytes >= kChunkBytes);
}

int64_t StagedLayout::plain(int64_t line, int64_t byte) const {
  return byte / piece * (lines * piece) + line * piece + byte % piece;
}
