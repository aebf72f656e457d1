//===- Rows.cpp - Number of rows of a GEMM --------------------------------===//
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

/// Assumed number of rows of a GEMM on tensor cores if it is unknown.
static constexpr int64_t kVariantTypicalRows = 512;

/// Limits of the rows up to which a GEMM may have a variant, if the number of rows is
/// known at run time only: that of GEMVs (GemvConfig.cpp), and one tile for split-K.
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
