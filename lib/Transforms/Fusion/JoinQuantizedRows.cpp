//===- JoinQuantizedRows.cpp - Fuses the quantization of rows -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantizing activations computes the largest magnitude of each row, from it scales and
// quantized elements, and for integers the sum of the elements. All of these read the
// same row, which one kernel keeps in registers; a norm that computes the row is fused,
// too. On a GPU this saves launches. On a CPU launches are cheap, and several kernels of
// one pass each are faster for short blocks of integers: tinylm's prompt of 128 takes 5
// to 8 % longer with one.
//
//===----------------------------------------------------------------------===//

#include "Grouping.h"
#include "dialects/Graph/SymbolicExpr.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

/// Returns the dims except those of size 1, which views add and drop.
static SmallVector<SymbolicExpr> longDims(Value value) {
  SmallVector<SymbolicExpr> dims(getDims(value));
  llvm::erase_if(dims, [](const SymbolicExpr &dim) { return dim.isConstant(1); });
  return dims;
}

/// Returns the value before reshapes that add and drop dims of size 1.
static Value behindReshapes(Value value) {
  while (auto reshape = value.getDefiningOp<ReshapeOp>()) {
    if (longDims(reshape.getInput()) != longDims(value))
      break;
    value = reshape.getInput();
  }
  return value;
}

/// Returns the last op of a group if it reduces the last dim.
static ReduceOp lastDimReduction(const Group &group, graph::ReduceKind kind) {
  auto reduce = dyn_cast<ReduceOp>(group.tail());
  if (!reduce || !group.parts.empty() || reduce.getKind() != kind)
    return {};
  ArrayRef<int64_t> axes = reduce.getAxes();
  int64_t last = getDims(reduce.getInput()).size() - 1;
  return axes.size() == 1 && axes.front() == last ? reduce : ReduceOp();
}

/// Returns the value whose largest magnitude per row the group computes; else null.
static Value quantizedRows(const Group &group) {
  ReduceOp reduce = lastDimReduction(group, graph::ReduceKind::max);
  auto magnitude = reduce ? reduce.getInput().getDefiningOp<UnaryOp>() : UnaryOp();
  if (!magnitude || magnitude.getKind() != UnaryKind::abs ||
      !getElementTypeOrSelf(magnitude.getResult()).isF32())
    return {};
  return behindReshapes(magnitude.getInput());
}

/// Returns rows quantized with a static scale that a norm or elementwise ops compute;
/// null if the group has none.
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

/// Whether all users of the value are members or come after `last`.
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
  /// Starts with the group that computes largest magnitudes of rows, or quantizes
  /// statically.
  QuantizedRows(SmallVectorImpl<Group> &groups, unsigned first, Value rows)
      : groups(groups), rows(rows) {
    add(first);
  }
  /// Adds the groups after the first that read members, up to the first that cannot be
  /// joined.
  void addReaders();
  void addNorm();
  bool areIntegers() const;
  /// Replaces the last of the groups by their union.
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

/// Whether the group is elementwise on rows or on one element per row, or sums the
/// quantized elements of each row.
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
