//===- GraphCost.cpp - Bytes and FLOPs of ops ---------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Graph.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln::graph;

static SymbolicExpr elementsOf(Value value) { return numElements(getDims(value)); }

/// Counts every operand as read once and every result as written once.
static SymbolicExpr trafficOf(Operation *op) {
  SymbolicExpr bytes;
  for (Value value : op->getOperands())
    bytes += byteSize(value.getType());
  for (Value value : op->getResults())
    bytes += byteSize(value.getType());
  return bytes;
}

/// Counts the gathered rows, not the table, as read.
static SymbolicExpr gatherBytes(GatherOp op) {
  return byteSize(op.getType()) * SymbolicExpr(2) + byteSize(op.getIndices().getType());
}

/// Counts the new rows as read and written; the rest of the state is not touched.
static SymbolicExpr kvWriteBytes(KvWriteOp op) {
  return byteSize(op.getRows().getType()) * SymbolicExpr(2) +
         byteSize(op.getStarts().getType()) * SymbolicExpr(2);
}

/// Returns how many elements of a value its users read: all of them once, except for a
/// table that is only gathered from, perhaps through views (the gathered rows), and a
/// state that is only written (none).
static SymbolicExpr readElements(Value value) {
  if (value.use_empty())
    return elementsOf(value);
  SymbolicExpr elements;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<GatherOp>(user) && use.getOperandNumber() == 0) {
      elements += elementsOf(user->getResult(0));
    } else if (isa<UnpackOp, ReshapeOp, TransposeOp>(user)) {
      SymbolicExpr behind = readElements(user->getResult(0));
      if (behind == elementsOf(user->getResult(0)))
        return elementsOf(value);
      elements += behind;
    } else if (!isa<KvWriteOp>(user) || use.getOperandNumber() != 0) {
      return elementsOf(value);
    }
  }
  return elements;
}

static SymbolicExpr kernelBytes(KernelOp kernel) {
  SymbolicExpr bytes;
  for (BlockArgument argument : kernel.getBlock().getArguments()) {
    auto type = cast<RankedTensorType>(argument.getType());
    bytes += readElements(argument) * SymbolicExpr(elementBytes(type.getElementType()));
  }
  for (Value value : kernel.getYielded()) {
    auto write = value.getDefiningOp<KvWriteOp>();
    bytes += byteSize((write ? write.getRows() : value).getType());
  }
  return bytes;
}

SymbolicExpr kiln::graph::defaultBytes(Operation *op) {
  return TypeSwitch<Operation *, SymbolicExpr>(op)
      .Case<ReshapeOp, GetWeightOp, ConstantOp, DimsOp>(
          [](auto) { return SymbolicExpr(0); })
      .Case<TransposeOp, BroadcastOp, SliceOp>(
          [](auto view) { return byteSize(view.getType()) * SymbolicExpr(2); })
      .Case<GatherOp>(gatherBytes)
      .Case<KvWriteOp>(kvWriteBytes)
      .Case<KernelOp>(kernelBytes)
      .Default(trafficOf);
}

static SymbolicExpr attentionFlops(AttentionOp op) {
  Dims q = getDims(op.getQuery()), v = getDims(op.getValue());
  SymbolicExpr scores = q[0] * q[1] * q[2] * v[2];
  // Two contractions, and five operations per score: scale, mask, max, exp and sum.
  return scores * (q[3] + v[3]) * SymbolicExpr(2) + scores * SymbolicExpr(5);
}

SymbolicExpr kiln::graph::defaultFlops(Operation *op) {
  return TypeSwitch<Operation *, SymbolicExpr>(op)
      .Case<MatmulOp>([](MatmulOp matmul) {
        Dims lhs = getDims(matmul.getLhs());
        SymbolicExpr k = lhs[lhs.size() - (matmul.getTransposeA() ? 2 : 1)];
        return elementsOf(matmul.getResult()) * k * SymbolicExpr(2);
      })
      .Case<ScaledMatmulOp>([](ScaledMatmulOp matmul) {
        return elementsOf(matmul.getResult()) * getDims(matmul.getInput()).back() *
               SymbolicExpr(2);
      })
      .Case<AttentionOp>(attentionFlops)
      .Case<QuantizeOp, DequantizeOp>(
          [](auto op) { return elementsOf(op.getResult()) * SymbolicExpr(4); })
      .Case<SoftmaxOp>(
          [](auto op) { return elementsOf(op.getInput()) * SymbolicExpr(5); })
      .Case<LayerNormOp>(
          [](auto op) { return elementsOf(op.getInput()) * SymbolicExpr(8); })
      .Case<RmsNormOp>(
          [](auto op) { return elementsOf(op.getInput()) * SymbolicExpr(5); })
      .Case<ReduceOp>([](auto op) { return elementsOf(op.getInput()); })
      .Case<RopeOp>([](auto op) { return elementsOf(op.getInput()) * SymbolicExpr(3); })
      .Case<AllReduceOp, ReduceScatterOp>([](auto op) {
        return elementsOf(op.getInput()) * SymbolicExpr(op.getRanks() - 1);
      })
      .Case<KernelOp>([](KernelOp kernel) {
        SymbolicExpr flops;
        for (Operation &inner : kernel.getBlock())
          if (auto cost = dyn_cast<CostOpInterface>(inner))
            flops += cost.getFlops();
        return flops;
      })
      .Default([](Operation *op) {
        return op->hasTrait<kiln::graph::Elementwise>() ? elementsOf(op->getResult(0))
                                                        : SymbolicExpr(0);
      });
}
