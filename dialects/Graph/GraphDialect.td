//===- GraphDialect.td - The graph dialect -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_DIALECT_TD
#define KILN_GRAPH_DIALECT_TD

include "mlir/IR/OpBase.td"

def Graph_Dialect : Dialect {
  let name = "graph";
  let cppNamespace = "::kiln::graph";
  let summary = "What a model computes";
  let description = [{
    Values are ranked tensors. A dynamic dim is an expression over symbols with
    declared ranges, kept in the encoding of the tensor type (`#graph.shape`);
    weights are references to bytes that stay in their file. The dialect ends
    when every op of the model sits in a `graph.kernel` or is a collective.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 0;
  let dependentDialects = ["::mlir::func::FuncDialect"];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

class Graph_Op<string mnemonic, list<Trait> traits = []>
    : Op<Graph_Dialect, mnemonic, traits>;

#endif // KILN_GRAPH_DIALECT_TD
