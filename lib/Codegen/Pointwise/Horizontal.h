//===- Horizontal.h - Independent results in one kernel ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Horizontal fusion: results that do not need each other and have loops of their own,
// such as a rotated query and the rows of a key and a value in their caches. The tasks of
// each stand behind those of the one before it. Internal to lib/Codegen/Pointwise.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_POINTWISE_HORIZONTAL_H
#define KILN_CODEGEN_POINTWISE_HORIZONTAL_H

#include "KernelEmitter.h"

namespace kiln::codegen {

/// Several results, of which rows of a state are one.
bool isHorizontal(graph::KernelOp kernel);

class Horizontal {
public:
  /// Null, with `why` set, if there is no such form.
  static std::unique_ptr<Horizontal> build(graph::KernelOp kernel, std::string &why,
                                           bool splits);

  /// Best first; the same for all results, by the one with the shortest last dim.
  llvm::SmallVector<tile::PointwiseConfigAttr> configs(mlir::MLIRContext *context,
                                                       const TargetInfo &target) const;
  /// Whether a program would have more loops if it were built with `splits`.
  bool dividesLastDim() const;
  /// Writes the tile program, with the names of `kernel`.
  tile::KernelOp emit(graph::KernelOp kernel, mlir::OpBuilder &builder,
                      tile::PointwiseConfigAttr config) const;

private:
  Horizontal() = default;

  std::vector<std::shared_ptr<const Program>> programs;
};

} // namespace kiln::codegen

#endif // KILN_CODEGEN_POINTWISE_HORIZONTAL_H
