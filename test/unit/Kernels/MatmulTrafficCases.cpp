//===- MatmulTrafficCases.cpp - What GEMMs on GPUs cost -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each block reads its rows and columns once, on tensor cores or by multiply-adds, in
// whole sectors and without bank conflicts in its main loop. How many blocks there are
// follows from the config.
//
//===----------------------------------------------------------------------===//

#include "KernelCase.h"
#include "MatmulModel.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::test;
using llvm::divideCeil;

/// Columns of a panel where weights are not packed: of multiply-adds, and bytes of them
/// of tensor cores.
static constexpr int64_t kFmaColumns = 16, kTensorBytes = 128;
static constexpr int64_t kWarp = 32;
static constexpr const char *kLayouts[] = {"NN", "NT", "TN", "TT"};

namespace {
/// A matmul on one GPU, whose f32 may be rounded to tf32.
struct Counted {
  Matmul matmul;
  std::string gpu;
  bool isTf32 = false;

  int64_t element() const { return kiln_dtype_size(matmul.dtype); }
  bool usesTensorCores() const { return isTf32 || matmul.dtype != KILN_DTYPE_F32; }
};

/// How a config cuts a matmul into blocks.
struct Blocks {
  int64_t rows, columns; ///< of a tile of the result
  int64_t down, across;  ///< tiles of the result
  int64_t steps, length; ///< of K, and how much of it each takes
  int64_t split;         ///< blocks of a tile, each with a part of K

  int64_t tile() const { return rows * columns; }
  int64_t tiles() const { return down * across; }
  /// Bytes of the sums that blocks of a tile leave for the last one.
  int64_t sumBytes() const { return split > 1 ? 4 * tiles() * split * tile() : 0; }
  int64_t tickets() const { return split > 1 ? tiles() * split : 0; }
};
} // namespace

static Blocks blocksOf(const Counted &counted, const LaunchConfig &config) {
  const Matmul &matmul = counted.matmul;
  int64_t width =
      counted.usesTensorCores() ? kTensorBytes / counted.element() : kFmaColumns;
  int64_t rows = config.number("rows"), panels = config.number("panels"),
          length = config.number("block_k");
  if (!rows || !panels || !length) {
    ADD_FAILURE() << "no config of a GEMM: " << config.str();
    return {1, 1, 1, 1, 1, 1, 1};
  }
  return {rows,
          panels * width,
          int64_t(divideCeil(matmul.m, rows)),
          int64_t(divideCeil(matmul.n, panels * width)),
          int64_t(divideCeil(matmul.k, length)),
          length,
          config.number("split", 1)};
}

/// Bytes of the operands that blocks read, of a right operand with `columns` columns.
static int64_t readBytes(const Counted &counted, const Blocks &blocks, int64_t columns) {
  const Matmul &matmul = counted.matmul;
  return matmul.k * (matmul.m * blocks.across + columns * blocks.down) *
         counted.element();
}

static int64_t resultBytes(const Counted &counted) {
  return counted.matmul.m * counted.matmul.n * counted.element();
}

/// Traffic of blocks that read `columns` columns of the right operand, where neither
/// sectors nor bank conflicts of the epilogue are compared.
static Traffic gemmTraffic(const Counted &counted, const Blocks &blocks,
                           int64_t columns) {
  Traffic traffic;
  traffic.atomics = blocks.tickets();
  traffic.bytes = readBytes(counted, blocks, columns) + resultBytes(counted) +
                  2 * blocks.sumBytes() + 4 * blocks.tickets();
  traffic.ends = UINT32_MAX;
  traffic.efficiency = 0;
  traffic.conflicts = INFINITY;
  return traffic;
}

static void expectGemmFlops(Traffic &traffic, const Counted &counted,
                            const Blocks &blocks) {
  uint64_t padded = 2 * blocks.tiles() * blocks.tile() * blocks.steps * blocks.length;
  traffic.tensorFlops = counted.usesTensorCores() ? padded : 0;
  // The last block of a tile adds the sums of the others.
  if (!counted.usesTensorCores())
    traffic.f32Flops = padded + blocks.tiles() * blocks.tile() * (blocks.split - 1);
}

/// Bulk copies move whole boxes, in and out: what hangs over an edge is no byte of
/// memory.
static void expectBoxes(Traffic &traffic, const Counted &counted, const Blocks &blocks) {
  int64_t boxes = blocks.steps * (blocks.rows + blocks.columns) * blocks.length;
  traffic.bulkSharedBytes = blocks.tiles() * (boxes + blocks.tile()) * counted.element();
  traffic.bulkGlobalBytes =
      readBytes(counted, blocks, counted.matmul.n) + resultBytes(counted);
}

/// None in the epilogue either, but for 64 rows of which each thread has four neighbours:
/// two meet in a bank.
static uint64_t bankConflictsOf(const Counted &counted, const Blocks &blocks) {
  bool meet =
      !counted.usesTensorCores() && counted.matmul.layout == "TT" && blocks.rows == 64;
  return meet ? blocks.tiles() * blocks.tile() / kWarp : 0;
}

/// Sizes of whole tiles touch each sector of operands, result, sums and tickets, and no
/// other.
static void expectWholeSectors(Traffic &traffic, const Counted &counted,
                               const Blocks &blocks) {
  const Matmul &matmul = counted.matmul;
  int64_t operands = (matmul.m + matmul.n) * matmul.k * counted.element();
  int64_t tickets =
      blocks.split > 1 ? llvm::alignTo(4 * blocks.tiles(), kSectorBytes) : 0;
  traffic.touchedBytes = operands + resultBytes(counted) + blocks.sumBytes() + tickets;
  traffic.ends = 1;
  traffic.efficiency = 0.95;
}

static Traffic gemmTraffic(const Counted &counted, const CountedLaunch &launch) {
  Blocks blocks = blocksOf(counted, launch.config);
  Traffic traffic = gemmTraffic(counted, blocks, counted.matmul.n);
  expectGemmFlops(traffic, counted, blocks);
  if (launch.config.is("warpgroup_gemm"))
    expectBoxes(traffic, counted, blocks);
  traffic.mainLoopsHaveNoConflicts = true;
  traffic.bankConflicts = bankConflictsOf(counted, blocks);
  if (counted.matmul.m == 320) // whole tiles
    expectWholeSectors(traffic, counted, blocks);
  return traffic;
}

static KernelCase gemmRow(const Counted &counted, const std::string &what) {
  const Matmul &matmul = counted.matmul;
  std::string type = counted.isTf32 ? "tf32" : kiln_dtype_name(matmul.dtype);
  std::string size = std::to_string(matmul.m) + "x" + std::to_string(matmul.n) + "x" +
                     std::to_string(matmul.k);
  KernelCase row{"traffic",
                 type + "_" + what + "_" + matmul.layout + "_" + size +
                     (matmul.isWeight ? "_weight_" : "_") + counted.gpu,
                 modelOf(matmul),
                 {counted.gpu}};
  row.forHost = false;
  if (counted.isTf32)
    row.precision = {"tf32"};
  return row;
}

static void addGemm(KernelTable &table, const Counted &counted) {
  KernelCase row = gemmRow(counted, "matmul");
  // Warpgroups need rows of whole 16 bytes.
  if (counted.gpu == "sm_90a" && counted.matmul.dtype == KILN_DTYPE_BF16 &&
      counted.matmul.layout == "NN")
    row.config = counted.matmul.m == 320 ? "warpgroup_gemm_config" : "block_gemm_config";
  row.checkLaunches = [counted](const std::vector<CountedLaunch> &launches) {
    ASSERT_EQ(launches.size(), 1u);
    expectLaunch(launches[0], gemmTraffic(counted, launches[0]));
  };
  table.push_back(row);
}

static Matmul gemmOf(int64_t m, int64_t n, int64_t k, kiln_dtype dtype,
                     const std::string &layout) {
  return {m, n, k, dtype, layout};
}

static void addGemmSizes(KernelTable &table) {
  auto even = [](kiln_dtype dtype, const std::string &layout) {
    return gemmOf(320, 384, 160, dtype, layout);
  };
  auto odd = [](kiln_dtype dtype, const std::string &layout) {
    return gemmOf(131, 77, 521, dtype, layout);
  };
  const std::pair<kiln_dtype, bool> types[] = {{KILN_DTYPE_F32, false},
                                               {KILN_DTYPE_F32, true},
                                               {KILN_DTYPE_F16, false},
                                               {KILN_DTYPE_BF16, false}};
  for (auto [dtype, isTf32] : types) {
    for (const char *layout : kLayouts) {
      addGemm(table, {even(dtype, layout), "sm_80", isTf32});
      addGemm(table, {odd(dtype, layout), "sm_80", isTf32});
    }
    addGemm(table, {odd(dtype, "NN"), "sm_90a", isTf32});
  }
  for (const char *layout : kLayouts)
    for (kiln_dtype dtype : {KILN_DTYPE_F16, KILN_DTYPE_BF16})
      addGemm(table, {even(dtype, layout), "sm_90a"});
  addGemm(table, {even(KILN_DTYPE_F32, "NT"), "sm_90a"});
  addGemm(table, {even(KILN_DTYPE_F32, "TN"), "sm_90a", true});
}

/// Tiles of fewer rows, and epilogues of which two or four neighbours are aligned.
static void addGemmsOfFewRows(KernelTable &table) {
  const std::tuple<int64_t, int64_t, int64_t> sizes[] = {
      {16, 384, 160}, {20, 100, 300}, {33, 90, 96}};
  for (auto [m, n, k] : sizes) {
    for (const char *layout : kLayouts)
      addGemm(table, {gemmOf(m, n, k, KILN_DTYPE_F32, layout), "sm_80"});
    addGemm(table, {gemmOf(m, n, k, KILN_DTYPE_F32, "NN"), "sm_80", true});
    addGemm(table, {gemmOf(m, n, k, KILN_DTYPE_F16, "NT"), "sm_80"});
  }
}

/// Panels past the last one are not read, where K is whole either: the mask of a block's
/// last panels is one of their columns then. Weights are packed in panels, of which the
/// last is filled up.
static void addMissingPanels(KernelTable &table) {
  const std::tuple<const char *, int64_t, bool> cases[] = {{"NN", 80, false},
                                                           {"NT", 80, false},
                                                           {"NN", 77, false},
                                                           {"NN", 80, true},
                                                           {"NT", 77, true}};
  for (auto [layout, n, isWeight] : cases) {
    Counted counted{gemmOf(131, n, 160, KILN_DTYPE_F32, layout), "sm_80"};
    counted.matmul.isWeight = isWeight;
    KernelCase row = gemmRow(counted, "missing_panels");
    row.checkLaunches = [counted](const std::vector<CountedLaunch> &launches) {
      ASSERT_EQ(launches.size(), 1u);
      Blocks blocks = blocksOf(counted, launches[0].config);
      int64_t n = counted.matmul.n, whole = llvm::alignTo(n, kFmaColumns);
      EXPECT_NE(whole % blocks.columns, 0) << "every block is full: nothing is proved";
      Traffic traffic = gemmTraffic(counted, blocks, counted.matmul.isWeight ? whole : n);
      expectLaunch(launches[0], traffic);
    };
    table.push_back(row);
  }
}

void kiln::test::addMatmulTrafficCases(KernelTable &table) {
  addGemmSizes(table);
  addGemmsOfFewRows(table);
  addMissingPanels(table);
}
