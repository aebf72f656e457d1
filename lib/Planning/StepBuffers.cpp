//===- StepBuffers.cpp - Buffers that a step accesses ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepBuffers.h"

using namespace kiln;
using namespace mlir;

static void add(ArrayAttr names, SmallVectorImpl<StringRef> &list) {
  for (auto name : names.getAsRange<FlatSymbolRefAttr>())
    list.push_back(name.getValue());
}

StepBuffers::StepBuffers(Operation *step) {
  if (auto launch = dyn_cast<plan::LaunchOp>(step)) {
    add(launch.getReads(), reads);
    add(launch.getWrites(), writes);
    if (launch.getWorkspace())
      writes.push_back(*launch.getWorkspace());
  } else if (auto copy = dyn_cast<plan::CopyOp>(step)) {
    reads.push_back(copy.getFrom());
    writes.push_back(copy.getTo());
  } else if (auto collective = dyn_cast<plan::CollectiveOp>(step)) {
    reads.push_back(collective.getFrom());
    writes.push_back(collective.getTo());
  }
}

plan::BufferOp kiln::storageOf(SymbolTable &symbols, StringRef name) {
  auto buffer = symbols.lookup<plan::BufferOp>(name);
  while (buffer.getAlias())
    buffer = symbols.lookup<plan::BufferOp>(*buffer.getAlias());
  return buffer;
}
