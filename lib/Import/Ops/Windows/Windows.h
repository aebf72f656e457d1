//===- Windows.h - Windows over spatial dims --------------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What convolutions and pooling have in common: element t of window i of a dim is
// element i * stride + t * dilation of the padded dim. A dim [in] becomes two,
// [out, kernel]: by a reshape where windows neither overlap nor leave gaps, by a
// gather with positions that are a sum of iotas otherwise. Code generation reads such
// a gather as a strided operand (docs/rationale/convolution.md).
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_IMPORT_OPS_WINDOWS_WINDOWS_H
#define KILN_LIB_IMPORT_OPS_WINDOWS_WINDOWS_H

#include "lib/Import/Node.h"

#include <vector>

namespace kiln::import {

/// The windows of one spatial dim.
struct Window {
  int64_t kernel = 1, stride = 1, dilation = 1;
  SymbolicExpr before, after; ///< padding; negative padding crops
  SymbolicExpr overhang;      ///< more padding behind, where ceil_mode rounds up
  SymbolicExpr in, out;       ///< the dim, and the number of windows
  /// Elements from the first to the last of one window.
  int64_t extent() const { return (kernel - 1) * dilation + 1; }
  /// Neither overlaps with the next one nor leaves a gap.
  bool isDisjoint() const { return dilation == 1 && kernel == stride; }
};

/// A list of the node's of `count` integers, each at least `least`; nullopt after an
/// error.
std::optional<llvm::SmallVector<int64_t>>
readList(Node &n, llvm::StringRef name, size_t count, int64_t otherwise, int64_t minimum);

struct WindowAttributes {
  std::vector<Window> windows;     ///< kernel, stride, dilation and in
  llvm::SmallVector<int64_t> pads; ///< all of the begins, then all of the ends
};
std::optional<WindowAttributes> readWindowAttributes(Node &n,
                                                     llvm::ArrayRef<int64_t> kernel,
                                                     llvm::ArrayRef<SymbolicExpr> in);

/// The windows of the spatial dims `in`, from the node's attributes; nullopt after an
/// error. With `roundUp`, a last window may begin
/// inside the padded input and end behind it, as ceil_mode has it.
std::optional<std::vector<Window>> readWindows(Node &n, llvm::ArrayRef<int64_t> kernel,
                                               llvm::ArrayRef<SymbolicExpr> in,
                                               bool roundUp = false);

/// `x` with `value` before and behind the elements of dim `axis`.
mlir::Value padDim(GraphBuilder &b, mlir::Value x, int64_t axis,
                   const SymbolicExpr &before, const SymbolicExpr &after, double value);

/// Dim `axis` with `stride` - 1 zeros between its elements.
mlir::Value spread(GraphBuilder &b, mlir::Value x, int64_t axis, int64_t stride);

/// Dims `axis`, `axis` + 1, ... of `x` with the padding of their windows.
mlir::Value padWindows(GraphBuilder &b, mlir::Value x, int64_t axis,
                       llvm::ArrayRef<Window> windows, double padding);
/// Padded dims each replaced by two: [out, kernel], or [kernel, out].
mlir::Value splitPadded(GraphBuilder &b, mlir::Value x, int64_t axis,
                        llvm::ArrayRef<Window> windows, bool kernelFirst = false);
/// Both: [out, kernel].
mlir::Value splitWindows(GraphBuilder &b, mlir::Value x, int64_t axis,
                         llvm::ArrayRef<Window> windows, double padding);

} // namespace kiln::import

#endif // KILN_LIB_IMPORT_OPS_WINDOWS_WINDOWS_H
