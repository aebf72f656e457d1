//===- MaskFusion.cpp - Fusion of a mask's producers ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MaskFusion.h"
#include "../Expression/Scalar.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Tile/Tile.h"
#include "kiln/Support/PassRemark.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace kiln;
using namespace kiln::codegen;
using namespace kiln::graph;
using namespace mlir;

/// Cost of reading one byte of a mask, in instructions that take as long: 6 from L2 on an
/// H100 (33.5 T/s to 5.5 TB/s), about 1.5 on a core with AVX2 (16 to 10 bytes per cycle
/// of L3). A package has one plan for all targets, so one value serves all.
static constexpr double kInstructionsPerByte = 3;

static int64_t bytesOf(Value value) {
  return tile::elementBytes(getElementTypeOrSelf(value));
}

/// Returns the value behind a chain of view ops.
static Value baseOf(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isView(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// Returns the bytes that the ops read from memory per element of the mask. Operands that
/// are broadcast have fewer elements and stay in caches; they count as 0.
static int64_t bytesRead(ArrayRef<Operation *> producers, Value mask) {
  llvm::SmallPtrSet<Operation *, 8> own(llvm::from_range, producers);
  SymbolicExpr elements = numElements(getDims(mask));
  llvm::SmallDenseSet<Value> seen;
  int64_t bytes = 0;
  for (Operation *op : producers)
    for (Value operand : op->getOperands()) {
      Value base = baseOf(operand);
      Operation *from = base.getDefiningOp();
      bool isInMemory =
          !from || (!own.contains(from) && !isa<FillOp, IotaOp, DimsOp>(from));
      SymbolicExpr count = numElements(getDims(base));
      bool isSmaller = elements.dominates(count) && elements != count;
      if (isInMemory && !isSmaller && seen.insert(base).second)
        bytes += bytesOf(base);
    }
  return bytes;
}

static int64_t instructionsOf(ArrayRef<Operation *> producers) {
  constexpr int64_t kCast = 2;
  int64_t instructions = 0;
  for (Operation *op : producers)
    instructions += isa<CastOp>(op) ? kCast : scalarCost(op);
  return instructions;
}

/// Returns the bytes per score that fusion saves. A mask that n heads and sequences have
/// in common is written once and read n times, (read + written) / n + written bytes per
/// score; the fused kernel reads the producers' operands n times. An unknown n counts as
/// many.
static double bytesSaved(AttentionOp op, ArrayRef<Operation *> producers, Value mask) {
  Dims query = getDims(op.getQuery()), key = getDims(op.getKey());
  SymbolicExpr scores = query[0] * query[1] * query[2] * key[2];
  std::optional<SymbolicExpr> count = scores.exactDiv(numElements(getDims(mask)));
  std::optional<int64_t> uses = count ? count->getConstant() : std::nullopt;
  double read = bytesRead(producers, mask), written = bytesOf(mask);
  return (uses && *uses > 0 ? (read + written) / *uses : 0) + written - read;
}

bool kiln::codegen::computesMask(OpOperand &operand, ArrayRef<Operation *> producers) {
  auto op = cast<AttentionOp>(operand.getOwner());
  Value perScore = operand.get();
  if (perScore != op.getMask() && perScore != op.getKeep())
    return false;
  auto missed = [&](const Twine &why) {
    remarkMissed(producers.back()->getLoc(), "kiln-fuse-kernels", "fuse-mask", why);
    return false;
  };
  Dims dims = getDims(perScore);
  if (dims.size() < 2 || dims[dims.size() - 2].isConstant(1))
    return missed("a mask that all queries have in common is small: it is computed once");
  Value mask = producers.back()->getResult(0);
  double saved = bytesSaved(op, producers, mask);
  int64_t instructions = instructionsOf(producers);
  if (double(instructions) > saved * kInstructionsPerByte)
    return missed("in the attention's kernel, the mask takes " + Twine(instructions) +
                  " instructions per score and saves " +
                  llvm::formatv("{0:f1}", saved).str() +
                  " bytes per score: it is computed once instead");
  return true;
}
