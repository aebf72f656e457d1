//===- ldmatrix.cpp - ldmatrix, stmatrix, movmatrix -----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// A matrix has 8 rows of 16 bytes. Lane l holds the 16-bit elements 2 (l % 4) and the
// next of row l / 4; with .trans of column l / 4.
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/matrix/matrix.h"
#include "runtime/sim/exec/matrix/operands.h"

#include <cstring>

namespace kiln::sim::exec {
using namespace matrix;

namespace {

struct MatrixPlan {
  unsigned count; ///< of 8x8 matrices
  bool transposed;
  Space space;
  bool narrow; ///< the address is a b32 register
};

constexpr unsigned Rows = 8, RowBytes = 16;
using Matrix = uint16_t[Rows][Rows];

uint32_t gather(const Matrix &matrix, unsigned lane, bool transposed) {
  unsigned line = lane / 4, pair = lane % 4 * 2;
  uint32_t low = transposed ? matrix[pair][line] : matrix[line][pair];
  uint32_t high = transposed ? matrix[pair + 1][line] : matrix[line][pair + 1];
  return low | high << 16;
}

void scatter(Matrix &matrix, unsigned lane, bool transposed, uint32_t value) {
  unsigned line = lane / 4, pair = lane % 4 * 2;
  (transposed ? matrix[pair][line] : matrix[line][pair]) = uint16_t(value);
  (transposed ? matrix[pair + 1][line] : matrix[line][pair + 1]) = uint16_t(value >> 16);
}

/// Resolves the rows, whose addresses are in the first lanes: each of those lanes
/// accesses its row. False after a fault.
bool findRows(const MicroOp *op, uint8_t *regs, Warp &warp, const MatrixPlan &plan,
              AccessKind kind, uint8_t **rows, const uint8_t *values = nullptr) {
  uint64_t addresses[WarpSize];
  unsigned count = plan.count * Rows;
  for (unsigned lane = 0; lane < count; ++lane)
    addresses[lane] = (plan.narrow ? lanes<uint32_t>(regs, op->a)[lane]
                                   : lanes<uint64_t>(regs, op->a)[lane]) +
                      op->imm;
  Mask mask = Mask((uint64_t(1) << count) - 1);
  return resolveLanes(op, warp, mask, plan.space, addresses, RowBytes, {.kind = kind},
                      rows, values);
}

Stop runLdmatrix(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!wholeWarp(op, mask, warp))
    return Stop::Fault;
  const MatrixPlan &plan = op->info->as<MatrixPlan>();
  Matrix matrices[4];
  uint8_t *rows[WarpSize];
  if (!findRows(op, regs, warp, plan, AccessKind::Read, rows))
    return Stop::Fault;
  for (unsigned lane = 0; lane < plan.count * Rows; ++lane)
    memcpy(matrices[lane / Rows][lane % Rows], rows[lane], RowBytes);
  for (unsigned i = 0; i < plan.count; ++i)
    for (unsigned lane = 0; lane < WarpSize; ++lane)
      lanes<uint32_t>(regs, op->info->operands[i])[lane] =
          gather(matrices[i], lane, plan.transposed);
  KILN_NEXT(op, regs, mask, warp);
}

Stop runStmatrix(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!wholeWarp(op, mask, warp))
    return Stop::Fault;
  const MatrixPlan &plan = op->info->as<MatrixPlan>();
  warp.changed = true;
  Matrix matrices[4];
  for (unsigned i = 0; i < plan.count; ++i)
    for (unsigned lane = 0; lane < WarpSize; ++lane)
      scatter(matrices[i], lane, plan.transposed,
              lanes<uint32_t>(regs, op->info->operands[i])[lane]);
  uint8_t *rows[WarpSize];
  if (!findRows(op, regs, warp, plan, AccessKind::Write, rows,
                reinterpret_cast<const uint8_t *>(matrices)))
    return Stop::Fault;
  for (unsigned lane = 0; lane < plan.count * Rows; ++lane)
    memcpy(rows[lane], matrices[lane / Rows][lane % Rows], RowBytes);
  KILN_NEXT(op, regs, mask, warp);
}

Stop runMovmatrix(const MicroOp *op, uint8_t *regs, Mask mask, Warp &warp) {
  if (!wholeWarp(op, mask, warp))
    return Stop::Fault;
  Matrix matrix;
  for (unsigned lane = 0; lane < WarpSize; ++lane)
    scatter(matrix, lane, false, lanes<uint32_t>(regs, op->a)[lane]);
  for (unsigned lane = 0; lane < WarpSize; ++lane)
    lanes<uint32_t>(regs, op->d)[lane] = gather(matrix, lane, true);
  KILN_NEXT(op, regs, mask, warp);
}

std::shared_ptr<MatrixPlan> planOf(Decoder &decoder, const ptx::Instruction &i) {
  if (i.type() != ptx::Type::B16) {
    decoder.error("matrices of 8-bit and narrower elements are not modelled");
    return nullptr;
  }
  auto plan = std::make_shared<MatrixPlan>();
  plan->count = i.has(ptx::Mod::X4) ? 4 : i.has(ptx::Mod::X2) ? 2 : 1;
  plan->transposed = i.has(ptx::Mod::Trans);
  plan->space = i.space() == ptx::StateSpace::Generic ? Space::Generic : Space::Shared;
  decoder.info().payload = plan;
  return plan;
}

void emitWithAddress(Decoder &decoder, Handler run, const ptx::Operand &operand,
                     MatrixPlan &plan) {
  AddressOperand address = decoder.address(operand);
  plan.narrow = address.narrow;
  decoder.emit(run, 0, address.line, 0, 0, uint64_t(address.offset));
}

bool decodeLdmatrix(Decoder &decoder, const ptx::Instruction &i) {
  std::shared_ptr<MatrixPlan> plan = planOf(decoder, i);
  if (!plan)
    return false;
  appendResults(decoder, i.operands[0], 4);
  emitWithAddress(decoder, runLdmatrix, i.operands[1], *plan);
  return true;
}

bool decodeStmatrix(Decoder &decoder, const ptx::Instruction &i) {
  std::shared_ptr<MatrixPlan> plan = planOf(decoder, i);
  if (!plan)
    return false;
  appendSources(decoder, i.operands[1], 4);
  emitWithAddress(decoder, runStmatrix, i.operands[0], *plan);
  return true;
}

bool decodeMovmatrix(Decoder &decoder, const ptx::Instruction &i) {
  uint32_t from = decoder.read(i.operands[1], 4);
  uint32_t to = decoder.write(i.operands[0], 4);
  decoder.emit(runMovmatrix, to, from);
  return true;
}

} // namespace

void matrix::addLdmatrix(DecoderTable &table) {
  table[size_t(ptx::Opcode::Ldmatrix)] = decodeLdmatrix;
  table[size_t(ptx::Opcode::Stmatrix)] = decodeStmatrix;
  table[size_t(ptx::Opcode::Movmatrix)] = decodeMovmatrix;
}

} // namespace kiln::sim::exec
