//===- GraphDialect.cpp - The graph dialect ----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/MicroBatches.h"
#include "dialects/Graph/PartialAttention.h"
#include "dialects/Graph/Ranks.h"
#include "dialects/Graph/Reports.h"
#include "dialects/Types/FloatFormat.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace kiln::graph;

#include "dialects/Graph/GraphDialect.cpp.inc"
#include "dialects/Graph/GraphEnums.cpp.inc"
#include "dialects/Graph/GraphInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Graph/GraphAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Graph/GraphOps.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Graph/GraphPartialOps.cpp.inc"

namespace {
/// Prints long shapes once, as aliases at the top of the file.
struct GraphAsmInterface : public OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;
  AliasResult getAlias(Attribute attr, raw_ostream &os) const override {
    if (!isa<ShapeAttr>(attr))
      return AliasResult::NoAlias;
    os << "shape";
    return AliasResult::OverridableAlias;
  }
};
} // namespace

void GraphDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Graph/GraphOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Graph/GraphPartialOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Graph/GraphAttrs.cpp.inc"
      >();
  addInterfaces<GraphAsmInterface>();
}

LogicalResult GraphDialect::verifyOperationAttribute(Operation *op, NamedAttribute attr) {
  if (attr.getName() == kRanksAttr || attr.getName() == kPartAttr ||
      attr.getName() == kStrideAttr)
    return verifyRanksAttr(op, attr);
  if (attr.getName() == kShardAxisAttr || attr.getName() == kStageAttr)
    return verifyAnnotation(op, attr);
  if (isRecord(attr.getName()))
    return verifyRecord(op, attr);
  if (attr.getName() == kInKernelAttr) {
    auto cast = dyn_cast<CastOp>(op);
    Type from = cast ? getElementTypeOrSelf(cast.getInput()) : Type();
    if (cast && (kiln::isFloat8(from) || kiln::isPowerOfTwoType(from)) &&
        getElementTypeOrSelf(cast.getResult()).isF32())
      return success();
    return op->emitOpError("carries graph.in_kernel, which is for casts of f8E4M3FN and "
                           "f8E8M0FNU to f32");
  }
  if (attr.getName() == kMicroBatchesAttr) {
    auto parts = dyn_cast<IntegerAttr>(attr.getValue());
    if (isa<func::FuncOp>(op) && parts && parts.getInt() > 1)
      return success();
    return op->emitOpError(
        "carries graph.micro_batches, which is for functions, and is 2 "
        "or more");
  }
  if (attr.getName() == kStepBranchAttr && isa<func::FuncOp>(op) &&
      isa<UnitAttr>(attr.getValue()))
    return success();
  return op->emitOpError()
         << "carries the unknown attribute '" << attr.getName().getValue()
         << "'; graph.* attributes belong to arguments and results of @main";
}

bool kiln::graph::isView(Operation *op) {
  return isa<ReshapeOp, TransposeOp, BroadcastOp, SliceOp>(op);
}

std::optional<SymbolicExpr> kiln::graph::indexedDim(OpOperand &operand) {
  if (auto gather = dyn_cast<GatherOp>(operand.getOwner()))
    if (&operand == &gather.getIndicesMutable())
      return getDims(gather.getData())[gather.getAxis()];
  if (auto scatter = dyn_cast<ScatterOp>(operand.getOwner()))
    if (&operand == &scatter.getIndicesMutable())
      return getDims(scatter.getData())[1];
  return std::nullopt;
}
