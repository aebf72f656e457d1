//===- fragment.h - Register layouts of matrix fragments --------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mma and wgmma share one layout. Lane l has group = l / 4 and place = l % 4. Operands:
// each 32-bit register holds elements that are adjacent along k, the four lanes of a
// group are adjacent along k, successive registers alternate between rows 8 apart (only A
// with 16 rows) and then advance along k. Accumulators: each lane holds two adjacent
// elements of a row, then the two 8 rows below, then (wgmma) those 8 columns to the
// right. An f64 counts as a 32-bit element in a register of its own.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_MATRIX_FRAGMENT_H
#define KILN_SIM_EXEC_MATRIX_FRAGMENT_H

#include <cstdint>

namespace kiln::sim::exec::matrix {

struct Cell {
  uint32_t row, column;
};

/// Position of element `element` of register `reg` of A; `rows` is 8 or 16, `perRegister`
/// elements.
inline Cell placeOfA(unsigned rows, unsigned perRegister, unsigned lane, unsigned reg,
                     unsigned element) {
  unsigned halves = rows / 8;
  return {lane / 4 + 8 * (reg % halves),
          (reg / halves * 4 + lane % 4) * perRegister + element};
}

/// Position of element `element` of register `reg` of B: row is along k, column along n.
inline Cell placeOfB(unsigned perRegister, unsigned lane, unsigned reg,
                     unsigned element) {
  return {(reg * 4 + lane % 4) * perRegister + element, lane / 4};
}

/// Position of element `index` of a lane's accumulators; each f16 counts as one.
inline Cell placeOfC(unsigned rows, unsigned lane, unsigned index) {
  unsigned halves = rows / 8, pair = index / 2;
  return {lane / 4 + 8 * (pair % halves), pair / halves * 8 + lane % 4 * 2 + index % 2};
}

/// mma.m8n8k4 of f16: four independent MMAs, one per quad pair of lanes 4q..4q+3 and
/// 16+4q..16+4q+3. `high`: lane >= 16; `place`: lane % 4; i: element of the lane.
inline Cell quadPairA(bool columnMajor, bool high, unsigned place, unsigned i) {
  return columnMajor ? Cell{i + 4 * high, place} : Cell{place + 4 * high, i};
}
inline Cell quadPairB(bool columnMajor, bool high, unsigned place, unsigned i) {
  return columnMajor ? Cell{i, place + 4 * high} : Cell{place, i + 4 * high};
}
inline Cell quadPairC(bool f32, bool high, unsigned place, unsigned i) {
  if (f32)
    return {(place & 1) + (i & 2) + 4 * high, (i & 4) + (place & 2) + (i & 1)};
  return {place + 4 * high, i};
}

} // namespace kiln::sim::exec::matrix

#endif // KILN_SIM_EXEC_MATRIX_FRAGMENT_H
