//===- GraphSharding.cpp - Loops and indexing maps for sharding --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What upstream's Shard dialect needs to propagate and partition: for each op,
// its loops and what every operand and result indexes in them. A loop that must
// stay whole on one device (a softmax row, a sliced dim) is a generic reduction.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Graph.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln::graph;
using mlir::shard::ReductionKind;
using mlir::utils::IteratorType;

namespace {
/// Collects loops and maps; loops are numbered as they are added.
class Loops {
public:
  explicit Loops(MLIRContext *context) : context(context) {}

  unsigned parallel() { return add(IteratorType::parallel); }
  unsigned reduction(ReductionKind kind) {
    info.reductions.push_back(kind);
    return add(IteratorType::reduction);
  }
  void map(ArrayRef<int64_t> loops) { pending.emplace_back(loops.begin(), loops.end()); }

  ShardingInfo finish() {
    for (ArrayRef<int64_t> loops : pending) {
      SmallVector<AffineExpr> exprs;
      for (int64_t loop : loops)
        exprs.push_back(loop < 0 ? getAffineConstantExpr(0, context)
                                 : getAffineDimExpr(loop, context));
      info.maps.push_back(AffineMap::get(info.iterators.size(), 0, exprs, context));
    }
    return std::move(info);
  }

private:
  unsigned add(IteratorType type) {
    info.iterators.push_back(type);
    return info.iterators.size() - 1;
  }
  MLIRContext *context;
  ShardingInfo info;
  SmallVector<SmallVector<int64_t>> pending;
};
} // namespace

/// The loops of `dims` when they broadcast against result loops 0..rank-1; -1
/// where the dim is 1 and the result's is not.
static SmallVector<int64_t> broadcastLoops(ArrayRef<SymbolicExpr> dims,
                                           ArrayRef<SymbolicExpr> result) {
  SmallVector<int64_t> loops;
  size_t shift = result.size() - dims.size();
  for (size_t i = 0; i < dims.size(); ++i)
    loops.push_back(dims[i] == result[i + shift] ? int64_t(i + shift) : -1);
  return loops;
}

static ShardingInfo elementwise(Operation *op) {
  Loops nest(op->getContext());
  Dims result = getDims(op->getResult(0));
  for (size_t i = 0; i < result.size(); ++i)
    nest.parallel();
  for (Value operand : op->getOperands())
    nest.map(broadcastLoops(getDims(operand), result));
  nest.map(broadcastLoops(result, result));
  return nest.finish();
}

static ShardingInfo matmul(MatmulOp op) {
  Loops nest(op.getContext());
  Dims result = getDims(op.getResult());
  size_t rank = result.size();
  for (size_t i = 0; i < rank; ++i)
    nest.parallel();
  int64_t m = rank - 2, n = rank - 1, k = nest.reduction(ReductionKind::Sum);
  ArrayRef<SymbolicExpr> lead = ArrayRef(result).drop_back(2);
  auto operand = [&](Value value, int64_t row, int64_t column, bool transposed) {
    Dims dims = getDims(value);
    SmallVector<int64_t> loops = broadcastLoops(ArrayRef(dims).drop_back(2), lead);
    loops.append({transposed ? column : row, transposed ? row : column});
    nest.map(loops);
  };
  operand(op.getLhs(), m, k, op.getTransposeA());
  operand(op.getRhs(), k, n, op.getTransposeB());
  nest.map(broadcastLoops(result, result));
  return nest.finish();
}

static ShardingInfo attention(AttentionOp op) {
  Loops nest(op.getContext());
  int64_t b = nest.parallel(), h = nest.parallel(), s = nest.parallel(),
          dv = nest.parallel();
  int64_t d = nest.reduction(ReductionKind::Sum);
  int64_t t = nest.reduction(ReductionKind::Generic);
  Dims q = getDims(op.getQuery()), k = getDims(op.getKey());
  // Shared key heads cannot be split along the query heads' loop.
  int64_t kh = q[1] == k[1] ? h : nest.reduction(ReductionKind::Generic);
  nest.map({b, h, s, d});
  nest.map({b, kh, t, d});
  nest.map({b, kh, t, dv});
  if (Value mask = op.getMask()) {
    Dims own = getDims(mask), scores{q[0], q[1], q[2], k[2]};
    int64_t loops[] = {b, h, s, t};
    SmallVector<int64_t> mapped = broadcastLoops(own, scores);
    for (int64_t &loop : mapped)
      loop = loop < 0 ? -1 : loops[loop];
    nest.map(mapped);
  }
  if (op.getLengths())
    nest.map({b});
  nest.map({b, h, s, dv});
  return nest.finish();
}

/// `whole` dims of the input stay on one device; the others are parallel. The
/// result indexes the loops in `resultLoops` (empty: as the input).
static ShardingInfo rowwise(Operation *op, function_ref<bool(int64_t)> whole,
                            ReductionKind kind, bool reduces, bool keepDims) {
  Loops nest(op->getContext());
  Dims input = getDims(op->getOperand(0));
  SmallVector<int64_t> loops, result;
  for (size_t i = 0; i < input.size(); ++i) {
    loops.push_back(whole(i) ? nest.reduction(kind) : nest.parallel());
    if (!reduces || !whole(i))
      result.push_back(loops.back());
    else if (keepDims)
      result.push_back(-1);
  }
  nest.map(loops);
  for (Value operand : op->getOperands().drop_front()) {
    SmallVector<int64_t> mapped = broadcastLoops(getDims(operand), input);
    nest.map(mapped);
  }
  nest.map(result);
  return nest.finish();
}

static ReductionKind shardKind(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::sum:
  case ReduceKind::sum_square:
  case ReduceKind::l1:
    return ReductionKind::Sum;
  case ReduceKind::max:
    return ReductionKind::Max;
  case ReduceKind::min:
    return ReductionKind::Min;
  case ReduceKind::prod:
    return ReductionKind::Product;
  default:
    return ReductionKind::Generic;
  }
}

static ShardingInfo transpose(TransposeOp op) {
  Loops nest(op.getContext());
  SmallVector<int64_t> input, result(op.getPermutation().begin(), op.getPermutation().end());
  for (size_t i = 0; i < result.size(); ++i)
    input.push_back(nest.parallel());
  nest.map(input);
  nest.map(result);
  return nest.finish();
}

static ShardingInfo gather(GatherOp op) {
  Loops nest(op.getContext());
  Dims data = getDims(op.getData()), indices = getDims(op.getIndices());
  SmallVector<int64_t> dataLoops, indexLoops, result;
  for (int64_t i = 0; i < int64_t(data.size()); ++i) {
    if (i != int64_t(op.getAxis())) {
      dataLoops.push_back(nest.parallel());
      result.push_back(dataLoops.back());
      continue;
    }
    dataLoops.push_back(nest.reduction(ReductionKind::Generic));
    for (size_t j = 0; j < indices.size(); ++j) {
      indexLoops.push_back(nest.parallel());
      result.push_back(indexLoops.back());
    }
  }
  nest.map(dataLoops);
  nest.map(indexLoops);
  nest.map(result);
  return nest.finish();
}

/// Batches and columns are parallel; any update may reach any row.
static ShardingInfo scatter(ScatterOp op) {
  Loops nest(op.getContext());
  int64_t batch = nest.parallel(), column = nest.parallel();
  int64_t row = nest.reduction(ReductionKind::Generic);
  int64_t update = nest.reduction(ReductionKind::Generic);
  bool perColumn = getDims(op.getIndices())[2] == getDims(op.getData())[2];
  nest.map({batch, row, column});
  nest.map({batch, update, perColumn ? column : -1});
  nest.map({batch, update, column});
  nest.map({batch, row, column});
  return nest.finish();
}

/// Dims that input and result share in place are parallel, others stay whole.
static ShardingInfo sameDims(Operation *op) {
  Loops nest(op->getContext());
  Dims result = getDims(op->getResult(0));
  SmallVector<SmallVector<int64_t>> operandLoops(op->getNumOperands());
  SmallVector<int64_t> resultLoops;
  for (size_t i = 0; i < result.size(); ++i) {
    bool same = llvm::all_of(op->getOperands(), [&](Value operand) {
      Dims dims = getDims(operand);
      return dims.size() == result.size() && dims[i] == result[i];
    });
    resultLoops.push_back(same ? nest.parallel() : nest.reduction(ReductionKind::Generic));
  }
  for (Value operand : op->getOperands()) {
    Dims dims = getDims(operand);
    SmallVector<int64_t> loops;
    for (size_t i = 0; i < dims.size(); ++i)
      loops.push_back(dims.size() == result.size() ? resultLoops[i]
                                                   : nest.reduction(ReductionKind::Generic));
    nest.map(loops);
  }
  nest.map(resultLoops);
  return nest.finish();
}

ShardingInfo kiln::graph::shardingOf(Operation *op) {
  return TypeSwitch<Operation *, ShardingInfo>(op)
      .Case<UnaryOp, BinaryOp, CompareOp, SelectOp, CastOp, BroadcastOp, FillOp>(elementwise)
      .Case<MatmulOp>(matmul)
      .Case<AttentionOp>(attention)
      .Case<SoftmaxOp>([](SoftmaxOp softmax) {
        return rowwise(
            softmax, [&](int64_t i) { return i == int64_t(softmax.getAxis()); },
            ReductionKind::Generic, false, false);
      })
      .Case<LayerNormOp, RmsNormOp>([](auto norm) {
        return rowwise(
            norm, [&](int64_t i) { return i >= int64_t(norm.getAxis()); },
            ReductionKind::Generic, false, false);
      })
      .Case<ReduceOp>([](ReduceOp reduce) {
        return rowwise(
            reduce, [&](int64_t i) { return llvm::is_contained(reduce.getAxes(), i); },
            shardKind(reduce.getKind()), true, reduce.getKeepDims());
      })
      .Case<TransposeOp>(transpose)
      .Case<GatherOp>(gather)
      .Case<ScatterOp>(scatter)
      .Default(sameDims);
}
