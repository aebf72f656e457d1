//===- RowTrafficCases.cpp - Traffic of kernels over rows -----------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row is read once, whatever number of passes it needs; elementwise kernels read and
// write each byte once, in full sectors.
//
//===----------------------------------------------------------------------===//

#include "TrafficRows.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace kiln;
using namespace kiln::test;

static constexpr uint64_t kWhole = 32;

namespace {
/// A norm over the last dim, with its number of parameter vectors.
struct CountedNorm {
  const char *name, *op;
  unsigned parameters;
};
} // namespace

static const CountedNorm kCountedNorms[] = {
    {"softmax", "Softmax", 0},
    {"layer_norm", "LayerNormalization", 2},
    {"rms_norm", "SimplifiedLayerNormalization", 1}};

static std::string typeName(kiln_dtype dtype) { return kiln_dtype_name(dtype); }

/// A norm of rows of `length`, which may be a symbol; of a sum if there is a residual.
static KernelCase normRow(const CountedNorm &norm, kiln_dtype dtype, int64_t rows,
                          const std::string &length, bool residual, const char *gpu,
                          const std::string &suffix = "") {
  Dims dims = {std::to_string(rows), length};
  ModelText model;
  model.input("x", dtype, dims);
  if (residual)
    model.input("r", dtype, dims).node("sum = Add(x, r)");
  std::string sources = residual ? "sum" : "x";
  for (unsigned i = 0; i < norm.parameters; ++i) {
    std::string name(1, "sb"[i]);
    model.input(name, dtype, {length});
    sources += ", " + name;
  }
  model.node(std::string("y = ") + norm.op + " <axis = -1> (" + sources + ")");
  model.output("y", dtype, dims);
  KernelCase row{"traffic",
                 typeName(dtype) + "_" + norm.name + "_" + dims[0] + "x" + length +
                     (residual ? "_residual" : "") + suffix + "_" + gpu,
                 model,
                 {gpu}};
  row.forHost = false;
  return row;
}

/// Traffic of `rows` rows of a length; scale and bias are read for every row, from L1.
static Traffic normTraffic(const CountedNorm &norm, kiln_dtype dtype, int64_t rows,
                           int64_t length, unsigned tensors) {
  uint64_t line = length * kiln_dtype_size(dtype);
  uint64_t data = rows * line, parameters = norm.parameters * line;
  Traffic traffic;
  traffic.bytes = tensors * data + rows * parameters;
  traffic.touchedBytes = tensors * data + parameters;
  traffic.efficiency = line % kWhole == 0 ? 0.95 : 0;
  return traffic;
}

/// Rows kept in the registers of a few threads, of a warp, of a block, or in shared
/// memory.
static void addNorms(KernelTable &table) {
  const std::pair<int64_t, int64_t> sizes[] = {{24, 64},  {24, 100},  {8, 768},
                                               {8, 1000}, {5, 1023},  {3, 2048},
                                               {3, 5000}, {2, 16384}, {2, 33000}};
  for (const CountedNorm &norm : kCountedNorms)
    for (kiln_dtype dtype : kTrafficTypes)
      for (const auto &[number, size] : llvm::enumerate(sizes)) {
        // Every length in f32; the other types alternate.
        if (dtype != KILN_DTYPE_F32 && number % 2 != (dtype == KILN_DTYPE_BF16))
          continue;
        const char *gpu = number % 2 ? "sm_90a" : "sm_80";
        auto [rows, length] = size;
        for (bool residual : {false, true}) {
          KernelCase row =
              normRow(norm, dtype, rows, std::to_string(length), residual, gpu);
          row.traffic = {normTraffic(norm, dtype, rows, length, 2 + residual)};
          table.push_back(row);
        }
      }
}

/// Rows of symbolic length, kept in registers of some threads, of a block, or in shared
/// memory, as the max of the range allows; longer rows are read again.
static void addNormsOfSymbolicLength(KernelTable &table) {
  const std::pair<int64_t, std::vector<int64_t>> ranges[] = {{100, {1, 64, 100}},
                                                             {512, {7, 128, 512}},
                                                             {5000, {37, 5000}},
                                                             {40000, {1000, 40000}}};
  struct Kind {
    const char *gpu;
    size_t norm;
    kiln_dtype dtype;
  };
  const Kind kinds[] = {{"sm_80", 0, KILN_DTYPE_F32},
                        {"sm_90a", 1, KILN_DTYPE_BF16},
                        {"sm_80", 2, KILN_DTYPE_F16}};
  for (const auto &[most, lengths] : ranges)
    for (const Kind &kind : kinds)
      for (int64_t length : lengths) {
        const CountedNorm &norm = kCountedNorms[kind.norm];
        std::string at = "_" + std::to_string(length) + "_of_" + std::to_string(most);
        KernelCase row = normRow(norm, kind.dtype, 6, "n", true, kind.gpu, at);
        row.dims = {{"n", 1, most}};
        row.at = {{{"n", length}}};
        row.traffic = {normTraffic(norm, kind.dtype, 6, length, 3)};
        row.traffic[0].efficiency = 0;
        table.push_back(row);
      }
}

/// Rows that do not fit in shared memory are read exactly once per pass.
static void addRowsReadAgain(KernelTable &table) {
  const CountedNorm &softmax = kCountedNorms[0];
  KernelCase row =
      normRow(softmax, KILN_DTYPE_F32, 3, "n", false, "sm_80", "_read_again");
  row.dims = {{"n", 1, 100000}};
  row.at = {{{"n", 300}}};
  KernelCase fixed = normRow(softmax, KILN_DTYPE_F32, 2, "71680", false, "sm_80");
  const std::tuple<KernelCase *, int64_t, int64_t> both[] = {{&row, 3, 300},
                                                             {&fixed, 2, 71680}};
  for (auto [one, rows, length] : both) {
    Traffic traffic = normTraffic(softmax, KILN_DTYPE_F32, rows, length, 2);
    traffic.bytes *= 2;
    traffic.conflicts = INFINITY;
    if (one == &row)
      traffic.efficiency = 0;
    one->traffic = {traffic};
    table.push_back(*one);
  }
}

static std::string axesText(const Sizes &axes) {
  return "<axes = [" + joinedSizes(axes, ", ") + "], keepdims = 0>";
}

/// Over the last dim, over others, over both; the last cases have fewer columns than a
/// block has threads.
static void addReductions(KernelTable &table) {
  const std::pair<Sizes, Sizes> all[] = {
      {{64, 512}, {1}},      {{64, 512}, {0}},    {{8, 33, 65}, {2}},
      {{8, 32, 64}, {0, 2}}, {{64, 512}, {0, 1}}, {{8, 64, 48}, {1}},
      {{8, 32, 64}, {0, 1}}, {{1024, 32}, {0}},   {{64, 36}, {0}}};
  for (const auto &[shape, axes] : all)
    for (kiln_dtype dtype : kTrafficTypes) {
      Sizes result;
      for (const auto &[dim, size] : llvm::enumerate(shape))
        if (!llvm::is_contained(axes, int64_t(dim)))
          result.push_back(size);
      std::vector<Operand> inputs = {{"x", shape, dtype}};
      KernelCase row = countedRow(typeName(dtype) + "_max_of_" + joinedSizes(shape) +
                                      "_over_" + joinedSizes(axes, ""),
                                  {"y = ReduceMax " + axesText(axes) + " (x)"}, inputs,
                                  {"y", result, dtype}, "sm_80");
      row.traffic = {onceEach(inputs, {"y", result, dtype})};
      row.traffic[0].conflicts = INFINITY;
      if (shape.back() * kiln_dtype_size(dtype) % kWhole)
        row.traffic[0].efficiency = 0;
      table.push_back(row);
    }
}

/// Adjacent threads read adjacent elements, as without the transpose.
static void addTransposedReductions(KernelTable &table) {
  for (kiln_dtype dtype : kTrafficTypes) {
    std::vector<Operand> inputs = {{"x", {64, 512}, dtype}};
    KernelCase row = countedRow(
        typeName(dtype) + "_max_of_transposed",
        {"t = Transpose <perm = [1, 0]> (x)", "y = ReduceMax " + axesText({1}) + " (t)"},
        inputs, {"y", {512}, dtype}, "sm_80");
    row.traffic = {onceEach(inputs, {"y", {512}, dtype})};
    row.traffic[0].conflicts = INFINITY;
    table.push_back(row);
  }
}

namespace {
/// Elementwise nodes, with the numbers of requested and touched elements.
struct Elementwise {
  std::string name;
  std::vector<std::string> nodes;
  std::vector<std::pair<const char *, Sizes>> inputs;
  Sizes output;
  uint64_t asked, touched;
  Integers integers = {};
  /// False: a concatenation boundary within a sector, so that this sector is read twice.
  bool isWhole = true;
};
} // namespace

static std::vector<Elementwise> elementwiseNodes() {
  const Sizes a = {64, 512}, odd = {33, 77};
  const std::string concat = "y = Concat <axis = 1> (a, b)";
  return {
      {"add", {"y = Add(a, b)"}, {{"a", a}, {"b", a}}, a, 3 * 32768, 3 * 32768},
      {"add_odd", {"y = Add(a, b)"}, {{"a", odd}, {"b", odd}}, odd, 3 * 2541, 3 * 2541},
      {"row", {"y = Mul(a, b)"}, {{"a", a}, {"b", {512}}}, a, 3 * 32768, 2 * 32768 + 512},
      {"chain",
       {"s = Add(a, b)", "g = Sigmoid(s)", "y = Mul(s, g)"},
       {{"a", a}, {"b", a}},
       a,
       3 * 32768,
       3 * 32768},
      {"heads",
       {"y = Transpose <perm = [0, 2, 1, 3]> (a)"},
       {{"a", {2, 64, 4, 64}}},
       {2, 4, 64, 64},
       65536,
       65536},
      {"slice",
       {"y = Slice(a, first, last, axes)"},
       {{"a", a}},
       {64, 256},
       32768,
       32768,
       {{"first", {128}}, {"last", {384}}, {"axes", {1}}}},
      {"concat_rows",
       {"y = Concat <axis = 0> (a, b)"},
       {{"a", {64, 64}}, {"b", {32, 64}}},
       {96, 64},
       12288,
       12288},
      {"concat_columns",
       {concat},
       {{"a", {64, 64}}, {"b", {64, 128}}},
       {64, 192},
       24576,
       24576},
      // The boundary is within the elements that a warp reads at once.
      {"concat_halves",
       {concat},
       {{"a", {64, 32}}, {"b", {64, 32}}},
       {64, 64},
       8192,
       8192},
      {"concat_boundary",
       {concat},
       {{"a", {64, 68}}, {"b", {64, 60}}},
       {64, 128},
       16384,
       16384,
       {},
       false},
      {"concat_three",
       {"y = Concat <axis = 1> (a, b, c)"},
       {{"a", {64, 16}}, {"b", {64, 48}}, {"c", {64, 80}}},
       {64, 144},
       18432,
       18432},
      {"rotate_half",
       {"p = Slice(a, zero, half, axis)", "q = Slice(a, half, end, axis)", "n = Neg(q)",
        "y = Concat <axis = 3> (n, p)"},
       {{"a", {2, 4, 16, 64}}},
       {2, 4, 16, 64},
       16384,
       16384,
       {{"zero", {0}}, {"half", {32}}, {"end", {64}}, {"axis", {3}}}}};
}

static void addElementwiseTraffic(KernelTable &table) {
  for (const Elementwise &one : elementwiseNodes())
    for (kiln_dtype dtype : kTrafficTypes) {
      std::vector<Operand> inputs;
      for (const auto &[name, dims] : one.inputs)
        inputs.push_back({name, dims, dtype});
      KernelCase row = countedRow(typeName(dtype) + "_" + one.name, one.nodes, inputs,
                                  {"y", one.output, dtype}, "sm_80", one.integers);
      Traffic traffic;
      traffic.bytes = one.asked * kiln_dtype_size(dtype);
      traffic.touchedBytes = one.touched * kiln_dtype_size(dtype);
      traffic.efficiency = one.isWhole ? 0.95 : 0;
      traffic.conflicts = INFINITY;
      row.traffic = {traffic};
      table.push_back(row);
    }
}

/// Conditions with a single use exist only in registers; a gather reads only the rows it
/// needs.
static void addWhereAndGather(KernelTable &table) {
  const auto f32 = KILN_DTYPE_F32;
  const Sizes a = {64, 512};
  std::vector<Operand> inputs = {{"a", a, f32}, {"b", a, f32}};
  KernelCase where = countedRow("where", {"c = Less(a, b)", "y = Where(c, a, b)"}, inputs,
                                {"y", a, f32}, "sm_90a");
  where.traffic = {onceEach(inputs, {"y", a, f32})};
  where.traffic[0].conflicts = INFINITY;
  table.push_back(where);
  Sizes rows;
  for (int64_t i = 0; i < 128; i += 8)
    rows.push_back(i);
  KernelCase gather =
      countedRow("gather", {"y = Gather(a, rows)"}, {{"a", {128, 64}, f32}},
                 {"y", {16, 64}, f32}, "sm_80", {{"rows", rows}});
  Traffic traffic;
  traffic.countsBytes = false;
  traffic.touchedBytes = 2 * 16 * 64 * 4;
  traffic.ends = rows.size() * 8 / kWhole + 2;
  traffic.conflicts = INFINITY;
  gather.traffic = {traffic};
  table.push_back(gather);
}

void kiln::test::addRowTrafficCases(KernelTable &table) {
  addNorms(table);
  addNormsOfSymbolicLength(table);
  addRowsReadAgain(table);
  addReductions(table);
  addTransposedReductions(table);
  addElementwiseTraffic(table);
  addWhereAndGather(table);
}
