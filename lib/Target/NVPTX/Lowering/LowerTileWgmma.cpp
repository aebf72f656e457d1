//===- LowerTileWgmma.cpp - wgmma -----------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warpgroup computes 64 rows. A wgmma in flight is represented by its accumulator
// registers, which are operands and results of the wait, so that nothing reads them
// before it.
//
//===----------------------------------------------------------------------===//

#include "AsyncLowering.h"
#include "ProductLowering.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

static constexpr int64_t kWgmmaRows = 64, kWgmmaStepDepth = 16;

static bool isZero(Value accumulator) {
  auto fill = accumulator.getDefiningOp<tile::FillOp>();
  return fill && matchPattern(fill.getValue(), m_AnyZeroFloat());
}

/// Returns the descriptor of an operand whose lines begin at an address (PTX ISA,
/// "matrix-descriptor-encode": it has 18 address bits; higher ones select a block of the
/// cluster).
Value AsyncLowering::descriptor(const WgmmaOperand &operand, Value address) {
  constexpr int64_t kAddressMask = 0x3ffff;
  if (clusterBlocks() > 1)
    address = arith::AndIOp::create(b, address, program.word(kAddressMask));
  Value units = arith::ShRUIOp::create(b, address, program.word(4));
  Value fields =
      arith::ConstantIntOp::create(b, static_cast<int64_t>(operand.descriptor()), 64);
  return arith::OrIOp::create(b, arith::ExtUIOp::create(b, b.getI64Type(), units),
                              fields);
}

/// Packs four words per K = 16; a warp has 16 rows.
void AsyncLowering::lower(tile::PackOperandOp op) {
  Fragment fragment = program.fragment(op.getValue());
  Values words;
  for (int64_t k = 0; k < op.getType().getShape()[1]; k += kWgmmaStepDepth)
    for (Value word : packLeft(program, fragment, /*rowTiles=*/1, k).front())
      words.push_back(word.getType().isInteger()
                          ? word
                          : LLVM::BitcastOp::create(b, b.getI32Type(), word).getResult());
  program.define(op, {fragment.layout, words});
}

void AsyncLowering::lower(tile::IssueMmaOp op) {
  program.converge(); // wgmma needs converged warps
  tile::MemType right = op.getRhs().getType();
  WgmmaGroup group;
  group.columns = right.getColumns();
  group.depth = right.getRows();
  group.element = right.getElementType().isF16() ? "f16" : "bf16";
  group.right = WgmmaOperand::of(right, /*depthDim=*/0);
  Values operands;
  if (auto left = dyn_cast<tile::MemType>(op.getLhs().getType())) {
    group.left = WgmmaOperand::of(left, /*depthDim=*/1);
    Value rows = arith::MulIOp::create(b, warpgroup,
                                       program.word(group.left->ownOffset(kWgmmaRows)));
    Value address = stageAt(op.getLhs(), program.scalar(op.getLhsStage()));
    operands.push_back(descriptor(*group.left, arith::AddIOp::create(b, address, rows)));
  } else {
    llvm::append_range(operands, program.flatten(Value(op.getLhs())));
  }
  operands.push_back(
      descriptor(group.right, stageAt(op.getRhs(), program.scalar(op.getRhsStage()))));
  group.startsAtZero = llvm::all_of(op.getAccumulators(), isZero);
  if (!group.startsAtZero)
    llvm::append_range(operands, program.flatten(op.getAccumulators()));
  SmallVector<Type> types(group.registers(), b.getF32Type());
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  Value all = program.assembly(type, operands, group.text(), group.constraints());
  Values results;
  for (int64_t i = 0; i < group.registers(); ++i)
    results.push_back(LLVM::ExtractValueOp::create(b, all, i));
  program.bind(op.getResults(), results);
}

void AsyncLowering::lower(tile::WaitMmaOp op) {
  std::string text =
      "wgmma.wait_group.sync.aligned " + std::to_string(op.getInFlight()) + ";";
  Values values = program.flatten(op.getValues()), kept = program.flatten(op.getKept());
  size_t count = values.size();
  std::string results, ties, uses;
  for (size_t i = 0; i < count; ++i) {
    results += "=f,";
    ties += std::to_string(i) + ",";
  }
  for (size_t i = 0; i < kept.size(); ++i)
    uses += "r,";
  Values operands(values);
  llvm::append_range(operands, kept);
  std::string constraints = results + ties + uses + "~{memory}";
  if (count == 0) {
    program.assembly({}, operands, text, constraints);
    return;
  }
  SmallVector<Type> types(count, b.getF32Type());
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  Value all = program.assembly(type, operands, text, constraints);
  for (size_t i = 0; i < count; ++i)
    values[i] = LLVM::ExtractValueOp::create(b, all, int64_t(i));
  program.bind(op.getResults(), values);
}
