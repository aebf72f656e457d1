//===- PlanOps.td - The plan dialect -----------------------*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_PLAN_OPS_TD
#define KILN_PLAN_OPS_TD

include "dialects/Graph/GraphAttrs.td"
include "dialects/Plan/PlanEnums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"

def Plan_Dialect : Dialect {
  let name = "plan";
  let cppNamespace = "::kiln::plan";
  let summary = "When and where a model computes";
  let description = [{
    Values are gone: what is left are byte buffers in arenas and the steps that
    read and write them, in order. Sizes and offsets are expressions over the
    symbols. `lib/Package` serialises a plan one to one; runtime/schema/plan.fbs
    says the same things.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let dependentDialects = ["::kiln::graph::GraphDialect"];
}

class Plan_Op<string mnemonic, list<Trait> traits = []> : Op<Plan_Dialect, mnemonic, traits>;

def Plan_ArenaKindAttr : EnumAttr<Plan_Dialect, Plan_ArenaKind, "arena_kind">;
def Plan_CollectiveKindAttr : EnumAttr<Plan_Dialect, Plan_CollectiveKind, "collective_kind">;

def Plan_BoundAttr : AttrDef<Plan_Dialect, "Bound"> {
  let mnemonic = "bound";
  let summary = "A limit on an expression over the symbols";
  let description = [{
    Holds where `value`, one expression, is at most `max`.

    ```mlir
    #plan.bound<<[batch, seq] -> [batch * seq]> max 8>
    ```
  }];
  let parameters = (ins "::kiln::graph::ShapeAttr":$value, "int64_t":$max);
  let assemblyFormat = "`<` $value `max` $max `>`";
}

def Plan_VariantAttr : AttrDef<Plan_Dialect, "Variant"> {
  let mnemonic = "variant";
  let summary = "A kernel that runs in place of a launch's own at some dims";
  let description = [{
    On the target of this number `kernel` runs in place of a launch's own where every
    bound in `when` holds; `grid`, one expression, is its number of tasks.

    ```mlir
    #plan.variant<@matmul_0_rows8 on 1 when [#plan.bound<<[n] -> [n]> max 8>] grid <[24]>>
    ```
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$kernel, "int64_t":$target,
                        "::mlir::ArrayAttr":$when, "::kiln::graph::ShapeAttr":$grid);
  let assemblyFormat = "`<` $kernel `on` $target `when` $when `grid` $grid `>`";
}

def Plan_ProgramOp : Plan_Op<"program", [SymbolTable, NoTerminator, SingleBlock, IsolatedFromAbove]> {
  let summary = "The plan of one program of a model";
  let description = [{
    Holds arenas, buffers, and steps in the order they run. A model with several entries
    has one for each, with its name; weights and states are at the same places in all of
    them (kiln-verify-plan).

    Of a pipeline, `stages` says how many there are: the ranks of a stage run the steps of
    that stage and those that are of no stage, and skip the others. A broadcast hands a
    buffer from one stage to all.

    Constraints: (C1) it holds plan ops and nothing else. (C2) no two live
    buffers of an arena overlap on any rank (kiln-verify-plan proves it at the corners of
    the envelope; the runtime proves it for the dims at hand). (C3) there are two stages or
    more, and those of steps and buffers are among them.
  }];
  let arguments = (ins OptionalAttr<StrAttr>:$name, OptionalAttr<I64Attr>:$stages);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "($name^)? (`stages` $stages^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Plan_ArenaOp : Plan_Op<"arena", [Symbol, HasParent<"ProgramOp">]> {
  let summary = "Memory of one lifetime class";
  let description = [{
    Its size in bytes is the largest of `sizes`.

    Constraints: (C1) at least one size.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Plan_ArenaKindAttr:$kind, Graph_ShapeAttr:$sizes);
  // Printing an enum adds a space, which the empty literal `` removes.
  let assemblyFormat = "$sym_name `` $kind `size` $sizes attr-dict";
  let hasVerifier = 1;
}

def Plan_BufferOp : Plan_Op<"buffer", [Symbol, HasParent<"ProgramOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Bytes in an arena";
  let description = [{
    `size` is one expression. The offset is the largest end of the buffers in
    `above`, rounded up to 64; weights have a constant `offset`, and where ranks have parts
    of their own, `stride` bytes lie between the part of one rank and that of the next:
    with `ranks [size, apart]` of one of `size` ranks that are `apart` within a stage, else
    of all its ranks. Live from step
    `first` to step `last`, both included. `alias` names the buffer whose storage
    this one is (a view, or an update in place). `dtype` and `dims` are set for
    inputs and outputs, `source` is the name users know. `check` is that of a
    buffer with the first index out of range (graph.check), which is kept to the end.
    Only the ranks of its `stage` have a state that says one.

    Constraints:
    (C1) the arena exists.
    (C2) every buffer in `above`, and the alias, comes before and is in the same arena.
    (C3) size has one expression.
    (C4) 0 <= first <= last, and an offset is not negative.
    (C5) a stride is positive and stands beside an offset, and `ranks` beside a stride.
    (C6) a stage is of a buffer in the state arena that is no alias.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$arena, Graph_ShapeAttr:$size,
                       I64Attr:$first, I64Attr:$last,
                       OptionalAttr<FlatSymbolRefArrayAttr>:$above,
                       OptionalAttr<FlatSymbolRefAttr>:$alias, OptionalAttr<I64Attr>:$offset,
                       OptionalAttr<I64Attr>:$stride,
                       OptionalAttr<DenseI64ArrayAttr>:$ranks, OptionalAttr<I64Attr>:$stage,
                       OptionalAttr<TypeAttr>:$type, OptionalAttr<StrAttr>:$source,
                       OptionalAttr<DictionaryAttr>:$check);
  let assemblyFormat = [{
    $sym_name `in` $arena `size` $size `live` `[` $first `,` $last `]`
    (`above` $above^)? (`alias` $alias^)? (`offset` $offset^)? (`stride` $stride^)?
    (`ranks` $ranks^)?
    (`stage` $stage^)? (`type` $type^)?
    (`source` $source^)? (`check` $check^)? attr-dict
  }];
}

def Plan_VariantsAttr
    : TypedArrayAttrBase<Plan_VariantAttr, "kernels for some dims">;

def Plan_LaunchOp : Plan_Op<"launch", [HasParent<"ProgramOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs a kernel";
  let description = [{
    `kernel` names a tile.kernel; `grid` is its number of tasks on each target,
    `bytes` and `flops` its ledger, `nodes` the ONNX nodes it computes. Blocks of a
    GPU that leave partial results for each other do so in `workspace`, which is of
    this step alone, and count in `tickets`, which are 0 between runs.

    A launch runs the first of the `variants` of a target whose bounds all hold at the
    dims of the run, in place of `kernel`, which has no bound.

    Constraints: (C1) the buffers exist. (C2) bytes and flops are one expression
    each, grid at least one. (C3) workspace and tickets go together; the workspace
    is an activation, the tickets are state. (C4) there is
    at least one variant where there are variants; each has bounds, one expression and no
    negative max each, one grid, and a target that `grid` counts; they are in the order
    of their targets.
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, FlatSymbolRefArrayAttr:$reads,
                       FlatSymbolRefArrayAttr:$writes, Graph_ShapeAttr:$grid,
                       Graph_ShapeAttr:$bytes, Graph_ShapeAttr:$flops,
                       OptionalAttr<StrArrayAttr>:$nodes,
                       OptionalAttr<FlatSymbolRefAttr>:$workspace,
                       OptionalAttr<FlatSymbolRefAttr>:$tickets,
                       OptionalAttr<Plan_VariantsAttr>:$variants,
                       OptionalAttr<I64Attr>:$stage);
  let assemblyFormat = [{
    $kernel `reads` $reads `writes` $writes `grid` $grid `bytes` $bytes `flops` $flops
    (`nodes` $nodes^)? (`workspace` $workspace^)? (`tickets` $tickets^)?
    (`variants` $variants^)? (`stage` $stage^)? attr-dict
  }];
}

def Plan_CopyOp : Plan_Op<"copy", [HasParent<"ProgramOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Copies one buffer to another of the same size";
  let description = [{ Constraints: (C1) the buffers exist and have one size. }];
  let arguments = (ins FlatSymbolRefAttr:$from, FlatSymbolRefAttr:$to,
                       OptionalAttr<I64Attr>:$stage);
  let assemblyFormat = "$from `to` $to (`stage` $stage^)? attr-dict";
}

def Plan_CollectiveOp : Plan_Op<"collective", [HasParent<"ProgramOp">,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Ranks put together what each of them has in a buffer";
  let description = [{
    Of elements in blocks of `inner`:

    - all_reduce: [outer, inner] of every rank, combined -> [outer, inner] on all; `to` may
      have the storage of `from`;
    - all_gather: [outer, inner] of every rank -> [outer, ranks, inner];
    - reduce_scatter: [outer, ranks, inner] of every rank, combined -> its own [outer, inner];
    - broadcast: [outer, inner] of the ranks of `stage` -> [outer, inner] on all, from each
      of them to the ranks that have its place in the other stages; `to` is `from`;
    - permute: the same to the ranks of stage `takers` alone;
    - all_to_all: [outer, ranks, inner] of every rank -> [outer, ranks, inner]: part j of the
      result on rank r is part r of rank j.

    The others are of the ranks of `stage`, or of all ranks where there is none; with
    `ranks [size, apart]` of each `size` of these that are `apart`, side by side. GPUs of
    one process may carry an all_reduce out by `kernel`, over peer memory, or a larger one
    by `split_kernel`.

    With `join` it runs in the stream of collectives, behind the steps in front of it and
    beside those up to step `join`, in front of which kernels wait for it; the number of
    steps means the end. Without, it is in the stream of kernels. A runtime with one stream
    runs all steps in order.

    ```mlir
    plan.collective all_reduce by sum from @b4 to @b5 element f32 outer <[1]> inner <[n] -> [8 * n]>
    plan.collective broadcast from @b5 to @b5 element i8 outer <[1]> inner <[n] -> [32 * n]> stage 0
    plan.collective permute from @b6 to @b6 element i8 outer <[1]> inner <[n] -> [32 * n]> stage 0 takers 1
    ```

    Constraints: (C1) the buffers exist. (C2) outer and inner are one expression each. (C3)
    there is a reduction (sum, mean, max, min or prod) of an all_reduce or a reduce_scatter
    alone. (C4) a broadcast and a permute have a stage, and hand on the buffer that they
    read; a permute has takers, which are another stage. (C5) ranks are two numbers of 1
    and more, and not of a broadcast or a permute. (C6) no step up to `join`
    reads or writes what the collective writes, or writes what it reads (kiln-verify-plan).
  }];
  let arguments = (ins Plan_CollectiveKindAttr:$kind,
                       OptionalAttr<Graph_ReduceKindAttr>:$reduction,
                       FlatSymbolRefAttr:$from, FlatSymbolRefAttr:$to, TypeAttr:$element,
                       Graph_ShapeAttr:$outer, Graph_ShapeAttr:$inner,
                       OptionalAttr<StrArrayAttr>:$nodes, OptionalAttr<I64Attr>:$stage,
                       OptionalAttr<DenseI64ArrayAttr>:$ranks,
                       OptionalAttr<FlatSymbolRefAttr>:$kernel,
                       OptionalAttr<FlatSymbolRefAttr>:$split_kernel,
                       OptionalAttr<I64Attr>:$join, OptionalAttr<I64Attr>:$takers);
  // Printing an enum adds a space, which the empty literal `` removes.
  let assemblyFormat = [{
    `` $kind (`by` `` $reduction^)? `from` $from `to` $to `element` $element `outer` $outer
    `inner` $inner (`nodes` $nodes^)? (`stage` $stage^)? (`takers` $takers^)? (`ranks` $ranks^)? (`kernel` $kernel^)?
    (`split` $split_kernel^)? (`join` $join^)? attr-dict
  }];
}

#endif // KILN_PLAN_OPS_TD
