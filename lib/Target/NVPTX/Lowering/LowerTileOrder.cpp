//===- LowerTileOrder.cpp - Consumer warpgroups take turns ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each warpgroup has a named barrier, at which it waits for its turn and at which the one
// before it arrives when that one's turn is over. The last one arrives at the first one's
// before anything else, and the first one waits once more at the end, so that no arrival
// is left.
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

/// At the barrier of a warpgroup: it and the one before it.
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
