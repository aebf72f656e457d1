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

/// Ops that compute no tensor of operands, each with the reason.
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

TEST(Indexing, EveryOpThatReadsOperandsHasMaps) {
  MLIRContext context;
  context.loadDialect<GraphDialect>();
  unsigned withMaps = 0;
  for (RegisteredOperationName op : context.getRegisteredOperationsByDialect("graph")) {
    bool hasMaps = op.hasInterface<IndexingOpInterface>();
    EXPECT_NE(hasMaps, llvm::is_contained(kWithout, op.getStringRef()))
        << op.getStringRef().str()
        << " has no index maps: add Graph_Indexing<> to its traits and write "
           "getIndexingMaps in dialects/Graph/OpIndexing.cpp";
    withMaps += hasMaps;
  }
  EXPECT_GT(withMaps, 30u);
}
