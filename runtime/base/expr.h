//===- expr.h - Integer expressions over symbols ----------------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef KILN_BASE_EXPR_H
#define KILN_BASE_EXPR_H

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kiln::rt {

/// The order is that of kiln.fb.ExprKind.
enum class ExprKind : uint8_t {
  Const,
  Symbol,
  Add,
  Mul,
  FloorDiv,
  CeilDiv,
  Mod,
  Max,
  Min
};

/// One node of a pool. Operands come before their users, so that a pool can
/// have no cycle and is evaluated front to back.
struct Expr {
  ExprKind kind;
  uint32_t lhs = 0; ///< operand; the symbol's index for Symbol
  uint32_t rhs = 0;
  int64_t value = 0; ///< for Const
};

/// Evaluates every node into `values` (as many as `pool`). Division rounds as
/// its name says and Mod has the sign of a positive divisor. Returns the index
/// of the first node without a value (overflow, divisor not positive), or -1.
int64_t evaluate(std::span<const Expr> pool, std::span<const int64_t> symbols,
                 std::span<int64_t> values);

/// From `least` to `most`, both included.
struct Bounds {
  int64_t min, max;
};

/// Returns the range of each node while every symbol is within its bounds: never too
/// narrow, but too wide where a symbol is used twice. A node that may have no value, as x
/// floordiv 0, gets the range of int64.
std::vector<Bounds> boundsOf(std::span<const Expr> pool, std::span<const Bounds> symbols);

/// The expression for people: "1536*batch*seq + 64", "max(a, b)". Cut off with
/// "..." where it would exceed about 4000 characters.
std::string toText(std::span<const Expr> pool, uint32_t index,
                   std::span<const std::string> symbolNames);

} // namespace kiln::rt

#endif // KILN_BASE_EXPR_H
