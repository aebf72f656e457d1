//===- Fold.cpp - Col2Im --------------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Windows.h"
#include "kiln/ErrorCodes/Model.h"
#include "lib/Import/Ops/Ops.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;

/// Sums the windows of one dim: [.., kernel, .., out, ..] to [.., 1, .., in, ..], for
/// dims `kernel` and `axis` of `x`.
static Value foldDim(Node &n, Value x, int64_t kernel, int64_t axis, const Window &w) {
  Value sum;
  for (int64_t t = 0; x && t < w.kernel; ++t) {
    Value part = spread(n, n.slice(x, kernel, t, 1), axis, w.stride);
    if (!part)
      return part;
    SymbolicExpr before = SymbolicExpr(t * w.dilation) - w.before;
    part = padDim(n, part, axis, before, w.in - before - n.dims(part)[axis], 0);
    sum = sum && part ? n.binary(BinaryKind::add, sum, part) : part;
  }
  return sum;
}

/// Rearranges disjoint windows [N, C, kernels..., outs...] to the image.
static Value joinBlocks(Node &n, Value x, ArrayRef<Window> windows) {
  SmallVector<int64_t> permutation{0, 1};
  Dims dims = n.dims(x), image{dims[0], dims[1]};
  for (auto [i, w] : llvm::enumerate(windows)) {
    permutation.push_back(2 + windows.size() + i);
    permutation.push_back(2 + i);
    image.push_back(w.in);
  }
  return n.reshape(n.transpose(x, permutation), image);
}

/// Reads the windows of the image and their number in each dim.
static std::optional<std::vector<Window>> readImage(Node &n) {
  const IntTensor *image = n.requireContent(1, "shape of the image");
  auto block = image ? n.requireConstants(2, "shape of a block") : std::nullopt;
  if (!block)
    return std::nullopt;
  size_t count = block->size();
  if (n.inputRank(0) != 3 || count == 0 || image->elements.size() != count ||
      llvm::any_of(*block, [](int64_t size) { return size < 1; })) {
    (void)n.fail(ErrorCode::ShapeMismatch, "the input is not a list of blocks",
                 "rank 3, and as many dims of an image as of a block",
                 "rank " + Twine(n.inputRank(0)) + ", " + Twine(image->elements.size()) +
                     " and " + Twine(count) + " dims",
                 "correct the node");
    return std::nullopt;
  }
  return readWindows(n, *block, image->elements);
}

LogicalResult kiln::import::importCol2Im(Node &n) {
  auto windows = readImage(n);
  if (!windows)
    return failure();
  Dims dims = n.inputDims(0), split{dims[0]}, result;
  SymbolicExpr blocks = 1, elements = 1;
  bool apart = true;
  for (const Window &w : *windows) {
    blocks *= w.out, elements *= SymbolicExpr(w.kernel);
    apart &= w.stride == w.kernel && w.dilation == 1 && w.before.isConstant(0) &&
             w.in == w.out * SymbolicExpr(w.kernel);
  }
  std::optional<SymbolicExpr> channels = dims[1].exactDiv(elements);
  if (!channels)
    return n.fail(ErrorCode::ShapeMismatch, "dim 1 is not channels times a block",
                  "a multiple of " + elements.str(), dims[1].str(), "check the shapes");
  if (failed(n.unify(dims[2], blocks, "the blocks do not fill the image")))
    return failure();
  split.push_back(*channels);
  result = split;
  for (const Window &w : *windows)
    split.push_back(w.kernel), result.push_back(w.in);
  for (const Window &w : *windows)
    split.push_back(w.out);
  Value x = n.reshape(n.input(0), split);
  if (!x || apart)
    return x ? n.result(joinBlocks(n, x, *windows)) : failure();
  for (size_t i = 0; i < windows->size(); ++i)
    x = foldDim(n, x, 2 + i, 2 + windows->size() + i, (*windows)[i]);
  return x ? n.result(n.reshape(x, result)) : failure();
}
