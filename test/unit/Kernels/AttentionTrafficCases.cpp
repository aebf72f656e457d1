//===- AttentionTrafficCases.cpp - Cost of attention on GPUs --------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keys and values are read once per tile of queries, and not at all if no query of the
// tile sees them.
//
//===----------------------------------------------------------------------===//

#include "AttentionModel.h"
#include "TrafficRows.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

using namespace kiln;
using namespace kiln::test;

namespace {
/// Attention of known sizes, and the tile sizes of its config.
struct CountedAttention {
  Attention node;
  kiln_dtype dtype;
  int64_t queries, keys, columns, batch;
  int64_t rows = 1, tile = 1; ///< queries and keys per tile

  int64_t element() const { return kiln_dtype_size(dtype); }
  int64_t heads() const { return batch * node.heads; }
  /// Elements of a key and its value.
  int64_t pair() const { return node.depth + columns; }
};
} // namespace

static CountedAttention countedOf(const Attention &node, kiln_dtype dtype) {
  return {node,
          dtype,
          std::stoll(node.queries),
          std::stoll(node.keys),
          node.columns ? node.columns : node.depth,
          std::stoll(node.batch)};
}

/// Sets the tile sizes from a launch's config.
static CountedAttention tiled(CountedAttention counted, const CountedLaunch &launch) {
  counted.rows = launch.config.number("rows", 1);
  counted.tile = launch.config.number("keys", 1);
  EXPECT_GT(counted.rows, 1) << launch.config.str();
  EXPECT_GT(counted.tile, 1) << launch.config.str();
  return counted;
}

/// Returns the number of key tiles that each query tile processes.
static std::vector<int64_t> walksOf(const CountedAttention &counted) {
  std::vector<int64_t> walks;
  for (int64_t first = 0; first < counted.queries; first += counted.rows) {
    int64_t last = std::min(first + counted.rows, counted.queries);
    int64_t seen = counted.keys;
    if (counted.node.causal)
      seen = std::min(seen, last + counted.keys - counted.queries);
    walks.push_back(llvm::divideCeil(seen, counted.tile));
  }
  return walks;
}

static int64_t sumOfWalks(const std::vector<int64_t> &numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), int64_t(0));
}

static int64_t ownBytes(const CountedAttention &counted) {
  return counted.heads() * counted.queries * counted.pair() * counted.element();
}

/// Bytes of keys and values that the query tiles of one head read.
static int64_t walkedBytes(const CountedAttention &counted) {
  int64_t rows = 0;
  for (int64_t walk : walksOf(counted))
    rows += std::min(walk * counted.tile, counted.keys);
  return rows * counted.pair() * counted.element();
}

/// Bytes of the mask that are requested. A one-row mask is read once per block; rows of a
/// tile past the end read the last row.
static int64_t maskBytes(const CountedAttention &counted, const Dims &mask) {
  int64_t tiles = llvm::divideCeil(counted.queries, counted.rows);
  int64_t lines = mask[2] == "1" ? tiles : tiles * counted.rows;
  return counted.heads() * lines * counted.keys * counted.element();
}

static uint64_t tensorFlopsOf(const CountedAttention &counted) {
  auto padded = [](int64_t extent) {
    return std::max<int64_t>(16, llvm::bit_ceil(uint64_t(extent)));
  };
  return counted.heads() * sumOfWalks(walksOf(counted)) * 2 * counted.rows *
         counted.tile * (padded(counted.node.depth) + padded(counted.columns));
}

static Traffic attentionTraffic(const CountedAttention &counted) {
  const Dims &mask = counted.node.mask;
  int64_t element = counted.element(), line = counted.keys * element;
  Traffic traffic;
  traffic.bytes = ownBytes(counted) + counted.heads() * walkedBytes(counted);
  traffic.touchedBytes = ownBytes(counted) + counted.heads() / counted.node.shared *
                                                 counted.keys * counted.pair() * element;
  if (!mask.empty()) {
    traffic.bytes += maskBytes(counted, mask);
    traffic.touchedBytes += std::stoll(mask[1]) * std::stoll(mask[2]) * line;
  }
  traffic.ends = 32;
  traffic.efficiency = line % kSectorBytes == 0 ? 0.95 : 0;
  traffic.conflicts = INFINITY;
  // A mask whose rows are not aligned is copied to shared memory element by element.
  traffic.mainLoopsHaveNoConflicts =
      mask.empty() || std::stoll(mask[3]) * element % 16 == 0;
  if (counted.dtype != KILN_DTYPE_F32)
    traffic.tensorFlops = tensorFlopsOf(counted);
  return traffic;
}

static KernelCase attentionRow(const Attention &node, kiln_dtype dtype, const char *gpu) {
  KernelCase row{"traffic",
                 "attention_" + nameOf(node, dtype) + "_" + gpu,
                 modelOf(node, dtype),
                 {gpu}};
  row.forHost = false;
  return row;
}

static void addCountedAttention(KernelTable &table) {
  const Dims row64 = {"1", "1", "1", "128"}, square = {"1", "1", "128", "128"};
  const Attention nodes[] = {
      {.queries = "128", .keys = "128", .depth = 32},
      {.queries = "128", .keys = "128", .depth = 64, .causal = true},
      {.queries = "128", .keys = "128", .depth = 128, .mask = square},
      {.queries = "128", .keys = "128", .depth = 64, .mask = row64},
      {.queries = "64", .keys = "192", .depth = 256},
      {.queries = "128", .keys = "128", .depth = 256, .mask = square},
      {.queries = "256",
       .keys = "256",
       .depth = 64,
       .heads = 4,
       .shared = 2,
       .causal = true},
      {.queries = "70", .keys = "131", .depth = 80},
      {.queries = "33", .keys = "175", .depth = 96, .mask = {"1", "2", "33", "175"}},
      {.queries = "130", .keys = "130", .depth = 32, .causal = true},
      {.queries = "48", .keys = "200", .depth = 64, .columns = 32, .batch = "2"}};
  for (kiln_dtype dtype : kTrafficTypes)
    for (const auto &[number, node] : llvm::enumerate(nodes)) {
      const char *gpu = kTrafficGpus[(number + (dtype != KILN_DTYPE_BF16)) % 2];
      KernelCase row = attentionRow(node, dtype, gpu);
      // On Hopper, warpgroups multiply 16-bit elements.
      bool onWarpgroups = gpu == std::string("sm_90a") && dtype != KILN_DTYPE_F32;
      row.config = onWarpgroups ? "warpgroup_attention_config" : "block_attention_config";
      CountedAttention counted = countedOf(node, dtype);
      row.checkLaunches = [counted](const std::vector<CountedLaunch> &launches) {
        ASSERT_EQ(launches.size(), 1u);
        expectLaunch(launches[0], attentionTraffic(tiled(counted, launches[0])));
      };
      table.push_back(row);
    }
}

/// Keys beyond a sequence's length are not read, however many there are. Each thread
/// reads the length.
static Traffic lengthTraffic(const CountedAttention &counted,
                             llvm::ArrayRef<double> lengths, uint64_t threads) {
  int64_t keys = llvm::divideCeil(counted.queries, counted.rows) *
                 int64_t(std::accumulate(lengths.begin(), lengths.end(), 0.0));
  Traffic traffic;
  traffic.bytes = ownBytes(counted) +
                  counted.node.heads * keys * counted.pair() * counted.element() +
                  sizeof(int64_t) * threads;
  traffic.ends = UINT32_MAX;
  traffic.efficiency = 0;
  traffic.conflicts = INFINITY;
  return traffic;
}

static void addCountedLengths(KernelTable &table) {
  for (kiln_dtype dtype : {KILN_DTYPE_F32, KILN_DTYPE_BF16})
    for (int64_t keys : {64, 512})
      for (const std::vector<double> &lengths : {std::vector<double>{1, 1}, {1, 40}}) {
        Attention node{.queries = "64",
                       .keys = std::to_string(keys),
                       .depth = 64,
                       .batch = "2",
                       .lengths = true};
        KernelCase row = attentionRow(node, dtype, "sm_80");
        row.name += "_to_" + std::to_string(int(lengths.back()));
        row.given = {{"lengths", lengths}};
        CountedAttention counted = countedOf(node, dtype);
        row.checkLaunches = [counted,
                             lengths](const std::vector<CountedLaunch> &launches) {
          ASSERT_EQ(launches.size(), 1u);
          expectLaunch(launches[0], lengthTraffic(tiled(counted, launches[0]), lengths,
                                                  launches[0].counters.threads));
        };
        table.push_back(row);
      }
}

namespace {
/// Attention of 32 queries after a past, so that all queries see the first keys.
struct Past {
  bool isCausal;
  int64_t keys; ///< including those of the past

  std::string name() const {
    return (isCausal ? "causal" : "plain") + std::to_string(keys);
  }
};
} // namespace

static void addNode(ModelText &model, const Past &past, kiln_dtype dtype) {
  auto named = [&](const char *tensor) { return tensor + past.name(); };
  const Sizes own = {1, 1, 32, 64}, before = {1, 1, past.keys - 32, 64},
              all = {1, 1, past.keys, 64};
  for (const char *tensor : {"q", "k", "v"})
    model.input(named(tensor), dtype, dimsOf(own));
  for (const char *tensor : {"pk", "pv"})
    model.input(named(tensor), dtype, dimsOf(before));
  model.node("[" + past.name() + "] " + named("y") + ", " + named("nk") + ", " +
             named("nv") + " = Attention <is_causal = " + std::to_string(past.isCausal) +
             "> (" + named("q") + ", " + named("k") + ", " + named("v") + ", , " +
             named("pk") + ", " + named("pv") + ")");
  model.output(named("y"), dtype, dimsOf(own));
  model.output(named("nk"), dtype, dimsOf(all));
  model.output(named("nv"), dtype, dimsOf(all));
}

static int64_t instructionsOf(const std::vector<CountedLaunch> &launches,
                              const Past &past) {
  for (const CountedLaunch &launch : launches)
    if (launch.hero == "attention" &&
        launch.node.find("'" + past.name() + "'") != std::string::npos)
      return launch.counters.warpInstructions;
  ADD_FAILURE() << "no launch is " << past.name();
  return 0;
}

/// Tiles of keys that all queries see need no position comparison: the extra cost of
/// causal over plain attention does not grow with them.
static void addWholeTiles(KernelTable &table) {
  for (kiln_dtype dtype : {KILN_DTYPE_F32, KILN_DTYPE_BF16}) {
    ModelText model(23);
    for (int64_t keys : {256, 1024})
      for (bool isCausal : {false, true})
        addNode(model, {isCausal, keys}, dtype);
    KernelCase row{"traffic",
                   prefixOf(dtype) + "whole_tiles_compare_no_positions_sm_80",
                   model,
                   {"sm_80"}};
    row.forHost = false;
    row.checkLaunches = [](const std::vector<CountedLaunch> &launches) {
      auto beyond = [&](int64_t keys) {
        return instructionsOf(launches, {true, keys}) -
               instructionsOf(launches, {false, keys});
      };
      int64_t few = beyond(256), many = beyond(1024);
      EXPECT_GT(few, 0);
      EXPECT_LT(many - few, instructionsOf(launches, {false, 1024}) / 100);
    };
    table.push_back(row);
  }
}

void kiln::test::addAttentionTrafficCases(KernelTable &table) {
  addCountedAttention(table);
  addCountedLengths(table);
  addWholeTiles(table);
}
