//===- GraphStructureOps.td - Symbols, weights, constants, kernels -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_GRAPH_STRUCTURE_OPS_TD
#define KILN_GRAPH_STRUCTURE_OPS_TD

include "dialects/Graph/GraphOpBase.td"
include "mlir/IR/RegionKindInterface.td"

def Graph_SymbolOp : Graph_Op<"symbol", [Symbol]> {
  let summary = "A symbolic dim and the range it is compiled for";
  let description = [{
    `graph.symbol @seq in [1, 512]`. `source` keeps the spelling of the model
    where that is no identifier.

    Constraints: (C1) 0 <= min <= max < 2^31.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$min, I64Attr:$max,
                       OptionalAttr<StrAttr>:$source);
  let assemblyFormat = "$sym_name `in` ` ` `[` $min `,` $max `]` attr-dict";
  let hasVerifier = 1;
}

def Graph_WeightOp : Graph_Op<"weight", [Symbol]> {
  let summary = "A weight, by reference";
  let description = [{
    Names bytes that stay where they are: `file` (relative to the model's
    folder; the model file itself for raw data), `offset` and `length` in bytes,
    and the SHA-256 of those bytes. Without `file` the weight is made by
    `@bake` with `graph.set_weight`.

    Constraints:
    (C1) the type is static.
    (C2) file, offset, length and hash stand together.
    (C3) length is the byte size of the type.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<Graph_Tensor>:$type,
                       OptionalAttr<StrAttr>:$file, OptionalAttr<I64Attr>:$offset,
                       OptionalAttr<I64Attr>:$length, OptionalAttr<StrAttr>:$hash);
  let assemblyFormat = "$sym_name `:` $type attr-dict";
  let hasVerifier = 1;
}

def Graph_GetWeightOp : Graph_Op<"get_weight",
    [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
     DeclareOpInterfaceMethods<Graph_CostOpInterface>]> {
  let summary = "The value of a weight";
  let description = [{ Constraints: (C1) the symbol is a graph.weight of the same type. }];
  let arguments = (ins FlatSymbolRefAttr:$weight);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$weight attr-dict `:` type($result)";
}

def Graph_SetWeightOp : Graph_Op<"set_weight",
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Gives a baked weight its value; only in @bake";
  let description = [{ Constraints: (C1) the symbol is a graph.weight without file, of the same type. }];
  let arguments = (ins FlatSymbolRefAttr:$weight, Graph_Tensor:$value);
  let assemblyFormat = "$weight `,` $value attr-dict `:` type($value)";
}

def Graph_ConstantOp : Graph_Op<"constant", [Pure, ConstantLike,
    DeclareOpInterfaceMethods<Graph_CostOpInterface>, InferTypeOpAdaptor]> {
  let summary = "A small constant";
  let description = [{ Constraints: (C1) at most 1 KiB, unless a splat. Larger values are graph.weight. }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Graph_DimsOp : Graph_Op<"dims", [Pure, DeclareOpInterfaceMethods<Graph_CostOpInterface>]> {
  let summary = "Dims as integers";
  let description = [{
    `graph.dims #graph.shape<[batch, seq] -> [batch, seq]> : tensor<2xi64>`: what
    a Shape subgraph folds to.

    Constraints: (C1) the result is a vector with one element per expression, or
    a scalar for one expression.
  }];
  let arguments = (ins Graph_ShapeAttr:$value);
  let results = (outs Graph_IndexTensor:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Graph_KernelOp : Graph_Op<"kernel",
    [IsolatedFromAbove, SingleBlock, RecursiveMemoryEffects,
     DeclareOpInterfaceMethods<Graph_CostOpInterface>]> {
  let summary = "Ops that one generated kernel computes";
  let description = [{
    The block arguments are the operands. `hero` names the emitter's kind:
    matmul, attention, row, pointwise. `nodes` lists the ONNX nodes inside, `code`
    the tile.kernel that computes it once code has been generated; kernels with
    equal bodies share it.

    ```mlir
    %y = graph.kernel "matmul" (%a = %x, %w = %weight)
        : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32> {
      %0 = graph.matmul %a, %w : (...) -> tensor<4x16xf32>
      graph.yield %0 : tensor<4x16xf32>
    }
    ```

    Constraints:
    (C1) block arguments have the operands' types.
    (C2) the yielded types are the result types.
    (C3) at least one result.
    (C4) the body holds no kernel, weight access or collective.
  }];
  let arguments = (ins StrAttr:$hero, Variadic<Graph_Tensor>:$inputs,
                       OptionalAttr<StrArrayAttr>:$nodes,
                       OptionalAttr<FlatSymbolRefAttr>:$code);
  let results = (outs Variadic<Graph_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    ::mlir::ValueRange getYielded() { return getBlock().getTerminator()->getOperands(); }
  }];
}

def Graph_YieldOp : Graph_Op<"yield", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "The results of a kernel";
  let arguments = (ins Variadic<Graph_Tensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

#endif // KILN_GRAPH_STRUCTURE_OPS_TD
