//===- LowerTileFrag.cpp - Ops on fragments -------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../LoweringMath.h"
#include "LowerTile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <tuple>

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;
using tile::ReduceKind;

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

void TileLowering::lowerMap(tile::MapOp op) {
  Layout layout = layoutOf(cast<tile::FragType>(op.getResultTypes().front()));
  SmallVector<Fragment> inputs, results(op.getNumResults(), Fragment{layout, {}});
  for (Value input : op.getInputs())
    inputs.push_back(fragment(input));
  Block &body = op.getBlock();
  for (int64_t reg = 0; reg < layout.numRegisters(); ++reg) {
    IRMapping values(scalars);
    for (auto [argument, input] : llvm::zip(body.getArguments(), inputs))
      values.map(argument, input.registers[reg]);
    for (Operation &inner : body.without_terminator())
      if (auto power = dyn_cast<math::Exp2Op>(inner); power && power.getType().isF32())
        // The hardware's own, which nobody else's bits depend on.
        values.map(
            power.getResult(),
            LLVM::Exp2Op::create(b, values.lookup(power.getOperand())).getResult());
      else
        b.clone(inner, values);
    for (auto [result, value] : llvm::zip(results, body.getTerminator()->getOperands()))
      result.registers.push_back(values.lookup(value));
  }
  for (auto [value, result] : llvm::zip(op.getResults(), results))
    define(value, result);
}

/// Two values of f32 to bf16 by one instruction.
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

void TileLowering::lowerConvert(tile::ConvertOp op) {
  auto from = cast<FloatType>(op.getInput().getType().getElementType());
  auto to = cast<FloatType>(op.getType().getElementType());
  if (Fragment pairs = fragment(op.getInput());
      from.isF32() && to.isBF16() && pairs.registers.size() % 2 == 0) {
    for (size_t i = 0; i < pairs.registers.size(); i += 2)
      std::tie(pairs.registers[i], pairs.registers[i + 1]) =
          convertPair(b, pairs.registers[i], pairs.registers[i + 1]);
    return define(op, pairs);
  }
  bool isExact = llvm::APFloatBase::isRepresentableBy(from.getFloatSemantics(),
                                                      to.getFloatSemantics());
  Fragment result = fragment(op.getInput());
  for (Value &value : result.registers) {
    if (from == to)
      continue;
    if (from.getWidth() == to.getWidth()) // f16 and bf16: through f32
      value = arith::ExtFOp::create(b, b.getF32Type(), value);
    if (isExact && from.getWidth() != to.getWidth())
      value = arith::ExtFOp::create(b, to, value);
    else
      value = arith::TruncFOp::create(b, to, value);
  }
  define(op, result);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

TileLowering::Values TileLowering::exchangeTo(tile::ConvertLayoutOp op,
                                              const Fragment &from, const Layout &to) {
  Type element = op.getType().getElementType();
  Type memory = memoryType(element.isIndex() ? b.getI64Type() : element);
  int64_t bytes = tile::elementBytes(memory), each = to.elements() * bytes;
  Value area = gep(sharedFor(op), b.getI8Type(), mul(team.number, index(each)));
  auto at = [&](const Layout &layout, int64_t reg) {
    auto [row, column] = threadOrigin(layout);
    Value own = add(mul(row, index(layout.columns())), column);
    return gep(gep(area, memory, own), memory, index(layout.element(reg, 0)));
  };
  barrier(); // others may still read what the last exchange left
  guarded(owner(from.layout), [&] {
    for (auto [reg, value] : llvm::enumerate(from.registers)) {
      Value stored = element.isIndex() ? toI64(value) : toMemory(value, element);
      LLVM::StoreOp::create(b, stored, at(from.layout, reg), bytes);
    }
  });
  barrier();
  Values registers;
  for (int64_t reg = 0; reg < to.numRegisters(); ++reg) {
    Value value = LLVM::LoadOp::create(b, memory, at(to, reg), bytes);
    registers.push_back(element.isIndex()
                            ? arith::IndexCastOp::create(b, element, value).getResult()
                            : fromMemory(value, element));
  }
  return registers;
}

/// What is one scalar is so in any layout, and for any threads.
void TileLowering::lowerConvertLayout(tile::ConvertLayoutOp op) {
  Fragment from = fragment(op.getInput());
  Layout to = layoutOf(op.getType());
  if (isUniform(op.getInput()))
    return define(op, splat(op.getType(), from.registers.front()));
  if (from.layout.numThreads() != to.numThreads())
    return fail(op, "a fragment is used by other threads than those that hold it");
  define(op, {to, exchangeTo(op, from, to)});
}

/// The coordinate along an axis: the thread's own part and the register's.
static int64_t coordinate(const Layout &layout, int64_t reg, bool isRow) {
  int64_t element = layout.element(reg, 0);
  return isRow ? layout.row(element) : layout.column(element);
}

void TileLowering::lowerIota(tile::IotaOp op) {
  tile::FragType type = op.getType();
  Layout layout = layoutOf(type);
  bool isRow = type.getRank() == 2 && op.getAxis() == 0;
  auto [row, column] = threadOrigin(layout);
  Value first = isRow ? row : column, start = scalar(op.getStart());
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
  define(op, result);
}

void TileLowering::lowerSelectRange(tile::SelectRangeOp op) {
  tile::FragType type = op.getType();
  Fragment result = fragment(op.getInput());
  bool isRow = type.getRank() == 2 && op.getAxis() == 0;
  auto [row, column] = threadOrigin(result.layout);
  Value first = isRow ? row : column, otherwise = scalar(op.getOtherwise());
  Value low = scalar(op.getLow()), high = scalar(op.getHigh());
  int64_t last = 0; // of register 0 in any thread
  for (uint32_t base : result.layout.threads())
    last += isRow ? result.layout.row(base) : result.layout.column(base);
  auto select = [&](Value keep, Value value) -> Value {
    return keep ? b.createOrFold<arith::SelectOp>(keep, value, otherwise) : value;
  };
  for (auto [reg, value] : llvm::enumerate(result.registers)) {
    int64_t more = coordinate(result.layout, reg, isRow);
    value = select(isBelow(first, more, last, high), value);
    if (getConstantIntValue(low) != 0)
      value = select(arith::CmpIOp::create(b, arith::CmpIPredicate::sge,
                                           add(first, index(more)), low),
                     value);
  }
  define(op, result);
}

void TileLowering::lowerExtract(tile::ExtractOp op) {
  if (op.getInput().getType().getRank() != 1)
    return fail(op, "rows are not taken out of a fragment of a GPU");
  Fragment input = fragment(op.getInput());
  Layout::Holder holder = *input.layout.find(op.getPosition().front());
  Value value = input.registers[holder.reg];
  if (input.layout.elements() > 1) {
    if (team.threads > target.gpu->warpThreads)
      return fail(op, "an element of a fragment that a whole block holds");
    value = shuffleFrom(value, holder.thread);
  }
  scalars.map(op.getResult(), value);
}

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

Value TileLowering::combine(ReduceKind kind, Value lhs, Value rhs) {
  return combineReduced(b, kind, lhs, rhs);
}

/// What is left when the elements that differ in one bit of the register number
/// are combined.
static SmallVector<Value> foldRegisters(ArrayRef<Value> values, unsigned bit,
                                        function_ref<Value(Value, Value)> combine) {
  SmallVector<Value> folded;
  for (size_t i = 0; i < values.size(); ++i)
    if (!(i >> bit & 1))
      folded.push_back(combine(values[i], values[i | size_t(1) << bit]));
  return folded;
}

/// Combines the warps of the block, the upper half with the lower half and so
/// on, through shared memory; every thread gets the result. Of warps that hold
/// the same elements, which differ in `repeated` bits of a thread, one counts.
TileLowering::Values TileLowering::reduceWarps(tile::ReduceOp op, ArrayRef<Value> values,
                                               uint32_t repeated) {
  int64_t warp = target.gpu->warpThreads, warps = team.threads / warp;
  Type element = values.front().getType();
  Type memory = memoryType(element.isIndex() ? b.getI64Type() : element);
  Value area = sharedFor(op);
  auto place = [&](Value rank, size_t i) {
    return gep(area, memory, add(mul(index(i), index(team.threads)), rank));
  };
  barrier(); // others may still read what the last reduction left
  for (auto [i, value] : llvm::enumerate(values)) {
    Value stored = element.isIndex() ? toI64(value) : toMemory(value, element);
    LLVM::StoreOp::create(b, stored, place(team.rank, i), tile::elementBytes(memory));
  }
  barrier();
  Value lane = arith::AndIOp::create(b, team.rank, index(warp - 1));
  Values results;
  for (size_t i = 0; i < values.size(); ++i) {
    Values parts;
    for (int64_t w = 0; w < warps; ++w) {
      if (w * warp & repeated)
        continue;
      Value part = LLVM::LoadOp::create(b, memory, place(add(lane, index(w * warp)), i),
                                        tile::elementBytes(memory));
      if (element.isIndex())
        part = arith::IndexCastOp::create(b, element, part);
      parts.push_back(fromMemory(part, element));
    }
    for (unsigned bit = llvm::Log2_64(parts.size()); bit-- > 0;)
      parts = foldRegisters(parts, bit,
                            [&](Value x, Value y) { return combine(op.getKind(), x, y); });
    results.push_back(parts.front());
  }
  return results;
}

/// Of rank 2 along one axis; what is left has the layout's slice along the other.
void TileLowering::lowerReduceAxis(tile::ReduceOp op) {
  Fragment input = fragment(op.getInput());
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
    if (int64_t(1) << threadBit >= target.gpu->warpThreads)
      return fail(op, "a reduction along one axis over more than a warp");
    for (Value &value : values)
      value = both(value, shuffleXor(value, int64_t(1) << threadBit));
  }
  define(op.getResult(),
         {alongColumns ? layout.columnSlice() : layout.rowSlice(), values});
}

void TileLowering::lowerBroadcast(tile::BroadcastOp op) {
  Layout layout = layoutOf(op.getType());
  Fragment input = fragment(op.getInput());
  if (op.getAxis() != 1) {
    if (!isUniform(op.getInput()))
      return fail(op, "a row is repeated on a GPU");
    return define(op.getResult(), splat(op.getType(), input.registers.front()));
  }
  Fragment result{layout, {}};
  for (int64_t reg = 0; reg < layout.numRegisters(); ++reg)
    result.registers.push_back(input.registers[layout.sliceRegister(reg)]);
  define(op.getResult(), result);
}

void TileLowering::lowerReduce(tile::ReduceOp op) {
  if (op.getInput().getType().getRank() == 2)
    return lowerReduceAxis(op);
  Fragment input = fragment(op.getInput());
  auto both = [&](Value x, Value y) { return combine(op.getKind(), x, y); };
  // The tree of tile.reduce: element bits from the highest to the lowest.
  SmallVector<uint32_t> registers(input.layout.registers());
  Values values = input.registers;
  unsigned laneBits = llvm::Log2_64(target.gpu->warpThreads);
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
        value = both(value, shuffleXor(value, int64_t(1) << threadBit));
    } else if (!warpsDone) {
      values = reduceWarps(op, values, input.layout.replicatedThreads());
      warpsDone = true;
    }
  }
  scalars.map(op.getResult(), values.front());
}
