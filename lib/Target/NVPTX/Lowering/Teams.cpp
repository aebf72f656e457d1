//===- Teams.cpp - Thread groups ------------------------------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread groups, barriers, shuffles, shared memory, and layouts of fragments.
//
//===----------------------------------------------------------------------===//

#include "ThreadProgram.h"
#include "dialects/Tile/TileHints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

//===----------------------------------------------------------------------===//
// Thread groups
//===----------------------------------------------------------------------===//

Team ThreadProgram::wholeBlock() {
  Value rank = arith::IndexCastUIOp::create(b, b.getIndexType(), thread);
  return {int64_t(*kernel.getThreads()), rank, index(0)};
}

Team ThreadProgram::splitBlock(int64_t threads) {
  Value own = arith::ConstantIntOp::create(b, threads - 1, 32);
  Value shift = arith::ConstantIntOp::create(b, llvm::Log2_64(threads), 32);
  Value rank = arith::AndIOp::create(b, thread, own);
  Value number = arith::ShRUIOp::create(b, thread, shift);
  auto wide = [&](Value value) -> Value {
    return arith::IndexCastUIOp::create(b, b.getIndexType(), value);
  };
  return {threads, wide(rank), wide(number)};
}

Value ThreadProgram::warpMask() {
  Value all = arith::ConstantIntOp::create(b, -1, 32);
  int64_t warp = target.gpu->warpThreads;
  if (team.threads >= warp)
    return all;
  // Mask of this group's lanes: other groups of the warp may be elsewhere in the program.
  Value own = arith::ConstantIntOp::create(b, (int64_t(1) << team.threads) - 1, 32);
  Value first = arith::ConstantIntOp::create(b, warp - team.threads, 32);
  return arith::ShLIOp::create(b, own, arith::AndIOp::create(b, thread, first));
}

void ThreadProgram::converge() {
  if (diverged)
    NVVM::SyncWarpOp::create(b, arith::ConstantIntOp::create(b, -1, 32));
  diverged = false;
}

void ThreadProgram::barrier() {
  diverged = false;
  if (team.threads == 1)
    return;
  if (team.threads <= target.gpu->warpThreads)
    NVVM::SyncWarpOp::create(b, warpMask());
  else if (isSpecialized) // the producer does not take part
    NVVM::BarrierOp::create(b, TypeRange(), word(1), word(team.threads),
                            NVVM::BarrierReductionAttr(), Value());
  else
    NVVM::Barrier0Op::create(b);
}

Value ThreadProgram::shuffleXor(Value value, int64_t distance) {
  return shuffle(value, NVVM::ShflKind::bfly,
                 arith::ConstantIntOp::create(b, distance, 32));
}

Value ThreadProgram::shuffleFrom(Value value, int64_t rank) {
  Value mask = arith::ConstantIntOp::create(b, -std::min<int64_t>(team.threads, 32), 32);
  Value lane = arith::AndIOp::create(b, thread, mask);
  lane = arith::OrIOp::create(b, lane, arith::ConstantIntOp::create(b, rank, 32));
  return shuffle(value, NVVM::ShflKind::idx, lane);
}

/// Shuffles a value of any width in registers of 32 bits.
Value ThreadProgram::shuffle(Value value, NVVM::ShflKind kind, Value operand) {
  Type type = value.getType(), i32 = b.getI32Type(), i64 = b.getI64Type();
  auto one = [&](Value word) -> Value {
    return NVVM::ShflOp::create(b, i32, warpMask(), word, operand,
                                arith::ConstantIntOp::create(b, 31, 32), kind,
                                UnitAttr());
  };
  if (type.isIndex()) {
    Value moved = shuffle(arith::IndexCastOp::create(b, i64, value), kind, operand);
    return arith::IndexCastOp::create(b, type, moved);
  }
  unsigned width = type.getIntOrFloatBitWidth();
  Type bits = b.getIntegerType(width);
  bool isFloat = isa<FloatType>(type);
  if (isFloat)
    value = arith::BitcastOp::create(b, bits, value);
  if (width < 32) {
    value = arith::TruncIOp::create(b, bits, one(arith::ExtUIOp::create(b, i32, value)));
  } else if (width == 32) {
    value = one(value);
  } else {
    Value half = arith::ConstantIntOp::create(b, 32, 64);
    Value low = one(arith::TruncIOp::create(b, i32, value));
    Value high =
        one(arith::TruncIOp::create(b, i32, arith::ShRUIOp::create(b, value, half)));
    high = arith::ShLIOp::create(b, arith::ExtUIOp::create(b, i64, high), half);
    value = arith::OrIOp::create(b, high, arith::ExtUIOp::create(b, i64, low));
  }
  return isFloat ? arith::BitcastOp::create(b, type, value).getResult() : value;
}

Value ThreadProgram::owner(const Layout &layout) {
  uint32_t replicated = layout.replicatedThreads();
  if (!replicated)
    return {};
  Value rank = arith::IndexCastUIOp::create(b, b.getI32Type(), team.rank);
  Value differs =
      arith::AndIOp::create(b, rank, arith::ConstantIntOp::create(b, replicated, 32));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, differs,
                               arith::ConstantIntOp::create(b, 0, 32));
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// The patterns of swizzles and of TMA depend on address bits below this.
static constexpr int64_t kSharedAlignment = 1024;

/// Returns the array for all of a kernel's shared memory, sized at launch.
LLVM::GlobalOp ThreadProgram::sharedArray() {
  static constexpr StringLiteral kName = "kiln_shared";
  auto module = function->getParentOfType<ModuleOp>();
  if (auto global = module.lookupSymbol<LLVM::GlobalOp>(kName))
    return global;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), 0);
  return LLVM::GlobalOp::create(b, type, /*isConstant=*/false, LLVM::Linkage::External,
                                kName, Attribute(), kSharedAlignment, /*addrSpace=*/3);
}

Value ThreadProgram::sharedFor(Operation *op) {
  auto offset = op->getAttrOfType<IntegerAttr>(tile::kSharedOffsetAttr);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.getBody().front());
  Value base = LLVM::AddressOfOp::create(b, sharedArray());
  return LLVM::GEPOp::create(b, base.getType(), b.getI8Type(), base,
                             LLVM::GEPArg(static_cast<int32_t>(offset.getInt())));
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

Layout ThreadProgram::wgmmaLayout(int64_t rows, int64_t columns) {
  int64_t warps = *kernel.getThreads() / target.gpu->warpThreads;
  return Layout::mmaAccumulator(rows, columns, warps, /*warpColumns=*/1);
}

Layout ThreadProgram::layoutOf(Type type) {
  if (auto pending = dyn_cast<tile::PendingType>(type))
    return wgmmaLayout(pending.getShape()[0], pending.getShape()[1]);
  if (auto operand = dyn_cast<tile::OperandType>(type))
    return wgmmaLayout(operand.getShape()[0], operand.getShape()[1]);
  return layoutIn(cast<tile::FragType>(type));
}

SmallVector<Type> ThreadProgram::loweredTypes(TypeRange types) {
  SmallVector<Type> lowered;
  for (Type type : types) {
    auto frag = dyn_cast<tile::FragType>(type);
    if (frag)
      lowered.append(layoutOf(frag).numRegisters(), frag.getElementType());
    else
      lowered.push_back(type);
  }
  return lowered;
}

void ThreadProgram::define(Value value, Fragment fragment) {
  fragments.insert_or_assign(value, std::move(fragment));
}

Fragment ThreadProgram::fragment(Value value) { return fragments.find(value)->second; }

Fragment ThreadProgram::splat(tile::FragType type, Value scalar) {
  Layout layout = layoutOf(type);
  return {layout, Values(layout.numRegisters(), scalar)};
}

/// Returns the sum of bases over the set bits of this thread's rank, shifted right by
/// `low` and cut off at `high`. Bases that double from bit to bit become one shift.
Value ThreadProgram::fromRank(ArrayRef<uint32_t> bases, unsigned low, unsigned high) {
  auto part = [&](uint32_t base) -> uint32_t {
    return (base & ((uint64_t(1) << high) - 1)) >> low;
  };
  auto constant = [&](int64_t value) {
    return arith::ConstantIntOp::create(b, value, 32);
  };
  Value rank = arith::IndexCastUIOp::create(b, b.getI32Type(), team.rank), sum;
  for (size_t i = 0; i < bases.size();) {
    size_t end = i + 1;
    if (!part(bases[i])) {
      i = end;
      continue;
    }
    while (end < bases.size() && part(bases[end]) == part(bases[end - 1]) * 2)
      ++end;
    Value bits = rank;
    if (i > 0)
      bits = arith::ShRUIOp::create(b, bits, constant(i));
    if (end < bases.size())
      bits = arith::AndIOp::create(b, bits, constant((int64_t(1) << (end - i)) - 1));
    bits = arith::MulIOp::create(b, bits, constant(part(bases[i])));
    sum = sum ? arith::AddIOp::create(b, sum, bits).getResult() : bits;
    i = end;
  }
  return sum ? arith::IndexCastUIOp::create(b, b.getIndexType(), sum).getResult()
             : index(0);
}

std::pair<Value, Value> ThreadProgram::threadOrigin(const Layout &layout) {
  unsigned columnBits = llvm::Log2_64(layout.columns());
  return {fromRank(layout.threads(), columnBits, 32),
          fromRank(layout.threads(), 0, columnBits)};
}
