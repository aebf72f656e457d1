//===- LowerTileTicket.cpp - Arrival counters of blocks -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each arrival counter wraps to 0 when the last block arrives. All threads of the block
// write before the barrier; then one thread increments the counter with acquire-release
// at GPU scope: it releases the block's writes and acquires those of earlier blocks. The
// second barrier passes its result and this order to all threads. The result is part of
// the barrier (bar.red), so no shared memory is written.
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
        // Inline assembly: LLVM's atomicrmw loses its ordering in the NVPTX backend.
        Value before = program.assembly(b.getI32Type(), {counter, last},
                                        "atom.acq_rel.gpu.global.inc.u32 $0, [$1], $2;",
                                        "=r,l,r,~{memory}");
        Value full = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, before, last);
        return {arith::ExtUIOp::create(b, b.getI32Type(), full)};
      },
      {zero});
  // In a specialized kernel the producer does not take part: consumers have barrier 1.
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
