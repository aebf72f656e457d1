//===- Fragments.cpp - Ops on fragments -----------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluators.h"
#include "kiln/ErrorCodes/Graph.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace kiln;
using namespace kiln::interpreter;
using namespace mlir;

static LogicalResult evaluate(State &state, tile::FillOp op) {
  Fragment result(op.getType().getRows(), op.getType().getColumns());
  llvm::fill(result.elements, state.scalar(op.getValue()));
  state.bind(op.getResult(), std::move(result));
  return success();
}

static LogicalResult evaluate(State &state, tile::MapOp op, RunBlock run) {
  FragmentShape shape(op.getResult(0).getType());
  SmallVector<Fragment> inputs,
      results(op.getNumResults(), Fragment(shape.rows, shape.columns));
  for (mlir::Value input : op.getInputs())
    inputs.push_back(state.fragment(input));
  for (int64_t i = 0; i < shape.rows * shape.columns; ++i) {
    Values arguments, yielded;
    for (const Fragment &input : inputs)
      arguments.push_back(input.elements[i]);
    if (failed(run(op.getBlock(), arguments, &yielded)))
      return failure();
    for (auto [result, value] : llvm::zip(results, yielded))
      result.elements[i] = std::get<Scalar>(value);
  }
  for (auto [name, result] : llvm::zip(op.getResults(), results))
    state.bind(name, std::move(result));
  return success();
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

static Scalar combineFloats(tile::ReduceKind kind, Type type, double x, double y) {
  bool nan = std::isnan(x) || std::isnan(y);
  switch (kind) {
  case tile::ReduceKind::sum:
    return roundTo(type, x + y);
  case tile::ReduceKind::prod:
    return roundTo(type, x * y);
  case tile::ReduceKind::max:
    return Scalar::ofFloat(nan ? std::nan("") : std::fmax(x, y));
  case tile::ReduceKind::min:
    return Scalar::ofFloat(nan ? std::nan("") : std::fmin(x, y));
  default:
    llvm_unreachable("the verifier lets no float through");
  }
}

static Scalar combineIntegers(tile::ReduceKind kind, Type type, Scalar x, Scalar y) {
  int64_t a = asSigned(type, x), b = asSigned(type, y);
  uint64_t u = asUnsigned(type, x), v = asUnsigned(type, y);
  auto result = [&]() -> int64_t {
    switch (kind) {
    case tile::ReduceKind::sum:
      return static_cast<int64_t>(u + v);
    case tile::ReduceKind::prod:
      return static_cast<int64_t>(u * v);
    case tile::ReduceKind::max:
      return std::max(a, b);
    case tile::ReduceKind::min:
      return std::min(a, b);
    case tile::ReduceKind::umax:
      return static_cast<int64_t>(std::max(u, v));
    case tile::ReduceKind::umin:
      return static_cast<int64_t>(std::min(u, v));
    case tile::ReduceKind::bit_and:
      return a & b;
    case tile::ReduceKind::bit_or:
      return a | b;
    }
    llvm_unreachable("covered switch");
  };
  return wrapTo(type, result());
}

/// Reduces by a fixed tree, as tile.reduce specifies: x[i] and x[i + p/2], where p is the
/// size rounded up to a power of two, then p is halved; an element without partner is
/// kept.
static Scalar reduceTree(tile::ReduceKind kind, Type type, std::vector<Scalar> x) {
  auto combine = [&](Scalar a, Scalar b) {
    return isa<FloatType>(type) ? combineFloats(kind, type, a.f, b.f)
                                : combineIntegers(kind, type, a, b);
  };
  for (size_t half = llvm::PowerOf2Ceil(x.size()) / 2; half >= 1; half /= 2) {
    for (size_t i = 0; i < half && i + half < x.size(); ++i)
      x[i] = combine(x[i], x[i + half]);
    x.resize(std::min(x.size(), half));
  }
  return x[0];
}

static LogicalResult evaluate(State &state, tile::ReduceOp op) {
  const Fragment input = state.fragment(op.getInput());
  Type type = op.getInput().getType().getElementType();
  // Rank 1 is reduced as one row; with rank 2, axis 1 reduces each row.
  bool rows = op.getInput().getType().getRank() == 1 || op.getAxis() == 1;
  int64_t lines = rows ? input.rows : input.columns;
  Fragment result(1, lines);
  for (int64_t line = 0; line < lines; ++line) {
    std::vector<Scalar> x;
    for (int64_t i = 0; i < (rows ? input.columns : input.rows); ++i)
      x.push_back(rows ? input.at(line, i) : input.at(i, line));
    result.elements[line] = reduceTree(op.getKind(), type, std::move(x));
  }
  if (isa<tile::FragType>(op.getType()))
    state.bind(op.getResult(), std::move(result));
  else
    state.bind(op.getResult(), result.elements[0]);
  return success();
}

//===----------------------------------------------------------------------===//
// Rearrangements
//===----------------------------------------------------------------------===//

/// Builds a fragment of the type's shape with element (row, column) from `fn`.
template <typename Fn> static Fragment build(Type type, Fn fn) {
  FragmentShape shape(type);
  Fragment result(shape.rows, shape.columns);
  for (int64_t row = 0; row < shape.rows; ++row)
    for (int64_t column = 0; column < shape.columns; ++column)
      result.at(row, column) = fn(row, column);
  return result;
}

/// Returns the coordinate along an axis of a fragment of this rank.
static int64_t along(int64_t rank, uint64_t axis, int64_t row, int64_t column) {
  return rank == 2 && axis == 0 ? row : column;
}

static LogicalResult evaluate(State &state, tile::BroadcastOp op) {
  const Fragment input = state.fragment(op.getInput());
  state.bind(op.getResult(), build(op.getType(), [&](int64_t row, int64_t column) {
               return input.elements[op.getAxis() == 0 ? column : row];
             }));
  return success();
}

static LogicalResult evaluate(State &state, tile::ConvertOp op) {
  Fragment result = state.fragment(op.getInput());
  for (Scalar &element : result.elements)
    element = roundTo(op.getType().getElementType(), element.f);
  state.bind(op.getResult(), std::move(result));
  return success();
}

static LogicalResult evaluate(State &state, tile::IotaOp op) {
  tile::FragType type = op.getType();
  int64_t start = state.index(op.getStart());
  state.bind(op.getResult(), build(type, [&](int64_t row, int64_t column) {
               int64_t at = along(type.getRank(), op.getAxis(), row, column);
               return wrapTo(type.getElementType(),
                             static_cast<int64_t>(static_cast<uint64_t>(start) + at));
             }));
  return success();
}

static LogicalResult evaluate(State &state, tile::SelectRangeOp op) {
  const Fragment input = state.fragment(op.getInput());
  int64_t low = state.index(op.getLow()), high = state.index(op.getHigh());
  Scalar otherwise = state.scalar(op.getOtherwise());
  state.bind(op.getResult(), build(op.getType(), [&](int64_t row, int64_t column) {
               int64_t at = along(op.getType().getRank(), op.getAxis(), row, column);
               return low <= at && at < high ? input.at(row, column) : otherwise;
             }));
  return success();
}

static LogicalResult evaluate(State &state, tile::TransposeOp op) {
  const Fragment input = state.fragment(op.getInput());
  state.bind(op.getResult(), build(op.getType(), [&](int64_t row, int64_t column) {
               return input.at(column, row);
             }));
  return success();
}

static LogicalResult evaluate(State &state, tile::ExtractOp op) {
  const Fragment input = state.fragment(op.getInput());
  ArrayRef<int64_t> position = op.getPosition();
  bool row = op.getInput().getType().getRank() == 2 && position.size() == 1;
  if (!row) {
    state.bind(op.getResult(), position.size() == 2 ? input.at(position[0], position[1])
                                                    : input.elements[position[0]]);
    return success();
  }
  state.bind(op.getResult(), build(op.getType(), [&](int64_t, int64_t column) {
               return input.at(position[0], column);
             }));
  return success();
}

static LogicalResult evaluate(State &state, tile::StackOp op) {
  SmallVector<Fragment> rows;
  for (mlir::Value row : op.getRows())
    rows.push_back(state.fragment(row));
  state.bind(op.getResult(), build(op.getType(), [&](int64_t row, int64_t column) {
               return rows[row].elements[column];
             }));
  return success();
}

//===----------------------------------------------------------------------===//
// mma
//===----------------------------------------------------------------------===//

/// Returns one fused multiply-add in the accumulator's type.
double interpreter::fusedIn(Type type, double x, double y, double sum) {
  if (type.isF32())
    return std::fmaf(static_cast<float>(x), static_cast<float>(y),
                     static_cast<float>(sum));
  return roundTo(type, std::fma(x, y, sum)).f;
}

/// Returns a number as f32, and a subnormal one as zero.
static float flush(double value) {
  auto narrow = static_cast<float>(value);
  return std::fpclassify(narrow) == FP_SUBNORMAL ? std::copysign(0.0f, narrow) : narrow;
}

namespace {
/// A row and a column whose dot product a CPU's instruction adds to a sum. Steps at and
/// beyond K are zeros.
struct DotOperands {
  const Fragment &lhs, &rhs;
  int64_t row, column;

  float add(int64_t k, float sum) const {
    bool isZero = k >= lhs.columns;
    float x = isZero ? 0 : flush(lhs.at(row, k).f);
    float y = isZero ? 0 : flush(rhs.at(k, column).f);
    return flush(std::fmaf(x, y, sum));
  }
};
} // namespace

/// Adds all steps of K as vdpbf16ps does: of every two, the odd one first.
static float addPairs(const DotOperands &operands, float sum) {
  for (int64_t k = 0; k < operands.lhs.columns; k += 2)
    sum = operands.add(k, operands.add(k + 1, flush(sum)));
  return sum;
}

/// Adds all steps of K as tdpbf16ps does: of every 32, the even and the odd ones each
/// from 0.
static float addTiles(const DotOperands &operands, float sum) {
  constexpr int64_t kTileSteps = tile::MmaOp::kBlockSteps;
  for (int64_t begin = 0; begin < operands.lhs.columns; begin += kTileSteps) {
    float even = 0, odd = 0;
    for (int64_t k = begin; k < begin + kTileSteps; k += 2) {
      even = operands.add(k, even);
      odd = operands.add(k + 1, odd);
    }
    sum = flush(flush(sum) + flush(even + odd));
  }
  return sum;
}

/// Multiplies in the order of a CPU's dot products.
static void multiplyDots(tile::DotProduct dot, const Fragment &lhs, const Fragment &rhs,
                         Fragment &result) {
  auto add = dot == tile::DotProduct::vdpbf16ps ? addPairs : addTiles;
  for (int64_t i = 0; i < result.rows; ++i)
    for (int64_t j = 0; j < result.columns; ++j)
      result.at(i, j).f = add({lhs, rhs, i, j}, static_cast<float>(result.at(i, j).f));
}

/// Multiplies every element by the scale of its block.
static void applyScales(Type type, Fragment &operand, const Fragment &scales) {
  int64_t rows = operand.rows / scales.rows, columns = operand.columns / scales.columns;
  for (int64_t i = 0; i < operand.rows; ++i)
    for (int64_t j = 0; j < operand.columns; ++j)
      operand.at(i, j) =
          roundTo(type, operand.at(i, j).f * scales.at(i / rows, j / columns).f);
}

static LogicalResult evaluate(State &state, tile::MmaOp op) {
  Fragment lhs, rhs, result = state.fragment(op.getAccumulator());
  if (failed(readOperand(state, op, op.getLhs(), lhs)) ||
      failed(readOperand(state, op, op.getRhs(), rhs)))
    return failure();
  Type type = op.getAccumulator().getType().getElementType();
  Type left = op.getLhsElement(), right = op.getRhsElement();
  if (op.getLhsScales()) {
    applyScales(type, lhs, state.fragment(op.getLhsScales()));
    applyScales(type, rhs, state.fragment(op.getRhsScales()));
  }
  if (lhs.columns != rhs.rows)
    return state.fail(op, ErrorCode::TileUndefined,
                      "the contracted extents are " + std::to_string(lhs.columns) +
                          " and " + std::to_string(rhs.rows));
  if (auto dot = op.getDot()) {
    multiplyDots(*dot, lhs, rhs, result);
    state.bind(op.getResult(), std::move(result));
    return success();
  }
  auto widened = [](Type from, Scalar value, bool noSign) {
    return noSign ? asUnsigned(from, value)
                  : static_cast<uint64_t>(asSigned(from, value));
  };
  auto number = [&](Type from, Scalar value, bool noSign) {
    return isa<FloatType>(from) ? value.f : double(int64_t(widened(from, value, noSign)));
  };
  for (int64_t i = 0; i < result.rows; ++i)
    for (int64_t j = 0; j < result.columns; ++j)
      for (int64_t k = 0; k < lhs.columns; ++k) {
        Scalar x = lhs.at(i, k), y = rhs.at(k, j), &sum = result.at(i, j);
        if (isa<FloatType>(type))
          sum.f = fusedIn(type, number(left, x, op.getLhsUnsigned()),
                          number(right, y, op.getRhsUnsigned()), sum.f);
        else
          sum = wrapTo(type,
                       static_cast<int64_t>(static_cast<uint64_t>(sum.i) +
                                            widened(left, x, op.getLhsUnsigned()) *
                                                widened(right, y, op.getRhsUnsigned())));
      }
  state.bind(op.getResult(), std::move(result));
  return success();
}

Evaluated interpreter::evaluateFragments(State &state, Operation *op, RunBlock run) {
  return llvm::TypeSwitch<Operation *, Evaluated>(op)
      .Case<tile::FillOp, tile::ReduceOp, tile::BroadcastOp, tile::ConvertOp,
            tile::IotaOp, tile::SelectRangeOp, tile::TransposeOp, tile::ExtractOp,
            tile::StackOp, tile::MmaOp>(
          [&](auto concrete) { return evaluate(state, concrete); })
      .Case([&](tile::MapOp map) { return evaluate(state, map, run); })
      .Case([&](tile::ConvertLayoutOp convert) {
        state.bind(convert.getResult(), state.fragment(convert.getInput()));
        return success();
      })
      .Default([](Operation *) { return std::nullopt; });
}
