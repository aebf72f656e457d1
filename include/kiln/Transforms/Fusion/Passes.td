//===- Passes.td - Fusion passes ---------------------------*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_FUSION_PASSES_TD
#define KILN_TRANSFORMS_FUSION_PASSES_TD

include "include/kiln/Analysis/GraphPass.td"
include "mlir/Pass/PassBase.td"

def FuseKernelsPass : Pass<"kiln-fuse-kernels", "::mlir::ModuleOp"> {
  let summary = "Group the ops of @main into kernels around a hero";
  let description = [{
    Every op of `@main` becomes part of a `graph.kernel`, but for weights,
    collectives and reshapes of whole values (views that cost nothing). A group
    has one hero (matmul, attention, or a row op: softmax, a norm, a reduction)
    or is pointwise. What may join:

    - an elementwise op joins the group of its operand when it is the only user
      and has the same shape: the epilogue of a matmul, a row op, or an attention,
      there also behind transposes and reshapes of the result, but only if it does
      not widen the element type;
    - pointwise ops that feed only a row op join it: its prologue;
    - pointwise ops that make the mask of an attention join it where computing a
      mask element takes fewer instructions than the memory that this saves
      (lib/Codegen/Attention/MaskFusion.cpp); a remark says why not;
    - pointwise ops join each other;
    - views, constants and index ops are copied into every kernel that reads
      through them.

    An operand that code generation would rather have a copy of (two lie across the
    result along different dims, and a tile through scratch serves one; on a GPU also
    one that no tile serves, as the rows of a softmax that lie across and are longer
    than it holds several of) is transposed by a kernel of its own.

    A group has one result, and only its tail is used outside, so no cycle can
    arise. Two kinds of groups become one kernel with several results, if nothing
    that computes an operand of it reads a result: rows written to the caches of a
    layer, and what quantizes the rows of an activation (the largest magnitude of
    each, its codes, scales and sum of codes) with the norm that computes these
    rows, if the norm reduces the same dim. A kernel that the target cannot generate is split into one for every
    op. Where an op reads memory only (a product of a fill), kernels of their own
    compute first the views that it reads, then fills and constants.

    Before:
    ```mlir
    %0 = graph.matmul %x, %w : ...
    %1 = graph.binary add %0, %bias : ...
    %2 = graph.unary gelu %1 : ...
    ```
    After:
    ```mlir
    %0 = graph.kernel "matmul" (%a = %x, %b = %w, %c = %bias) : ... {
      %1 = graph.matmul %a, %b : ...
      %2 = graph.binary add %1, %c : ...
      %3 = graph.unary gelu %2 : ...
      graph.yield %3 : ...
    }
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `fuse` | passed | hero, number of ops and nodes of a kernel of several ops |
    | `fuse` | missed | why an op is in another kernel than the op that computes its operand |
    | `fuse-mask` | missed | why a mask is not computed in its attention: instructions and bytes per score |
    | `read-transposed` | missed | an operand that is copied for a kernel that reads it transposed |
    | `emit` | missed | why ops that were fused become several kernels: no code can be generated for one |
  }];
  let options = [ListOption<"targets", "targets", "std::string",
                            "The targets of the package, as of kiln compile --target">];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels formed">,
    Statistic<"numCopied", "copied", "Views of operands that became kernels of their own">,
    Statistic<"numSplit", "split", "Kernels split because no code can be generated for them">,
  ];
}

def ExternalizeConstantsPass : GraphPass<"kiln-externalize-constants", "::mlir::ModuleOp"> {
  let summary = "Turn constants that hold data into baked weights";
  let description = [{
    Kernels hold only constants whose elements are all equal; others are read
    from memory like weights. Their bytes are set by `@bake`.

    Before:
    ```mlir
    %0 = graph.constant dense<[1, 2]> : tensor<2xi64>
    ```
    After:
    ```mlir
    %0 = graph.get_weight @constant : tensor<2xi64>   // set in @bake
    ```
  }];
}

def CheckIndicesPass : GraphPass<"kiln-check-indices", "::mlir::ModuleOp"> {
  let summary = "Let the model find indices out of range that it computes";
  let description = [{
    A gather clamps its indices, a scatter drops updates. For each index operand that
    comes from no input and is not known to be in range, a kernel computes where the
    first index out of range is, and its value; its result becomes a result of `@main`
    with `graph.check`, which is no output of the model. The runtime reads it with the
    outputs. Indices that are known to be in range (positions, constants, what was
    clipped or is a remainder) need nothing.

    Runs on kernels, so that it does not change what fusion sees: the check computes
    for itself what a kernel computes on the way to its indices, and reads what lies in
    memory anyway. Checks that can run at one place are one kernel. `inputs` adds a
    check of the indices in inputs, for targets whose inputs the runtime cannot read
    before a run; it is a result of its own.

    Before:
    ```mlir
    %1 = graph.kernel "pointwise" (%t = %table, %x = %0) ... {
      %2 = graph.gather %t, %x axis 0 : (tensor<10x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
    ```
    After:
    ```mlir
    %1 = graph.kernel "row" (%x = %0) : (tensor<4xi64>) -> tensor<1xi64> {
      %3 = graph.compare greater_equal %x, %rows : ...   // or less than -rows
      %4 = graph.select %3, %placeAndValue, %none : ...
      %5 = graph.reduce min %4 axes [0] {keep_dims} : ...
    }
    %2 = graph.kernel "pointwise" ...
    return %2, %1   // graph.check = {bits = 48, parts = [{dims = ..., node = ..., rows = ...} ]}
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `check` | passed | indices that a kernel checks |
    | `check` | missed | why indices are only clamped |
  }];
  let options = [Option<"inputs", "inputs", "bool", "false",
                        "Check the indices in inputs too">];
  let statistics = [
    Statistic<"numProved", "proved", "Index operands that are always in range">,
    Statistic<"numChecked", "checked", "Index operands that the model checks">,
  ];
}

def LiftStartsPass : GraphPass<"kiln-lift-starts", "::mlir::ModuleOp"> {
  let summary = "Make the steps of an unrolled loop that are equal share one kernel";
  let description = [{
    An exporter that unrolls a recurrence (a state-space model, an LSTM in a Python loop)
    writes a copy of the body for each time step, and their kernels differ only in which
    element of a dim they read. Where at least 8 pointwise or row kernels are equal but for
    starts of slices that keep one element, the start becomes an index, a weight of one
    element which `@bake` sets, and the slice a gather. Starts that are equal in each
    kernel are one operand, and those that do not differ stay. Where no code can be
    generated for a kernel that reads its starts, nothing changes.

    Before:
    ```mlir
    %1 = graph.kernel "pointwise" (%a = %x) : ... {
      %2 = graph.slice %a starts <[] -> [0, 3]> steps [1, 1] : (tensor<4x12xf32>) -> tensor<4x1xf32>
    }
    ```
    After, if 7 others are equal but for the 3:
    ```mlir
    %0 = graph.get_weight @start : tensor<1xi64>      // 3, set in @bake
    %1 = graph.kernel "pointwise" (%a = %x, %i = %0) : ... {
      %2 = graph.gather %a, %i axis 1 : (tensor<4x12xf32>, tensor<1xi64>) -> tensor<4x1xf32>
    }
    ```
  }];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels that read where they begin">,
  ];
}

def LiftScalarsPass : GraphPass<"kiln-lift-scalars", "::mlir::ModuleOp"> {
  let summary = "Make the numbers by which kernels differ their operands";
  let description = [{
    Layers of a quantized model have kernels that differ in scales and zero points
    alone, and every one of them would be compiled. Kernels whose bodies are equal but
    for constants are found by their text; each constant that differs becomes a weight of
    one element, which `@bake` sets and the kernels read. Their bodies are then equal,
    so they share code. Constants that are equal in each kernel are one operand, and
    those that do not differ at all stay literals.

    Only splats of f16, bf16, f32 and f64 are lifted. What is not finite, or has a
    magnitude of 10000 or more, stands for infinity in a mask and stays, and so do
    exponents of powers, as code for a known one is shorter. Runs on
    kernels: fusion, configs of attention masks and index checks have been decided.
    Where no code can be generated for a kernel that reads the numbers, nothing changes.

    Before:
    ```mlir
    %1 = graph.kernel "pointwise" (%a = %x) : ... {
      %2 = graph.constant dense<0.5> : tensor<f32>
      %3 = graph.binary mul %a, %2 : ...
    }
    %4 = graph.kernel "pointwise" (%a = %1) : ... {
      %5 = graph.constant dense<0.3> : tensor<f32>
      %6 = graph.binary mul %a, %5 : ...
    }
    ```
    After:
    ```mlir
    %0 = graph.get_weight @scalar : tensor<f32>      // 0.5, set in @bake
    %1 = graph.kernel "pointwise" (%a = %x, %b = %0) : ... {
      %3 = graph.binary mul %a, %b : ...
    }
    %2 = graph.get_weight @scalar_0 : tensor<f32>    // 0.3
    %4 = graph.kernel "pointwise" (%a = %1, %b = %2) : ... {
      %6 = graph.binary mul %a, %b : ...
    }
    ```
  }];
  let statistics = [
    Statistic<"numKernels", "kernels", "Kernels that read numbers they had as literals">,
    Statistic<"numScalars", "scalars", "Operands that they got for it">,
  ];
}

def VerifyKernelsPass : Pass<"kiln-verify-kernels", "::mlir::ModuleOp"> {
  let summary = "Check that @main is a graph of kernels";
  let description = [{
    The contract after fusion: every op of `@main` is a `graph.kernel`, a weight
    access, a collective, a reshape of a whole value, or the return, and values are such
    as kiln-verify-graph allows. Reports every violation. The kernels phase ends with this
    pass, and the phases behind it begin with it.

    Before and after: the module is not changed. `%0 = graph.unary gelu %x`
    directly in `@main` is an error.
  }];
}

#endif // KILN_TRANSFORMS_FUSION_PASSES_TD
