//===- MatmulTrafficCases.cpp - Cost of GEMM on GPUs ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each block reads its rows and columns once, on tensor cores or with FMA, in full
// sectors and without bank conflicts in its main loop. The config determines the number
// of blocks.
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

/// Size of an N panel of unpacked weights: columns with FMA, bytes with tensor cores.
static constexpr int64_t kFmaColumns = 16, kTensorBytes = 128;
static constexpr int64_t kWarp = 32;
static constexpr const char *kLayouts[] = {"NN", "NT", "TN", "TT"};

namespace {
/// A matmul on one GPU, where f32 may be rounded to tf32.
struct Counted {
  Matmul matmul;
  std::string gpu;
  bool isTf32 = false;

  int64_t element() const { return kiln_dtype_size(matmul.dtype); }
  bool usesTensorCores() const { return isTf32 || matmul.dtype != KILN_DTYPE_F32; }
};

/// How a config divides a matmul into blocks.
struct Blocks {
  int64_t rows, columns; ///< of an output tile
  int64_t down, across;  ///< output tiles along M and N
  int64_t steps, length; ///< K steps, and elements of K per step
  int64_t split;         ///< split-K: blocks per output tile

  int64_t tile() const { return rows * columns; }
  int64_t tiles() const { return down * across; }
  /// Bytes of the partial results that a tile's blocks write for the last one.
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

/// Bytes of the operands that blocks read, if operand B has `columns` columns.
static int64_t readBytes(const Counted &counted, const Blocks &blocks, int64_t columns) {
  const Matmul &matmul = counted.matmul;
  return matmul.k * (matmul.m * blocks.across + columns * blocks.down) *
         counted.element();
}

static int64_t resultBytes(const Counted &counted) {
  return counted.matmul.m * counted.matmul.n * counted.element();
}

/// Expected traffic of blocks that read `columns` columns of operand B; sectors and bank
/// conflicts of the epilogue are not compared.
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
  // The last block of a tile adds the partial results of the others.
  if (!counted.usesTensorCores())
    traffic.f32Flops = padded + blocks.tiles() * blocks.tile() * (blocks.split - 1);
}

/// Bulk copies (TMA) of full boxes: out-of-bounds parts count in shared memory, but not
/// in global memory.
static void expectBoxes(Traffic &traffic, const Counted &counted, const Blocks &blocks) {
  int64_t boxes = blocks.steps * (blocks.rows + blocks.columns) * blocks.length;
  traffic.bulkSharedBytes = blocks.tiles() * (boxes + blocks.tile()) * counted.element();
  traffic.bulkGlobalBytes =
      readBytes(counted, blocks, counted.matmul.n) + resultBytes(counted);
}

/// The epilogue has no conflicts either, except with 64 rows where each thread has four
/// adjacent elements: two threads use the same bank.
static uint64_t bankConflictsOf(const Counted &counted, const Blocks &blocks) {
  bool meet =
      !counted.usesTensorCores() && counted.matmul.layout == "TT" && blocks.rows == 64;
  return meet ? blocks.tiles() * blocks.tile() / kWarp : 0;
}

/// If tiles divide the sizes, each sector of operands, result, partial results and
/// arrival counters is touched, and no other.
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
  if (counted.matmul.m == 320) // sizes that tiles divide
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
  // Warpgroups need rows of a multiple of 16 bytes.
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

/// Tiles with fewer rows, and epilogues where two or four adjacent elements are aligned.
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

/// Panels past the last one are not read, even if the tile divides K: the mask of the
/// last panels then depends on the column only. Packed weights are padded to full panels.
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
