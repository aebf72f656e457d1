//===- Horizontal.h - Independent results in one kernel ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Horizontal fusion: independent results with loops of their own, for example a rotated
// query and the rows that are written to a key and a value cache. Tasks are numbered
// result by result. Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_HORIZONTAL_H
#define KILN_CODEGEN_POINTWISE_HORIZONTAL_H

#include "KernelEmitter.h"

namespace kiln::codegen {

/// Returns true if the kernel has several results, one of which is a write to a cache.
bool isHorizontal(graph::KernelOp kernel);

class Horizontal {
public:
  /// Returns null, with `why` set, if the kernel cannot be built in this way.
  static std::unique_ptr<Horizontal> build(graph::KernelOp kernel, std::string &why,
                                           bool splits);

  /// Returns configs, best first. All results have the same config, by the result with
  /// the shortest last dim.
  llvm::SmallVector<tile::PointwiseConfigAttr> configs(mlir::MLIRContext *context,
                                                       const TargetInfo &target) const;
  /// Returns true if a program would have more loops if it were built with `splits`.
  bool dividesLastDim() const;
  /// Emits the tile program of `kernel`, which equals the analysed kernel except for
  /// names.
  tile::KernelOp emit(graph::KernelOp kernel, mlir::OpBuilder &builder,
                      tile::PointwiseConfigAttr config) const;

private:
  Horizontal() = default;

  std::vector<std::shared_ptr<const Program>> programs;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_HORIZONTAL_H
