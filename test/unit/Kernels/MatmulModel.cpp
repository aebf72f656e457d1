//===- MatmulModel.cpp - A model of one matmul ----------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulModel.h"

using namespace kiln;
using namespace kiln::test;

static std::vector<int64_t> shapeOf(int64_t rows, int64_t columns, char order) {
  return order == 'T' ? std::vector{columns, rows} : std::vector{rows, columns};
}

/// Adds the operand and returns its name with dims as rows by columns.
static std::string addOperand(ModelText &model, const Matmul &matmul,
                              const std::string &name, const std::vector<int64_t> &shape,
                              char order) {
  bool isWeight = matmul.isWeight && name == "b", isBatched = matmul.batch && !isWeight;
  std::vector<int64_t> whole = shape;
  if (isBatched)
    whole.insert(whole.begin(), matmul.batch);
  if (isWeight)
    model.weight(name, matmul.dtype, whole);
  else
    model.input(name, matmul.dtype, dimsOf(whole));
  if (order != 'T')
    return name;
  std::string perm = isBatched ? "[0, 2, 1]" : "[1, 0]";
  model.node(name + "t = Transpose <perm = " + perm + "> (" + name + ")");
  return name + "t";
}

ModelText kiln::test::modelOf(const Matmul &matmul) {
  ModelText model;
  std::string a =
      addOperand(model, matmul, "a", shapeOf(matmul.m, matmul.k, matmul.layout[0]),
                 matmul.layout[0]);
  std::string b =
      addOperand(model, matmul, "b", shapeOf(matmul.k, matmul.n, matmul.layout[1]),
                 matmul.layout[1]);
  model.node("[matmul] p = MatMul(" + a + ", " + b + ")").node("c = Relu(p)");
  std::vector<int64_t> result = {matmul.m, matmul.n};
  if (matmul.batch)
    result.insert(result.begin(), matmul.batch);
  return model.output("c", matmul.dtype, dimsOf(result));
}
