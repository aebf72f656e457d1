//===- RaiseRope.cpp - Raises rotary position embeddings ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instead of matching every pattern, the halves of a value (or its even and odd elements)
// are expanded to sums of products of slices of other values: Piece.h, RopeMatch.h.
//
//===----------------------------------------------------------------------===//

#include "RopeMatch.h"
#include "kiln/Analysis/GraphPass.h"
#include "kiln/Analysis/Match.h"
#include "kiln/Reference/ResultChange.h"
#include "kiln/Support/PassRemark.h"
#include "kiln/Transforms/Graph/Passes.h"

namespace kiln {
#define GEN_PASS_DEF_RAISEROPEPASS
#include "kiln/Transforms/Graph/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr StringLiteral kRaiseRopePass = "kiln-raise-rope";

/// Whether the op concatenates two halves or elements of which one is negated, as in all
/// patterns except those that write pairs explicitly.
static bool hasNegatedPart(ConcatOp op) {
  return int64_t(op.getAxis()) == rankOf(op.getResult()) - 1 &&
         op.getInputs().size() == 2 && llvm::any_of(op.getInputs(), [](Value input) {
           while (auto reshape = input.getDefiningOp<ReshapeOp>())
             input = reshape.getInput();
           auto scaled = asScaled(input);
           return asUnary(input, UnaryKind::neg) || (scaled && scaled->scalar == -1.0);
         });
}

/// Whether the op may end the pattern: an add, or a concat of halves or pairs.
static bool mayEnd(Operation *op) {
  if (auto binary = dyn_cast<BinaryOp>(op))
    return binary.getKind() == BinaryKind::add || binary.getKind() == BinaryKind::sub;
  if (auto concat = dyn_cast<ConcatOp>(op))
    return int64_t(concat.getAxis()) == rankOf(concat.getResult()) - 1;
  auto reshape = dyn_cast<ReshapeOp>(op);
  return reshape && reshape.getInput().getDefiningOp<ConcatOp>();
}

namespace {
class RopeRaiser {
public:
  explicit RopeRaiser(func::FuncOp function) : function(function) {}
  unsigned run();

private:
  void raise(Operation *op, const RopeMatch &match);
  /// Extends concat(rope(the first elements of x), the others) to a rope of x.
  bool widen(ConcatOp op);
  /// Materializes the table of a match with one column per pair.
  Value makeTable(const Piece &piece);
  void remarkOthers();

  func::FuncOp function;
  PieceMaker maker;
  DenseMap<Operation *, std::string> refused;
};
} // namespace

/// A rope broadcasts its tables implicitly.
Value RopeRaiser::makeTable(const Piece &piece) {
  Value table = maker.make(piece);
  while (auto broadcast = table.getDefiningOp<BroadcastOp>()) {
    if (getDims(broadcast.getInput()).empty() ||
        getDims(broadcast.getInput()).back() != getDims(table).back())
      break;
    table = broadcast.getInput();
  }
  return table;
}

void RopeRaiser::raise(Operation *op, const RopeMatch &match) {
  Value input = maker.make(match.input);
  Value cosine = makeTable(match.cosine), sine = makeTable(match.sine);
  OpBuilder builder(op);
  if (match.isInverse)
    sine = UnaryOp::create(builder, op->getLoc(), UnaryKind::neg, sine);
  auto rope =
      RopeOp::create(builder, op->getLoc(), input, cosine, sine, match.interleaved);
  remarkPassed(op->getLoc(), kRaiseRopePass, "rope",
               match.interleaved
                   ? "raised to a rotary embedding of adjacent elements"
                   : "raised to a rotary embedding of the halves of a head");
  op->getResult(0).replaceAllUsesWith(rope.getResult());
}

bool RopeRaiser::widen(ConcatOp op) {
  if (int64_t(op.getAxis()) != rankOf(op.getResult()) - 1 || op.getInputs().size() != 2)
    return false;
  auto rope = op.getInputs()[0].getDefiningOp<RopeOp>();
  auto width = tailOf(op.getResult(), 1);
  if (!rope || !width || !rope->hasOneUse())
    return false;
  int64_t rotated = *tailOf(rope.getResult(), 1);
  Piece front = resolve({rope.getInput(), 1, 0, 1, rotated});
  Piece rest = resolve({op.getInputs()[1], 1, 0, 1, *width - rotated});
  bool isOne = front.base == rest.base && front.tail == rest.tail && front.step == 1 &&
               rest.step == 1 && rest.start == front.start + rotated;
  Dims lead = getDims(op.getResult());
  lead.pop_back();
  if (!isOne || leadOf(front) != lead)
    return false;
  Value input = maker.make({front.base, front.tail, front.start, 1, *width});
  OpBuilder builder(op);
  auto wide =
      RopeOp::create(builder, builder.getFusedLoc({rope.getLoc(), op.getLoc()}), input,
                     rope.getCosine(), rope.getSine(), rope.getInterleaved());
  remarkPassed(
      op.getLoc(), kRaiseRopePass, "rope",
      "the rotary embedding passes on the elements behind those that it rotates");
  replaceAndErase(op, wide.getResult());
  return true;
}

void RopeRaiser::remarkOthers() {
  function.walk([&](ConcatOp op) {
    if (!hasNegatedPart(op) || op.use_empty())
      return;
    std::string why = "its result is not used in x * cosine + rotated(x) * sine";
    // Use the reason for which a user was refused, if any.
    Value value = op.getResult();
    for (int i = 0; i < 4 && !value.use_empty(); ++i) {
      Operation *user = *value.user_begin();
      if (auto it = refused.find(user); it != refused.end())
        why = it->second;
      if (user->getNumResults() != 1)
        break;
      value = user->getResult(0);
    }
    remarkMissed(op.getLoc(), kRaiseRopePass, "rope", why);
  });
}

unsigned RopeRaiser::run() {
  SmallVector<Operation *> ends;
  function.walk([&](Operation *op) {
    if (mayEnd(op))
      ends.push_back(op);
  });
  unsigned raised = 0;
  SmallVector<Operation *> dead;
  for (Operation *op : ends) {
    RopeMatcher matcher(op->getResult(0));
    if (std::optional<RopeMatch> match = matcher.match()) {
      raise(op, *match);
      dead.push_back(op);
      ++raised;
    } else if (!matcher.why.empty()) {
      refused[op] = matcher.why;
    }
  }
  // Erased last, as the end of one pattern may be a part of another.
  for (Operation *op : llvm::reverse(dead))
    eraseDead(op);
  SmallVector<ConcatOp> concats;
  function.walk([&](ConcatOp op) { concats.push_back(op); });
  for (ConcatOp op : concats)
    widen(op);
  remarkOthers();
  return raised;
}

unsigned kiln::raiseRope(func::FuncOp function) { return RopeRaiser(function).run(); }

namespace {
class RaiseRopePass : public kiln::impl::RaiseRopePassBase<RaiseRopePass>,
                      public reference::ChangesResults {
public:
  void runOnGraph() override { numRaised += raiseRope(getOperation()); }
  reference::ResultChange resultChange(ModuleOp module) override {
    return reference::changeByRaising(module);
  }
};
} // namespace
