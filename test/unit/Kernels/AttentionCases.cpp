//===- AttentionCases.cpp - Attention, decomposed and as one op -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionModel.h"
#include "KernelCase.h"
#include <cmath>
#include <numeric>

using namespace kiln;
using namespace kiln::test;

namespace {
/// softmax(q k' / sqrt(depth) + mask) v, decomposed as exporters write it.
struct WrittenOut {
  int64_t heads, queries, keys, depth;
  kiln_dtype dtype = KILN_DTYPE_BF16;
  std::vector<int64_t> mask = {}; ///< shape of the added mask; empty: none
  int64_t columns = 0;            ///< columns of v; 0: as many as of k
  int64_t shared = 1;             ///< query heads per key head
  int64_t batch = 1;
};
} // namespace

/// Repeats each key head for all query heads that share it.
static std::string repeated(ModelText &model, const WrittenOut &a, const char *name,
                            int64_t depth) {
  if (a.shared == 1)
    return name;
  int64_t own = a.heads / a.shared;
  std::string n = name;
  model.integers(n + "_five", {a.batch, own, 1, a.keys, depth})
      .integers(n + "_wide", {a.batch, own, a.shared, a.keys, depth})
      .integers(n + "_four", {a.batch, a.heads, a.keys, depth})
      .node(n + "1 = Reshape(" + n + ", " + n + "_five)")
      .node(n + "2 = Expand(" + n + "1, " + n + "_wide)")
      .node(n + "3 = Reshape(" + n + "2, " + n + "_four)");
  return n + "3";
}

static ModelText modelOf(const WrittenOut &a) {
  int64_t own = a.heads / a.shared, columns = a.columns ? a.columns : a.depth;
  ModelText model;
  model.input("q", a.dtype, dimsOf({a.batch, a.heads, a.queries, a.depth}))
      .input("k", a.dtype, dimsOf({a.batch, own, a.keys, a.depth}))
      .input("v", a.dtype, dimsOf({a.batch, own, a.keys, columns}))
      .weight("scale", a.dtype, {}, {1 / std::sqrt(double(a.depth))});
  std::string k = repeated(model, a, "k", a.depth), v = repeated(model, a, "v", columns);
  model.node("kt = Transpose <perm = [0, 1, 3, 2]> (" + k + ")")
      .node("s = MatMul(q, kt)")
      .node("scaled = Mul(s, scale)");
  if (!a.mask.empty())
    model.input("m", a.dtype, dimsOf(a.mask)).node("added = Add(scaled, m)");
  model.node(std::string("p = Softmax <axis = -1> (") +
             (a.mask.empty() ? "scaled" : "added") + ")");
  return model.node("y = MatMul(p, " + v + ")")
      .output("y", a.dtype, dimsOf({a.batch, a.heads, a.queries, columns}));
}

static void addWrittenOut(KernelTable &table) {
  const WrittenOut cases[] = {
      {2, 16, 16, 32},
      {2, 70, 130, 64},
      {1, 9, 65, 32, KILN_DTYPE_F16},
      {2, 33, 47, 64, KILN_DTYPE_BF16, {1, 1, 1, 47}},
      {2, 65, 40, 32, KILN_DTYPE_BF16, {1, 2, 65, 40}},
      {4, 20, 36, 32, KILN_DTYPE_BF16, {}, 0, 2},
      {1, 40, 40, 80, KILN_DTYPE_BF16, {}, 48},
      {1, 17, 33, 128, KILN_DTYPE_F16, {1, 1, 17, 33}},
      {1, 20, 70, 256},
      {2, 1, 100, 64, KILN_DTYPE_BF16, {}, 0, 1, 2},
  };
  for (const WrittenOut &a : cases) {
    std::string name = std::string(kiln_dtype_name(a.dtype)) + "_written_out_" +
                       std::to_string(a.queries) + "x" + std::to_string(a.keys) + "x" +
                       std::to_string(a.depth) + (a.mask.empty() ? "" : "_mask");
    KernelCase row{"attention", name, modelOf(a), {"sm_80"}};
    row.heroes = {"attention"};
    // Two matmuls, exponentials by the hardware, and no FMA per score.
    row.ptx = {"mma.sync.aligned.m16n8k16", "ex2.approx.f32", "ldmatrix"};
    table.push_back(row);
  }
}

namespace {
/// A select of the scores, in addition to a mask that is added.
struct Replaced {
  int64_t queries, keys, depth;
  kiln_dtype dtype = KILN_DTYPE_F32;
  bool hasOneRow = false; ///< condition and mask have one row for all queries
  const char *gpu = "sm_80";
};
} // namespace

/// The select replaces scores by the same value that the mask adds, and both remove
/// entire rows: the weights are right only if each key gets both its own select and its
/// own mask.
static KernelCase caseOf(const Replaced &a) {
  constexpr int64_t kBatch = 2, kHeads = 2;
  constexpr double kRemoved = -16; // negligible after softmax, and exact in f16 and bf16
  ModelText model;
  model.input("q", a.dtype, dimsOf({kBatch, kHeads, a.queries, a.depth}))
      .input("k", a.dtype, dimsOf({kBatch, kHeads, a.depth, a.keys}))
      .input("v", a.dtype, dimsOf({kBatch, kHeads, a.keys, a.depth}));
  int64_t rows = a.hasOneRow ? 1 : a.queries;
  model.input("c", KILN_DTYPE_F32, dimsOf({rows, a.keys}))
      .input("m", a.dtype, dimsOf({kBatch, 1, rows, a.keys}))
      .weight("scale", a.dtype, {}, {1 / std::sqrt(double(a.depth))})
      .weight("removed", a.dtype, {}, {kRemoved})
      .node("s = MatMul(q, k)")
      .node("scaled = Mul(s, scale)")
      .node("kept = Cast <to = 9> (c)")
      .node("selected = Where(kept, scaled, removed)")
      .node("masked = Add(selected, m)")
      .node("p = Softmax <axis = -1> (masked)")
      .node("y = MatMul(p, v)")
      .output("y", a.dtype, dimsOf({kBatch, kHeads, a.queries, a.depth}));
  std::string name = std::string(kiln_dtype_name(a.dtype)) + "_replaced_" +
                     std::to_string(a.queries) + "x" + std::to_string(a.keys) + "x" +
                     std::to_string(a.depth) + (a.hasOneRow ? "_one_row" : "");
  KernelCase row{"attention", name, model, {a.gpu}};
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < a.keys; ++j)
      row.given["c"].push_back(i % 4 == 1 ? 0 : (i + j) % 3 != 0);
  for (int64_t i = 0; i < kBatch * rows; ++i)
    for (int64_t j = 0; j < a.keys; ++j)
      row.given["m"].push_back(i % 3 == 1 || j % 5 == 2 ? kRemoved : 0);
  row.graphOp = "graph.attention";
  row.opHas = {" mask %", " keep %"};
  if (row.gpus.front() == "sm_90a")
    row.config = "warpgroup_attention_config";
  return row;
}

static void addReplaced(KernelTable &table) {
  const Replaced cases[] = {
      {16, 16, 32},
      {9, 65, 40},
      {33, 47, 64, KILN_DTYPE_F16},
      {17, 70, 128, KILN_DTYPE_F16, /*hasOneRow=*/true},
      {65, 40, 32, KILN_DTYPE_BF16},
      {20, 70, 256, KILN_DTYPE_F32, /*hasOneRow=*/true},
      {130, 200, 64, KILN_DTYPE_BF16, /*hasOneRow=*/false, "sm_90a"},
      {130, 96, 128, KILN_DTYPE_F16, /*hasOneRow=*/true, "sm_90a"},
  };
  for (const Replaced &a : cases)
    table.push_back(caseOf(a));
}

/// Returns keys per sequence: all for the first, fewer for the others; every query sees a
/// key.
static std::vector<double> lengthsOf(const Attention &a, const SymbolValues &at) {
  auto sizeOf = [&](const std::string &dim) {
    auto symbol = at.find(dim);
    return symbol == at.end() ? std::stoll(dim) : symbol->second;
  };
  int64_t batch = sizeOf(a.batch), keys = sizeOf(a.keys);
  int64_t least = a.causal ? sizeOf(a.queries) : 1;
  std::vector<double> lengths;
  for (int64_t i = 0; i < batch; ++i)
    lengths.push_back(static_cast<double>(keys - (keys - least) * i / batch));
  return lengths;
}

static KernelCase caseOf(const Attention &a, kiln_dtype dtype, const std::string &gpu) {
  KernelCase row{"attention", nameOf(a, dtype), modelOf(a, dtype), {gpu}};
  SymbolValues at;
  for (auto [name, value] : {std::pair("s", 37), {"t", 75}, {"b", 2}})
    if (a.queries == name || a.keys == name || a.batch == name)
      at[name] = value;
  row.at = {at};
  if (a.lengths)
    row.given = {{"lengths", lengthsOf(a, at)}};
  row.bound = dtype == KILN_DTYPE_F32 ? 2e-5 : dtype == KILN_DTYPE_F16 ? 5e-3 : 4e-2;
  row.graphOp = "graph.attention";
  // Causal positions are no mask operand: they bound the loops. A single query at the end
  // sees all keys.
  auto expect = [&](bool is, const char *text) {
    (is ? row.opHas : row.opLacks).push_back(text);
  };
  expect(a.causal && (a.queries != "1" || a.lengths), "causal");
  expect(a.lengths, " lengths %");
  expect(!a.mask.empty(), " mask %");
  return row;
}

static void addPositions(KernelTable &table) {
  const Attention cases[] = {
      {.queries = "32", .keys = "32", .depth = 32, .causal = true},
      {.queries = "70",
       .keys = "70",
       .depth = 64,
       .heads = 4,
       .shared = 2,
       .causal = true},
      {.queries = "33",
       .keys = "33",
       .depth = 40,
       .causal = true,
       .mask = {"1", "1", "1", "33"}},
      {.queries = "17",
       .keys = "17",
       .depth = 72,
       .batch = "2",
       .causal = true,
       .mask = {"1", "2", "17", "17"}},
      {.queries = "130", .keys = "130", .depth = 80, .causal = true},
      {.queries = "9", .keys = "9", .depth = 96, .causal = true, .past = 60},
      {.queries = "1",
       .keys = "1",
       .depth = 128,
       .heads = 4,
       .shared = 4,
       .causal = true,
       .past = 99},
      {.queries = "65", .keys = "65", .depth = 160, .columns = 48, .causal = true},
      {.queries = "40", .keys = "40", .depth = 256, .causal = true},
      {.queries = "20", .keys = "90", .depth = 64, .batch = "3", .lengths = true},
      {.queries = "33",
       .keys = "70",
       .depth = 32,
       .heads = 4,
       .shared = 2,
       .batch = "2",
       .mask = {"2", "1", "33", "70"},
       .lengths = true},
      {.queries = "5", .keys = "130", .depth = 128, .batch = "2", .lengths = true},
      {.queries = "20",
       .keys = "90",
       .depth = 64,
       .batch = "3",
       .causal = true,
       .lengths = true},
      {.queries = "1",
       .keys = "80",
       .depth = 96,
       .heads = 4,
       .shared = 2,
       .batch = "2",
       .causal = true,
       .lengths = true},
      {.queries = "70",
       .keys = "70",
       .depth = 192,
       .batch = "2",
       .causal = true,
       .mask = {"2", "1", "1", "70"},
       .lengths = true},
      // Split attention: each block processes some of the keys.
      {.queries = "1",
       .keys = "700",
       .depth = 64,
       .heads = 4,
       .shared = 4,
       .batch = "2",
       .causal = true,
       .lengths = true},
      {.queries = "1",
       .keys = "1",
       .depth = 128,
       .heads = 4,
       .shared = 2,
       .causal = true,
       .past = 1299},
      {.queries = "12",
       .keys = "520",
       .depth = 40,
       .batch = "2",
       .causal = true,
       .lengths = true},
      {.queries = "3", .keys = "600", .depth = 32, .mask = {"1", "1", "3", "600"}},
      {.queries = "s", .keys = "s", .depth = 64, .heads = 4, .shared = 2, .causal = true},
      {.queries = "s", .keys = "t", .depth = 32, .batch = "b", .lengths = true},
  };
  size_t number = 0;
  for (const Attention &a : cases) {
    for (kiln_dtype dtype : {KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_BF16})
      table.push_back(caseOf(a, dtype, number % 2 ? "sm_90a" : "sm_80"));
    ++number;
  }
}

/// Heads that are too large for sm_86.
static void addLargeHeads(KernelTable &table) {
  const Dims rows = {"1", "2", "16", "512"}, columns = {"1", "2", "512", "16"};
  ModelText model;
  model.input("q", KILN_DTYPE_F32, rows)
      .input("k", KILN_DTYPE_F32, columns)
      .input("v", KILN_DTYPE_F32, rows)
      .node("s = MatMul(q, k)")
      .node("p = Softmax <axis = -1> (s)")
      .node("y = MatMul(p, v)")
      .output("y", KILN_DTYPE_F32, rows);
  for (const char *precision : {"f32", "bf16"}) {
    KernelCase row{"attention",
                   std::string(precision) + "_written_out_16x16x512",
                   model,
                   {"sm_80", "sm_86"}};
    row.precision = {precision};
    table.push_back(row);
  }
}

void kiln::test::addAttentionCases(KernelTable &table) {
  addWrittenOut(table);
  addReplaced(table);
  addLargeHeads(table);
  addPositions(table);
}
