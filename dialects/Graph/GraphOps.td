//===- GraphOps.td - All op families of the graph dialect -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_OPS_TD
#define KILN_GRAPH_OPS_TD

include "dialects/Graph/Ops/GraphStructureOps.td"
include "dialects/Graph/Ops/GraphElementwiseOps.td"
include "dialects/Graph/Ops/GraphContractionOps.td"
include "dialects/Graph/Ops/GraphReductionOps.td"
include "dialects/Graph/Ops/GraphMovementOps.td"
include "dialects/Graph/Ops/GraphCollectiveOps.td"
include "dialects/Graph/Ops/GraphQuantizationOps.td"
include "dialects/Graph/Ops/GraphScaledOps.td"
include "dialects/Graph/Ops/GraphStateOps.td"

#endif // KILN_GRAPH_OPS_TD
