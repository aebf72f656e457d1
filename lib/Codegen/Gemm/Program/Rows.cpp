//===- Rows.cpp - How many rows a product has -----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"
#include "lib/Codegen/ExtentRange.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Rows that a GEMM of an unknown number of them counts as for a tile of tensor cores.
static constexpr int64_t kVariantTypicalRows = 512;

/// Rows up to which products have code of their own where their number is known at run
/// time only: those of GemvConfig.cpp, and one step of split-K.
static constexpr int64_t kRowBounds[] = {8, 64};

static std::optional<ExtentRange> rowRange(const GemmProgram &program) {
  Operation *op = program.op.getOperation();
  return rangeOf(program.row.extent, op->getParentOfType<ModuleOp>());
}

std::optional<int64_t> kiln::codegen::knownRows(const GemmProgram &program) {
  if (program.maxRows)
    return program.maxRows;
  if (auto constant = program.row.extent.getConstant())
    return constant;
  std::optional<ExtentRange> rows = rowRange(program);
  if (!rows || rows->min < 1 || rows->max >= kVariantTypicalRows)
    return std::nullopt;
  return rows->max;
}

SmallVector<int64_t> kiln::codegen::rowBounds(const GemmProgram &program) {
  SmallVector<int64_t> bounds;
  std::optional<ExtentRange> rows = rowRange(program);
  for (int64_t bound : kRowBounds)
    if (rows && rows->spans(bound))
      bounds.push_back(bound);
  return bounds;
}
