//===- ThreadProgram.cpp - The program of one thread ----------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadProgram.h"
#include "dialects/Types/FloatFormat.h"
#include "kiln/ErrorCodes/Target.h"
#include "kiln/Support/Error.h"
#include "lib/Target/LoweringMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace kiln;
using namespace kiln::nvptx;

ThreadProgram::ThreadProgram(tile::KernelOp kernel, const TargetInfo &target)
    : kernel(kernel), target(target), b(kernel.getLoc(), kernel.getContext()) {}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Type nvptx::memoryType(Type element) {
  if (element.isInteger(1) || element.isBF16() || isFloat8(element))
    return IntegerType::get(element.getContext(), element.isBF16() ? 16 : 8);
  return element;
}

Value ThreadProgram::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

static std::optional<int64_t> constant(Value value) { return getConstantIntValue(value); }

Value ThreadProgram::add(Value lhs, Value rhs) { return addIndices(b, lhs, rhs); }
Value ThreadProgram::mul(Value lhs, Value rhs) { return multiplyIndices(b, lhs, rhs); }
Value ThreadProgram::toI64(Value value) { return indexToI64(b, value); }

Value ThreadProgram::gep(Value pointer, Type element, Value offset) {
  if (constant(offset) == 0)
    return pointer;
  return LLVM::GEPOp::create(b, pointer.getType(), memoryType(element), pointer,
                             LLVM::GEPArg(toI64(offset)));
}

Values ThreadProgram::scalarsOf(ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) { return scalar(value); });
}

Values ThreadProgram::flatten(ValueRange values) {
  Values lowered;
  for (Value value : values) {
    if (isa<tile::PendingType, tile::OperandType>(value.getType()))
      llvm::append_range(lowered, fragments.find(value)->second.registers);
    else if (isa<tile::FragType>(value.getType()))
      llvm::append_range(lowered, fragment(value).registers);
    else
      lowered.push_back(scalar(value));
  }
  return lowered;
}

void ThreadProgram::bind(ValueRange values, ValueRange lowered) {
  for (Value value : values) {
    if (isa<tile::FragType, tile::PendingType, tile::OperandType>(value.getType())) {
      Layout layout = layoutOf(value.getType());
      int64_t count = layout.numRegisters();
      if (isa<tile::OperandType>(value.getType()))
        count /= 2; // two elements in one
      define(value, {layout, Values(lowered.take_front(count))});
      lowered = lowered.drop_front(count);
    } else {
      scalars.map(value, lowered.front());
      lowered = lowered.drop_front(1);
    }
  }
}

Value ThreadProgram::assembly(Type result, ValueRange operands, StringRef text,
                              StringRef constraints) {
  auto op = LLVM::InlineAsmOp::create(
      b, result ? TypeRange(result) : TypeRange(), operands, text, constraints,
      /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
  return result ? op.getRes() : Value();
}

Value ThreadProgram::word(int64_t value) {
  return arith::ConstantIntOp::create(b, value, 32);
}

Value ThreadProgram::mapArgument(unsigned number) {
  Block &entry = function.getBody().front();
  return entry.getArgument(entry.getNumArguments() - mapCount + number);
}

void ThreadProgram::fail(Operation *op, StringRef what) {
  if (!failed)
    kiln::emitError(op->getLoc(),
                    {ErrorCode::NotLowerable,
                     "kernel '" + kernel.getSymName().str() + "'", what.str(), "",
                     op->getName().getStringRef().str(), ""});
  failed = true;
}

/// The workspace follows buffers and symbols.
unsigned ThreadProgram::workspaceArgument() {
  return kernel.getNumBuffers() + kernel.getNumSymbols();
}

/// With PDL a kernel may start before the kernels it depends on end. Every thread waits
/// for them before any work, so that the end of a kernel implies the end of all earlier
/// ones and their memory can be reused. Then it allows the next kernel to start.
void ThreadProgram::waitForEarlierKernels() {
  if (target.gpu->hasDependentLaunch)
    assembly({}, {}, "griddepcontrol.wait;\ngriddepcontrol.launch_dependents;",
             "~{memory}");
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

Values ThreadProgram::guarded(Value condition, function_ref<Values()> values,
                              const Values &otherwise) {
  if (!condition)
    return values();
  if (getConstantIntValue(condition) == 0)
    return otherwise;
  auto branch = scf::IfOp::create(b, TypeRange(ValueRange(otherwise)), condition,
                                  /*withElse=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, values());
  diverged = true; // even if lanes reconverged inside
  b.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b, otherwise);
  return branch.getResults();
}

void ThreadProgram::guarded(Value condition, function_ref<void()> body) {
  if (!condition)
    return body();
  if (getConstantIntValue(condition) == 0)
    return;
  auto branch = scf::IfOp::create(b, condition, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  body();
  diverged = true;
}

//===----------------------------------------------------------------------===//
// Swizzled chunks of shared memory
//===----------------------------------------------------------------------===//

ChunkOrigin ThreadProgram::chunkOrigin(const StagedLayout &chunks,
                                       ArrayRef<uint32_t> ofBits) {
  ChunkOrigin origin{fromRank(ofBits, 0, 32), 0};
  for (uint32_t bit : ofBits)
    origin.varying |= chunks.swizzle(bit);
  if (chunks.chunkMask() == 0)
    return origin;
  Value number = arith::ShRUIOp::create(b, origin.offset, index(chunks.shift()));
  number = arith::AndIOp::create(b, number, index(chunks.chunkMask()));
  origin.offset = arith::XOrIOp::create(b, origin.offset, number);
  return origin;
}

Value ThreadProgram::chunkPointer(Value slot, const StagedLayout &chunks,
                                  const ChunkOrigin &origin, int64_t plain) {
  int64_t own = chunks.swizzle(plain);
  Value offset = origin.offset;
  if (own & origin.varying)
    offset = arith::XOrIOp::create(b, offset, index(own & origin.varying));
  // Bits that no thread's offset has are added as the instruction's constant offset.
  return gep(gep(slot, b.getI8Type(), offset), b.getI8Type(),
             index(own & ~origin.varying));
}
