//===- StagingRuns.cpp - Staged operands with short dims ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If the innermost dim of the operand or of the result is shorter than a sector,
// contiguous memory extends along a second dim, which may differ between the two. A tile
// has all of the short dims and some positions of the next one.
//
//===----------------------------------------------------------------------===//

#include "Staging.h"
#include "StagingLayout.h"
#include "llvm/ADT/MapVector.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

using Run = SmallVector<const Loop *>;

/// Returns the loops along which accesses at an index are contiguous, innermost first: as
/// many as make a line, or all there are.
static Run runOf(const Program &program, const SymbolicExpr &index, int64_t bytes) {
  Run run;
  for (int64_t stride = 1; stride * bytes < kLineBytes || run.empty();) {
    const Loop *next = nullptr;
    for (const Loop &loop : program.parallel) {
      auto step = coefficientOf(index, loop.var);
      if (step && step->isConstant(stride) && !llvm::is_contained(run, &loop))
        next = &loop;
    }
    if (!next)
      break;
    run.push_back(next);
    auto extent = next->extent.getConstant();
    if (!extent || *extent < 1)
      break;
    stride *= *extent;
  }
  return run;
}

/// Returns true if one loop of the run is not enough: it is short, no multiple of a
/// sector, and the next loop in memory is not `other`. Loops of extents known at run time
/// only count as long.
static bool needsRun(ArrayRef<const Loop *> run, int64_t bytes, const Loop *other) {
  auto extent = run[0]->extent.getConstant();
  bool isShort = extent && *extent * bytes < kLineBytes && *extent * bytes % kSectorBytes;
  return run.size() > 1 && isShort && !(run.size() == 2 && run[1] == other);
}

static bool needsRuns(ArrayRef<const Loop *> line, int64_t lineBytes,
                      ArrayRef<const Loop *> row, int64_t rowBytes) {
  if (line.empty() || row.empty())
    return false;
  bool differ = false;
  for (auto [inLine, inRow] : llvm::zip(line, row))
    differ |= inLine != inRow;
  return differ &&
         (needsRun(line, lineBytes, row[0]) || needsRun(row, rowBytes, line[0]));
}

/// Returns true if the address is known to grow along every loop of the run.
static bool growsAlong(const Node *load, ArrayRef<const Loop *> loops) {
  return llvm::all_of(loops, [&](const Loop *loop) {
    auto step = coefficientOf(load->index, loop->var);
    return step && !step->isConstant(0) &&
           llvm::none_of(step->getSymbols(), isVariable) &&
           step->dominates(SymbolicExpr(0));
  });
}

/// Returns the bytes of an element of the narrowest result, in memory.
static int64_t resultBytes(graph::KernelOp kernel) {
  int64_t bytes = kLineBytes;
  for (Value value : kernel.getYielded()) {
    Type element = storageType(getElementTypeOrSelf(value.getType()));
    bytes = std::min(bytes, tile::elementBytes(element));
  }
  return bytes;
}

/// Returns the bytes of one element of each load, added up.
static int64_t bytesOf(ArrayRef<Node *> loads) {
  int64_t sum = 0;
  for (const Node *load : loads)
    sum += tile::elementBytes(load->storage);
  return sum;
}

Staging kiln::codegen::findRunStaging(graph::KernelOp kernel, const Program &program) {
  if (program.parallel.size() < 2 || !program.reduced.empty() || !program.passes.empty())
    return {};
  int64_t rowBytes = resultBytes(kernel);
  Run row = runOf(program, program.outputs.front().address, rowBytes);
  llvm::MapVector<Run, SmallVector<Node *>> found;
  for (Node *load : unconditionalLoads(program.roots())) {
    int64_t bytes = tile::elementBytes(load->storage);
    Run line = runOf(program, load->index, bytes);
    if (needsRuns(line, bytes, row, rowBytes) && !followsData(program, load) &&
        growsAlong(load, line) && growsAlong(load, row))
      found[line].push_back(load);
  }
  if (found.empty())
    return {};
  const auto *best = found.begin();
  for (const auto &entry : found)
    if (bytesOf(entry.second) > bytesOf(best->second))
      best = &entry;
  Staging staging;
  for (const Loop &loop : llvm::reverse(program.parallel))
    if (llvm::is_contained(row, &loop) || llvm::is_contained(best->first, &loop))
      staging.loops.push_back(&loop);
  auto number = [&](const Loop *loop) -> int64_t {
    return llvm::find(staging.loops, loop) - staging.loops.begin();
  };
  llvm::append_range(staging.line, llvm::map_range(best->first, number));
  llvm::append_range(staging.row, llvm::map_range(row, number));
  staging.begins.assign(staging.loops.size(), 0);
  for (Node *load : best->second)
    staging.loads.push_back({load, std::vector<Selection>(staging.loops.size()), {}});
  return staging;
}
