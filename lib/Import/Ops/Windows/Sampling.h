//===- Sampling.h - Pixels at computed places -------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_OPS_WINDOWS_SAMPLING_H
#define KILN_LIB_IMPORT_OPS_WINDOWS_SAMPLING_H

#include "lib/Import/Node.h"

namespace kiln::import {

/// A pixel along one dim of an image: its number, within the dim, as a float, and what it
/// weighs (null: as much as the others do).
struct Tap {
  mlir::Value index, weight;
};

/// Reads images [batch, channels, D1 .. Dr] at places [batch, samples], one coordinate
/// per dim, in pixels. A sample is a sum over taps of every dim; every combination is a
/// gather of rows of `rowsOf` times its weight.
class PixelSampler {
public:
  using Value = mlir::Value;
  using Type = mlir::Type;

  /// type: a float type, of places and weights; image: D1 .. Dr.
  PixelSampler(Node &n, Type type, SymbolicExpr batch, llvm::ArrayRef<SymbolicExpr> image)
      : n(n), type(type), batch(std::move(batch)), image(image) {}

  Value number(double value) { return n.scalar(type, value); }
  Value add(Value a, Value b) { return n.binary(graph::BinaryKind::add, a, b); }
  Value sub(Value a, Value b) { return n.binary(graph::BinaryKind::sub, a, b); }
  Value mul(Value a, Value b) { return n.binary(graph::BinaryKind::mul, a, b); }
  /// A size as a float.
  Value sizeOf(const SymbolicExpr &size);
  /// The place moved to the nearest one in [0, last].
  Value clamped(Value place, Value last);
  /// A pixel that weighs nothing outside of the image.
  Tap tapWithin(Value index, Value weight, Value size);
  /// The two pixels around a place, by their distance.
  llvm::SmallVector<Tap> linearTaps(Value place, Value size);
  /// Channels as rows: [batch * D1 * .. * Dr, channels].
  Value rowsOf(Value x, const SymbolicExpr &channels);
  /// The sum over all combinations of taps, one list per dim, all of one length:
  /// [batch, samples, channels], of `type` unless no tap has a weight.
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
