//===- Triangle.cpp - Triangular tables -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Triangle.h"
#include "dialects/Graph/Graph.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln;
using namespace kiln::import;

static constexpr int64_t kMinRows = 4;

std::optional<Triangle> kiln::import::readTriangle(mlir::RankedTensorType type,
                                                   llvm::ArrayRef<uint8_t> bytes) {
  llvm::ArrayRef<int64_t> shape = type.getShape();
  if (shape.size() < 2 || shape.back() < kMinRows ||
      shape.back() != shape[shape.size() - 2] ||
      !llvm::all_of(shape.drop_back(2), [](int64_t dim) { return dim == 1; }))
    return std::nullopt;
  size_t rows = shape.back(), width = graph::elementBytes(type.getElementType());
  if (width == 0 || bytes.size() != rows * rows * width)
    return std::nullopt;
  auto at = [&](size_t row, size_t column) {
    return bytes.slice((row * rows + column) * width, width);
  };
  Triangle triangle{at(0, 0), at(0, 1)};
  if (triangle.upTo == triangle.behind)
    return std::nullopt;
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < rows; ++column)
      if (at(row, column) != (column <= row ? triangle.upTo : triangle.behind))
        return std::nullopt;
  return triangle;
}
