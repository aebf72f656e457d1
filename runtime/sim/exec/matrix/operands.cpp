//===- operands.cpp - Registers of matrix instructions --------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/matrix/operands.h"

#include "runtime/sim/arith/fast.h"
#include "runtime/sim/exec/report.h"

#include <vector>

namespace kiln::sim::exec::matrix {

std::span<const ptx::Operand> elementsOf(const ptx::Operand &operand) {
  if (operand.kind == ptx::Operand::Kind::Vector)
    return operand.elements;
  return {&operand, 1};
}

void appendSources(Decoder &decoder, const ptx::Operand &operand, unsigned bytes) {
  for (const ptx::Operand &element : elementsOf(operand)) {
    uint32_t line = decoder.read(element, bytes);
    decoder.info().operands.push_back(line);
  }
}

void appendResults(Decoder &decoder, const ptx::Operand &operand, unsigned bytes) {
  for (const ptx::Operand &element : elementsOf(operand)) {
    uint32_t line = decoder.write(element, bytes);
    decoder.info().operands.push_back(line);
  }
}

const arith::Format *formatOf(ptx::Type type) {
  switch (type) {
  case ptx::Type::F16:
    return &arith::F16;
  case ptx::Type::BF16:
    return &arith::BF16;
  case ptx::Type::TF32:
    return &arith::TF32;
  case ptx::Type::F32:
    return &arith::F32;
  case ptx::Type::F64:
    return &arith::F64;
  case ptx::Type::E4M3:
    return &arith::E4M3;
  case ptx::Type::E5M2:
    return &arith::E5M2;
  case ptx::Type::E2M3:
    return &arith::E2M3;
  case ptx::Type::E3M2:
    return &arith::E3M2;
  case ptx::Type::E2M1:
    return &arith::E2M1;
  default:
    return nullptr;
  }
}

void multiplyMixed(const arith::DotRule &rule, const arith::Product &product, bool f16C,
                   bool f16D) {
  if (f16C == f16D) {
    arith::multiply(rule, product);
    return;
  }
  // Tensor cores have f16 accumulators for both C and D or for neither.
  arith::DotRule wide = rule;
  wide.f16Result = false;
  size_t count = size_t(product.m) * product.n;
  std::vector<uint32_t> sums(product.c, product.c + count);
  if (f16C)
    for (uint32_t &value : sums)
      value = arith::f16ToF32(value);
  arith::Product inner = product;
  inner.c = inner.d = sums.data();
  arith::multiply(wide, inner);
  for (size_t i = 0; i < count; ++i)
    product.d[i] = f16D ? arith::f32ToF16(sums[i]) : sums[i];
}

} // namespace kiln::sim::exec::matrix
