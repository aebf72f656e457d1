//===- HostGemm.cpp - GEMM kernels of hosts as tile IR --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostGemm.h"
#include "ScaledMainloop.h"
#include "lib/Codegen/Blocks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

static std::unique_ptr<HostEpilogue> epilogueOf(const GemmBuilder &gemm,
                                                const GemmProgram &program,
                                                tile::GemmConfigAttr config) {
  if (RowPanelEpilogue::isNeeded(program, config))
    return std::make_unique<RowPanelEpilogue>(gemm, config);
  return std::make_unique<RegisterEpilogue>(gemm);
}

static std::unique_ptr<HostMainloop> mainloopOf(const GemmBuilder &gemm,
                                                const GemmProgram &program,
                                                tile::GemmConfigAttr config,
                                                const TargetInfo &target,
                                                const SymbolicExpr &scratchBegin) {
  if (program.scaled)
    return std::make_unique<ScaledMainloop>(gemm, target.streamBytes, scratchBegin);
  return std::make_unique<FloatMainloop>(gemm, config, target, scratchBegin);
}

HostGemm::HostGemm(OpBuilder &builder, graph::KernelOp kernel, const GemmProgram &program,
                   tile::GemmConfigAttr config, const TargetInfo &target)
    : ShellEmitter(builder, kernel, program.body), program(program), config(config),
      fetchesOnePanel(program.scaled && target.streamBytes),
      usesBf16Tiles(program.dotProduct(target) == tile::DotProduct::tdpbf16ps),
      scheduler({*this, program}, config),
      epilogue(epilogueOf({*this, program}, program, config)),
      mainloop(mainloopOf({*this, program}, program, config, target,
                          epilogue->scratchBytes())) {}

tile::KernelOp HostGemm::emit() {
  tile::KernelOp shell =
      createShell(b, kernel, scheduler.taskCount(), mainloop->scratchEnd(), config);
  return fill(shell, [&](Value number) { emitTask(number); });
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

void HostGemm::emitTask(Value number) {
  HostScheduler::Task task = scheduler.open(number);
  mainloop->openTask(task.rows);
  if (auto constant = program.row.extent.getConstant())
    return *constant <= kSmallRows ? emitSmall(task) : emitLarge(task);
  Value isSmall = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle,
                                        task.rows.count, index(kSmallRows));
  auto branch = [&](auto emitBranch) {
    return [&, emitBranch](OpBuilder &, Location) {
      NodeEmitter::Scope scope(emitter);
      (this->*emitBranch)(task);
      scf::YieldOp::create(b, loc);
    };
  };
  scf::IfOp::create(b, loc, isSmall, branch(&HostGemm::emitSmall),
                    branch(&HostGemm::emitLarge));
}

KSteps HostGemm::allSteps() {
  return {index(0), emitter.index(program.k.extent), /*isFirst=*/true};
}

void HostGemm::emitSmall(const HostScheduler::Task &task) {
  SmallVector<int64_t> possible{1, 2, 3};
  if (auto constant = program.row.extent.getConstant())
    possible = {*constant};
  if (fetchesOnePanel)
    mainloop->prefetchPanel(task.panelBegin);
  switchHeight(b, loc, emitter, task.rows.count, possible, [&](int64_t height) {
    int64_t group = std::max<int64_t>(kAccumulators / height / 2 * 2, 1);
    // A packed panel is one stream of memory, and a core needs several streams to reach
    // its bandwidth (Sapphire Rapids: 9 GB/s with one, 13 with two, 15 with four). With
    // AVX-512, registers hold the accumulators of four packs of 64 columns, with AVX2 of
    // one.
    int64_t packs = config.getGroup() > 1 ? 4 : 1;
    if (height == 1)
      group = std::max(kAccumulators / 2, packs * program.panelsPerPack);
    if (fetchesOnePanel)
      group = 1;
    if (usesBf16Tiles)
      group = kTileAccumulators;
    forPanels(task, group, [&](Panels panels) {
      emitTile(panels, task.rows, {task.rows}, height, allSteps());
      epilogue->finish(panels, task.rows);
    });
  });
}

void HostGemm::emitLarge(const HostScheduler::Task &task) {
  forPanels(task, config.getGroup(), [&](Panels panels) {
    int64_t top = tallestOf(panels, task);
    auto pass = [&](KSteps steps) {
      forBlocks(task.rows, top, [&](const RowBlock &block, ArrayRef<int64_t> heights) {
        switchHeight(b, loc, emitter, block.rows.count, heights, [&](int64_t height) {
          emitTile(panels, task.rows, block, height, steps);
        });
      });
    };
    KSteps all = allSteps();
    if (config.getKc() > 0) {
      epilogue->clear(panels, task.rows.count);
      Value length = index(config.getKc());
      emitLoop(b, loc, emitter, all.begin, all.end, length, [&](Value begin) {
        pass({begin, minimum(add(begin, length), all.end), /*isFirst=*/false});
      });
    } else {
      pass(all);
    }
    epilogue->finish(panels, task.rows);
  });
}

void HostGemm::emitTile(Panels panels, RowRange rows, const RowBlock &block,
                        int64_t height, KSteps steps) {
  SmallVector<Value> accumulators;
  for (const HostPanel &panel : panels)
    accumulators.push_back(epilogue->begin(panel, rows, block, height, steps));
  accumulators = mainloop->multiply(panels, block, height, steps, accumulators);
  for (auto [panel, own] : llvm::zip(panels, accumulators))
    epilogue->take(panel, rows, block, own);
}

//===----------------------------------------------------------------------===//
// Panels and blocks
//===----------------------------------------------------------------------===//

/// Returns the number of panels that a task multiplies together.
static int64_t largestGroup(const HostScheduler::Task &task, int64_t group) {
  const SmallVector<int64_t> &counts = task.panelCounts;
  return counts.empty() ? group : std::min(group, *llvm::max_element(counts));
}

/// Returns true if the condition holds for every count; false if counts are unknown.
static bool areAll(ArrayRef<int64_t> counts, function_ref<bool(int64_t)> holds) {
  return !counts.empty() && llvm::all_of(counts, holds);
}

void HostGemm::forPanels(const HostScheduler::Task &task, int64_t group,
                         function_ref<void(Panels)> body) {
  auto openGroup = [&](Value first, int64_t count) {
    SmallVector<HostPanel> panels;
    for (int64_t i = 0; i < count; ++i) {
      panels.push_back(mainloop->openPanel(add(first, index(i)), i));
      epilogue->openPanel(panels.back(), i, count);
    }
    body(panels);
  };
  Value begin = task.panelBegin, end = task.panelEnd;
  SmallVector<int64_t> left = task.panelCounts;
  group = largestGroup(task, group);
  // The remainder of the groups is read pack by pack, and then panel by panel.
  SmallVector<int64_t> sizes{group};
  if (group > program.panelsPerPack && program.panelsPerPack > 1)
    sizes.push_back(program.panelsPerPack);
  if (group > 1)
    sizes.push_back(1);
  for (int64_t size : sizes) {
    if (areAll(left, [](int64_t count) { return count == 0; }))
      return;
    if (areAll(left, [&](int64_t count) { return count < size; }))
      continue;
    Value side = index(size);
    Value wholeEnd = end;
    if (!areAll(left, [&](int64_t count) { return count % size == 0; }))
      wholeEnd = add(begin, mul(divide(sub(end, begin), side), side));
    emitLoop(b, loc, emitter, begin, wholeEnd, side,
             [&](Value first) { openGroup(first, size); });
    begin = wholeEnd;
    for (int64_t &count : left)
      count %= size;
  }
}

/// Returns the maximum rows per block. If the number of rows is not constant, every
/// height has code of its own; a panel left over from groups then uses only as many
/// heights as keep the FMA units busy.
int64_t HostGemm::tallestOf(Panels panels, const HostScheduler::Task &task) const {
  bool isLeft = panels.size() == 1 && largestGroup(task, config.getGroup()) > 1;
  if (!isLeft || program.scaled || usesBf16Tiles || program.row.extent.getConstant())
    return config.getMr();
  return std::min(config.getMr(), kAccumulators);
}

/// Returns every possible height of a block of a task's rows, ascending.
SmallVector<int64_t> HostGemm::heights(int64_t tallest) const {
  auto rows = program.row.extent.getConstant();
  if (!rows)
    return blockHeights(kSmallRows + 1, config.getMc(), tallest);
  int64_t chunks = (*rows + config.getMc() - 1) / config.getMc();
  return blockHeights(*rows / chunks, (*rows + chunks - 1) / chunks, tallest);
}

void HostGemm::forBlocks(RowRange rows, int64_t tallest, BlockBody body) {
  if (usesBf16Tiles)
    return forTileRegisters(rows, {config.getMr(), kTileRegisterRows}, body);
  if (program.scaled && config.getMr() == kTileRegisterRows)
    return forTileRegisters(rows, {kTileRegisterRows, kTileRegisterRows / 2}, body);
  forEvenBlocks(rows, tallest, body);
}

/// Emits blocks of the first number of rows, then of the second one if that is another,
/// both for AMX tile registers, and then the remaining rows.
void HostGemm::forTileRegisters(RowRange rows, ArrayRef<int64_t> sides, BlockBody body) {
  Value begin = rows.begin, left = rows.count;
  auto take = [&](int64_t height) {
    Value side = index(height), count = divide(left, side);
    if (getConstantIntValue(count) != 0)
      emitLoop(b, loc, emitter, index(0), count, index(1), [&](Value number) {
        body({{add(begin, mul(number, side)), side}, number, count}, height);
      });
    Value taken = mul(count, side);
    begin = add(begin, taken);
    left = sub(left, taken);
  };
  for (auto [i, side] : llvm::enumerate(sides))
    if (!llvm::is_contained(sides.take_front(i), side))
      take(side);
  if (auto constant = getConstantIntValue(left)) {
    if (*constant > 0)
      body({{begin, left}, index(0), index(1)}, *constant);
    return;
  }
  auto heights = llvm::to_vector(llvm::seq<int64_t>(1, sides.back()));
  Value any = minimum(left, index(1));
  emitLoop(b, loc, emitter, index(0), any, index(1),
           [&](Value number) { body({{begin, left}, number, any}, heights); });
}

void HostGemm::forEvenBlocks(RowRange rows, int64_t tallest, BlockBody body) {
  Value side = index(tallest);
  Value count = divide(add(rows.count, sub(side, index(1))), side);
  if (getConstantIntValue(count) == 1)
    return body({rows}, heights(tallest));
  emitLoop(b, loc, emitter, index(0), count, index(1), [&](Value number) {
    auto [begin, height] = evenPart(b, loc, rows.count, number, count);
    body({{add(rows.begin, begin), height}, number, count}, heights(tallest));
  });
}
