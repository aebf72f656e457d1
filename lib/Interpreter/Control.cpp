//===- Control.cpp - Blocks, loops, branches ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "kiln/ErrorCodes/Graph.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace kiln;
using namespace kiln::interpreter;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

LogicalResult Machine::run(Block &block, ArrayRef<Value> arguments, Values *yielded) {
  for (auto [name, value] : llvm::zip(block.getArguments(), arguments))
    state.bind(name, value);
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      break;
    if (failed(evaluate(&op)))
      return failure();
  }
  if (yielded && block.mightHaveTerminator())
    *yielded = state.getAll(block.getTerminator()->getOperands());
  return success();
}

Evaluated Machine::evaluateFamilies(Operation *op) {
  auto runBlock = [this](Block &block, ArrayRef<Value> arguments, Values *yielded) {
    return run(block, arguments, yielded);
  };
  if (Evaluated result = evaluateAccess(state, op))
    return result;
  if (Evaluated result = evaluateFragments(state, op, runBlock))
    return result;
  if (Evaluated result = evaluateAsync(state, op, runBlock))
    return result;
  if (Evaluated result = evaluateScaledMma(state, op))
    return result;
  if (Evaluated result = evaluateAsyncMma(state, op))
    return result;
  if (Evaluated result = evaluateAsyncStores(state, op))
    return result;
  return evaluateAsyncCopies(state, op);
}

LogicalResult Machine::evaluate(Operation *op) {
  if (isa<tile::TileDialect>(op->getDialect()))
    if (Evaluated result = evaluateFamilies(op))
      return *result;
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      // Tasks and ops run sequentially, so these have nothing to do.
      .Case<tile::SyncClusterOp, tile::WaitPriorOp, tile::PrefetchOp,
            tile::PrefetchBoxOp>([](auto) { return success(); })
      .Case([&](tile::PipelineOp pipeline) { return evaluatePipeline(pipeline); })
      .Case<scf::ForOp>([&](auto) { return evaluateFor(op); })
      .Case<scf::IfOp>([&](auto) { return evaluateIf(op); })
      .Case<scf::IndexSwitchOp>([&](auto) { return evaluateSwitch(op); })
      .Case<affine::AffineApplyOp>([&](auto) { return evaluateApply(op); })
      .Default([&](Operation *) { return evaluateScalar(op); });
}

LogicalResult Machine::evaluateScalar(Operation *op) {
  auto isScalar = [](Type type) { return type.isIntOrIndexOrFloat(); };
  std::string name = "'" + op->getName().getStringRef().str() + "'";
  if (!llvm::all_of(op->getOperandTypes(), isScalar) ||
      !llvm::all_of(op->getResultTypes(), isScalar))
    return state.fail(op, ErrorCode::TileUnsupported,
                      name + " is not evaluated on these types");
  SmallVector<Scalar> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(state.scalar(operand));
  Scalar result;
  switch (evaluateScalarOp(op, operands, result)) {
  case ScalarStatus::Unknown:
    return state.fail(op, ErrorCode::TileUnsupported, name + " is not evaluated");
  case ScalarStatus::Undefined:
    return state.fail(op, ErrorCode::TileUndefined,
                      name + " divides by 0 or has a quotient that does not fit");
  case ScalarStatus::Ok:
    state.bind(op->getResult(0), result);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

LogicalResult Machine::evaluateFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  int64_t upper = state.index(loop.getUpperBound()), step = state.index(loop.getStep());
  if (step <= 0)
    return state.fail(op, ErrorCode::TileUndefined,
                      "a loop has the step " + std::to_string(step));
  Values carried = state.getAll(loop.getInitArgs());
  for (int64_t i = state.index(loop.getLowerBound()); i < upper; i += step) {
    Values arguments{Scalar::ofInt(i)};
    llvm::append_range(arguments, carried);
    if (failed(run(*loop.getBody(), arguments, &carried)))
      return failure();
  }
  for (auto [name, value] : llvm::zip(loop.getResults(), carried))
    state.bind(name, value);
  return success();
}

LogicalResult Machine::evaluatePipeline(tile::PipelineOp op) {
  int64_t upper = state.index(op.getUpper()), step = state.index(op.getStep());
  if (step <= 0)
    return state.fail(op, ErrorCode::TileUndefined,
                      "a pipeline has the step " + std::to_string(step));
  Values carried = state.getAll(op.getInits());
  for (int64_t k = state.index(op.getLower()); k < upper; k += step) {
    Values arguments{Scalar::ofInt(k)}, staged;
    if (failed(run(op.getLoad().front(), arguments, &staged)))
      return failure();
    llvm::append_range(arguments, staged);
    llvm::append_range(arguments, carried);
    if (failed(run(op.getCompute().front(), arguments, &carried)))
      return failure();
  }
  for (auto [name, value] : llvm::zip(op.getResults(), carried))
    state.bind(name, value);
  return success();
}

LogicalResult Machine::evaluateIf(Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  Region &region = state.index(branch.getCondition()) ? branch.getThenRegion()
                                                      : branch.getElseRegion();
  Values results;
  if (!region.empty() && failed(run(region.front(), {}, &results)))
    return failure();
  for (auto [name, value] : llvm::zip(branch.getResults(), results))
    state.bind(name, value);
  return success();
}

LogicalResult Machine::evaluateSwitch(Operation *op) {
  auto choice = cast<scf::IndexSwitchOp>(op);
  int64_t value = state.index(choice.getArg());
  Block *block = &choice.getDefaultBlock();
  for (auto [i, label] : llvm::enumerate(choice.getCases()))
    if (label == value)
      block = &choice.getCaseBlock(i);
  Values results;
  if (failed(run(*block, {}, &results)))
    return failure();
  for (auto [name, result] : llvm::zip(choice.getResults(), results))
    state.bind(name, result);
  return success();
}

LogicalResult Machine::evaluateApply(Operation *op) {
  auto apply = cast<affine::AffineApplyOp>(op);
  Builder builder(op->getContext());
  SmallVector<Attribute> operands, results;
  for (int64_t value : state.indices(apply.getMapOperands()))
    operands.push_back(builder.getIndexAttr(value));
  if (failed(apply.getAffineMap().constantFold(operands, results)))
    return state.fail(op, ErrorCode::TileUndefined,
                      "the expression divides by a value that is not positive");
  state.bind(apply.getResult(), Scalar::ofInt(cast<IntegerAttr>(results[0]).getInt()));
  return success();
}

LogicalResult Machine::runTask(tile::KernelOp kernel, int64_t number) {
  state.task = number;
  state.bind(kernel.getTask(), Scalar::ofInt(number));
  state.copies = CopyState();
  if (failed(run(kernel.getBlock(), {}, nullptr)))
    return failure();
  return checkCopiesDone(state, kernel);
}
