//===- TileSignalOps.td - Order between GPUs -*- tablegen -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_TILE_SIGNAL_OPS_TD
#define KILN_TILE_SIGNAL_OPS_TD

include "dialects/Tile/TileAttrs.td"
include "dialects/Tile/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_SignalOp<string mnemonic>
    : Tile_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let hasVerifier = 1;
}

def Tile_PostOp : Tile_SignalOp<"post"> {
  let summary = "Tells tasks on other GPUs how far this one is";
  let description = [{
    Word `index` of each of the flags becomes `value`. Who awaits it there sees all that the
    task had written, wherever that lies (release at system scope). It has no sequential
    meaning: the interpreter refuses it.

    ```mlir
    tile.post %epoch to %mine, %theirs [%i] : !tile.buffer<i32>, !tile.buffer<i32>
    ```

    Constraints:
    (C1) the kernel states its threads, and there are 1 to 32 flags, of i32.
    (C2) it stands in no loop of smaller thread groups: the task posts as one.
  }];
  let arguments = (ins I32:$value, Variadic<Tile_BufferType>:$flags, Index:$index);
  let assemblyFormat = "$value `to` $flags `[` $index `]` attr-dict `:` type($flags)";
}

def Tile_AwaitOp : Tile_SignalOp<"await"> {
  let summary = "Waits until tasks on other GPUs are as far";
  let description = [{
    Until `count` words of the flags, from word `first` on, are `value` or ahead of it (by
    less than 2^31: they wrap), or until word 0 of `abort` is not 0. The task then
    sees all that was written before these words were posted (acquire at system scope);
    after an abort, what it reads means nothing. The tasks that post must run at the same time or
    before.

    ```mlir
    tile.await %epoch in %flags[%i] count 4 unless %abort
       : !tile.buffer<i32>, !tile.buffer<i32>
    ```

    Constraints:
    (C1) the kernel states its threads, `count` is 1 to 32, both buffers are of i32.
    (C2) it stands in no loop of smaller thread groups: the task waits as one.
  }];
  let arguments = (ins I32:$value, Tile_BufferType:$flags, Index:$first,
                       Tile_BufferType:$abort, I64Attr:$count);
  let assemblyFormat = [{
    $value `in` $flags `[` $first `]` `count` $count `unless` $abort attr-dict
    `:` type($flags) `,` type($abort)
  }];
}

#endif // KILN_TILE_SIGNAL_OPS_TD
