//===- KernelCases.cpp - The table of kernel cases ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCase.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace kiln;
using namespace kiln::test;

KernelTable kiln::test::kernelTable() {
  KernelTable table;
  addAttentionCases(table);
  addColumnCases(table);
  addIndexCases(table);
  addMatmulCases(table);
  addMovementCases(table);
  addQuantizedCases(table);
  addRowCases(table);
  addTrafficCases(table);
  addTransposedTrafficCases(table);
  addConcatTrafficCases(table);
  addRowTrafficCases(table);
  addMatmulTrafficCases(table);
  addAttentionTrafficCases(table);
  addColumnTrafficCases(table);
  return table;
}

/// Returns family, targets and precision of a case: someOf() takes one case of each kind.
static std::string kindOf(const KernelCase &row) {
  std::string kind = row.family + (row.forHost ? " native" : "");
  for (const std::string &gpu : row.gpus)
    kind += " " + gpu;
  return kind + " " + row.precision.precision + " " + row.precision.activations;
}

KernelTable kiln::test::someOf(const KernelTable &table) {
  std::set<std::string> kinds;
  KernelTable some;
  for (const auto &[number, row] : llvm::enumerate(table))
    if (kinds.insert(kindOf(row)).second || number % 5 == 0)
      some.push_back(row);
  return some;
}
