//===- LowerTileFrag.cpp - Ops on fragments -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Float8.h"
#include "FragmentLowering.h"
#include "dialects/Types/FloatFormat.h"
#include "lib/Target/LoweringMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <tuple>

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;
using tile::ReduceKind;

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

void FragmentLowering::lowerScalar(Operation *op, IRMapping &values) {
  auto power = dyn_cast<math::Exp2Op>(op);
  if (power && power.getType().isF32())
    // ex2.approx is fast; results on GPUs need not be bit-identical to other targets.
    values.map(power.getResult(),
               LLVM::Exp2Op::create(b, values.lookup(power.getOperand())).getResult());
  else
    b.clone(*op, values);
}

void FragmentLowering::lowerMap(tile::MapOp op) {
  Layout layout = program.layoutOf(cast<tile::FragType>(op.getResultTypes().front()));
  SmallVector<Fragment> inputs, results(op.getNumResults(), Fragment{layout, {}});
  for (Value input : op.getInputs())
    inputs.push_back(program.fragment(input));
  Block &body = op.getBlock();
  for (int64_t reg = 0; reg < layout.numRegisters(); ++reg) {
    IRMapping values(program.scalars);
    for (auto [argument, input] : llvm::zip(body.getArguments(), inputs))
      values.map(argument, input.registers[reg]);
    for (Operation &inner : body.without_terminator())
      lowerScalar(&inner, values);
    for (auto [result, value] : llvm::zip(results, body.getTerminator()->getOperands()))
      result.registers.push_back(values.lookup(value));
  }
  for (auto [value, result] : llvm::zip(op.getResults(), results))
    program.define(value, result);
}

/// Converts two f32 values to bf16 by one instruction.
static std::pair<Value, Value> convertPair(ImplicitLocOpBuilder &b, Value low,
                                           Value high) {
  Type bf16 = b.getBF16Type(), i16 = b.getI16Type(), i32 = b.getI32Type();
  auto call = LLVM::CallIntrinsicOp::create(b, VectorType::get(2, bf16),
                                            b.getStringAttr("llvm.nvvm.ff2bf16x2.rn"),
                                            ValueRange{high, low});
  Value word = LLVM::BitcastOp::create(b, i32, call.getResult(0));
  Value upper = arith::ShRUIOp::create(b, word, arith::ConstantIntOp::create(b, 16, 32));
  auto half = [&](Value bits) -> Value {
    return arith::BitcastOp::create(b, bf16, arith::TruncIOp::create(b, i16, bits));
  };
  return {half(word), half(upper)};
}

void FragmentLowering::lowerConvert(tile::ConvertOp op) {
  auto from = cast<FloatType>(op.getInput().getType().getElementType());
  auto to = cast<FloatType>(op.getType().getElementType());
  if (isFloat8(from) && to.isF32()) { // tile.load returns bytes
    Fragment bytes = program.fragment(op.getInput());
    return program.define(
        op, {bytes.layout, widenE4m3(b, *program.target.gpu, bytes.registers)});
  }
  if (Fragment pairs = program.fragment(op.getInput());
      from.isF32() && to.isBF16() && pairs.registers.size() % 2 == 0) {
    for (size_t i = 0; i < pairs.registers.size(); i += 2)
      std::tie(pairs.registers[i], pairs.registers[i + 1]) =
          convertPair(b, pairs.registers[i], pairs.registers[i + 1]);
    return program.define(op, pairs);
  }
  bool isExact = llvm::APFloatBase::isRepresentableBy(from.getFloatSemantics(),
                                                      to.getFloatSemantics());
  Fragment result = program.fragment(op.getInput());
  for (Value &value : result.registers) {
    if (from == to)
      continue;
    if (from.getWidth() == to.getWidth()) // f16 to bf16 or back, by f32
      value = arith::ExtFOp::create(b, b.getF32Type(), value);
    if (isExact && from.getWidth() != to.getWidth())
      value = arith::ExtFOp::create(b, to, value);
    else
      value = arith::TruncFOp::create(b, to, value);
  }
  program.define(op, result);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

Values FragmentLowering::exchangeTo(tile::ConvertLayoutOp op, const Fragment &from,
                                    const Layout &to) {
  Type element = op.getType().getElementType();
  Type inMemory = memoryType(element.isIndex() ? b.getI64Type() : element);
  int64_t bytes = tile::elementBytes(inMemory), each = to.elements() * bytes;
  Value area = program.gep(program.sharedFor(op), b.getI8Type(),
                           program.mul(program.team.number, program.index(each)));
  auto at = [&](const Layout &layout, int64_t reg) {
    auto [row, column] = program.threadOrigin(layout);
    Value own = program.add(program.mul(row, program.index(layout.columns())), column);
    return program.gep(program.gep(area, inMemory, own), inMemory,
                       program.index(layout.element(reg, 0)));
  };
  program.barrier(); // others may still read the last exchange's data
  program.guarded(program.owner(from.layout), [&] {
    for (auto [reg, value] : llvm::enumerate(from.registers)) {
      Value stored =
          element.isIndex() ? program.toI64(value) : memory.toMemory(value, element);
      LLVM::StoreOp::create(b, stored, at(from.layout, reg), bytes);
    }
  });
  program.barrier();
  Values registers;
  for (int64_t reg = 0; reg < to.numRegisters(); ++reg) {
    Value value = LLVM::LoadOp::create(b, inMemory, at(to, reg), bytes);
    registers.push_back(element.isIndex()
                            ? arith::IndexCastOp::create(b, element, value).getResult()
                            : memory.fromMemory(value, element));
  }
  return registers;
}

/// Moves the elements of a fragment to the threads and registers of another layout. A
/// fragment of one scalar is the same in any layout and is defined again instead.
void FragmentLowering::lowerConvertLayout(tile::ConvertLayoutOp op) {
  Fragment from = program.fragment(op.getInput());
  Layout to = program.layoutOf(op.getType());
  if (isUniform(op.getInput()))
    return program.define(op, program.splat(op.getType(), from.registers.front()));
  if (from.layout.numThreads() != to.numThreads())
    return program.fail(op,
                        "a fragment is used by other threads than those that hold it");
  program.define(op, {to, exchangeTo(op, from, to)});
}

/// Returns a register's part of the coordinate along an axis; the thread's part is added
/// to it.
static int64_t coordinate(const Layout &layout, int64_t reg, bool isRow) {
  int64_t element = layout.element(reg, 0);
  return isRow ? layout.row(element) : layout.column(element);
}

void FragmentLowering::lowerIota(tile::IotaOp op) {
  tile::FragType type = op.getType();
  Layout layout = program.layoutOf(type);
  bool isRow = type.getRank() == 2 && op.getAxis() == 0;
  auto [row, column] = program.threadOrigin(layout);
  Value first = isRow ? row : column, start = program.scalar(op.getStart());
  Type element = type.getElementType();
  if (!element.isIndex())
    first = arith::IndexCastOp::create(b, element, first);
  first = arith::AddIOp::create(b, start, first);
  Fragment result{layout, {}};
  for (int64_t reg = 0; reg < layout.numRegisters(); ++reg) {
    auto own = b.getIntegerAttr(element, coordinate(layout, reg, isRow));
    result.registers.push_back(
        arith::AddIOp::create(b, first, arith::ConstantOp::create(b, own)));
  }
  program.define(op, result);
}

void FragmentLowering::lowerSelectRange(tile::SelectRangeOp op) {
  tile::FragType type = op.getType();
  Fragment result = program.fragment(op.getInput());
  bool isRow = type.getRank() == 2 && op.getAxis() == 0;
  auto [row, column] = program.threadOrigin(result.layout);
  Value first = isRow ? row : column, otherwise = program.scalar(op.getOtherwise());
  Value low = program.scalar(op.getLow()), high = program.scalar(op.getHigh());
  int64_t last = 0; // maximum of `first` over all threads
  for (uint32_t base : result.layout.threads())
    last += isRow ? result.layout.row(base) : result.layout.column(base);
  auto select = [&](Value keep, Value value) -> Value {
    return keep ? b.createOrFold<arith::SelectOp>(keep, value, otherwise) : value;
  };
  for (auto [reg, value] : llvm::enumerate(result.registers)) {
    int64_t more = coordinate(result.layout, reg, isRow);
    value = select(memory.isBelow(first, more, last, high), value);
    if (getConstantIntValue(low) != 0)
      value = select(arith::CmpIOp::create(b, arith::CmpIPredicate::sge,
                                           program.add(first, program.index(more)), low),
                     value);
  }
  program.define(op, result);
}

void FragmentLowering::lowerExtract(tile::ExtractOp op) {
  if (op.getInput().getType().getRank() != 1)
    return program.fail(op, "rows are not taken out of a fragment of a GPU");
  Fragment input = program.fragment(op.getInput());
  Layout::Holder holder = *input.layout.find(op.getPosition().front());
  Value value = input.registers[holder.reg];
  if (input.layout.elements() > 1) {
    if (program.team.threads > program.target.gpu->warpThreads)
      return program.fail(op, "an element of a fragment that a whole block holds");
    value = program.shuffleFrom(value, holder.thread);
  }
  program.scalars.map(op.getResult(), value);
}

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

Value FragmentLowering::combine(ReduceKind kind, Value lhs, Value rhs) {
  return combineReduced(b, kind, lhs, rhs);
}

/// Combines registers whose indices differ in bit `bit` only, which halves their number.
static SmallVector<Value> foldRegisters(ArrayRef<Value> values, unsigned bit,
                                        function_ref<Value(Value, Value)> combine) {
  SmallVector<Value> folded;
  for (size_t i = 0; i < values.size(); ++i)
    if (!(i >> bit & 1))
      folded.push_back(combine(values[i], values[i | size_t(1) << bit]));
  return folded;
}

/// Combines the warps of the block through shared memory, the upper half with the lower
/// half and so on; every thread gets the result. Warps that differ only in `repeated`
/// bits of the thread's index hold copies and are counted once.
Values FragmentLowering::reduceWarps(tile::ReduceOp op, ArrayRef<Value> values,
                                     uint32_t repeated) {
  int64_t warp = program.target.gpu->warpThreads, warps = program.team.threads / warp;
  Type element = values.front().getType();
  Type inMemory = memoryType(element.isIndex() ? b.getI64Type() : element);
  Value area = program.sharedFor(op);
  auto place = [&](Value rank, size_t i) {
    return program.gep(
        area, inMemory,
        program.add(program.mul(program.index(i), program.index(program.team.threads)),
                    rank));
  };
  program.barrier(); // others may still read the last reduction's data
  for (auto [i, value] : llvm::enumerate(values)) {
    Value stored =
        element.isIndex() ? program.toI64(value) : memory.toMemory(value, element);
    LLVM::StoreOp::create(b, stored, place(program.team.rank, i),
                          tile::elementBytes(inMemory));
  }
  program.barrier();
  Value lane = arith::AndIOp::create(b, program.team.rank, program.index(warp - 1));
  Values results;
  for (size_t i = 0; i < values.size(); ++i) {
    Values parts;
    for (int64_t w = 0; w < warps; ++w) {
      if (w * warp & repeated)
        continue;
      Value part = LLVM::LoadOp::create(
          b, inMemory, place(program.add(lane, program.index(w * warp)), i),
          tile::elementBytes(inMemory));
      if (element.isIndex())
        part = arith::IndexCastOp::create(b, element, part);
      parts.push_back(memory.fromMemory(part, element));
    }
    for (unsigned bit = llvm::Log2_64(parts.size()); bit-- > 0;)
      parts = foldRegisters(
          parts, bit, [&](Value x, Value y) { return combine(op.getKind(), x, y); });
    results.push_back(parts.front());
  }
  return results;
}

/// Reduces a fragment of rank 2 along one axis, first registers and then shuffles; the
/// result has the layout's slice along the other axis.
void FragmentLowering::lowerReduceAxis(tile::ReduceOp op) {
  Fragment input = program.fragment(op.getInput());
  const Layout &layout = input.layout;
  bool alongColumns = op.getAxis() == 1;
  int64_t first = alongColumns ? 1 : layout.columns();
  int64_t end = alongColumns ? layout.columns() : layout.elements();
  auto both = [&](Value x, Value y) { return combine(op.getKind(), x, y); };
  SmallVector<uint32_t> registers(layout.registers());
  Values values = input.registers;
  for (int64_t bit = end / 2; bit >= first; bit /= 2) {
    if (auto *it = llvm::find(registers, bit); it != registers.end()) {
      values = foldRegisters(values, it - registers.begin(), both);
      registers.erase(it);
      continue;
    }
    unsigned threadBit = llvm::find(layout.threads(), bit) - layout.threads().begin();
    if (int64_t(1) << threadBit >= program.target.gpu->warpThreads)
      return program.fail(op, "a reduction along one axis over more than a warp");
    for (Value &value : values)
      value = both(value, program.shuffleXor(value, int64_t(1) << threadBit));
  }
  program.define(op.getResult(),
                 {alongColumns ? layout.columnSlice() : layout.rowSlice(), values});
}

void FragmentLowering::lowerBroadcast(tile::BroadcastOp op) {
  Layout layout = program.layoutOf(op.getType());
  Fragment input = program.fragment(op.getInput());
  if (op.getAxis() != 1 && isUniform(op.getInput()))
    return program.define(op.getResult(),
                          program.splat(op.getType(), input.registers.front()));
  Fragment result{layout, {}};
  for (int64_t reg = 0; reg < layout.numRegisters(); ++reg)
    result.registers.push_back(
        input.registers[layout.sliceRegister(reg, /*ofRows=*/op.getAxis() == 1)]);
  program.define(op.getResult(), result);
}

void FragmentLowering::lowerReduce(tile::ReduceOp op) {
  if (op.getInput().getType().getRank() == 2)
    return lowerReduceAxis(op);
  Fragment input = program.fragment(op.getInput());
  auto both = [&](Value x, Value y) { return combine(op.getKind(), x, y); };
  // Reduction tree of tile.reduce: bits of the element's index from the highest to the
  // lowest.
  SmallVector<uint32_t> registers(input.layout.registers());
  Values values = input.registers;
  unsigned laneBits = llvm::Log2_64(program.target.gpu->warpThreads);
  bool warpsDone = false;
  for (int64_t bit = input.layout.elements() / 2; bit > 0; bit /= 2) {
    if (auto *it = llvm::find(registers, bit); it != registers.end()) {
      values = foldRegisters(values, it - registers.begin(), both);
      registers.erase(it);
      continue;
    }
    unsigned threadBit =
        llvm::find(input.layout.threads(), bit) - input.layout.threads().begin();
    if (threadBit < laneBits) {
      for (Value &value : values)
        value = both(value, program.shuffleXor(value, int64_t(1) << threadBit));
    } else if (!warpsDone) {
      values = reduceWarps(op, values, input.layout.replicatedThreads());
      warpsDone = true;
    }
  }
  program.scalars.map(op.getResult(), values.front());
}
