//===- LowerTileOrder.cpp - Order of consumer warpgroups ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each warpgroup has a named barrier for its turn: it waits there, and the previous
// warpgroup arrives there when its own turn ends. Initially the last warpgroup arrives at
// the first one's barrier, and at the end the first one waits once more, so that no
// arrival is left pending.
//
//===----------------------------------------------------------------------===//

#include "AsyncLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

int64_t AsyncLowering::consumerGroups() {
  return *program.kernel.getThreads() / kGroupThreads;
}

/// Arrives or waits at a warpgroup's barrier, which it and the previous warpgroup use.
void AsyncLowering::meetInOrder(StringRef instruction, Value group) {
  Value number = arith::AddIOp::create(
      b, group, program.word(kFirstGroupBarrier + consumerGroups()));
  program.assembly(
      {}, {number},
      (instruction + " $0, " + std::to_string(2 * kGroupThreads) + ";").str(),
      "r,~{memory}");
}

void AsyncLowering::lower(tile::WaitOrderOp) {
  program.converge();
  meetInOrder("bar.sync", warpgroup);
}

void AsyncLowering::lower(tile::ArriveOrderOp) {
  program.converge();
  Value next = arith::AddIOp::create(b, warpgroup, program.word(1));
  Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next,
                                       program.word(consumerGroups()));
  meetInOrder("bar.arrive", arith::SelectOp::create(b, isLast, program.word(0), next));
}

void AsyncLowering::beginOrder() {
  Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, warpgroup,
                                       program.word(consumerGroups() - 1));
  program.guarded(isLast, [&] { meetInOrder("bar.arrive", program.word(0)); });
}

void AsyncLowering::endOrder() {
  Value isFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, warpgroup, program.word(0));
  program.guarded(isFirst, [&] { meetInOrder("bar.sync", program.word(0)); });
}
