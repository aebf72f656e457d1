//===- PrecisionPasses.td - Precision of matmuls -----------*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_PRECISION_PASSES_TD
#define KILN_TRANSFORMS_GRAPH_PRECISION_PASSES_TD

include "include/kiln/Analysis/GraphPass.td"

def LowerPrecisionPass : GraphPass<"kiln-lower-precision", "::mlir::ModuleOp"> {
  let summary = "Compute products of f32 in fewer bits";
  let description = [{
    Matmuls of f32 get operands of `precision` and sums of f32; attention gets
    query, key and value of it, with softmax and sums in f32. `tf32` marks the
    matmuls and rounds nothing in memory. Norms, softmax, reductions and
    elementwise ops stay f32, inputs and outputs keep their types.

    A value is rounded where it is made, before any views, so that the kernel that
    makes it stores the narrow type; its other readers read what is stored. A
    product that the model gives in another type is left. A state of which all that is
    read is rounded is of the narrow type itself, and its new rows are rounded.

    What became of each product, norm and reduction, and why, is left as remarks.

    Before:
    ```mlir
    %h = graph.layer_norm %x ... : tensor<8x16xf32>
    %0 = graph.matmul %h, %w : ... -> tensor<8x4xf32>
    %1 = graph.binary add %h, %r : ...
    ```
    After, with precision=bf16:
    ```mlir
    %h = graph.layer_norm %x ... : tensor<8x16xf32>
    %n = graph.cast %h : (tensor<8x16xf32>) -> tensor<8x16xbf16>
    %s = graph.cast %n : (tensor<8x16xbf16>) -> tensor<8x16xf32>
    %v = graph.cast %w : (tensor<16x4xf32>) -> tensor<16x4xbf16>
    %0 = graph.matmul %n, %v {result_element = f32} : ... -> tensor<8x4xf32>
    %1 = graph.binary add %s, %r : ...
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `lower` | passed | types of operands and sums |
    | `lower` | missed | why a product, norm or reduction stays as it was |
  }];
  let options = [Option<"precision", "precision", "std::string", /*default=*/"\"f32\"",
                        "f32, tf32, bf16 or f16">,
                 ListOption<"rules", "rules", "std::string",
                            "nodes=precision: of other nodes, by a glob">];
  let statistics = [Statistic<"numLowered", "lowered", "Products in fewer bits">];
}

def QuantizeProductsPass : GraphPass<"kiln-quantize-products", "::mlir::ModuleOp"> {
  let summary = "Products with quantized weights";
  let description = [{
    A product of `@main` in f32 whose right operand is a matrix known at compile time, with K a
    multiple of the format's block, becomes a graph.scaled_matmul. The weight is quantized by
    graph.quantize_weight, which `kiln-hoist-bake` moves to compile time. The activations get signed codes
    of 8 bits with a scale of f32 per block of a row, by ops that run in every run; products of the same
    activations share them. All else stays f32, and each product that is left gets a remark that says
    why.

    | precision | weight | block | scales |
    | --- | --- | --- | --- |
    | `int8`, `int4` | integers with zero points | 32 | bf16 |
    | `nvfp4` | E2M1 | 16 | f8E4M3FN, in a unit of f32 per weight |
    | `mxfp4` | E2M1 | 32 | f8E8M0FNU |
    | `mxfp6` | E2M3, in eighths: integers of 8 bits | 32 | f8E8M0FNU |

    Weights in `fp8` are numbers of f8E4M3FN with one scale, by which the activations are
    multiplied, which stay f32. Weights in `mxfp8` have a scale of f8E8M0FNU per block of 32 steps
    and column: the smallest power of two with which no magnitude of the block is above 448. Those in
    `mxfp6_e3m2` are numbers of E3M2, stored in f8E4M3FN, with such scales (28 in place of 448). Kernels
    widen all of them; with `float8-tf32` they may round the activations to tf32, as tensor cores do.

    With `activations`, codes are multiplied with activations of that type, which are rounded to it
    and have no scales (graph.scaled_matmul). A product whose activations the model has in f16 or bf16
    keeps that type; in `fp8`, `mxfp8` and `mxfp6_e3m2` it stays what it is.

    With `activations=fp8`, which only these three formats and `mxfp4` take, activations are rounded to f8E4M3FN with a
    scale of f32 per row, and the product is a graph.scaled_matmul, if K is a multiple of 16 (`mxfp4`: 32). With `fp8-fast` the accumulation
    of products of weights with one scale is `fast`.

    With `activations=nvfp4` or `mxfp4`, beside weights of the same format, activations are rounded to f4E2M1FN in
    the blocks of the weight. Their scales are powers of two (`mxfp4`), or f8E4M3FN times one of f32 per row. They
    are integers of 8 bits, twice the numbers. With `takes-scales`, and a K that is a multiple of 64, they are codes
    and scales as graph.scaled_matmul has them for instructions of such operands.

    `rules` say it of nodes by name, the first that fits; a product of several nodes has the highest
    precision of theirs.

    `ranges` name the largest magnitudes that activations of nodes have, by samples: their codes (of 8 bits or
    f8E4M3FN) then have one scale, a constant, and what is beyond it is the largest code. NaN becomes 0.

    `awq` multiplies rows of the weight, and divides activations, by numbers that graph.quantize_weight
    finds from the calibration, before either is quantized. `smoothquant` does it with
    sqrt(max |x[k]| / max |w[k]|), the largest magnitudes of channel k of the activations in the
    calibration and of row k of the weight (Xiao et al., 2022, with alpha = 0.5).

    Before:
    ```mlir
    %y = graph.matmul %x, %w : (tensor<1x64xf32>, tensor<64x48xf32>) -> tensor<1x48xf32>
    ```
    After, with `precision=int4`:
    ```mlir
    %y = graph.scaled_matmul %codes <i8, block 32, scale f32> scales %s totals %u
      by %panels <ui4, block 32, scale bf16, zero_point> scales %t zeros %z columns 48 accumulate wide
      : (tensor<1x64xi8>, tensor<1x2xf32>, tensor<1x2xi32>, tensor<3x8x16x4xui8>,
         tensor<3x2x16xbf16>, tensor<3x2x16xui8>) -> tensor<1x48xf32>
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `quantize` | passed | format and scales of the weight |
    | `quantize` | missed | why a product, norm or reduction stays as it was |
  }];
  let options = [Option<"precision", "precision", "std::string", /*default=*/"\"int4\"",
                        "int8, mxfp8, fp8, mxfp6, mxfp6_e3m2, int4, nvfp4, mxfp4 or f32">,
                 Option<"algorithm", "algorithm", "std::string", /*default=*/"\"rtn\"",
                        "rtn, mse, or gptq, awq or smoothquant, which need a calibration">,
                 Option<"activations", "activations", "std::string", /*default=*/"\"\"",
                        "bf16 or f16; fp8 or fp8-fast; nvfp4 or mxfp4; else codes of 8 bits, or f32">,
                 Option<"float8InTf32", "float8-tf32", "bool", /*default=*/"false",
                        "Let products of fp8, mxfp8 and mxfp6_e3m2 round activations to tf32">,
                 Option<"takesScales", "takes-scales", "bool", /*default=*/"false",
                        "Instructions take the scales of activations in nvfp4 and mxfp4">,
                 Option<"range", "range", "std::string", /*default=*/"\"\"",
                        "The method by which static scales were found, for the report">,
                 ListOption<"ranges", "ranges", "std::string",
                            "node=LIMIT: a static scale of its activations, where the module "
                            "has no graph.activation_ranges">,
                 ListOption<"rules", "rules", "std::string",
                            "nodes=precision: of other nodes, by a glob">];
  let statistics = [Statistic<"numQuantized", "quantized", "Products quantized">];
}

def ObserveProductsPass : GraphPass<"kiln-observe-products", "::mlir::ModuleOp"> {
  let summary = "Results that say what products multiply";
  let description = [{
    Each value X that products of `@main` with weights multiply (those that `kiln-quantize-products`
    would take) gives a result `observed.N`, X^T X over all rows, in the place of the results of the model. Added up over samples, this is the
    Hessian of the squared error of these products with regard to a column of their weights, half of
    it. Calibration compiles a model so, runs it and throws it away. `first` and `elements` choose a part of the
    values, so that the results of a run fit in memory; N counts those that are observed. With `what=maxima` a
    result is the largest |X| of each of the K columns instead, which SmoothQuant asks for. With `what=values`
    it is X itself, for ranges of static scales, and `elements` counts results.

    Before:
    ```mlir
    func.func @main(%x: tensor<4x64xf32>) -> (tensor<4x48xf32> {graph.name = "y"}) {
      %y = graph.matmul %x, %w : (tensor<4x64xf32>, tensor<64x48xf32>) -> tensor<4x48xf32>
      return %y : tensor<4x48xf32>
    ```
    After:
    ```mlir
    func.func @main(%x: tensor<4x64xf32>) -> (tensor<64x64xf32> {graph.name = "observed.0"}) {
      %h = graph.matmul %x, %x {transpose_a} : (tensor<4x64xf32>, tensor<4x64xf32>) -> tensor<64x64xf32>
      return %h : tensor<64x64xf32>
    ```
  }];
  let options = [Option<"first", "first", "uint64_t", /*default=*/"0",
                        "The first value that is observed">,
                 Option<"elements", "elements", "uint64_t", /*default=*/"UINT64_MAX",
                        "Elements of results to add at most, but one result at least">,
                 Option<"what", "what", "::kiln::Observed", /*default=*/"::kiln::Observed::Products",
                        "What results are", [{::llvm::cl::values(
                          clEnumValN(::kiln::Observed::Products, "products", "X^T X"),
                          clEnumValN(::kiln::Observed::Maxima, "maxima", "Largest magnitudes of columns"),
                          clEnumValN(::kiln::Observed::Values, "values", "X"))}]>];
  let statistics = [Statistic<"numObserved", "observed", "Values observed">];
}

def QuantizeCachesPass : GraphPass<"kiln-quantize-caches", "::mlir::ModuleOp"> {
  let summary = "Caches of keys and values in 8 bits";
  let description = [{
    A cache of `@main` that only attention reads, as keys or values [rows, heads, capacity, D], holds codes of
    `format`: `int8` or `fp8` (f8E4M3FN). New rows are quantized before they are written, each head's of a
    position with a scale of its own, which is state too. Attention reads both. A cache with another reader
    stays, and so does the other one of its attention; a remark and the report say so.

    Before:
    ```mlir
    %0 = graph.kv_write %past, %new starts %lengths counts %counts axis 2
      : (tensor<?x2x?x64xf32, #state>, tensor<?x2x?x64xf32, #new>, ...) -> tensor<?x2x?x64xf32, #state>
    %1 = graph.attention %q, %0, %v lengths %n {...} : ...
    ```
    After, with `format=int8`:
    ```mlir
    %0 = graph.kv_write %past, %codes starts %lengths counts %counts axis 2
      : (tensor<?x2x?x64xi8, #state>, tensor<?x2x?x64xi8, #new>, ...) -> tensor<?x2x?x64xi8, #state>
    %s = graph.kv_write %past.scales, %new_scales starts %lengths counts %counts axis 2
      : (tensor<?x2x?xf32, #scales>, ...) -> tensor<?x2x?xf32, #scales>
    %1 = graph.attention %q, %0, %v lengths %n scales %s, %t {...} : ...
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `quantize` | passed | format and scales of a cache |
    | `quantize` | missed | why a cache stays as it was |
  }];
  let options = [Option<"format", "format", "std::string", /*default=*/"\"int8\"",
                        "int8 or fp8">];
  let statistics = [Statistic<"numQuantized", "quantized", "Caches quantized">];
}

def RaiseScaledProductsPass : GraphPass<"kiln-raise-scaled-products", "::mlir::ModuleOp"> {
  let summary = "Products of codes that a quantized model has";
  let description = [{
    A product of `@main` whose right operand is a graph.dequantize of codes of 4 or 8 bits that
    are known at compile time becomes a graph.scaled_matmul of the same codes, scales and zero
    points, if the left one is a graph.dequantize too: of signed codes of 8 bits in blocks, or of
    codes with one scale, whose zero point is taken out through the sums of the weight's columns.
    Where `precision` or `rules` name a format whose activations are codes (all but `fp8`, `mxfp8` and `mxfp6_e3m2`), other left
    operands are quantized as kiln-quantize-products does, or rounded to the type of `activations`; the weight
    keeps the model's codes, whatever the format. Left operands of f16 and bf16 are multiplied as they are, without being
    asked: blocks are those of the weight, of up to 128 steps of K. With `expand-halves` their weights are expanded.

    Sums of integers (a graph.matmul of i32 and the graph.cast of it to f32) become one, with scales of 1,
    where K is so small that every sum on the way is a whole number that f32 holds: they keep
    their bits. Products that read codes and are left get a remark that says why.

    Before:
    ```mlir
    %v = graph.dequantize %c, %t {axis = 0, block = 32} : (tensor<64x48xi8>, tensor<2x48xf32>) -> tensor<64x48xf32>
    %y = graph.matmul %x, %v : (tensor<1x64xf32>, tensor<64x48xf32>) -> tensor<1x48xf32>
    ```
    After, with `precision=int8`:
    ```mlir
    %y = graph.scaled_matmul %codes <i8, block 32, scale f32> scales %s totals %u
      by %panels <ui8, block 32, scale f32> scales %p columns 48 accumulate wide
      : (tensor<1x64xi8>, tensor<1x2xf32>, tensor<1x2xi32>, tensor<3x16x16x4xui8>,
         tensor<3x2x16xf32>) -> tensor<1x48xf32>
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `raise` | passed | format of the weight, as the model has it |
    | `raise` | missed | why a product does not read the codes of its weight |
  }];
  let options = [Option<"precision", "precision", "std::string", /*default=*/"\"f32\"",
                        "As of kiln-quantize-products">,
                 Option<"activations", "activations", "std::string", /*default=*/"\"\"",
                        "bf16 or f16; else codes of 8 bits">,
                 Option<"expandHalves", "expand-halves", "bool", /*default=*/"false",
                        "Expand weights of activations of f16 and bf16">,
                 ListOption<"rules", "rules", "std::string",
                            "nodes=precision: of other nodes, by a glob">];
  let statistics = [Statistic<"numRaised", "raised", "Products raised">];
}

#endif // KILN_TRANSFORMS_GRAPH_PRECISION_PASSES_TD
