//===- ColumnTrafficCases.cpp - Cost of row ops over other dims -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Over a dim other than the last, thread groups divide the positions: lines shorter than
// a sector are read as full sectors, threads are busy even with few columns, and data of
// several passes is read once.
//
//===----------------------------------------------------------------------===//

#include "TrafficRows.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace kiln;
using namespace kiln::test;

/// Lines of 36 two-byte elements: a warp covers two of them, 4.5 sectors each.
static bool endsInSectors(const Sizes &shape, kiln_dtype dtype) {
  return shape.back() == 36 && kiln_dtype_size(dtype) == 2;
}

static KernelCase reductionRow(const std::string &op, const Sizes &shape,
                               const Sizes &axes, kiln_dtype dtype, const char *gpu) {
  Sizes result;
  for (const auto &[dim, size] : llvm::enumerate(shape))
    if (!llvm::is_contained(axes, int64_t(dim)))
      result.push_back(size);
  const std::vector<Operand> inputs = {{"x", shape, dtype}};
  const Operand output = {"y", result, dtype};
  KernelCase row = countedRow(
      "columns_" + prefixOf(dtype) + op + "_" + joinedSizes(shape) + "_over_" +
          joinedSizes(axes, ""),
      {"y = " + op + " <axes = [" + joinedSizes(axes, ", ") + "], keepdims = 0> (x)"},
      inputs, output, gpu);
  row.traffic = {onceEach(inputs, output)};
  return row;
}

/// Checks the row's traffic, and that several thread groups divide the positions.
static void divides(KernelCase &row) {
  Traffic traffic = row.traffic[0];
  row.traffic.clear();
  row.checkLaunches = [traffic](const std::vector<CountedLaunch> &launches) {
    ASSERT_EQ(launches.size(), 1u);
    expectLaunch(launches[0], traffic);
    EXPECT_GT(launches[0].config.number("reduce_split"), 1) << launches[0].config.str();
  };
}

/// Lines of less than a sector, of a fractional number of sectors, and of many.
static void addDividedReductions(KernelTable &table) {
  const std::pair<Sizes, Sizes> all[] = {{{8, 64, 4}, {1}},
                                         {{64, 36}, {0}},
                                         {{4, 512, 8}, {1}},
                                         {{2, 128, 384}, {1}},
                                         {{3, 7, 5, 16}, {0, 2}}};
  for (const auto &[shape, axes] : all)
    for (kiln_dtype dtype : kTrafficTypes)
      for (const char *gpu : kTrafficGpus) {
        KernelCase row = reductionRow("ReduceMax", shape, axes, dtype, gpu);
        if (endsInSectors(shape, dtype))
          row.traffic[0].efficiency = 0.89;
        divides(row);
        table.push_back(row);
      }
}

/// Mean pooling: each thread has at most four positions of one column. With one thread
/// per column, 96 threads (f32) would have 128 positions each.
static void addCountedPooling(KernelTable &table) {
  constexpr int64_t kPositions = 128, kColumns = 384;
  for (kiln_dtype dtype : kTrafficTypes) {
    KernelCase row =
        reductionRow("ReduceMean", {1, kPositions, kColumns}, {1}, dtype, "sm_80");
    row.traffic.clear();
    row.checkLaunches = [](const std::vector<CountedLaunch> &launches) {
      ASSERT_EQ(launches.size(), 1u);
      const LaunchConfig &config = launches[0].config;
      int64_t lanes = config.number("lanes"), threads = config.number("group_threads");
      ASSERT_TRUE(lanes && threads) << config.str();
      int64_t blocks = kColumns / lanes;
      EXPECT_EQ(int64_t(launches[0].counters.blocks), blocks);
      int64_t all = blocks * config.number("reduce_split") * threads,
              columns = lanes / threads;
      EXPECT_GE(all * columns * 4, kPositions * kColumns) << config.str();
      EXPECT_GE(all, 3072) << config.str();
    };
    table.push_back(row);
  }
}

static KernelCase softmaxRow(const Sizes &shape, int64_t axis, kiln_dtype dtype,
                             const char *gpu) {
  const std::vector<Operand> inputs = {{"x", shape, dtype}};
  const Operand output = {"y", shape, dtype};
  KernelCase row = countedRow("columns_" + prefixOf(dtype) + "softmax_" +
                                  joinedSizes(shape) + "_over_" + std::to_string(axis),
                              {"y = Softmax <axis = " + std::to_string(axis) + "> (x)"},
                              inputs, output, gpu);
  row.traffic = {onceEach(inputs, output)};
  return row;
}

static void addCountedSoftmax(KernelTable &table) {
  const std::pair<Sizes, int64_t> all[] = {{{2, 64, 48}, 1},   {{3, 300, 16}, 1},
                                           {{64, 36}, 0},      {{4, 512, 8}, 1},
                                           {{2, 1000, 24}, 1}, {{64, 3, 64}, 1}};
  for (const auto &[shape, axis] : all)
    for (kiln_dtype dtype : kTrafficTypes) {
      KernelCase row = softmaxRow(shape, axis, dtype, kTrafficGpus[shape.size() % 2]);
      if (endsInSectors(shape, dtype))
        row.traffic[0].efficiency = 0;
      divides(row);
      table.push_back(row);
    }
}

static void addCountedSoftmaxOfSymbolicLength(KernelTable &table) {
  for (int64_t length : {1, 37, 500}) {
    ModelText model;
    const Dims dims = {"2", "k", "32"};
    model.input("x", KILN_DTYPE_F16, dims)
        .input("r", KILN_DTYPE_F16, dims)
        .node("a = Add(x, r)")
        .node("y = Softmax <axis = 1> (a)")
        .output("y", KILN_DTYPE_F16, dims);
    KernelCase row{"traffic",
                   "columns_f16_softmax_" + std::to_string(length) + "_of_500_sm_90a",
                   model,
                   {"sm_90a"}};
    row.forHost = false;
    row.dims = {{"k", 1, 500}};
    row.at = {{{"k", length}}};
    Traffic traffic;
    traffic.bytes = traffic.touchedBytes = 3 * 2 * length * 32 * 2;
    row.traffic = {traffic};
    table.push_back(row);
  }
}

/// Rows that do not fit on chip are read once per pass.
static void addColumnsReadAgain(KernelTable &table) {
  KernelCase row = softmaxRow({1, 6000, 16}, 1, KILN_DTYPE_F32, "sm_80");
  row.traffic[0].bytes *= 2;
  row.traffic[0].conflicts = INFINITY;
  table.push_back(row);
}

void kiln::test::addColumnTrafficCases(KernelTable &table) {
  addDividedReductions(table);
  addCountedPooling(table);
  addCountedSoftmax(table);
  addCountedSoftmaxOfSymbolicLength(table);
  addColumnsReadAgain(table);
}
