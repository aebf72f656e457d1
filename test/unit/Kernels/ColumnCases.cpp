//===- ColumnCases.cpp - Reductions over a dim other than the last --------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several threads reduce each column.
//
//===----------------------------------------------------------------------===//

#include "KernelCase.h"
#include "llvm/ADT/STLExtras.h"

using namespace kiln;
using namespace kiln::test;

namespace {
struct Reduced {
  std::vector<int64_t> shape, axes;
};
} // namespace

/// Reduced dims in the middle, in front, and both; one, few, odd and several tiles of
/// columns.
static const Reduced kReduced[] = {{{3, 17, 2}, {1}},    {{40, 5}, {0}},
                                   {{9, 3, 33}, {0}},    {{4, 9, 2, 36}, {0, 2}},
                                   {{2, 130, 100}, {1}}, {{5, 1025, 3}, {1}},
                                   {{2, 3, 4100}, {1}},  {{7, 64, 8}, {1}}};

static const kiln_dtype kFloats[] = {KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_BF16,
                                     KILN_DTYPE_F64};
static const kiln_dtype kColumnTypes[] = {KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_BF16,
                                          KILN_DTYPE_F64, KILN_DTYPE_I8,  KILN_DTYPE_U8,
                                          KILN_DTYPE_I32, KILN_DTYPE_U32, KILN_DTYPE_I64};

static std::vector<std::string> reductionsOf(kiln_dtype dtype) {
  if (llvm::is_contained(kFloats, dtype))
    return {"ReduceSum", "ReduceMean", "ReduceMax",       "ReduceMin",      "ReduceProd",
            "ReduceL1",  "ReduceL2",   "ReduceSumSquare", "ReduceLogSumExp"};
  if (kiln_dtype_size(dtype) == 1)
    return {"ReduceMax", "ReduceMin"};
  return {"ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceSumSquare"};
}

/// Every op is combined with every shape in some type.
static ModelText reductions(size_t number) {
  kiln_dtype dtype = kColumnTypes[number];
  std::vector<std::string> ops = reductionsOf(dtype);
  size_t turns = std::min<size_t>(3, ops.size()), first = number % turns;
  ModelText model(18);
  for (const auto &[i, reduced] : llvm::enumerate(kReduced)) {
    std::string x = "x" + std::to_string(i), axes = "axes" + std::to_string(i);
    model.input(x, dtype, dimsOf(reduced.shape)).integers(axes, reduced.axes);
    std::vector<int64_t> result;
    for (const auto &[d, size] : llvm::enumerate(reduced.shape))
      if (!llvm::is_contained(reduced.axes, static_cast<int64_t>(d)))
        result.push_back(size);
    for (const auto &[j, op] : llvm::enumerate(ops)) {
      if ((i + j) % turns != first)
        continue;
      std::string y = "y" + std::to_string(i) + "_" + std::to_string(j);
      model.node(y + " = " + op + " <keepdims = 0> (" + x + ", " + axes + ")")
          .output(y, dtype, dimsOf(result));
    }
  }
  return model;
}

static KernelCase columnCase(const std::string &name, kiln_dtype dtype, ModelText model,
                             const std::string &gpu) {
  KernelCase row{"columns",
                 std::string(kiln_dtype_name(dtype)) + "_" + name + "_" + gpu,
                 std::move(model),
                 {gpu}};
  row.forHost = false;
  return row;
}

static std::string gpuOf(size_t number) { return number % 2 ? "sm_90a" : "sm_80"; }

static void addReductions(KernelTable &table) {
  for (const auto &[number, dtype] : llvm::enumerate(kColumnTypes)) {
    KernelCase row = columnCase("reductions", dtype, reductions(number), gpuOf(number));
    // All are split except {2, 3, 4100}, which reduces only three positions.
    row.config = "reduce_split = ";
    row.configs = std::size(kReduced) - 1;
    table.push_back(row);
  }
}

/// Softmax, with or without an operand before and after it.
static void addColumnSoftmax(KernelTable &table) {
  const std::vector<int64_t> shapes[] = {
      {3, 17, 5}, {2, 129, 36}, {40, 3, 64}, {1, 700, 20}};
  for (const auto &[number, dtype] : llvm::enumerate(kFloats))
    for (const char *name : {"softmax", "residual", "scaled"})
      for (const std::vector<int64_t> &shape : shapes) {
        ModelText model;
        model.input("x", dtype, dimsOf(shape));
        std::string kind = name;
        if (kind != "softmax")
          model.input("r", dtype, dimsOf(shape));
        if (kind == "residual")
          model.node("a = Add(x, r)");
        std::string softmax = "Softmax <axis = 1> (";
        model.node((kind == "scaled" ? "s = " : "y = ") + softmax +
                   (kind == "residual" ? "a)" : "x)"));
        if (kind == "scaled")
          model.node("y = Mul(s, r)");
        model.output("y", dtype, dimsOf(shape));
        table.push_back(columnCase(kind + "_" + std::to_string(shape[1]) + "x" +
                                       std::to_string(shape[2]),
                                   dtype, model, gpuOf(number)));
      }
}

static ModelText softmaxAndMean(kiln_dtype dtype, const Dims &shape) {
  ModelText model(18);
  return model.input("x", dtype, shape)
      .integers("axes", {1})
      .node("y = Softmax <axis = 1> (x)")
      .node("z = ReduceMean <keepdims = 0> (x, axes)")
      .output("y", dtype, shape)
      .output("z", dtype, {shape[0], shape[2]});
}

/// Symbolic rows, positions and columns.
static void addSymbolicColumns(KernelTable &table) {
  for (const char *gpu : {"sm_80", "sm_90a"})
    for (kiln_dtype dtype : {KILN_DTYPE_F32, KILN_DTYPE_BF16}) {
      KernelCase row =
          columnCase("symbolic", dtype, softmaxAndMean(dtype, {"b", "k", "c"}), gpu);
      row.dims = {{"b", 1, 4}, {"k", 1, 300}, {"c", 1, 200}};
      row.at = {{{"b", 1}, {"k", 1}, {"c", 1}},
                {{"b", 3}, {"k", 33}, {"c", 4}},
                {{"b", 2}, {"k", 300}, {"c", 37}},
                {{"b", 1}, {"k", 129}, {"c", 200}}};
      table.push_back(row);
    }
  table.push_back(columnCase("softmax_and_mean", KILN_DTYPE_F32,
                             softmaxAndMean(KILN_DTYPE_F32, {"3", "333", "20"}),
                             "sm_80"));
}

/// The end of a sentence encoder: masked mean pooling of tokens.
static void addMeanPooling(KernelTable &table) {
  ModelText model(18);
  model.input("x", KILN_DTYPE_F32, {"2", "k", "384"})
      .input("mask", KILN_DTYPE_F32, {"2", "k"})
      .integers("axes", {1})
      .integers("last", {2})
      .node("m = Unsqueeze(mask, last)")
      .node("w = Mul(x, m)")
      .node("sum = ReduceSum <keepdims = 0> (w, axes)")
      .node("n = ReduceSum <keepdims = 1> (mask, axes)")
      .node("y = Div(sum, n)")
      .output("y", KILN_DTYPE_F32, {"2", "384"});
  KernelCase row = columnCase("mean_pooling", KILN_DTYPE_F32, model, "sm_80");
  row.dims = {{"k", 1, 512}};
  row.at = {{{"k", 1}}, {{"k", 100}}, {{"k", 128}}};
  table.push_back(row);
}

void kiln::test::addColumnCases(KernelTable &table) {
  addReductions(table);
  addColumnSoftmax(table);
  addSymbolicColumns(table);
  addMeanPooling(table);
}
