//===- ExternalizeConstants.cpp - Converts constants with data to weights -===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BakedConstants.h"
#include "kiln/Transforms/Fusion/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_EXTERNALIZECONSTANTSPASS
#include "kiln/Transforms/Fusion/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
class ExternalizeConstantsPass
    : public kiln::impl::ExternalizeConstantsPassBase<ExternalizeConstantsPass> {
public:
  void runOnGraph() override {
    BakedConstants baked(getOperation(), "constant");
    for (func::FuncOp program : programsOf(getOperation()))
      for (ConstantOp constant : llvm::make_early_inc_range(program.getOps<ConstantOp>()))
        if (!constant.getValue().isSplat())
          baked.replace(constant);
  }
};
} // namespace
