//===- fragment.cpp - Registers of matrix operands ------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Almost every matrix is distributed evenly over the lanes, so the shape determines the
// number of registers. Exceptions: in m8n8k4 of f16 each quad pair holds a matrix; wmma
// holds f16 operands twice.
//
//===----------------------------------------------------------------------===//
#include "runtime/sim/ptx/match.h"

using namespace kiln::sim::ptx;

namespace {

constexpr unsigned warpLanes = 32, warpgroupLanes = 128, quadPairLanes = 8;

/// Registers of a matrix of `elements` distributed over `lanes`: packed in 32-bit
/// registers unless an element fills a register.
Fragment spread(unsigned elements, Type type, unsigned lanes) {
  switch (type) {
  case Type::F64:
  case Type::F32:
  case Type::S32:
    return {elements / lanes, type};
  case Type::F16:
    return {elements * 16 / (lanes * 32), Type::F16x2};
  default:
    return {elements * bits(type) / (lanes * 32), Type::B32};
  }
}

unsigned copies(const Instruction &i) {
  return i.has(Mod::X4) ? 4 : i.has(Mod::X2) ? 2 : 1;
}

Fragment ofMatrices(const Instruction &i) {
  bool large = i.shape.m == 16 && i.shape.n == 16;
  return {copies(i) * (large ? 2 : 1), Type::B32};
}

unsigned elementsOf(const Shape &shape, char which) {
  switch (which) {
  case 'A':
    return unsigned(shape.m) * shape.k;
  case 'B':
    return unsigned(shape.k) * shape.n;
  default:
    return unsigned(shape.m) * shape.n;
  }
}

Fragment ofMma(const Instruction &i, char which) {
  static constexpr char order[] = {'D', 'A', 'B', 'C'};
  if (padsToBytes(i) && (which == 'A' || which == 'B'))
    return spread(elementsOf(i.shape, which), Type::B8, warpLanes);
  for (unsigned t = 0; t < 4; ++t)
    if (order[t] == which) {
      bool quadPairs = i.shape == Shape{8, 8, 4} && i.types[1] == Type::F16;
      unsigned lanes = quadPairs ? quadPairLanes : warpLanes;
      return spread(elementsOf(i.shape, which), i.types[t], lanes);
    }
  return {};
}

Fragment ofWmma(const Shape &shape, Type type, char which) {
  if (type == Type::F16 && (which == 'A' || which == 'B'))
    return {8, Type::F16x2};
  return spread(elementsOf(shape, which), type, warpLanes);
}

Fragment ofWmmaMma(const Instruction &i, char which) {
  if (i.typeCount == 2) // .dtype.ctype: A and B are f16
    return ofWmma(i.shape,
                  which == 'D'   ? i.types[0]
                  : which == 'C' ? i.types[1]
                                 : Type::F16,
                  which);
  return ofWmma(i.shape,
                which == 'D'   ? i.types[0]
                : which == 'A' ? i.types[1]
                : which == 'B' ? i.types[2]
                               : i.types[3],
                which);
}

Fragment ofWmmaMemory(const Instruction &i) {
  char which = i.has(Mod::MatrixA) ? 'A' : i.has(Mod::MatrixB) ? 'B' : 'C';
  return ofWmma(i.shape, i.types[0], which);
}

} // namespace

Fragment kiln::sim::ptx::fragmentOf(const Instruction &i, char which) {
  switch (i.opcode) {
  case Opcode::Ldmatrix:
  case Opcode::Stmatrix:
    return ofMatrices(i);
  case Opcode::Mma:
  case Opcode::MmaBlockScale:
    return ofMma(i, which);
  case Opcode::WmmaMma:
    return ofWmmaMma(i, which);
  case Opcode::WmmaLoad:
  case Opcode::WmmaStore:
    return ofWmmaMemory(i);
  case Opcode::WgmmaMma:
    return spread(elementsOf(i.shape, which), i.types[which == 'A' ? 1 : 0],
                  warpgroupLanes);
  default:
    return {};
  }
}

bool kiln::sim::ptx::padsToBytes(const Instruction &i) {
  return i.has(Mod::KindF8f6f4) || i.has(Mod::KindMxf8f6f4);
}

unsigned kiln::sim::ptx::scalesOf(const Instruction &i) {
  if (i.has(Mod::ScaleVec4))
    return 4;
  return i.has(Mod::ScaleVec2) || i.has(Mod::KindMxf4) ? 2 : 1;
}
