//===- Passes.td - Graph passes ----------------------------*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each pass's description has IR before and after. Every refusal of a raising pass emits
// a remark in the pass's category, so
//   kiln-opt --kiln-raise-attention --remarks-filter-missed='kiln-.*'
// prints what was not raised, where and why (`--remarks-filter-passed`: what was raised).
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TRANSFORMS_GRAPH_PASSES_TD
#define KILN_TRANSFORMS_GRAPH_PASSES_TD

include "include/kiln/Analysis/GraphPass.td"
include "mlir/Pass/PassBase.td"
include "include/kiln/Transforms/Graph/ShardingPasses.td"

def FindIndexInputsPass : GraphPass<"kiln-find-index-inputs", "::mlir::ModuleOp"> {
  let summary = "Write beside an input what its elements are indices of";
  let description = [{
    An argument of `@main` that a gather or scatter takes its indices from, directly
    or through reshapes, broadcasts and casts that keep every number, gets
    `graph.rows`: the node and the number of rows. Where several dims are joined to one,
    the indices per dim are found by their spelling, `select(x < 0, x + rows, x)`. The
    runtime compares the values before a run. Run on the model as it was imported:
    later passes may join the steps to an index with others.

    Before:
    ```mlir
    func.func @main(%ids: tensor<4xi64> {graph.name = "ids"}) ... {
      %0 = graph.gather %table, %ids axis 0 : (tensor<10x8xf32>, tensor<4xi64>) -> ...
    ```
    After:
    ```mlir
    func.func @main(%ids: tensor<4xi64> {graph.name = "ids", graph.rows =
        [{node = "node 'take' (Gather, opset 17)", rows = #graph.shape<[] -> [10]>} ]}) ... {
      %0 = graph.gather %table, %ids axis 0 : (tensor<10x8xf32>, tensor<4xi64>) -> ...
    ```
  }];
}

def BeginPhasePass : Pass<"kiln-begin-phase", "::mlir::ModuleOp"> {
  let summary = "Check that a module is what a phase takes, and record the phase";
  let description = [{
    The first pass of every --kiln-<phase>-pipeline. The module's `graph.compile` says
    which compiler wrote it, with which options, and which phase was the last. A phase
    goes on from the one in front of it, with the same compiler and options; anything
    else is an error (KILN-E0301, KILN-E0304). A module without the attribute was
    written by hand, or by kiln-translate, and may enter at any phase.

    Before:
    ```mlir
    module attributes {graph.compile = {options = "precision=bf16", phase = "import",
                                        version = "0.1.0"}} {
    ```
    After (phase=graph after=import options=precision=bf16):
    ```mlir
    module attributes {graph.compile = {options = "precision=bf16", phase = "graph",
                                        version = "0.1.0"}} {
    ```
  }];
  let options = [Option<"phase", "phase", "std::string", "\"\"", "The phase that begins">,
                 Option<"after", "after", "std::string", "\"\"",
                        "The phase in front of it; empty: it is the first">,
                 Option<"compileOptions", "options", "std::string", "\"\"",
                        "The options of the pipeline, as it takes them">];
}

include "include/kiln/Transforms/Graph/PrecisionPasses.td"
include "include/kiln/Transforms/Graph/StatePasses.td"

def FoldConstantsPass : GraphPass<"kiln-fold-constants", "::mlir::ModuleOp"> {
  let summary = "Evaluate small ops whose operands are all constants";
  let description = [{
    An op whose operands are constants and whose results are static
    and at most 1 KiB each is evaluated by the reference and becomes a constant.
    Ops on weights are left for `kiln-hoist-bake`: their bytes are not in the IR.

    Before:
    ```mlir
    %0 = graph.constant dense<4.0> : tensor<f32>
    %1 = graph.unary sqrt %0 : (tensor<f32>) -> tensor<f32>
    ```
    After:
    ```mlir
    %1 = graph.constant dense<2.0> : tensor<f32>
    ```
  }];
  let statistics = [Statistic<"numFolded", "folded", "Ops evaluated">];
}

def SimplifyGraphPass : GraphPass<"kiln-simplify-graph", "::mlir::ModuleOp"> {
  let summary = "Remove what exporters leave behind";
  let description = [{
    Identities that hold bit by bit, and movement of data that moves nothing:

    - `x * 1`, `x / 1`, `x - 0`, `x + -0.0`, `pow(x, 1)`, integer `x + 0`, `and`
      with true, `or` with false. `x + 0.0` stays: it turns -0.0 into 0.0.
    - casts to the same type, widening casts undone by a narrowing one;
    - selects with a constant condition, or branches that are equal, or splats of one value;
    - a broadcast whose user broadcasts by itself; functions of a broadcast;
    - transposes that move only dims of size 1 (a reshape); a transpose of the
      last two dims in front of a matmul (its flag); reshapes that merge dims before a
      transpose or a norm and split them again behind it;
    - a slice inside one part of a concat; a concat of one part;
    - a slice along a symbolic dim of what iotas, fills and dims decide (the same at other
      positions), a concat of it (a select by the position), and its running sum where it
      is a splat, as a mask of ones (a multiple of the position), its
      maximum (that at the last position);
    - a scatter to constant positions that follow each other (a concat); a concat between
      reshapes or transposes that undo each other;
    - a gather with one constant index (a slice, and a reshape for a scalar
      index), where the index is known to be inside;
    - a fill in place of an op whose result has a dim that is always 0, and of a
      matmul that adds up nothing;
    - a reshape of a constant; ops nobody uses, weights nobody reads.

    Before:
    ```mlir
    %one = graph.constant dense<1.0> : tensor<f32>
    %0 = graph.binary mul %x, %one : ...
    %1 = graph.transpose %w [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %2 = graph.matmul %0, %1 : ...
    ```
    After:
    ```mlir
    %2 = graph.matmul %x, %w {transpose_b} : ...
    ```
  }];
}

def RaiseGeluPass : GraphPass<"kiln-raise-gelu", "::mlir::func::FuncOp"> {
  let summary = "Recognise GELU, its tanh approximation and SiLU";
  let description = [{
    Starts at each `erf`, `tanh` and `sigmoid`, called t below, and climbs its
    only users. Each value is seen as A(x) + B(x) * t with polynomials A and B of
    at most third degree, so the order in which an exporter multiplies does not
    matter:

    - gelu: t = erf(x / sqrt 2), value 0.5 x + 0.5 x t;
    - gelu_tanh: t = tanh(sqrt(2 / pi) (x + 0.044715 x^3)), the same value;
    - silu: t = sigmoid(x), value x t.

    Constants may be off by a relative 1e-5 (exporters write 1.41421), and in f16
    and bf16 by the rounding of the type.

    Before:
    ```mlir
    %0 = graph.binary div %x, %sqrt2 : ...
    %1 = graph.unary erf %0 : ...
    %2 = graph.binary add %1, %one : ...
    %3 = graph.binary mul %x, %2 : ...
    %4 = graph.binary mul %3, %half : ...
    ```
    After:
    ```mlir
    %4 = graph.unary gelu %x : ...
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `activation` | passed | the op that was recognised |
    | `activation` | missed | what in the subgraph is not that of the activation |
  }];
  let statistics = [Statistic<"numRaised", "raised", "Functions recognised">];
}

def RaiseLayerNormPass : GraphPass<"kiln-raise-layer-norm", "::mlir::func::FuncOp"> {
  let summary = "Recognise layer and RMS normalisation";
  let description = [{
    Starts at a division by (or product with the reciprocal of) the square root
    of a mean of squares. Centred on the mean over the same trailing axes it is a
    layer_norm, centred on nothing an rms_norm. A product and then a sum with
    tensors that broadcast to the normalised dims become its scale and bias. A
    cast to a wider type between centring and squaring moves to the input.

    Before:
    ```mlir
    %mean = graph.reduce mean %x axes [2] {keep_dims} : ...
    %c = graph.binary sub %x, %mean : ...
    %sq = graph.binary pow %c, %two : ...
    %var = graph.reduce mean %sq axes [2] {keep_dims} : ...
    %e = graph.binary add %var, %eps : ...
    %d = graph.unary sqrt %e : ...
    %n = graph.binary div %c, %d : ...
    %s = graph.binary mul %n, %scale : ...
    %y = graph.binary add %s, %bias : ...
    ```
    After:
    ```mlir
    %y = graph.layer_norm %x scale %scale bias %bias axis 2 {epsilon = ...} : ...
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `norm` | passed | the op that was recognised |
    | `norm` | missed | what in the subgraph is not that of a norm |
    | `scale-or-bias` | missed | why a scale or a bias behind the norm stays an op of its own |
  }];
  let statistics = [Statistic<"numRaised", "raised", "Norms recognised">];
}

def RaiseRopePass : GraphPass<"kiln-raise-rope", "::mlir::func::FuncOp"> {
  let summary = "Recognise rotary position embeddings";
  let description = [{
    Sees the halves of a value, or its even and odd elements, as sums of products of
    pieces of other values: elements start + i * step of the last dims, followed through
    slices, splits, concats, reshapes and repetitions. Where they are a cos - b sin and
    a sin + b cos of the halves or of the even and odd elements of one value, and both
    elements of a pair have the same cosine and sine, the value is a `graph.rope`. The
    tables may be anything: gathered rows, cosines and sines of positions times
    frequencies, scaled ones; they become as wide as there are pairs. What is joined
    behind a rope and lies behind its input becomes part of it (partial rotation).

    Before:
    ```mlir
    %0 = graph.slice %x ... // the first half
    %1 = graph.slice %x ... // the second half
    %2 = graph.unary neg %1 : ...
    %3 = graph.concat %2, %0 axis 3 : ...
    %4 = graph.binary mul %x, %cos : ...
    %5 = graph.binary mul %3, %sin : ...
    %6 = graph.binary add %4, %5 : ...
    ```
    After:
    ```mlir
    %c = graph.slice %cos ...
    %s = graph.slice %sin ...
    %6 = graph.rope %x, %c, %s : ...
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `rope` | passed | the op that was recognised, and what it rotates |
    | `rope` | missed | what in the subgraph is not that of a rotary embedding |
  }];
  let statistics = [Statistic<"numRaised", "raised", "Rotations raised">];
}

def RaiseAttentionPass : GraphPass<"kiln-raise-attention", "::mlir::func::FuncOp"> {
  let summary = "Recognise scaled dot-product attention";
  let description = [{
    Starts at each softmax over the last axis. Below it: constant scales, additive
    masks, masks by select, casts, and reshapes that only split or join leading
    dims, in any order, down to the product of query and key, whose own constant
    scales are taken too. Above it: the product with the value. Scores used
    anywhere else are a refusal, for they must exist then. A maximum of the scores and the
    lowest number is left out where no mask can be minus infinity; a scale of each head
    directly behind the matmul becomes one of the query; biases that are added to scores
    split into rows and columns (VitDet) become one mask.

    Ranks 2, 3 and 4 become [B, H, S, D], and so do more where only scales stand between the
    matmuls (windows of heads, which are heads then); a key stored [.., D, T] is read through
    a transpose; repeated key and value heads (reshape, broadcast, reshape) are
    read once. A select mask becomes an additive one: 0 where the score is kept,
    elsewhere -inf if the model says -inf, or the smaller of -1e30 and the model's number
    if that is <= -10000. A row with a kept key then gets the same weights (exact zeros), and
    a fully masked row the same uniform ones, because -1e30 absorbs every score;
    f16 has no such number, so there the mask is f32. Where a number > -1e30 stands beside a
    mask that is added, or beside another number, or is > -10000, what it removes may have a weight
    in a row in which every key is removed. The select's condition is then the operand `keep`: the
    mask has the model's numbers, and takes the place of the score where the condition
    removes it.

    A summand of a mask that removes keys by their position becomes an attribute:
    `causal` where it keeps j <= i + T - S, `lengths` where it keeps
    j < lengths[b], as comparisons of iotas or a constant show it. What is removed
    by a finite number must be the only mask and leave every query a key.

    Before:
    ```mlir
    %0 = graph.matmul %q, %k {transpose_b} : ...
    %1 = graph.binary div %0, %eight : ...
    %2 = graph.binary add %1, %mask : ...
    %3 = graph.softmax %2 axis 3 : ...
    %4 = graph.matmul %3, %v : ...
    ```
    After:
    ```mlir
    %4 = graph.attention %q, %k, %v mask %mask {scale = 1.250000e-01 : f64} : ...
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `attention` | passed | the subgraph that became one op |
    | `attention` | missed | what in the subgraph is not that of an attention |
    | `mask` | passed | a mask that follows from positions, so that hidden keys are left out |
  }];
  let statistics = [Statistic<"numRaised", "raised", "Attentions recognised">];
}

def MergeMatmulsPass : GraphPass<"kiln-merge-matmuls", "::mlir::func::FuncOp"> {
  let summary = "Compute products of one left operand with several weights at once";
  let description = [{
    Matmuls with the same left operand and 2-D right operands that are known at
    compile time become one, with the right operands joined by a concat that
    `kiln-hoist-bake` moves to compile time. When each product feeds exactly one
    addition of a bias known at compile time, the biases are joined as well.
    Slices of the result replace the originals.

    A slice along the last dim is no contiguous tensor, so a matmul takes part
    only if everything that reads it, through views, is an attention (which reads
    through views) or a concat (which copies anyway). A result that leaves the
    function would need a copy, an activation would lose its place in the GEMM.

    Before:
    ```mlir
    %q = graph.matmul %x, %wq : (tensor<4x8xf32>, tensor<8x8xf32>) -> ...
    %k = graph.matmul %x, %wk : (tensor<4x8xf32>, tensor<8x8xf32>) -> ...
    ```
    After:
    ```mlir
    %w = graph.concat %wq, %wk axis 1 : ...
    %qk = graph.matmul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> ...
    %q = graph.slice %qk starts #graph.shape<[] -> [0, 0]> steps [1, 1] : ...
    %k = graph.slice %qk starts #graph.shape<[] -> [0, 8]> steps [1, 1] : ...
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `merge` | passed | how many products of one operand became one |
    | `merge` | missed | why a product of the same operand stays by itself |
  }];
  let statistics = [Statistic<"numMerged", "merged", "Matmuls merged away">];
}

def MergeGatesPass : GraphPass<"kiln-merge-gates", "::mlir::func::FuncOp"> {
  let summary = "One product for a gate and what it gates";
  let description = [{
    Of `f(x W) * (x V)`, as a SwiGLU or GeGLU is, both products read the same left operand,
    and an epilogue that has an element of both needs no other kernel. Their columns are
    put beside each other in blocks, half a panel of the one and half a panel of the other
    (Shazeer, GLU Variants Improve Transformer, 2020; CUTLASS example 45, dual GEMM).
    Columns of one product that were joined by the exporter are put in that order too.

    Before:
    ```mlir
    %0 = graph.matmul %x, %w : ... -> tensor<4x64xf32>
    %1 = graph.matmul %x, %v : ... -> tensor<4x64xf32>
    %2 = graph.unary silu %0 : ...
    %3 = graph.binary mul %2, %1 : ...
    ```
    After, with panels of 16 columns:
    ```mlir
    %0 = graph.matmul %x, %wv : ... -> tensor<4x128xf32>
    %1 = graph.reshape %0 : ... -> tensor<4x8x2x8xf32>
    %2 = graph.slice %1 ... : ... -> tensor<4x8x1x8xf32> // and %3, the other half
    %4 = graph.reshape %2 : ... -> tensor<4x64xf32>
    %5 = graph.reshape %3 : ... -> tensor<4x64xf32>
    %6 = graph.unary silu %4 : ...
    %7 = graph.binary mul %6, %5 : ...
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `merge` | passed | a gate and the value that it multiplies became one product |
    | `merge` | missed | why the two stay apart, with the numbers of columns |
  }];
  let options = [Option<"width", "width", "int64_t", "16", "Columns of a panel">,
                 Option<"narrowWidth", "narrow-width", "int64_t", "16",
                        "The same for weights of 16 bits">];
  let statistics = [Statistic<"numMerged", "merged", "Products merged away">];
}

def DelayWideningPass : GraphPass<"kiln-delay-widening", "::mlir::func::FuncOp"> {
  let summary = "Move weights of 16 bits before they are widened";
  let description = [{
    A reshape, transpose, slice, broadcast, concat or gather of weights that are widened
    from one type of 16 bits moves what is stored, and its result is widened. So the
    package holds the 16 bits, and the cast comes to stand in the kernel that reads them.

    Before:
    ```mlir
    %f = graph.cast %w : (tensor<8x6xbf16>) -> tensor<8x6xf32>
    %t = graph.transpose %f [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
    ```
    After:
    ```mlir
    %t = graph.transpose %w [1, 0] : (tensor<8x6xbf16>) -> tensor<6x8xbf16>
    %f = graph.cast %t : (tensor<6x8xbf16>) -> tensor<6x8xf32>
    ```
  }];
  let statistics = [Statistic<"numDelayed", "delayed", "Ops that move what is narrow">];
}

def DecomposeAttentionPass : GraphPass<"kiln-decompose-attention", "::mlir::func::FuncOp"> {
  let summary = "Write attention out where a target cannot hold its heads";
  let description = [{
    On a GPU a block of threads holds tiles of queries, keys and values as wide as a
    head. Where a head is wider than one of the targets holds, or known only at run
    time, attention becomes two products and a softmax, whose scores are a tensor in
    memory. One plan serves all targets of a package, so all of them get these.

    Keys that a query does not see do not matter to it, whatever they hold. Behind a
    length the values of a sequence become zero; with causal, where queries see
    different keys, the second product is a sum over the keys that are seen.

    Before:
    ```mlir
    %0 = graph.attention %q, %k, %v {scale = 0.0625 : f64} : (tensor<1x2x16x512xf32>, ...
    ```
    After:
    ```mlir
    %0 = graph.matmul %q, %k {transpose_b} : ... -> tensor<1x2x16x16xf32>
    %1 = graph.binary mul %0, %scale : ...
    %2 = graph.softmax %1 axis 3 : ...
    %3 = graph.matmul %2, %v : ...
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `attention` | passed | why an attention is computed as products and a softmax |
    | `quantized-cache` | missed | why its cache is dequantized in every run |
  }];
  let options = [ListOption<"targets", "targets", "std::string",
                            "The targets of the package, as of kiln compile --target">];
  let statistics = [Statistic<"numDecomposed", "decomposed", "Attentions written out">];
}

def DecomposeQuantizationPass : GraphPass<"kiln-decompose-quantization", "::mlir::func::FuncOp"> {
  let summary = "Write scales out that no product took";
  let description = [{
    graph.quantize and graph.dequantize become casts and arithmetic, with scales and zero
    points reshaped to broadcast along their axis, or repeated for every element of their
    block. A constant scale or zero point becomes a constant of the type that is computed
    in, since a cast of it would be a kernel. Fusion then puts them into the kernels before
    and behind.

    Before:
    ```mlir
    %q = graph.quantize %x, %s zero_point %z
         : (tensor<8x16xf32>, tensor<f32>, tensor<ui8>) -> tensor<8x16xui8>
    ```
    After:
    ```mlir
    %0 = graph.binary div %x, %s : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1 = graph.unary round %0 : (tensor<8x16xf32>) -> tensor<8x16xf32>
    %2 = graph.cast %z : (tensor<ui8>) -> tensor<f32>
    %3 = graph.binary add %1, %2 : (tensor<8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    %q = graph.cast %3 : (tensor<8x16xf32>) -> tensor<8x16xui8>
    ```
  }];
}

def LowerMatrixVectorPass : GraphPass<"kiln-lower-matrix-vector", "::mlir::func::FuncOp"> {
  let summary = "Make products with one column reductions";
  let description = [{
    A product of a matrix and a vector reads every element of the matrix once: it is bound
    by memory, and a tile of 16 columns would compute 15 for nothing. As a reduction
    along contiguous rows it takes in what computes the matrix, such as a gather of the
    weights of experts, which is then never stored. f32 and f64, a left operand that is
    neither transposed nor broadcast.

    Before:
    ```mlir
    %0 = graph.matmul %a, %x : (tensor<4x256x64xf32>, tensor<4x64x1xf32>) -> tensor<4x256x1xf32>
    ```
    After:
    ```mlir
    %0 = graph.reshape %x : (tensor<4x64x1xf32>) -> tensor<4x1x64xf32>
    %1 = graph.binary mul %a, %0 : (tensor<4x256x64xf32>, tensor<4x1x64xf32>) -> tensor<4x256x64xf32>
    %2 = graph.reduce sum %1 axes [2] {keep_dims} : (tensor<4x256x64xf32>) -> tensor<4x256x1xf32>
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `lower` | passed | a product with a vector that became products of elements and a sum |
    | `lower` | missed | why a product stays one |
  }];
  let statistics = [Statistic<"numLowered", "lowered", "Products lowered">];
}

def PackWeightsPass : GraphPass<"kiln-pack-weights", "::mlir::func::FuncOp"> {
  let summary = "Give weights of matmuls the panel layout of the GEMM";
  let description = [{
    The right operand of a matmul, if it is a matrix of floats known at compile
    time, is packed into panels of `width` columns and unpacked again. The pack
    is then moved to compile time by `kiln-hoist-bake`, the unpack fused into the
    matmul, which reads the panels as they are. Of a weight that is widened from 16 bits
    the panels hold the 16 bits, unless the product is for tensor cores of tf32, which
    read what is in memory. Where rows of the same table are gathered (a tied embedding),
    the gather reads them through the panels, so that the table is stored once.

    Before:
    ```mlir
    %0 = graph.matmul %x, %w {transpose_b} : ...
    ```
    After:
    ```mlir
    %t = graph.transpose %w [1, 0] : ...
    %p = graph.pack %t width 16 : ...
    %u = graph.unpack %p : ...
    %0 = graph.matmul %x, %u : ...
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `pack` | passed | a product whose weight is packed |
    | `pack` | missed | why its right operand is not packed |
  }];
  let options = [Option<"width", "width", "int64_t", /*default=*/"16",
                        "Columns of a panel: what the target's GEMM reads at once">,
                 Option<"narrowWidth", "narrow-width", "int64_t", /*default=*/"0",
                        "The same for weights of 16 bits; 0: width">,
                 Option<"narrowTile", "narrow-tile", "int64_t", /*default=*/"0",
                        "The same where columns do not fill those; 0: narrow-width">];
  let statistics = [Statistic<"numPacked", "packed", "Matmuls whose weight was packed">];
}

def HoistBakePass : GraphPass<"kiln-hoist-bake", "::mlir::ModuleOp"> {
  let summary = "Move what depends on weights alone to compile time";
  let description = [{
    The last ops of `@main` that depend on weights and constants alone are moved,
    with what they need, to `@bake`, which the compiler evaluates once. Their
    values become weights without a file. Left in place: unpacks and
    their transposes, reshapes and broadcasts (kernels read through them), casts that widen 16 bits (kernels do
    that in registers, on half the bytes), and values more than twice as large
    as all they are made of (a package would grow; kernels make them cheaply),
    packs excepted.

    Before:
    ```mlir
    func.func @main(%x: ...) {
      %w = graph.get_weight @w : tensor<16x8xf32>
      %0 = graph.transpose %w [1, 0] : ...
    ```
    After:
    ```mlir
    graph.weight @w_transpose : tensor<8x16xf32>
    func.func @main(%x: ...) {
      %0 = graph.get_weight @w_transpose : tensor<8x16xf32>
    }
    func.func @bake() {
      %w = graph.get_weight @w : tensor<16x8xf32>
      %0 = graph.transpose %w [1, 0] : ...
      graph.set_weight @w_transpose, %0 : tensor<8x16xf32>
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `bake` | missed | bytes of a value that follows from weights and is computed in every run, since it is larger than they are |
  }];
  let statistics = [Statistic<"numBaked", "baked", "Weights made at compile time">];
}

def VerifyGraphPass : Pass<"kiln-verify-graph", "::mlir::ModuleOp"> {
  let summary = "Check that the module is at the graph level";
  let description = [{
    The contract of every pass between import and fusion, beyond what ops verify
    themselves. Each violation is reported, none stops the check:

    - E0113, E0114, E0115: a value that is no ranked tensor, has elements of no model,
      or more than 2^48 bytes at the largest dims;
    - E0200: `@main` is missing, is no function with a body, or is not alone
      beside `@bake`;
    - E0201: an op that is not of the graph dialect (or func), or stands where
      its kind cannot;
    - E0202: a dynamic dim without an expression, or over an undeclared symbol;
    - E0203: an argument or result of `@main` without `graph.name`, or two
      arguments, or two results, of one name;
    - E0204: a weight without a file that `@bake` does not set exactly once, or
      `@bake` reading one before it is set;
    - E0205: collectives that disagree on the number of ranks.

    A weight that nothing reads leaves an analysis remark. The graph phase begins and ends
    with this pass, and the kernels phase begins with it: a module may have been written
    or changed by hand.

    Before and after: the module is not changed. `%0 = arith.addf %x, %x` in
    `@main` is error KILN-E0201.

    | remark | kind | says |
    | --- | --- | --- |
    | `unused` | analysis | a weight that no op reads, which the package leaves out |
  }];
}

#endif // KILN_TRANSFORMS_GRAPH_PASSES_TD
