//===- ShardRules.cpp - How ops pass on the split of a dim ----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShardRules.h"
#include "kiln/Analysis/Match.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

std::optional<Shard> kiln::graph::wholeAxis(Value value, int64_t axis, int64_t parts) {
  std::optional<int64_t> length = getDims(value)[axis].getConstant();
  return length ? std::optional(Shard{axis, 0, *length, parts}) : std::nullopt;
}

bool kiln::graph::isWholeAxis(Value value, const Shard &shard) {
  return shard.begin == 0 && getDims(value)[shard.axis].isConstant(shard.length);
}

RankedTensorType kiln::graph::shardType(Value value, const Shard &shard) {
  Dims dims = getDims(value);
  dims[shard.axis] = shard.partLength();
  return makeTensorType(dims, elementTypeOf(value));
}

namespace {
/// The rule of one op.
class RuleFinder {
public:
  RuleFinder(Operation *op, const Shard &result)
      : op(op), shard(result), dims(getDims(op->getResult(0))) {
    rule.operands.resize(op->getNumOperands());
  }
  ShardRule run();

private:
  void need(Value operand, std::optional<Shard> shard);
  void refuse(const Twine &why) { rule.refusal = why.str(); }
  /// The result's shard along another axis of an operand.
  Shard along(int64_t axis) const {
    return {axis, shard.begin, shard.length, shard.parts};
  }
  std::optional<Shard> broadcast(Value operand) const;
  void needBroadcast(Value operand) { need(operand, broadcast(operand)); }

  void find(MatmulOp matmul);
  void find(AttentionOp attention);
  void find(RopeOp rope);
  void find(KvWriteOp write);
  void find(ReshapeOp reshape);
  void find(SliceOp slice);
  void find(ConcatOp concat);
  void find(GatherOp gather);
  void find(ReduceOp reduce);
  void findScaled(Value scale, Value zeroPoint, std::optional<int64_t> axis,
                  std::optional<int64_t> block);
  void findNorm(int64_t axis);

  Operation *op;
  const Shard &shard;
  Dims dims;
  ShardRule rule;
};
} // namespace

void RuleFinder::need(Value operand, std::optional<Shard> needed) {
  for (auto [i, value] : llvm::enumerate(op->getOperands()))
    if (value == operand)
      rule.operands[i] = needed;
}

/// Returns what is needed of an operand that broadcasts to the result; nullopt, all of
/// it, where it has one element along the axis.
std::optional<Shard> RuleFinder::broadcast(Value operand) const {
  Dims from = getDims(operand);
  int64_t axis = shard.axis - (int64_t(dims.size()) - int64_t(from.size()));
  if (axis < 0 || (from[axis].isConstant(1) && !dims[shard.axis].isConstant(1)))
    return std::nullopt;
  return along(axis);
}

/// Both operands may be one value, so each has its need by number.
void RuleFinder::find(MatmulOp matmul) {
  std::optional<Shard> &lhs = rule.operands[0], &rhs = rule.operands[1];
  int64_t rank = dims.size();
  if (shard.axis == rank - 1) {
    int64_t last = rankOf(matmul.getRhs()) - 1;
    rhs = along(matmul.getTransposeB() ? last - 1 : last);
  } else if (shard.axis == rank - 2) {
    int64_t last = rankOf(matmul.getLhs()) - 1;
    lhs = along(matmul.getTransposeA() ? last : last - 1);
  } else { // many products
    lhs = broadcast(matmul.getLhs());
    rhs = broadcast(matmul.getRhs());
  }
  if (matmul.getLhs() == matmul.getRhs() && lhs != rhs)
    refuse("it multiplies a value by itself, and needs a part of it and all of it");
}

/// By query heads, and by the key heads that these read: where there are fewer key heads
/// than ranks, several ranks have the same one.
void RuleFinder::find(AttentionOp attention) {
  int64_t heads = getDims(attention.getQuery())[1].getConstant().value();
  int64_t keyHeads = getDims(attention.getKey())[1].getConstant().value();
  if (shard.axis != 1 || shard.begin != 0 || shard.length != heads)
    return refuse("attention is split by whole heads alone");
  int64_t parts = shard.parts;
  if (keyHeads % parts != 0) {
    if (parts % keyHeads != 0)
      return refuse(Twine(parts) + " ranks do not divide its " + Twine(keyHeads) +
                    " key heads");
    parts = keyHeads;
  }
  Shard keys{1, 0, keyHeads, parts};
  Value perKeyHead[] = {attention.getKey(), attention.getValue(),
                        attention.getKeyScales(), attention.getValueScales()};
  for (Value operand : perKeyHead)
    if (operand)
      need(operand, keys);
  need(attention.getQuery(), shard);
  for (Value perScore : {attention.getMask(), attention.getKeep()})
    if (perScore)
      needBroadcast(perScore);
  if (Value sinks = attention.getSinks())
    need(sinks, along(0));
}

void RuleFinder::find(RopeOp rope) {
  if (shard.axis == int64_t(dims.size()) - 1)
    return refuse("a rotary embedding is not split within a head");
  need(rope.getInput(), shard);
  needBroadcast(rope.getCosine());
  needBroadcast(rope.getSine());
}

void RuleFinder::find(KvWriteOp write) {
  if (shard.axis == 0 || shard.axis == int64_t(write.getAxis()))
    return refuse("a cache is split by heads alone");
  need(write.getState(), shard);
  need(write.getRows(), shard);
}

/// The product of dims; nullopt if it is not constant.
static std::optional<int64_t> countOf(ArrayRef<SymbolicExpr> dims) {
  return numElements(dims).getConstant();
}

/// Finds the rule of a reshape: of dims that are joined or divided only the leading one
/// is split, as what lies behind it (a head's size) is never cut.
void RuleFinder::find(ReshapeOp reshape) {
  Dims from = getDims(reshape.getInput());
  auto inFront = [](const Dims &all, size_t count) {
    return numElements(ArrayRef(all).take_front(count));
  };
  // The operand's dim that begins where the axis does; of those, the last: others are 1.
  std::optional<size_t> first;
  for (size_t i = 0; i < from.size(); ++i)
    if (inFront(from, i) == inFront(dims, shard.axis))
      first = i;
  std::optional<int64_t> inner, outer; // elements behind each of the two dims
  for (size_t j = shard.axis + 1; first && !inner && j <= dims.size(); ++j)
    for (size_t i = *first + 1; i <= from.size(); ++i)
      if (inFront(from, i) == inFront(dims, j)) {
        inner = countOf(ArrayRef(dims).slice(shard.axis + 1, j - shard.axis - 1));
        outer = countOf(ArrayRef(from).slice(*first + 1, i - *first - 1));
        break;
      }
  if (!inner || !outer || *inner <= 0 || *outer <= 0)
    return refuse("a reshape joins the dim with those in front of it");
  int64_t begin = shard.begin * *inner, part = shard.partLength() * *inner;
  if (begin % *outer != 0 || part % *outer != 0)
    return refuse(Twine(shard.parts) + " ranks do not divide " +
                  Twine(shard.length * *inner / *outer) + " heads of " + Twine(*outer));
  need(reshape.getInput(), Shard{int64_t(*first), begin / *outer,
                                 shard.length * *inner / *outer, shard.parts});
}

void RuleFinder::find(SliceOp slice) {
  std::optional<int64_t> start = getDims(slice.getStarts())[shard.axis].getConstant();
  if (!start || slice.getSteps()[shard.axis] != 1)
    return refuse("a slice along the dim begins at a dim or has steps");
  Shard from = shard;
  from.begin += *start;
  need(slice.getInput(), from);
}

void RuleFinder::find(ConcatOp concat) {
  if (shard.axis != int64_t(concat.getAxis())) {
    for (Value input : concat.getInputs())
      need(input, shard);
    return;
  }
  int64_t start = 0;
  for (Value input : concat.getInputs()) {
    std::optional<int64_t> length = getDims(input)[shard.axis].getConstant();
    if (!length)
      break;
    if (shard.begin >= start && shard.begin + shard.length <= start + *length) {
      Shard from = shard;
      from.begin -= start;
      return need(input, from);
    }
    start += *length;
  }
  refuse("it joins several tensors along the dim");
}

void RuleFinder::find(GatherOp gather) {
  int64_t axis = gather.getAxis(), indexRank = rankOf(gather.getIndices());
  if (shard.axis >= axis && shard.axis < axis + indexRank)
    return refuse("its indices are whole on every rank");
  need(gather.getData(), along(shard.axis < axis ? shard.axis : shard.axis - indexRank + 1));
}

void RuleFinder::find(ReduceOp reduce) {
  int64_t axis = shard.axis;
  if (!reduce.getKeepDims())
    for (int64_t reduced : reduce.getAxes()) // sorted
      axis += reduced <= axis;
  if (llvm::is_contained(reduce.getAxes(), axis))
    return refuse("it reduces the dim");
  need(reduce.getInput(), along(axis));
}

/// Scales lie per tensor, along an axis, or per block of it.
void RuleFinder::findScaled(Value scale, Value zeroPoint, std::optional<int64_t> axis,
                            std::optional<int64_t> block) {
  need(op->getOperand(0), shard);
  std::optional<Shard> scales;
  if (block) {
    scales = shard;
    if (shard.axis == axis) {
      if (shard.begin % *block != 0 || shard.partLength() % *block != 0)
        return refuse(Twine(shard.parts) + " ranks would cut a group of " +
                      Twine(*block) + " that has one scale");
      scales = Shard{shard.axis, shard.begin / *block, shard.length / *block, shard.parts};
    }
  } else if (rankOf(scale) == 1 && shard.axis == axis) {
    scales = along(0);
  }
  need(scale, scales);
  if (zeroPoint)
    need(zeroPoint, scales);
}

void RuleFinder::findNorm(int64_t axis) {
  if (shard.axis >= axis)
    return refuse("a norm needs all elements along the dim");
  need(op->getOperand(0), shard);
}

static std::optional<int64_t> signedOf(std::optional<uint64_t> value) {
  return value ? std::optional<int64_t>(*value) : std::nullopt;
}

ShardRule RuleFinder::run() {
  TypeSwitch<Operation *>(op)
      .Case<MatmulOp, AttentionOp, RopeOp, KvWriteOp, ReshapeOp, SliceOp, ConcatOp,
            GatherOp, ReduceOp>([&](auto typed) { find(typed); })
      .Case<BroadcastOp>([&](BroadcastOp) { needBroadcast(op->getOperand(0)); })
      .Case<TransposeOp>([&](TransposeOp transpose) {
        need(transpose.getInput(), along(transpose.getPermutation()[shard.axis]));
      })
      .Case<SoftmaxOp>([&](SoftmaxOp softmax) {
        if (int64_t(softmax.getAxis()) == shard.axis)
          return refuse("a softmax needs all elements along the dim");
        need(softmax.getInput(), shard);
      })
      .Case<LayerNormOp, RmsNormOp>([&](auto norm) { findNorm(norm.getAxis()); })
      .Case<QuantizeOp, DequantizeOp>([&](auto scaled) {
        findScaled(scaled.getScale(), scaled.getZeroPoint(), signedOf(scaled.getAxis()),
                   signedOf(scaled.getBlock()));
      })
      .Case<FillOp>([](FillOp) {})
      .Case<IotaOp>([&](IotaOp iota) {
        if (int64_t(iota.getAxis()) == shard.axis)
          refuse("it counts along the dim");
      })
      .Default([&](Operation *) {
        if (!op->hasTrait<graph::Elementwise>())
          return refuse("there is no rule for " + op->getName().getStringRef());
        for (Value operand : op->getOperands())
          needBroadcast(operand);
      });
  return std::move(rule);
}

ShardRule kiln::graph::shardRuleOf(Operation *op, const Shard &result) {
  ShardRule rule = RuleFinder(op, result).run();
  for (const std::optional<Shard> &shard : rule.operands)
    if (rule.refusal.empty() && shard && shard->length % shard->parts != 0)
      rule.refusal = std::to_string(shard->parts) + " ranks do not divide " +
                     std::to_string(shard->length);
  return rule;
}
