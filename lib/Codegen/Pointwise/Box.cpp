//===- Box.cpp - Runs of short dims in two orders -------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Box.h"
#include "Banks.h"
#include "Turned.h"
#include "llvm/ADT/MapVector.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

/// The loops that neighbours lie along, innermost first: as many as make a line, or
/// all there are.
static SmallVector<const Loop *> runOf(const Program &program, const SymbolicExpr &index,
                                       int64_t bytes) {
  SmallVector<const Loop *> run;
  for (int64_t apart = 1; apart * bytes < kLineBytes || run.empty();) {
    const Loop *next = nullptr;
    for (const Loop &loop : program.parallel) {
      auto step = coefficientOf(index, loop.var);
      if (step && step->isConstant(apart) && !llvm::is_contained(run, &loop))
        next = &loop;
    }
    if (!next)
      break;
    run.push_back(next);
    auto extent = next->extent.getConstant();
    if (!extent || *extent < 1)
      break;
    apart *= *extent;
  }
  return run;
}

/// Loops of whole sectors, and of an extent that is known at run time only, need no
/// other one beside them.
static bool isShort(const Loop &loop, int64_t bytes) {
  auto extent = loop.extent.getConstant();
  return extent && *extent * bytes < kLineBytes && *extent * bytes % kSectorBytes;
}

/// One loop of either side is not enough: it is short, and what comes next to it is
/// not the loop of the other side.
static bool needsBox(ArrayRef<const Loop *> line, int64_t lineBytes,
                     ArrayRef<const Loop *> row, int64_t rowBytes) {
  if (line.empty() || row.empty())
    return false;
  auto isAlone = [](ArrayRef<const Loop *> run, int64_t bytes, const Loop *other) {
    return run.size() > 1 && isShort(*run[0], bytes) &&
           !(run.size() == 2 && run[1] == other);
  };
  bool differ = false;
  for (auto [inLine, inRow] : llvm::zip(line, row))
    differ |= inLine != inRow;
  return differ &&
         (isAlone(line, lineBytes, row[0]) || isAlone(row, rowBytes, line[0]));
}

/// Forwards along every loop of the run, and known to be.
static bool walksForwards(const Node *load, ArrayRef<const Loop *> loops) {
  return llvm::all_of(loops, [&](const Loop *loop) {
    auto step = coefficientOf(load->index, loop->var);
    return step && !step->isConstant(0) && llvm::none_of(step->getSymbols(), isVariable) &&
           step->dominates(SymbolicExpr(0));
  });
}

/// Of the narrowest result, in memory.
static int64_t resultBytes(graph::KernelOp kernel) {
  int64_t bytes = kLineBytes;
  for (Value value : kernel.getYielded())
    bytes = std::min(bytes, tile::elementBytes(
                                storageType(getElementTypeOrSelf(value.getType()))));
  return bytes;
}

/// Of an element of each of some loads.
static int64_t bytesOf(ArrayRef<Node *> loads) {
  int64_t sum = 0;
  for (const Node *load : loads)
    sum += tile::elementBytes(load->storage);
  return sum;
}

Box kiln::codegen::findBox(graph::KernelOp kernel, const Program &program) {
  if (program.parallel.size() < 2 || !program.reduced.empty() || !program.passes.empty())
    return {};
  int64_t rowBytes = resultBytes(kernel);
  auto row = runOf(program, program.outputs.front().address, rowBytes);
  llvm::MapVector<SmallVector<const Loop *>, SmallVector<Node *>> found;
  for (Node *load : unconditionalLoads(program.roots())) {
    int64_t bytes = tile::elementBytes(load->storage);
    auto line = runOf(program, load->index, bytes);
    if (needsBox(line, bytes, row, rowBytes) && !followsData(program, load) &&
        walksForwards(load, line) && walksForwards(load, row))
      found[line].push_back(load);
  }
  if (found.empty())
    return {};
  const auto *best = found.begin();
  for (const auto &entry : found)
    if (bytesOf(entry.second) > bytesOf(best->second))
      best = &entry;
  Box box;
  box.loads = best->second;
  for (const Loop &loop : llvm::reverse(program.parallel))
    if (llvm::is_contained(row, &loop) || llvm::is_contained(best->first, &loop))
      box.loops.push_back(&loop);
  auto number = [&](const Loop *loop) -> int64_t {
    return llvm::find(box.loops, loop) - box.loops.begin();
  };
  llvm::append_range(box.line, llvm::map_range(best->first, number));
  llvm::append_range(box.row, llvm::map_range(row, number));
  return box;
}

BoxProblem kiln::codegen::boxProblemOf(graph::KernelOp kernel, const Program &program,
                                       const Box &box) {
  BoxProblem problem;
  if (box.loads.empty())
    return problem;
  auto divisorAlong = [&](SymbolicExpr index, ArrayRef<int64_t> run) {
    for (int64_t loop : run)
      index = replace(index, box.loops[loop]->var, SymbolicExpr(0));
    return divisorOf(index);
  };
  for (const Node *load : box.loads)
    problem.boxed.push_back(
        {tile::elementBytes(load->storage), divisorAlong(load->index, box.line)});
  for (const Output &output : program.outputs) {
    Type element = getElementTypeOrSelf(kernel.getYielded()[output.result].getType());
    problem.direct.push_back({tile::elementBytes(storageType(element)),
                              divisorAlong(output.address, box.row)});
  }
  for (const Loop *loop : box.loops)
    problem.extents.push_back(loop->extent.getConstant());
  problem.line = box.line;
  problem.row = box.row;
  return problem;
}

//===----------------------------------------------------------------------===//
// In scratch
//===----------------------------------------------------------------------===//

BoxLayout::BoxLayout(ArrayRef<int64_t> lengths, ArrayRef<int64_t> line,
                     ArrayRef<int64_t> row, int64_t pitch)
    : strides(lengths.size(), 0), lengths(lengths), tiled(row.back()) {
  for (int64_t loop : line) {
    strides[loop] = lineLength;
    lineLength *= lengths[loop];
    if (!llvm::is_contained(row, loop))
      acrossRows.push_back(loop);
  }
  elements = pitch;
  for (int64_t loop : row) {
    rowLength *= lengths[loop];
    if (llvm::is_contained(line, loop))
      continue;
    acrossLines.push_back(loop);
    strides[loop] = elements;
    elements *= lengths[loop];
  }
}

std::optional<int64_t> BoxLayout::fragmentLoop() const {
  if (acrossLines.empty() || llvm::is_contained(acrossLines, tiled))
    return acrossLines.empty() ? std::nullopt : std::optional(tiled);
  return *llvm::max_element(
      acrossLines, [&](int64_t a, int64_t b) { return lengths[a] < lengths[b]; });
}

int64_t BoxLayout::count(ArrayRef<int64_t> loops) const {
  int64_t product = 1;
  for (int64_t loop : loops)
    product *= lengths[loop];
  return product;
}

int64_t BoxLayout::address(ArrayRef<int64_t> loops, int64_t position) const {
  int64_t sum = 0;
  for (int64_t loop : loops) {
    sum += position % lengths[loop] * strides[loop];
    position /= lengths[loop];
  }
  return sum;
}
