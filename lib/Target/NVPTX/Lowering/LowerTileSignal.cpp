//===- LowerTileSignal.cpp - Signals between blocks of several GPUs -------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signals have system scope and are one-sided. To signal: a block barrier, then lanes of
// the first warp store with release, one per flag. To wait: lanes load with acquire, then
// a block barrier. A waiting lane also polls the abort word in the host's memory.
//
//===----------------------------------------------------------------------===//

#include "LowerTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

/// Returns true in the first `count` threads of the block.
Value KernelLowering::isAmongFirst(int64_t count) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, program.thread,
                               program.word(count));
}

void KernelLowering::lowerPost(tile::PostOp op) {
  Value flag = program.buffers.lookup(op.getFlags().front()).pointer;
  for (auto [i, other] : llvm::enumerate(op.getFlags().drop_front())) {
    Value isMine = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, program.thread,
                                         program.word(int64_t(i) + 1));
    flag = LLVM::SelectOp::create(b, isMine, program.buffers.lookup(other).pointer, flag);
  }
  flag = program.gep(flag, b.getI32Type(), program.scalar(op.getIndex()));
  program.barrier();
  program.guarded(isAmongFirst(op.getFlags().size()), [&] {
    program.assembly({}, {flag, program.scalar(op.getValue())},
                     "st.release.sys.global.u32 [$0], $1;", "l,r,~{memory}");
  });
  program.diverged = true;
}

void KernelLowering::lowerAwait(tile::AwaitOp op) {
  Value first = program.gep(program.buffers.lookup(op.getFlags()).pointer, b.getI32Type(),
                            program.scalar(op.getFirst()));
  Value own = arith::IndexCastOp::create(b, b.getIndexType(), program.thread);
  Value flag = program.gep(first, b.getI32Type(), own);
  Value abort = program.buffers.lookup(op.getAbort()).pointer;
  program.guarded(isAmongFirst(op.getCount()), [&] {
    program.assembly({}, {flag, program.scalar(op.getValue()), abort},
                     "{\n.reg .pred over;\n.reg .b32 seen, tries;\n"
                     "mov.b32 tries, 0;\n"
                     "waiting:\n"
                     "ld.acquire.sys.global.b32 seen, [$0];\n"
                     "sub.s32 seen, seen, $1;\n"
                     "setp.ge.s32 over, seen, 0;\n"
                     "@over bra done;\n"
                     "add.s32 tries, tries, 1;\n"
                     "and.b32 seen, tries, 255;\n"
                     "setp.ne.s32 over, seen, 0;\n"
                     "@over bra waiting;\n"
                     "ld.relaxed.sys.global.b32 seen, [$2];\n"
                     "setp.eq.s32 over, seen, 0;\n"
                     "@over bra waiting;\n"
                     "done:\n}",
                     "l,r,l,~{memory}");
  });
  program.barrier();
}
