//===- BakedConstants.h - Constants as weights of @bake ---------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Internal to lib/Transforms/Fusion.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_LIB_TRANSFORMS_FUSION_BAKEDCONSTANTS_H
#define KILN_LIB_TRANSFORMS_FUSION_BAKEDCONSTANTS_H

#include "dialects/Graph/Graph.h"
#include "mlir/IR/SymbolTable.h"

namespace kiln {

/// Converts constants of programs to reads of weights, one weight for all equal
/// constants, so that the programs of a model have them in common.
class BakedConstants {
public:
  /// name: prefix of the weights' names.
  BakedConstants(mlir::ModuleOp module, llvm::StringRef name)
      : module(module), symbols(module), name(name) {}

  void replace(graph::ConstantOp constant);

private:
  mlir::FlatSymbolRefAttr addWeight(graph::ConstantOp constant);

  mlir::ModuleOp module;
  mlir::SymbolTable symbols;
  llvm::StringRef name;
  llvm::DenseMap<mlir::Attribute, mlir::FlatSymbolRefAttr> weights;
};

} // namespace kiln

#endif // KILN_LIB_TRANSFORMS_FUSION_BAKEDCONSTANTS_H
