//===- expr.cpp - Integer expressions over symbols ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/base/expr.h"
#include <algorithm>

using namespace kiln::rt;

static int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/// Returns true if the node has no value.
static bool apply(ExprKind kind, int64_t a, int64_t b, int64_t &out) {
  switch (kind) {
  case ExprKind::Add:
    return __builtin_add_overflow(a, b, &out);
  case ExprKind::Mul:
    return __builtin_mul_overflow(a, b, &out);
  case ExprKind::FloorDiv:
  case ExprKind::CeilDiv:
  case ExprKind::Mod:
    if (b <= 0)
      return true;
    out = kind == ExprKind::FloorDiv ? floorDiv(a, b)
          : kind == ExprKind::Mod    ? a % b + (a % b < 0 ? b : 0)
                                     : floorDiv(a, b) + (a % b != 0 ? 1 : 0);
    return false;
  case ExprKind::Max:
    out = std::max(a, b);
    return false;
  case ExprKind::Min:
    out = std::min(a, b);
    return false;
  case ExprKind::Const:
  case ExprKind::Symbol:
    break;
  }
  return true;
}

int64_t kiln::rt::evaluate(std::span<const Expr> pool, std::span<const int64_t> symbols,
                           std::span<int64_t> values) {
  for (size_t i = 0; i < pool.size(); ++i) {
    const Expr &e = pool[i];
    if (e.kind == ExprKind::Const)
      values[i] = e.value;
    else if (e.kind == ExprKind::Symbol)
      values[i] = symbols[e.lhs];
    else if (apply(e.kind, values[e.lhs], values[e.rhs], values[i]))
      return static_cast<int64_t>(i);
  }
  return -1;
}

/// Every operation but Mod is monotonic in each operand, so its extremes are at the
/// corners of the operands' ranges.
static Bounds boundsOf(ExprKind kind, Bounds a, Bounds b) {
  constexpr Bounds any = {INT64_MIN, INT64_MAX};
  if (kind == ExprKind::Mod) {
    if (b.min <= 0)
      return any;
    // With a constant divisor and a dividend within one period of it, mod ascends with
    // the dividend.
    if (b.min == b.max && floorDiv(a.min, b.min) == floorDiv(a.max, b.min)) {
      int64_t start = floorDiv(a.min, b.min) * b.min;
      return {a.min - start, a.max - start};
    }
    int64_t last = b.max - 1;
    return {0, a.min >= 0 ? std::min(a.max, last) : last};
  }
  Bounds result = {INT64_MAX, INT64_MIN};
  for (int64_t x : {a.min, a.max})
    for (int64_t y : {b.min, b.max}) {
      int64_t value;
      if (apply(kind, x, y, value))
        return any;
      result.min = std::min(result.min, value);
      result.max = std::max(result.max, value);
    }
  return result;
}

std::vector<Bounds> kiln::rt::boundsOf(std::span<const Expr> pool,
                                       std::span<const Bounds> symbols) {
  std::vector<Bounds> values;
  for (const Expr &e : pool)
    values.push_back(e.kind == ExprKind::Const ? Bounds{e.value, e.value}
                     : e.kind == ExprKind::Symbol
                         ? symbols[e.lhs]
                         : ::boundsOf(e.kind, values[e.lhs], values[e.rhs]));
  return values;
}

namespace {
/// Prints an expression with as few parentheses as possible and stops when the text gets
/// long: an expression that shares operands can be exponentially longer than its pool.
struct Printer {
  std::span<const Expr> pool;
  std::span<const std::string> names;
  std::string text;
  unsigned depth = 0;

  static int strength(ExprKind kind) {
    switch (kind) {
    case ExprKind::Add:
      return 1;
    case ExprKind::Mul:
    case ExprKind::FloorDiv:
    case ExprKind::CeilDiv:
    case ExprKind::Mod:
      return 2;
    default:
      return 3;
    }
  }
  static const char *infix(ExprKind kind) {
    switch (kind) {
    case ExprKind::Add:
      return " + ";
    case ExprKind::Mul:
      return "*";
    case ExprKind::FloorDiv:
      return " floordiv ";
    case ExprKind::CeilDiv:
      return " ceildiv ";
    case ExprKind::Mod:
      return " mod ";
    default:
      return ", ";
    }
  }

  void operand(uint32_t index, int needed) {
    bool open = strength(pool[index].kind) < needed;
    text += open ? "(" : "";
    print(index);
    text += open ? ")" : "";
  }

  void print(uint32_t index) {
    if (text.size() > 4000 || depth > 200) {
      text += "...";
      return;
    }
    const Expr &e = pool[index];
    if (e.kind == ExprKind::Const) {
      text += std::to_string(e.value);
      return;
    }
    if (e.kind == ExprKind::Symbol) {
      text += names[e.lhs];
      return;
    }
    ++depth;
    bool call = e.kind == ExprKind::Max || e.kind == ExprKind::Min;
    // FloorDiv, CeilDiv and Mod are not associative: operands of the same precedence get
    // parentheses.
    int own = call ? 0 : strength(e.kind);
    int left = own, right = own;
    if (e.kind != ExprKind::Add && e.kind != ExprKind::Mul && !call)
      left = right = 3;
    if (e.kind == ExprKind::Mul) {
      left = pool[e.lhs].kind == ExprKind::Mul ? 2 : 3;
      right = pool[e.rhs].kind == ExprKind::Mul ? 2 : 3;
    }
    text += e.kind == ExprKind::Max ? "max(" : call ? "min(" : "";
    operand(e.lhs, left);
    text += infix(e.kind);
    operand(e.rhs, right);
    text += call ? ")" : "";
    --depth;
  }
};
} // namespace

std::string kiln::rt::toText(std::span<const Expr> pool, uint32_t index,
                             std::span<const std::string> symbolNames) {
  Printer printer{pool, symbolNames, {}};
  printer.print(index);
  return printer.text;
}
