//===- LowerTileTicket.cpp - Blocks that finish each other's work ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A counter per ticket that wraps to 0 by itself. All threads of the block have
// written before the barrier; one of them then counts, releasing what the block
// wrote and acquiring what earlier blocks did, to the scope of the GPU; the second
// barrier hands both the answer and the order on to all. The answer travels with
// the barrier: shared memory stays as it is.
//
//===----------------------------------------------------------------------===//

#include "LowerTile.h"
#include "kiln/abi.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

void KernelLowering::lowerWorkspace(tile::WorkspaceOp op) {
  Value pointer =
      program.function.getBody().front().getArgument(program.workspaceArgument());
  program.buffers[op] = {pointer, Space::Global, KILN_CUDA_BUFFER_ALIGNMENT};
}

void KernelLowering::lowerCounter(tile::TicketOp op) {
  Value tickets =
      program.function.getBody().front().getArgument(program.workspaceArgument() + 1);
  Value counter = program.gep(tickets, b.getI32Type(), program.scalar(op.getNumber()));
  Value last = arith::ConstantIntOp::create(b, op.getCount() - 1, 32);
  if (op.getActual()) {
    Value actual =
        arith::IndexCastOp::create(b, b.getI32Type(), program.scalar(op.getActual()));
    last = arith::SubIOp::create(b, actual, program.word(1));
  }
  Value zero = arith::ConstantIntOp::create(b, 0, 32);
  program.barrier();
  Values isLast = program.guarded(
      program.owner(Layout::row(1, program.team.threads, 1)),
      [&]() -> Values {
        // In words: LLVM's atomicrmw loses its ordering on the way to PTX.
        Value before = program.assembly(b.getI32Type(), {counter, last},
                                        "atom.acq_rel.gpu.global.inc.u32 $0, [$1], $2;",
                                        "=r,l,r,~{memory}");
        Value full = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, before, last);
        return {arith::ExtUIOp::create(b, b.getI32Type(), full)};
      },
      {zero});
  // Where a warpgroup copies, it does not take part: a barrier of its own for the others.
  std::string name =
      (program.isSpecialized ? "1, " : "0, ") + std::to_string(program.team.threads);
  Value any = program.assembly(b.getI32Type(), isLast,
                               "{\n.reg .pred mine, all;\nsetp.ne.b32 mine, $1, 0;\n"
                               "bar.red.or.pred all, " +
                                   name + ", mine;\nselp.b32 $0, 1, 0, all;\n}",
                               "=r,r,~{memory}");
  program.diverged = false;
  program.scalars.map(
      op.getLast(),
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, any, zero).getResult());
}
