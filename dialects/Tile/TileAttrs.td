//===- TileAttrs.td - Attributes of the tile dialect -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TILE_ATTRS_TD
#define KILN_TILE_ATTRS_TD

include "dialects/Tile/TileDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Tile_ReduceKind : I32EnumAttr<"ReduceKind", "how tile.reduce combines two elements", [
    I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"prod", 1>, I32EnumAttrCase<"max", 2>,
    I32EnumAttrCase<"min", 3>, I32EnumAttrCase<"umax", 4>, I32EnumAttrCase<"umin", 5>,
    I32EnumAttrCase<"bit_and", 6, "and">, I32EnumAttrCase<"bit_or", 7, "or">]> {
  let cppNamespace = "::kiln::tile";
  let genSpecializedAttr = 0;
}
def Tile_ReduceKindAttr : EnumAttr<Tile_Dialect, Tile_ReduceKind, "reduce_kind">;

def Tile_DotProduct : I32EnumAttr<"DotProduct", "the CPU instruction whose order of additions tile.mma has", [
    I32EnumAttrCase<"vdpbf16ps", 0>, I32EnumAttrCase<"tdpbf16ps", 1>]> {
  let cppNamespace = "::kiln::tile";
  let genSpecializedAttr = 0;
}
def Tile_DotProductAttr : EnumAttr<Tile_Dialect, Tile_DotProduct, "dot_product"> {
  let assemblyFormat = "`<` $value `>`";
}

def Tile_StagedLayout : I32EnumAttr<"StagedLayout", "how a staged tile lies in shared memory", [
    I32EnumAttrCase<"lines", 0>, I32EnumAttrCase<"matrices", 1>, I32EnumAttrCase<"words", 2>]> {
  let cppNamespace = "::kiln::tile";
  let genSpecializedAttr = 0;
}
def Tile_StagedLayoutAttr : EnumAttr<Tile_Dialect, Tile_StagedLayout, "staged_layout">;

def Tile_LinearLayoutAttr : AttrDef<Tile_Dialect, "LinearLayout"> {
  let mnemonic = "linear_layout";
  let summary = "Which element of a fragment is in which register of which thread";
  let description = [{
    A map that is linear over the bits of the register's and the thread's number (over
    GF(2), as Triton's linear layouts): the element, row * columns + column, is the
    exclusive or of one basis per set bit. A basis of 0 is a bit whose two halves hold
    the same elements.

    ```mlir
    // Rows of 8: two contiguous elements per thread, then four threads across, then rows.
    #tile.linear_layout<registers = [1], threads = [2, 4, 8, 16, 32]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$registers,
                        ArrayRefParameter<"int64_t">:$threads);
  let hasCustomAssemblyFormat = 1;
  let genMnemonicAlias = 1;
  let genVerifyDecl = 1;
}

def Tile_MemorySpace : I32EnumAttr<"MemorySpace", "where a buffer of a kernel is", [
    I32EnumAttrCase<"global", 0>, I32EnumAttrCase<"shared", 1>, I32EnumAttrCase<"tensor", 2>]> {
  let cppNamespace = "::kiln::tile";
  let genSpecializedAttr = 0;
}

def Tile_MemLayoutAttr : AttrDef<Tile_Dialect, "MemLayout"> {
  let mnemonic = "mem_layout";
  let summary = "Where the elements of a tile lie in a buffer";
  let description = [{
    Dim `contiguous` of the tile (0: rows, 1: columns) is contiguous in memory. Its lines
    are cut into pieces of `swizzle` bytes (32, 64 or 128); the first piece of every line
    comes first, then the second of every line, and so on. Within a piece, chunks of 16
    bytes are swizzled by the number of the line, as TMA and wgmma do (PTX ISA,
    "Shared memory layout": offset ^ ((offset >> 3) & (swizzle - 16))).

    Or the tile lies as one of `!tile.staged` (`lines`, `matrices`, `words`), and no swizzle
    is named: `#tile.mem_layout<contiguous = 1, matrices>`.
  }];
  let parameters = (ins "int64_t":$contiguous, "int64_t":$swizzle,
                        OptionalParameter<"std::optional<::kiln::tile::StagedLayout>">:$staged);
  let builders = [
    AttrBuilder<(ins "int64_t":$contiguous, "int64_t":$swizzle), [{
      return $_get($_ctxt, contiguous, swizzle, std::nullopt);
    }]>,
    AttrBuilder<(ins "int64_t":$contiguous, "::kiln::tile::StagedLayout":$staged), [{
      return $_get($_ctxt, contiguous, /*swizzle=*/0, staged);
    }]>
  ];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_GemmConfigAttr : AttrDef<Tile_Dialect, "GemmConfig"> {
  let mnemonic = "gemm_config";
  let summary = "How the GEMM emitter tiles a product";
  let description = [{
    `nr` columns are one panel of the right operand, `group` panels lie side by
    side in the register tile of `mr` rows. `mc` rows and `panels` panels are
    the most of one task, `kc` is the steps of K of one pass over the rows (0: all of
    them), `ku` the fewest steps of K between two prefetches. `staged_epilogue`: the
    epilogue runs on rows kept in scratch instead of on the register tile.
  }];
  let parameters = (ins "int64_t":$mr, "int64_t":$nr, "int64_t":$mc, "int64_t":$panels,
                        "int64_t":$kc, "int64_t":$ku, "int64_t":$group, "bool":$staged_epilogue);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tile_BlockGemmConfigAttr : AttrDef<Tile_Dialect, "BlockGemmConfig"> {
  let mnemonic = "block_gemm_config";
  let summary = "How the GEMM emitter tiles a product for a block of threads";
  let description = [{
    A block of `threads` threads computes `rows` rows of `panels` panels; its
    operands are staged `block_k` steps at a time, `stages` tiles of each ahead.
    `row_threads` threads finish one row of one panel in the epilogue. `split` blocks share
    K: each leaves its sums in the workspace, and the last adds them in order.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$panels, "int64_t":$block_k, "int64_t":$stages,
                        "int64_t":$threads, "int64_t":$row_threads,
                        DefaultValuedParameter<"int64_t", "1">:$split);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tile_WarpgroupGemmConfigAttr : AttrDef<Tile_Dialect, "WarpgroupGemmConfig"> {
  let mnemonic = "warpgroup_gemm_config";
  let summary = "How the GEMM emitter tiles a product for warpgroups and tensor copies";
  let description = [{
    A block computes `rows` rows (64 per warpgroup) of `panels` panels and walks
    over its tasks in groups of `raster` rows of tasks. One more warpgroup copies
    the operands, `block_k` steps of K at a time, into a ring of `stages` slots.
    The epilogue finishes `epilogue_panels` panels at a time, `row_threads` threads a row of one.
    Threads that copy keep `copy_registers` registers, those that compute
    `compute_registers`; 0: nobody's are changed. `split` tasks share K, as in a
    block_gemm_config. Blocks in clusters of `cluster` compute tiles that follow each other
    along the rows; each loads a part of the panels for all of them. Stream-K: steps of the last waves' tiles are
    cut evenly for `tail_blocks` blocks; 0: tiles are not cut.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$panels, "int64_t":$block_k, "int64_t":$stages,
                        "int64_t":$epilogue_panels, "int64_t":$row_threads, "int64_t":$raster,
                        "int64_t":$copy_registers, "int64_t":$compute_registers,
                        DefaultValuedParameter<"int64_t", "1">:$split,
                        DefaultValuedParameter<"int64_t", "1">:$cluster,
                        DefaultValuedParameter<"int64_t", "0">:$tail_blocks);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tile_GemvConfigAttr : AttrDef<Tile_Dialect, "GemvConfig"> {
  let mnemonic = "gemv_config";
  let summary = "How the GEMM emitter spreads a product of few rows over warps";
  let description = [{
    A warp computes `columns` columns of all rows, a power of two; `across` warps
    have neighbouring columns, `split` warps share the K of each. A lane reads
    `vector` neighbours of the right operand at once, a power of two: along the
    columns, of which a row of the warp's tile holds at most 32 times as many, or,
    `along_k`, along K. It does so `unroll` times before it
    multiplies. `row_threads` threads finish one row in the epilogue.
  }];
  let parameters = (ins "int64_t":$columns, "int64_t":$across, "int64_t":$split,
                        "int64_t":$vector, "int64_t":$unroll, "bool":$along_k,
                        "int64_t":$row_threads);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static constexpr int64_t kLanes = 32;
    /// Returns the elements along K that the lanes of a warp load at a time.
    int64_t getKLanes() const {
      return getAlongK() ? kLanes : kLanes * getVector() / getColumns();
    }
    int64_t getThreads() const { return kLanes * getAcross() * getSplit(); }
    int64_t getBlockColumns() const { return getColumns() * getAcross(); }
  }];
}

def Tile_TensorMapAttr : AttrDef<Tile_Dialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "How tensor copies see a buffer of a kernel";
  let description = [{
    Element [i, j, ...] of argument `buffer` of the kernel is element offset + i +
    j * strides[0] + ...: the first dim is contiguous, so there is one stride less
    than there are extents. A copy brings `box` elements along each dim; what is
    outside the extents arrives as zero. Lines of `swizzle` bytes (32, 64 or 128)
    are swizzled in shared memory. The maps are over the kernel's symbols and
    count elements.
  }];
  let parameters = (ins "int64_t":$buffer, "::mlir::Type":$element,
                        "::mlir::AffineMapAttr":$offset, "::mlir::AffineMapAttr":$extents,
                        "::mlir::AffineMapAttr":$strides, "::mlir::DenseI64ArrayAttr":$box,
                        "int64_t":$swizzle);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tile_BoundAttr : AttrDef<Tile_Dialect, "Bound"> {
  let mnemonic = "bound";
  let summary = "A limit on what a kernel's symbols amount to";
  let description = [{
    Holds where `value`, a map over the kernel's symbols, is at most `max`.

    ```mlir
    #tile.bound<affine_map<()[s0, s1] -> (s0 * s1)> max 8>
    ```
  }];
  let parameters = (ins "::mlir::AffineMapAttr":$value, "int64_t":$max);
  let assemblyFormat = "`<` $value `max` $max `>`";
}

def Tile_BlockAttentionConfigAttr : AttrDef<Tile_Dialect, "BlockAttentionConfig"> {
  let mnemonic = "block_attention_config";
  let summary = "How the attention emitter tiles its products for a block of threads";
  let description = [{
    A block of `threads` threads computes `rows` query rows of one head, walking
    over the keys `keys` at a time. If `split` is not 0, the keys of a tile of rows
    are split over blocks of `split` positions each, and the last of these blocks
    merges their results (flash-decoding).
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$keys, "int64_t":$threads,
                        DefaultValuedParameter<"int64_t", "0">:$split);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tile_WarpgroupAttentionConfigAttr : AttrDef<Tile_Dialect, "WarpgroupAttentionConfig"> {
  let mnemonic = "warpgroup_attention_config";
  let summary = "How the attention emitter tiles its products for warpgroups and TMA";
  let description = [{
    A block computes `rows` query rows of one head, 64 per consumer warpgroup, and walks
    over its tasks; the keys come `keys` at a time. One more warpgroup, the producer,
    copies queries, keys and values by TMA into buffers of `stages` stages of keys and
    values. Its threads keep `producer_registers` registers, those of consumers
    `consumer_registers`; 0: nobody's are changed.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$keys, "int64_t":$stages,
                        "int64_t":$producer_registers, "int64_t":$consumer_registers);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tile_AttentionConfigAttr : AttrDef<Tile_Dialect, "AttentionConfig"> {
  let mnemonic = "attention_config";
  let summary = "How the attention emitter tiles its products";
  let description = [{
    `mr` x `nr` is the register tile of both products, `mc` the most query rows
    of a task.
  }];
  let parameters = (ins "int64_t":$mr, "int64_t":$nr, "int64_t":$mc);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Tile_PointwiseConfigAttr : AttrDef<Tile_Dialect, "PointwiseConfig"> {
  let mnemonic = "pointwise_config";
  let summary = "How the row and pointwise emitter splits its work";
  let description = [{
    `lanes` is the length of a fragment, `grain` about how many elements a task
    computes, `stage` 1 if what a row op reads is kept in scratch between its
    passes instead of being computed again. On a GPU, `threads` is the size of
    a block and `group_threads` how many of them share a fragment. Where vectors run along a
    dim that a reduction leaves, `reduce_split` groups share the reduced positions of one
    fragment; 1: each walks over all of its own. On the host, `positions` of the loop
    around that dim are reduced side by side, each in its own accumulators; 1: one
    after the other.
  }];
  let parameters = (ins "int64_t":$lanes, "int64_t":$grain, "bool":$stage,
                        DefaultValuedParameter<"int64_t", "0">:$threads,
                        DefaultValuedParameter<"int64_t", "0">:$group_threads,
                        DefaultValuedParameter<"int64_t", "1">:$reduce_split,
                        DefaultValuedParameter<"int64_t", "1">:$positions);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Tile_StagingConfigAttr : AttrDef<Tile_Dialect, "StagingConfig"> {
  let mnemonic = "staging_config";
  let summary = "How a pointwise or row kernel stages strided operands through scratch";
  let description = [{
    A task computes a tile of the result: `tile` positions of each loop that a staged
    operand or the result is contiguous along, the result's innermost loop first. A tile
    of a row kernel is whole rows, copied `tile[0]` columns at a time. Operands that are
    strided along the result are copied into scratch first. Lines there are contiguous
    as they are in the operand; in row kernels and on the host, as rows of the result
    are. `pads` has, per such operand, the elements between the end of a line and the
    next one, in row kernels beyond a multiple of 128 bytes. Then `compute` says how
    rows are computed from scratch. A tile of the host is transposed in registers on
    the way; a task has as many tiles as `compute.grain` elements make.
  }];
  let parameters = (ins "::mlir::DenseI64ArrayAttr":$tile,
                        "::mlir::DenseI64ArrayAttr":$pads,
                        "::kiln::tile::PointwiseConfigAttr":$compute);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// Alignment in bytes of the row length in scratch; the padding is shorter than this.
    static constexpr int64_t kUnitBytes = 128;
    int64_t getElements() const {
      int64_t elements = 1;
      for (int64_t length : getTile().asArrayRef())
        elements *= length;
      return elements;
    }
  }];
}

def Tile_ScatterConfigAttr : AttrDef<Tile_Dialect, "ScatterConfig"> {
  let mnemonic = "scatter_config";
  let summary = "How the scatter emitter splits its work";
  let description = [{
    `rows` rows of the result are one part, whose owner copies the data and then looks
    for updates of them, `chunk` indices at a time. Fragments of `lanes` elements run
    along the columns, or, where there is one column, along the rows; `held`: such a
    part is one fragment and stays in registers. On a GPU, `threads` is the size of a
    block and `group_threads` how many of them own a part.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$lanes, "int64_t":$chunk, "bool":$held,
                        DefaultValuedParameter<"int64_t", "0">:$threads,
                        DefaultValuedParameter<"int64_t", "0">:$group_threads);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // KILN_TILE_ATTRS_TD
