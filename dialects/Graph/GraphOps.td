//===- GraphOps.td - All op families of the graph dialect -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_OPS_TD
#define KILN_GRAPH_OPS_TD

include "dialects/Graph/GraphStructureOps.td"
include "dialects/Graph/GraphElementwiseOps.td"
include "dialects/Graph/GraphContractionOps.td"
include "dialects/Graph/GraphReductionOps.td"
include "dialects/Graph/GraphMovementOps.td"
include "dialects/Graph/GraphCollectiveOps.td"
include "dialects/Graph/GraphQuantizationOps.td"
include "dialects/Graph/GraphScaledOps.td"
include "dialects/Graph/GraphStateOps.td"

#endif // KILN_GRAPH_OPS_TD
