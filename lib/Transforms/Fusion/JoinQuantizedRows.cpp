//===- JoinQuantizedRows.cpp - Rows quantized by one kernel ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantized activations are the largest magnitude of each row, scales and codes from it,
// and for integers the sum of the codes. They read the same row, which one kernel keeps;
// if a norm computes that row, it is the same kernel. A GPU saves launches so. A CPU has
// cheap launches, and several kernels of one pass each are faster for short blocks of
// integers: tinylm's prompt of 128 takes 5 to 8 % longer with one.
//
//===----------------------------------------------------------------------===//

#include "Grouping.h"
#include "dialects/Graph/SymbolicExpr.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Without those of one element, which views add and drop.
static SmallVector<SymbolicExpr> longDims(Value value) {
  SmallVector<SymbolicExpr> dims(getDims(value));
  llvm::erase_if(dims, [](const SymbolicExpr &dim) { return dim.isConstant(1); });
  return dims;
}

/// The value behind reshapes that add and drop dims of one element.
static Value behindReshapes(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>()) {
    if (longDims(reshape.getInput()) != longDims(value))
      break;
    value = reshape.getInput();
  }
  return value;
}

/// A reduction of the last dim as the last op of its group.
static ReduceOp lastDimReduction(const Group &group, graph::ReduceKind kind) {
  auto reduce = dyn_cast<ReduceOp>(group.tail());
  if (!reduce || !group.parts.empty() || reduce.getKind() != kind)
    return {};
  ArrayRef<int64_t> axes = reduce.getAxes();
  int64_t last = getDims(reduce.getInput()).size() - 1;
  return axes.size() == 1 && axes.front() == last ? reduce : ReduceOp();
}

/// Returns the value of whose rows the group finds the largest magnitudes; null if it
/// finds none.
static Value quantizedRows(const Group &group) {
  ReduceOp reduce = lastDimReduction(group, graph::ReduceKind::max);
  auto magnitude = reduce ? reduce.getInput().getDefiningOp<UnaryOp>() : UnaryOp();
  if (!magnitude || magnitude.getKind() != UnaryKind::abs ||
      !getElementTypeOrSelf(magnitude.getResult()).isF32())
    return {};
  return behindReshapes(magnitude.getInput());
}

/// Codes of rows by a static scale, which a norm or elementwise ops compute; null: the
/// group's are none.
static Value staticCodes(const Group &group) {
  auto cast = dyn_cast<CastOp>(group.tail());
  bool isOfNumbers = cast && getElementTypeOrSelf(cast.getInput()).isF32();
  if (!isOfNumbers || !group.parts.empty() ||
      !getElementTypeOrSelf(cast.getResult()).isSignlessInteger(8))
    return {};
  bool computesRows = llvm::all_of(group.ops, [](Operation *op) {
    return op->hasTrait<graph::Elementwise>() || isa<LayerNormOp, RmsNormOp>(op);
  });
  return computesRows ? cast.getResult() : Value();
}

static bool isNormOfRows(const Group &group, ArrayRef<SymbolicExpr> rows) {
  if (!group.parts.empty() || longDims(group.tail()->getResult(0)) != rows)
    return false;
  return llvm::any_of(group.ops, [](Operation *op) {
    int64_t last = getDims(op->getResult(0)).size() - 1;
    if (auto norm = dyn_cast<LayerNormOp>(op))
      return int64_t(norm.getAxis()) == last;
    auto norm = dyn_cast<RmsNormOp>(op);
    return norm && int64_t(norm.getAxis()) == last;
  });
}

/// Whether nothing but ops up to `last` reads the value in front of it.
static bool isReadBehind(Value value, const SmallPtrSetImpl<Operation *> &members,
                         Operation *last) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (members.contains(user))
      return true;
    if (isCopiedIntoUsers(user))
      return isReadBehind(user->getResult(0), members, last);
    return last->isBeforeInBlock(user);
  });
}

namespace {
/// The groups that quantize the rows of one value.
class QuantizedRows {
public:
  /// From what finds the largest magnitudes of rows, or writes their codes.
  QuantizedRows(SmallVectorImpl<Group> &groups, unsigned first, Value rows)
      : groups(groups), rows(rows) {
    add(first);
  }
  /// Adds the groups behind the first that read members, up to the first that may not be
  /// one.
  void addReaders();
  void addNorm();
  bool areIntegers() const;
  /// Makes them one group, in place of the last one.
  void join();

private:
  void add(unsigned group) {
    set.push_back(group);
    members.insert_range(groups[group].ops);
  }
  bool readsMembers(const Group &group) const;
  bool quantizes(const Group &group) const;
  bool mayAdd(unsigned group) const;

  SmallVectorImpl<Group> &groups;
  Value rows;
  SmallVector<unsigned> set;
  llvm::SmallPtrSet<Operation *, 32> members;
};
} // namespace

bool QuantizedRows::readsMembers(const Group &group) const {
  return llvm::any_of(group.ops, [&](Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return members.contains(behindReshapes(operand).getDefiningOp());
    });
  });
}

/// Elementwise of rows or of one element per row, or the sum of the codes of each row.
bool QuantizedRows::quantizes(const Group &group) const {
  SmallVector<SymbolicExpr> all = longDims(rows);
  ArrayRef<SymbolicExpr> ofRow = ArrayRef(all).drop_back();
  auto isElementwise = [&](Operation *op) {
    SmallVector<SymbolicExpr> dims = longDims(op->getResult(0));
    return op->hasTrait<graph::Elementwise>() &&
           (ArrayRef(dims) == ArrayRef(all) || ArrayRef(dims) == ofRow);
  };
  ArrayRef<Operation *> ops = group.ops;
  if (ReduceOp sum = lastDimReduction(group, graph::ReduceKind::sum);
      sum && getElementTypeOrSelf(sum.getResult()).isInteger(32))
    ops = ops.drop_back();
  else if (!group.hero->isPlain())
    return false;
  return group.parts.empty() && llvm::all_of(ops, isElementwise);
}

bool QuantizedRows::mayAdd(unsigned number) const {
  const Group &group = groups[number];
  if (!quantizes(group))
    return false;
  auto own = members;
  own.insert_range(group.ops);
  return llvm::all_of(set, [&](unsigned member) {
    return isReadBehind(groups[member].tail()->getResult(0), own, group.tail());
  });
}

void QuantizedRows::addReaders() {
  for (unsigned i = set.front() + 1; i < groups.size(); ++i) {
    if (groups[i].ops.empty() || !readsMembers(groups[i]))
      continue;
    if (!mayAdd(i))
      return;
    add(i);
  }
}

void QuantizedRows::addNorm() {
  Operation *producer = rows.getDefiningOp();
  SmallVector<SymbolicExpr> dims = longDims(rows);
  for (unsigned i = 0; producer && i < set.front(); ++i) {
    if (groups[i].ops.empty() || groups[i].tail() != producer)
      continue;
    Operation *last = groups[set.back()].tail();
    if (isNormOfRows(groups[i], dims) && isReadBehind(rows, members, last)) {
      set.insert(set.begin(), i);
      members.insert_range(groups[i].ops);
    }
    return;
  }
}

bool QuantizedRows::areIntegers() const {
  return llvm::any_of(members, [](Operation *op) {
    return isa<CastOp>(op) && getElementTypeOrSelf(op->getResult(0)).isInteger(8);
  });
}

void QuantizedRows::join() {
  if (set.size() == 1)
    return;
  Group joined;
  joined.hero = groups[set.front()].hero;
  for (unsigned member : set) {
    if (joined.hero->isPlain())
      joined.hero = groups[member].hero;
    llvm::append_range(joined.ops, groups[member].ops);
    joined.parts.push_back(std::move(groups[member]));
    groups[member].ops.clear();
  }
  llvm::sort(joined.ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  groups[set.back()] = std::move(joined);
}

void kiln::joinQuantizedRows(SmallVector<Group> &groups, bool hasGpu) {
  for (unsigned i = 0; i < groups.size(); ++i) {
    if (groups[i].ops.empty())
      continue;
    if (Value codes = staticCodes(groups[i]); codes && hasGpu) {
      QuantizedRows quantized(groups, i, codes);
      quantized.addReaders();
      quantized.join();
      continue;
    }
    Value rows = quantizedRows(groups[i]);
    if (!rows)
      continue;
    QuantizedRows quantized(groups, i, rows);
    quantized.addReaders();
    if (quantized.areIntegers() && !hasGpu)
      continue;
    quantized.addNorm();
    quantized.join();
  }
  llvm::erase_if(groups, [](const Group &group) { return group.ops.empty(); });
}
