//===- FindIndexInputs.cpp - Finds inputs that hold indices ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/IndexRows.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace kiln {
#define GEN_PASS_DEF_FINDINDEXINPUTSPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

namespace {
class FindIndexInputsPass
    : public kiln::impl::FindIndexInputsPassBase<FindIndexInputsPass> {
public:
  void runOnGraph() override {
    auto main = mainOf(getOperation());
    if (!main)
      return;
    main.walk([&](Operation *op) {
      for (OpOperand &operand : op->getOpOperands())
        visit(operand);
    });
    for (const auto &[argument, list] : rows)
      main.setArgAttr(argument, kIndexRowsAttr, ArrayAttr::get(&getContext(), list));
    rows.clear();
    markAllAnalysesPreserved();
  }

private:
  void visit(OpOperand &operand) {
    std::optional<SymbolicExpr> dim = indexedDim(operand);
    if (!dim)
      return;
    std::vector<IndexUse> parts = findIndexParts(operand.get());
    if (parts.empty())
      parts.push_back({operand.get(), *dim});
    for (const IndexUse &use : parts)
      if (std::optional<IndexSource> source = findIndexSource(use.index)) {
        SmallVector<Attribute> &list = rows[source->argument.getArgNumber()];
        Attribute entry = describeIndexRows(&getContext(), *source, use.rows,
                                            operand.getOwner()->getLoc());
        if (!llvm::is_contained(list, entry))
          list.push_back(entry);
      }
  }

  llvm::MapVector<unsigned, SmallVector<Attribute>> rows; // by argument number
};
} // namespace
