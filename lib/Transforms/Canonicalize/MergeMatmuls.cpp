//===- MergeMatmuls.cpp - Merges matmuls with several weights -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Graph/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace kiln {
#define GEN_PASS_DEF_MERGEMATMULSPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kMergeMatmulsPass = "kiln-merge-matmuls";

namespace {
/// A matmul to merge, and the addition of its bias.
struct Member {
  MatmulOp matmul;
  BinaryOp add; ///< null if it has no bias that can be merged
  Value bias;

  Value result() { return add ? add.getResult() : matmul.getResult(); }
  SymbolicExpr columns() { return getDims(matmul.getResult()).back(); }
};
} // namespace

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Finds the only user if it is the addition of a bias [N] known at compile time.
static void findBias(Member &member) {
  Value product = member.matmul.getResult();
  if (!product.hasOneUse())
    return;
  auto add = dyn_cast<BinaryOp>(*product.user_begin());
  if (!add || add.getKind() != BinaryKind::add || add.getType() != product.getType())
    return;
  Value bias = add.getLhs() == product ? add.getRhs() : add.getLhs();
  if (!isCompileTime(bias) || getDims(bias) != Dims{member.columns()})
    return;
  member.add = add;
  member.bias = bias;
}

/// Whether all users of `value` read it through views without a copy.
static bool readThroughViews(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    return isa<AttentionOp, ConcatOp, RopeOp, KvWriteOp>(user) ||
           (isView(user) && readThroughViews(user->getResult(0)));
  });
}

static bool isMergeCandidate(MatmulOp op) {
  return !op.getTransposeA() && !op.getResultElement() && !op.getTf32() && rankOf(op.getRhs()) == 2 &&
         isa<FloatType>(elementTypeOf(op.getRhs())) && isCompileTime(op.getRhs());
}

/// Returns matmuls grouped by left operand, in the order of the block.
static SmallVector<SmallVector<Member>> findGroups(Block &block) {
  llvm::MapVector<Value, SmallVector<Member>> byOperand;
  for (auto op : block.getOps<MatmulOp>()) {
    if (!isMergeCandidate(op))
      continue;
    Member member{op, {}, {}};
    findBias(member);
    byOperand[op.getLhs()].push_back(member);
  }
  SmallVector<SmallVector<Member>> groups;
  for (auto &[operand, members] : byOperand) {
    if (members.size() < 2)
      continue;
    SmallVector<Member> group;
    for (Member &member : members)
      if (readThroughViews(member.result()))
        group.push_back(member);
      else
        remarkMissed(member.matmul.getLoc(), kMergeMatmulsPass, "merge",
                     "merged with other products of its operand, its result would be a "
                     "slice of theirs, of which an op that reads it needs a copy");
    if (group.size() > 1)
      groups.push_back(std::move(group));
  }
  return groups;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

static Value concat(OpBuilder &builder, Location loc, ArrayRef<Value> parts, int64_t axis) {
  return ConcatOp::create(builder, loc, parts, builder.getI64IntegerAttr(axis));
}

/// Returns the bias of a member; -0.0, which changes no sum, if it has none.
static Value biasOf(OpBuilder &builder, Location loc, Member &member) {
  if (member.bias)
    return member.bias;
  int64_t columns = *member.columns().getConstant();
  return makeSplat(builder, loc, elementTypeOf(member.matmul.getRhs()), -0.0, columns);
}

/// Emits the matmul for all members, with the concatenated biases.
static Value emitMerged(OpBuilder &builder, Location loc, MutableArrayRef<Member> group,
                        bool withBias) {
  SmallVector<Value> weights, biases;
  for (Member &member : group) {
    Value weight = member.matmul.getRhs();
    weights.push_back(member.matmul.getTransposeB() ? swapLastTwo(builder, loc, weight) : weight);
    if (withBias)
      biases.push_back(biasOf(builder, loc, member));
  }
  Value joined = concat(builder, loc, weights, 1);
  Value bias = withBias ? concat(builder, loc, biases, 0) : Value();
  Value product = MatmulOp::create(builder, loc, group.front().matmul.getLhs(), joined);
  return bias ? Value(BinaryOp::create(builder, loc, BinaryKind::add, product, bias)) : product;
}

/// Slices columns [start, start + size) of the last dim.
static Value sliceColumns(OpBuilder &builder, Location loc, Value value, SymbolicExpr start,
                          SymbolicExpr size) {
  Dims dims = getDims(value), starts(dims.size(), 0);
  dims.back() = size;
  starts.back() = start;
  SmallVector<int64_t> steps(dims.size(), 1);
  return SliceOp::create(builder, loc, makeTensorType(dims, elementTypeOf(value)), value,
                         makeShape(builder.getContext(), starts),
                         builder.getDenseI64ArrayAttr(steps));
}

static void merge(MutableArrayRef<Member> group) {
  bool withBias = llvm::any_of(group, [](const Member &member) { return bool(member.add); });
  Operation *first = group.front().matmul;
  SmallVector<Location> locations;
  for (Member &member : group) {
    locations.push_back(member.matmul.getLoc());
    moveTreeBefore(member.matmul.getRhs(), first);
    if (member.bias)
      moveTreeBefore(member.bias, first);
  }
  OpBuilder builder(first);
  Location loc = builder.getFusedLoc(locations);
  Value merged = emitMerged(builder, loc, group, withBias);
  SymbolicExpr start = 0;
  SmallVector<Value> slices;
  for (Member &member : group) {
    slices.push_back(sliceColumns(builder, loc, merged, start, member.columns()));
    start += member.columns();
  }
  // Erased last, as the builder inserts at the first member.
  for (auto [member, slice] : llvm::zip(group, slices))
    replaceAndErase(member.result().getDefiningOp(), slice);
  remarkPassed(merged.getLoc(), kMergeMatmulsPass, "merge",
               "one product instead of " + Twine(group.size()) +
                   ", which read the same operand");
}

unsigned kiln::mergeMatmuls(func::FuncOp function) {
  unsigned merged = 0;
  if (isBake(function))
    return merged;
  for (Block &block : function.getBody())
    for (SmallVector<Member> &group : findGroups(block)) {
      merged += group.size() - 1;
      merge(group);
    }
  return merged;
}

namespace {
class MergeMatmulsPass : public kiln::impl::MergeMatmulsPassBase<MergeMatmulsPass> {
public:
  void runOnGraph() override { numMerged += mergeMatmuls(getOperation()); }
};
} // namespace
