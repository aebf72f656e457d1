//===- GraphStateOps.cpp - Tensors that outlive a run ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Inference.h"

using namespace mlir;
using namespace kiln::graph;

LogicalResult KvWriteOp::inferReturnTypes(MLIRContext *, Loc loc, Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  Dims state = getDims(adaptor.getState()), rows = getDims(adaptor.getRows());
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(loc, "(C1)", axis, state.size())))
    return failure();
  if (axis == 0)
    return emitOptionalError(loc, "(C1) axis 0 counts sequences, not positions");
  bool agree = rows.size() == state.size();
  for (size_t i = 0; agree && i < rows.size(); ++i)
    agree = int64_t(i) == axis || rows[i] == state[i];
  if (!agree)
    return emitOptionalError(loc, "(C2) rows ", adaptor.getRows().getType(),
                             " do not fit state ", adaptor.getState().getType(),
                             " along axis ", axis);
  if (elementTypeOf(adaptor.getRows()) != elementTypeOf(adaptor.getState()))
    return emitOptionalError(loc, "(C3) expected rows of type ",
                             elementTypeOf(adaptor.getState()), ", found ",
                             elementTypeOf(adaptor.getRows()));
  for (Value perSequence : {adaptor.getStarts(), adaptor.getCounts()})
    if (getDims(perSequence) != Dims{state[0]})
      return emitOptionalError(loc, "(C4) expected one number per sequence, [",
                               state[0].str(), "], found ", perSequence.getType());
  types.push_back(adaptor.getState().getType());
  return success();
}

std::optional<unsigned> kiln::graph::updatedOperand(KernelOp kernel, unsigned result) {
  auto write = kernel.getYielded()[result].getDefiningOp<KvWriteOp>();
  auto state = write ? dyn_cast<BlockArgument>(write.getState()) : BlockArgument();
  return state ? std::optional(state.getArgNumber()) : std::nullopt;
}
