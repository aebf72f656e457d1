//===- Windows.h - Windows over spatial dims --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common to convolutions and pooling: element t of window i of a dim is element i *
// stride + t * dilation of the padded dim. A dim [in] becomes two, [out, kernel]: by a
// reshape if windows are disjoint and adjacent, else by a gather whose positions are a
// sum of iotas. Code generation reads such a gather as a strided operand
// (docs/rationale/convolution.md).
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_OPS_WINDOWS_WINDOWS_H
#define KILN_LIB_IMPORT_OPS_WINDOWS_WINDOWS_H

#include "lib/Import/Node.h"

#include <vector>

namespace kiln::import {

/// Windows of one spatial dim.
struct Window {
  int64_t kernel = 1, stride = 1, dilation = 1;
  SymbolicExpr before, after; ///< padding; negative padding crops
  SymbolicExpr overhang;      ///< additional padding after, if ceil_mode rounds up
  SymbolicExpr in, out;       ///< the dim, and the number of windows
  /// Returns the number of elements from the first to the last of one window.
  int64_t extent() const { return (kernel - 1) * dilation + 1; }
  /// Returns true if windows neither overlap nor leave gaps.
  bool isDisjoint() const { return dilation == 1 && kernel == stride; }
};

/// Reads an attribute of `count` integers, each at least `minimum`; nullopt after an
/// error.
std::optional<llvm::SmallVector<int64_t>>
readList(Node &n, llvm::StringRef name, size_t count, int64_t otherwise, int64_t minimum);

struct WindowAttributes {
  std::vector<Window> windows;     ///< kernel, stride, dilation and in
  llvm::SmallVector<int64_t> pads; ///< all begins, then all ends
};
std::optional<WindowAttributes> readWindowAttributes(Node &n,
                                                     llvm::ArrayRef<int64_t> kernel,
                                                     llvm::ArrayRef<SymbolicExpr> in);

/// Reads the windows of the spatial dims `in` from the node's attributes; nullopt after
/// an error. With `roundUp` (ceil_mode), a last window may begin inside the padded input
/// and end after it.
std::optional<std::vector<Window>> readWindows(Node &n, llvm::ArrayRef<int64_t> kernel,
                                               llvm::ArrayRef<SymbolicExpr> in,
                                               bool roundUp = false);

/// Pads dim `axis` of `x` with `value` before and after its elements.
mlir::Value padDim(GraphBuilder &b, mlir::Value x, int64_t axis,
                   const SymbolicExpr &before, const SymbolicExpr &after, double value);

/// Inserts `stride` - 1 zeros between the elements of dim `axis`.
mlir::Value spread(GraphBuilder &b, mlir::Value x, int64_t axis, int64_t stride);

/// Pads dims `axis`, `axis` + 1, ... of `x` for their windows.
mlir::Value padWindows(GraphBuilder &b, mlir::Value x, int64_t axis,
                       llvm::ArrayRef<Window> windows, double padding);
/// Replaces each padded dim by two: [out, kernel], or [kernel, out].
mlir::Value splitPadded(GraphBuilder &b, mlir::Value x, int64_t axis,
                        llvm::ArrayRef<Window> windows, bool kernelFirst = false);
/// Pads and splits: [out, kernel].
mlir::Value splitWindows(GraphBuilder &b, mlir::Value x, int64_t axis,
                         llvm::ArrayRef<Window> windows, double padding);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_OPS_WINDOWS_WINDOWS_H
