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

/// Operations, in the order of kiln.fb.ExprKind.
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

/// One node of a pool of expressions. Operands have smaller indices than their users: a
/// pool has no cycle and is evaluated front to back.
struct Expr {
  ExprKind kind;
  uint32_t lhs = 0; ///< index of the operand; for Symbol the symbol's index
  uint32_t rhs = 0;
  int64_t value = 0; ///< value of a Const
};

/// Evaluates every node into `values` (as many as `pool`). FloorDiv and CeilDiv round
/// down and up, and Mod of a positive divisor is never negative. Returns the index of the
/// first node without a value (overflow, divisor not positive), or -1.
int64_t evaluate(std::span<const Expr> pool, std::span<const int64_t> symbols,
                 std::span<int64_t> values);

/// Closed range [min, max].
struct Bounds {
  int64_t min, max;
};

/// Returns the range of each node for symbols within their bounds. The ranges are
/// conservative: they are too wide where a symbol is used twice. A node that may have no
/// value, such as x floordiv 0, gets the range of int64.
std::vector<Bounds> boundsOf(std::span<const Expr> pool, std::span<const Bounds> symbols);

/// Returns the expression as text, "1536*batch*seq + 64" or "max(a, b)", cut off with
/// "..." after about 4000 characters.
std::string toText(std::span<const Expr> pool, uint32_t index,
                   std::span<const std::string> symbolNames);

} // namespace kiln::rt

#endif // KILN_BASE_EXPR_H
