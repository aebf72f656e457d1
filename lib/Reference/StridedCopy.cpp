//===- StridedCopy.cpp - Copies with strides ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StridedCopy.h"
#include "Storage.h"

using namespace kiln;
using namespace kiln::reference;
using llvm::ArrayRef;

namespace {
/// One loop of a copy: `out` and `in` advance by these element strides.
struct Loop {
  int64_t count, out, in;
};
} // namespace

/// Returns the loops, outermost first, after merging loops whose strides are compatible.
static llvm::SmallVector<Loop, 4> mergedLoops(ArrayRef<int64_t> shape,
                                              ArrayRef<int64_t> strides) {
  Shape outStrides = stridesOf(shape);
  llvm::SmallVector<Loop, 4> loops;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1)
      continue;
    if (!loops.empty() && loops.back().in == shape[i] * strides[i])
      loops.back() = {loops.back().count * shape[i], outStrides[i], strides[i]};
    else
      loops.push_back({shape[i], outStrides[i], strides[i]});
  }
  return loops;
}

/// Copies the two innermost loops in square tiles, so that both sides of a transpose stay
/// in the cache.
template <typename T>
static void copyPlane(T *out, const char *in, int64_t at, Loop rows, Loop columns) {
  constexpr int64_t kTile = 32;
  for (int64_t r0 = 0; r0 < rows.count; r0 += kTile)
    for (int64_t c0 = 0; c0 < columns.count; c0 += kTile) {
      int64_t r1 = std::min(r0 + kTile, rows.count), c1 = std::min(c0 + kTile, columns.count);
      for (int64_t r = r0; r < r1; ++r)
        for (int64_t c = c0; c < c1; ++c)
          out[r * rows.out + c * columns.out] =
              load<T>(in, at + r * rows.in + c * columns.in);
    }
}

template <typename T> static void copyLine(T *out, const char *in, int64_t at, Loop loop) {
  if (loop.in == 1 && loop.out == 1)
    std::memcpy(out, in + at * sizeof(T), loop.count * sizeof(T));
  else
    for (int64_t i = 0; i < loop.count; ++i)
      out[i * loop.out] = load<T>(in, at + i * loop.in);
}

template <typename T>
static void copyLoops(T *out, const char *in, int64_t at, ArrayRef<Loop> loops) {
  if (loops.empty()) {
    *out = load<T>(in, at);
    return;
  }
  if (loops.size() == 1)
    return copyLine(out, in, at, loops[0]);
  if (loops.size() == 2 && loops[1].in != 1)
    return copyPlane(out, in, at, loops[0], loops[1]);
  for (int64_t i = 0; i < loops[0].count; ++i)
    copyLoops(out + i * loops[0].out, in, at + i * loops[0].in, loops.drop_front());
}

void reference::copyStrided(char *out, const char *in, int64_t elementBytes,
                            ArrayRef<int64_t> shape, int64_t offset,
                            ArrayRef<int64_t> strides) {
  if (countElements(shape) == 0)
    return;
  llvm::SmallVector<Loop, 4> loops = mergedLoops(shape, strides);
  // A loop with input stride 1 is the other side of a transpose: as second innermost loop
  // it forms planes with the innermost one.
  if (loops.size() > 2 && loops.back().in != 1)
    if (auto *unit = llvm::find_if(loops, [](const Loop &l) { return l.in == 1; });
        unit != loops.end())
      std::rotate(unit, unit + 1, loops.end() - 1);
  withBytes(elementBytes, [&](auto zero) {
    using T = decltype(zero);
    copyLoops(reinterpret_cast<T *>(out), in, offset, ArrayRef<Loop>(loops));
  });
}
