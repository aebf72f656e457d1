//===- slow_ops.cpp - f32 and f64 arithmetic in integers -------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/arith/exact.h"
#include "runtime/sim/arith/float_ops.h"

using namespace kiln::sim;
using namespace kiln::sim::arith;

static Exact operate(FloatOp op, const Exact &a, const Exact &b, const Exact &c,
                     Rounding mode) {
  switch (op) {
  case FloatOp::Add:
    return add(a, b, mode);
  case FloatOp::Sub:
    return add(a, negate(b), mode);
  case FloatOp::Mul:
    return multiply(a, b);
  case FloatOp::Fma:
    return fuse(a, b, c, mode);
  case FloatOp::Div:
    return divide(a, b);
  case FloatOp::Sqrt:
    return squareRoot(a);
  case FloatOp::Rcp:
    break;
  }
  return divide(Exact::integer(false, 1), a);
}

static int operandsOf(FloatOp op) {
  return op == FloatOp::Fma ? 3 : op == FloatOp::Sqrt || op == FloatOp::Rcp ? 1 : 2;
}

uint32_t arith::slowF32(FloatOp op, uint32_t a, uint32_t b, uint32_t c, Rounding mode,
                        bool ftz, bool sat) {
  auto read = ftz ? decodeFlushed : decode;
  Exact result = operate(op, read(F32, a), read(F32, b), read(F32, c), mode);
  RoundTo how = {.mode = mode, .ftz = ftz, .sat = sat};
  return static_cast<uint32_t>(encode(F32, result, how));
}

uint64_t arith::slowF64(FloatOp op, uint64_t a, uint64_t b, uint64_t c, Rounding mode) {
  const uint64_t operands[] = {a, b, c};
  for (int i = 0; i < operandsOf(op); ++i)
    if (isNanF64(operands[i]))
      return operands[i] | 0x0008000000000000;
  Exact result = operate(op, decode(F64, a), decode(F64, b), decode(F64, c), mode);
  return encode(F64, result, {.mode = mode});
}
