//===- Passes.td - Code generation passes ------------------*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_PASSES_TD
#define KILN_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

def ChooseConfigsPass : Pass<"kiln-choose-configs", "::mlir::ModuleOp"> {
  let summary = "Write onto every graph.kernel how it will be tiled, per target";
  let description = [{
    A config says how an emitter tiles a kernel: rows and columns of a block, stages,
    threads. The pass writes the best one of the kernel family's ranked list as an
    entry of `tile.configs`, a dictionary from targets to configs, and emission reads it
    from there. A product whose number of rows is known at run time only gets further
    entries on a GPU, `"sm_80/rows<=8"`, each where a model tells it apart from the
    next, and attention `"sm_90a/queries<=32"`: variants, as the family
    names what they bound. With `batch-invariant` there are none, so that the order in
    which a row is summed up does not depend on how many rows there are.

    A kernel that has an entry already keeps it, as one that was edited by hand in a dump
    (docs/hacking/opt.md); it is for all kernels that are equal to this one. Lines of the
    file `configs` replace what the pass would choose: see docs/guides/tune.md. A line is found by the kernel's hero and a hash of its body, so
    it holds for every model that has such a kernel.

    Kernels that transpose through scratch have no entry: their emitters choose.

    Before:
    ```mlir
    %0 = graph.kernel "matmul" (%a = %x, %b = %w) : ... { ... }
    ```
    After:
    ```mlir
    %0 = graph.kernel "matmul" (%a = %x, %b = %w) : ...
        attributes {tile.configs = {"x86-64-v3" = #tile.gemm_config<mr = 6, ...>}} { ... }
    ```

    | remark | kind | says |
    | --- | --- | --- |
    | `config` | passed | config of a kernel and its predicted cost, the runner-up and its cost, how many candidates there are, and the criterion that ranks them, or the place that gives the config |
  }];
  let options = [ListOption<"targets", "targets", "std::string",
                            "Targets to choose for (default: native)">,
                 Option<"batchInvariant", "batch-invariant", "bool", "false",
                        "One kernel for any number of rows">,
                 Option<"configs", "configs", "std::string", "\"\"",
                        "File of configs that replace the choice">];
  let statistics = [Statistic<"numGiven", "given", "Configs from the file or the kernels">];
  let dependentDialects = ["::kiln::tile::TileDialect"];
}

def EmitKernelsPass : Pass<"kiln-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Write a tile program for every distinct graph.kernel";
  let description = [{
    Adds one nested module per target, named after it, with one `tile.kernel`
    per distinct kernel body, and sets `code` of every `graph.kernel` to its
    name. Bodies are equal when their ops, attributes, types and operand
    positions are: the layers of a transformer share their kernels.

    Configs are those that kiln-choose-configs wrote; a target without an entry gets
    what the emitter chooses by itself. Entries for launches of few rows become kernels
    of their own: `replaces` names the kernel that runs all others, `rows` counts and
    `most` is the bound.

    Before:
    ```mlir
    %0 = graph.kernel "pointwise" (%a = %x) : ... { ... }
    %1 = graph.kernel "pointwise" (%a = %0) : ... { ... the same ... }
    ```
    After:
    ```mlir
    %0 = graph.kernel "pointwise" (%a = %x) : ... attributes {code = @pointwise_0} { ... }
    %1 = graph.kernel "pointwise" (%a = %0) : ... attributes {code = @pointwise_0} { ... }
    module @"x86-64-v3" {
      tile.kernel @pointwise_0 ...
    }
    ```
  }];
  let options = [ListOption<"targets", "targets", "std::string",
                            "Targets to write for (default: native)">];
  let statistics = [
    Statistic<"numKernels", "distinct", "Distinct kernels">,
    Statistic<"numVariants", "variants", "Kernels for launches within bounds">,
    Statistic<"numShared", "shared", "Kernels that share another one's code">,
  ];
  let dependentDialects = ["::kiln::tile::TileDialect", "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def EmitCollectivesPass : Pass<"kiln-emit-collectives", "::mlir::ModuleOp"> {
  let summary = "Write a tile program for every distinct sum of ranks on GPUs";
  let description = [{
    Adds to the module of each GPU target one `tile.kernel` per distinct
    `graph.all_reduce` that GPUs of one process can carry out over peer memory, and sets
    `code` of these to its name: sums of f32, f16 and bf16 over 2 to 8 ranks. Where the
    dims allow more bytes than it takes (256 KiB), a second kernel adds in two shots:
    `split_code`. The others, and ranks of other processes, go through NCCL or the host.
    Runs behind kiln-emit-kernels.

    Before:
    ```mlir
    %1 = graph.all_reduce sum %0 ranks 2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
    module @sm_80 {}
    ```
    After:
    ```mlir
    %1 = graph.all_reduce sum %0 ranks 2 {code = @all_reduce_0} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    module @sm_80 {
      tile.kernel @all_reduce_0 ...
    }
    ```
  }];
  let dependentDialects = ["::kiln::tile::TileDialect", "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"numKernels", "kernels", "Distinct kernels">];
}

#endif // KILN_CODEGEN_PASSES_TD
