//===- TrafficCases.cpp - Traffic of kernels that move data ---------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every byte is moved once, in full sectors on both sides, without bank conflicts in
// shared memory.
//
//===----------------------------------------------------------------------===//

#include "TrafficRows.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace kiln;
using namespace kiln::test;

static std::string transposeNode(const char *source, const Sizes &perm,
                                 const char *result) {
  return std::string(result) + " = Transpose <perm = [" + joinedSizes(perm, ", ") +
         "]> (" + source + ")";
}

/// A single transpose, and its traffic.
static KernelCase transposeOf(const Sizes &shape, const Sizes &perm, kiln_dtype dtype,
                              const char *gpu) {
  Sizes result;
  for (int64_t dim : perm)
    result.push_back(shape[dim]);
  std::vector<Operand> inputs = {{"x", shape, dtype}};
  Operand output = {"y", result, dtype};
  std::string name = std::string(kiln_dtype_name(dtype)) + "_" + joinedSizes(shape, "x") +
                     "_to_" + joinedSizes(perm, "");
  KernelCase row = countedRow(name, {transposeNode("x", perm, "y")}, inputs, output, gpu);
  row.traffic = {onceEach(inputs, output)};
  return row;
}

namespace {
struct Place {
  Sizes shape, perm;
};
} // namespace

/// Tiles that divide the sizes, partial tiles on either side, outer dims on either side,
/// every position of the contiguous dim.
static void addTransposeTiles(KernelTable &table) {
  const Place places[] = {{{64, 512}, {1, 0}},
                          {{96, 160}, {1, 0}},
                          {{3, 64, 128}, {0, 2, 1}},
                          {{32, 5, 64}, {2, 1, 0}},
                          {{64, 3, 32}, {2, 0, 1}},
                          {{64, 3, 96}, {1, 2, 0}},
                          {{2, 64, 4, 64}, {0, 2, 3, 1}},
                          {{2, 3, 64, 32}, {3, 1, 0, 2}}};
  for (const auto &[number, place] : llvm::enumerate(places))
    for (kiln_dtype dtype :
         {KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_BF16, KILN_DTYPE_F64, KILN_DTYPE_I8,
          KILN_DTYPE_BOOL, KILN_DTYPE_U16, KILN_DTYPE_I32, KILN_DTYPE_I64}) {
      KernelCase row =
          transposeOf(place.shape, place.perm, dtype, kTrafficGpus[number % 2]);
      Traffic &traffic = row.traffic[0];
      int64_t bytes = kiln_dtype_size(dtype);
      Transposition lines = {place.shape.back(), place.shape[place.perm.back()], bytes};
      traffic.config = "staging";
      traffic.transposition = lines;
      bool isWhole = lines.operandLine * bytes % kSectorBytes == 0 &&
                     lines.resultLine * bytes % kSectorBytes == 0;
      traffic.efficiency = isWhole ? 0.95 : 0;
      table.push_back(row);
    }
}

/// Adjacent elements of the result are adjacent in the operand, or belong to one thread.
static void addWithoutTile(KernelTable &table) {
  const Place places[] = {{{2, 64, 4, 64}, {0, 2, 1, 3}},
                          {{4, 16, 16}, {1, 2, 0}},
                          {{64, 2, 96}, {1, 0, 2}},
                          {{64, 64, 2, 8}, {0, 2, 1, 3}}};
  for (const Place &place : places) {
    KernelCase row = transposeOf(place.shape, place.perm, KILN_DTYPE_F32, "sm_80");
    row.name = "no_tile_" + row.name;
    row.traffic[0].config = "pointwise";
    row.traffic[0].usesShared = false;
    table.push_back(row);
  }
}

static void addOddSizes(KernelTable &table) {
  for (const Sizes &shape : {Sizes{33, 77}, Sizes{2, 9}, Sizes{7, 3}, Sizes{65, 129},
                             Sizes{130, 2}, Sizes{3, 200}})
    for (kiln_dtype dtype :
         {KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_F64, KILN_DTYPE_I8}) {
      KernelCase row = transposeOf(shape, {1, 0}, dtype, "sm_80");
      row.traffic[0].ends = 4;
      row.traffic[0].efficiency = 0;
      row.traffic[0].conflicts = INFINITY;
      table.push_back(row);
    }
}

/// Short dims are copied to shared memory entirely, so that several contiguous ones fill
/// sectors, in the order of the operand and of the result. The last dim of the operand,
/// of the result, or both are short.
static void addShortDims(KernelTable &table) {
  const Place places[] = {
      {{64, 4, 64, 2}, {0, 3, 2, 1}},  {{64, 4, 64, 2}, {2, 0, 1, 3}},
      {{2, 64, 64, 4}, {0, 2, 1, 3}},  {{2, 64, 64, 4}, {3, 1, 2, 0}},
      {{64, 64, 4, 2}, {0, 1, 3, 2}},  {{64, 64, 4, 2}, {3, 0, 2, 1}},
      {{4, 64, 2, 64}, {1, 3, 0, 2}},  {{2, 32, 32, 3}, {0, 2, 1, 3}},
      {{32, 3, 16, 16}, {0, 3, 2, 1}}, {{2, 8, 4, 16, 4, 16}, {0, 1, 3, 5, 2, 4}}};
  for (const auto &[number, place] : llvm::enumerate(places))
    for (kiln_dtype dtype :
         {KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_F64, KILN_DTYPE_I8}) {
      KernelCase row =
          transposeOf(place.shape, place.perm, dtype, kTrafficGpus[number % 2]);
      Traffic &traffic = row.traffic[0];
      traffic.conflicts = INFINITY;
      // Four adjacent 64-bit elements fill a sector.
      if (dtype != KILN_DTYPE_F64) {
        traffic.config = "staging";
        traffic.minTileDims = 3;
      }
      table.push_back(row);
    }
}

/// Long dims, and short dims outside the other side's contiguous dim, need a tile of at
/// most two dims.
static void addLongDims(KernelTable &table) {
  for (const Place &place :
       {Place{{64, 512}, {1, 0}}, Place{{2, 3, 64, 32}, {0, 2, 3, 1}}}) {
    KernelCase row = transposeOf(place.shape, place.perm, KILN_DTYPE_F32, "sm_80");
    row.name = "two_dims_" + row.name;
    row.traffic[0].config = "staging";
    row.traffic[0].maxTileDims = 2;
    row.traffic[0].conflicts = INFINITY;
    table.push_back(row);
  }
}

/// Several operands in the tile, outside it, and of other types.
static void addFused(KernelTable &table) {
  const Sizes a = {64, 512}, b = {512, 64}, turn = {1, 0};
  const auto f32 = KILN_DTYPE_F32, f16 = KILN_DTYPE_F16, bf16 = KILN_DTYPE_BF16,
             i8 = KILN_DTYPE_I8, i64 = KILN_DTYPE_I64, boolean = KILN_DTYPE_BOOL;
  struct Fused {
    std::string name;
    std::vector<std::string> nodes;
    std::vector<Operand> inputs;
    kiln_dtype result;
  };
  const std::string t = transposeNode("a", turn, "t");
  const Fused all[] = {
      {"some", {t, "y = Add(t, b)"}, {{"a", a, f32}, {"b", b, f32}}, f32},
      {"both",
       {t, transposeNode("b", turn, "u"), "s = Mul(t, u)", "y = Sub(s, c)"},
       {{"a", a, bf16}, {"b", a, bf16}, {"c", b, bf16}},
       bf16},
      {"back", {t, "e = Exp(t)", "y = Sigmoid(e)"}, {{"a", a, f16}}, f16},
      {"where",
       {transposeNode("c", turn, "t"), "y = Where(t, a, b)"},
       {{"c", a, boolean}, {"a", b, f32}, {"b", b, f32}},
       f32},
      {"narrow", {t, "y = Cast <to = 10> (t)"}, {{"a", a, f32}}, f16},
      {"widen", {t, "y = Cast <to = 7> (t)"}, {{"a", a, i8}}, i64}};
  for (const Fused &fused : all)
    for (const char *gpu : kTrafficGpus) {
      Operand output = {"y", b, fused.result};
      KernelCase row =
          countedRow("fused_" + fused.name, fused.nodes, fused.inputs, output, gpu);
      row.traffic = {onceEach(fused.inputs, output)};
      row.traffic[0].config = "staging";
      table.push_back(row);
    }
}

/// Operands that are constant along a row or a column are read without the tile, from L1.
static void addBias(KernelTable &table) {
  const auto f32 = KILN_DTYPE_F32;
  const std::vector<Operand> inputs = {
      {"a", {64, 512}, f32}, {"r", {64}, f32}, {"c", {512, 1}, f32}};
  KernelCase row =
      countedRow("bias_along_either_side",
                 {transposeNode("a", {1, 0}, "t"), "s = Mul(t, r)", "y = Add(s, c)"},
                 inputs, {"y", {512, 64}, f32}, "sm_80");
  row.traffic = {onceEach(inputs, {"y", {512, 64}, f32})};
  row.traffic[0].countsBytes = false;
  row.traffic[0].ends = 1;
  table.push_back(row);
}

/// Two operands with short dims, one with the result's layout, and one that broadcasts
/// along the outer of its contiguous dims.
static void addFusedShortDims(KernelTable &table) {
  const auto f32 = KILN_DTYPE_F32;
  const Sizes shape = {16, 64, 64, 4}, perm = {0, 2, 1, 3};
  for (const char *gpu : kTrafficGpus) {
    KernelCase row = countedRow(
        "fused_short_dims",
        {transposeNode("a", perm, "t"), transposeNode("b", perm, "u"), "p = Mul(t, u)",
         "s = Add(p, c)", "q = Add(s, d)", "y = Sigmoid(q)"},
        {{"a", shape, f32}, {"b", shape, f32}, {"c", shape, f32}, {"d", {4}, f32}},
        {"y", shape, f32}, gpu);
    Traffic traffic;
    traffic.touchedBytes = 4 * countOf(shape) * 4 + kSectorBytes;
    traffic.ends = 1;
    traffic.countsBytes = false;
    traffic.conflicts = INFINITY;
    traffic.config = "staging";
    traffic.minTileDims = 3;
    row.traffic = {traffic};
    table.push_back(row);
  }
}

/// A tile serves one operand; a separate kernel transposes the other.
static void addAcrossDifferentDims(KernelTable &table) {
  const Sizes cube = {64, 64, 64};
  for (kiln_dtype dtype : {KILN_DTYPE_F32, KILN_DTYPE_BF16}) {
    std::vector<Operand> inputs = {{"a", cube, dtype}, {"b", cube, dtype}};
    Operand output = {"y", cube, dtype};
    KernelCase row = countedRow(
        std::string(kiln_dtype_name(dtype)) + "_across_different_dims",
        {transposeNode("a", {0, 2, 1}, "t"), transposeNode("b", {2, 1, 0}, "u"),
         "s = Add(t, u)", "y = Sigmoid(s)"},
        inputs, output, "sm_80");
    row.traffic = {onceEach({inputs[0]}, output), onceEach(inputs, output)};
    table.push_back(row);
  }
}

void kiln::test::addTrafficCases(KernelTable &table) {
  addTransposeTiles(table);
  addWithoutTile(table);
  addOddSizes(table);
  addShortDims(table);
  addLongDims(table);
  addFused(table);
  addBias(table);
  addFusedShortDims(table);
  addAcrossDifferentDims(table);
}
