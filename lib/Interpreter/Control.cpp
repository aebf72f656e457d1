//===- Control.cpp - Blocks, loops, branches ------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace kiln;
using namespace kiln::interpreter;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Values and errors
//===----------------------------------------------------------------------===//

const interpreter::Value &Machine::get(mlir::Value name) const {
  auto it = values.find(name);
  assert(it != values.end() && "value used before it is defined");
  return it->second;
}

SmallVector<int64_t> Machine::indices(ValueRange names) const {
  SmallVector<int64_t> result;
  for (mlir::Value name : names)
    result.push_back(index(name));
  return result;
}

Machine::Values Machine::getAll(ValueRange names) const {
  Values result;
  for (mlir::Value name : names)
    result.push_back(get(name));
  return result;
}

LogicalResult Machine::fail(Operation *op, ErrorCode code, std::string what) {
  if (!error.what.empty())
    return failure();
  error.code = code;
  error.where = describe(op->getLoc()) + ", '" + op->getName().getStringRef().str() +
                "' of task " + std::to_string(task);
  error.what = std::move(what);
  return failure();
}

LogicalResult Machine::check(Operation *op, AccessError what) {
  if (!what)
    return success();
  return fail(op, what.race ? ErrorCode::TileRace : ErrorCode::TileOutOfBounds,
              std::move(what.what));
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

LogicalResult Machine::run(Block &block, ArrayRef<Value> arguments, Values *yielded) {
  for (auto [name, value] : llvm::zip(block.getArguments(), arguments))
    bind(name, value);
  for (Operation &op : block) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      break;
    if (failed(evaluate(&op)))
      return failure();
  }
  if (yielded && block.mightHaveTerminator())
    *yielded = getAll(block.getTerminator()->getOperands());
  return success();
}

LogicalResult Machine::evaluate(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tile::ScratchOp, tile::ViewOp, tile::LoadOp, tile::StoreOp, tile::GatherOp,
            tile::ScatterOp, tile::StageOp, tile::FillOp, tile::MapOp, tile::WorkspaceOp,
            tile::TicketOp, tile::ReduceOp, tile::BroadcastOp, tile::ConvertOp,
            tile::IotaOp, tile::SelectRangeOp, tile::TransposeOp, tile::ExtractOp,
            tile::StackOp, tile::MmaOp, tile::AllocOp, tile::CreateBarriersOp,
            tile::WaitBarrierOp, tile::ArriveBarrierOp, tile::ExpectBytesOp,
            tile::AsyncCopyOp, tile::IssueMmaOp, tile::WaitMmaOp, tile::PendingOp,
            tile::PackOperandOp, tile::FirstTaskOp, tile::TaskStrideOp,
            tile::WarpSpecializeOp, tile::WriteBufferOp, tile::AsyncStoreOp,
            tile::WaitStoresOp>([&](auto concrete) { return evaluate(concrete); })
      .Case([&](tile::ConvertLayoutOp convert) {
        bind(convert.getResult(), fragment(convert.getInput()));
        return success();
      })
      // One task after the other and op by op: nothing to wait for.
      .Case<tile::SyncThreadsOp, tile::SyncClusterOp, tile::WaitPriorOp, tile::PrefetchOp,
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
    return fail(op, ErrorCode::TileUnsupported,
                name + " is not evaluated on these types");
  SmallVector<Scalar> operands;
  for (mlir::Value operand : op->getOperands())
    operands.push_back(scalar(operand));
  Scalar result;
  switch (evaluateScalarOp(op, operands, result)) {
  case ScalarStatus::Unknown:
    return fail(op, ErrorCode::TileUnsupported, name + " is not evaluated");
  case ScalarStatus::Undefined:
    return fail(op, ErrorCode::TileUndefined,
                name + " divides by 0 or has a quotient that does not fit");
  case ScalarStatus::Ok:
    bind(op->getResult(0), result);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Loops and branches
//===----------------------------------------------------------------------===//

LogicalResult Machine::evaluateFor(Operation *op) {
  auto loop = cast<scf::ForOp>(op);
  int64_t upper = index(loop.getUpperBound()), step = index(loop.getStep());
  if (step <= 0)
    return fail(op, ErrorCode::TileUndefined,
                "a loop has the step " + std::to_string(step));
  Values carried = getAll(loop.getInitArgs());
  for (int64_t i = index(loop.getLowerBound()); i < upper; i += step) {
    Values arguments{Scalar::ofInt(i)};
    llvm::append_range(arguments, carried);
    if (failed(run(*loop.getBody(), arguments, &carried)))
      return failure();
  }
  for (auto [name, value] : llvm::zip(loop.getResults(), carried))
    bind(name, value);
  return success();
}

LogicalResult Machine::evaluatePipeline(tile::PipelineOp op) {
  int64_t upper = index(op.getUpper()), step = index(op.getStep());
  if (step <= 0)
    return fail(op, ErrorCode::TileUndefined,
                "a pipeline has the step " + std::to_string(step));
  Values carried = getAll(op.getInits());
  for (int64_t k = index(op.getLower()); k < upper; k += step) {
    Values arguments{Scalar::ofInt(k)}, staged;
    if (failed(run(op.getLoad().front(), arguments, &staged)))
      return failure();
    llvm::append_range(arguments, staged);
    llvm::append_range(arguments, carried);
    if (failed(run(op.getCompute().front(), arguments, &carried)))
      return failure();
  }
  for (auto [name, value] : llvm::zip(op.getResults(), carried))
    bind(name, value);
  return success();
}

LogicalResult Machine::evaluateIf(Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  Region &region =
      index(branch.getCondition()) ? branch.getThenRegion() : branch.getElseRegion();
  Values results;
  if (!region.empty() && failed(run(region.front(), {}, &results)))
    return failure();
  for (auto [name, value] : llvm::zip(branch.getResults(), results))
    bind(name, value);
  return success();
}

LogicalResult Machine::evaluateSwitch(Operation *op) {
  auto choice = cast<scf::IndexSwitchOp>(op);
  int64_t value = index(choice.getArg());
  Block *block = &choice.getDefaultBlock();
  for (auto [i, label] : llvm::enumerate(choice.getCases()))
    if (label == value)
      block = &choice.getCaseBlock(i);
  Values results;
  if (failed(run(*block, {}, &results)))
    return failure();
  for (auto [name, result] : llvm::zip(choice.getResults(), results))
    bind(name, result);
  return success();
}

LogicalResult Machine::evaluateApply(Operation *op) {
  auto apply = cast<affine::AffineApplyOp>(op);
  Builder builder(op->getContext());
  SmallVector<Attribute> operands, results;
  for (int64_t value : indices(apply.getMapOperands()))
    operands.push_back(builder.getIndexAttr(value));
  if (failed(apply.getAffineMap().constantFold(operands, results)))
    return fail(op, ErrorCode::TileUndefined,
                "the expression divides by a value that is not positive");
  bind(apply.getResult(), Scalar::ofInt(cast<IntegerAttr>(results[0]).getInt()));
  return success();
}

LogicalResult Machine::runTask(tile::KernelOp kernel, int64_t number) {
  task = number;
  bind(kernel.getTask(), Scalar::ofInt(number));
  return run(kernel.getBlock(), {}, nullptr);
}
