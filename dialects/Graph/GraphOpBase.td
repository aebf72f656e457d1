//===- GraphOpBase.td - Base classes of the op families -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_OP_BASE_TD
#define KILN_GRAPH_OP_BASE_TD

include "dialects/Graph/GraphAttrs.td"
include "dialects/Graph/GraphInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

def Graph_IsModelTensor : CPred<"::kiln::graph::isModelTensor($_self)">;
def Graph_Tensor : Type<Graph_IsModelTensor, "tensor of numbers that a model can have",
                        "::mlir::RankedTensorType">;
class Graph_TensorOf<list<Type> elements>
    : RankedTensorOf<elements, [Graph_IsModelTensor]>;
def Graph_IndexTensor : Graph_TensorOf<[I32, I64]>;
def Graph_BoolTensor : Graph_TensorOf<[I1]>;
def Graph_FloatTensor : Graph_TensorOf<[F16, BF16, F32, F64]>;

// Base class of ops that implement the interface of index maps.
class Graph_Indexing : DeclareOpInterfaceMethods<IndexingOpInterface>;

// Base class of ops that compute, all of which implement the cost interface.
class Graph_ComputeOp<string mnemonic, list<Trait> traits = []>
    : Graph_Op<mnemonic,
               !listconcat(
                   traits, [Pure, DeclareOpInterfaceMethods<Graph_CostOpInterface>])>;

// Base class of ops whose result type follows from the operands and attributes.
class Graph_InferredOp<string mnemonic, list<Trait> traits = []>
    : Graph_ComputeOp<mnemonic, !listconcat(traits,
        [InferTypeOpAdaptor])>;

#endif // KILN_GRAPH_OP_BASE_TD
