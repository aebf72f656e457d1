//===- RowCases.cpp - Softmax and norms over rows and columns -------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCase.h"

using namespace kiln;
using namespace kiln::test;

namespace {
enum class Norm { Softmax, LayerNorm, RmsNorm };
} // namespace

static const Norm kNorms[] = {Norm::Softmax, Norm::LayerNorm, Norm::RmsNorm};

static std::string nameOf(Norm norm) {
  return norm == Norm::Softmax   ? "softmax"
         : norm == Norm::RmsNorm ? "rms_norm"
                                 : "layer_norm";
}

/// Adds y = norm(source) over the last dim of that length.
static ModelText &addNorm(ModelText &model, Norm norm, const std::string &source,
                          kiln_dtype dtype, const std::string &length) {
  if (norm == Norm::Softmax)
    return model.node("y = Softmax <axis = -1> (" + source + ")");
  model.input("scale", dtype, {length});
  if (norm == Norm::RmsNorm)
    return model.node("y = SimplifiedLayerNormalization <axis = -1> (" + source +
                      ", scale)");
  model.input("bias", dtype, {length});
  return model.node("y = LayerNormalization <axis = -1> (" + source + ", scale, bias)");
}

/// Rows of symbolic length, kept in the registers of a few threads, of a warp, of a
/// block, in shared memory, or read again, depending on the max of the range.
static void addRowsOfSymbolicLength(KernelTable &table) {
  const std::pair<int64_t, std::vector<int64_t>> ranges[] = {
      {13, {1, 13}},      {512, {1, 31, 512}},   {2000, {1999}},
      {9000, {33, 9000}}, {30000, {257, 30000}}, {90000, {515}}};
  struct Kind {
    const char *gpu;
    Norm norm;
    kiln_dtype dtype;
  };
  const Kind kinds[] = {{"sm_80", Norm::Softmax, KILN_DTYPE_F32},
                        {"sm_90a", Norm::LayerNorm, KILN_DTYPE_F32},
                        {"sm_90a", Norm::Softmax, KILN_DTYPE_BF16},
                        {"sm_80", Norm::RmsNorm, KILN_DTYPE_F16}};
  for (const auto &[most, lengths] : ranges)
    for (const Kind &kind : kinds) {
      ModelText model;
      model.input("x", kind.dtype, {"5", "n"})
          .input("r", kind.dtype, {"5", "n"})
          .node("sum = Add(x, r)");
      addNorm(model, kind.norm, "sum", kind.dtype, "n")
          .output("y", kind.dtype, {"5", "n"});
      KernelCase row{"rows",
                     std::string(kiln_dtype_name(kind.dtype)) + "_" + nameOf(kind.norm) +
                         "_of_" + std::to_string(most) + "_" + kind.gpu,
                     model,
                     {kind.gpu}};
      row.forHost = false;
      row.dims = {{"n", 1, most}};
      row.at.clear();
      for (int64_t length : lengths)
        row.at.push_back({{"n", length}});
      table.push_back(row);
    }
}

/// A norm over the channels of x [batch, channels, rows].
static ModelText transposedRows(Norm norm, kiln_dtype dtype, const std::string &batch,
                                const std::string &channels, const std::string &rows,
                                bool residual) {
  ModelText model;
  model.input("x", dtype, {batch, channels, rows})
      .node("t = Transpose <perm = [0, 2, 1]> (x)");
  if (residual)
    model.input("r", dtype, {batch, rows, channels}).node("z = Add(t, r)");
  return addNorm(model, norm, residual ? "z" : "t", dtype, channels)
      .output("y", dtype, {batch, rows, channels});
}

static KernelCase transposedCase(Norm norm, kiln_dtype dtype, const std::string &size,
                                 ModelText model, size_t number) {
  KernelCase row{"transposed_rows",
                 std::string(kiln_dtype_name(dtype)) + "_" + nameOf(norm) + "_" + size,
                 std::move(model),
                 {number % 2 ? "sm_90a" : "sm_80"}};
  row.forHost = false;
  return row;
}

static void addTransposedRows(KernelTable &table) {
  const kiln_dtype dtypes[] = {KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_BF16};
  for (size_t number = 0; number < 3; ++number)
    for (kiln_dtype dtype : dtypes) {
      KernelCase row = transposedCase(
          kNorms[number], dtype, "cxn",
          transposedRows(kNorms[number], dtype, "b", "c", "n", true), number);
      row.dims = {{"c", 1, 900}};
      row.at = {{{"b", 2}, {"c", 33}, {"n", 70}},
                {{"b", 1}, {"c", 768}, {"n", 8}},
                {{"b", 3}, {"c", 1}, {"n", 5}},
                {{"b", 1}, {"c", 900}, {"n", 1}}};
      table.push_back(row);
    }
  const std::pair<const char *, const char *> sizes[] = {
      {"33", "70"}, {"3", "100"}, {"100", "3"}, {"777", "9"}, {"1500", "33"}};
  for (const auto &[length, rows] : sizes)
    for (size_t number = 0; number < 3; ++number) {
      kiln_dtype dtype = dtypes[number];
      table.push_back(transposedCase(
          kNorms[number], dtype, length + std::string("x") + rows,
          transposedRows(kNorms[number], dtype, "2", length, rows, false), number + 1));
    }
}

void kiln::test::addRowCases(KernelTable &table) {
  addRowsOfSymbolicLength(table);
  addTransposedRows(table);
}
