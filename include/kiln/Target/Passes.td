//===- Passes.td - Passes of the targets -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TARGET_PASSES_TD
#define KILN_TARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerTilePass : Pass<"kiln-lower-tile", "::mlir::ModuleOp"> {
  let summary = "tile.kernel to a host function on vectors";
  let description = [{
    Replaces each `tile.kernel` by an `llvm.func` of the host ABI (abi.h) that
    loops over the tasks asked for. A fragment becomes one vector per row, a
    view a pointer, `tile.mma` a loop of outer products, `tile.pipeline` an
    `scf.for`. Products of one region that have the same K share a loop.

    ```mlir
    %r = tile.mma %a, %b, %c
       : !tile.staged<2x8xf32>, !tile.staged<8x16xf32>, !tile.frag<2x16xf32>
    ```
    becomes
    ```mlir
    %r:2 = scf.for %k = %c0 to %c8 step %c1 iter_args(%c_0 = ..., %c_1 = ...) {
      %row = llvm.load %b_k : vector<16xf32>
      %0 = math.fma %a_0_k, %row, %c_0 : vector<16xf32>
      %1 = math.fma %a_1_k, %row, %c_1 : vector<16xf32>
      scf.yield %0, %1 : vector<16xf32>, vector<16xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def ExpandMathPass : Pass<"kiln-expand-math"> {
  let summary = "Math functions to arithmetic";
  let description = [{
    Replaces every op that LLVM would turn into a call: exp, log, erf, tanh,
    sine, cosine, pow, ... by polynomials or rational functions, fmod by exact
    steps, and conversions between bf16 and f32 by shifts and integer rounding.
    Arithmetic on f16 and bf16 becomes arithmetic on f32. docs/rationale/tile.md
    lists the errors.

    ```mlir
    %1 = math.erf %0 : vector<16xf32>
    ```
    becomes a clamp, two polynomials and a division.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

def LowerToLLVMPass : Pass<"kiln-lower-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Everything below tile to the LLVM dialect, in one conversion";
  let description = [{
    Structured control flow becomes branches; `arith`, `math` and `vector` become
    the LLVM dialect. bf16, which nothing computes on by then, becomes i16.

    ```mlir
    %0 = math.fma %a, %b, %c : vector<16xf32>
    ```
    becomes
    ```mlir
    %0 = llvm.intr.fma(%a, %b, %c) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::cf::ControlFlowDialect"];
}

def LowerTileToNVVMPass : Pass<"kiln-lower-tile-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "tile.kernel to a GPU kernel, the program of one thread";
  let description = [{
    Replaces each `tile.kernel` by an `llvm.func` of the GPU ABI (abi.h). A task
    is a block; a fragment is spread over the registers of its threads; a loop
    marked `tile.team` is shared by teams of threads; `tile.reduce` is shuffles
    and, where a team is larger than a warp, an exchange through shared memory.

    ```mlir
    %f = tile.load %v[%i] : !tile.view<384xf32, [1]> -> !tile.frag<128xf32>
    ```
    becomes, in a team of 32 threads,
    ```mlir
    %p = llvm.getelementptr %v[%i_plus_4_times_lane] : !llvm.ptr<1>
    %f = llvm.load %p {alignment = 16} : vector<4xf32>
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_80\"", "The GPU">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
                           "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // KILN_TARGET_PASSES_TD
