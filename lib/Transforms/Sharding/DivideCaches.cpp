//===- DivideCaches.cpp - Divides positions of caches among ranks ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The positions that a rank sees are relative to its first one: starts of writes and
// lengths of attention are reduced by it, so that positions outside of the rank's part
// are neither written nor visible.
//
//===----------------------------------------------------------------------===//

#include "DivideCaches.h"
#include "ContextPlan.h"
#include "dialects/Graph/PartialAttention.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Support/PassRemark.h"

#include <limits>

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kDivideCachesPass = "kiln-shard-context";
/// Axis of the positions in caches [sequences, heads, positions, elements], and in their
/// scales.
static constexpr int64_t kPositions = 2;

//===----------------------------------------------------------------------===//
// Candidates
//===----------------------------------------------------------------------===//

/// Returns the name of the state that a write updates; null if it updates none.
static StringAttr stateOf(KvWriteOp write) {
  auto argument = dyn_cast<BlockArgument>(write.getState());
  auto program =
      argument ? cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  return program
             ? program.getArgAttrOfType<StringAttr>(argument.getArgNumber(), kStateAttr)
             : StringAttr();
}

static std::string whyNotReader(AttentionOp op) {
  if (!op.getFromLength())
    return "its attention is not causal from its length on";
  if (op.getMask())
    return "a mask says for each of its positions whether it is seen";
  if (op.getSinks())
    return "its attention has sinks";
  return "";
}

/// Returns why a cache, considered alone, cannot be divided; empty if it can.
static std::string whyNot(KvWriteOp write) {
  if (!stateOf(write))
    return "it is no state";
  if (write.getRing())
    return "it is a rolling buffer, which has the last positions alone";
  if (write.getAxis() != kPositions || !write.getState().hasOneUse())
    return "its positions are not the third dim, or are read before they are written";
  for (OpOperand &use : write.getResult().getUses()) {
    if (isa<func::ReturnOp>(use.getOwner()))
      continue;
    auto op = dyn_cast<AttentionOp>(use.getOwner());
    bool isCache = op && llvm::is_contained({op.getKey(), op.getValue(),
                                             op.getKeyScales(), op.getValueScales()},
                                            use.get());
    std::string why =
        isCache ? whyNotReader(op) : "something else than attention reads its positions";
    if (!why.empty())
      return why;
  }
  return "";
}

namespace {
/// States by name, and the reasons why others are not divided.
class DividedStates {
public:
  explicit DividedStates(ModuleOp module) : programs(programsOf(module)) {}
  /// Analyzes all programs.
  void run();
  bool contains(KvWriteOp write) const {
    return states.contains(stateOf(write)) && !whole.contains(stateOf(write));
  }
  unsigned count() const { return states.size() - whole.size(); }

private:
  /// Removes states that are read together with an undivided one; returns whether any
  /// was.
  bool dropPartners();

  SmallVector<func::FuncOp> programs;
  llvm::SetVector<StringAttr> states;
  llvm::MapVector<StringAttr, std::string> whole;
};
} // namespace

bool DividedStates::dropPartners() {
  size_t before = whole.size();
  for (func::FuncOp program : programs)
    for (auto op : program.front().getOps<AttentionOp>()) {
      SmallVector<KvWriteOp> caches;
      bool isWhole = false;
      for (Value value :
           {op.getKey(), op.getValue(), op.getKeyScales(), op.getValueScales()}) {
        auto write = value ? value.getDefiningOp<KvWriteOp>() : KvWriteOp();
        if (write)
          caches.push_back(write);
        isWhole |= value && !(write && contains(write));
      }
      for (KvWriteOp write : caches)
        if (isWhole && contains(write))
          whole[stateOf(write)] = "an attention reads it beside one that stays whole";
    }
  return whole.size() > before;
}

void DividedStates::run() {
  for (func::FuncOp program : programs)
    for (auto write : program.front().getOps<KvWriteOp>()) {
      StringAttr state = stateOf(write);
      if (state)
        states.insert(state);
      if (std::string why = whyNot(write); state && !why.empty())
        whole.insert({state, why});
    }
  while (dropPartners())
    ;
  for (func::FuncOp program : programs)
    for (auto write : program.front().getOps<KvWriteOp>())
      if (auto it = whole.find(stateOf(write)); it != whole.end())
        remarkMissed(write.getLoc(), kDivideCachesPass, "divide-cache",
                     "every rank has all of this cache: " + it->second);
      else if (contains(write))
        remarkPassed(write.getLoc(), kDivideCachesPass, "divide-cache",
                     "each rank has its positions of this cache");
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

namespace {
class CacheDivider {
public:
  CacheDivider(func::FuncOp program, RankIndex &index, MeshAxis axis)
      : program(program), index(index), axis(axis) {}
  void run(const DividedStates &states);

private:
  /// Converts positions to be relative to the first one of a rank's part.
  Value fromFirst(OpBuilder &b, Value positions, const SymbolicExpr &capacity);
  void divide(KvWriteOp write);
  void divide(AttentionOp op, const SymbolicExpr &capacity);
  Value merge(AttentionOp part, AttentionLseOp lse, bool maskedZero, bool nanZero);

  func::FuncOp program;
  RankIndex &index;
  MeshAxis axis;
};
} // namespace

static Value castTo(OpBuilder &b, Value value, Type element) {
  if (elementTypeOf(value) == element)
    return value;
  return CastOp::create(b, value.getLoc(), makeTensorType(getDims(value), element),
                        value);
}

Value CacheDivider::fromFirst(OpBuilder &b, Value positions,
                              const SymbolicExpr &capacity) {
  Location loc = positions.getLoc();
  Value first = BinaryOp::create(b, loc, BinaryKind::mul, index.read(b, loc),
                                 makeSize(b, loc, capacity.ceilDiv(axis.size)));
  return BinaryOp::create(b, loc, BinaryKind::sub, positions,
                          castTo(b, first, elementTypeOf(positions)));
}

void CacheDivider::divide(KvWriteOp write) {
  OpBuilder b(write);
  Dims dims = getDims(write.getState());
  write.getStartsMutable().assign(fromFirst(b, write.getStarts(), dims[kPositions]));
  dims[kPositions] = dims[kPositions].ceilDiv(axis.size);
  write.getState().setType(makeTensorType(dims, elementTypeOf(write.getState())));
  write.getResult().setType(write.getState().getType());
}

/// Sums the results of all ranks, each weighted by its part of the softmax denominator. A
/// rank without visible keys contributes nothing; if no rank has any, the result is 0 /
/// 0, or 0. A score of NaN or plus infinity gives NaN, or 0.
Value CacheDivider::merge(AttentionOp part, AttentionLseOp lse, bool maskedZero,
                          bool nanZero) {
  OpBuilder b(lse->getContext());
  b.setInsertionPointAfter(lse);
  Location loc = part.getLoc();
  Type sums = elementTypeOf(lse.getResult());
  auto binary = [&](BinaryKind kind, Value lhs, Value rhs) -> Value {
    return BinaryOp::create(b, loc, kind, lhs, rhs);
  };
  auto exp = [&](Value value, Value shift) -> Value {
    return UnaryOp::create(b, loc, UnaryKind::exp, binary(BinaryKind::sub, value, shift));
  };
  auto reduce = [&](ReduceKind kind, Value value) -> Value {
    return ReduceOp::create(b, loc, kind, value, ArrayRef<int64_t>{0},
                            /*keep_dims=*/false);
  };
  auto limit = [&](double value) { return makeSplat(b, loc, sums, value); };
  Dims rows = getDims(lse.getResult()), ranked = rows, columns = rows;
  ranked.insert(ranked.begin(), SymbolicExpr(1));
  columns.push_back(SymbolicExpr(1));
  Value own = reshapeTo(b, loc, lse.getResult(), ranked);
  Value all = AllGatherOp::create(b, loc, own, uint64_t(0), uint64_t(axis.size));
  setStride(all.getDefiningOp(), axis.stride);
  // A finite shift, so that minus infinity remains minus infinity.
  Value largest = reduce(ReduceKind::max, all);
  Value shift =
      binary(BinaryKind::max, largest, limit(-std::numeric_limits<float>::max()));
  Value sum = reduce(ReduceKind::sum, exp(all, shift));
  if (maskedZero)
    sum = binary(BinaryKind::max, sum, limit(std::numeric_limits<float>::min()));
  Value factor = binary(BinaryKind::div, exp(lse.getResult(), shift), sum);
  factor = reshapeTo(b, loc, factor, columns);
  Value weighted = binary(BinaryKind::mul, castTo(b, part.getResult(), sums), factor);
  if (nanZero) {
    Value isNumber =
        CompareOp::create(b, loc, CompareKind::greater, sum, makeSplat(b, loc, sums, 0));
    isNumber = reshapeTo(b, loc, isNumber, columns);
    weighted = SelectOp::create(b, loc, isNumber, weighted, makeSplat(b, loc, sums, 0));
  }
  Value total =
      AllReduceOp::create(b, loc, ReduceKind::sum, weighted, uint64_t(axis.size));
  setStride(total.getDefiningOp(), axis.stride);
  return castTo(b, total, elementTypeOf(part.getResult()));
}

/// A rank must give 0 for a query none of whose keys it has.
void CacheDivider::divide(AttentionOp op, const SymbolicExpr &capacity) {
  OpBuilder b(op);
  Location loc = op.getLoc();
  op.getLengthsMutable().assign(fromFirst(b, op.getLengths(), capacity));
  b.setInsertionPointAfter(op);
  auto lse = AttentionLseOp::create(b, loc, op.getQuery(), op.getKey(), op.getLengths(),
                                    op.getKeyScales(), op.getScaleAttr(),
                                    op.getCausalAttr(), op.getFromLengthAttr(),
                                    op.getSoftcapAttr(), op.getWindowAttr());
  Value merged = merge(op, lse, op.getMaskedZero(), op.getNanZero());
  op.setMaskedZero(true);
  op.setNanZero(false);
  op.getResult().replaceUsesWithIf(merged, [&](OpOperand &use) {
    return merged.getDefiningOp()->isBeforeInBlock(use.getOwner());
  });
}

void CacheDivider::run(const DividedStates &states) {
  SmallVector<KvWriteOp> writes;
  std::vector<std::pair<AttentionOp, SymbolicExpr>> readers;
  for (auto write : program.front().getOps<KvWriteOp>())
    if (states.contains(write))
      writes.push_back(write);
  for (auto op : program.front().getOps<AttentionOp>())
    if (auto write = op.getKey().getDefiningOp<KvWriteOp>();
        write && states.contains(write))
      readers.emplace_back(op, getDims(write.getState())[kPositions]);
  for (KvWriteOp write : writes)
    divide(write);
  for (auto &[op, capacity] : readers)
    divide(op, capacity);
  Operation *end = program.front().getTerminator();
  program.setFunctionType(FunctionType::get(
      program.getContext(), program.front().getArgumentTypes(), end->getOperandTypes()));
}

unsigned kiln::divideCaches(ModuleOp module, RankIndex &index, MeshAxis axis) {
  DividedStates states(module);
  states.run();
  if (states.count() == 0)
    return 0;
  for (func::FuncOp program : programsOf(module))
    CacheDivider(program, index, axis).run(states);
  return states.count();
}
