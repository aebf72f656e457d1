//===- IndexingTest.cpp - Every op has index maps -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Graph.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace kiln::graph;
using namespace mlir;

/// Ops without index maps, as they compute no tensor from operands, each with the reason.
static constexpr StringRef kWithout[] = {
    "graph.symbol",     // declares a dim
    "graph.weight",     // declares bytes
    "graph.get_weight", // no operands
    "graph.set_weight", // no result
    "graph.constant",   // no operands
    "graph.dims",       // no operands
    "graph.kernel",     // the ops in it have maps
    "graph.yield",      // no result
};

namespace {
/// An op without index maps, as if its author forgot them.
class PlantedOp : public Op<PlantedOp, OpTrait::OneOperand, OpTrait::OneResult> {
public:
  using Op::Op;
  static StringRef getOperationName() { return "graph.planted"; }
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
};
} // namespace

/// Returns ops of the dialect that lack maps, or have maps although they are listed as
/// ops without.
static std::vector<std::string> wrongOps(MLIRContext &context) {
  std::vector<std::string> wrong;
  for (RegisteredOperationName op : context.getRegisteredOperationsByDialect("graph"))
    if (op.hasInterface<IndexingOpInterface>() ==
        llvm::is_contained(kWithout, op.getStringRef()))
      wrong.push_back(op.getStringRef().str());
  return wrong;
}

TEST(Indexing, EveryOpThatReadsOperandsHasMaps) {
  MLIRContext context;
  context.loadDialect<GraphDialect>();
  EXPECT_GT(context.getRegisteredOperationsByDialect("graph").size(), 40u);
  EXPECT_EQ(wrongOps(context), std::vector<std::string>())
      << "has no index maps: add Graph_Indexing<> to its traits and write "
         "getIndexingMaps in dialects/Graph/OpIndexing.cpp";
}

TEST(Indexing, AnOpWithoutMapsIsFound) {
  MLIRContext context;
  auto *dialect = context.getOrLoadDialect<GraphDialect>();
  RegisteredOperationName::insert<PlantedOp>(*dialect);
  EXPECT_EQ(wrongOps(context), std::vector<std::string>{"graph.planted"});
}
