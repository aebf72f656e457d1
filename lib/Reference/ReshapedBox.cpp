//===- ReshapedBox.cpp - Boxes before a reshape ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReshapedBox.h"

using namespace kiln;
using namespace kiln::reference;
using llvm::ArrayRef;
using llvm::SmallVector;

int64_t reference::linear(ArrayRef<int64_t> index, ArrayRef<int64_t> strides) {
  int64_t at = 0;
  for (auto [i, stride] : llvm::zip(index, strides))
    at += i * stride;
  return at;
}

namespace {
/// Adjacent dims of two shapes with the same number of elements.
struct DimGroup {
  ArrayRef<int64_t> before, after;
};
} // namespace

/// Returns the smallest groups, in order; dims of size one are merged into others if
/// possible.
static SmallVector<DimGroup> groupsOf(ArrayRef<int64_t> before, ArrayRef<int64_t> after) {
  SmallVector<DimGroup> groups;
  size_t i = 0, j = 0;
  while (i < before.size() || j < after.size()) {
    size_t firstBefore = i, firstAfter = j;
    int64_t left = i < before.size() ? before[i++] : 1;
    int64_t right = j < after.size() ? after[j++] : 1;
    while (left != right)
      if (left < right)
        left *= before[i++];
      else
        right *= after[j++];
    groups.push_back({before.slice(firstBefore, i - firstBefore),
                      after.slice(firstAfter, j - firstAfter)});
  }
  return groups;
}

/// Returns the smallest box of `shape` that holds elements [first, last] in row-major
/// order and is contiguous: one index of the leading dims, a range of one dim, all of the
/// others.
static Box enclosing(ArrayRef<int64_t> shape, int64_t first, int64_t last) {
  Box box{Shape(shape.size(), 0), Shape(shape)};
  Shape strides = stridesOf(shape);
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t low = first / strides[i], high = last / strides[i];
    box.begin[i] = low;
    box.size[i] = high - low + 1;
    if (low != high)
      break;
    first -= low * strides[i];
    last -= high * strides[i];
  }
  return box;
}

/// Visits groups from the last to the first, because strides grow in this order.
ReshapedBox::ReshapedBox(ArrayRef<int64_t> before, ArrayRef<int64_t> after,
                         const Box &box) {
  source = {Shape(before.size(), 0), Shape(before)};
  strides.resize(after.size());
  SmallVector<DimGroup> groups = groupsOf(before, after);
  int64_t unit = 1;
  for (const DimGroup &group : llvm::reverse(groups)) {
    size_t at = group.after.begin() - after.begin(), count = group.after.size();
    ArrayRef<int64_t> begin = ArrayRef(box.begin).slice(at, count),
                      size = ArrayRef(box.size).slice(at, count);
    Shape own = stridesOf(group.after), end;
    for (auto [from, extent] : llvm::zip(begin, size))
      end.push_back(from + extent - 1);
    int64_t first = linear(begin, own);
    Box held = enclosing(group.before, first, linear(end, own));
    size_t place = group.before.begin() - before.begin();
    llvm::copy(held.begin, source.begin.begin() + place);
    llvm::copy(held.size, source.size.begin() + place);
    offset += (first - linear(held.begin, stridesOf(group.before))) * unit;
    for (size_t i = 0; i < count; ++i)
      strides[at + i] = own[i] * unit;
    unit *= *countElements(held.size);
  }
}
