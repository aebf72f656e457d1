//===- Sampling.h - Pixels at computed positions ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_OPS_WINDOWS_SAMPLING_H
#define KILN_LIB_IMPORT_OPS_WINDOWS_SAMPLING_H

#include "lib/Import/Node.h"

namespace kiln::import {

/// A pixel along one dim of an image: its index, inside of the dim, as a float, and its
/// weight (null: all taps have the same).
struct Tap {
  mlir::Value index, weight;
};

/// Reads images [batch, channels, D1 .. Dr] at positions [batch, samples], one coordinate
/// per dim, in pixels. A sample is a sum over combinations of taps, one per dim; each
/// combination is a gather of rows of `rowsOf` times its weight.
class PixelSampler {
public:
  using Value = mlir::Value;
  using Type = mlir::Type;

  /// type: float type of positions and weights; image: D1 .. Dr.
  PixelSampler(Node &n, Type type, SymbolicExpr batch, llvm::ArrayRef<SymbolicExpr> image)
      : n(n), type(type), batch(std::move(batch)), image(image) {}

  Value number(double value) { return n.scalar(type, value); }
  Value add(Value a, Value b) { return n.binary(graph::BinaryKind::add, a, b); }
  Value sub(Value a, Value b) { return n.binary(graph::BinaryKind::sub, a, b); }
  Value mul(Value a, Value b) { return n.binary(graph::BinaryKind::mul, a, b); }
  /// Returns a size as a float.
  Value sizeOf(const SymbolicExpr &size);
  /// Clamps the position to [0, last].
  Value clamped(Value place, Value last);
  /// Returns a pixel whose weight is zero outside of the image.
  Tap tapWithin(Value index, Value weight, Value size);
  /// Returns the two pixels around a position, weighted by distance.
  llvm::SmallVector<Tap> linearTaps(Value place, Value size);
  /// Transposes channels last: [batch * D1 * .. * Dr, channels].
  Value rowsOf(Value x, const SymbolicExpr &channels);
  /// Sums over all combinations of taps, one list per dim, all of equal length: [batch,
  /// samples, channels], in `type` unless no tap has a weight.
  Value sampleOf(llvm::ArrayRef<llvm::SmallVector<Tap>> taps, Value rows,
                 const SymbolicExpr &samples);

private:
  Value pixelsOf(llvm::ArrayRef<Tap> taps, Value rows, const SymbolicExpr &samples);

  Node &n;
  Type type;
  SymbolicExpr batch;
  Dims image;
};

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_OPS_WINDOWS_SAMPLING_H
