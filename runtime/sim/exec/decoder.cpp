//===- decoder.cpp - From parsed instructions to MicroOps ------------------===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/decoder.h"

#include "runtime/sim/exec/cost.h"

#include "runtime/sim/exec/handlers.h"

#include <algorithm>

namespace kiln::sim::exec {

namespace {
using ptx::Opcode;
using ptx::Operand;
using ptx::StateSpace;

uint32_t alignUp(uint32_t value, uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

bool isPredicate(ptx::Type type) { return type == ptx::Type::Pred; }

/// Whether the instruction executes under a mask of its guard: it neither blocks nor
/// changes the list of splits. Others get a split of their own when some lanes are
/// predicated off.
bool runsMasked(Opcode opcode) {
  return opcode <= Opcode::Getctarank || opcode == Opcode::Atom ||
         opcode == Opcode::Red || opcode == Opcode::Fence || opcode == Opcode::Membar;
}

/// Whether control never reaches the next instruction.
bool endsFlow(const ptx::Instruction &instruction) {
  if (instruction.guard >= 0)
    return false;
  switch (instruction.opcode) {
  case Opcode::Bra:
  case Opcode::BrxIdx:
  case Opcode::Ret:
  case Opcode::Exit:
  case Opcode::Trap:
    return true;
  default:
    return false;
  }
}

bool isClock(ptx::Special special) {
  using ptx::Special;
  switch (special) {
  case Special::Clock:
  case Special::ClockHi:
  case Special::Clock64:
  case Special::Globaltimer:
  case Special::GlobaltimerLo:
  case Special::GlobaltimerHi:
    return true;
  default:
    return false;
  }
}
} // namespace

const DecoderTable &decoderTable() {
  static const DecoderTable table = [] {
    DecoderTable t = {};
    addIntegerDecoders(t);
    addFloatDecoders(t);
    addConvertDecoders(t);
    addDataDecoders(t);
    addControlDecoders(t);
    addMemoryDecoders(t);
    addAtomicDecoders(t);
    addWarpDecoders(t);
    addBarrierDecoders(t);
    addFenceDecoders(t);
    addLocalStackDecoders(t);
#ifdef KILN_SIM_HAS_ASYNC
    addAsyncDecoders(t);
#endif
#ifdef KILN_SIM_HAS_MATRIX
    addMatrixDecoders(t);
#endif
    return t;
  }();
  return table;
}

Decoder::Decoder(ModuleCode &code, const ptx::Function &source, FunctionCode &function)
    : code(code), source(source), function(function), options(code.options) {}

bool Decoder::error(const std::string &message) {
  std::string at = current ? "line " + std::to_string(current->location.line) + ": `" +
                                 ptx::spelling(*current) + "`: "
                           : "function " + source.name + ": ";
  messages.push_back(at + message);
  return false;
}

uint32_t Decoder::line(unsigned bytes) {
  uint32_t size = bytes ? bytes * WarpSize : sizeof(Mask);
  top = alignUp(top, std::min(size, 128u));
  uint32_t result = top;
  top += size;
  return result;
}

uint32_t Decoder::scratch(unsigned bytes) {
  auto &[lines, used] = spare[bytes];
  if (used == lines.size())
    lines.push_back(line(bytes));
  return lines[used++];
}

uint32_t Decoder::scratchPredicate() { return scratch(0); }

uint32_t Decoder::constant(const Constant &wanted) {
  for (const Constant &c : function.constants)
    if (c == wanted)
      return c.offset;
  function.constants.push_back(wanted);
  Constant &added = function.constants.back();
  bool flag = wanted.kind == Constant::Kind::Predicate ||
              (wanted.kind == Constant::Kind::Special &&
               wanted.special == ptx::Special::IsExplicitCluster);
  added.offset = line(flag ? 0 : wanted.bytes);
  return added.offset;
}

uint32_t Decoder::constant(uint64_t value, unsigned bytes) {
  Constant c;
  c.bytes = uint8_t(bytes);
  c.value = bytes < 8 ? value & ((uint64_t(1) << bytes * 8) - 1) : value;
  return constant(c);
}

unsigned Decoder::registerBytes(const Operand &operand) const {
  ptx::Type type = source.registers[operand.index].type;
  return isPredicate(type) ? 0 : ptx::bytes(type);
}

uint32_t Decoder::useShared(uint32_t index) {
  if (std::find(function.sharedUsed.begin(), function.sharedUsed.end(), index) ==
      function.sharedUsed.end())
    function.sharedUsed.push_back(index);
  return index;
}

Constant Decoder::symbolConstant(const Operand &operand) {
  Constant c;
  c.bytes = 8;
  c.value = uint64_t(operand.offset);
  switch (operand.symbolKind) {
  case Operand::SymbolKind::ModuleVariable:
    if (code.variables[operand.index]) {
      c.value += code.variables[operand.index]->address;
      return c;
    }
    c.kind = Constant::Kind::Shared;
    c.variable = useShared(code.moduleShared[operand.index]);
    return c;
  case Operand::SymbolKind::FunctionVariable:
    switch (source.variables[operand.index].space) {
    case StateSpace::Local:
      c.kind = Constant::Kind::Local;
      c.value += variableOffsets[operand.index];
      return c;
    case StateSpace::Shared:
    case StateSpace::SharedCta:
      c.kind = Constant::Kind::Shared;
      c.variable = useShared(variableOffsets[operand.index]);
      return c;
    case StateSpace::Global:
    case StateSpace::Const:
      c.value += code.functionVariables[variableOffsets[operand.index]]->address;
      return c;
    default:
      error("the address of a .param variable of a function is not modelled");
      return c;
    }
  case Operand::SymbolKind::Parameter:
    if (source.entry) {
      c.kind = Constant::Kind::ParamAddress;
      c.value += source.parameters[operand.index].offset;
      return c;
    }
    error("the address of a parameter of a .func is not modelled");
    return c;
  case Operand::SymbolKind::Return:
    error("the address of a return value is not modelled");
    return c;
  case Operand::SymbolKind::Function:
    function.callees.push_back(operand.index);
    c.value = FunctionWindow + operand.index * FunctionStride;
    return c;
  }
  return c;
}

uint32_t Decoder::symbolLine(const Operand &operand, unsigned bytes) {
  Constant c = symbolConstant(operand);
  c.bytes = uint8_t(bytes);
  return constant(c);
}

uint32_t Decoder::specialLine(const Operand &operand, unsigned bytes) {
  if (isClock(operand.special)) {
    uint32_t result = scratch(bytes);
    MicroOp &op = emit(runReadClock, result);
    op.flags = uint16_t(bytes);
    op.extra = uint16_t(operand.special);
    return result;
  }
  Constant c;
  c.kind = Constant::Kind::Special;
  c.special = operand.special;
  c.component = operand.component;
  c.bytes = uint8_t(bytes);
  return constant(c);
}

uint32_t Decoder::read(const Operand &operand, unsigned bytes) {
  switch (operand.kind) {
  case Operand::Kind::Register: {
    unsigned has = registerBytes(operand);
    uint32_t from = registerLines[operand.index];
    if (has == bytes)
      return from;
    uint32_t to = scratch(bytes);
    emit(handlers().resize(bytes, has, ptx::isSigned(operand.type)), to, from);
    return to;
  }
  case Operand::Kind::Immediate:
    return constant(operand.bits, bytes);
  case Operand::Kind::Special:
    return specialLine(operand, bytes);
  case Operand::Kind::Symbol:
    return symbolLine(operand, bytes);
  case Operand::Kind::Sink:
    return scratch(bytes);
  default:
    error("an operand of a kind that cannot be read here");
    return scratch(bytes);
  }
}

uint32_t Decoder::write(const Operand &operand, unsigned bytes, bool isSigned) {
  if (operand.kind != Operand::Kind::Register)
    return scratch(bytes);
  unsigned has = registerBytes(operand);
  uint32_t to = registerLines[operand.index];
  if (has == bytes)
    return to;
  uint32_t from = scratch(bytes);
  extensions.push_back({handlers().resize(has, bytes, isSigned), to, from});
  return from;
}

uint32_t Decoder::readPredicate(const Operand &operand) {
  uint32_t from;
  if (operand.kind == Operand::Kind::Register) {
    from = registerLines[operand.index];
  } else if (operand.kind == Operand::Kind::Special) {
    from = specialLine(operand, 1);
  } else {
    Constant c;
    c.kind = Constant::Kind::Predicate;
    c.value = operand.bits != 0;
    from = constant(c);
  }
  if (!operand.negated)
    return from;
  uint32_t to = scratchPredicate();
  emit(runNotPredicate, to, from);
  return to;
}

uint32_t Decoder::writePredicate(const Operand &operand) {
  return operand.kind == Operand::Kind::Register ? registerLines[operand.index]
                                                 : scratchPredicate();
}

AddressOperand Decoder::address(const Operand &operand) {
  AddressOperand result;
  switch (operand.base) {
  case Operand::Base::Register: {
    result.line = registerLines[operand.index];
    result.narrow = registerBytes(operand) == 4;
    result.offset = operand.offset;
    return result;
  }
  case Operand::Base::Symbol: {
    Operand symbol = operand;
    symbol.offset = 0;
    result.line = symbolLine(symbol, 8);
    result.offset = operand.offset;
    return result;
  }
  case Operand::Base::Absolute:
    result.line = constant(0, 8);
    result.offset = operand.offset;
    return result;
  }
  return result;
}

uint32_t Decoder::addressLine64(const Operand &operand, int64_t &offset) {
  AddressOperand a = address(operand);
  offset = a.offset;
  if (!a.narrow)
    return a.line;
  uint32_t wide = scratch(8);
  emit(handlers().resize(8, 4, false), wide, a.line);
  return wide;
}

MicroOp &Decoder::emit(Handler run, uint32_t d, uint32_t a, uint32_t b, uint32_t c,
                       uint64_t imm) {
  if (!run)
    error("this form is not implemented");
  MicroOp &op = function.ops.emplace_back();
  op.run = run;
  op.d = d;
  op.a = a;
  op.b = b;
  op.c = c;
  op.imm = imm;
  op.info = currentInfo;
  return op;
}

void Decoder::branchTo(uint32_t instruction) {
  branches.push_back({uint32_t(function.ops.size() - 1), instruction});
}

void Decoder::startInfo(const ptx::Instruction &instruction) {
  current = &instruction;
  currentInfo = &function.infos.emplace_back();
  currentInfo->source = &instruction;
  currentInfo->function = &function;
  currentInfo->line = instruction.location.line;
  currentInfo->row = instruction.row ? instruction.row->index : 0;
  currentInfo->text = ptx::spelling(instruction);
  for (auto &[bytes, lines] : spare)
    lines.second = 0;
  extensions.clear();
}

void Decoder::count(const ptx::Instruction &instruction) {
  if (!groupOpen || instruction.guard >= 0) {
    emit(runCount, 0, 0, 0, 0, code.counted.size());
    code.counted.emplace_back();
  }
  code.counted.back().push_back(currentInfo);
  groupOpen = !endsGroup(instruction);
}

bool Decoder::decodeBody(const ptx::Instruction &instruction) {
  DecodeFunction decode = decoderTable()[size_t(instruction.opcode)];
  if (!decode)
    return error("not implemented in the simulator");
  count(instruction);
  for (auto &instrumentation : instrumentations)
    instrumentation->before(instruction);
  size_t before = messages.size();
  if (!decode(*this, instruction) || messages.size() != before)
    return false;
  for (const Extension &e : extensions)
    emit(e.run, e.to, e.from);
  for (auto &instrumentation : instrumentations)
    instrumentation->after(instruction);
  return true;
}

bool Decoder::decode(const ptx::Instruction &instruction, bool joins) {
  startInfo(instruction);
  if (joins)
    emit(runJoin);
  if (targets[&instruction - source.code.data()])
    groupOpen = false;
  for (auto &instrumentation : instrumentations)
    instrumentation->beforeGuard(instruction);
  bool ownGuard = instruction.opcode == Opcode::Bra || instruction.guard < 0;
  if (ownGuard)
    return decodeBody(instruction);
  bool masked = runsMasked(instruction.opcode);
  size_t at = function.ops.size();
  MicroOp &guard = emit(masked ? runGuard : runGuardSplit, 0,
                        registerLines[size_t(instruction.guard)]);
  guard.flags = instruction.guardNegated;
  if (!decodeBody(instruction))
    return false;
  function.ops[at].extra = uint16_t(function.ops.size() - at - 1);
  // Lanes that the guard disabled rejoin here.
  emit(masked ? runEndGuard : runJoin);
  return true;
}

void Decoder::layoutRegisters() {
  for (const ptx::Register &r : source.registers)
    registerLines.push_back(line(isPredicate(r.type) ? 0 : ptx::bytes(r.type)));
}

void Decoder::layoutParameters() {
  if (source.entry)
    return;
  uint32_t &bytes = function.parameterBytes;
  size_t inRegister[2] = {0, 0};
  auto layout = [&](const std::vector<ptx::Variable> &variables,
                    const std::vector<uint32_t> &registers, size_t &nextRegister,
                    std::vector<ParameterSlot> &slots) {
    for (const ptx::Variable &v : variables) {
      ParameterSlot slot;
      if (v.space == StateSpace::Reg) {
        slot.inRegister = true;
        slot.offset = registerLines[registers[nextRegister++]];
        slot.bytes = isPredicate(v.type) ? 0 : ptx::bytes(v.type);
      } else {
        bytes = alignUp(bytes, std::max(v.align, 1u));
        slot.offset = bytes;
        slot.bytes = uint32_t(v.size);
        bytes += slot.bytes;
      }
      slots.push_back(slot);
    }
  };
  layout(source.parameters, source.registerParameters, inRegister[0],
         function.parameters);
  layout(source.returns, source.registerReturns, inRegister[1], function.returns);
}

void Decoder::layoutVariables() {
  for (const ptx::Variable &v : source.variables) {
    uint32_t offset = 0;
    switch (v.space) {
    case StateSpace::Local:
      offset = function.localBytes = alignUp(function.localBytes, std::max(v.align, 1u));
      function.localBytes += uint32_t(v.size);
      break;
    case StateSpace::Param:
      offset = function.parameterBytes =
          alignUp(function.parameterBytes, std::max(v.align, 1u));
      function.parameterBytes += uint32_t(v.size);
      break;
    case StateSpace::Shared:
    case StateSpace::SharedCta:
      offset = uint32_t(code.shared.size());
      code.shared.push_back(&v);
      break;
    default:
      offset = code.addFunctionVariable(v);
      break;
    }
    variableOffsets.push_back(offset);
  }
  // Frame sizes are multiples of the alignment, so that the next frame is aligned.
  function.localBytes = alignUp(function.localBytes, 16);
  function.parameterBytes = alignUp(function.parameterBytes, 16);
}

ParameterSlot Decoder::parameterSlot(const Operand &symbol) const {
  switch (symbol.symbolKind) {
  case Operand::SymbolKind::Parameter:
    return function.parameters[symbol.index];
  case Operand::SymbolKind::Return:
    return function.returns[symbol.index];
  default: {
    ParameterSlot slot;
    slot.offset = variableOffsets[symbol.index];
    slot.bytes = uint32_t(source.variables[symbol.index].size);
    return slot;
  }
  }
}

void Decoder::findTargets() {
  targets.assign(source.code.size() + 1, false);
  for (const ptx::Instruction &instruction : source.code)
    for (const Operand &operand : instruction.operands) {
      if (operand.kind == Operand::Kind::Label)
        targets[operand.index] = true;
      if (operand.kind == Operand::Kind::Table && instruction.opcode == Opcode::BrxIdx)
        for (uint32_t target : source.branchTables[operand.index].targets)
          targets[target] = true;
    }
}

void Decoder::link() {
  for (auto [op, instruction] : branches)
    function.ops[op].imm =
        uint64_t(reinterpret_cast<uintptr_t>(&function.ops[firstOps[instruction]]));
  for (OpInfo *info : tables)
    for (uint32_t &target : info->operands)
      target = firstOps[target];
}

bool Decoder::run() {
  layoutRegisters();
  layoutParameters();
  layoutVariables();
  findTargets();
  for (InstrumentationFactory make : factories)
    instrumentations.push_back(make(*this));
  bool fallsThrough = false;
  for (size_t i = 0; i < source.code.size(); ++i) {
    firstOps.push_back(uint32_t(function.ops.size()));
    decode(source.code[i], targets[i] && fallsThrough);
    fallsThrough = !endsFlow(source.code[i]);
  }
  firstOps.push_back(uint32_t(function.ops.size()));
  current = nullptr;
  if (currentInfo == nullptr)
    currentInfo = &function.infos.emplace_back();
  emit(runJoin);
  emit(runReturn);
  function.registerBytes = alignUp(top, 128);
  link();
  return messages.empty();
}

} // namespace kiln::sim::exec
