//===- decoder.h - From parsed instructions to MicroOps ----------*- C++ -*-===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// decodeFunction visits a function's instructions and calls one decode function per
// opcode, which asks the Decoder for the offsets of its operands and emits one or more
// MicroOps.
//
//===----------------------------------------------------------------------===//
#ifndef KILN_SIM_EXEC_DECODER_H
#define KILN_SIM_EXEC_DECODER_H

#include "runtime/sim/exec/access.h"
#include "runtime/sim/exec/code.h"

namespace kiln::sim::exec {

class Decoder;
/// Returns false if the instruction cannot be decoded, after calling Decoder::error.
using DecodeFunction = bool (*)(Decoder &decoder, const ptx::Instruction &instruction);

/// Decode functions by opcode; null: not implemented, an error when it occurs.
using DecoderTable = std::array<DecodeFunction, size_t(ptx::Opcode::Count)>;
const DecoderTable &decoderTable();

// Each part of the instruction set adds its decode functions.
void addIntegerDecoders(DecoderTable &table);
void addFloatDecoders(DecoderTable &table);
void addConvertDecoders(DecoderTable &table);
void addDataDecoders(DecoderTable &table);
void addControlDecoders(DecoderTable &table);
void addMemoryDecoders(DecoderTable &table);
void addAtomicDecoders(DecoderTable &table);
void addWarpDecoders(DecoderTable &table);
void addBarrierDecoders(DecoderTable &table);
void addFenceDecoders(DecoderTable &table);
void addLocalStackDecoders(DecoderTable &table);
void addAsyncDecoders(DecoderTable &table);  ///< exec/async
void addMatrixDecoders(DecoderTable &table); ///< exec/matrix

/// An address operand: a register (32- or 64-bit) or a constant, and an offset.
struct AddressOperand {
  uint32_t line = 0; ///< b64 line, or b32 if `narrow`
  bool narrow = false;
  int64_t offset = 0;
};

/// Adds ops around the instructions of a function, to check its registers.
class Instrumentation {
public:
  virtual ~Instrumentation() = default;
  /// Emits the check of an instruction's guard.
  virtual void beforeGuard(const ptx::Instruction &) {}
  /// Emits the checks before an instruction, under its guard.
  virtual void before(const ptx::Instruction &) {}
  /// Emits the effects of an instruction, under its guard.
  virtual void after(const ptx::Instruction &) {}
};
using InstrumentationFactory = std::unique_ptr<Instrumentation> (*)(Decoder &decoder);

class Decoder {
public:
  Decoder(ModuleCode &code, const ptx::Function &source, FunctionCode &function);

  ModuleCode &code;
  const ptx::Function &source;
  FunctionCode &function;
  const Options &options;

  /// Returns the offset of a source operand with elements of `bytes` (1, 2, 4, 8, 16): a
  /// register, immediate, special register or symbol. A wider register is narrowed into
  /// scratch.
  uint32_t read(const ptx::Operand &operand, unsigned bytes);
  /// Returns the offset for a result of `bytes`. If the register is wider, finish() emits
  /// ops that extend the result; a sink gets scratch.
  uint32_t write(const ptx::Operand &operand, unsigned bytes, bool isSigned = false);
  /// Return the offset of a predicate source (already negated if needed) or destination.
  uint32_t readPredicate(const ptx::Operand &operand);
  uint32_t writePredicate(const ptx::Operand &operand);
  /// Returns the bytes per lane of an operand's register; 0 for a predicate.
  unsigned registerBytes(const ptx::Operand &operand) const;
  uint32_t registerLine(uint32_t index) const { return registerLines[index]; }
  AddressOperand address(const ptx::Operand &operand);
  /// Returns a b64 register with the operand's address, without its offset, widened if
  /// needed.
  uint32_t addressLine64(const ptx::Operand &operand, int64_t &offset);

  uint32_t constant(uint64_t value, unsigned bytes);
  uint32_t constant(const Constant &constant);
  uint32_t scratch(unsigned bytes);
  uint32_t scratchPredicate();
  uint32_t newSlot() { return code.memorySlots++; }

  /// Appends an op of the current instruction. The reference is valid until the next
  /// call.
  MicroOp &emit(Handler run, uint32_t d = 0, uint32_t a = 0, uint32_t b = 0,
                uint32_t c = 0, uint64_t imm = 0);
  /// Cold data shared by the current instruction's ops.
  OpInfo &info() { return *currentInfo; }
  /// Reports an error in the current instruction; returns false.
  bool error(const std::string &message);

  const std::vector<std::string> &errors() const { return messages; }
  /// Call before run(), which calls `make` once registers have offsets.
  void instrument(InstrumentationFactory make) { factories.push_back(make); }
  bool run();

  /// Returns the location of a .func's .param variable in its frame's parameter memory.
  ParameterSlot parameterSlot(const ptx::Operand &symbol) const;
  /// Index of an instruction's first op; final after run().
  uint32_t firstOp(uint32_t instruction) const { return firstOps[instruction]; }
  /// Makes the last emitted op's imm the address of the instruction's first op.
  void branchTo(uint32_t instruction);
  /// Declares info().operands to be instructions, which become op indices.
  void tableOfTargets() { tables.push_back(currentInfo); }

private:
  struct Extension {
    Handler run;
    uint32_t to, from;
  };
  bool decode(const ptx::Instruction &instruction, bool joins);
  bool decodeBody(const ptx::Instruction &instruction);
  void startInfo(const ptx::Instruction &instruction);
  /// Adds the instruction to a group of ModuleCode::counted.
  void count(const ptx::Instruction &instruction);
  void findTargets();
  void layoutRegisters();
  void layoutParameters();
  void layoutVariables();
  uint32_t line(unsigned bytes);
  uint32_t symbolLine(const ptx::Operand &operand, unsigned bytes);
  uint32_t specialLine(const ptx::Operand &operand, unsigned bytes);
  Constant symbolConstant(const ptx::Operand &operand);
  uint32_t useShared(uint32_t index);
  void link();

  std::vector<InstrumentationFactory> factories;
  std::vector<std::unique_ptr<Instrumentation>> instrumentations;
  OpInfo *currentInfo = nullptr;
  bool groupOpen = false; ///< the next instruction executes for the lanes of the last one
  const ptx::Instruction *current = nullptr;
  std::vector<uint32_t> registerLines;
  std::vector<uint32_t> variableOffsets; ///< by Function::variables: offset in their
                                         ///< space
  std::vector<uint32_t> firstOps;        ///< by instruction
  std::vector<bool> targets;             ///< by instruction: a label names it
  std::vector<Extension> extensions;
  std::vector<std::pair<uint32_t, uint32_t>> branches; ///< op and target instruction
  std::vector<OpInfo *> tables;
  std::vector<std::string> messages;
  std::map<unsigned, std::pair<std::vector<uint32_t>, size_t>> spare; ///< scratch
  uint32_t top = 128; ///< end of the register file; it starts with the carry flags
};

// Handlers that the decoder itself emits (control.cpp).
Stop runGuard(const MicroOp *, uint8_t *, Mask, Warp &); ///< a: predicate, flags: negated
Stop runEndGuard(const MicroOp *, uint8_t *, Mask, Warp &);
Stop runGuardSplit(const MicroOp *, uint8_t *, Mask, Warp &);
Stop runJoin(const MicroOp *, uint8_t *, Mask, Warp &);
Stop runReturn(const MicroOp *, uint8_t *, Mask, Warp &);
Stop runNotPredicate(const MicroOp *, uint8_t *, Mask, Warp &);
Stop runCount(const MicroOp *, uint8_t *, Mask, Warp &); ///< imm: ModuleCode::counted
Stop runReadClock(const MicroOp *, uint8_t *, Mask, Warp &);

} // namespace kiln::sim::exec

#endif // KILN_SIM_EXEC_DECODER_H
