//===- GraphInterfaces.td - Interfaces every graph op implements -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_INTERFACES_TD
#define KILN_GRAPH_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Graph_CostOpInterface : OpInterface<"CostOpInterface"> {
  let cppNamespace = "::kiln::graph";
  let description = [{
    Compulsory bytes and floating-point operations of one op, as expressions
    over the symbols of its types. Bytes count every operand once and every
    result once, at the element types' sizes; views count nothing. FLOPs count
    an FMA as two and a transcendental function as one.
  }];
  let methods = [
    InterfaceMethod<"Bytes read and written when nothing is fused or reused.",
      "::kiln::graph::SymbolicExpr", "getBytes", (ins), "",
      [{ return ::kiln::graph::defaultBytes($_op.getOperation()); }]>,
    InterfaceMethod<"Floating-point (or integer) operations.",
      "::kiln::graph::SymbolicExpr", "getFlops", (ins), "",
      [{ return ::kiln::graph::defaultFlops($_op.getOperation()); }]>,
  ];
}

def IndexingOpInterface : OpInterface<"IndexingOpInterface"> {
  let cppNamespace = "::kiln::graph";
  let description = [{
    Index maps of one op: for every operand, which of its elements an element of the
    result is computed of. Every op that computes a tensor of operands has them, and
    kiln/Analysis/Indexing.h answers questions by them; docs/rationale/index-maps.md.
  }];
  let methods = [
    InterfaceMethod<"Adds the reads of the element at `maps.places()`.",
      "void", "getIndexingMaps", (ins "::kiln::graph::IndexingMaps &":$maps)>,
  ];
}

#endif // KILN_GRAPH_INTERFACES_TD
