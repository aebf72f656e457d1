//===- TileAsyncOps.td - Asynchronous ops and MMA ----------*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TILE_ASYNC_OPS_TD
#define KILN_TILE_ASYNC_OPS_TD

include "dialects/Tile/TileAttrs.td"
include "dialects/Tile/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// A target lowers tile.pipeline to these ops once it has assigned producers and consumers
// and the number of stages between them. Each op has a sequential meaning: run the
// producer until it waits for a barrier, then a consumer until it waits, and so on.

class Tile_AsyncOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat([MemoryEffects<[MemRead, MemWrite]>], traits)> {
}

def Tile_AllocOp : Tile_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "A multistage buffer of the block";
  let description = [{ Undefined until something is copied into it. }];
  let results = (outs Tile_MemType:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Tile_CreateBarriersOp : Tile_Op<"create_barriers", [MemoryEffects<[MemAlloc]>]> {
  let summary = "Barriers of the block, ready for all of its threads";
  let description = [{
    Each phase of each of them waits for `arrivals` arrivals and for the bytes that
    tile.expect_bytes announces.

    Constraints: (C1) arrivals is positive.
  }];
  let arguments = (ins I64Attr:$arrivals);
  let results = (outs Tile_BarrierType:$result);
  let assemblyFormat = "$arrivals attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Tile_WaitBarrierOp : Tile_AsyncOp<"wait_barrier"> {
  let summary = "Waits until a phase of a barrier is complete";
  let description = [{
    The phase with this parity, of barrier number `index`. A barrier that has completed
    no phase yet counts as one that completed a phase of parity 1.
  }];
  let arguments = (ins Tile_BarrierType:$barrier, I32:$index, I32:$parity);
  let assemblyFormat = "$barrier `[` $index `]` `parity` $parity attr-dict `:` type($barrier)";
}

def Tile_ArriveBarrierOp : Tile_AsyncOp<"arrive_barrier"> {
  let summary = "Every warp of the region arrives at a barrier once";
  let description = [{
    All that the warp read or wrote before is done when the barrier's phase is complete.
    With `condition`, only if it is true; it is the same for all threads. With `cluster`,
    at this barrier of every block of the cluster; as all of them do the same, a barrier
    gets as many arrivals of each warp as there are blocks.

    Constraints: (C1) with `cluster`, the kernel's blocks run in clusters.
  }];
  let arguments = (ins Tile_BarrierType:$barrier, I32:$index, Optional<I1>:$condition,
                       UnitAttr:$cluster);
  let assemblyFormat = [{
    $barrier `[` $index `]` (`if` $condition^)? (`cluster` $cluster^)? attr-dict
    `:` type($barrier)
  }];
  let hasVerifier = 1;
}

def Tile_ExpectBytesOp : Tile_AsyncOp<"expect_bytes"> {
  let summary = "Announces bytes to a barrier, and arrives at it";
  let description = [{
    The phase is not complete before copies have written so many bytes.

    Constraints: (C1) bytes is positive.
  }];
  let arguments = (ins Tile_BarrierType:$barrier, I32:$index, I64Attr:$bytes);
  let assemblyFormat = "$barrier `[` $index `]` `,` $bytes attr-dict `:` type($barrier)";
  let hasVerifier = 1;
}

def Tile_AsyncCopyOp : Tile_Op<"async_copy"> {
  let summary = "Copies a box of a view into a stage of a buffer while others go on";
  let description = [{
    The box has `box` elements along each dim of the view, from `indices` on; what lies
    outside the view arrives as zero. Its last two dims run along the rows and columns of
    the tile, from `place` on; boxes along earlier dims lie side by side along the
    columns. Its bytes count for barrier number `stage`, whose phase tells who waits that
    they have arrived.

    With `multicast d` all blocks of the cluster need the same box at the same time. Each
    copies an equal part of its dim d, which arrives in this stage of all of them and
    counts for this barrier of each: the box arrives as without, and is read once.

    ```mlir
    tile.async_copy %A[%i, %k] box [64, 64] to %mem[%s] at [0, 0] barrier %full
       : !tile.view<?x768xbf16, [768, 1]> to !tile.mem<3x64x64xbf16, ...>, !tile.barrier<3>
    ```

    Constraints:
    (C1) one index and one extent of the box per dim of the view, which has rank 2 at least.
    (C2) the element types are equal.
    (C3) the box lies within the tile.
    (C4) as many barriers as stages.
    (C5) multicast names a dim of the box that is not contiguous in the buffer and that
         the kernel's cluster divides; no dim before it is longer than 1.
  }];
  let arguments = (ins Arg<Tile_ViewType, "", [MemRead]>:$view, Variadic<Index>:$indices,
                       Arg<Tile_MemType, "", [MemWrite]>:$buffer, I32:$stage,
                       Arg<Tile_BarrierType, "", [MemWrite]>:$barrier,
                       DenseI64ArrayAttr:$box, DenseI64ArrayAttr:$place,
                       OptionalAttr<I64Attr>:$multicast);
  let assemblyFormat = [{
    $view `[` $indices `]` `box` $box `to` $buffer `[` $stage `]` `at` $place
    `barrier` $barrier (`multicast` $multicast^)? attr-dict
    `:` type($view) `to` type($buffer) `,` type($barrier)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    int64_t getBoxBytes();
    /// Elements that one block copies: the box, or a part of it with multicast.
    ::llvm::SmallVector<int64_t> getPartBox();
  }];
}

def Tile_IssueCopyOp : Tile_AsyncOp<"issue_copy"> {
  let summary = "Copies a tile of a view into a stage of a buffer while the threads go on";
  let description = [{
    What tile.stage reads, by all threads of the block, each a part of it (cp.async). The
    copy belongs to the group that the next tile.commit_copies closes. Elements past the
    extent of the view along the dims in `masked` become zero and are not read.

    ```mlir
    tile.issue_copy %A[%i, %k] to %a[%stage] masked [0]
       : !tile.view<?x768xbf16, [768, 1]>
         to !tile.mem<3x64x32xbf16, #tile.mem_layout<contiguous = 1, matrices>, shared>
    ```

    Constraints:
    (C1) one index per dim of the view, which has rank 2 at least.
    (C2) the element types are equal, or i8 of the view and f8E4M3FN of the buffer: tile.stage.
    (C3) the buffer's layout is one of a staged tile.
    (C4) `masked` lists dims of the tile, increasing.
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<Index>:$indices, Tile_MemType:$buffer,
                       Index:$stage, DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$masked);
  let assemblyFormat = [{
    $view `[` $indices `]` `to` $buffer `[` $stage `]` (`masked` $masked^)? attr-dict
    `:` type($view) `to` type($buffer)
  }];
  let hasVerifier = 1;
}

def Tile_CommitCopiesOp : Tile_AsyncOp<"commit_copies"> {
  let summary = "The copies issued since the last commit are a group";
  let description = [{ A group may be empty. }];
  let assemblyFormat = "attr-dict";
}

def Tile_WaitCopiesOp : Tile_AsyncOp<"wait_copies"> {
  let summary = "Waits until at most `in_flight` groups of copies are in flight";
  let description = [{
    Groups are complete in the order of their commits. A thread sees what it copied itself;
    behind the next tile.sync_threads all see all of it.

    Constraints: (C1) in_flight is not negative.
  }];
  let arguments = (ins I64Attr:$in_flight);
  let assemblyFormat = "$in_flight attr-dict";
  let hasVerifier = 1;
}

def Tile_BufferStageOp : Tile_Op<"buffer_stage", [Pure]> {
  let summary = "A stage of a buffer as an operand of tile.mma";
  let description = [{
    It names the memory and reads nothing: products read it.

    Constraints: (C1) the result has the buffer's rows, columns, element type and layout.
  }];
  let arguments = (ins Tile_MemType:$buffer, Index:$stage);
  let results = (outs Tile_StagedType:$result);
  let assemblyFormat = "$buffer `[` $stage `]` attr-dict `:` type($buffer) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_WriteBufferOp : Tile_Op<"write_buffer"> {
  let summary = "Writes a fragment into a stage of a buffer";
  let description = [{
    From row and column `place` of the tile on. Copies see it once tile.async_store has
    begun.

    Constraints:
    (C1) the element types are equal, and have 16 bits.
    (C2) the fragment has rank 2 and lies within the tile.
  }];
  let arguments = (ins Tile_FragType:$value, Arg<Tile_MemType, "", [MemWrite]>:$buffer,
                       I32:$stage, DenseI64ArrayAttr:$place);
  let assemblyFormat = [{
    $value `to` $buffer `[` $stage `]` `at` $place attr-dict
    `:` type($value) `to` type($buffer)
  }];
  let hasVerifier = 1;
}

def Tile_AsyncStoreOp : Tile_Op<"async_store"> {
  let summary = "Copies a stage of a buffer into a view while others go on";
  let description = [{
    The threads of each warpgroup meet first, so that all they wrote into the stage is
    copied. Elements of the stage go to the last two dims of the view, from `indices` on;
    what lies outside the view is dropped. Stores are complete in the order of their
    issue (tile.wait_stores).

    ```mlir
    tile.async_store %mem[%s] to %C[%i, %j]
       : !tile.mem<2x128x64xbf16, ...> to !tile.view<?x768xbf16, [768, 1]>
    ```

    Constraints:
    (C1) one index per dim of the view, which has rank 2 at least.
    (C2) the element types are equal.
    (C3) rows of the buffer are contiguous in the view.
  }];
  let arguments = (ins Arg<Tile_MemType, "", [MemRead]>:$buffer, I32:$stage,
                       Arg<Tile_ViewType, "", [MemWrite]>:$view, Variadic<Index>:$indices);
  let assemblyFormat = [{
    $buffer `[` $stage `]` `to` $view `[` $indices `]` attr-dict
    `:` type($buffer) `to` type($view)
  }];
  let hasVerifier = 1;
}

def Tile_WaitStoresOp : Tile_AsyncOp<"wait_stores"> {
  let summary = "Waits until at most `in_flight` stores still read their buffers";
  let description = [{
    The threads of each warpgroup meet, and may write again what other stores have read.
    With `written`, all that those stores write is in memory.

    Constraints: (C1) in_flight is not negative.
  }];
  let arguments = (ins I64Attr:$in_flight, UnitAttr:$written);
  let assemblyFormat = "$in_flight (`written` $written^)? attr-dict";
  let hasVerifier = 1;
}

def Tile_PrefetchBoxOp : Tile_Op<"prefetch_box"> {
  let summary = "Hints that a box of a view will be copied soon";
  let description = [{
    No effect on any value; the box may lie outside the view.

    Constraints: (C1) one index and one extent of the box per dim of the view.
  }];
  let arguments = (ins Arg<Tile_ViewType, "", [MemWrite]>:$view, Variadic<Index>:$indices,
                       DenseI64ArrayAttr:$box, I64Attr:$swizzle);
  let assemblyFormat = [{
    $view `[` $indices `]` `box` $box `swizzle` $swizzle attr-dict `:` type($view)
  }];
  let hasVerifier = 1;
}

def Tile_IssueMmaOp : Tile_AsyncOp<"issue_mma", [AttrSizedOperandSegments]> {
  let summary = "accumulators + lhs * rhs, in flight";
  let description = [{
    What tile.mma computes, of operands in buffers, or a left one in registers, as one
    group of instructions that is not waited for. The accumulators lie side by side along
    the columns. tile.wait_mma waits for groups in the order of their issue.

    Constraints:
    (C1) lhs is MxK, rhs KxN, the accumulators have M rows and N columns together.
    (C2) a buffer comes with a stage, a left operand in registers without.
    (C3) results have the accumulators' shapes and element types.
  }];
  let arguments = (ins AnyTypeOf<[Tile_MemType, Tile_OperandType],
                                 "a buffer or an operand in registers">:$lhs,
                       Optional<I32>:$lhs_stage, Tile_MemType:$rhs, I32:$rhs_stage,
                       Variadic<AnyTypeOf<[Tile_FragType, Tile_PendingType],
                                          "a fragment or a product in flight">>:$accumulators);
  let results = (outs Variadic<Tile_PendingType>:$results);
  let assemblyFormat = [{
    $lhs (`[` $lhs_stage^ `]`)? `,` $rhs `[` $rhs_stage `]` `into` `(` $accumulators `)`
    attr-dict `:` type($lhs) `,` type($rhs) `,` type($accumulators) `->` type($results)
  }];
  let hasVerifier = 1;
}

def Tile_WaitMmaOp : Tile_AsyncOp<"wait_mma", [AttrSizedOperandSegments]> {
  let summary = "Waits until at most `in_flight` groups of products are in flight";
  let description = [{
    The values given belong to groups that are complete then. So do the groups that read
    the operands of `keep`, whose registers hold them until here.

    Constraints:
    (C1) results are fragments of the shapes and element types of the values.
    (C2) in_flight is not negative.
  }];
  let arguments = (ins Variadic<Tile_PendingType>:$values, Variadic<Tile_OperandType>:$kept,
                       I64Attr:$in_flight);
  let results = (outs Variadic<Tile_FragType>:$results);
  let assemblyFormat = [{
    $in_flight (`of` $values^ `:` type($values) `->` type($results))?
    (`keep` `(` $kept^ `:` type($kept) `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Tile_PackOperandOp : Tile_Op<"pack_operand", [Pure]> {
  let summary = "A fragment as a left operand in registers";
  let description = [{
    No value changes, but where it lies.

    Constraints: (C1) the result has the fragment's shape and element type.
  }];
  let arguments = (ins Tile_FragType:$value);
  let results = (outs Tile_OperandType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_PendingOp : Tile_Op<"as_pending", [Pure]> {
  let summary = "A fragment as a product of which nothing is in flight";
  let description = [{ Constraints: (C1) the result has the fragment's shape and element type. }];
  let arguments = (ins Tile_FragType:$value);
  let results = (outs Tile_PendingType:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($result)";
  let hasVerifier = 1;
}

def Tile_WarpSpecializeOp : Tile_Op<"warp_specialize",
    [RecursiveMemoryEffects, NoRegionArguments, SingleBlock, NoTerminator]> {
  let summary = "One warpgroup copies, the others compute";
  let description = [{
    The threads of the kernel run the consumer region, as one group; one thread of a further
    warpgroup runs the producer region, at the same time. Threads of the producer
    warpgroup keep `producer_registers` registers, those of consumers take
    `consumer_registers` (setmaxnreg); 0: nobody's number is changed.

    Constraints: (C1) both numbers are 0, or both multiples of 8 from 24 to 256.
  }];
  let arguments = (ins I64Attr:$producer_registers, I64Attr:$consumer_registers);
  let regions = (region SizedRegion<1>:$producer, SizedRegion<1>:$consumer);
  let assemblyFormat = [{
    `registers` `(` $producer_registers `,` $consumer_registers `)` attr-dict-with-keyword
    custom<ProducerAndConsumer>($producer, $consumer)
  }];
  let hasVerifier = 1;
}

def Tile_FirstTaskOp : Tile_Op<"first_task", [Pure]> {
  let summary = "The first task of this block, of a kernel that walks over its tasks";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_TaskStrideOp : Tile_Op<"task_stride", [Pure]> {
  let summary = "How far the tasks of this block are apart: the number of blocks";
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_SyncClusterOp : Tile_AsyncOp<"sync_cluster"> {
  let summary = "All threads of the blocks of a cluster meet";
  let description = [{
    In front of tile.warp_specialize, so that no block arrives at a barrier that is not
    ready yet, and behind it, so that none is over while another one still copies into it
    or arrives at its barriers.

    Constraints: (C1) the kernel's blocks run in clusters.
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tile_WaitOrderOp : Tile_AsyncOp<"wait_order"> {
  let summary = "Waits until it is this warpgroup's turn";
  let description = [{
    The consumer warpgroups take turns between tile.wait_order and tile.arrive_order, the
    first one first, so that one issues its products while others compute: CUTLASS's
    OrderedSequenceBarrier. No effect on any value.

    Constraints: (C1) in the consumer region of a tile.warp_specialize, of two warpgroups
    or more.
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tile_ArriveOrderOp : Tile_AsyncOp<"arrive_order"> {
  let summary = "It is the next warpgroup's turn";
  let description = [{
    Behind a tile.wait_order, once for each.

    Constraints: (C1) in the consumer region of a tile.warp_specialize, of two warpgroups
    or more.
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tile_WaitPriorOp : Tile_AsyncOp<"wait_prior"> {
  let summary = "Waits until earlier kernels are over; later ones may be launched";
  let description = [{
    Programmatic dependent launch: no effect but that what earlier kernels wrote may be
    read from here on.
  }];
  let assemblyFormat = "attr-dict";
}

#endif // KILN_TILE_ASYNC_OPS_TD
