//===- TileKernelOps.td - Kernels and pipelines -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TILE_KERNEL_OPS_TD
#define KILN_TILE_KERNEL_OPS_TD

include "dialects/Tile/TileAttrs.td"
include "dialects/Tile/TileTypes.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tile_BoundsAttr : TypedArrayAttrBase<Tile_BoundAttr, "bounds that all hold">;

def Tile_KernelOp : Tile_Op<"kernel",
    [IsolatedFromAbove, Symbol, SingleBlockImplicitTerminator<"ReturnOp">]> {
  let summary = "The program of one task of a kernel";
  let description = [{
    Arguments: a buffer per operand, a buffer per result, an index per symbol,
    the task. `grid` maps the symbols to the number of tasks, `scratch` to the
    bytes of scratch one worker needs. Tasks are independent: they write
    disjoint elements and any order of them gives the same bits. A result may
    share memory with an operand only where the task that writes an element is
    the one that reads it, and reads it first.

    The exception: tasks may leave results for each other in a workspace of
    `workspace` bytes, of whose `tickets` counters tile.ticket makes use.

    A kernel may be a variant of the kernel `replaces`, whose buffers and symbols it has:
    it runs in its place at symbols for which every bound in `when` holds, say, at few rows.

    On a GPU a task is a block of `threads` threads, which work as one team; `cluster`
    blocks run at the same time and reach each other's shared memory. An
    `scf.for` with `tile.team = n` has independent iterations without results,
    which teams of n threads share. On the host there is neither.

    ```mlir
    tile.kernel @scale(%x: !tile.buffer<f32>) -> (%y: !tile.buffer<f32>)
        symbols(%n) task(%t)
        attributes {symbols = ["n"], grid = affine_map<()[s0] -> (s0 ceildiv 64)>,
                    scratch = affine_map<()[s0] -> (0)>, hero = "pointwise"} {
      ...
    }
    ```

    Constraints:
    (C1) arguments are `reads` buffers, at least one further buffer, one index
         per entry of `symbols`, one index.
    (C2) symbols are sorted by name and distinct.
    (C3) grid, scratch, workspace and tickets have no dims, one symbol per entry of
         `symbols` and one result.
    (C4) workspace and tickets go together, and with `threads`: tasks of a host
         share nothing.
    (C5) replaces and when go together, and with `threads`; there is a bound at least,
         its value is a map as in (C3), its max is not negative.
    (C6) cluster goes with `threads`, and is 2 at least.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$reads, StrArrayAttr:$symbols,
                       AffineMapAttr:$grid, AffineMapAttr:$scratch, StrAttr:$hero,
                       OptionalAttr<AnyAttr>:$config, OptionalAttr<StrArrayAttr>:$nodes,
                       OptionalAttr<I64Attr>:$threads, OptionalAttr<I64Attr>:$cluster,
                       OptionalAttr<AffineMapAttr>:$workspace,
                       OptionalAttr<AffineMapAttr>:$tickets,
                       OptionalAttr<FlatSymbolRefAttr>:$replaces,
                       OptionalAttr<Tile_BoundsAttr>:$when);
  let regions = (region SizedRegion<1>:$body);
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::TypeRange":$operands,
                   "::mlir::TypeRange":$results, "::llvm::ArrayRef<::llvm::StringRef>":$symbols,
                   "::mlir::AffineMap":$grid, "::mlir::AffineMap":$scratch,
                   "::llvm::StringRef":$hero)>
  ];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    unsigned getNumSymbols() { return getSymbols().size(); }
    unsigned getNumBuffers() { return getBlock().getNumArguments() - getNumSymbols() - 1; }
    /// Buffers of the operands, of the results, the symbols, the task.
    ::mlir::Block::BlockArgListType getOperandBuffers() {
      return getBlock().getArguments().take_front(getReads());
    }
    ::mlir::Block::BlockArgListType getResultBuffers() {
      return getBlock().getArguments().slice(getReads(), getNumBuffers() - getReads());
    }
    ::mlir::Block::BlockArgListType getSymbolArguments() {
      return getBlock().getArguments().slice(getNumBuffers(), getNumSymbols());
    }
    ::mlir::BlockArgument getTask() { return getBlock().getArguments().back(); }
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "The end of a task";
  let assemblyFormat = "attr-dict";
}

def Tile_WorkspaceOp : Tile_Op<"workspace", [Pure]> {
  let summary = "Memory that all tasks of a launch share";
  let description = [{
    As many bytes as the kernel states, undefined when a launch begins. What a task
    wrote there, another may read only after a tile.ticket told it that it is last.

    Constraints: (C1) the kernel has a workspace.
  }];
  let results = (outs Tile_BufferType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_SyncThreadsOp : Tile_Op<"sync_threads", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "Waits for the threads of the group";
  let description = [{
    Until all threads of the group are here, and each sees what the others wrote. What
    kiln-insert-barriers puts between accesses of scratch, and before results take the
    place of operands; no effect where a task is one thread.
  }];
  let assemblyFormat = "attr-dict";
}

def Tile_TicketOp : Tile_Op<"ticket", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "True for the last of some tasks";
  let description = [{
    Of the `count` tasks that take ticket `number`, each takes it once. All get
    false but the one that comes last: it may read what the others wrote into the
    workspace before they took theirs. Which one that is depends on the schedule,
    so what it computes must not depend on its task. The counter is 0 before the
    first came and after the last did. With `actual`, only so many tasks take it; one
    task alone comes last.

    ```mlir
    %last = tile.ticket %tile of 4
    scf.if %last {
      ...
    }
    ```

    Constraints:
    (C1) the kernel has tickets.
    (C2) `count` is at least 2.
    (C3) it does not stand in a loop that teams share: the task takes it as one.
  }];
  let arguments = (ins Index:$number, Optional<Index>:$actual, I64Attr:$count);
  let results = (outs I1:$last);
  let assemblyFormat = "$number `of` $count (`actual` $actual^)? attr-dict";
  let hasVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield",
    [Pure, Terminator, ReturnLike, ParentOneOf<["PipelineOp", "MapOp"]>]> {
  let summary = "What a region of tile.pipeline or tile.map hands on";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Tile_PipelineOp : Tile_Op<"pipeline",
    [RecursiveMemoryEffects, SingleBlock, AllTypesMatch<["inits", "results"]>]> {
  let summary = "A loop whose loads a target may run ahead of its compute";
  let description = [{
    For k = lower, lower + step, ... while k < upper: the load region (argument:
    k) stages tiles and yields them; the compute region (arguments: k, the
    staged tiles, the carried values) yields the carried values of the next
    iteration. Results are the carried values after the last one.

    ```mlir
    %r = tile.pipeline %c0 to %K step %c8 init(%zero) : !tile.frag<6x16xf32> load {
    ^bb0(%k: index):
      %a = tile.stage %A[%i, %k] : !tile.view<?x384xf32, [384, 1]> -> !tile.staged<6x8xf32>
      %b = tile.stage %B[%p, %k, %c0]
         : !tile.view<24x384x16xf32, [6144, 16, 1]> -> !tile.staged<8x16xf32>
      tile.yield %a, %b : !tile.staged<6x8xf32>, !tile.staged<8x16xf32>
    } compute {
    ^bb0(%k: index, %a: !tile.staged<6x8xf32>, %b: !tile.staged<8x16xf32>,
         %c: !tile.frag<6x16xf32>):
      %n = tile.mma %a, %b, %c
         : !tile.staged<6x8xf32>, !tile.staged<8x16xf32>, !tile.frag<6x16xf32>
      tile.yield %n : !tile.frag<6x16xf32>
    }
    ```

    Constraints:
    (C1) the load region takes one index and yields staged tiles only.
    (C2) the compute region takes the index, the staged tiles and the carried
         values, and yields values of the carried types.
    (C3) the load region holds only tile.stage, tile.prefetch, tile.view and ops
         on indices without side effects.
    (C4) results have the types of the carried values.

    `stages`, 1 to 64, is how many tiles of each operand a target with asynchronous copies
    keeps at a time; it changes no value.
  }];
  let arguments = (ins Index:$lower, Index:$upper, Index:$step, Variadic<AnyType>:$inits,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntMinValue<1>, IntMaxValue<64>]>>:$stages);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$load, SizedRegion<1>:$compute);
  let assemblyFormat = [{
    $lower `to` $upper `step` $step (`init` `(` $inits^ `)` `:` type($results))?
    custom<LoadAndCompute>($load, $compute, attr-dict)
  }];
  let skipDefaultBuilders = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Value":$lower, "::mlir::Value":$upper, "::mlir::Value":$step,
                   "::mlir::ValueRange":$inits,
                   "::llvm::function_ref<::llvm::SmallVector<::mlir::Value>(::mlir::OpBuilder &, "
                   "::mlir::Location, ::mlir::Value)>":$load,
                   "::llvm::function_ref<::llvm::SmallVector<::mlir::Value>(::mlir::OpBuilder &, "
                   "::mlir::Location, ::mlir::Value, ::mlir::ValueRange, ::mlir::ValueRange)>":$compute)>
  ];
  let hasVerifier = 1;
}

def Tile_MmaOperand : AnyTypeOf<[Tile_StagedType, Tile_FragType], "a staged tile or a fragment">;

def Tile_MmaOp : Tile_Op<"mma", [Pure, AttrSizedOperandSegments,
                                  AllTypesMatch<["accumulator", "result"]>]> {
  let summary = "accumulator + lhs * rhs";
  let description = [{
    result[i, j] = fma(lhs[i, k], rhs[k, j], ...) over k in increasing order,
    starting from accumulator[i, j]: one chain of fused multiply-adds per
    element, in the accumulator's type. Narrower floats, and i8 beside f32, are widened first.
    Integers are sign-extended, or zero-extended where `lhs_unsigned` or
    `rhs_unsigned` says so, multiplied and added modulo 2^width.

    Tensor cores, which multiply f16 and bf16 into f32, add in groups and round
    as they do; each element is still the same in every run. `tf32` lets them
    round operands of f32 to ten bits of mantissa first, half away from zero. kiln-assign-
    layouts says of products that `mma_sync` computes them.

    An operand in registers is what other ops of the kernel left: sums of an earlier
    product as the left one of the next, or weights that were unpacked as the right one.

    `dot` names a CPU's dot product of bf16 (Intel SDM volume 2), in whose order the result
    is added. All additions are of f32, and take subnormal operands and return subnormal
    results as zeros. `vdpbf16ps` adds steps 2t and 2t + 1 of K together, the odd one first,
    each by a fused multiply-add; behind an odd K stands a step of zeros. `tdpbf16ps` adds
    blocks of 32 steps: even and odd steps of a block have a chain of fused multiply-adds
    each, both from 0; the sum of the two chains is then added to the accumulator. Behind a
    K that is no multiple of 32 stand steps of zeros.

    `ahead` is a hint for CPUs with `tdpbf16ps`: while they multiply, they prefetch every
    fourth row of the right operand at that distance in memory, in elements.

    With block scales, lhs[i, k] * lhs_scales[i, k / B] takes the place of lhs[i, k], and
    rhs[k, j] * rhs_scales[k / B, j] that of rhs[k, j], each rounded to the accumulator's
    type, which it has room for but at the ends of its range: microscaling formats (OCP
    Microscaling Formats v1.0, section 6) and NVFP4.

    ```
    %s = tile.mma %a, %b, %c scales(%x, %y : !tile.staged<16x2xf8E8M0FNU>, !tile.staged<2x8xf8E8M0FNU>)
        : !tile.staged<16x64xf8E4M3FN>, !tile.staged<64x8xf8E4M3FN>, !tile.frag<16x8xf32>
    ```

    Constraints:
    (C1) lhs is MxK, rhs KxN, the accumulator MxN; the two K are equal or both `?`.
    (C2) M and N are static.
    (C3) operand elements are floats no wider than the accumulator's float, i8 where that
         is f32, or integers no wider than its integer.
    (C4) `tf32` is for operands and accumulators of f32; the right operand may be
         f8E4M3FN, which tf32 holds.
    (C5) both operands have scales or neither; K is static then, and the scales are
         MxK/B and K/BxN.
    (C6) scales are f8E8M0FNU with B = 32 and operands of f8E4M3FN, f8E5M2, f6E2M3FN,
         f6E3M2FN or f4E2M1FN, or f8E4M3FN with B = 16 and operands of f4E2M1FN.
    (C7) the accumulator of scaled operands is f32.
    (C8) `dot` is for staged operands of bf16 without scales, and an accumulator of f32
         with a multiple of 16 columns, at most 256, or by vdpbf16ps with 4 or 8.
    (C9) `ahead` is for `tdpbf16ps`.
  }];
  let arguments = (ins Tile_MmaOperand:$lhs, Tile_MmaOperand:$rhs, Tile_FragType:$accumulator,
                       Optional<Tile_MmaOperand>:$lhs_scales,
                       Optional<Tile_MmaOperand>:$rhs_scales, Optional<Index>:$ahead,
                       UnitAttr:$lhs_unsigned, UnitAttr:$rhs_unsigned, UnitAttr:$tf32,
                       UnitAttr:$mma_sync, OptionalAttr<Tile_DotProductAttr>:$dot);
  let results = (outs Tile_FragType:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` $accumulator
    (`scales` `(` $lhs_scales^ `,` $rhs_scales `:` type($lhs_scales) `,` type($rhs_scales) `)`)?
    (`ahead` $ahead^)?
    attr-dict `:` type($lhs) `,` type($rhs) `,` type($accumulator)
  }];
  let hasVerifier = 1;
  let builders = [
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                   "::mlir::Value":$accumulator, CArg<"bool", "false">:$lhsUnsigned,
                   CArg<"bool", "false">:$rhsUnsigned, CArg<"bool", "false">:$tf32,
                   CArg<"std::optional<DotProduct>", "{}">:$dot,
                   CArg<"::mlir::Value", "{}">:$ahead)>
  ];
  let extraClassDeclaration = [{
    /// Steps of K that tdpbf16ps adds as a block.
    static constexpr int64_t kBlockSteps = 32;
    /// Rows of the right operand from one that is prefetched `ahead` to the next.
    static constexpr int64_t kPrefetchRows = 4;
    /// Extents and elements of the operands, wherever they are.
    ::llvm::ArrayRef<int64_t> getLhsShape();
    ::mlir::Type getLhsElement();
    ::llvm::ArrayRef<int64_t> getRhsShape();
    ::mlir::Type getRhsElement();
    /// Steps of K that have one scale; 0 without scales.
    int64_t getScaleBlock();
  }];
}

#endif // KILN_TILE_KERNEL_OPS_TD
