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

LogicalResult ProgramOp::verify() {
  for (Operation &op : getBody().front())
    if (!isa<ArenaOp, BufferOp, LaunchOp, CopyOp>(op))
      return op.emitOpError("(C1) cannot stand in a plan.program");
  return success();
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

/// (C2) for one reference.
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
  if (getFirst() > getLast())
    return emitOpError("(C4) live from ") << getFirst() << " to " << getLast();
  return success();
}

/// (C4)
static LogicalResult checkAlternatives(LaunchOp op) {
  if (op.getRows().has_value() != op.getAlternatives().has_value())
    return op.emitOpError("(C4) expected rows and alternatives, or neither");
  if (!op.getRows())
    return success();
  if (op.getRows()->getDims().size() != 1)
    return op.emitOpError("(C4) expected one expression of rows, found ")
           << op.getRows()->getDims().size();
  if (op.getAlternatives()->empty())
    return op.emitOpError("(C4) expected an alternative at least");
  std::pair<int64_t, int64_t> before(0, 0);
  for (auto alternative : op.getAlternatives()->getAsRange<AlternativeAttr>()) {
    std::pair place(alternative.getTarget(), alternative.getMost());
    if (alternative.getGrid().getDims().size() != 1)
      return op.emitOpError("(C4) expected one grid of ") << alternative.getKernel();
    if (place.first < 0 || size_t(place.first) >= op.getGrid().getDims().size())
      return op.emitOpError(
                 "(C4) expected a target that the launch has a grid for, found ")
             << place.first;
    if (place.second < 1 || place <= before)
      return op.emitOpError("(C4) ") << alternative.getKernel() << " is out of order";
    before = place;
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
  if (failed(checkAlternatives(*this)))
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
