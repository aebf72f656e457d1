//===- IndexCases.cpp - Scatters, gathers and elementwise kernels ---------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCase.h"

using namespace kiln;
using namespace kiln::test;

static const kiln_dtype kIndexed[] = {KILN_DTYPE_F32, KILN_DTYPE_F16, KILN_DTYPE_BF16};

/// Returns distinct indices below `bound`, some negative (counted from the end).
static std::vector<double> indices(size_t count, int64_t bound) {
  std::vector<double> values;
  for (size_t i = 0; i < count; ++i) {
    int64_t index = static_cast<int64_t>(i) * 7 % bound; // 7 divides no bound here
    values.push_back(static_cast<double>(i % 3 ? index : index - bound));
  }
  return values;
}

static KernelCase indexCase(const std::string &family, const std::string &name,
                            kiln_dtype dtype, const ModelText &model) {
  return {family,
          std::string(kiln_dtype_name(dtype)) + "_" + name,
          model,
          {"sm_80", "sm_90a"}};
}

/// A scatter with one index per element of a matrix.
static KernelCase matrixScatter(kiln_dtype dtype, const std::string &reduction) {
  const int64_t rows = 9, columns = 33, bound = 20;
  ModelText model(18);
  model.input("x", dtype, dimsOf({bound, columns}))
      .input("i", KILN_DTYPE_I64, dimsOf({rows * columns}))
      .input("u", dtype, dimsOf({rows, columns}))
      .integers("to", {rows, columns})
      .node("at = Reshape(i, to)")
      .node("y = ScatterElements <axis = 0, reduction = \"" + reduction +
            "\"> (x, at, u)")
      .output("y", dtype, dimsOf({bound, columns}));
  KernelCase row = indexCase("scatter", reduction + "_matrix", dtype, model);
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      row.given["i"].push_back(static_cast<double>((7 * r + c) % bound));
  return row;
}

/// Scatters of elements of a vector and of a matrix, and of rows of a matrix.
static void addScatters(KernelTable &table) {
  for (kiln_dtype dtype : kIndexed)
    for (const char *reduction : {"none", "add", "max"}) {
      std::string name = reduction;
      ModelText elements(18), rows(18);
      elements.input("x", dtype, {"150"})
          .input("i", KILN_DTYPE_I64, {"61"})
          .input("u", dtype, {"61"})
          .node("y = ScatterElements <axis = 0, reduction = \"" + name + "\"> (x, i, u)")
          .output("y", dtype, {"150"});
      rows.input("x", dtype, {"20", "33"})
          .input("i", KILN_DTYPE_I64, {"9"})
          .input("u", dtype, {"9", "33"})
          .integers("to", {9, 1})
          .node("at = Reshape(i, to)")
          .node("y = ScatterND <reduction = \"" + name + "\"> (x, at, u)")
          .output("y", dtype, {"20", "33"});
      KernelCase one = indexCase("scatter", name + "_elements", dtype, elements);
      one.given = {{"i", indices(61, 150)}};
      KernelCase other = indexCase("scatter", name + "_rows", dtype, rows);
      other.given = {{"i", indices(9, 20)}};
      table.push_back(matrixScatter(dtype, name));
      table.push_back(one);
      table.push_back(other);
    }
}

static void addGathers(KernelTable &table) {
  for (kiln_dtype dtype : kIndexed) {
    ModelText model;
    model.input("x", dtype, {"13", "22"})
        .input("i", KILN_DTYPE_I64, {"9"})
        .node("y = Gather <axis = 0> (x, i)")
        .output("y", dtype, {"9", "22"});
    KernelCase row = indexCase("gather", "rows", dtype, model);
    row.given = {{"i", indices(9, 13)}};
    table.push_back(row);
  }
}

/// Broadcasts along every dim, math functions, and a select.
static void addElementwise(KernelTable &table) {
  for (kiln_dtype dtype : kIndexed) {
    ModelText model;
    Dims cube = {"3", "17", "29"};
    model.input("x", dtype, cube)
        .input("row", dtype, {"29"})
        .input("column", dtype, {"3", "17", "1"})
        .node("scaled = Mul(x, row)")
        .node("total = Sub(scaled, column)")
        .node("a = Tanh(total)")
        .node("n = Neg(x)")
        .node("b = Exp(n)")
        .node("positive = Greater(x, column)")
        .node("c = Where(positive, x, row)");
    for (const char *name : {"a", "b", "c"})
      model.output(name, dtype, cube);
    KernelCase row = indexCase("elementwise", "broadcasts", dtype, model);
    row.interpreted = true;
    table.push_back(row);
  }
}

void kiln::test::addIndexCases(KernelTable &table) {
  addScatters(table);
  addGathers(table);
  addElementwise(table);
}
