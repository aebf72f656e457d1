//===- byte_flow.cpp - Which bytes an instruction makes its results of -----===//
//
// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/sim/exec/byte_flow.h"

#include <algorithm>

namespace kiln::sim::exec {

namespace {
using ptx::Instruction;
using ptx::Mod;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

using Bytes = std::vector<RegisterByte>;
constexpr unsigned BitsPerByte = 8;

class Flow {
public:
  Flow(const ptx::Function &function, const Instruction &i, std::vector<ByteFlow> &flows)
      : function(function), i(i), flows(flows) {}

  bool run() {
    if (i.operands.empty() || i.type() == Type::Pred)
      return false;
    switch (i.opcode) {
    case Opcode::Mov:
    case Opcode::Not:
      return each([&](unsigned byte) { return of({1}, byte); });
    case Opcode::Xor:
      return each([&](unsigned byte) { return of({1, 2}, byte); });
    case Opcode::And:
      return each([&](unsigned byte) { return masked(byte, 0x00); });
    case Opcode::Or:
      return each([&](unsigned byte) { return masked(byte, 0xff); });
    case Opcode::Selp:
      return each([&](unsigned byte) { return selected(byte); });
    case Opcode::Lop3:
      return i.operands[4].isImmediate() &&
             each([&](unsigned byte) { return lookedUp(byte); });
    case Opcode::Shl:
    case Opcode::Shr:
      return shift();
    case Opcode::Prmt:
      return permute();
    case Opcode::Cvt:
      return convert();
    case Opcode::MovPack:
      return pack();
    case Opcode::MovUnpack:
      return unpack();
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::Fma:
    case Opcode::Neg:
    case Opcode::Abs:
    case Opcode::Min:
    case Opcode::Max:
    case Opcode::Ex2:
    case Opcode::Tanh:
      return ptx::lanes(i.type()) > 1 && elementwise(i.type(), i.type());
    default:
      return false;
    }
  }

private:
  void add(Bytes &to, const Operand &operand, unsigned byte) const {
    if (operand.isRegister() && byte < registerBytes(function, operand.index))
      to.push_back({operand.index, byte});
  }
  Bytes of(std::initializer_list<size_t> operands, unsigned byte) const {
    Bytes result;
    for (size_t n : operands)
      add(result, i.operands[n], byte);
    return result;
  }
  /// The one result, byte by byte.
  template <class F> bool each(F from) {
    if (!i.operands[0].isRegister())
      return false;
    ByteFlow flow{i.operands[0].index, {}};
    for (unsigned byte = 0; byte < registerBytes(function, flow.index); ++byte)
      flow.bytes.push_back(from(byte));
    flows.push_back(std::move(flow));
    return true;
  }
  static unsigned byteOf(const Operand &operand, unsigned byte) {
    return operand.bits >> byte * BitsPerByte & 0xff;
  }
  /// A constant byte with this value decides alone.
  Bytes masked(unsigned byte, unsigned decisive) const {
    for (size_t n : {1, 2})
      if (i.operands[n].isImmediate() && byteOf(i.operands[n], byte) == decisive)
        return {};
    return of({1, 2}, byte);
  }
  /// Whether operand `n` of lop3 (1 to 3) decides about a bit, constants given.
  bool decides(size_t n, unsigned bit) const {
    constexpr unsigned inputs = 3;
    for (unsigned index = 0; index < 1u << inputs; ++index) {
      bool possible = true;
      for (size_t other = 1; other <= inputs; ++other)
        if (i.operands[other].isImmediate())
          possible &=
              (index >> (inputs - other) & 1) == (i.operands[other].bits >> bit & 1);
      unsigned flipped = index ^ 1u << (inputs - n);
      if (possible && ((i.operands[4].bits >> index ^ i.operands[4].bits >> flipped) & 1))
        return true;
    }
    return false;
  }
  Bytes lookedUp(unsigned byte) const {
    Bytes result;
    for (size_t n : {1, 2, 3})
      for (unsigned bit = 0; bit < BitsPerByte; ++bit)
        if (decides(n, byte * BitsPerByte + bit)) {
          add(result, i.operands[n], byte);
          break;
        }
    return result;
  }
  Bytes selected(unsigned byte) const {
    Bytes result = of({1, 2}, byte);
    add(result, i.operands[3], 0);
    return result;
  }
  bool shift() {
    const Operand &by = i.operands[2];
    if (!by.isImmediate())
      return false;
    const int bytes = int(ptx::bytes(i.type())), bits = bytes * int(BitsPerByte);
    const int distance = int(std::min<uint64_t>(by.bits, uint64_t(bits)));
    const bool left = i.opcode == Opcode::Shl, keepsSign = ptx::isSigned(i.type());
    return each([&](unsigned byte) {
      Bytes result;
      for (int bit : {0, int(BitsPerByte) - 1}) {
        int from = int(byte) * int(BitsPerByte) + bit + (left ? -distance : distance);
        if (from >= bits && keepsSign)
          from = bits - 1;
        if (from >= 0 && from < bits)
          add(result, i.operands[1], unsigned(from) / BitsPerByte);
      }
      return result;
    });
  }
  bool permute() {
    static constexpr Mod modes[] = {Mod::F4e, Mod::B4e, Mod::Rc8,
                                    Mod::Ecl, Mod::Ecr, Mod::Rc16};
    const Operand &selector = i.operands[3];
    if (!selector.isImmediate() ||
        std::any_of(std::begin(modes), std::end(modes), [&](Mod m) { return i.has(m); }))
      return false;
    return each([&](unsigned byte) {
      Bytes result;
      unsigned from = selector.bits >> 4 * byte & 7;
      add(result, i.operands[1 + from / 4], from % 4);
      return result;
    });
  }
  /// All bytes of an element of `size` bytes.
  void addElement(Bytes &to, const Operand &operand, unsigned element,
                  unsigned size) const {
    for (unsigned n = 0; n < size; ++n)
      add(to, operand, element * size + n);
  }
  /// Packed types: each element is made of the operands' elements with its number.
  bool elementwise(Type to, Type from) {
    const unsigned size = ptx::bytes(to) / ptx::lanes(to);
    const unsigned fromSize = ptx::bytes(from) / ptx::lanes(from);
    if (!size || !fromSize || ptx::lanes(to) != ptx::lanes(from))
      return false;
    return each([&](unsigned byte) {
      Bytes result;
      for (size_t n = 1; n < i.operands.size(); ++n)
        addElement(result, i.operands[n], byte / size, fromSize);
      return result;
    });
  }
  /// cvt.f16x2.f32 and the like: the first operand goes above the second.
  bool packTwo(Type to, Type from) {
    const unsigned size = ptx::bytes(to) / 2;
    return size && each([&](unsigned byte) {
             Bytes result;
             addElement(result, i.operands[byte < size ? 2 : 1], 0, ptx::bytes(from));
             return result;
           });
  }
  bool convert() {
    Type to = i.types[0], from = i.types[1];
    if (ptx::lanes(to) == 2 && ptx::lanes(from) == 1 && i.operands.size() == 3)
      return packTwo(to, from);
    if (ptx::lanes(to) > 1)
      return elementwise(to, from);
    return ptx::isInteger(to) && ptx::isInteger(from) && !i.sat() && resize(to, from);
  }
  /// Integers that are cut or extended.
  bool resize(Type to, Type from) {
    return each([&](unsigned byte) {
      Bytes result;
      if (byte >= ptx::bytes(to) && ptx::isSigned(to))
        byte = ptx::bytes(to) - 1;
      if (byte >= ptx::bytes(from) && ptx::isSigned(from))
        byte = ptx::bytes(from) - 1;
      if (byte < ptx::bytes(from) && byte < ptx::bytes(to))
        add(result, i.operands[1], byte);
      return result;
    });
  }
  bool pack() {
    const std::vector<Operand> &parts = i.operands[1].elements;
    unsigned size = ptx::bytes(i.type()) / unsigned(parts.size());
    return each([&](unsigned byte) {
      Bytes result;
      add(result, parts[byte / size], byte % size);
      return result;
    });
  }
  bool unpack() {
    const std::vector<Operand> &parts = i.operands[0].elements;
    unsigned size = ptx::bytes(i.type()) / unsigned(parts.size());
    for (unsigned part = 0; part < parts.size(); ++part) {
      if (!parts[part].isRegister())
        continue;
      ByteFlow flow{parts[part].index, {}};
      for (unsigned byte = 0; byte < size; ++byte)
        add(flow.bytes.emplace_back(), i.operands[1], part * size + byte);
      flows.push_back(std::move(flow));
    }
    return true;
  }

  const ptx::Function &function;
  const Instruction &i;
  std::vector<ByteFlow> &flows;
};
} // namespace

unsigned registerBytes(const ptx::Function &function, uint32_t index) {
  Type type = function.registers[index].type;
  return type == Type::Pred ? 1 : ptx::bytes(type);
}

bool byteFlow(const ptx::Function &function, const Instruction &instruction,
              std::vector<ByteFlow> &flows) {
  return Flow(function, instruction, flows).run();
}

} // namespace kiln::sim::exec
