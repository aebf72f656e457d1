//===- ProvePlan.cpp - Memory of a plan at all dims -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two buffers that are live at the same time do not overlap, whatever the dims are, if
// one lies above the other: then its offset is never less than the end of the other. What
// is left are inequalities of formulas, size >= 0 and arena >= end. Interval arithmetic
// decides most at once; elsewhere the ranges are halved until it does (branch and bound):
// on small ranges formulas are monotone, whose bounds are exact.
//
//===----------------------------------------------------------------------===//

#include "ProvePlan.h"
#include "Buffers.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/PassRemark.h"
#include "llvm/ADT/BitVector.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;
using plan::ArenaKind;

static constexpr StringLiteral kVerifyPlanPass = "kiln-verify-plan";

//===----------------------------------------------------------------------===//
// Inequalities
//===----------------------------------------------------------------------===//

namespace {
/// Values of symbols.
using Point = llvm::MapVector<StringAttr, int64_t>;
/// Ranges of symbols.
using Box = llvm::MapVector<StringAttr, Bounds>;

enum class Proof { Holds, Fails, Unknown };

/// Whether at all dims at least one of several expressions is not negative.
class Inequality {
public:
  /// `work` is how many factors of terms may still be evaluated, of all inequalities of a
  /// program.
  Inequality(ArrayRef<SymbolicExpr> sides, const Box &all, int64_t &work)
      : sides(sides), all(all), work(work) {}
  Proof prove();
  /// Dims where it does not hold, after Proof::Fails.
  const Point &counterexample() const { return at; }

private:
  bool holdsIn(const Box &box) const;
  bool failsAt(const Point &point);
  bool failsAtEnds(const Box &box);

  static constexpr unsigned kMaxBoxes = 2048;
  ArrayRef<SymbolicExpr> sides;
  const Box &all;
  int64_t &work;
  Point at;
};
} // namespace

/// Returns the factors of an expression's terms, those in maxima and quotients included.
static int64_t countFactors(const SymbolicExpr &expr) {
  int64_t count = 1;
  if (std::optional<SymbolicExpr::Extremum> sides = expr.getExtremum())
    return countFactors(sides->a) + countFactors(sides->b);
  for (const SymbolicExpr::Term &term : expr.getTerms())
    for (const SymbolicExpr::Atom &factor : term.factors) {
      ++count;
      if (factor.kind != SymbolicExpr::AtomKind::Symbol)
        count += countFactors(*factor.lhs) + countFactors(*factor.rhs);
    }
  return count;
}

bool Inequality::holdsIn(const Box &box) const {
  SymbolRanges ranges;
  for (auto [symbol, range] : box)
    ranges.set(symbol, range);
  return llvm::any_of(sides, [&](const SymbolicExpr &side) {
    std::optional<Bounds> bounds = ranges.boundsOf(side);
    return bounds && bounds->min >= 0;
  });
}

bool Inequality::failsAt(const Point &point) {
  for (const SymbolicExpr &side : sides) {
    auto value = side.evaluate([&](StringAttr symbol) { return point.lookup(symbol); });
    if (!value || *value >= 0)
      return false;
  }
  at = point;
  return true;
}

bool Inequality::failsAtEnds(const Box &box) {
  Point low, high;
  for (auto [symbol, range] : box) {
    low[symbol] = range.min;
    high[symbol] = range.max;
  }
  return failsAt(low) || failsAt(high);
}

static Bounds *widestOf(Box &box) {
  Bounds *widest = nullptr;
  for (auto &entry : box)
    if (!widest || entry.second.max - entry.second.min > widest->max - widest->min)
      widest = &entry.second;
  return widest && widest->min < widest->max ? widest : nullptr;
}

Proof Inequality::prove() {
  int64_t factors = all.size();
  for (const SymbolicExpr &side : sides)
    factors += countFactors(side);
  SmallVector<Box> boxes{all};
  for (unsigned count = 0; !boxes.empty(); ++count) {
    Box box = boxes.pop_back_val();
    if (holdsIn(box))
      continue;
    if (failsAtEnds(box))
      return Proof::Fails;
    Bounds *widest = widestOf(box);
    work -= factors;
    if (!widest || count == kMaxBoxes || work < 0)
      return Proof::Unknown;
    int64_t middle = widest->min + (widest->max - widest->min) / 2;
    int64_t max = std::exchange(widest->max, middle);
    boxes.push_back(box);
    *widest = {middle + 1, max};
    boxes.push_back(std::move(box));
  }
  return Proof::Holds;
}

//===----------------------------------------------------------------------===//
// Arenas
//===----------------------------------------------------------------------===//

namespace {
class PlanProof {
public:
  explicit PlanProof(plan::ProgramOp program) : program(program) {
    for (auto symbol : program->getParentOfType<ModuleOp>().getOps<SymbolOp>())
      ranges[symbol.getSymNameAttr()] = {int64_t(symbol.getMin()),
                                         int64_t(symbol.getMax())};
  }
  LogicalResult run();

private:
  /// The end of a buffer, and the offset of one that lies above it.
  struct End {
    SymbolicExpr exact, aligned;
  };
  LogicalResult prove(plan::ArenaOp arena);
  bool areOrdered(ArrayRef<plan::BufferOp> buffers);
  LogicalResult require(Operation *op, const Twine &what, ArrayRef<SymbolicExpr> sides);
  std::optional<std::vector<End>> endsOf(ArrayRef<plan::BufferOp> buffers);
  /// Notes that something of an arena is only known at the corners.
  void setUnknown() { isKnown = false; }

  static constexpr size_t kMaxPolynomials = 16;
  /// Takes some tenths of a second.
  static constexpr int64_t kMaxWork = 10'000'000;
  int64_t work = kMaxWork;
  plan::ProgramOp program;
  Box ranges;
  bool isKnown = true;
};
} // namespace

/// Requires that one of `sides` is not negative.
LogicalResult PlanProof::require(Operation *op, const Twine &what,
                                 ArrayRef<SymbolicExpr> sides) {
  Box used;
  for (const SymbolicExpr &side : sides)
    for (StringAttr symbol : side.getSymbols())
      if (auto *it = ranges.find(symbol); it != ranges.end())
        used.insert(*it);
  Inequality inequality(sides, used, work);
  Proof proof = inequality.prove();
  if (proof != Proof::Fails) {
    if (proof == Proof::Unknown)
      setUnknown();
    return success();
  }
  std::string at;
  for (auto [symbol, value] : inequality.counterexample())
    at += (at.empty() ? "" : ", ") + symbol.str() + "=" + std::to_string(value);
  return kiln::emitError(op->getLoc(), {ErrorCode::PlanRefused, "memory plan", what.str(),
                                        "", "at " + (at.empty() ? "static dims" : at),
                                        "report this: the planner is wrong"});
}

/// True if of each two buffers that are live together on a rank one lies above the other.
bool PlanProof::areOrdered(ArrayRef<plan::BufferOp> buffers) {
  llvm::DenseMap<StringRef, unsigned> numbers;
  SmallVector<llvm::BitVector> below;
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    plan::BufferOp upper = buffer;
    llvm::BitVector &mine = below.emplace_back(buffers.size());
    if (auto list = upper.getAbove())
      for (auto name : list->getAsRange<FlatSymbolRefAttr>())
        if (auto it = numbers.find(name.getValue()); it != numbers.end()) {
          mine.set(it->second);
          mine |= below[it->second];
        }
    numbers[upper.getSymName()] = i;
  }
  for (auto [i, one] : llvm::enumerate(buffers))
    for (unsigned j = 0; j < i; ++j) {
      plan::BufferOp upper = one, lower = buffers[j];
      bool areApart = upper.getFirst() > lower.getLast() ||
                      lower.getFirst() > upper.getLast() ||
                      (plan::stageOf(upper) && plan::stageOf(lower) &&
                       plan::stageOf(upper) != plan::stageOf(lower));
      if (!areApart && !below[i].test(j))
        return false;
    }
  return true;
}

/// Returns places where the last buffer may end; nullopt where they are too many.
std::optional<std::vector<PlanProof::End>>
PlanProof::endsOf(ArrayRef<plan::BufferOp> buffers) {
  llvm::StringMap<SmallVector<SymbolicExpr, 1>> ends;
  std::vector<End> all;
  for (plan::BufferOp buffer : buffers) {
    SmallVector<SymbolicExpr> offsets;
    if (auto list = buffer.getAbove())
      for (auto name : list->getAsRange<FlatSymbolRefAttr>())
        for (const SymbolicExpr &end : ends[name.getValue()])
          addMaximum(offsets, end);
    if (offsets.empty())
      offsets.push_back(int64_t(buffer.getOffset().value_or(0)));
    if (offsets.size() > kMaxPolynomials)
      return std::nullopt;
    SymbolicExpr size = getDims(buffer.getSize()).front();
    for (const SymbolicExpr &offset : offsets) {
      End end{offset + size, offset + size.alignTo(64)};
      ends[buffer.getSymName()].push_back(end.aligned);
      if (llvm::none_of(all, [&](const End &other) {
            return other.exact.dominates(end.exact) &&
                   other.aligned.dominates(end.aligned);
          }))
        all.push_back(std::move(end));
    }
  }
  return all;
}

LogicalResult PlanProof::prove(plan::ArenaOp arena) {
  isKnown = true;
  SmallVector<plan::BufferOp> buffers;
  for (auto buffer : program.getBody().getOps<plan::BufferOp>())
    if (buffer.getArena() == arena.getSymName() && !buffer.getAlias())
      buffers.push_back(buffer);
  for (plan::BufferOp buffer : buffers)
    if (failed(require(buffer,
                       "the size of buffer @" + buffer.getSymName() + " is negative",
                       getDims(buffer.getSize()))))
      return failure();
  // Inputs and outputs are where the caller has them, and weights do not depend on dims.
  if (arena.getKind() == ArenaKind::input || arena.getKind() == ArenaKind::output ||
      arena.getKind() == ArenaKind::weights)
    return success();
  std::optional<std::vector<End>> ends = endsOf(buffers);
  if (!ends || !areOrdered(buffers))
    setUnknown();
  for (const End &end : ends.value_or(std::vector<End>())) {
    Dims sides;
    for (const SymbolicExpr &size : getDims(arena.getSizes()))
      sides.append({size - end.aligned, size - end.exact});
    if (failed(require(arena,
                       "buffers of arena @" + arena.getSymName() + " end behind it, at " +
                           end.exact.str(),
                       sides)))
      return failure();
  }
  if (!isKnown)
    remarkAnalysis(arena.getLoc(), kVerifyPlanPass, "checked-at-corners",
                   "arena @" + arena.getSymName() + " is checked at corners");
  return success();
}

LogicalResult PlanProof::run() {
  for (auto arena : program.getBody().getOps<plan::ArenaOp>())
    if (failed(prove(arena)))
      return failure();
  return success();
}

LogicalResult kiln::provePlan(plan::ProgramOp program) {
  return PlanProof(program).run();
}
