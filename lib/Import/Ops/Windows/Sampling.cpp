//===- Sampling.cpp - Pixels at computed positions ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sampling.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;
using graph::BinaryKind;
using graph::CompareKind;
using graph::UnaryKind;

Value PixelSampler::sizeOf(const SymbolicExpr &size) {
  if (std::optional<int64_t> constant = size.getConstant())
    return number(double(*constant));
  return n.cast(n.integers(IntTensor::scalar(size, n.builder.getI64Type())), type);
}

Value PixelSampler::clamped(Value place, Value last) {
  return n.binary(BinaryKind::min, n.binary(BinaryKind::max, place, number(0)), last);
}

Tap PixelSampler::tapWithin(Value index, Value weight, Value size) {
  Value inside = clamped(index, sub(size, number(1)));
  Value isInside = n.compare(CompareKind::equal, index, inside);
  return {inside, n.select(isInside, weight ? weight : number(1), number(0))};
}

SmallVector<Tap> PixelSampler::linearTaps(Value place, Value size) {
  Value first = n.unary(UnaryKind::floor, place), part = sub(place, first);
  return {tapWithin(first, sub(number(1), part), size),
          tapWithin(add(first, number(1)), part, size)};
}

Value PixelSampler::rowsOf(Value x, const SymbolicExpr &channels) {
  SymbolicExpr pixels = graph::numElements(image);
  Value flat = n.reshape(x, {batch, channels, pixels});
  return n.reshape(n.transpose(flat, {0, 2, 1}), {batch * pixels, channels});
}

/// Returns the pixels of one tap per dim, times their weights.
Value PixelSampler::pixelsOf(ArrayRef<Tap> taps, Value rows,
                             const SymbolicExpr &samples) {
  Type i64 = n.builder.getI64Type();
  Value index = mul(n.iota({batch, 1}, i64, 0),
                    n.integers(IntTensor::scalar(graph::numElements(image), i64)));
  Value weight;
  for (auto [i, tap] : llvm::enumerate(taps)) {
    SymbolicExpr stride = graph::numElements(ArrayRef(image).drop_front(i + 1));
    index = add(index,
                mul(n.cast(tap.index, i64), n.integers(IntTensor::scalar(stride, i64))));
    if (tap.weight)
      weight = weight ? mul(weight, tap.weight) : tap.weight;
  }
  Value pixels = n.gather(rows, index, 0);
  if (!weight)
    return pixels;
  // A constant weight is a scalar.
  weight = n.broadcast(weight, {batch, samples});
  return mul(n.cast(pixels, type), n.unsqueeze(weight, 2));
}

Value PixelSampler::sampleOf(ArrayRef<SmallVector<Tap>> taps, Value rows,
                             const SymbolicExpr &samples) {
  size_t perDim = taps.front().size(), count = 1;
  for (size_t dim = 0; dim < image.size(); ++dim)
    count *= perDim;
  Value sum;
  for (size_t i = 0; i < count; ++i) {
    SmallVector<Tap> chosen;
    size_t rest = i;
    for (const SmallVector<Tap> &ofDim : taps) {
      chosen.push_back(ofDim[rest % perDim]);
      rest /= perDim;
    }
    Value pixels = pixelsOf(chosen, rows, samples);
    sum = sum ? add(sum, pixels) : pixels;
  }
  return sum;
}
