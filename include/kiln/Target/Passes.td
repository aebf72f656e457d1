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
  let options = [ListOption<"features", "features", "std::string",
                            "What the target has beyond x86-64, in LLVM's spelling: "
                            "avx512bw,avx512vnni ...">];
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
    becomes a clamp, two polynomials and a division. With `avx512vl` among the features,
    exp in f32 ends in `vscalefps`, with the same bits as without.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
  let options = [ListOption<"features", "features", "std::string",
                            "As of kiln-lower-tile">];
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

def PartitionWarpsPass : Pass<"kiln-partition-warps", "::mlir::ModuleOp"> {
  let summary = "Kernels for warpgroups into a producer and consumers";
  let description = [{
    Warp specialization: of a kernel whose config is for warpgroups, one warpgroup becomes
    the producer, which fills multistage buffers by TMA, and the others the consumers,
    which multiply what is in them by wgmma. Both walk over the tasks of their block. The
    `tile.pipeline` becomes a loop of each, and the decisions become ops: buffers with
    their layouts, barriers, copies, products in flight and waits.

    ```mlir
    %r = tile.pipeline %c0 to %K step %c64 init(%zero) : !tile.frag<64x64xf32> load {
      tile.stage ...
    } compute {
      tile.mma ...
    } {stages = 3}
    ```
    becomes
    ```mlir
    %A = tile.alloc : !tile.mem<3x64x64xbf16, ...>
    %full = tile.create_barriers 1 : !tile.barrier<3>
    %empty = tile.create_barriers 4 : !tile.barrier<3>
    tile.warp_specialize registers(40, 232) producer {
      scf.for %task = ... {
        scf.for %k = %c0 to %K step %c64 iter_args(%stage, %parity) {
          tile.wait_barrier %empty[%stage] parity %parity
          tile.expect_bytes %full[%stage], 16384
          tile.async_copy %a[%i, %k] box [64, 64] to %A[%stage] at [0, 0] barrier %full
          ...
    } consumer {
      scf.for %task = ... {
        scf.for %k = %c0 to %K step %c64 iter_args(%acc, %stage, %parity, %last) {
          tile.wait_barrier %full[%stage] parity %parity
          %next = tile.issue_mma %A[%stage], %B[%stage] into(%acc)
          tile.wait_mma 1
          tile.arrive_barrier %empty[%last] if %later
          ...
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_90a\"", "The GPU">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect", "::kiln::tile::TileDialect"];
}

def AssignLayoutsPass : Pass<"kiln-assign-layouts", "::mlir::ModuleOp"> {
  let summary = "Which thread of a GPU holds which element of a fragment";
  let description = [{
    Writes into every type of a fragment which register of which thread holds which
    element, into every type of a staged tile how it lies in shared memory, and onto
    products which of them tensor cores compute by `mma.sync`. Where an op wants a
    fragment in another layout than it has, it gets a `tile.convert_layout`.

    ```mlir
    %a = tile.load %v[%i] : !tile.view<384xf32, [1]> -> !tile.frag<128xf32>
    ```
    becomes, in a group of 32 threads,
    ```mlir
    #layout = #tile.linear_layout<registers = [1, 2], threads = [4, 8, 16, 32, 64]>
    %a = tile.load %v[%i] : !tile.view<384xf32, [1]> -> !tile.frag<128xf32, #layout>
    ```
    and
    ```mlir
    %s = tile.mma %a, %b, %0 : !tile.staged<64x16xbf16>, ...
    ```
    becomes
    ```mlir
    %s = tile.mma %a, %b, %0 {mma_sync} : !tile.staged<64x16xbf16, matrices>, ...
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_80\"", "The GPU">];
  let dependentDialects = ["::kiln::tile::TileDialect"];
}

def PipelineCopiesPass : Pass<"kiln-pipeline-copies", "::mlir::ModuleOp"> {
  let summary = "Copies into shared memory run ahead of the products that read them";
  let description = [{
    Every `tile.pipeline` becomes a loop: a buffer of `stages` stages per operand, the
    first groups of copies before the loop, and in each step the wait for the copies of
    the stage at hand, the copies of a later step, and the products. The stage at hand is
    a value that the loop carries. A `tile.stage` that stands alone becomes copies that are
    waited for at once. Tiles of scratch stay where they are.

    ```mlir
    %r = tile.pipeline %c0 to %K step %c32 init(%zero) : !tile.frag<64x64xf32> load {
    ^bb0(%k: index):
      %a = tile.stage %A[%i, %k] : ... -> !tile.staged<64x32xbf16, matrices>
      ...
    } compute {
    ^bb0(%k: index, %a: ..., %b: ..., %sum: ...):
      %n = tile.mma %a, %b, %sum {mma_sync} : ...
      tile.yield %n : ...
    } {stages = 3}
    ```
    becomes
    ```mlir
    %a = tile.alloc : !tile.mem<3x64x32xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared>
    tile.sync_threads
    scf.if %0 < %K {
      tile.issue_copy %A[%i, %c0] to %a[%c0] : ...
    }
    tile.commit_copies
    ...
    %r:2 = scf.for %k = %c0 to %K step %c32 iter_args(%sum = %zero, %stage = %c0) {
      tile.wait_copies 1
      tile.sync_threads
      scf.if %k + 64 < %K {
        tile.issue_copy %A[%i, %k + 64] to %a[(%stage + 2) mod 3] : ...
      }
      tile.commit_copies
      %left = tile.buffer_stage %a[%stage] : ... -> !tile.staged<64x32xbf16, matrices>
      %n = tile.mma %left, %right, %sum {mma_sync} : ...
      scf.yield %n, (%stage + 1) mod 3
    }
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_80\"", "The GPU">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::kiln::tile::TileDialect"];
}

def AllocateSharedPass : Pass<"kiln-allocate-shared", "::mlir::ModuleOp"> {
  let summary = "Where a block of a GPU has what in shared memory";
  let description = [{
    Gives every op that needs shared memory (staged tiles, multistage buffers, barriers,
    exchanges of reductions and layouts, scratch) an offset, so that what is in use at the
    same time lies apart, and the kernel the bytes that it takes beside its scratch. A
    buffer of tiles is in use from where it is first filled to where it was last read;
    scratch of constant size from its first access to its last, so that an epilogue
    has it where tiles were.

    ```mlir
    %a = tile.alloc : !tile.mem<3x64x32xbf16, ...>
    scf.for ... {
      tile.issue_copy %A[%i, %k] to %a[%stage] : ...
      ...
    }
    %s = tile.scratch %c0 : !tile.buffer<f32>
    ```
    becomes
    ```mlir
    %a = tile.alloc {tile.shared_offset = 0} : !tile.mem<3x64x32xbf16, ...>
    scf.for ... {
      tile.issue_copy %A[%i, %k] to %a[%stage] : ...
      ...
    }
    %s = tile.scratch %c0 {tile.shared_offset = 0} : !tile.buffer<f32>
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_80\"", "The GPU">];
  let dependentDialects = ["::kiln::tile::TileDialect"];
}

def InsertBarriersPass : Pass<"kiln-insert-barriers", "::mlir::ModuleOp"> {
  let summary = "Waits between threads of a GPU that read and write the same memory";
  let description = [{
    A `tile.sync_threads` before each access of scratch that another thread's access may
    be in conflict with, and before a result is stored that may take the place of an
    operand which other threads still read. Of ops with regions, all that is accessed in
    them counts before the regions and behind them. Barriers that are there already
    (kiln-pipeline-copies) and ops that wait by themselves (reductions over several warps,
    arrival counters, exchanges of layouts) count as one.

    ```mlir
    tile.store %f, %scratch[%i] : ...
    %g = tile.load %scratch[%j] : ...
    ```
    becomes
    ```mlir
    tile.store %f, %scratch[%i] : ...
    tile.sync_threads
    %g = tile.load %scratch[%j] : ...
    ```
  }];
  let options = [Option<"target", "target", "std::string", "\"sm_80\"", "The GPU">];
  let dependentDialects = ["::kiln::tile::TileDialect"];
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
