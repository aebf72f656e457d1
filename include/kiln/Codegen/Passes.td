//===- Passes.td - Code generation passes ------------------*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_CODEGEN_PASSES_TD
#define KILN_CODEGEN_PASSES_TD

include "mlir/Pass/PassBase.td"

def EmitKernelsPass : Pass<"kiln-emit-kernels", "::mlir::ModuleOp"> {
  let summary = "Write a tile program for every distinct graph.kernel";
  let description = [{
    Adds one nested module per target, named after it, with one `tile.kernel`
    per distinct kernel body, and sets `code` of every `graph.kernel` to its
    name. Bodies are equal when their ops, attributes, types and operand
    positions are: the layers of a transformer share their kernels.

    A product whose number of rows is known at run time only gets further ones on a
    GPU, for launches of few rows, each where a model tells it apart from the next:
    `replaces` names the kernel that runs all others, `rows` counts and `most` is the
    bound. With `batch-invariant` there are none, so that the order in which a
    row is summed up does not depend on how many there are.

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
                            "Targets to write for (default: native)">,
                 Option<"batchInvariant", "batch-invariant", "bool", "false",
                        "One kernel for any number of rows">];
  let statistics = [
    Statistic<"numKernels", "distinct", "Distinct kernels">,
    Statistic<"numAlternatives", "alternatives", "Kernels for launches of few rows">,
    Statistic<"numShared", "shared", "Kernels that share another one's code">,
  ];
  let dependentDialects = ["::kiln::tile::TileDialect", "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif // KILN_CODEGEN_PASSES_TD
