//===- Choice.cpp - Selects whose condition is data -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/Import/Choice.h"
#include "kiln/ErrorCodes/Model.h"

using namespace kiln;
using namespace kiln::import;
using namespace mlir;

LogicalResult kiln::import::failChoice(GraphBuilder &n, const Choice &choice) {
  std::string shapes = graph::printDims(graph::getDims(choice.onTrue.type())) + " and " +
                       graph::printDims(graph::getDims(choice.onFalse.type()));
  if (choice.undecided)
    return n.failUndecided("which of the shapes " + shapes + " an If gives",
                           *choice.undecided);
  return n.fail(ErrorCode::ShapeFromData,
                "the condition of an If is not known before the model runs",
                "branches that give values of one shape", shapes,
                "give an input that it tests a value with --freeze, or export the model "
                "without the If");
}

static Value select(GraphBuilder &n, const Choice &choice) {
  Operand onTrue = choice.onTrue, onFalse = choice.onFalse;
  if (choice.isOneType())
    return n.select(choice.condition, makeValue(n, onTrue), makeValue(n, onFalse));
  (void)failChoice(n, choice);
  return {};
}

Value kiln::import::makeValue(GraphBuilder &n, Operand &operand) {
  if (!operand.value && operand.content)
    operand.value = n.integers(*operand.content);
  else if (!operand.value && operand.choice)
    operand.value = select(n, *operand.choice);
  return operand.value;
}

/// Clamps indices to the last row of a table that is shorter than the other: its rows are
/// read even if the other table is selected.
static Value clampTo(GraphBuilder &n, Value indices, const Operand &table,
                     const Operand &other) {
  int64_t rows = table.type().getDimSize(0);
  if (!indices || rows >= other.type().getDimSize(0))
    return indices;
  return n.binary(graph::BinaryKind::min, indices,
                  n.scalarLike(indices, double(rows - 1)));
}

Value kiln::import::gatherFrom(GraphBuilder &n, Operand &data, Value indices,
                               int64_t axis) {
  const Choice *choice = data.value ? nullptr : data.choice.get();
  bool isOneType = choice && choice->isOneType();
  if (!choice || (axis != 0 && !isOneType))
    return n.gather(makeValue(n, data), indices, axis);
  Operand onTrue = choice->onTrue, onFalse = choice->onFalse;
  auto slices = [&](Operand &table, const Operand &other) {
    Value places = isOneType ? indices : clampTo(n, indices, table, other);
    return gatherFrom(n, table, places, axis);
  };
  return n.select(choice->condition, slices(onTrue, onFalse), slices(onFalse, onTrue));
}
