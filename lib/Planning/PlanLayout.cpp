//===- PlanLayout.cpp - A plan's memory at given dims ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanLayout.h"
#include "dialects/Graph/Ranks.h"
#include "llvm/Support/MathExtras.h"

using namespace kiln;
using namespace kiln::graph;
using namespace mlir;

static constexpr int64_t kAlignment = 64;

PlanLayout::PlanLayout(plan::ProgramOp program, const SymbolValues &dims)
    : dims(dims), ranks(ranksOf(program->getParentOfType<ModuleOp>())) {}

std::optional<int64_t> PlanLayout::evaluate(ShapeAttr sizes) const {
  int64_t largest = -1;
  for (const SymbolicExpr &size : getDims(sizes)) {
    auto value = size.evaluate([&](StringAttr symbol) { return dims.lookup(symbol); });
    if (!value)
      return std::nullopt;
    largest = std::max(largest, *value);
  }
  return largest < 0 ? std::nullopt : std::optional(largest);
}

/// Returns the bytes from the begin of a buffer to the end of its last part.
std::optional<int64_t> PlanLayout::occupied(plan::BufferOp buffer, int64_t size,
                                            std::string &why) {
  if (!buffer.getStride() || ranks == 1)
    return size;
  int64_t stride = *buffer.getStride(), bytes;
  if (stride < size) {
    why = ("the parts of buffer @" + buffer.getSymName() + " overlap").str();
    return std::nullopt;
  }
  int64_t others = plan::axisOf(buffer.getRanks(), ranks).size - 1;
  if (!llvm::MulOverflow(others, stride, bytes) && !llvm::AddOverflow(bytes, size, bytes))
    return bytes;
  why = ("the parts of buffer @" + buffer.getSymName() + " have no 63 bits").str();
  return std::nullopt;
}

int64_t PlanLayout::offsetOf(plan::BufferOp buffer) const {
  if (buffer.getAlias())
    return extents.lookup(*buffer.getAlias()).offset;
  int64_t offset = int64_t(buffer.getOffset().value_or(0));
  if (buffer.getAbove())
    for (auto below : buffer.getAbove()->getAsRange<FlatSymbolRefAttr>())
      offset = std::max<int64_t>(
          offset, llvm::alignTo(extents.lookup(below.getValue()).end, kAlignment));
  return offset;
}

std::optional<BufferExtent> PlanLayout::add(plan::BufferOp buffer, std::string &why) {
  std::optional<int64_t> size = evaluate(buffer.getSize());
  if (!size) {
    why =
        ("the size of buffer @" + buffer.getSymName() + " is negative, or has no 63 bits")
            .str();
    return std::nullopt;
  }
  std::optional<int64_t> bytes = occupied(buffer, *size, why);
  if (!bytes)
    return std::nullopt;
  BufferExtent extent{offsetOf(buffer), *size, 0};
  int64_t aligned; // the end at the next multiple is a number, too
  if (llvm::AddOverflow(extent.offset, *bytes, extent.end) ||
      llvm::AddOverflow(extent.end, kAlignment - 1, aligned)) {
    why = ("the end of buffer @" + buffer.getSymName() + " has no 63 bits").str();
    return std::nullopt;
  }
  return extents[buffer.getSymName()] = extent;
}
