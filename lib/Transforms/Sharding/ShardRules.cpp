//===- ShardRules.cpp - Propagation of shards through ops -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShardRules.h"
#include "kiln/Analysis/Indexing.h"
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
/// Constant indices [begin, begin + size) of a dim.
struct Extent {
  int64_t begin, size;
};

/// Finds the rule of one op by its index maps: the image of each part along the shard's
/// axis must be one part along one axis of an operand.
class RuleFinder {
public:
  RuleFinder(Operation *op, const Shard &result) : op(op), shard(result), indexing(op) {
    rule.operands.resize(op->getNumOperands());
  }
  ShardRule run();

private:
  std::string refusalOf(AttentionOp attention) const;
  std::string policyRefusal() const;
  std::string mapRefusal() const;
  std::optional<Extent> imageOf(const SymbolicExpr &place, int64_t begin,
                                int64_t size) const;
  std::optional<Shard> shardAlong(const SymbolicExpr &place, int64_t axis) const;
  bool addRead(const OperandRead &read);
  bool addReads();
  std::optional<bool> takesPlace(const OperandRead &read) const;
  void tieKeys(AttentionOp attention);

  Operation *op;
  Shard shard;
  OpIndexing indexing;
  StringAttr name; ///< variable of the index along the shard's axis
  ShardRule rule;
  SmallVector<bool> isRead;
};
} // namespace

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

std::string RuleFinder::refusalOf(AttentionOp attention) const {
  bool isByHeads = shard.axis == 1 && isWholeAxis(attention.getResult(), shard);
  return isByHeads ? "" : "attention is split by whole heads alone";
}

/// Returns why the op must not be divided along the axis, independent of its maps.
std::string RuleFinder::policyRefusal() const {
  auto refuse = [](bool is, const char *why) { return std::string(is ? why : ""); };
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([&](AttentionOp attention) { return refusalOf(attention); })
      .Case([&](KvWriteOp write) {
        return refuse(shard.axis == 0 || shard.axis == int64_t(write.getAxis()),
                      "a cache is split by heads alone");
      })
      .Case([&](GatherOp gather) {
        int64_t place = shard.axis - int64_t(gather.getAxis());
        return refuse(place >= 0 && place < rankOf(gather.getIndices()),
                      "its indices are whole on every rank");
      })
      .Case([&](RopeOp rope) {
        return refuse(shard.axis == rankOf(rope.getResult()) - 1,
                      "a rotary embedding is not split within a head");
      })
      .Case([&](SliceOp slice) {
        auto start = getDims(slice.getStarts())[shard.axis].getConstant();
        return refuse(!start || slice.getSteps()[shard.axis] != 1,
                      "a slice along the dim begins at a dim or has steps");
      })
      .Case([&](ReduceOp reduce) {
        return refuse(reduce.getKeepDims() &&
                          llvm::is_contained(reduce.getAxes(), shard.axis),
                      "it reduces the dim");
      })
      .Default([&](Operation *) {
        // Attributes of these ops contain numbers of columns.
        bool isKnown = indexing && !isa<ScaledMatmulOp, QuantizeWeightOp>(op);
        return isKnown ? ""
                       : "there is no rule for " + op->getName().getStringRef().str();
      });
}

/// Returns why a part of the result does not depend on one part of each operand.
std::string RuleFinder::mapRefusal() const {
  std::string ranks = std::to_string(shard.parts) + " ranks ";
  return llvm::TypeSwitch<Operation *, std::string>(op)
      .Case([&](AttentionOp attention) {
        return ranks + "do not divide its " + getDims(attention.getKey())[1].str() +
               " key heads";
      })
      .Case([&](ReshapeOp) -> std::string {
        for (const SymbolicExpr &place : indexing->reads().front().at)
          if (std::optional<SymbolicExpr> heads = findDivisor(place, name))
            return ranks + "do not divide " +
                   SymbolicExpr(shard.length).floorDiv(*heads).str() + " heads of " +
                   heads->str();
        return "a reshape joins the dim with those in front of it";
      })
      .Case<QuantizeOp, DequantizeOp>([&](auto scaled) {
        return ranks + "would cut a group of " +
               std::to_string(scaled.getBlock().value_or(1)) + " that has one scale";
      })
      .Case([](SoftmaxOp) { return "a softmax needs all elements along the dim"; })
      .Case<LayerNormOp, RmsNormOp>(
          [](auto) { return "a norm needs all elements along the dim"; })
      .Case([](ConcatOp) { return "it joins several tensors along the dim"; })
      .Case([](IotaOp) { return "it counts along the dim"; })
      .Default([](Operation *op) {
        return op->getName().getStringRef().str() + " does not keep the dim";
      });
}

//===----------------------------------------------------------------------===//
// Images of parts
//===----------------------------------------------------------------------===//

std::optional<Extent> RuleFinder::imageOf(const SymbolicExpr &place, int64_t begin,
                                          int64_t size) const {
  auto image = graph::imageOf(place, [&](StringAttr other) {
    return other == name ? DimRange{begin, size}
                         : DimRange{0, indexing.vars().extentOf(other)};
  });
  auto first = image ? image->begin.getConstant() : std::nullopt;
  auto count = image ? image->size.getConstant() : std::nullopt;
  return first && count ? std::optional(Extent{*first, *count}) : std::nullopt;
}

/// Returns the shard of an operand along an axis whose index is `place`.
std::optional<Shard> RuleFinder::shardAlong(const SymbolicExpr &place,
                                            int64_t axis) const {
  int64_t length = shard.partLength();
  auto all = imageOf(place, shard.begin, shard.length);
  auto first = imageOf(place, shard.begin, length);
  if (!all || !first || first->size <= 0 || all->size % first->size != 0)
    return std::nullopt;
  Shard result{axis, all->begin, all->size, all->size / first->size};
  if (shard.parts % result.parts != 0)
    return std::nullopt;
  for (int64_t part = 1; part < shard.parts; ++part) {
    auto image = imageOf(place, shard.begin + part * length, length);
    int64_t own = part * result.parts / shard.parts; // consecutive ranks may have the
                                                     // same part
    if (!image || image->size != first->size ||
        image->begin != all->begin + own * first->size)
      return std::nullopt;
  }
  return result;
}

/// Whether all elements of the shard read the operand (true) or none do (false); else
/// nullopt.
std::optional<bool> RuleFinder::takesPlace(const OperandRead &read) const {
  for (const auto &[index, first, end] : read.conditions) {
    if (!mentions(index, name) || llvm::none_of(read.at, [&](const SymbolicExpr &place) {
          return mentions(place, name);
        }))
      continue;
    auto image = imageOf(index, shard.begin, shard.length);
    auto from = first.getConstant(), to = end.getConstant();
    if (!image || !from || !to)
      return std::nullopt;
    if (image->begin + image->size <= *from || image->begin >= *to)
      return false;
    if (image->begin < *from || image->begin + image->size > *to)
      return std::nullopt;
  }
  return true;
}

/// Adds the shard that a read needs of its operand; false if it is not a shard.
bool RuleFinder::addRead(const OperandRead &read) {
  Value operand = op->getOperand(read.operand);
  std::optional<Shard> needed;
  for (auto [axis, place] : llvm::enumerate(read.at)) {
    if (!mentions(place, name))
      continue;
    std::optional<Shard> along = shardAlong(place, axis);
    if (!along)
      return false;
    if (needed && isWhole(operand, *along)) // the index within a head, next to the index
                                            // of the head
      continue;
    if (needed && !isWhole(operand, *needed))
      return false;
    needed = along;
  }
  if (isRead[read.operand] && rule.operands[read.operand] != needed)
    return false;
  isRead[read.operand] = true;
  rule.operands[read.operand] = needed;
  return true;
}

bool RuleFinder::addReads() {
  isRead.assign(op->getNumOperands(), false);
  if (llvm::any_of(indexing->dependsOn(),
                   [&](const SymbolicExpr &index) { return mentions(index, name); }))
    return false;
  for (const OperandRead &read : indexing->reads()) {
    std::optional<bool> isNeeded = takesPlace(read);
    if (!isNeeded || (*isNeeded && !addRead(read)))
      return false;
  }
  return true;
}

/// All ranks have the only key head in full, as it belongs to the query heads of all of
/// them.
void RuleFinder::tieKeys(AttentionOp attention) {
  SmallVector<Value> keys{attention.getKey(), attention.getValue(),
                          attention.getKeyScales(), attention.getValueScales()};
  for (auto [operand, needed] : llvm::zip(op->getOperands(), rule.operands))
    if (!needed && llvm::is_contained(keys, operand))
      needed = wholeAxis(operand, 1, 1);
}

ShardRule RuleFinder::run() {
  rule.refusal = policyRefusal();
  if (!rule.refusal.empty())
    return std::move(rule);
  // A shard of a dim of size 1 is all of the value, as is a full shard of the next dim.
  Dims dims = getDims(op->getResult(0));
  if (isa<ReshapeOp>(op) && dims[shard.axis].isConstant(1))
    for (int64_t axis = shard.axis + 1; axis < int64_t(dims.size()); ++axis)
      if (auto whole = wholeAxis(op->getResult(0), axis, 1);
          whole && whole->length != 1) {
        shard = *whole;
        break;
      }
  name = indexing->places()[shard.axis].getSymbol();
  if (!addReads())
    rule.refusal = mapRefusal();
  else if (auto attention = dyn_cast<AttentionOp>(op))
    tieKeys(attention);
  auto matmul = dyn_cast<MatmulOp>(op);
  if (matmul && matmul.getLhs() == matmul.getRhs() &&
      rule.operands[0] != rule.operands[1])
    rule.refusal =
        "it multiplies a value by itself, and needs a part of it and all of it";
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
