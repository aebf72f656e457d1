//===- GpuGemm.cpp - GEMM kernels of GPUs as tile IR ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuGemm.h"
#include "SplitKScheduler.h"
#include "lib/Codegen/Gemm/Config/TensorConfig.h"

using namespace kiln::codegen;
using namespace kiln;
using namespace mlir;

/// Rows of a warpgroup (M of wgmma), and its threads.
static constexpr int64_t kWarpgroupRows = 64, kWarpgroupThreads = 128;

/// Padding that puts rows of a warpgroup's epilogue tile in different banks for stores of
/// two elements per thread.
static constexpr int64_t kEpiloguePadding = 8;

std::unique_ptr<TileScheduler> GpuGemm::schedule(TileOrder &order, TileShape shape,
                                                 int64_t splits,
                                                 int64_t tailUnits) const {
  auto tiles = order.tileCount().getConstant(), k = program.k.extent.getConstant();
  if (tiles && k)
    if (auto plan = StreamKPlan::make(*tiles, gpu.model.multiprocessors,
                                      llvm::divideCeil(*k, shape.k), tailUnits))
      return std::make_unique<StreamKScheduler>(gemm, order, shape, *plan);
  if (splits > 1)
    return std::make_unique<SplitKScheduler>(gemm, order, shape, splits);
  return std::make_unique<DataParallelScheduler>(gemm, order);
}

tile::KernelOp GpuGemm::compose(Attribute config, TileShape shape,
                                CollectiveMainloop &mainloop,
                                CollectiveEpilogue &epilogue, TileScheduler &scheduler) {
  tile::KernelOp shell =
      createShell(b, kernel, scheduler.taskCount(), epilogue.scratchBytes(), config);
  shell.setThreads(shape.threads);
  if (shape.cluster > 1)
    shell.setCluster(shape.cluster);
  scheduler.setWorkspace(shell, kernel);
  return fill(shell, [&](Value task) {
    WorkTile tile = scheduler.open(task);
    scheduler.reduce(tile, mainloop.multiply(tile), [&](AccumulatorsOf accumulatorsOf) {
      epilogue.emit(tile, accumulatorsOf);
    });
  });
}

tile::KernelOp GpuGemm::emit(tile::BlockGemmConfigAttr config) {
  TileShape shape{config.getRows(), config.getPanels(), config.getBlockK(),
                  config.getThreads()};
  int64_t padding =
      program.fitsTensorCores()
          ? tensorEpiloguePadding()
          : epiloguePadding(shape.rows, shape.panels * program.width, program.deal());
  PanelOrder order(gemm, shape);
  BlockMainloop mainloop(gemm, shape, config.getStages(), prefetches);
  RowEpilogue epilogue(gemm, shape, shape.panels, padding, config.getRowThreads());
  return compose(config, shape, mainloop, epilogue,
                 *schedule(order, shape, config.getSplit(), /*tailUnits=*/0));
}

tile::KernelOp GpuGemm::emit(tile::WarpgroupGemmConfigAttr config) {
  TileShape shape{config.getRows(), config.getPanels(), config.getBlockK(),
                  config.getRows() / kWarpgroupRows * kWarpgroupThreads,
                  config.getCluster()};
  int64_t panels = config.getEpiloguePanels();
  RasterOrder order(gemm, shape, config.getRaster());
  WarpgroupMainloop mainloop(gemm, shape, config.getStages(), prefetches);
  auto scheduler = schedule(order, shape, config.getSplit(), config.getTailBlocks());
  if (auto stored = TileEpilogue::storedTensor(kernel, program, panels * program.width)) {
    TileEpilogue epilogue(gemm, shape, panels, *stored);
    return compose(config, shape, mainloop, epilogue, *scheduler);
  }
  RowEpilogue epilogue(gemm, shape, panels, kEpiloguePadding, config.getRowThreads());
  return compose(config, shape, mainloop, epilogue, *scheduler);
}
