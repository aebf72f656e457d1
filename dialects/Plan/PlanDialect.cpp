//===- PlanDialect.cpp - The plan dialect ---------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Plan/Plan.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln::plan;
using kiln::graph::ShapeAttr;

#include "dialects/Plan/PlanDialect.cpp.inc"
#include "dialects/Plan/PlanEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Plan/PlanAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Plan/PlanOps.cpp.inc"

void PlanDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Plan/PlanOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Plan/PlanAttrs.cpp.inc"
      >();
}

LogicalResult PlanDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  return op->emitOpError() << "carries the unknown attribute '"
                           << attr.getName().getValue() << "'; there is none of plan";
}

LogicalResult ProgramOp::verify() {
  constexpr int64_t kMaxStages = 1024;
  if (int64_t stages = getStages().value_or(2); stages < 2 || stages > kMaxStages)
    return emitOpError("(C3) expected from 2 to ")
           << kMaxStages << " stages, found " << stages;
  for (Operation &op : getBody().front()) {
    if (!isa<ArenaOp, BufferOp>(op) && !isStep(&op))
      return op.emitOpError("(C1) cannot stand in a plan.program");
    std::optional<int64_t> stage = stageOf(&op);
    int64_t stages = getStages().value_or(0);
    if (stage && (*stage < 0 || *stage >= stages))
      return op.emitOpError("(C3) expected one of ")
             << stages << " stages, found " << *stage;
  }
  return success();
}

/// Whether `ranks` is [size, stride] of a mesh axis, each at least 1.
static bool isAxis(ArrayRef<int64_t> ranks) {
  return ranks.size() == 2 && ranks[0] >= 1 && ranks[1] >= 1;
}

kiln::graph::MeshAxis kiln::plan::axisOf(std::optional<ArrayRef<int64_t>> ranks,
                                         int64_t all) {
  return ranks ? kiln::graph::MeshAxis{(*ranks)[0], (*ranks)[1]}
               : kiln::graph::MeshAxis{all};
}

std::optional<int64_t> kiln::plan::stageOf(Operation *op) {
  return TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case<BufferOp, LaunchOp, CopyOp, CollectiveOp>(
          [](auto concrete) -> std::optional<int64_t> { return concrete.getStage(); })
      .Default([](Operation *) { return std::nullopt; });
}

LogicalResult ArenaOp::verify() {
  if (getSizes().getDims().empty())
    return emitOpError("(C1) expected at least one size");
  return success();
}

static FailureOr<BufferOp> findBuffer(Operation *user, FlatSymbolRefAttr name,
                                      SymbolTableCollection &symbols) {
  auto buffer = symbols.lookupNearestSymbolFrom<BufferOp>(user, name);
  if (!buffer)
    return user->emitOpError("(C1) ") << name << " is no plan.buffer";
  return buffer;
}

/// (C2) for one referenced buffer.
static LogicalResult checkEarlier(BufferOp op, FlatSymbolRefAttr name,
                                  SymbolTableCollection &symbols) {
  auto other = symbols.lookupNearestSymbolFrom<BufferOp>(op, name);
  if (other && other.getArena() == op.getArena() && other->isBeforeInBlock(op))
    return success();
  return op.emitOpError("(C2) ") << name << " is no earlier buffer of the same arena";
}

LogicalResult BufferOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!symbols.lookupNearestSymbolFrom<ArenaOp>(*this, getArenaAttr()))
    return emitOpError("(C1) ") << getArenaAttr() << " is no plan.arena";
  if (getAbove())
    for (auto name : getAbove()->getAsRange<FlatSymbolRefAttr>())
      if (failed(checkEarlier(*this, name, symbols)))
        return failure();
  if (getAliasAttr() && failed(checkEarlier(*this, getAliasAttr(), symbols)))
    return failure();
  if (getSize().getDims().size() != 1)
    return emitOpError("(C3) expected one size, found ") << getSize().getDims().size();
  int64_t first = getFirst(), last = getLast();
  if (first < 0 || first > last)
    return emitOpError("(C4) live from ") << first << " to " << last;
  if (int64_t(getOffset().value_or(0)) < 0)
    return emitOpError("(C4) expected an offset that is not negative, found ")
           << int64_t(*getOffset());
  if (getStride() && (int64_t(*getStride()) <= 0 || !getOffset()))
    return emitOpError("(C5) expected a positive stride beside an offset");
  if (getRanks() && (!getStride() || !isAxis(*getRanks())))
    return emitOpError("(C5) expected ranks [size, apart] beside a stride");
  auto arena = symbols.lookupNearestSymbolFrom<ArenaOp>(*this, getArenaAttr());
  if (getStage() && (arena.getKind() != ArenaKind::state || getAlias()))
    return emitOpError("(C6) expected a stage of a state that is no alias");
  return success();
}

/// (C4)
static LogicalResult checkBounds(LaunchOp op, VariantAttr variant) {
  if (variant.getWhen().empty())
    return op.emitOpError("(C4) expected a bound of ") << variant.getKernel();
  for (Attribute entry : variant.getWhen()) {
    auto bound = dyn_cast<BoundAttr>(entry);
    if (!bound || bound.getValue().getDims().size() != 1)
      return op.emitOpError("(C4) expected bounds of one expression each, found ")
             << entry;
    if (bound.getMax() < 0)
      return op.emitOpError("(C4) expected a bound that is not negative, found ")
             << bound.getMax();
  }
  return success();
}

/// Whether every launch within the bounds of `inner` is within those of `outer`.
static bool alwaysWithin(VariantAttr inner, VariantAttr outer) {
  return llvm::all_of(outer.getWhen().getAsRange<BoundAttr>(), [&](BoundAttr wide) {
    return llvm::any_of(inner.getWhen().getAsRange<BoundAttr>(), [&](BoundAttr narrow) {
      return narrow.getValue() == wide.getValue() && narrow.getMax() <= wide.getMax();
    });
  });
}

/// (C4)
static LogicalResult checkVariants(LaunchOp op) {
  if (!op.getVariants())
    return success();
  if (op.getVariants()->empty())
    return op.emitOpError("(C4) expected a variant at least");
  SmallVector<VariantAttr> earlier;
  for (auto variant : op.getVariants()->getAsRange<VariantAttr>()) {
    int64_t target = variant.getTarget();
    if (variant.getGrid().getDims().size() != 1)
      return op.emitOpError("(C4) expected one grid of ") << variant.getKernel();
    if (target < 0 || size_t(target) >= op.getGrid().getDims().size())
      return op.emitOpError(
                 "(C4) expected a target that the launch has a grid for, found ")
             << target;
    if (!earlier.empty() && target < earlier.back().getTarget())
      return op.emitOpError("(C4) ") << variant.getKernel() << " is out of order";
    if (failed(checkBounds(op, variant)))
      return failure();
    for (VariantAttr before : earlier)
      if (before.getTarget() == target && alwaysWithin(variant, before))
        return op.emitOpError("(C4) ")
               << variant.getKernel() << " never runs: the bounds of "
               << before.getKernel() << " hold wherever its own do";
    earlier.push_back(variant);
  }
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  for (ArrayAttr list : {getReads(), getWrites()})
    for (auto name : list.getAsRange<FlatSymbolRefAttr>())
      if (failed(findBuffer(*this, name, symbols)))
        return failure();
  for (ShapeAttr expr : {getBytes(), getFlops()})
    if (expr.getDims().size() != 1)
      return emitOpError("(C2) expected one expression, found ") << expr.getDims().size();
  if (getGrid().getDims().empty())
    return emitOpError("(C2) expected a grid");
  if (failed(checkVariants(*this)))
    return failure();
  if (!getWorkspace() && !getTickets())
    return success();
  if (!getWorkspace() || !getTickets())
    return emitOpError("(C3) expected a workspace and tickets, or neither");
  for (auto [name, kind] : {std::pair(getWorkspaceAttr(), ArenaKind::activations),
                            std::pair(getTicketsAttr(), ArenaKind::state)}) {
    FailureOr<BufferOp> buffer = findBuffer(*this, name, symbols);
    if (failed(buffer))
      return failure();
    auto arena = symbols.lookupNearestSymbolFrom<ArenaOp>(*this, buffer->getArenaAttr());
    if (arena && arena.getKind() != kind)
      return emitOpError("(C3) ")
             << name << " lies in " << stringifyArenaKind(arena.getKind())
             << ", expected " << stringifyArenaKind(kind);
  }
  return success();
}

LogicalResult CopyOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FailureOr<BufferOp> from = findBuffer(*this, getFromAttr(), symbols);
  FailureOr<BufferOp> to = findBuffer(*this, getToAttr(), symbols);
  if (failed(from) || failed(to))
    return failure();
  if (from->getSize() != to->getSize())
    return emitOpError("(C1) sizes differ");
  return success();
}

LogicalResult CollectiveOp::verifySymbolUses(SymbolTableCollection &symbols) {
  using graph::ReduceKind;
  if (failed(findBuffer(*this, getFromAttr(), symbols)) ||
      failed(findBuffer(*this, getToAttr(), symbols)))
    return failure();
  for (ShapeAttr expr : {getOuter(), getInner()})
    if (expr.getDims().size() != 1)
      return emitOpError("(C2) expected one expression, found ") << expr.getDims().size();
  constexpr ReduceKind kKinds[] = {ReduceKind::sum, ReduceKind::mean, ReduceKind::max,
                                   ReduceKind::min, ReduceKind::prod};
  bool reduces = getKind() == CollectiveKind::all_reduce ||
                 getKind() == CollectiveKind::reduce_scatter;
  if (reduces != getReduction().has_value() ||
      (reduces && !llvm::is_contained(kKinds, *getReduction())))
    return emitOpError("(C3) expected ") << (reduces ? "a reduction" : "no reduction");
  if (isHandover(*this) && (!getStage() || getFrom() != getTo()))
    return emitOpError("(C4) expected a stage, and one buffer");
  bool permutes = getKind() == CollectiveKind::permute;
  if (permutes != getTakers().has_value() || (permutes && getTakers() == getStage()))
    return emitOpError("(C4) expected ")
           << (permutes ? "takers, which are another stage" : "no takers");
  if (getRanks() && (isHandover(*this) || !isAxis(*getRanks())))
    return emitOpError("(C5) expected ranks [size, apart] of no handover");
  return success();
}
