//===- async.cpp - The asynchronous instructions --------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/async/async.h"

namespace kiln::sim::exec {

void addAsyncDecoders(DecoderTable &table) {
  async::addMbarrier(table);
  async::addCpAsync(table);
  async::addBulkCopy(table);
  async::addTensorCopy(table);
  async::addRemote(table);
  async::addTensormap(table);
  async::addSetmaxnreg(table);
}

async::LaneAddress async::laneAddress(Decoder &decoder, const ptx::Operand &operand,
                                      ptx::StateSpace space) {
  LaneAddress result;
  result.operand = decoder.address(operand);
  switch (space) {
  case ptx::StateSpace::Shared:
  case ptx::StateSpace::SharedCta:
    result.space = Space::Shared;
    break;
  case ptx::StateSpace::SharedCluster:
    result.space = Space::SharedCluster;
    break;
  case ptx::StateSpace::Global:
    result.space = Space::Global;
    break;
  default:
    result.space = Space::Generic;
    break;
  }
  return result;
}

} // namespace kiln::sim::exec
