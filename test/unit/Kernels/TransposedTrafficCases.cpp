//===- TransposedTrafficCases.cpp - Rows of transposed operands -----------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row kernels over transposed operands read every byte once and in full sectors, although
// they make several passes over a row.
//
//===----------------------------------------------------------------------===//

#include "TrafficRows.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace kiln;
using namespace kiln::test;

namespace {
/// A norm over the rows of z or t.
struct RowNorm {
  const char *name, *op;
  unsigned parameters;
};
} // namespace

static const RowNorm kRowNorms[] = {{"softmax", "Softmax", 0},
                                    {"layer_norm", "LayerNormalization", 2},
                                    {"rms_norm", "SimplifiedLayerNormalization", 1}};

/// A norm over the channels of x [batch, channels, rows], or over z, which `before`
/// computes from the transposed x and other inputs.
static KernelCase transposedNorm(const std::string &name, const RowNorm &norm,
                                 kiln_dtype dtype, const Sizes &shape, const char *gpu,
                                 std::vector<std::string> before = {}, Shapes more = {}) {
  Shapes shapes = {{"x", shape}};
  shapes.insert(shapes.end(), more.begin(), more.end());
  std::vector<std::string> nodes = {kTransposedX};
  nodes.insert(nodes.end(), before.begin(), before.end());
  std::string sources = before.empty() ? "t" : "z";
  for (unsigned i = 0; i < norm.parameters; ++i) {
    shapes.push_back({i ? "b" : "s", {shape[1]}});
    sources += std::string(", ") + shapes.back().first;
  }
  nodes.push_back(std::string("y = ") + norm.op + " <axis = -1> (" + sources + ")");
  return countedRow(prefixOf(dtype) + norm.name + "_" + name, nodes,
                    operandsOf(shapes, dtype),
                    {"y", {shape[0], shape[2], shape[1]}, dtype}, gpu);
}

/// Data is read and written once; scale and bias are read for every row, from L1.
static Elements normElements(const RowNorm &norm, const Sizes &shape) {
  uint64_t data = countOf(shape), parameters = norm.parameters * shape[1];
  return {2 * data + shape[0] * shape[2] * parameters, 2 * data + parameters};
}

/// Channels and rows, kept in the registers of a few threads, of a warp, of a block;
/// partial tiles on either side.
static void addTransposedNorms(KernelTable &table) {
  const std::pair<int64_t, int64_t> sizes[] = {
      {64, 256}, {96, 64}, {768, 196}, {768, 64}, {1000, 48}, {2048, 32}, {40, 48}};
  for (const auto &[number, size] : llvm::enumerate(sizes))
    for (const RowNorm &norm : kRowNorms)
      for (kiln_dtype dtype : kTrafficTypes) {
        Sizes shape = {2, size.first, size.second};
        KernelCase row = transposedNorm("transposed_" + joinedSizes(shape), norm, dtype,
                                        shape, kTrafficGpus[number % 2]);
        Traffic traffic = trafficOf(normElements(norm, shape), dtype, "staging");
        uint64_t bytes = kiln_dtype_size(dtype);
        if (size.first * bytes % 32 || size.second * bytes % 32)
          traffic.efficiency = 0;
        // Each byte goes through shared memory once.
        traffic.minSharedBytes = 2 * countOf(shape) * bytes;
        row.traffic = {traffic};
        table.push_back(row);
      }
}

/// No bank conflicts with eight rows of f32. Threads that write more rows, or adjacent
/// 16-bit elements, have some, as row starts are aligned for wide reads.
static void addBanks(KernelTable &table) {
  struct Banks {
    kiln_dtype dtype;
    int64_t length, rows;
  };
  for (const Banks &one : {Banks{KILN_DTYPE_F32, 64, 256},
                           {KILN_DTYPE_F32, 768, 64},
                           {KILN_DTYPE_F16, 96, 64},
                           {KILN_DTYPE_F16, 768, 64},
                           {KILN_DTYPE_BF16, 2048, 32}}) {
    Sizes shape = {2, one.length, one.rows};
    const RowNorm &norm = kRowNorms[1];
    KernelCase row =
        transposedNorm("banks_" + joinedSizes(shape), norm, one.dtype, shape, "sm_80");
    Traffic traffic = trafficOf(normElements(norm, shape), one.dtype, "staging");
    traffic.conflicts = one.length == 768 && one.dtype == KILN_DTYPE_F32 ? 0 : 0.5;
    row.traffic = {traffic};
    table.push_back(row);
  }
}

static void addFusedIntoNorms(KernelTable &table) {
  struct Fused {
    const char *name;
    std::vector<std::string> nodes;
    Shapes inputs;
    /// Requested and touched elements in addition to the norm's.
    Elements more;
    double efficiency = 0.95;
  };
  const Sizes shape = {2, 768, 64};
  const uint64_t data = countOf(shape);
  const Fused all[] = {
      {"residual", {"z = Add(t, r)"}, {{"r", {2, 64, 768}}}, {data, data}},
      // Read for each batch, from L2.
      {"positions", {"z = Add(t, p)"}, {{"p", {64, 768}}}, {data, data / 2}},
      {"gelu", {"e = Erf(t)", "z = Mul(t, e)"}, {}, {0, 0}},
      {"two", {kTransposedV, "z = Mul(t, u)"}, {{"v", {2, 768, 64}}}, {data, data}},
      // Two bytes per row, each in its own sector.
      {"per_row", {"z = Mul(t, c)"}, {{"c", {64, 1}}}, {0, 64}, 0.9}};
  for (const auto &[number, fused] : llvm::enumerate(all))
    for (const char *gpu : kTrafficGpus) {
      const RowNorm &norm = kRowNorms[number % 3];
      kiln_dtype dtype = kTrafficTypes[number % 3];
      KernelCase row = transposedNorm(std::string("of_") + fused.name, norm, dtype, shape,
                                      gpu, fused.nodes, fused.inputs);
      Elements elements = normElements(norm, shape);
      elements.asked += fused.more.asked;
      elements.touched += fused.more.touched;
      Traffic traffic = trafficOf(elements, dtype, "staging");
      traffic.efficiency = fused.efficiency;
      traffic.countsBytes = fused.efficiency == 0.95;
      row.traffic = {traffic};
      table.push_back(row);
    }
}

/// Rows that fit in the shared memory of one target, and rows that a separate kernel
/// transposes first.
static void addLongTransposedRows(KernelTable &table) {
  const RowNorm &softmax = kRowNorms[0];
  const Sizes held = {1, 6000, 8};
  KernelCase row =
      transposedNorm("held_1x6000x8", softmax, KILN_DTYPE_F32, held, "sm_90a");
  row.traffic = {trafficOf(normElements(softmax, held), KILN_DTYPE_F32, "staging")};
  table.push_back(row);
  const std::pair<const char *, int64_t> lengths[] = {
      {"sm_80", 6000}, {"sm_80", 20000}, {"sm_90a", 16384}};
  for (auto [gpu, length] : lengths)
    for (kiln_dtype dtype : kTrafficTypes) {
      bool isHalf = dtype != KILN_DTYPE_F32 && length < 10000;
      const Sizes shape = {1, isHalf ? 2 * length : length, 16};
      KernelCase two =
          transposedNorm("long_" + joinedSizes(shape), softmax, dtype, shape, gpu);
      two.traffic.assign(2, trafficOf(normElements(softmax, shape), dtype, ""));
      table.push_back(two);
    }
}

static void addReductionOfBoth(KernelTable &table) {
  const auto f32 = KILN_DTYPE_F32;
  const Shapes inputs = {{"x", {96, 64}}, {"r", {64, 96}}};
  KernelCase row = countedRow("max_of_transposed_and_not",
                              {"t = Transpose <perm = [1, 0]> (x)", "z = Add(t, r)",
                               "y = ReduceMax <axes = [1], keepdims = 0> (z)"},
                              operandsOf(inputs, f32), {"y", {64}, f32}, "sm_80");
  uint64_t count = elementsOf(inputs) + 64;
  row.traffic = {trafficOf({count, count}, f32, "staging")};
  table.push_back(row);
}

void kiln::test::addTransposedTrafficCases(KernelTable &table) {
  addTransposedNorms(table);
  addBanks(table);
  addFusedIntoNorms(table);
  addLongTransposedRows(table);
  addReductionOfBoth(table);
}
