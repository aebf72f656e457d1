//===- GemmTensors.cpp - GEMM operands as TMA tensors ---------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GemmTensors.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;
using Dim = TensorOperand::Dim;

/// Elements of two bytes in 16 bytes, and in the maximum row of a swizzled tile (128
/// bytes).
static constexpr int64_t kUnit = 8, kLongestLine = 64;

static SymbolicExpr variable(const Loop &loop) { return SymbolicExpr::symbol(loop.var); }

namespace {
class Analysis {
public:
  Analysis(const GemmProgram &program, bool isLeft)
      : program(program), address((isLeft ? program.lhs : program.rhs)->index),
        isLeft(isLeft) {}
  Analysis(const GemmProgram &program, const SymbolicExpr &address)
      : program(program), address(address), isLeft(false) {}

  std::optional<TensorOperand> run();
  std::optional<TensorOperand> runResult(int64_t columns);

private:
  SymbolicExpr stride(StringAttr name) const { return *coefficientOf(address, name); }
  void addBatch();
  Dim mergeSplits(Dim dim);
  bool placeColumns();
  bool findOrigin();

  const GemmProgram &program;
  const SymbolicExpr &address;
  bool isLeft;
  TensorOperand result;
};
} // namespace

/// Adds a dim per batch loop, except those along which the operand is broadcast.
void Analysis::addBatch() {
  for (const Loop &loop : program.batch)
    if (SymbolicExpr step = stride(loop.var); !step.isConstant(0))
      result.leading.push_back({loop.extent, step, variable(loop)});
}

/// Merges splits of the columns into the dim if they continue at its end. Other splits
/// become dims of their own.
Dim Analysis::mergeSplits(Dim dim) {
  for (const Loop &outer : llvm::reverse(program.columnOuter)) {
    SymbolicExpr step = stride(outer.var);
    if (step.isConstant(0))
      continue;
    if (step == dim.stride * dim.extent) {
      dim.coordinate += variable(outer) * dim.extent;
      dim.extent *= outer.extent;
    } else {
      result.leading.push_back({outer.extent, step, variable(outer)});
    }
  }
  return dim;
}

/// Packed columns become two dims, panels and lanes; others one.
bool Analysis::placeColumns() {
  SymbolicExpr lane = stride(program.lane.var), panel = stride(program.panel.var);
  if (program.isPacked) {
    if (!lane.isConstant(1) || kLongestLine % program.width ||
        program.width % (2 * kUnit))
      return false;
    Dim panels{program.panel.extent, panel, variable(program.panel)};
    if (program.panel.extent.isConstant(1)) // no address depends on the panel
      panels.stride = program.k.extent * SymbolicExpr(program.width);
    result.leading.push_back(mergeSplits(panels));
    result.second = {program.width, lane, 0};
    return true;
  }
  SymbolicExpr width = program.width;
  result.second =
      mergeSplits({program.columnsInner, lane, variable(program.panel) * width});
  // Contiguous columns must fill swizzled rows; N of wgmma must be a multiple of 8.
  bool fits = lane.isConstant(1)
                  ? program.width % (2 * kUnit) == 0 && kLongestLine % program.width == 0
                  : program.width % kUnit == 0;
  return fits && (program.panel.extent.isConstant(1) || panel == lane * width);
}

/// Sets the address of coordinate 0, which must not depend on loops or data.
bool Analysis::findOrigin() {
  result.offset = address;
  SmallVector<StringAttr> names{program.row.var, program.panel.var, program.lane.var,
                                program.k.var};
  for (ArrayRef<Loop> loops :
       {ArrayRef<Loop>(program.batch), ArrayRef<Loop>(program.columnOuter)})
    for (const Loop &loop : loops)
      names.push_back(loop.var);
  for (StringAttr name : names)
    result.offset = replace(result.offset, name, SymbolicExpr(0));
  return llvm::none_of(result.offset.getSymbols(), isVariable);
}

std::optional<TensorOperand> Analysis::run() {
  addBatch();
  Dim depth{program.k.extent, stride(program.k.var), 0};
  if (isLeft) {
    result.first = {program.row.extent, stride(program.row.var), 0};
    result.second = depth;
  } else {
    result.first = depth;
    if (!placeColumns())
      return std::nullopt;
  }
  result.isContiguousAlongFirst = !result.second.stride.isConstant(1);
  if (!findOrigin() || !result.isDescribable())
    return std::nullopt;
  return result;
}

/// Columns that are stored at a time must not cross a split, unless the next one
/// continues at the dim's end.
std::optional<TensorOperand> Analysis::runResult(int64_t columns) {
  addBatch();
  result.first = {program.row.extent, stride(program.row.var), 0};
  size_t dims = result.leading.size();
  SymbolicExpr width = program.width;
  result.second = mergeSplits(
      {program.columnsInner, stride(program.lane.var), variable(program.panel) * width});
  auto inner = program.columnsInner.getConstant();
  bool isSplit = result.leading.size() > dims;
  bool follow = program.panel.extent.isConstant(1) ||
                stride(program.panel.var) == stride(program.lane.var) * width;
  if (!follow || (isSplit && !(inner && *inner % columns == 0)) || !findOrigin() ||
      !result.isDescribable())
    return std::nullopt;
  return result;
}

std::optional<TensorOperand> kiln::codegen::tensorResult(const GemmProgram &program,
                                                         const Output &output,
                                                         int64_t columns) {
  return Analysis(program, output.address).runResult(columns);
}

std::optional<TensorOperand> kiln::codegen::tensorOperand(const GemmProgram &program,
                                                          bool isLeft) {
  return Analysis(program, isLeft).run();
}

bool kiln::codegen::hasTensorOperands(const GemmProgram &program) {
  Type left = program.lhs->storage, right = program.rhs->storage;
  return left == right && (left.isF16() || left.isBF16()) &&
         program.accumulator.isF32() && tensorOperand(program, true) &&
         tensorOperand(program, false);
}
