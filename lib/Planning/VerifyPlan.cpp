//===- VerifyPlan.cpp - Verification of a plan's memory -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanLayout.h"
#include "ProvePlan.h"
#include "StepBuffers.h"
#include "VerifyStates.h"
#include "VerifyStreams.h"
#include "kiln/ErrorCodes/Plan.h"
#include "kiln/Planning/Passes.h"
#include "kiln/Support/Error.h"
#include "kiln/Support/PassOptions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace kiln {
#define GEN_PASS_DEF_VERIFYPLANPASS
#include "kiln/Planning/Passes.h.inc"
} // namespace kiln

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;
using plan::ArenaKind;

static int64_t stagesOf(plan::ProgramOp program) {
  return program.getStages().value_or(1);
}

namespace {
struct Extent {
  plan::BufferOp op;
  int64_t offset = 0, size = 0; ///< with all parts of a divided weight
  uint64_t first = 0, last = 0; ///< steps
};

/// Checks one plan at one corner of the ranges of dims.
class CornerCheck {
public:
  CornerCheck(plan::ProgramOp program, const SymbolValues &corner)
      : program(program), corner(corner), layout(program, corner) {}
  LogicalResult run();
  /// Returns the extents of the named states. To be called after run().
  llvm::MapVector<StringAttr, Extent> states();

private:
  LogicalResult fail(Operation *op, const Twine &what);
  LogicalResult layOut(plan::BufferOp op);
  LogicalResult checkOverlaps(std::vector<Extent> all);

  plan::ProgramOp program;
  const SymbolValues &corner;
  PlanLayout layout;
  llvm::StringMap<Extent> extents;
  llvm::StringMap<int64_t> arenaSizes;
};
} // namespace

LogicalResult CornerCheck::fail(Operation *op, const Twine &what) {
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::PlanRefused;
  diagnosis.where = "memory plan";
  diagnosis.what = what.str();
  std::string at;
  for (auto [symbol, value] : corner)
    at += (at.empty() ? "" : ", ") + symbol.str() + "=" + std::to_string(value);
  diagnosis.found = "at " + (at.empty() ? "static dims" : at);
  diagnosis.fix = "report this: the planner is wrong";
  return emitError(op->getLoc(), diagnosis);
}

LogicalResult CornerCheck::layOut(plan::BufferOp op) {
  std::string why;
  std::optional<BufferExtent> place = layout.add(op, why);
  if (!place)
    return fail(op, why);
  bool external = arenaSizes.count(op.getArena()) == 0;
  if (!external && place->end > arenaSizes[op.getArena()])
    return fail(op, "buffer @" + op.getSymName() + " ends at " + Twine(place->end) +
                        " of " + Twine(arenaSizes[op.getArena()]) + " bytes");
  extents[op.getSymName()] = {op, place->offset, place->end - place->offset,
                              op.getFirst(), op.getLast()};
  return success();
}

/// Checks buffers in the order of their first steps against those that are live, sorted
/// by offset. It suffices to compare each with its two neighbours.
LogicalResult CornerCheck::checkOverlaps(std::vector<Extent> all) {
  llvm::stable_sort(all,
                    [](const Extent &a, const Extent &b) { return a.first < b.first; });
  std::map<int64_t, const Extent *> live;
  std::multimap<uint64_t, int64_t> ends; // last step -> offset
  auto overlap = [](const Extent &a, const Extent &b) {
    return a.offset < b.offset + b.size && b.offset < a.offset + a.size;
  };
  for (const Extent &extent : all) {
    for (; !ends.empty() && ends.begin()->first < extent.first; ends.erase(ends.begin()))
      live.erase(ends.begin()->second);
    auto next = live.lower_bound(extent.offset);
    const Extent *other = nullptr;
    if (next != live.end() && overlap(*next->second, extent))
      other = next->second;
    else if (next != live.begin() && overlap(*std::prev(next)->second, extent))
      other = std::prev(next)->second;
    if (other)
      return fail(extent.op, "buffers @" + plan::BufferOp(other->op).getSymName() +
                                 " and @" + plan::BufferOp(extent.op).getSymName() +
                                 " overlap while both are live");
    live[extent.offset] = &extent;
    ends.emplace(extent.last, extent.offset);
  }
  return success();
}

LogicalResult CornerCheck::run() {
  for (auto arena : program.getBody().getOps<plan::ArenaOp>())
    if (arena.getKind() != ArenaKind::input && arena.getKind() != ArenaKind::output) {
      std::optional<int64_t> size = layout.evaluate(arena.getSizes());
      if (!size)
        return fail(arena, "the size of arena @" + arena.getSymName() +
                               " is negative, or has no 63 bits");
      arenaSizes[arena.getSymName()] = *size;
    }
  llvm::MapVector<StringRef, std::vector<Extent>> byArena;
  for (auto buffer : program.getBody().getOps<plan::BufferOp>()) {
    if (failed(layOut(buffer)))
      return failure();
    const Extent &extent = extents[buffer.getSymName()];
    // Empty buffers overlap nothing, and aliases are inside of another buffer.
    if (arenaSizes.count(buffer.getArena()) && !buffer.getAlias() && extent.size > 0)
      byArena[buffer.getArena()].push_back(extent);
  }
  // States of different stages are on different ranks.
  for (int64_t stage = 0; stage < stagesOf(program); ++stage)
    for (auto &[arena, all] : byArena) {
      std::vector<Extent> own;
      llvm::copy_if(all, std::back_inserter(own), [&](const Extent &extent) {
        return plan::stageOf(plan::BufferOp(extent.op)).value_or(stage) == stage;
      });
      if (failed(checkOverlaps(std::move(own))))
        return failure();
    }
  return success();
}

llvm::MapVector<StringAttr, Extent> CornerCheck::states() {
  llvm::MapVector<StringAttr, Extent> result;
  SymbolTable symbols(program);
  for (auto buffer : program.getBody().getOps<plan::BufferOp>())
    if (buffer.getType() && buffer.getSource() &&
        symbols.lookup<plan::ArenaOp>(buffer.getArena()).getKind() == ArenaKind::state)
      result[buffer.getSourceAttr()] = extents[buffer.getSymName()];
  return result;
}

using States = llvm::MapVector<StringAttr, Extent>;

static LogicalResult refuseState(Operation *at, const Twine &what, const Twine &expected,
                                 const Twine &found) {
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::PlanRefused;
  diagnosis.where = "memory plan";
  diagnosis.what = what.str();
  diagnosis.expected = expected.str();
  diagnosis.found = found.str();
  diagnosis.fix = "report this: the planner is wrong";
  return emitError(at->getLoc(), diagnosis);
}

/// Checks that all programs have the same states, with the same types and offsets,
/// because they access each other's state.
static LogicalResult checkStates(plan::ProgramOp program, States &wanted,
                                 States &states) {
  if (states.size() != wanted.size())
    return refuseState(program, "programs of one model differ in the number of states",
                       Twine(wanted.size()), Twine(states.size()));
  for (auto &[name, state] : states) {
    auto *it = wanted.find(name);
    std::string what = "state '" + name.str() + "' ";
    if (it == wanted.end())
      return refuseState(state.op, what + "is of one program alone",
                         "the states of the first", "another one");
    Extent &first = it->second;
    if (state.op.getType() != first.op.getType())
      return refuseState(state.op, what + "differs in type between programs", "one type",
                         "two");
    if (state.offset != first.offset || state.size != first.size)
      return refuseState(state.op, what + "lies elsewhere in another program",
                         Twine(first.size) + " bytes at " + Twine(first.offset),
                         Twine(state.size) + " at " + Twine(state.offset));
  }
  return success();
}

namespace {
/// Checks that the ranks of one stage have the values that its steps read.
class StageCheck {
public:
  StageCheck(plan::ProgramOp program, int64_t stage)
      : program(program), stage(stage), symbols(program) {}
  LogicalResult run();

private:
  bool isOwn(Operation *op) const { return plan::stageOf(op).value_or(stage) == stage; }
  LogicalResult checkRead(Operation *op, StringRef name);
  LogicalResult checkOutputs();
  ArenaKind kindOf(plan::BufferOp buffer) {
    return symbols.lookup<plan::ArenaOp>(buffer.getArena()).getKind();
  }

  plan::ProgramOp program;
  int64_t stage;
  SymbolTable symbols;
  llvm::StringSet<llvm::MallocAllocator> written;
};
} // namespace

/// Checks that a buffer is initialized: written by an earlier step, or available from the
/// start.
LogicalResult StageCheck::checkRead(Operation *op, StringRef name) {
  if (written.contains(name))
    return success();
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::PlanRefused;
  diagnosis.what = "buffer @" + name.str() + " is read before it is written";
  if (program.getStages())
    diagnosis.found = "on the ranks of stage " + std::to_string(stage);
  return emitError(op->getLoc(), diagnosis);
}

/// Checks that all ranks have the outputs.
LogicalResult StageCheck::checkOutputs() {
  for (auto buffer : program.getBody().getOps<plan::BufferOp>())
    if (program.getStages() && buffer.getType() && kindOf(buffer) == ArenaKind::output &&
        failed(checkRead(buffer, buffer.getSymName())))
      return failure();
  return success();
}

LogicalResult StageCheck::run() {
  for (auto buffer : program.getBody().getOps<plan::BufferOp>()) {
    ArenaKind kind = kindOf(buffer);
    bool isThere = kind == ArenaKind::weights || kind == ArenaKind::input ||
                   (kind == ArenaKind::state && isOwn(buffer));
    if (isThere)
      written.insert(buffer.getSymName());
  }
  for (Operation &op : program.getBody().front()) {
    auto collective = dyn_cast<plan::CollectiveOp>(op);
    if (!isOwn(&op)) {
      if (collective && plan::isHandover(collective) &&
          collective.getTakers().value_or(stage) == stage)
        written.insert(collective.getTo());
      continue;
    }
    StepBuffers buffers(&op);
    for (StringRef name : buffers.reads)
      if (failed(checkRead(&op, name)))
        return failure();
    written.insert(buffers.writes.begin(), buffers.writes.end());
  }
  return checkOutputs();
}

/// Checks the steps for the ranks of every stage.
static LogicalResult checkOrder(plan::ProgramOp program) {
  for (int64_t stage = 0; stage < stagesOf(program); ++stage)
    if (failed(StageCheck(program, stage).run()))
      return failure();
  return success();
}

/// Checks that a step's workspace is live during the step, and that its arrival counters
/// (tickets), whose values last from run to run, belong to no other step.
static LogicalResult checkWorkspaces(plan::ProgramOp program) {
  SymbolTable symbols(program);
  llvm::StringMap<plan::LaunchOp> owners;
  int64_t step = 0;
  for (Operation &op : program.getBody().front()) {
    if (!plan::isStep(&op))
      continue;
    auto launch = dyn_cast<plan::LaunchOp>(op);
    int64_t at = step++;
    if (!launch || !launch.getWorkspace())
      continue;
    auto workspace = symbols.lookup<plan::BufferOp>(*launch.getWorkspace());
    Diagnosis diagnosis;
    diagnosis.code = ErrorCode::PlanRefused;
    diagnosis.where = "memory plan";
    diagnosis.fix = "report this: the planner is wrong";
    if (workspace.getFirst() > uint64_t(at) || workspace.getLast() < uint64_t(at)) {
      diagnosis.what =
          "workspace @" + launch.getWorkspace()->str() + " is not live at its step";
      diagnosis.expected = "step " + std::to_string(at);
      return emitError(launch.getLoc(), diagnosis);
    }
    if (!owners.try_emplace(*launch.getTickets(), launch).second) {
      diagnosis.what = "tickets @" + launch.getTickets()->str() + " are of two steps";
      return emitError(launch.getLoc(), diagnosis);
    }
  }
  return success();
}

static int64_t evaluateAt(ShapeAttr shape, const SymbolValues &corner) {
  return getDims(shape)
      .front()
      .evaluate([&](StringAttr symbol) { return corner.lookup(symbol); })
      .value_or(std::numeric_limits<int64_t>::max());
}

/// Returns a diagnosis if a variant runs for all dims in the ranges or for none. The ends
/// of the ranges suffice, because bounded values do not decrease as a symbol grows.
static std::optional<Diagnosis> decidedByRanges(plan::VariantAttr variant,
                                                ArrayRef<SymbolValues> corners) {
  Diagnosis diagnosis;
  bool isAlways = true;
  for (auto bound : variant.getWhen().getAsRange<plan::BoundAttr>()) {
    int64_t minimum = evaluateAt(bound.getValue(), corners[0]),
            maximum = evaluateAt(bound.getValue(), corners[1]);
    isAlways &= bound.getMax() >= maximum;
    diagnosis.expected = "a bound within " + std::to_string(minimum) + ".." +
                         std::to_string(maximum) + " and below the last";
    diagnosis.found = std::to_string(bound.getMax());
    if (bound.getMax() < minimum)
      return diagnosis;
  }
  return isAlways ? std::optional(diagnosis) : std::nullopt;
}

/// Checks that each variant runs for some but not all dims, and that it has tasks
/// whenever its launch's own kernel has some, which the edges of a CUDA graph rely on.
static LogicalResult checkVariants(plan::LaunchOp launch,
                                   ArrayRef<SymbolValues> corners) {
  if (!launch.getVariants())
    return success();
  for (auto one : launch.getVariants()->getAsRange<plan::VariantAttr>()) {
    Diagnosis diagnosis;
    std::string name = "@" + one.getKernel().getValue().str();
    if (auto decided = decidedByRanges(one, corners)) {
      diagnosis = *decided;
      diagnosis.what = name + " runs always or never: the ranges of the dims decide";
    }
    for (const SymbolValues &corner : corners) {
      int64_t own = evaluateAt(
          makeShape(launch.getContext(), {getDims(launch.getGrid())[one.getTarget()]}),
          corner);
      if (own > 0 && evaluateAt(one.getGrid(), corner) <= 0)
        diagnosis.what = name + " has no tasks where its launch has some";
    }
    if (diagnosis.what.empty())
      continue;
    diagnosis.code = ErrorCode::PlanRefused;
    diagnosis.where = "variants of @" + launch.getKernel().str();
    diagnosis.fix = "report this: the planner is wrong";
    return emitError(launch.getLoc(), diagnosis);
  }
  return success();
}

static SmallVector<SymbolValues> cornersOf(ModuleOp module) {
  SmallVector<SymbolOp> symbols(module.getOps<SymbolOp>());
  SymbolValues low, high;
  for (SymbolOp symbol : symbols) {
    low[symbol.getSymNameAttr()] = symbol.getMin();
    high[symbol.getSymNameAttr()] = symbol.getMax();
  }
  SmallVector<SymbolValues> corners{low, high};
  for (SymbolOp symbol : symbols) {
    SymbolValues mixed = high;
    mixed[symbol.getSymNameAttr()] = symbol.getMin();
    corners.push_back(mixed);
  }
  return corners;
}

namespace {
class VerifyPlanPass : public kiln::impl::VerifyPlanPassBase<VerifyPlanPass> {
public:
  void runOnOperation() override {
    markAllAnalysesPreserved();
    SmallVector<SymbolValues> corners = cornersOf(getOperation());
    std::vector<States> first; // by corner
    if (getOperation().getOps<plan::ProgramOp>().empty())
      warnOfNothing(*this, getOperation(), "plan.program");
    for (auto program : getOperation().getOps<plan::ProgramOp>())
      if (failed(check(program, corners, first)))
        return signalPassFailure();
  }

private:
  LogicalResult check(plan::ProgramOp program, ArrayRef<SymbolValues> corners,
                      std::vector<States> &first) {
    if (failed(checkOrder(program)) || failed(checkWorkspaces(program)) ||
        failed(verifyStreams(program)) || failed(verifyStates(program)))
      return failure();
    for (auto launch : program.getOps<plan::LaunchOp>())
      if (failed(checkVariants(launch, corners)))
        return failure();
    for (auto [i, corner] : llvm::enumerate(corners)) {
      CornerCheck check(program, corner);
      if (failed(check.run()))
        return failure();
      States states = check.states();
      if (first.size() == i)
        first.push_back(states);
      if (failed(checkStates(program, first[i], states)))
        return failure();
    }
    return provePlan(program);
  }
};
} // namespace
