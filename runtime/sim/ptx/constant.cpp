//===- constant.cpp - Constants of PTX ------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/constant.h"

#include <bit>

using namespace kiln::sim::ptx;

bool kiln::sim::ptx::constantFits(const Operand &constant, Type type) {
  if (!isFloat(constant.type))
    return type == Type::Pred || (lanes(type) == 1 && (isInteger(type) || isBits(type)));
  switch (type) {
  case Type::F32:
  case Type::F64:
    return true;
  case Type::B32:
    return constant.type == Type::F32;
  case Type::B64:
    return constant.type == Type::F64;
  default:
    return false;
  }
}

uint64_t kiln::sim::ptx::convert(Constant constant, Type type) {
  if (isFloat(constant.type)) {
    if (bits(constant.type) == bits(type))
      return constant.bits;
    if (type == Type::F32)
      return std::bit_cast<uint32_t>(float(std::bit_cast<double>(constant.bits)));
    return std::bit_cast<uint64_t>(double(std::bit_cast<float>(uint32_t(constant.bits))));
  }
  if (type == Type::Pred)
    return constant.bits != 0;
  if (bits(type) >= 64)
    return constant.bits;
  unsigned shift = 64 - bits(type);
  return isSigned(type) ? uint64_t(int64_t(constant.bits << shift) >> shift)
                        : constant.bits << shift >> shift;
}

const char *kiln::sim::ptx::applyUnary(std::string_view op, Constant &value) {
  if (value.type == Type::F32 && op != "+")
    return "an exact 0f constant cannot be part of an expression";
  if (value.type == Type::F64) {
    if (op == "-")
      value.bits ^= uint64_t(1) << 63;
    return op == "-" || op == "+" ? nullptr : "the operator is for integers";
  }
  if (op == "-") {
    value.bits = -value.bits;
  } else if (op == "!") {
    value = {Type::S64, value.bits == 0};
  } else if (op == "~") {
    value = {Type::U64, ~value.bits};
  }
  return nullptr;
}

namespace {

template <typename T> int compare(std::string_view op, T a, T b) {
  if (op == "<")
    return a < b;
  if (op == ">")
    return a > b;
  if (op == "<=")
    return a <= b;
  if (op == ">=")
    return a >= b;
  if (op == "==")
    return a == b;
  if (op == "!=")
    return a != b;
  return -1;
}

const char *applyDouble(std::string_view op, Constant &left, Constant right) {
  double a = std::bit_cast<double>(left.bits), b = std::bit_cast<double>(right.bits);
  if (int truth = compare(op, a, b); truth >= 0) {
    left = {Type::S64, uint64_t(truth)};
    return nullptr;
  }
  double result;
  if (op == "+")
    result = a + b;
  else if (op == "-")
    result = a - b;
  else if (op == "*")
    result = a * b;
  else if (op == "/")
    result = a / b;
  else
    return "the operator is for integers";
  left.bits = std::bit_cast<uint64_t>(result);
  return nullptr;
}

const char *divide(Constant &left, Constant right, bool isUnsigned) {
  if (right.bits == 0)
    return "division by zero";
  if (isUnsigned)
    left.bits /= right.bits;
  else if (right.bits == ~uint64_t(0)) // INT64_MIN / -1 traps on the host
    left.bits = -left.bits;
  else
    left.bits = uint64_t(int64_t(left.bits) / int64_t(right.bits));
  return nullptr;
}

const char *shift(std::string_view op, Constant &left, Constant right) {
  uint64_t by = right.bits;
  bool arithmetic = op == ">>" && left.type == Type::S64;
  if (by > 63)
    left.bits = arithmetic && int64_t(left.bits) < 0 ? ~uint64_t(0) : 0;
  else if (op == "<<")
    left.bits <<= by;
  else
    left.bits = arithmetic ? uint64_t(int64_t(left.bits) >> by) : left.bits >> by;
  return nullptr;
}

const char *applyInteger(std::string_view op, Constant &left, Constant right) {
  if (op == "<<" || op == ">>")
    return shift(op, left, right);
  if (op == "&&" || op == "||") {
    bool a = left.bits != 0, b = right.bits != 0;
    left = {Type::S64, uint64_t(op == "&&" ? a && b : a || b)};
    return nullptr;
  }
  bool isUnsigned = left.type == Type::U64 || right.type == Type::U64;
  int truth = isUnsigned ? compare(op, left.bits, right.bits)
                         : compare(op, int64_t(left.bits), int64_t(right.bits));
  if (truth >= 0) {
    left = {Type::S64, uint64_t(truth)};
    return nullptr;
  }
  left.type = isUnsigned ? Type::U64 : Type::S64;
  if (op == "/")
    return divide(left, right, isUnsigned);
  if (op == "%") {
    if (right.bits == 0)
      return "remainder by zero";
    left = {Type::S64, left.bits % right.bits};
  } else if (op == "+") {
    left.bits += right.bits;
  } else if (op == "-") {
    left.bits -= right.bits;
  } else if (op == "*") {
    left.bits *= right.bits;
  } else {
    left.type = Type::U64;
    left.bits = op == "&"   ? left.bits & right.bits
                : op == "^" ? left.bits ^ right.bits
                            : left.bits | right.bits;
  }
  return nullptr;
}

} // namespace

const char *kiln::sim::ptx::applyBinary(std::string_view op, Constant &left,
                                        Constant right) {
  if (left.type == Type::F32 || right.type == Type::F32)
    return "an exact 0f constant cannot be part of an expression";
  if ((left.type == Type::F64) != (right.type == Type::F64))
    return "an expression cannot mix integers and floating-point constants";
  return left.type == Type::F64 ? applyDouble(op, left, right)
                                : applyInteger(op, left, right);
}
